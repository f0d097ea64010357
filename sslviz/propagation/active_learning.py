r"""Active learning: ask for the label that is expected to reduce the risk most.

    f⁺ = f + h_k (e_c − f_k)ᵀ,   h_ik = N_ik/N_kk,   N = (I − P_uu)⁻¹
    k* = argmin_k Σ_c f_kc R(f⁺),   R(f) = Σ_i (1 − max_c f_ic)

Label propagation asks where a random walk ends. A new label at k stops every walk that passes k:
h_ik is the probability that a walk from i does. So the solution with one more label is known
without solving again, for every point k and every class c it may turn out to have, and with it the
risk R that would remain: the expected number of wrong points if the probabilities are right. The
point whose label leaves the smallest risk on average is asked for. In a component of the graph
without a label every class is equally possible, and the label of any of its points decides all.

**What to look for:** the first questions go to the middle of dense regions without a label, not to
the boundary. *Most unsure* asks at the boundary, or for an outlier between the classes, and learns
little about other points; at times it is worse than asking at random.

Zhu, Lafferty, Ghahramani. Combining active learning and semi-supervised learning using Gaussian
fields and harmonic functions. ICML 2003 workshop on the continuum from labeled to unlabeled data.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numba import njit

from sslviz.graph.components import islands
from sslviz.labels import UNLABELLED
from sslviz.propagation.label_propagation import LabelPropagation

STRATEGIES = ("expected risk", "most unsure", "at random")
MAX_UNLABELLED = 3000  # N holds all pairs


class Question(NamedTuple):
    """The state after a question; `iteration` 0 is before the first."""

    iteration: int
    point: int  # whose label was asked for, -1 before the first
    risk: float  # expected number of wrong points
    F: np.ndarray  # (n, C)
    help: np.ndarray  # (n,) expected gain of each label now, nan where it is given


class IncrementalPropagation:
    """Label propagation to which labels are added one by one."""

    def __init__(self, P: np.ndarray, F: np.ndarray, known: np.ndarray, island: np.ndarray):
        self.P, self.F, self.known, self.island = P, F.copy(), known.copy(), island
        self.N = np.zeros_like(P)
        for one in np.unique(island):
            if known[island == one].any():
                self._invert(np.flatnonzero((island == one) & ~known))

    @property
    def reached(self) -> np.ndarray:
        """(n,) unlabelled points from which a walk ends at a label."""
        return ~self.known & (self.N.diagonal() > 0)

    @property
    def risk(self) -> float:
        """Expected number of wrong points."""
        return float((1 - self.F.max(axis=1))[~self.known].sum())

    def learn(self, k: int, c: int) -> None:
        """Add the label c of point k."""
        unreached = not self.reached[k]
        self.known[k] = True
        if unreached:
            others = np.flatnonzero((self.island == self.island[k]) & ~self.known)
            self.F[others] = np.eye(self.F.shape[1])[c]
            self._invert(others)
        else:
            hits = self.N[:, k] / self.N[k, k]
            self.F += np.outer(hits, np.eye(self.F.shape[1])[c] - self.F[k])
            self.N -= np.outer(hits, self.N[k])
            self.N[k], self.N[:, k] = 0.0, 0.0
        self.F[k] = np.eye(self.F.shape[1])[c]

    def _invert(self, at: np.ndarray) -> None:
        if len(at):
            self.N[np.ix_(at, at)] = np.linalg.inv(np.eye(len(at)) - self.P[np.ix_(at, at)])

    def expected_gains(self) -> np.ndarray:
        """(n,) the expected reduction of the risk by a label at each point; nan where given."""
        at = np.flatnonzero(self.reached)
        gain = np.where(self.known, np.nan, 0.0)
        gain[at] = self.F[at].shape[0] - self.F[at].max(axis=1).sum()
        gain[at] -= expected_risk(np.ascontiguousarray(self.N[np.ix_(at, at)]), self.F[at])
        unreached = ~self.known & ~self.reached
        gain[unreached] = np.bincount(self.island[unreached], minlength=1)[self.island[unreached]]
        return gain


@njit(cache=True)
def expected_risk(N: np.ndarray, f: np.ndarray) -> np.ndarray:
    """(u,) the expected risk after learning the label of each of the points f (u, C)."""
    u, C = f.shape
    risk = np.zeros(u)
    for k in range(u):
        for c in range(C):
            if f[k, c] <= 0:
                continue
            total = 0.0
            for i in range(u):
                if i == k:
                    continue
                hit, best = N[i, k] / N[k, k], 0.0
                for d in range(C):
                    share = f[i, d] + hit * ((1.0 if d == c else 0.0) - f[k, d])
                    best = max(best, share)
                total += 1 - best
            risk[k] += f[k, c] * total
    return risk


def questions(
    model: LabelPropagation,
    truth: np.ndarray,
    strategy: str = STRATEGIES[0],
    count: int = 10,
    random_state: int | None = None,
) -> Iterator[Question]:
    """Ask for `count` labels of a fitted LabelPropagation on undirected edges, one by one.

    `truth` (n,) gives the answers: a class of the model for every point that may be asked, -1 for
    points of unknown class, which are not asked.
    """
    if strategy not in STRATEGIES:
        raise ValueError(f"questions: strategy={strategy!r} is not one of {STRATEGIES}")
    if model.graph != "undirected":
        raise ValueError("questions: edges must go both ways; take graph='undirected'")
    known = model._target != UNLABELLED
    if (~known).sum() > MAX_UNLABELLED:
        raise ValueError(
            f"questions: {(~known).sum():,} unlabelled points; at most {MAX_UNLABELLED:,}"
        )
    answer = np.searchsorted(model.classes_, truth)
    askable = np.asarray(truth) != UNLABELLED
    if not np.isin(truth[~known & askable], model.classes_).all():
        raise ValueError("questions: truth has a class that no given label has")
    walks = IncrementalPropagation(
        model._P.toarray(), model.label_distributions_, known, islands(model._P)
    )
    rng = np.random.default_rng(random_state)
    point = -1
    for i in range(count + 1):
        help = _strategy_scores(walks, strategy, rng)
        yield Question(i, point, walks.risk, walks.F.copy(), help)
        if not (askable & ~walks.known).any():
            return
        point = int(np.nanargmax(np.where(askable, help, np.nan)))
        walks.learn(point, int(answer[point]))


def _strategy_scores(
    walks: IncrementalPropagation, strategy: str, rng: np.random.Generator
) -> np.ndarray:
    """(n,) the score of each unlabelled point; the first of the largest is asked."""
    if strategy == "expected risk":
        return walks.expected_gains()
    if strategy == "at random":
        score = rng.random(len(walks.known))
    else:
        top = np.sort(walks.F, axis=1)
        score = 1 - (top[:, -1] - top[:, -2])
    return np.where(walks.known, np.nan, score)
