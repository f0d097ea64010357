r"""JULE: clusters are merged step by step, and a network learns features from them in between.

    A(a, b) = 1ᵀW_ab W_ba 1/|a|² + 1ᵀW_ba W_ab 1/|b|²,   W_ij = exp(−d_ij²/s) for K_s neighbours
    loss = mean max(0, ‖z_i − z_same‖² − ‖z_i − z_other‖² + 0.2),   z = f(x)/‖f(x)‖

Joint unsupervised learning starts with many small clusters (each point with its nearest neighbour)
and merges, again and again, the two with the largest affinity A: those whose points have each other
as neighbours. After a share η of the clusters is gone, a network is trained on triplets: a point
should be nearer to one of its cluster than to one of another. Neighbours and affinities are then
those of the learnt features, and merging goes on until C clusters are left. W has n² entries in the
paper; here n is at most 5000.

**What to look for:** on digits it is the best method here (.89 to .91; without learning .87;
k-means .79). In the plane learning hurts: merging alone follows dense chains of points and finds
moons, rings and four clusters whole (.99, .99, .97), but the features of many small clusters, all
pushed apart, no longer show the gaps (two moons .57 to .77, three rings .37 to .42). A small group
of outliers that are neighbours of no other point has no affinity and would remain a cluster (two
moons with outliers .50): it is merged into the nearest cluster first (.99).

Yang, Parikh, Batra. Joint unsupervised learning of deep representations and image clusters. CVPR
2016.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
import torch
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.clustering.base import Clusterer, ThesisRow
from sslviz.clustering.stages.linkage import (
    Linkage,
    directed_weights,
    first_clusters,
)
from sslviz.clustering.stages.triplets import TripletLearner
from sslviz.graph.neighbours import knn_lists, nearest
from sslviz.memo import stage
from sslviz.params import Flag, Number
from sslviz.training.parameters import Layers
from sslviz.validation import clip_to_available

EPOCHS_PER_PERIOD = 20
QUICK_FEATURES, WIDE_FEATURES = (160, 160), (500, 160)


class JointStep(NamedTuple):
    """After a merge, or after an epoch of learning."""

    iteration: int
    objective: float  # affinity of the merged pair, or the mean loss of the epoch
    labels: np.ndarray  # (n,) 0 … clusters − 1, largest cluster first
    period: int  # of merging and learning, from 1
    learning: bool  # whether it was an epoch
    features: np.ndarray  # (n, p) in which neighbours are found
    learner: TripletLearner | None = None  # the network, as it is just now

    @property
    def n_clusters(self) -> int:
        return int(self.labels.max()) + 1

    @property
    def F(self) -> torch.Tensor:
        """(n, clusters) one-hot."""
        return torch.eye(self.n_clusters)[torch.as_tensor(self.labels)]


def joint_steps(
    X: np.ndarray, others: np.ndarray, distances: np.ndarray, *, n_clusters: int, n_leads: int,
    share: float, learner: TripletLearner | None, device: str,
) -> Iterator[JointStep]:  # fmt: skip
    """Merge and learn in turns until C clusters are left; without a learner merge only.

    `others` and `distances` (n, K_s) are the neighbours in X.
    """
    Z, labels, iteration, k = X, first_clusters(others, n_clusters), 0, others.shape[1]
    far_points = min(k, len(X) // (2 * n_clusters))
    for period in count(1):
        linkage = Linkage(
            directed_weights(others, distances), labels, Z, n_leads=n_leads, device=device
        )
        left = int(np.ceil((1 - share) * linkage.count)) if learner is not None else 0
        for merge in linkage.merges(max(left, n_clusters), far_points):
            iteration += 1
            labels = sorted_by_size(linkage.labels)
            yield JointStep(iteration, merge.affinity, labels, period, False, Z)
        if linkage.count == n_clusters or learner is None:
            break
        for _ in range(EPOCHS_PER_PERIOD):
            iteration += 1
            yield JointStep(iteration, learner.epoch(labels), labels, period, True, Z, learner)
        Z = learner.features()(X)
        others, distances = knn_lists(Z, k, device=device)
    if not iteration:  # there were no more clusters than asked for
        yield JointStep(1, 0.0, sorted_by_size(labels), 1, False, Z)


def sorted_by_size(labels: np.ndarray) -> np.ndarray:
    """(n,) clusters numbered in sequence, largest first."""
    _, numbers, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    rank = np.empty(len(sizes), np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return rank[numbers]


@stage("merges")
def cluster_jointly(
    X: np.ndarray, others: np.ndarray, distances: np.ndarray, *, hidden: tuple[int, ...],
    learn: bool, seed: int, device: str, **options: Any,
) -> tuple[np.ndarray, ...]:  # fmt: skip
    """Labels (n,) and losses; with learning features (n, p) at the end and the network's arrays."""
    learner = TripletLearner(X, hidden=hidden, seed=seed, device=device) if learn else None
    losses = []
    for step in joint_steps(X, others, distances, learner=learner, device=device, **options):
        losses += [step.objective] if step.learning else []
    learnt = (step.features, *learner.state()) if learner is not None and losses else ()
    return step.labels, np.array(losses), *learnt


