"""Stages for the tests of the memories: plain functions of a module, as the package's own are."""

import numpy as np
from scipy import sparse

CALLS: list[str] = []


def doubled(x: np.ndarray, times: int = 1, *, shift: float = 0.0) -> np.ndarray:
    """x · 2^times + shift."""
    CALLS.append("doubled")
    return np.asarray(x) * 2.0**times + shift


def everything(n: int) -> tuple:
    """One of each kind of result that a file can hold."""
    CALLS.append("everything")
    W = sparse.csr_array(np.triu(np.arange(float(n * n)).reshape(n, n)))
    return np.arange(n), W, (None, True, 3, 0.1, "word"), np.zeros((0, 2), np.float32)


def objects(n: int) -> np.ndarray:
    """What a file must not hold: it would have to be pickled."""
    CALLS.append("objects")
    return np.array([{i: i} for i in range(n)], dtype=object)


def failing(x: int) -> int:
    """Never gets anywhere."""
    CALLS.append("failing")
    raise ArithmeticError(f"no answer for {x}")
