r"""The rounds of PSSDL, with fixed scales or, as printed, with learnt ones.

    Σ_i e_i/2σ_i² + ‖A‖₁/z + ‖D‖²/2σ_d² + Σ_labelled ℓ(W a_i) + ‖W‖²/2σ_w² + κ tr(AᵀMA)

    as printed also  Σ_i (d+2) log σ_i + (n+1) log z + p(d+2) log σ_d + C(p+2) log σ_w

with e_i = ‖x_i − a_i D‖². Fixed: σ_i² = ½, z = 1/λ, σ_w² = 1/2μ, and ‖d‖ ≤ 1 in place of σ_d. The
printed objective is minimal over the scales at σ_i² = e_i/(d+2), z = ‖A‖₁/(n+1), σ_d² =
‖D‖²/p(d+2), σ_w² = ‖W‖²/C(p+2), and then has no minimum: small codes make z small, which makes
codes smaller still. A round goes most of the way (PRINTED_STEP) to the best codes, atoms and
classifier for the present scales, so that this can be watched; no update raises the objective.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from scipy import sparse
from scipy.special import softmax

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.dictionary.stages.class_blocks import BlockRound, one_hot_rows
from sslviz.dictionary.stages.softmax_coding import (
    GraphForm,
    improved_classifier,
    softmax_loss,
    softmax_quadratic,
)
from sslviz.solve.dictionary_learning import sparse_codes, update_atoms
from sslviz.solve.fista import lasso

SOFTMAX_STEPS = 50  # of FISTA, in a round
MIN_SOFTMAX_GAIN = 0.01  # of a round's gain: five FISTA steps that gain less end the round
SOFTMAX_TOL = 0.001  # norm of the remaining gradient, relative to the penalty
PRINTED_START = 1e-3  # codes start this much smaller than usual
PRINTED_STEP = 0.9  # share of the way to the best codes, atoms and classifier
PRINTED_END = 1e-8  # codes smaller by this factor than usual have vanished
MIN_VARIANCE = 1e-100  # of learnt scales: their logarithms stay finite


class ProbabilisticTerms(NamedTuple):
    """The terms of the objective, as printed with the logarithms of their scales; it is the sum."""

    reconstruction: float  # e_i
    sparsity: float  # ‖A‖₁
    atoms: float  # ‖D‖²; 0 with fixed scales
    classification: float  # ℓ and ‖W‖²
    graph: float  # κ tr(AᵀMA)


class Scales(NamedTuple):
    """σ_i² (n,), z, σ_d² and σ_w²."""

    noise: np.ndarray
    z: float
    atoms: float
    classifier: float


class SoftmaxState(NamedTuple):
    """Atoms, codes and classifier."""

    D: np.ndarray
    A: np.ndarray
    W: np.ndarray


def learnt_scales(X: np.ndarray, state: SoftmaxState) -> Scales:
    """The scales for which the printed objective is least."""
    D, A, W = state
    (n, d), p = X.shape, len(D)
    least = MIN_VARIANCE
    e = np.maximum(np.square(X - A @ D).sum(axis=1) / (d + 2), least)
    return Scales(
        e,
        max(float(np.abs(A).sum()) / (n + 1), least),
        max(float(np.square(D).sum()) / (p * (d + 2)), least),
        max(float(np.square(W).sum()) / (len(W) * (p + 2)), least),
    )


def probabilistic_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    L: sparse.csr_array,
    start: SoftmaxState,
    lam: float,
    kappa: float,
    mix: float,
    mu: float,
    as_printed: bool,
    max_iter: int,
    device: str,
) -> Iterator[BlockRound]:
    """One record per round; its parts are D, A, W, P and why it stopped."""
    where, tau = pick_device(device), 1.0
    points, graph, state = to_torch(X, where), GraphForm(L, kappa, mix), SoftmaxState(*start)
    usual = float(np.abs(state.A).sum())
    if as_printed:
        state = state._replace(A=PRINTED_START * state.A)
    scales = Scales(np.full(len(X), 0.5), 1 / lam, np.inf, 1 / (2 * mu))
    for iteration in range(1, max_iter + 1):
        if as_printed:
            scales = learnt_scales(X, state)
        state, tau = _next_state(points, target, state, scales, graph, as_printed, tau)
        if as_printed:
            scales = learnt_scales(X, state)
        terms = probabilistic_terms(X, target, state, scales, graph, as_printed)
        reason = _vanishing_reason(state, usual, sum(terms)) if as_printed else ""
        P = softmax_labels(state.A, target, state.W)
        parts = (*state, P, reason)
        yield BlockRound(iteration, sum(terms), terms, torch.as_tensor(P), parts)
        if reason:
            return


def _next_state(
    X: torch.Tensor,
    target: np.ndarray,
    state: SoftmaxState,
    scales: Scales,
    graph: GraphForm,
    as_printed: bool,
    tau: float,
) -> tuple[SoftmaxState, float]:
    """Codes, atoms and classifier, each better for the others; and the curvature of the codes."""
    D, A, W = state
    step, weight, given = PRINTED_STEP if as_printed else 1.0, 1 / (2 * scales.noise), target >= 0
    found = lasso(
        softmax_quadratic(X, target, A, D, W, weight, graph),
        to_torch(A, X.device),
        1 / scales.z,
        tau=tau,
        max_iter=SOFTMAX_STEPS,
        tol=SOFTMAX_TOL,
        min_gain=MIN_SOFTMAX_GAIN,
    )
    A = A + step * (to_numpy(found.Z) - A)
    weighted = weight[:, None] * A
    S, B = A.T @ weighted, weighted.T @ to_numpy(X)
    if as_printed:
        best = np.linalg.solve(2 * S + np.eye(len(D)) / scales.atoms, 2 * B)
    else:
        best = update_atoms(S, B, D)
    D = D + step * (best - D)
    ridge = 1 / (2 * scales.classifier)
    W = W + step * (improved_classifier(A[given], target[given], W, ridge) - W)
    return SoftmaxState(D, A, W), found.tau


def probabilistic_terms(
    X: np.ndarray,
    target: np.ndarray,
    state: SoftmaxState,
    scales: Scales,
    graph: GraphForm,
    as_printed: bool,
) -> ProbabilisticTerms:
    """The terms of the objective."""
    D, A, W = state
    (n, d), p, given = X.shape, len(D), target >= 0
    logs = np.zeros(4)
    if as_printed:
        count = np.array([0.5 * (d + 2), n + 1, 0.5 * p * (d + 2), 0.5 * len(W) * (p + 2)])
        size = np.log(scales.noise).sum(), *np.log(scales[1:])
        logs = count * np.array(size)
    classification = softmax_loss(A[given], target[given], W)
    classification += float(np.square(W).sum()) / (2 * scales.classifier)
    return ProbabilisticTerms(
        float((np.square(X - A @ D).sum(axis=1) / (2 * scales.noise)).sum() + logs[0]),
        float(np.abs(A).sum() / scales.z + logs[1]),
        float(np.square(D).sum() / (2 * scales.atoms) + logs[2]),
        float(classification + logs[3]),
        graph.value(A, target),
    )


def softmax_labels(A: np.ndarray, target: np.ndarray, W: np.ndarray) -> np.ndarray:
    """(n, C) class probabilities under the classifier, one-hot for labelled points."""
    known = one_hot_rows(target, len(W))
    return np.where(target[:, None] >= 0, known, softmax(A @ W.T, axis=1))


def first_softmax_state(
    X: np.ndarray, target: np.ndarray, D: np.ndarray, lam: float, mu: float
) -> SoftmaxState:
    """Atoms, plain sparse codes and a classifier of the labelled ones, before the first round."""
    A, given = sparse_codes(X, D, lam), target >= 0
    W = np.zeros((int(target.max()) + 1, len(D)))
    return SoftmaxState(D, A, improved_classifier(A[given], target[given], W, mu))


def _vanishing_reason(state: SoftmaxState, usual: float, objective: float) -> str:
    """Why the printed rounds end; "" if they go on."""
    left = float(np.abs(state.A).sum())
    if left > PRINTED_END * usual:
        return ""
    return (
        f"the printed objective has no minimum: it has fallen to {objective:.3g} while the codes "
        f"shrank to {left / (usual or 1.0):.0e} of their usual size, and would fall without bound"
    )
