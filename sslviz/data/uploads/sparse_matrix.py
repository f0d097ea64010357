"""Sparse matrices, such as word counts of texts. No method here takes them as they are.

They become dense if they are small enough; otherwise they are reduced by truncated SVD (latent
semantic analysis), and a note says so.
"""

from typing import Any

import numpy as np

from sslviz.data.uploads.limits import (
    MAX_FEATURES,
    MAX_NUMBERS,
    MAX_ROWS,
    Refusal,
    check_shape,
)

MAX_WORDS = 200_000  # columns of a sparse matrix
SVD_COMPONENTS = 100


def csr_of_parts(data: Any, indices: Any, indptr: Any, shape: Any) -> Any:
    """A CSR matrix of its arrays, which are checked: a false index would read foreign memory."""
    from scipy.sparse import csr_matrix

    sides = [int(side) for side in np.ravel(shape)]
    if len(sides) != 2 or min(sides) < 1:
        raise Refusal(f"the sparse matrix has shape {sides}, expected samples × features")
    for part in (data, indices, indptr):
        if np.ndim(part) != 1:
            raise Refusal("the parts of the sparse matrix are not lists of numbers")
    if np.asarray(indices).dtype.kind not in "iu" or np.asarray(indptr).dtype.kind not in "iu":
        raise Refusal("the indices of the sparse matrix are not whole numbers")
    try:
        matrix = csr_matrix((np.asarray(data, np.float64), indices, indptr), shape=tuple(sides))
        matrix.check_format(full_check=True)
    except (ValueError, TypeError) as error:
        raise Refusal(f"the sparse matrix is damaged: {str(error)[:100]}") from error
    return matrix


def dense_block(matrix: Any) -> tuple[np.ndarray, tuple[str, ...]]:
    """A sparse matrix as (n, d) numbers, and a note on how."""
    rows, columns = matrix.shape
    if rows < 2 or rows > MAX_ROWS or columns > MAX_WORDS:
        check_shape(rows, 1)
        raise Refusal(f"the sparse matrix has {columns:,} columns, at most {MAX_WORDS:,} are read")
    zeros = 1 - matrix.nnz / (rows * columns)
    if columns <= MAX_FEATURES and rows * columns <= MAX_NUMBERS:
        note = f"The sparse matrix ({zeros:.1%} zeros) is used as a dense one."
        return np.asarray(matrix.toarray(), np.float64), (note,)
    count = min(SVD_COMPONENTS, min(matrix.shape) - 1)
    check_shape(rows, count)
    from sklearn.decomposition import TruncatedSVD

    reduced = TruncatedSVD(count, algorithm="arpack", random_state=0).fit_transform(
        matrix.tocsr().astype(np.float64)
    )
    note = (
        f"The sparse matrix with {columns:,} columns is too large to be used as it is: it is "
        f"reduced to {count} features by truncated SVD."
    )
    return reduced, (note,)
