r"""Codes and classifier of PSSDL: a lasso with a softmax classifier and a graph.

    Σ_i w_i‖x_i − a_i D‖² + ‖A‖₁/z + Σ_labelled ℓ(W a_i) + κ tr(AᵀMA)

    ℓ(s) = log Σ_c e^{s_c} − s_y

The curvature of ℓ is at most ½: around the present scores s₀ with gradient g it lies below the
square ¼‖s − s₀ + 2g‖² + a constant, so that better codes are a lasso, and a better W a ridge
regression with a fixed matrix. Neither step raises the objective.

Böhning. Multinomial logistic regression algorithm. Annals Inst. Statistical Mathematics 1992.
"""

from dataclasses import dataclass

import numpy as np
import torch
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve
from scipy.special import logsumexp, softmax

from sslviz.device import to_torch
from sslviz.dictionary.stages.class_blocks import one_hot_rows
from sslviz.dictionary.stages.fisher_coding import FisherForm, fisher_form, fisher_value

CURVATURE = 0.25  # half the largest curvature of the softmax loss
CLASSIFIER_STEPS = 30  # in a round


@dataclass(frozen=True)
class GraphForm:
    """κ tr(AᵀMA) with M = βL + (1 − β)(L_w − L_b + 1): neighbours alike, classes apart."""

    L: sparse.csr_array
    kappa: float
    mix: float  # β

    def value(self, A: np.ndarray, target: np.ndarray) -> float:
        smooth = float((A * (self.L @ A)).sum())
        given = target >= 0
        apart = fisher_value(A[given], target[given])
        return self.kappa * (self.mix * smooth + (1 - self.mix) * apart)


@dataclass(frozen=True)
class SoftmaxQuadratic:
    """The quadratic part of the lasso in the codes, the loss replaced by its upper square."""

    linear: torch.Tensor
    G: torch.Tensor  # 2 D Dᵀ
    weight: torch.Tensor  # (n, 1) w
    W: torch.Tensor  # (C, atoms)
    L: torch.Tensor | None  # 2κβ L
    fisher: float  # 2κ(1 − β)
    form: FisherForm

    def gradient(self, Z: torch.Tensor) -> torch.Tensor:
        result = torch.addmm(self.linear, self.weight * Z, self.G)
        scores = Z[self.form.given] @ self.W.T
        result.index_add_(0, self.form.given, 2 * CURVATURE * scores @ self.W)
        if self.L is not None:
            result += self.L @ Z
        if self.fisher > 0:
            self.form.add_product(result, Z, self.fisher)
        return result


def softmax_quadratic(
    X: torch.Tensor,
    target: np.ndarray,
    A: np.ndarray,
    D: np.ndarray,
    W: np.ndarray,
    weight: np.ndarray,
    graph: GraphForm,
) -> SoftmaxQuadratic:
    """The quadratic around the codes A."""
    device, given = X.device, target >= 0
    s = A[given] @ W.T
    gradient = softmax(s, axis=1) - one_hot_rows(target[given], len(W))
    goal = to_torch(s - gradient / (2 * CURVATURE), device)
    atoms, classifier = to_torch(D, device), to_torch(W, device)
    form = fisher_form(target, device)
    linear = -2 * to_torch(weight[:, None], device) * (X @ atoms.T)
    linear.index_add_(0, form.given, -2 * CURVATURE * goal @ classifier)
    smooth = 2 * graph.kappa * graph.mix
    return SoftmaxQuadratic(
        linear,
        2 * atoms @ atoms.T,
        to_torch(weight[:, None], device),
        classifier,
        to_torch(sparse.csr_array(smooth * graph.L), device) if smooth > 0 else None,
        2 * graph.kappa * (1 - graph.mix),
        form,
    )


def softmax_loss(A: np.ndarray, labels: np.ndarray, W: np.ndarray) -> float:
    """Σ log Σ_c e^{s_c} − s_y over labelled codes."""
    s = A @ W.T
    return float((logsumexp(s, axis=1) - s[np.arange(len(s)), labels]).sum())


def improved_classifier(
    A: np.ndarray, labels: np.ndarray, W: np.ndarray, ridge: float
) -> np.ndarray:
    """(C, atoms) a better W for Σ ℓ(W a_i) + ridge·‖W‖², never a worse one."""
    Y = one_hot_rows(labels, len(W))
    H = cho_factor(2 * CURVATURE * A.T @ A + 2 * ridge * np.eye(A.shape[1]))
    for _ in range(CLASSIFIER_STEPS):
        gradient = (softmax(A @ W.T, axis=1) - Y).T @ A + 2 * ridge * W
        W = W - cho_solve(H, gradient.T).T
    return W
