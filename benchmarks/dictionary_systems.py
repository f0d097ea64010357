"""OMP and K-SVD compared with others, and the time of a fit of every dictionary method.

    python -m benchmarks.dictionary_systems

OMP codes 2000 digits by 8 of 200 atoms, beside scikit-learn's `orthogonal_mp_gram` and, if it is
installed, spams, a C++ library under the GPL that is only measured. K-SVD runs beside a loop with
numpy's SVD. Fits are those of the USPS protocol: 20 labelled and 40 unlabelled digits per class,
200 atoms; the reference is an independent implementation in double precision on one thread. Other
load on the machine disturbs short times: the best of several runs counts.
"""

import warnings
from collections.abc import Callable
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.linear_model import orthogonal_mp_gram

import sslviz
from benchmarks.timing import verdict
from sslviz import data
from sslviz.labels import hide
from sslviz.solve.dictionary_learning import unit_atoms
from sslviz.solve.ksvd import ksvd_rounds
from sslviz.solve.omp import omp

N, ATOMS, NONZEROS, MIN_RATIO, MAX_SPAMS_RATIO = 2000, 200, 8, 10.0, 3.0
KSVD_POINTS, KSVD_ROUNDS = 600, 3
REFERENCE_SECONDS = {
    "DKSVD": 1.3, "LCKSVD": 1.3, "Metaface": 1.5, "FDDL": 4.6, "S2D2": 12.0, "SSDLP": 3.9,
    "JDL": 1.3, "OSSDL": 1.1, "LCRLSDLA": 1.4, "SSRD": 1.8, "SSPDL": 4.9, "SupGraphDL": 2.7,
    "PSSDL": 4.8,
}  # fmt: skip


def main() -> None:
    name = "usps" if "usps" in data.names() else "mnist_5k"
    digits = data.load(name)
    order = np.random.default_rng(0).permutation(digits.n_samples)
    X, D = unit_atoms(digits.X[order[:N]]), unit_atoms(digits.X[order[N : N + ATOMS]])
    print(f"{name} ({X.shape[1]} features), {ATOMS} atoms, {NONZEROS} per code")
    coding(X, D)
    learning(X[:KSVD_POINTS], D)
    fits(digits.X, digits.y)


def best(*runs: Callable[[], Any], rounds: int = 5) -> list[float]:
    """Least seconds of each function, called in turn; the first calls, which compile, apart."""
    for run in runs:
        run()
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for place, run in enumerate(runs):
            start = perf_counter()
            run()
            times[place].append(perf_counter() - start)
    return [min(t) for t in times]


def coding(X: np.ndarray, D: np.ndarray) -> None:
    def theirs() -> np.ndarray:
        return orthogonal_mp_gram(D @ D.T, D @ X.T, n_nonzero_coefs=NONZEROS).T

    mine, peer = best(lambda: omp(X, D, NONZEROS), theirs, rounds=3)
    same = np.allclose(omp(X, D, NONZEROS), theirs(), atol=1e-8)
    print(
        f"OMP       {1e3 * mine:7.1f} ms, scikit-learn {1e3 * peer:7.1f} ms, ratio "
        f"{peer / mine:5.1f}  >= {MIN_RATIO:g} {verdict(peer / mine >= MIN_RATIO)}; "
        f"same codes {verdict(same)}"
    )
    try:
        import spams
    except ImportError:
        print("          spams (GPL, measured only) not installed")
        return
    points, atoms = np.asfortranarray(X.T), np.asfortranarray(D.T)
    mine, peer = best(
        lambda: omp(X, D, NONZEROS), lambda: spams.omp(points, atoms, L=NONZEROS), rounds=9
    )
    print(
        f"          {1e3 * mine:7.1f} ms, spams        {1e3 * peer:7.1f} ms, time ratio "
        f"{mine / peer:5.1f}  <= {MAX_SPAMS_RATIO:g} {verdict(mine / peer <= MAX_SPAMS_RATIO)}"
    )


def learning(X: np.ndarray, D: np.ndarray) -> None:
    def ours() -> float:
        return list(islice(ksvd_rounds(X, D, NONZEROS), KSVD_ROUNDS))[-1].error

    mine, peer = best(ours, lambda: plain_ksvd(X, D), rounds=3)
    print(
        f"K-SVD     {1e3 * mine:7.1f} ms, numpy loop   {1e3 * peer:7.1f} ms, ratio "
        f"{peer / mine:5.1f} ({KSVD_ROUNDS} rounds, {len(X)} points); errors {ours():.3f} "
        f"{plain_ksvd(X, D):.3f}"
    )


def plain_ksvd(X: np.ndarray, D: np.ndarray) -> float:
    """The textbook: the same OMP, and an SVD for every atom."""
    D = D.copy()
    for _ in range(KSVD_ROUNDS):
        A = omp(X, D, NONZEROS)
        for j in range(len(D)):
            users = np.flatnonzero(A[:, j])
            if len(users):
                E = X[users] - A[users] @ D + np.outer(A[users, j], D[j])
                U, sigma, Vt = np.linalg.svd(E, full_matrices=False)
                D[j], A[users, j] = Vt[0], sigma[0] * U[:, 0]
    return float(np.square(X - A @ D).sum())


def fits(X: np.ndarray, y: np.ndarray) -> None:
    """Every dictionary method with its defaults, at most 200 atoms, points of length 5."""
    shown = hide(y, per_class=60, random_state=0) != -1
    points, given = 5 * unit_atoms(X[shown]), hide(y[shown], per_class=20, random_state=0)
    ratios = []
    for Method in sslviz.METHODS:
        if getattr(Method, "family", "") != "dictionary":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = Method(random_state=0)
            (seconds,) = best(partial(model.fit, points, given), rounds=3)
        known = REFERENCE_SECONDS.get(Method.__name__)
        print(f"{Method.title:<12}{seconds:6.2f} s", end="")
        if known is not None:
            ratios.append(seconds / known)
            print(f", reference {known:4.1f} s  <= {verdict(seconds <= known)}", end="")
        print()
    if ratios:
        third = float(np.mean(np.array(ratios) <= 1 / 3))
        print(f"{third:.0%} take at most a third of it  >= 50% {verdict(third >= 0.5)}")


if __name__ == "__main__":
    main()
