"""The three kinds of compiled functions.

A `kernel` is called from Python and kept in the cache on disk. A `helper` is called by kernels,
which contain its code, so it has no place of its own in the cache. A `part` is written into its
callers before they are compiled: for functions that have one caller and call large ones, this
halves the time it takes to compile.
"""

from numba import njit

kernel = njit(cache=True)
helper = njit
part = njit(inline="always")
