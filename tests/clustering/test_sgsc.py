"""SGSC against the algorithm written out, and invariants on any points."""

import warnings

import numpy as np
import pytest
from clustering.oracles import sgsc
from scipy.sparse.csgraph import dijkstra
from sklearn.datasets import make_blobs

from sslviz import SEDC, SGSC, clustering_accuracy, data
from sslviz.graph import islands, knn
from sslviz.graph.weights import undirected
from sslviz.memo import Memo

OPTIONS = {"k_graph": 6, "k_hub": 6, "n_hubs": 40}


def cloud(seed: int, n: int = 150, d: int = 3) -> np.ndarray:
    """Three Gaussian clusters that touch: one component, no ties."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 2.2 * np.eye(3, d)[rng.integers(0, 3, n)]


def dense(G) -> np.ndarray:
    """A graph of lengths as a matrix, inf where nothing is stored."""
    coo = G.tocoo()
    D = np.full(G.shape, np.inf)
    D[coo.row, coo.col] = coo.data
    return D


def agrees(model: SGSC, wanted, *, atol: float = 1e-10) -> None:
    """Everything up to the numbering of clusters and the choice of eigenvectors."""
    np.testing.assert_array_equal(model.hubs_, wanted.hubs)
    np.testing.assert_allclose(dense(model.hub_graph_), wanted.links, rtol=1e-13)
    assert model.sigma_ == pytest.approx(wanted.sigma, rel=1e-13)
    shown = len(model.eigenvalues_)
    np.testing.assert_allclose(model.eigenvalues_, wanted.eigenvalues[:shown], rtol=0, atol=atol)
    U = model.spectral_embedding_
    np.testing.assert_allclose(U @ U.T, wanted.U @ wanted.U.T, rtol=0, atol=atol)
    ours = model.hub_distributions_
    columns = [np.abs(wanted.Q - q[:, None]).sum(axis=0).argmin() for q in ours.T]
    np.testing.assert_allclose(ours, wanted.Q[:, columns], rtol=0, atol=atol)
    np.testing.assert_array_equal(np.array(columns)[model.labels_], wanted.labels)


@pytest.mark.parametrize("sigma", ["edges", "all"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gamma", [1e-60, 1.0])
def test_it_is_the_algorithm_as_written(sigma: str, seed: int, gamma: float) -> None:
    X = cloud(seed)
    model = SGSC(3, sigma=sigma, gamma=gamma, random_state=0, **OPTIONS).fit(X)
    # At 1e-60 the printed kernel is 1/d to the last bit, as long as no distance is zero.
    agrees(model, sgsc(X, 3, **_renamed(OPTIONS), sigma=sigma, gamma=0 if gamma < 1 else gamma))


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_it_is_the_algorithm_as_written_on_real_points(name: str) -> None:
    X = data.load(name).X
    X = np.unique(X, axis=0) / X.std(axis=0)
    for sigma in ("edges", "all"):
        model = SGSC(3, sigma=sigma, random_state=0, **OPTIONS).fit(X)
        assert model.n_components_ <= 3
        agrees(model, sgsc(X, 3, **_renamed(OPTIONS), sigma=sigma, gamma=0))


def _renamed(options: dict) -> dict:
    return {"k_graph": options["k_graph"], "k_hub": options["k_hub"], "h": options["n_hubs"]}


def points(name: str, real) -> tuple[np.ndarray, int]:
    if name == "noise":
        return np.random.default_rng(5).normal(size=(400, 4)), 3
    if name == "doubled":  # every point three times
        return np.repeat(np.random.default_rng(6).normal(size=(100, 2)), 3, axis=0), 4
    if name == "usps":
        d = real("usps_11000")
        return d.X[:: len(d.X) // 800].astype(float), 10
    d = data.load(name, n_samples=600)
    return d.X, len(d.classes)


@pytest.mark.parametrize(
    "name, sigma",
    [("noise", "edges"), ("doubled", "all"), ("four_clusters", "edges"), ("usps", "all")],
)
@pytest.mark.filterwarnings("ignore:the .* hubs form")
def test_invariants_hold_on_any_points(name: str, sigma: str, real) -> None:
    X, C = points(name, real)
    model = SGSC(C, n_hubs=120, sigma=sigma, random_state=1).fit(X)
    h, degree = len(model.hubs_), model.degrees_
    others = np.delete(degree, model.hubs_)
    assert degree[model.hubs_].min() >= others.max()
    assert (np.diff(degree[model.hubs_]) <= 0).all(), "by falling degree"
    assert (degree >= 10).all(), "at least its own ten neighbours"
    links = dense(model.hub_graph_)
    assert (links == links.T).all() and np.isinf(np.diag(links)).all()
    assert np.isfinite(model.hub_graph_.data).all()
    values = model.eigenvalues_
    assert (np.diff(values) <= 1e-12).all() and abs(values[0] - 1) < 1e-12
    assert (values > -1 - 1e-12).all()
    found = islands(model.hub_graph_).max() + 1
    assert model.n_components_ == found
    assert (values > 1 - 1e-12).sum() >= min(found, len(values))
    np.testing.assert_allclose(np.linalg.norm(model.spectral_embedding_, axis=1), 1, atol=1e-12)
    Q = model.hub_distributions_
    assert Q.shape == (h, C) and np.isfinite(Q).all() and (Q >= 0).all()
    np.testing.assert_allclose(Q.sum(axis=1), 1, atol=1e-12)
    d = np.linalg.norm(model.spectral_embedding_[:, None] - model.centres_, axis=2)
    best = np.take_along_axis(d, model.hub_labels_[:, None], axis=1)[:, 0]
    np.testing.assert_allclose(best, d.min(axis=1), atol=1e-12)
    assert (model.labels_[model.hubs_] == model.hub_labels_).all()
    hub_label = np.full(len(X), -1)
    hub_label[model.hubs_] = model.hub_labels_
    assert (model.labels_ == hub_label[model.nearest_hubs_]).all()


def test_blocks_are_found_exactly_and_shown_by_the_eigenvalues() -> None:
    for C in (2, 3, 5):
        X, y = make_blobs(60 * C, centers=100 * np.eye(C), random_state=C)
        model = SGSC(C, n_hubs=30 * C, random_state=0).fit(X)
        assert clustering_accuracy(y, model.labels_) == 1 and model.n_components_ == C
        assert (model.eigenvalues_ > 1 - 1e-12).sum() == C
        # Each block is one place of the sphere, and every hub is as good as at its centre.
        assert model.hub_distributions_.max(axis=1).min() > 1 - 1e-6


def test_more_components_than_clusters_warn_and_small_ones_follow_the_large() -> None:
    centres = np.array([[0.0, 0], [50, 0], [58, 0]])
    X, y = make_blobs([100, 100, 30], centers=centres, random_state=0)
    with pytest.warns(UserWarning, match=r"3 connected components .* n_clusters=2.*Raise k_hub"):
        model = SGSC(2, n_hubs=60, random_state=0).fit(X)
    assert model.n_components_ == 3
    assert clustering_accuracy(y > 0, model.labels_) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SGSC(3, n_hubs=60, random_state=0).fit(X)


def test_points_without_a_path_to_a_hub_take_the_nearest_in_a_straight_line() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(80, 2)), rng.normal([30, 0], size=(80, 2))])
    lonely = rng.normal(size=(8, 2)) * 0.01 + [60, 0]
    model = SGSC(2, k_graph=7, n_hubs=20, random_state=0).fit(np.vstack([X, lonely]))
    assert (model.hubs_ < 160).all()
    d = np.linalg.norm(lonely[:, None] - np.vstack([X, lonely])[model.hubs_], axis=2)
    assert (model.nearest_hubs_[160:] == model.hubs_[d.argmin(axis=1)]).all()
    assert len(set(model.labels_[80:])) == 1


def test_nearest_hubs_are_nearest_along_the_graph() -> None:
    X = cloud(9)
    wanted = sgsc(X, 3, 6, 6, 40, "edges", 1.0)
    model = SGSC(3, random_state=0, **OPTIONS).fit(X)
    along = wanted.paths[np.arange(len(X)), model.nearest_hubs_]
    np.testing.assert_allclose(along, wanted.paths[:, wanted.hubs].min(axis=1), atol=1e-12)


def test_a_slider_recomputes_only_what_depends_on_it() -> None:
    X, memo = cloud(0), Memo()
    start = {"n_clusters": 3, "k_graph": 6, "k_hub": 6, "n_hubs": 40, "sigma": "all"}
    SGSC(**start, random_state=0, memory=memo).fit(X)
    for moved, again in (
        ({"gamma": 1.0}, set()),
        ({"random_state": 1}, {"kmeans_centres"}),
        ({"sigma": "0.5 all"}, {"spectrum", "kmeans_centres"}),
        ({"k_hub": 12}, {"spectrum", "kmeans_centres"}),
        ({"n_hubs": 30}, {"nearest_hubs", "all_pairs_median", "spectrum", "kmeans_centres"}),
        ({"k_graph": 7},
         {"undirected", "nearest_hubs", "all_pairs_median", "spectrum", "kmeans_centres"}),
    ):  # fmt: skip
        with memo.watch() as stages:
            SGSC(**start | {"random_state": 0} | moved, memory=memo).fit(X)
        assert {stage.name for stage in stages if not stage.reused} == again, moved


def test_the_clustering_of_the_hubs_is_offered_alone() -> None:
    X = cloud(1)
    model = SGSC(3, random_state=7, **OPTIONS).fit(X)
    for other in (SGSC, SEDC):
        found = other(3, random_state=7, **OPTIONS).hub_clustering(X)
        np.testing.assert_array_equal(found.hubs, model.hubs_)
        np.testing.assert_array_equal(found.Q, model.hub_distributions_)
        np.testing.assert_array_equal(found.labels, model.hub_labels_)
        assert found.sigma == model.sigma_


def test_impossible_requests_are_refused_by_name() -> None:
    X = cloud(0, n=30)
    with pytest.raises(ValueError, match="n_hubs=3 hubs cannot form n_clusters=4"):
        SGSC(4, n_hubs=3).fit(X)
    with pytest.raises(ValueError, match="n_samples=30 points cannot form n_clusters=31"):
        SGSC(31).fit(X)
    with pytest.raises(ValueError, match=r"sigma='mean' is not in .* or 'edges' or 'all'"):
        SGSC(2, sigma="mean").fit(X)
    with pytest.warns(UserWarning, match="k_graph=40 but a point has 29 others"):
        SGSC(2, k_graph=40).fit(X)


def test_the_thesis_sets_are_found() -> None:
    for name, C, least in (("two_moons", 2, 0.98), ("three_rings", 3, 1.0)):
        d = data.load(name, n_samples=10_000, random_state=0)
        model = SGSC(C, random_state=0).fit(d.X)
        assert clustering_accuracy(d.y[model.hubs_], model.hub_labels_) >= least, name


def test_many_equal_points_are_a_cluster_each() -> None:
    X = np.repeat(np.eye(3), 20, axis=0)
    model = SGSC(3, k_hub=25, n_hubs=60, random_state=0).fit(X)
    assert clustering_accuracy(np.repeat(np.arange(3), 20), model.labels_) == 1
    np.testing.assert_allclose(model.eigenvalues_[:4], [1, 1, 1, -1 / 19], atol=1e-12)


def test_a_power_of_lengths_measures_paths_by_that_power():
    X = cloud(5)
    plain, cubed = (SGSC(3, power=p, random_state=0, **OPTIONS).fit(X) for p in (1.0, 3.0))
    G = undirected(knn(X, OPTIONS["k_graph"]))
    G.data **= 3
    paths = dijkstra(G, directed=False)[np.ix_(cubed.hubs_, cubed.hubs_)] ** (1 / 3)
    links = cubed.hub_graph_.tocoo()
    np.testing.assert_allclose(links.data, paths[links.row, links.col], rtol=1e-12)
    before, after = (dense(model.hub_graph_) for model in (plain, cubed))
    both = np.isfinite(before) & np.isfinite(after)
    assert both.any() and (after <= before + 1e-12)[both].all(), (
        "a path of short edges is no longer"
    )
