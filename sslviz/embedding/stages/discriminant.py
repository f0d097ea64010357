r"""Generalised eigenproblems of discriminant analysis, solved on their smaller side.

    MMᵀa = λ B a,   M = XᵀE,   B = Xᵀ(Ĩ + αL)X + ρI

The left side has rank C − 1 at most, so one solve with C right-hand sides and an eigenproblem of
size C give all eigenvectors. B is d × d; with fewer points than features an identity leads to an
n × n system instead.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh, solve

from sslviz.embedding.stages.linear_projection import sign_of_first_large
from sslviz.labels import UNLABELLED
from sslviz.memo import stage

EPS = np.finfo(np.float64).eps


@contextmanager
def prefix_errors(estimator: object) -> Iterator[None]:
    """Begin an error message of these functions with the name of the calling estimator."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{type(estimator).__name__}: {error}") from error


def indicators(target: np.ndarray, n_classes: int) -> np.ndarray:
    """E (n, C) with EEᵀ = W: 1/√l_c for the l_c labelled points of class c, else 0."""
    sizes = np.bincount(target[target != UNLABELLED], minlength=n_classes)
    return (target[:, None] == np.arange(n_classes)) / np.sqrt(sizes)


@stage("solve")
def solve_by_features(
    X: np.ndarray, E: np.ndarray, R: np.ndarray, mean: np.ndarray, *, alpha: float, ridge: float
) -> tuple[np.ndarray, np.ndarray]:
    """M = XᵀE and B⁻¹M (d, C) for B = Xᵀ(Ĩ + αL)X + ρI, given R = XᵀLX."""
    known = E.any(axis=1)
    C = np.subtract(X[known], mean, dtype=np.float64)
    B = C.T @ C + alpha * R
    B[np.diag_indices_from(B)] += ridge
    M = C.T @ E[known]
    try:
        factor = cho_factor(B, lower=True)
        if ridge == 0:
            _check_regular(B, factor[0], np.square(4 * EPS * mean) * len(C))
    except LinAlgError as error:
        raise ValueError(
            f"ridge={ridge:g} is below the rounding error of features with variances up to "
            f"{B.diagonal().max():.3g}; give a larger one"
            if ridge
            else "ridge=0 needs points that vary in every direction; give a larger one"
        ) from error
    return M, cho_solve(factor, M)


def _check_regular(B: np.ndarray, root: np.ndarray, blur: np.ndarray) -> None:
    """Refuse a B that is singular up to rounding, whatever the units of the features.

    `blur` is the rounding error that centring leaves in a constant feature. The share of a pivot is
    the part of a feature that the features before it do not determine.
    """
    share = np.square(root.diagonal()) / B.diagonal()
    if share.min() < 16 * EPS * len(B) or (B.diagonal() <= blur).any():
        raise LinAlgError("singular up to rounding")


@stage("solve")
def solve_by_points(
    X: np.ndarray,
    E: np.ndarray,
    L: sparse.csr_array,
    mean: np.ndarray,
    *,
    alpha: float,
    ridge: float,
) -> tuple[np.ndarray, np.ndarray]:
    """M and B⁻¹M (d, C) by an n × n system: (XᵀAX + ρI)⁻¹Xᵀ = Xᵀ(AXXᵀ + ρI)⁻¹, A = Ĩ + αL."""
    if ridge == 0:
        raise ValueError(
            f"ridge=0 needs as many points as features, {len(X)} are fewer than {X.shape[1]}; give "
            "a larger one"
        )
    C = np.subtract(X, mean, dtype=np.float64)
    A = sparse.csr_array(sparse.diags_array(E.any(axis=1).astype(float)) + alpha * L)
    system = A @ (C @ C.T)
    system[np.diag_indices_from(system)] += ridge
    return C.T @ E, C.T @ solve(system, E)


def eigenvectors(M: np.ndarray, solved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """λ > 0 and a of MMᵀa = λBa, from B⁻¹M: MᵀB⁻¹M = UΛUᵀ, a = B⁻¹M U Λ^{-1/2}.

    The centred sums of the classes add up to zero, so there are at most C − 1, and at most d.
    """
    S = M.T @ solved
    values, U = eigh((S + S.T) / 2)
    values, U = values[::-1], U[:, ::-1]
    rank = min(len(values) - 1, M.shape[0])
    kept = values[:rank] > 1e-13 * values[0]
    if not kept.any():
        raise ValueError("the labelled means of all classes are equal, no direction separates them")
    values, U = values[:rank][kept], U[:, :rank][:, kept]
    return values, solved @ (U * sign_of_first_large(U) / np.sqrt(values))
