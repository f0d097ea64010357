r"""The objective of FLP and its gradients: how well neighbours predict the labelled points.

    H = ½ Σ_{i≤N₁} |π_i − p_i|²,   p_i = Σ_j p_ij π_j,   p_ij = exp(−|y_i − y_j|²) / Σ_{l≠i} exp(…)

Rows of X, Y = XA and Π have the N₁ labelled points first. Only their rows of p are needed: H sums
over labelled points, and unlabelled points enter through their π_j.
"""

import torch

from sslviz.solve.lbfgs import ValueAndGradient


def squared_distances(Y: torch.Tensor, Z: torch.Tensor) -> torch.Tensor:
    """(m, n) squared distances; points far from the origin lose digits, so centre them first."""
    D = torch.addmm((Z * Z).sum(1), Y, Z.T, alpha=-2)
    return D.add_((Y * Y).sum(1)[:, None]).clamp_min_(0)


def neighbour_weights(Y: torch.Tensor, n_labelled: int) -> torch.Tensor:
    """(N₁, N) p_ij: the weight of every point in the prediction of each labelled one; p_ii = 0."""
    D = squared_distances(Y[:n_labelled], Y)
    D[:, :n_labelled].fill_diagonal_(torch.inf)
    return torch.softmax(-D, dim=1)  # it subtracts the largest first: no row underflows to zero


def harmony(P: torch.Tensor, F: torch.Tensor) -> torch.Tensor:
    """H of the label distributions F (N, C) under P (N₁, N)."""
    return 0.5 * (F[: len(P)] - P @ F).square().sum()


def label_gradient(c: torch.Tensor, P: torch.Tensor, F_l: torch.Tensor) -> ValueAndGradient:
    """H and dH/dc, where π_u = softmax(c) and P is fixed. H is convex in π_u."""
    P_l, P_u = P[:, : len(P)], P[:, len(P) :]
    F_u = torch.softmax(c, dim=1)
    R = F_l - P_l @ F_l - P_u @ F_u
    slope = -(P_u.T @ R)
    return 0.5 * R.square().sum(), F_u * (slope - (F_u * slope).sum(1, keepdim=True))


def projection_gradient(
    A: torch.Tensor, X: torch.Tensor, F: torch.Tensor, n_labelled: int
) -> ValueAndGradient:
    """H and dH/dA = 2 Σ_{i≤N₁,j} G_ij x_ij x_ijᵀ A,   G_ij = (π_i − p_i)·(π_j − p_i) p_ij.

    Since Σ_j G_ij = 0 the squares of x_i cancel, and the sum over pairs becomes three products.
    """
    Y = (A.T @ X.T).T
    P = neighbour_weights(Y, n_labelled)
    predicted = P @ F
    R = F[:n_labelled] - predicted
    G = P * (R @ F.T - (R * predicted).sum(1)[:, None])
    pull = G.sum(0)[:, None] * Y - G.T @ Y[:n_labelled]
    pull[:n_labelled] -= G @ Y
    # Xᵀ·pull; with the narrow factor first the CPU takes a quarter of the time.
    return 0.5 * R.square().sum(), 2 * (pull.T @ X).T


def sphere_gradient(
    B: torch.Tensor, X: torch.Tensor, F: torch.Tensor, n_labelled: int
) -> ValueAndGradient:
    """H and dH/dB for A = B/|B|: B is unconstrained while |A| stays 1."""
    length = B.norm()
    A = B / length
    value, gradient = projection_gradient(A, X, F, n_labelled)
    return value, (gradient - (gradient * A).sum() * A) / length
