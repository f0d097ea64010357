r"""Ask for the label that is expected to help most.

    f⁺ = f + h_k (e_c − f_k)ᵀ,   h_ik = N_ik/N_kk,   N = (I − P_uu)⁻¹
    k* = argmin_k Σ_c f_kc R(f⁺),   R(f) = Σ_i (1 − max_c f_ic)

Label propagation asks where a random walk ends. A new label at k catches every walk that passes by:
h_ik is the chance that a walk from i does. So the answer with one more label is known without
solving anew, for every point k and every class c it may turn out to have, and with it the risk R
that would be left: how many points would still be decided wrongly if the shares are right. The
point whose label leaves the least on average is asked for. Of an island without a label nothing is
known, and any of its points settles all of it.

**What to look for:** the first questions go to the middle of crowds that nobody has spoken for, not
to the boundary. *Most unsure* asks at the boundary, or some outlier between the classes, and learns
little about anybody else; at times it is worse than asking at random.

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
MOST = 3000  # unlabelled points: N holds all pairs


class Question(NamedTuple):
    """What is known after a question; `iteration` 0 is before the first."""

    iteration: int
    point: int  # whose label was asked for, -1 before the first
    risk: float  # points that are expected to be wrong
    F: np.ndarray  # (n, C)
    help: np.ndarray  # (n,) what each label is expected to bring now, nan where it is given


class IncrementalPropagation:
    """Label propagation that takes labels one by one."""

    def __init__(self, P: np.ndarray, F: np.ndarray, known: np.ndarray, island: np.ndarray):
        self.P, self.F, self.known, self.island = P, F.copy(), known.copy(), island
        self.N = np.zeros_like(P)
        for one in np.unique(island):
            if known[island == one].any():
                self._walk(np.flatnonzero((island == one) & ~known))

    @property
    def reached(self) -> np.ndarray:
        """(n,) unlabelled points from which a walk ends at a label."""
        return ~self.known & (self.N.diagonal() > 0)

    @property
    def risk(self) -> float:
        return float((1 - self.F.max(axis=1))[~self.known].sum())

    def learn(self, k: int, c: int) -> None:
        """Point k has class c."""
        lonely = not self.reached[k]
        self.known[k] = True
        if lonely:
            others = np.flatnonzero((self.island == self.island[k]) & ~self.known)
            self.F[others] = np.eye(self.F.shape[1])[c]
            self._walk(others)
        else:
            hits = self.N[:, k] / self.N[k, k]
            self.F += np.outer(hits, np.eye(self.F.shape[1])[c] - self.F[k])
            self.N -= np.outer(hits, self.N[k])
            self.N[k], self.N[:, k] = 0.0, 0.0
        self.F[k] = np.eye(self.F.shape[1])[c]

    def _walk(self, at: np.ndarray) -> None:
        if len(at):
            self.N[np.ix_(at, at)] = np.linalg.inv(np.eye(len(at)) - self.P[np.ix_(at, at)])

    def helps(self) -> np.ndarray:
        """(n,) by how much a label at each point is expected to lower the risk; nan where given."""
        at = np.flatnonzero(self.reached)
        gain = np.where(self.known, np.nan, 0.0)
        gain[at] = self.F[at].shape[0] - self.F[at].max(axis=1).sum()
        gain[at] -= expected_risk(np.ascontiguousarray(self.N[np.ix_(at, at)]), self.F[at])
        lonely = ~self.known & ~self.reached
        gain[lonely] = np.bincount(self.island[lonely], minlength=1)[self.island[lonely]]
        return gain


@njit(cache=True)
def expected_risk(N: np.ndarray, f: np.ndarray) -> np.ndarray:
    """(u,) the risk expected to be left by the label of each of the points f (u, C)."""
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
    """Ask `count` labels of a fitted LabelPropagation on undirected edges, one after the other.

    `truth` (n,) answers: a class of the model for every point that may be asked.
    """
    if strategy not in STRATEGIES:
        raise ValueError(f"questions: strategy={strategy!r} is not one of {STRATEGIES}")
    if model.graph != "undirected":
        raise ValueError("questions: a walk goes both ways here; take graph='undirected'")
    known = model._target != UNLABELLED
    if (~known).sum() > MOST:
        raise ValueError(f"questions: {(~known).sum():,} unlabelled points; at most {MOST:,}")
    answer = np.searchsorted(model.classes_, truth)
    if not np.isin(truth[~known], model.classes_).all():
        raise ValueError("questions: truth has a class that no given label has")
    walks = IncrementalPropagation(
        model._P.toarray(), model.label_distributions_, known, islands(model._P)
    )
    rng = np.random.default_rng(random_state)
    point = -1
    for i in range(count + 1):
        help = _scores(walks, strategy, rng)
        yield Question(i, point, walks.risk, walks.F.copy(), help)
        if walks.known.all():
            return
        point = int(np.nanargmax(help))
        walks.learn(point, int(answer[point]))


def _scores(walks: IncrementalPropagation, strategy: str, rng: np.random.Generator) -> np.ndarray:
    """(n,) what each unlabelled point has for it; the first of the best is asked."""
    if strategy == "expected risk":
        return walks.helps()
    if strategy == "at random":
        score = rng.random(len(walks.known))
    else:
        top = np.sort(walks.F, axis=1)
        score = 1 - (top[:, -1] - top[:, -2])
    return np.where(walks.known, np.nan, score)