@dataclass(repr=False, eq=False)
class JULE(Clusterer):
    """Joint unsupervised learning: merging by affinity, and features learnt from the clusters.

    A multilayer perceptron takes the place of the paper's convolutional network. New points go to
    the cluster of the nearest training point in the features.

    Attributes: `labels_` (n,), `losses_` (epochs, 1) of the triplets, `features_` (n, p) in which
    the last merges were made: X itself without learning, else of unit length.
    """

    title, abbreviation = "Joint unsupervised learning", "JULE"
    paper = "Yang, Parikh & Batra, CVPR 2016"
    formula = (
        r"A(a,b)=\mathbf 1^\top W_{ab}W_{ba}\mathbf 1/|a|^2+\mathbf 1^\top W_{ba}W_{ab}"
        r"\mathbf 1/|b|^2",
        r"W_{ij}=e^{-d_{ij}^2/s},\;j\in\mathcal N_{K_s}(i)",
        r"\text{merge }\arg\max A\text{ until }C\text{ are left}",
        r"\text{early if it leads over the next }K_c",
        r"\text{after each share }\eta:\;\operatorname{mean}\max(0,\|z_i-z_{"
        r"\text{same}}\|^2-\|z_i-z_{\text{other}}\|^2+0.2)",
    )
    all_pairs = True
    printed = ThesisRow("images", "no", "no", "high", "medium", "strong")
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {
        "share": ("learn", (True,)),
        "hidden": ("learn", (True,)),
    }

    n_neighbors: Annotated[
        int,
        Number(
            "Neighbours of each point. Few: affinity vanishes across small gaps. Many: clusters "
            "that lie close together are merged.",
            valid=(1, 10**6),
            shown=(5, 50),
            label="neighbours",
            symbol="Kₛ",
        ),
    ] = 20
    n_leads: Annotated[
        int,
        Number(
            "While there are more than 100 clusters, a pair is merged early if its affinity leads "
            "over that of the next best, one less than this many. 1: the largest affinity alone.",
            valid=(1, 10**6),
            shown=(1, 10),
            label="neighbouring clusters",
            symbol="K_c",
        ),
    ] = 5
    learn: Annotated[
        bool, Flag("Learn features between the merges; off: merge in X alone.", label="learn")
    ] = True
    share: Annotated[
        float,
        Number(
            "Share of the clusters that is merged before features are learnt anew. Small: many "
            "periods, each with 20 epochs of learning.",
            valid=(0.01, 0.99),
            shown=(0.1, 0.9),
            label="share of clusters per period",
            symbol="η",
        ),
    ] = 0.9
    hidden: Annotated[
        tuple[int, ...],
        Layers(
            "Sizes of the layers; the last is the number of features.",
            (QUICK_FEATURES, WIDE_FEATURES),
            ("small and quick", "wide"),
            label="layers",
            advanced=True,
        ),
    ] = QUICK_FEATURES

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        return 2e-6 * n**2 + 0.003 * n

    def _lists(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Neighbours of every point, after a check that there are not too many points."""
        self.check_size(len(X))
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        return knn_lists(X, k, self.memory, device=self.device)

    def fit(self, X: Any, y: Any = None) -> "JULE":
        """Merge and learn until C clusters are left; y is ignored."""
        X = self._check(X)
        own = {n: getattr(self, n) for n in ("n_clusters", "n_leads", "hidden", "learn", "device")}
        seed, share = self._draw_seed(), float(self.share)
        labels, losses, *learnt = check_memory(self.memory).cache(cluster_jointly)(
            X, *self._lists(X), seed=seed, share=share, **own
        )
        if not learnt:
            return self._set_fitted(labels, losses, X, None)
        learner = self._learner(X, seed).restore(tuple(learnt[1:]))
        return self._set_fitted(labels, losses, learnt[0], learner)

    def steps(self, X: Any, y: Any = None) -> Iterator[JointStep]:
        """One record per merge and per epoch; run to its end, it leaves a fit."""
        return self.merging(X)

    def merging(self, X: Any) -> Iterator[JointStep]:
        """The steps of a fit: merges, and epochs of learning between them."""
        X = self._check(X)
        learner = self._learner(X, self._draw_seed()) if self.learn else None
        losses, own = [], {n: getattr(self, n) for n in ("n_clusters", "n_leads", "device")}
        for step in joint_steps(
            X, *self._lists(X), learner=learner, share=float(self.share), **own
        ):
            losses += [step.objective] if step.learning else []
            yield step
        self._set_fitted(step.labels, np.array(losses), step.features, learner)

    def _learner(self, X: np.ndarray, seed: int) -> TripletLearner:
        return TripletLearner(X, hidden=self.hidden, seed=seed, device=self.device)

    def _set_fitted(
        self, labels: np.ndarray, losses: np.ndarray, features: np.ndarray,
        learner: TripletLearner | None,
    ) -> "JULE":  # fmt: skip
        self.labels_, self.losses_, self.features_ = labels, losses[:, None], features
        self._features = learner.features() if learner is not None and len(losses) else None
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The cluster of the nearest training point in the features."""
        check_is_fitted(self, "labels_")
        X = self._check(X, reset=False)
        Z = X if self._features is None else self._features(X)
        return self.labels_[nearest(Z, self.features_, 1, device=self.device)[0][:, 0]]
