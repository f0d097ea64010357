r"""Kernel ridge regression for a kernel given by features, K = Φ Φᵀ.

    min_{c, b} ‖Φ c + b − Y‖² + γ‖c‖²,   c = Φᵀα,   (K + γI) α + b = Y,   Σα = 0

The smaller of two systems is solved, of size l or p; without a bias b = 0 and Σα is free.
"""

import numpy as np
from scipy.linalg import solve


def ridge(
    Phi: np.ndarray, Y: np.ndarray, gamma: float, *, bias: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """c (p, C), α (l, C) and b (C,) for features (l, p) and targets (l, C)."""
    count, p = Phi.shape
    centre = Phi.mean(axis=0) if bias else np.zeros(p)
    mean = Y.mean(axis=0) if bias else np.zeros(Y.shape[1])
    A, B = Phi - centre, Y - mean
    if p < count:
        c = solve(A.T @ A + gamma * np.eye(p), A.T @ B, assume_a="pos")
        alpha = (B - A @ c) / gamma
    else:
        alpha = solve(A @ A.T + gamma * np.eye(count), B, assume_a="pos")
        if bias:  # zero up to rounding, which a small γ would amplify
            alpha -= alpha.mean(axis=0)
        c = A.T @ alpha
    return c, alpha, mean - centre @ c
