"""The two kinds of compiled functions.

A `kernel` is called from Python and kept in the cache on disk. A `helper` is called by kernels,
which contain its code, so it has no place of its own in the cache.
"""

from numba import njit

kernel = njit(cache=True)
helper = njit
