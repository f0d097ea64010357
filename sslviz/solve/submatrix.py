"""Principal submatrices, copied and factorised in reused memory: the work of Newton steps in a box.

Everything runs without the interpreter lock, so that threads solve in parallel. scipy's wrappers of
the same LAPACK routines hold the lock; numpy's factorisation copies its argument, and allocating
fresh memory takes as long as the arithmetic.
"""

import ctypes
import threading
from collections.abc import Callable

import numpy as np
from numba import njit
from scipy.linalg import LinAlgError, cython_lapack

MAX_KEPT_ROWS = 2000  # larger workspaces (above 32 MB) are not kept
_workspaces = threading.local()


def submatrix(M: np.ndarray, chosen: np.ndarray, kind: type) -> np.ndarray:
    """The chosen rows and columns of M; valid until this thread calls it again."""
    A = scratch_matrix("submatrix", len(chosen), kind)
    gather(M, chosen, A)
    return A


def factorise(M: np.ndarray, chosen: np.ndarray, kind: type) -> np.ndarray:
    """L with LLᵀ the chosen rows and columns of M; valid until this thread calls it again.

    Entries above the diagonal are arbitrary. LinAlgError where M is not positive definite.
    """
    L, failed = scratch_matrix("factor", len(chosen), kind), ctypes.c_int(0)
    _gather_lower(M, chosen, L)
    size = ctypes.byref(ctypes.c_int(len(L)))
    _FACTORISE[L.dtype.char](_TRIANGLE, size, L.ctypes.data, size, ctypes.byref(failed))
    if failed.value:
        raise LinAlgError(f"the leading minor of order {failed.value} is not positive definite")
    return L


def scratch_matrix(use: str, size: int, kind: type) -> np.ndarray:
    """A (size, size) workspace of this thread for this use; beyond MAX_KEPT_ROWS a new array."""
    if size > MAX_KEPT_ROWS:
        return np.empty((size, size), kind)
    name = f"{use} {kind.__name__}"
    numbers = getattr(_workspaces, name, None)
    if numbers is None or len(numbers) < size**2:
        numbers = np.empty(size**2, kind)
        setattr(_workspaces, name, numbers)
    return numbers[: size**2].reshape(size, size)


@njit(cache=True, nogil=True)
def gather(M: np.ndarray, chosen: np.ndarray, A: np.ndarray) -> None:
    """Copy the chosen rows and columns of M to A, in A's precision.

    It returns nothing because compiled code calls it too: see `best_in_box`.
    """
    for a, i in enumerate(chosen):
        for b, j in enumerate(chosen):
            A[a, b] = M[i, j]


@njit(cache=True, nogil=True)
def _gather_lower(M: np.ndarray, chosen: np.ndarray, A: np.ndarray) -> None:
    for a, i in enumerate(chosen):
        for b in range(a + 1):
            A[a, b] = M[i, chosen[b]]


def solve_factorised(L: np.ndarray, right: np.ndarray) -> np.ndarray:
    """x (m,), or one per row (k, m), with LLᵀx = right."""
    x = np.array(right, dtype=L.dtype, order="C")
    size, rows = ctypes.byref(ctypes.c_int(len(L))), ctypes.byref(ctypes.c_int(x.size // len(L)))
    place, data, failed = x.ctypes.data, L.ctypes.data, ctypes.byref(ctypes.c_int(0))
    _SOLVE[L.dtype.char](_TRIANGLE, size, rows, data, size, place, size, failed)
    return x


def _routine(name: str, arguments: int) -> Callable[..., None]:
    """A LAPACK routine by the address that scipy exports to compiled code."""
    capsule = cython_lapack.__pyx_capi__[name]
    signature = ctypes.pythonapi.PyCapsule_GetName
    signature.restype, signature.argtypes = ctypes.c_char_p, [ctypes.py_object]
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * arguments)
    return kind(address(capsule, signature(capsule)))


_FACTORISE = {"f": _routine("spotrf", 5), "d": _routine("dpotrf", 5)}
_SOLVE = {"f": _routine("spotrs", 8), "d": _routine("dpotrs", 8)}
_TRIANGLE = ctypes.byref(ctypes.c_char(b"U"))  # upper in Fortran's order, lower in C's
