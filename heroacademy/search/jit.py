"""The searches' kernels: compiled as the engine's, but without counting references to arrays.

Numba counts references whenever an array is taken out of a NamedTuple or sliced, which took
half of all time in searches made of such tuples. Here it is for nothing: Python owns all arrays
and holds them while a kernel runs. Only, such a kernel cannot make arrays of its own.
"""

from numba import njit

kernel = njit(cache=True, _nrt=False)
