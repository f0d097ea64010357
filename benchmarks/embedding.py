"""SSRL-PL and SDA compared with the dense eigenproblems of their papers.

    python -m benchmarks.embedding

Peers are scipy's eigensolvers on the matrices of the papers; every line checks that both give the
same directions. The last part moves sliders as a page does, with a memory of stages.
"""

from collections.abc import Callable
from functools import partial
from time import perf_counter

import numpy as np
from scipy.linalg import eigh

from benchmarks.timing import medians, verdict
from sslviz import SDA, SSRLPL, data, graph
from sslviz.content_hash import freeze
from sslviz.embedding.stages.hsic import (
    centred_labels,
    class_cross_covariance,
    kernel_directions,
    linear_directions,
)
from sslviz.graph.laplacian import laplacian
from sslviz.kernels.gram import gram
from sslviz.labels import hide, one_hot
from sslviz.memo import Memo

MIN_RATIO, MAX_KERNEL_SECONDS, MAX_SLIDER_SECONDS, TOLERANCE = 30.0, 1.0, 0.05, 1e-8


def main() -> None:
    X, y = images(10_000)
    linear(X, y)
    kernel(X, y)
    discriminant(X, y)
    sliders()


def images(n: int) -> tuple[np.ndarray, np.ndarray]:
    """MNIST if there is a file, else the 5000 built-in digits and a noisy copy."""
    if "mnist" in data.names():
        digits = data.load("mnist", n_samples=n)
        return digits.X, digits.y
    digits = data.load("mnist_5k")
    noise = np.random.default_rng(0).normal(scale=20, size=digits.X.shape)
    return np.vstack([digits.X, digits.X + noise]), np.tile(digits.y, 2)


def linear(X: np.ndarray, y: np.ndarray) -> None:
    """Directions from points and soft labels, with and without the product XᵀHY."""
    given = hide(y, per_class=50, random_state=0)
    Y = SSRLPL(9, sigma_labels="0.3 median").fit(X, given).label_distributions_
    HY = centred_labels(Y, np.ones(len(X), bool))
    G, mean, noise = class_cross_covariance(X, HY)
    p = Y.shape[1] - 1

    def ours() -> np.ndarray:
        found = class_cross_covariance(X, HY)
        return linear_directions(found.G, found.noise).V

    def short() -> np.ndarray:
        return eigh(G @ G.T)[1][:, ::-1][:, :p]

    def printed() -> np.ndarray:
        """X H (YYᵀ) H Xᵀ as written, a thousand rows of YYᵀ at a time."""
        C = X - mean
        total = np.zeros((X.shape[1], X.shape[1]))
        for i in range(0, len(X), 1000):
            total += C[i : i + 1000].T @ ((HY[i : i + 1000] @ HY.T) @ C)
        return eigh(total)[1][:, ::-1][:, :p]

    print(f"SSRL-PL linear, n={len(X)}, d={X.shape[1]}, {p + 1} classes")
    svd, dense = medians(lambda: linear_directions(G, noise), short, rounds=5)
    say("svd of XHY / eigh of d × d", svd, dense, spread(ours(), short()), MIN_RATIO)
    (whole,) = medians(ours, rounds=5)
    (long,) = medians(printed, rounds=1)
    say("from X and Y / as printed", whole, long, spread(ours(), printed()), MIN_RATIO)
    say("from X and Y / eigh of GGᵀ", whole, whole - svd + dense)


def kernel(X: np.ndarray, y: np.ndarray) -> None:
    """The kernel embedding for given widths, compared with the generalised eigenproblem."""
    for n in (1500, 3000):
        P, given = X[:n], hide(y[:n], per_class=20, random_state=0)
        first = SSRLPL(9, kernel="rbf", sigma="0.5 median", sigma_labels="0.3 median")
        first.fit(P, given)
        widths = {"sigma": first.sigma_, "sigma_labels": first.sigma_labels_}
        model = SSRLPL(9, kernel="rbf", **widths)
        (seconds,) = medians(partial(model.fit, P, given))
        print(f"SSRL-PL kernel, n={n}, from X: {seconds:.2f} s", end="")
        if n == 3000:
            print(f"  <= {MAX_KERNEL_SECONDS:g} s {verdict(seconds <= MAX_KERNEL_SECONDS)}")
            return
        print()
        K, Y = gram(P, sigma=first.sigma_, halved=True), model.label_distributions_
        HY = Y - Y.mean(axis=0)
        KHY = K @ HY
        start = perf_counter()
        vectors = eigh(KHY @ KHY.T, K, subset_by_index=(n - 9, n - 1))[1]
        dense = perf_counter() - start
        (given_K,) = medians(partial(from_kernel, K, HY), rounds=5)
        say("given K / eigh of the pencil", given_K, dense, spread(model.embedding_, K @ vectors))


