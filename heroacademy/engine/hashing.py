"""A 64-bit hash of the whole state."""

import numpy as np

from heroacademy.engine.bits import GOLDEN, mix
from heroacademy.engine.jit import bare_kernel
from heroacademy.engine.layout import UNITS

_HASHED_WORDS = UNITS + 1  # the masks that come after them follow from the unit words


@bare_kernel
def hash_state(state):
    """Equal for equal states, as an unsigned 64-bit integer.

    Every word is scrambled by itself, in a way of its own, well enough that words that trade
    places do not cancel out, and the results are added. Empty squares are not left out: without
    a branch the compiler turns the loop into vector instructions, eight words at a time.
    """
    total = np.uint64(0)
    for i in range(_HASHED_WORDS):
        total += mix(np.uint64(state[i]) + np.uint64(i) * GOLDEN)
    return mix(total)
