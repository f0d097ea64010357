"""JULE: affinities by hand, running against fresh, far groups, triplets, digits."""

import numpy as np
import pytest
from clustering.oracles import three_blobs

from sslviz import JULE, clustering_accuracy, data
from sslviz.clustering.jule import sorted_by_size
from sslviz.clustering.parameters import MAX_PAIRED_POINTS
from sslviz.clustering.stages.linkage import Linkage, directed_weights, first_clusters
from sslviz.clustering.stages.triplets import MARGIN, TripletLearner, draw_triplets
from sslviz.graph.neighbours import knn_lists


def printed_affinities(W: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """A(a, b) of all clusters as in the paper, block by block."""
    names = np.unique(labels)
    A = np.zeros((len(names),) * 2)
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            ab, ba = W[np.ix_(labels == a, labels == b)], W[np.ix_(labels == b, labels == a)]
            if i != j:
                A[i, j] = (ab @ ba).sum() / len(ab) ** 2 + (ba @ ab).sum() / len(ba) ** 2
    return A


def linkage_of(X: np.ndarray, k: int = 8, C: int = 2) -> tuple[Linkage, np.ndarray]:
    lists = knn_lists(X, k)
    W = directed_weights(*lists)
    return Linkage(W, first_clusters(lists[0], C), X, n_leads=3), W.toarray()


def test_weights_and_first_clusters_by_hand() -> None:
    X = np.array([[0.0], [1.0], [3.0], [10.0], [11.0]])
    others, distances = knn_lists(X, 2)
    s = np.square(distances).mean()
    W = directed_weights(others, distances).toarray()
    assert W[0, 1] == pytest.approx(np.exp(-1 / s)) and W[0, 2] == pytest.approx(np.exp(-9 / s))
    assert W[2, 3] == 0 and W[3, 2] == pytest.approx(np.exp(-49 / s))
    assert first_clusters(others, 2).tolist() == [0, 0, 0, 1, 1]
    assert first_clusters(others, 3).tolist() == [0, 1, 2, 3, 4]


def test_running_affinities_are_those_computed_afresh() -> None:
    X = data.load("two_moons", n_samples=120, random_state=1).X
    linkage, W = linkage_of(X)
    for _ in linkage.merges(2, far_points=0):
        alive = np.unique(linkage.labels)
        fresh = printed_affinities(W, linkage.labels)
        running = linkage.affinities[np.ix_(alive, alive)]
        np.testing.assert_allclose(running, fresh, rtol=1e-9, atol=1e-15)
        lists = -np.sort(-fresh, axis=1)[:, :3]
        width = lists.shape[1]
        np.testing.assert_allclose(linkage._lists[alive, :width], lists, rtol=1e-9, atol=1e-15)
    assert linkage.count == 2


def test_the_pair_with_the_largest_affinity_is_merged() -> None:
    linkage, _ = linkage_of(data.load("four_clusters", n_samples=150, random_state=0).X)
    assert linkage.count <= 100
    a, b = linkage.best_pair() or (0, 0)
    assert linkage.affinities[a, b] == linkage.affinities.max() > 0


def test_a_far_group_is_merged_into_the_nearest_first() -> None:
    X = data.load("two_moons", n_samples=400, outliers=0.0, random_state=0).X
    far = X.mean(axis=0) + np.array([[0.0, 9.0], [0.1, 9.0], [0.0, 9.1]])
    points = np.vstack([X, far])
    truth = JULE(2, learn=False).fit(X).labels_
    found = JULE(2, learn=False).fit(points).labels_
    assert clustering_accuracy(truth, found[:-3]) == 1
    nearest = np.linalg.norm(X - far[0], axis=1).argmin()
    assert (found[-3:] == found[nearest]).all()
    first = next(iter(JULE(2, learn=False).steps(points)))
    assert first.objective == 0 and len(set(first.labels[-3:])) == 1


@pytest.mark.parametrize("outliers", [0.0, 0.05])
def test_moons_and_rings_are_found_whole(outliers: float) -> None:
    for name in ("two_moons", "three_rings"):
        d = data.load(name, n_samples=1000, outliers=outliers, random_state=0)
        found = JULE(d.n_classes, learn=False).fit(d.X)
        assert clustering_accuracy(d.y, found.labels_) > (0.95 if outliers else 0.99)
        np.testing.assert_array_equal(found.predict(d.X), found.labels_)
        assert found.losses_.shape == (0, 1) and found.features_ is not None


def test_triplets_are_a_point_one_of_its_cluster_and_one_of_another() -> None:
    labels = np.random.default_rng(0).integers(4, size=200)
    triplets = draw_triplets(labels, np.random.default_rng(1))
    assert sorted(triplets[:, 0]) == list(range(200))
    clusters = labels[triplets]
    assert (clusters[:, 0] == clusters[:, 1]).all() and (clusters[:, 0] != clusters[:, 2]).all()
    assert len(np.unique(clusters[clusters[:, 0] == 0, 2])) == 3


def test_learning_brings_clusters_together() -> None:
    d = data.load("two_moons", n_samples=300, outliers=0.0)
    learner = TripletLearner(d.X, hidden=(32, 8), seed=0, device="cpu")
    gaps = []
    for epochs in (0, 20):
        losses = [learner.epoch(d.y) for _ in range(epochs)]
        Z = learner.features()(d.X)
        np.testing.assert_allclose(np.linalg.norm(Z, axis=1), 1)
        D = np.square(Z[:, None] - Z).sum(axis=2)
        alike = d.y[:, None] == d.y
        gaps.append(D[~alike].mean() - D[alike].mean())
    assert losses[-1] < losses[0] / 2 and gaps[1] > gaps[0] + MARGIN / 2


def test_digits_with_and_without_learning() -> None:
    d = data.load("digits")
    alone = JULE(10, learn=False).fit(d.X)
    assert clustering_accuracy(d.y, alone.labels_) == pytest.approx(0.875, abs=0.01)
    joint = JULE(10, random_state=0).fit(d.X)
    assert clustering_accuracy(d.y, joint.labels_) > 0.88
    assert joint.losses_.shape == (20, 1) and joint.features_.shape == (1797, 160)
    assert (joint.predict(d.X) == joint.labels_).all()


def test_steps_merge_one_pair_at_a_time_and_learn_between_periods() -> None:
    X, _ = three_blobs()
    steps = list(JULE(3, n_neighbors=10, hidden=(8, 4), share=0.5, random_state=0).steps(X))
    assert [s.iteration for s in steps] == list(range(1, len(steps) + 1))
    counts = [s.n_clusters for s in steps if not s.learning]
    assert (np.diff(counts) == -1).all() and counts[-1] == 3
    periods = {s.period for s in steps if s.learning}
    assert len(periods) > 2 and sum(s.learning for s in steps) == 20 * len(periods)
    assert steps[0].features is X or np.array_equal(steps[0].features, X)
    assert steps[-1].features.shape == (300, 4)


def test_clusters_are_numbered_by_size() -> None:
    assert sorted_by_size(np.array([7, 3, 3, 9, 3, 9])).tolist() == [2, 0, 0, 1, 0, 1]


def test_many_points_are_refused_with_the_memory_they_need() -> None:
    with pytest.raises(ValueError, match="JULE: n=5001 points need a matrix of all pairs"):
        JULE(2).fit(np.zeros((MAX_PAIRED_POINTS + 1, 2)))
