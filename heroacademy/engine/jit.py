"""The two kinds of compiled functions.

A `kernel` can be called from Python and is kept in the cache on disk. A `helper` is called by
kernels only, which contain its code; doing without its own entry points halves its compile
time.
"""

from numba import njit

kernel = njit(cache=True)
helper = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)
