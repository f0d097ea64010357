"""A film of FLP shows what FLP does: its ends are the fit's, and its sizes and lines are p_ij."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from sslviz import FLP, LabelledNCA, labels
from sslviz.experiments.flp_sweeps import (
    compare_projections,
    other_projections,
    over_dimensions,
    over_widths,
)
from sslviz.nearest_label import one_nn
from sslviz.recordings import flp as films
from sslviz.recordings.flp import NO_INFLUENCE, FLPRecording, record_flp


def wine(per_class: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, truth = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), labels.hide(truth, per_class, random_state=0), truth


MODES = [
    {"mode": "recipe"},
    {"mode": "fixed"},
    {"mode": "printed", "random_state": 1, "outer": 2},
    {"n_components": 5},
]


@pytest.mark.parametrize("parameters", MODES, ids=str)
def test_the_film_ends_where_fit_ends(parameters: dict) -> None:
    X, y, truth = wine()
    film, model = FLPRecording(*record_flp(X, y, 3, parameters)), FLP(**parameters).fit(X, y)
    np.testing.assert_array_equal(film.harmony, model.harmony_)
    np.testing.assert_array_equal(film.predictions[-1], model.transduction_)
    np.testing.assert_allclose(film.F[-1], model.label_distributions_, atol=1e-6)
    hidden = y < 0
    assert film.accuracy(truth, hidden)[-1] == (model.transduction_ == truth)[hidden].mean()
    share = (y >= 0).sum() / len(y)
    np.testing.assert_allclose(film.influence[-1], model.influence_ / share, rtol=1e-5, atol=1e-6)
    assert film.influential(hidden)[-1] == (model.influence_[hidden] / share >= NO_INFLUENCE).mean()
    # the map is the model's, shifted and perhaps turned: no distance has changed
    for i in (0, 17, 99):
        there = np.linalg.norm(model.embedding_ - model.embedding_[i], axis=1)
        here = np.linalg.norm(film.Z[-1] - film.Z[-1][i], axis=1)
        np.testing.assert_allclose(here, there, rtol=1e-4, atol=1e-4)


def test_the_start_is_principal_components_and_says_nothing() -> None:
    X, y, _ = wine()
    film = FLPRecording(*record_flp(X, y, 3, {}))
    assert film.halves[:3] == ("", "labels", "projection")
    assert not film.F[0][y < 0].any() and (film.predictions[0][y < 0] == -1).all()
    assert (film.predictions[:, y >= 0] == y[y >= 0]).all()
    np.testing.assert_array_equal(film.Z[0], film.Z[1])  # labels move, the map does not
    spread = np.cov(film.Z[0].T)
    assert abs(spread[0, 1]) < 1e-4 * spread[0, 0]


def test_maps_are_drawn_at_one_size_and_the_reach_tells_the_growth() -> None:
    X, y, _ = wine()
    film = FLPRecording(*record_flp(X, y, 3, {"mode": "printed", "random_state": 0, "outer": 2}))
    ends = film.A / np.linalg.norm(film.A, axis=(1, 2), keepdims=True)
    for at in (0, -1):
        np.testing.assert_allclose(film.places[at], X @ ends[at], atol=1e-4)
    assert film.reach[-1] < film.reach[0] / 3
    held = FLPRecording(*record_flp(X, y, 3, {})).reach
    np.testing.assert_allclose(held, held[0], rtol=1e-9)


def test_of_many_dimensions_the_widest_come_first() -> None:
    X, y, _ = wine()
    Z = FLPRecording(*record_flp(X, y, 3, {"n_components": 6})).Z[-1]
    spread = np.cov(Z.T)
    assert (np.diff(np.diag(spread)) < 0).all()
    np.testing.assert_allclose(spread, np.diag(np.diag(spread)), atol=1e-4)


def test_a_clicked_point_hears_what_the_model_links() -> None:
    X, y, _ = wine()
    model = FLP().fit(X, y)
    film = FLPRecording(*record_flp(X, y, 3, {}))
    for point in (3, 60):
        others, weights = film.neighbours(-1, point)
        loud, p = model.links(point)
        np.testing.assert_array_equal(others[:5], loud[:5])
        np.testing.assert_allclose(weights, p, rtol=1e-3)
        few, same = film.neighbours(-1, point, 4)
        np.testing.assert_array_equal(few, others[:4])
        np.testing.assert_array_equal(same, weights[:4])


def test_many_points_have_fewer_frames_with_both_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, _ = wine()
    monkeypatch.setattr(films, "POINTS_KEPT", 6 * len(X))
    film = FLPRecording(*record_flp(X, y, 3, {}))
    assert len(film.harmony) == 21
    assert len(film.kept) == 6 and film.kept[0] == 0 and film.kept[-1] == 20
    assert len(film.Z) == len(film.F) == len(film.reach) == 6


def test_all_labels_given_is_a_film_of_the_map_alone() -> None:
    X, truth = load_iris(return_X_y=True)
    film = FLPRecording(*record_flp(X, truth, 3, {"outer": 3}))
    assert set(film.halves) == {"", "projection"}
    assert np.isnan(film.accuracy(truth, truth < 0)).all()
    assert len(FLPRecording(*record_flp(X, truth, 3, {"mode": "fixed"})).harmony) == 1


def test_a_class_without_a_point_keeps_its_column() -> None:
    X, y, _ = wine()
    y = np.where(y == 1, 3, y)  # class 1 has a name and no label
    film = FLPRecording(*record_flp(X, y, 4, {"outer": 1}))
    assert film.F.shape[2] == 4 and not film.F[:, :, 1].any()
    assert set(film.predictions[-1]) <= {0, 2, 3}


def test_widths_are_fits_at_these_widths() -> None:
    X, y, truth = wine()
    found, heard = over_widths(FLP(), X, y, truth, (0.1, 100.0))
    for width, share in zip((0.1, 100.0), found, strict=True):
        right = FLP(width=width).fit(X, y).transduction_ == truth
        assert share == right[y < 0].mean()
    assert heard[0] == 1 and heard[1] < 0.5


def test_dimensions_are_fits_without_the_unseen_points() -> None:
    X, y, truth = wine()
    unseen = (y < 0) & (np.arange(len(y)) % 2 == 0)
    seen = ~unseen
    models = {"FLP": (FLP(), 10), "NCA": (LabelledNCA(init="pca"), 2)}
    curves = over_dimensions(models, X, y, truth, unseen, (2, 3))
    model = FLP(n_components=2).fit(X[seen], y[seen])
    right = (model.transduction_ == truth[seen])[y[seen] < 0].mean()
    new = (model.predict(X[unseen]) == truth[unseen]).mean()
    np.testing.assert_allclose(curves["FLP"][0], (right, new))
    nca = LabelledNCA(2, init="pca").fit(X[seen], y[seen])
    answer = one_nn(nca.embedding_, y[seen], nca.transform(X[unseen]))
    assert curves["NCA"][0, 1] == (answer == truth[unseen]).mean()
    assert np.isnan(curves["NCA"][1]).all()


def test_flp_in_three_ways_stands_beside_its_rivals() -> None:
    X, y, truth = wine()
    found, refused = compare_projections(FLP(), X, y, truth)
    assert not refused
    assert set(found) == {"FLP", "FLP, A fixed", "FLP as printed", "NCA", "SDA", "LDA"}
    hidden = y < 0
    for title, model in {
        "FLP": FLP(),
        "FLP, A fixed": FLP(mode="fixed"),
        "FLP as printed": FLP(mode="printed", random_state=0),
    }.items():
        assert found[title] == (model.fit(X, y).transduction_ == truth)[hidden].mean()
    assert found["FLP"] > 0.9 > 0.5 > found["FLP as printed"]


def test_rivals_can_have_the_dimensions_they_say() -> None:
    X, y, _ = wine(per_class=1)
    for asked in (None, 1, 9):
        for model, most in other_projections(y, asked).values():
            assert model.fit(X, y).embedding_.shape[1] == min(asked or 2, most)
