r"""Cross-validation of a whole grid of regularisation parameters from one eigendecomposition.

    K̃ = V diag(μ̃) Vᵀ,   held-out scores = K̃[test, train] (K̃[train, train] + γI)⁻¹ Y[train]

A kernel deformed by all points does not depend on the labels: hiding the labels of a fold leaves
it unchanged, and a fold is a block of the same l × l matrix. It depends on few parameters: for SSDR
on λ and γ₂/γ₁, for LapRLS on λ₂/λ₁. Each grid point and fold then costs one small solve.

A point whose label is held out counts as unlabelled. Rules for σ use all given labels.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.inductive.base import signs
from sslviz.inductive.sdsc import components, semiparametric
from sslviz.inductive.ssdr import factors
from sslviz.kernels.deformed import manifold
from sslviz.kernels.gram import centred, check_size, gram, kernel_width, spectrum
from sslviz.labels import UNLABELLED, known_classes


class Search(NamedTuple):
    """Results over the grid, one axis per parameter in the order of the arguments."""

    accuracy: np.ndarray  # (..grid) cross-validated accuracy on the labelled points
    scores: np.ndarray  # (..grid, l, C) held-out scores; (..grid, l, 1) where two classes are ±1


def stratified_folds(y: np.ndarray, folds: int = 5, random_state: int | None = None) -> np.ndarray:
    """(n,) fold of every labelled point, at random and of equal sizes; -1 for unlabelled points."""
    given = np.flatnonzero(np.asarray(y) != UNLABELLED)
    if not 2 <= folds <= len(given):
        raise ValueError(f"folds={folds!r} is not in [2, {len(given)}], the number of labels")
    fold = np.full(len(y), -1)
    order = np.random.default_rng(random_state).permutation(given)
    fold[order] = np.arange(len(given)) % folds
    return fold


def ssdr_grid(
    X: np.ndarray,
    y: np.ndarray,
    fold: np.ndarray,
    *,
    lam: Sequence[float],
    gamma1: Sequence[float],
    gamma2: Sequence[float],
    sigma: float | str = "median",
    centre: bool = False,
    as_printed: bool = False,
    memory: Any = None,
) -> Search:
    """Cross-validated SSDR for every (λ, γ₁, γ₂)."""
    given, target, n_classes = _labels_and_folds(y, fold)
    K = _kernel("SSDR", X, y, sigma, memory)
    cached = check_memory(memory).cache
    mu, V = cached(spectrum)(cached(centred)(K) if centre else K)
    Y = (target[:, None] == np.arange(n_classes)).astype(np.float64)
    scores = np.empty((len(lam), len(gamma1), len(gamma2), *Y.shape))
    ratios = np.asarray(gamma2, float) / np.asarray(gamma1, float)[:, None]
    for i, scale in enumerate(lam):
        for r in np.unique(ratios):
            at = np.nonzero(ratios == r)
            Phi = V[given] * np.sqrt(mu * factors(mu, scale, r, as_printed))
            penalties = np.asarray(gamma1, float)[at[0]]
            scores[i][at] = _held_out_scores(Phi, penalties, Y, fold[given], about_mean=centre)
    return Search(_accuracy(scores, target), scores)


def lap_rls_grid(
    X: np.ndarray,
    y: np.ndarray,
    fold: np.ndarray,
    *,
    lam1: Sequence[float],
    lam2: Sequence[float],
    kernel: str = "rbf",
    sigma: float | str = "median",
    n_neighbors: int = 6,
    device: str = "auto",
    memory: Any = None,
) -> Search:
    """Cross-validated LapRLS for every (λ₁, λ₂)."""
    given, target, n_classes = _labels_and_folds(y, fold)
    k = min(n_neighbors, len(X) - 1)
    deformed = manifold(
        "LapRLS", X, y, kernel=kernel, sigma=sigma, k=k, memory=memory, device=device
    )
    Y = signs(target, n_classes)
    scores = np.empty((len(lam1), len(lam2), *Y.shape))
    pairs = np.array([[deformed.penalties(a, b) for b in lam2] for a in lam1], float)
    for rho in np.unique(pairs[..., 1]):
        at = np.nonzero(pairs[..., 1] == rho)
        Phi, penalties = deformed.features(given, rho), pairs[..., 0][at]
        scores[at] = _held_out_scores(
            Phi, penalties, Y, fold[given], per_label=True, bias=kernel == "linear"
        )
    return Search(_accuracy(scores, target), scores)


def sdsc_grid(
    X: np.ndarray,
    y: np.ndarray,
    fold: np.ndarray,
    *,
    delta: Sequence[float],
    sigma: float | str = "median",
    centre: bool = True,
    pairing: str = "full",
    memory: Any = None,
) -> Search:
    """Cross-validated SDSC for every δ."""
    given, target, n_classes = _labels_and_folds(y, fold)
    cached = check_memory(memory).cache
    K = _kernel("SDSC", X, y, sigma, memory)
    K = cached(centred)(K) if centre else K
    Psi = cached(components)(K, count=n_classes)[1][given]
    block = K[np.ix_(given, given)]
    Y = (target[:, None] == np.arange(n_classes)).astype(np.float64)
    scores = np.empty((len(delta), *Y.shape))
    for f in np.unique(fold[given]):
        out, kept = np.flatnonzero(fold[given] == f), np.flatnonzero(fold[given] != f)
        mean = Y[kept].mean(axis=0) * centre
        for i, penalty in enumerate(delta):
            Gamma, M = semiparametric(
                block[np.ix_(kept, kept)], Psi[kept], Y[kept] - mean, delta=penalty, pairing=pairing
            )
            scores[i, out] = block[np.ix_(out, kept)] @ Gamma + Psi[out] @ M + mean
    return Search(_accuracy(scores, target), scores)


def _labels_and_folds(y: np.ndarray, fold: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Indices of the labelled points, their class indices and the number of classes."""
    y, fold = np.asarray(y), np.asarray(fold)
    classes = known_classes(y)
    if fold.shape != y.shape or (fold[y != UNLABELLED] < 0).any():
        raise ValueError(f"fold of shape {fold.shape} does not give a fold for every label of y")
    if len(classes) < 2:
        raise ValueError(f"y names {len(classes)} classes; two or more are needed")
    given = np.flatnonzero(y != UNLABELLED)
    return given, np.searchsorted(classes, y[given]), len(classes)