def from_kernel(K: np.ndarray, HY: np.ndarray) -> np.ndarray:
    """β for a given kernel matrix."""
    return kernel_directions(HY, K @ HY).V


def discriminant(X: np.ndarray, y: np.ndarray) -> None:
    """SDA with given neighbours, compared with scipy on the printed matrix pencil."""
    X, given = freeze((X / 255, hide(y, per_class=20, random_state=0)))
    memo = Memo()
    model = SDA(memory=memo)
    known = given != -1
    C = X - X[known].mean(axis=0, dtype=np.float64)
    U = graph.undirected(graph.knn(X, 5, memo))
    U.data[:] = 1
    L = laplacian(U)

    def peer() -> np.ndarray:
        E = one_hot(given[known], model.classes_)
        W = E / E.sum(axis=0) @ E.T
        B = C[known].T @ C[known] + C.T @ (L @ C) + 0.1 * np.eye(X.shape[1])
        return eigh(C[known].T @ W @ C[known], B)[1][:, ::-1][:, :9]

    print(f"SDA, n={len(X)}, d={X.shape[1]}, given the neighbours")
    start = perf_counter()
    model.fit(X, given)
    first = perf_counter() - start
    (dense,) = medians(peer, rounds=1)
    say("fit / eigh of the pencil", first, dense, spread(model.components_.T, peer()))
    moved = slowest(lambda a: SDA(alpha=a, memory=memo).fit(X, given), [0.1, 0.3, 3.0])
    say("moving α / eigh of the pencil", moved, dense)


def sliders() -> None:
    """Seconds of moving p or k on digits."""
    digits = data.load("digits")
    given = hide(digits.y, per_class=5, random_state=0)
    print("sliders on digits, 1797 × 64, slowest of 8")
    for kind in ("linear", "rbf"):
        memo = Memo()

        def fit(memo: Memo = memo, kind: str = kind, **setting: int) -> None:
            SSRLPL(**setting, kernel=kind, memory=memo).fit(digits.X, given)

        fit()
        p = slowest(lambda v, f=fit: f(n_components=v), list(range(1, 9)))
        k = slowest(lambda v, f=fit: f(n_neighbors=v), list(range(6, 14)))
        print(
            f"  {kind:6} p {1000 * p:.0f} ms, k {1000 * k:.0f} ms  "
            f"<= {1000 * MAX_SLIDER_SECONDS:g} ms {verdict(max(p, k) <= MAX_SLIDER_SECONDS)}"
        )


def slowest(run: Callable, values: list) -> float:
    """Seconds of the slowest call, each made once."""
    times = []
    for value in values:
        start = perf_counter()
        run(value)
        times.append(perf_counter() - start)
    return max(times)


def spread(A: np.ndarray, B: np.ndarray) -> float:
    """Relative distance of the columns of A from the column space of B."""
    Q = np.linalg.qr(B)[0]
    return float(np.linalg.norm(A - Q @ (Q.T @ A)) / np.linalg.norm(A))


def say(
    what: str, ours: float, theirs: float, gap: float | None = None, target: float | None = None
) -> None:
    ratio = theirs / ours
    agreed = "" if gap is None else f"differs by {gap:.0e} {verdict(gap <= TOLERANCE)}"
    wanted = f">= {target:g} {verdict(ratio >= target)}" if target else ""
    print(
        f"  {what:36} {1000 * ours:8.2f} ms {1000 * theirs:9.1f} ms  {ratio:6.1f} × {wanted:12}"
        f"  {agreed}"
    )


if __name__ == "__main__":
    main()
