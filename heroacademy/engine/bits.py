"""Bit masks of squares and random numbers, for compiled code.

A set of squares is one int64: bit `s` stands for square `s`. The 45 squares leave the sign
bit alone, so signed arithmetic is safe and nothing is ever promoted to a float.
"""

import numpy as np
from numba import types
from numba.extending import intrinsic

from heroacademy.engine.jit import bare_kernel, part

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@intrinsic
def lowest(typing_context, mask):
    """Index of the lowest set bit of a mask that is not empty."""
    if mask != types.int64:
        return None

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, 1))

    return types.int64(types.int64), generate


@intrinsic
def count(typing_context, mask):
    """Number of set bits."""
    if mask != types.int64:
        return None

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@bare_kernel
def mix(x):
    """Scramble 64 bits; a bijection (the finaliser of splitmix64)."""
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * _MIX_1
    x = (x ^ (x >> np.uint64(27))) * _MIX_2
    return x ^ (x >> np.uint64(31))


@bare_kernel
def random_bits(rng):
    """Next 64 random bits of a splitmix64 generator.

    The generator is element 0 of `rng`, an int64 or uint64 array, and is moved on.
    """
    following = np.uint64(rng[0]) + GOLDEN
    rng[0] = following
    return mix(following)


@bare_kernel
def random_below(rng, n):
    """Uniform integer in 0..n-1, for n up to 2**31 (bias below n / 2**32)."""
    return np.int64(((random_bits(rng) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@part
def happens(rng, chance):
    """Whether something of a chance from 0 to 1 comes true."""
    return random_bits(rng) >> np.uint64(32) < np.uint64(chance * 4294967296.0)
