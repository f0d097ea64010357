r"""Doubling cover: keep a few points of an endless stream so that every point has one close by.

    ‖c − c'‖ > R for all centroids,   ‖x − c(x)‖ ≤ 2R for all points,   R = R_0 2^j,   |C| ≤ n_c

A point within R of its nearest centroid joins it and raises its multiplicity; any other point
becomes a centroid. When there are more than n_c centroids the radius R doubles, and they are gone
through in order of age: one is kept if it is farther than R from every kept one, the others join
their nearest kept one. A point was within R of its centroid when it joined, and each doubling moves
it by at most the new R: in total never beyond 2R. That is at most eight times the smallest radius
with which n_c balls can cover all points.

**What to look for:** in the plane the balls settle and follow the data. With many dimensions all
distances are alike, and one doubling merges almost everything: fifty centroids become one or two.
*Lazy* merging merges only the closest pair when room is needed, and the radius doubles only when no
pair is left: it keeps n_c centroids, though some lie closer than R.

Charikar, Chekuri, Feder, Motwani. Incremental clustering and dynamic information retrieval. SIAM
Journal on Computing 33, 2004 (STOC 1997).
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.abilities import Method
from sslviz.device import pick_device
from sslviz.graph.neighbours import nearest
from sslviz.memo import stage
from sslviz.params import check_params
from sslviz.stream.parameters import Capacity, Merging
from sslviz.stream.stages.assignment import assign_until_full
from sslviz.stream.stages.distances import pairwise_distances
from sslviz.stream.stages.merging import (
    CentroidMerge,
    merge_doubling,
    merge_lazy,
    smallest_positive,
    survivors,
)

# Names of the arrays in a state.
STATE_ARRAYS = (
    "centroids",
    "multiplicities",
    "births",
    "absorbed",
    "distances",
    "radius",
    "n_seen",
)


class Events(NamedTuple):
    """Changes of the cover in the last batch."""

    joined: int  # points that joined a centroid
    opened: int  # points that became centroids
    merges: tuple[CentroidMerge, ...]
    doublings: int


@dataclass(repr=False, eq=False)
class DoublingCover(Method, BaseEstimator):
    """The doubling algorithm: at most `capacity` centroids, each a point of the stream.

    The first batch, up to `capacity` points of it, becomes the first centroids, equal points
    merged; R_0 is half the smallest positive distance among them. Where there is none, R_0 is set
    when there are too many centroids. `fit` forgets everything and takes X as the first batch.

    Attributes: `centroids_` (c, d) in order of age, `multiplicities_` (c,), `births_` (c,) the
    position of each in the stream, from 0, `radius_`, `initial_radius_` (R_0; both 0 while
    not known), `n_seen_`, `labels_` the centroid that each point of the last batch belongs to,
    `events_` what changed in that batch.
    """

    title = "Doubling cover"
    family = "stream"
    paper = "Charikar, Chekuri, Feder & Motwani, STOC 1997"
    formula = (
        r"\|c-c'\|>R\text{ for all centroids}",
        r"\|x-c(x)\|\le2R\text{ for all points}",
        r"R=R_02^j,\;|C|\le n_c",
    )

    capacity: Capacity = 50
    merge: Merging = "doubling"
    _: KW_ONLY
    device: str = "auto"
    memory: Any = None

    @classmethod
    def option(cls) -> str:
        return ""  # its page shows it below the online methods

    def fit(self, X: Any, y: Any = None) -> "DoublingCover":
        """Forget what was seen and take X as the beginning of a new stream."""
        X = self._checked(X, reset=True)
        cover = check_memory(self.memory).cache(cover_of)
        state, self.labels_, self.events_ = cover(X, capacity=self.capacity, merge=self.merge)
        return self.restore(state)

    def partial_fit(self, X: Any, y: Any = None) -> "DoublingCover":
        """Add the next points of the stream, in their order."""
        first = not hasattr(self, "n_seen_")
        X = self._checked(X, reset=first)
        if first:
            self.begin(X.shape[1])
        self.extend(X)
        return self

    def begin(self, n_features: int) -> None:
        """Start with an empty cover."""
        size = self.capacity + 1
        self._C, self._D = np.empty((size, n_features)), np.zeros((size, size))
        self._m, self._born = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._absorbed = np.zeros(size, bool)  # since the radius last grew
        self._count = self.n_seen_ = 0
        self.radius_ = self.initial_radius_ = 0.0

    def extend(self, X: np.ndarray) -> None:
        """Add rows that are known to be float64 and finite: `partial_fit` without checks."""
        owner = np.empty(len(X), np.int64)
        merges: list[CentroidMerge] = []
        opened, before = 0, self.radius_
        head = min(self.capacity, len(X)) if self.n_seen_ == 0 else 0
        done = 0
        for stop in (head, len(X)):
            while done < stop:
                was, start = self._count, done
                done, self._count = assign_until_full(
                    X, done, stop, self._C, self._D, self._m, self._born, owner, self._count,
                    self.n_seen_, self.radius_, self.capacity,
                )  # fmt: skip
                opened += self._count - was
                self.n_seen_ += done - start
                if self._count > self.capacity:
                    self._shrink(merges)
            if stop == head and head:
                self._set_first_radius()
        grown = self.radius_ / (before or self.initial_radius_ or 1.0)
        doublings = round(np.log2(grown)) if self.radius_ > 0 else 0
        self.labels_ = np.searchsorted(self._born[: self._count], survivors(owner, merges))
        self.events_ = Events(len(X) - opened, opened, tuple(merges), doublings)

    def predict(self, X: Any) -> np.ndarray:
        """The index of the nearest centroid of each point."""
        check_is_fitted(self, "n_seen_")
        X = self._checked(X, reset=False)
        return nearest(X, self.centroids_, 1, device=self.device)[0][:, 0]

    @property
    def centroids_(self) -> np.ndarray:
        return self._C[: self._count].copy()

    @property
    def multiplicities_(self) -> np.ndarray:
        return self._m[: self._count].copy()

    @property
    def births_(self) -> np.ndarray:
        return self._born[: self._count].copy()

    @property
    def distances_(self) -> np.ndarray:
        """(c, c) distances between the centroids."""
        return self._D[: self._count, : self._count].copy()

    def distances_to(self, X: np.ndarray) -> np.ndarray:
        """(m, c) distances of points to the centroids."""
        return pairwise_distances(X, self._C[: self._count])

    def state(self) -> dict[str, np.ndarray]:
        """Everything kept of the stream, as plain arrays: `np.savez(file, **state)`."""
        check_is_fitted(self, "n_seen_")
        return {
            "centroids": self.centroids_,
            "multiplicities": self.multiplicities_,
            "births": self.births_,
            "absorbed": self._absorbed[: self._count].copy(),
            "distances": self.distances_,
            "radius": np.array([self.initial_radius_, self.radius_]),
            "n_seen": np.array(self.n_seen_),
        }

    def restore(self, state: Any) -> "DoublingCover":
        """Go on from a `state`; what follows is as if the stream had never been interrupted."""
        check_params(self)
        if missing := [name for name in STATE_ARRAYS if name not in state]:
            raise ValueError(f"DoublingCover: the state lacks {', '.join(missing)}")
        centroids = np.asarray(state["centroids"], np.float64)
        c = len(centroids)
        if centroids.ndim != 2 or c > self.capacity:
            raise ValueError(
                f"DoublingCover: a state with centroids of shape {centroids.shape} does not fit "
                f"capacity={self.capacity}"
            )
        self.begin(centroids.shape[1])
        self.n_features_in_ = centroids.shape[1]
        self._count, self.n_seen_ = c, int(state["n_seen"])
        self._C[:c], self._D[:c, :c] = centroids, state["distances"]
        self._m[:c], self._born[:c] = state["multiplicities"], state["births"]
        self._absorbed[:c] = state["absorbed"]
        self.initial_radius_, self.radius_ = map(float, state["radius"])
        return self

    def _checked(self, X: Any, *, reset: bool) -> np.ndarray:
        check_params(self)
        pick_device(self.device)
        return validate_data(self, X, reset=reset, dtype=np.float64, order="C")

    def _set_first_radius(self) -> None:
        closest = smallest_positive(self._D[: self._count, : self._count])
        if closest > 0:
            self.initial_radius_ = self.radius_ = max(closest / 2, np.nextafter(0, 1))

    def _shrink(self, merges: list[CentroidMerge]) -> None:
        """Merge until there are at most `capacity` centroids."""
        n = self._count
        if self.radius_ == 0:
            self._set_first_radius()
        rule = merge_doubling if self.merge == "doubling" else merge_lazy
        kept, self.radius_ = rule(
            self._D[:n, :n], self._m[:n], self._absorbed[:n], self.radius_, self.capacity,
            lambda lost, kept, radius: merges.append(
                CentroidMerge(
                    int(self._born[lost]), int(self._born[kept]), self._C[lost].copy(), radius
                )
            ),
        )  # fmt: skip
        for part in (self._C, self._m, self._born, self._absorbed):
            part[: len(kept)] = part[kept]
        self._D[: len(kept), : len(kept)] = self._D[np.ix_(kept, kept)]
        self._absorbed[len(kept) :] = False
        self._count = len(kept)


@stage("cover")
def cover_of(
    X: np.ndarray, *, capacity: int, merge: str
) -> tuple[dict[str, np.ndarray], np.ndarray, Events]:
    """The state after X, the centroid of each point, and the events."""
    cover = DoublingCover(capacity, merge)
    cover.begin(X.shape[1])
    cover.extend(X)
    return cover.state(), cover.labels_, cover.events_
