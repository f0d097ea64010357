"""FLP: its gradient compared with the sum as written, and whole fits.

    python -m benchmarks.flp

The sum as written is the corrected Eq. 10, pair by pair. With all points labelled FLP resembles
NCA: that of scikit-learn gets the same points, dimensions, start and iteration limit.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from benchmarks.timing import medians, verdict
from sslviz import FLP, data
from sslviz.embedding.stages.flp_objective import projection_gradient
from sslviz.labels import hide
from sslviz.memo import Memo

PER_CLASS, MIN_RATIO, MAX_WINE_SECONDS, MAX_DIGITS_SECONDS, MAX_SWEEP_SECONDS = (
    2,
    10.0,
    1.0,
    5.0,
    5.0,
)


def main() -> None:
    wine = data.load("wine")
    X, y = (wine.X - wine.X.mean(axis=0)) / wine.X.std(axis=0), wine.y
    given = hide(y, per_class=PER_CLASS, random_state=0)
    gradient(X, given)
    FLP().fit(X, given)  # load and compile first
    seconds("fit on wine, 178 points", MAX_WINE_SECONDS, lambda: FLP().fit(X, given))
    digits = data.load("mnist_5k", n_samples=2000)
    shown = hide(digits.y, per_class=PER_CLASS, random_state=0)
    seconds(
        "fit on 2000 digits of 784 pixels", MAX_DIGITS_SECONDS, lambda: FLP().fit(digits.X, shown)
    )
    seconds("nine fits on wine, p = 1 to 9", MAX_SWEEP_SECONDS, lambda: sweep(X, given))
    supervised(X, y)


def gradient(X: np.ndarray, given: np.ndarray) -> None:
    order = np.argsort(given < 0, kind="stable")
    n = int((given >= 0).sum())
    rng = np.random.default_rng(0)
    X, A = X[order], rng.normal(size=(X.shape[1], 2)) / 4
    F = np.vstack([np.eye(3)[given[order[:n]]], rng.dirichlet(np.ones(3), len(X) - n)])
    a, x, f = (torch.as_tensor(array) for array in (A, X, F))
    mine, written = medians(
        lambda: projection_gradient(a, x, f, n), lambda: as_written(A, X, F, n), rounds=20
    )
    expected = as_written(A, X, F, n)
    gap = (
        np.abs(projection_gradient(a, x, f, n)[1].numpy() - expected).max() / np.abs(expected).max()
    )
    print(
        f"gradient on wine: {1e3 * mine:.2f} ms, as written {1e3 * written:.1f} ms, ratio "
        f"{written / mine:.0f} >= {MIN_RATIO:g} {verdict(written / mine >= MIN_RATIO)}, "
        f"differs by {gap:.0e} {verdict(gap <= 1e-9)}"
    )


def as_written(A: np.ndarray, X: np.ndarray, F: np.ndarray, n: int) -> np.ndarray:
    """2 Σ_ij [(π_i − p_i)·(π_j − p_i)] p_ij x_ij x_ijᵀ A."""
    total = np.zeros((X.shape[1], X.shape[1]))
    for i in range(n):
        w = np.exp(-np.square((X[i] - X) @ A).sum(axis=1))
        w[i] = 0
        p = w / w.sum()
        heard = p @ F
        for j in range(len(X)):
            x_ij = X[i] - X[j]
            total += (F[i] - heard) @ (F[j] - heard) * p[j] * np.outer(x_ij, x_ij)
    return 2 * total @ A


def seconds(what: str, target: float, run: Callable[[], Any]) -> None:
    (found,) = medians(run)
    print(f"{what}: {found:.3f} s <= {target:g} {verdict(found <= target)}")


def sweep(X: np.ndarray, given: np.ndarray) -> None:
    memo = Memo()
    for p in range(1, 10):
        FLP(p, memory=memo).fit(X, given)


def supervised(X: np.ndarray, y: np.ndarray) -> None:
    ours = FLP(2, outer=1, inner=50)
    theirs = NeighborhoodComponentsAnalysis(2, init="pca", max_iter=50, tol=1e-9)
    mine, peer = medians(lambda: ours.fit(X, y), lambda: theirs.fit(X, y))
    print(
        f"all of wine labelled, up to 50 steps: {mine:.3f} s, scikit-learn's NCA {peer:.3f} s, "
        f"ratio {peer / mine:.1f} >= 1 {verdict(peer >= mine)}"
    )


if __name__ == "__main__":
    main()
