"""The four kinds of compiled functions.

A `kernel` is called from Python and kept in the cache on disk. A `bare_kernel` is one that
allocates nothing and returns no array: without Numba's reference counts, which are atomic and
cost more than a whole test of legality. A `helper` is as bare, but is called by kernels only,
which contain its code, so it has no place of its own in the cache. A `part` is written into its
callers before they are compiled: for functions that have one caller and call large ones, this
halves the time it takes to compile.

A function that a bare one calls must be bare as well: Numba compiles it as its caller.
"""

from numba import njit

kernel = njit(cache=True)
bare_kernel = njit(cache=True, _nrt=False)
helper = njit(_nrt=False)
part = njit(inline="always")
