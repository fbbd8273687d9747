"""Sets and maps of 64-bit hashes: open addressing in plain arrays.

`keys` is uint64, its length a power of two; 0 marks a free place (a hash of 0 is stored as 1).
The caller keeps them at most three quarters full.
"""

import numpy as np

from heroacademy.engine.jit import part

FREE = np.uint64(0)
MOST_OUTCOMES = 1 << 21  # that are told apart when distinct outcomes are counted


def places_for(entries: int) -> int:
    """Length of a table that so many entries fill by three quarters at most.

    >>> places_for(1000)
    2048
    """
    return 1 << (4 * entries // 3).bit_length()


@part
def find(keys, key):
    """Place of a key, or of the free place where it belongs."""
    mask = np.uint64(len(keys) - 1)
    place = key & mask
    while keys[place] != FREE and keys[place] != key:
        place = (place + np.uint64(1)) & mask
    return place


@part
def as_key(value):
    return value if value != FREE else np.uint64(1)


@part
def add(keys, value):
    """Add a hash; returns whether it is new."""
    key = as_key(value)
    place = find(keys, key)
    if keys[place] == key:
        return False
    keys[place] = key
    return True