def _kernel(name: str, X: np.ndarray, y: np.ndarray, sigma: float | str, memory: Any) -> np.ndarray:
    check_size(name, len(X))
    number = kernel_width(sigma, X, y, memory)
    return check_memory(memory).cache(gram)(X, sigma=number, halved=True)


def _held_out_scores(
    Phi: np.ndarray,
    penalties: np.ndarray,
    Y: np.ndarray,
    fold: np.ndarray,
    *,
    per_label: bool = False,
    about_mean: bool = False,
    bias: bool = False,
) -> np.ndarray:
    """(g, l, C) ridge regression scores of every fold from the others, for g penalties.

    `about_mean` centres the targets, `bias` also the features.
    """
    scores = np.empty((len(penalties), *Y.shape))
    primal = 2 * Phi.shape[1] < len(Phi)  # fewer features than points: solve for the features
    K = Phi if primal else Phi @ Phi.T
    for f in np.unique(fold):
        out, kept = np.flatnonzero(fold == f), np.flatnonzero(fold != f)
        mean = Y[kept].mean(axis=0) if bias or about_mean else np.zeros(Y.shape[1])
        T = Y[kept] - mean
        gamma = (penalties * len(kept) if per_label else penalties)[:, None, None]
        A, B = (K[kept], K[out]) if primal else (K[np.ix_(kept, kept)], K[np.ix_(out, kept)])
        if bias:  # centre on the kept points: columns, and rows too where these are points
            A, B = A - A.mean(axis=0), B - A.mean(axis=0)
            if not primal:
                A = A - A.mean(axis=1, keepdims=True)
        left, right = (A.T @ A, A.T @ T) if primal else (A, T)
        c = np.linalg.solve(left + gamma * np.eye(len(left)), right[None])
        scores[:, out] = B @ c + mean
    return scores


def _accuracy(scores: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Accuracy from the scores of the last two axes."""
    one = scores.shape[-1] == 1
    answer = (scores[..., 0] > 0).astype(int) if one else scores.argmax(axis=-1)
    return (answer == target).mean(axis=-1)
