"""Label propagation from X, compared with scikit-learn and with a direct sparse solve.

    python -m benchmarks.propagation

Both get the same 10 000 points, ten labels per class and the same k; scikit-learn has its default
settings. The direct solve is scipy's LU decomposition of the same system: results must agree.
"""

import warnings

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu
from sklearn.exceptions import ConvergenceWarning
from sklearn.semi_supervised import LabelPropagation as Peer

from benchmarks.timing import medians, verdict
from sslviz import LabelPropagation, data, graph
from sslviz.labels import hide

N, K, MIN_RATIO, TOLERANCE = 10_000, 5, 3.0, 1e-6


def main() -> None:
    print(f"label propagation from X, n={N}, k={K}, 10 labels per class, median of 3")
    print(f"{'set':10} {'sslviz':>8} {'sklearn':>8} {'ratio':>6}  target  {'accuracy':>13}  LU")
    for name, X, y in sets():
        compare(name, X, y)


def sets() -> list[tuple[str, np.ndarray, np.ndarray]]:
    """MNIST if there is a file, else the 5000 built-in digits and a noisy copy; two moons."""
    if "mnist" in data.names():
        name, digits = "mnist", data.load("mnist", n_samples=N)
        X, y = digits.X, digits.y
    else:
        name, digits = "mnist_5k", data.load("mnist_5k")
        noise = np.random.default_rng(0).normal(scale=20, size=digits.X.shape)
        X, y = np.vstack([digits.X, digits.X + noise]), np.tile(digits.y, 2)
    # Outliers would be connected by weights of 1e-40 only: singular for LU, not for sslviz.
    moons = data.load("two_moons", n_samples=N, outliers=0.0)
    return [(name, X, y), ("two_moons", moons.X, moons.y)]


def compare(name: str, X: np.ndarray, y: np.ndarray) -> None:
    given = hide(y, per_class=10, random_state=0)
    hidden = given == -1
    LabelPropagation(K).fit(X[:500], hide(y[:500], per_class=2, random_state=0))  # compile first
    ours = LabelPropagation(K)
    theirs = Peer(kernel="knn", n_neighbors=K)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter(
            "ignore", RuntimeWarning
        )  # it divides by zero on components without labels
        mine, peer = medians(lambda: ours.fit(X, given), lambda: theirs.fit(X, given))
    accuracy = [np.mean(m.transduction_[hidden] == y[hidden]) for m in (ours, theirs)]
    gap = np.abs(ours.label_distributions_ - direct(X, given, ours.sigma_)).max()
    print(
        f"{name:10} {mine:6.2f} s {peer:6.2f} s {peer / mine:6.1f}  >= {MIN_RATIO:g} "
        f"{verdict(peer / mine >= MIN_RATIO):5}  {accuracy[0]:.3f} {accuracy[1]:.3f}  "
        f"differs by {gap:.0e} {verdict(gap <= TOLERANCE)}"
    )


def direct(X: np.ndarray, given: np.ndarray, sigma: float) -> np.ndarray:
    """(n, C) from (I − P_uu) F_u = P_ul Y_l, over the points from which a label can be reached."""
    P = graph.transitions(graph.undirected(graph.knn(X, K)), sigma)
    F = (given[:, None] == np.unique(given[given != -1])).astype(np.float64)
    _, component = connected_components(P, directed=False)
    reached = np.isin(component, component[given != -1])
    free = np.flatnonzero((given == -1) & reached)
    steps = sparse.csr_array(P[free])
    A = (sparse.eye_array(len(free)) - steps[:, free]).tocsc()
    F[free] = splu(A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0).solve(steps @ F)
    return F


if __name__ == "__main__":
    main()
