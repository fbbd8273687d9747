"""A 64-bit hash of the whole state."""

import numpy as np

from heroacademy.engine.bits import lowest, mix
from heroacademy.engine.jit import kernel
from heroacademy.engine.layout import (
    AP,
    DECK,
    DRAW_SEED,
    HAND,
    PLAYER,
    RNG,
    TURN,
    UNITS,
    WINNER,
)

_SQUARE_SHIFT = 32  # a unit word stays below 2**22
# Odd constants that tell the fields of a state apart.
_FIELD_SALTS = (
    np.uint64(0xA0761D6478BD642F),
    np.uint64(0xE7037ED1A0B428DB),
    np.uint64(0x8EBC6AF09C88C6E3),
    np.uint64(0x589965CC75374CC3),
)


@kernel
def hash_state(state):
    """Equal for equal states, as an unsigned 64-bit integer.

    Every unit is scrambled by itself, well enough that units that trade places do not cancel
    out, and the results are added, so that the processor can work on several at once.
    """
    total = np.uint64(0)
    squares = state[UNITS + 1] | state[UNITS + 2]
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        total += mix(state[square] | (square + 1) << _SQUARE_SHIFT)
    clock = state[PLAYER] | state[AP] << 2 | (state[WINNER] + 1) << 10 | state[TURN] << 12
    total += mix(np.uint64(clock) ^ _FIELD_SALTS[0])
    total += mix(np.uint64(state[HAND + 1]) * _FIELD_SALTS[0] ^ np.uint64(state[DECK + 1]))
    total += mix(np.uint64(state[HAND + 2]) * _FIELD_SALTS[1] ^ np.uint64(state[DECK + 2]))
    seeds = np.uint64(state[DRAW_SEED + 1] | state[DRAW_SEED + 2] << 32)
    total += mix(seeds * _FIELD_SALTS[2] ^ np.uint64(state[RNG]))
    return mix(total ^ _FIELD_SALTS[3])
