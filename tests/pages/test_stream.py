"""The page of streams: every choice can be made, its numbers are the methods', its code runs."""

import numpy as np
import pytest
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

from sslviz import OnlineQLP
from sslviz.data.drift import turning_moons
from sslviz.ui.presets.catalogue import PRESETS
from sslviz.ui.runs import run_store
from sslviz.ui.server import memory

SHORT = {"stream.arrivals": "100"}
SET = SHORT | {"stream.kind": "A data set"}
CLUSTERS = SHORT | {"stream.kind": "Clusters that come and go"}


@pytest.fixture(autouse=True)
def all_arrivals_before_the_first_picture(monkeypatch):
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 600.0)


def words(app: AppTest) -> str:
    kinds = ("markdown", "caption", "info", "warning")
    return " ".join(element.value for kind in kinds for element in getattr(app, kind))


def share(app: AppTest, name: str) -> float:
    return float(numbers(app)[name].rstrip("%"))


@pytest.mark.parametrize(
    "url",
    [
        SHORT | {"mistakes": "true", "stream.balls": "R", "stream.stride": "1"},
        SHORT | {"stream.balls": "none", "stream.window": "so far", "stream.shown": "QRLP"},
        SHORT | {"stream.every": "10", "turning_moons.turns": "1.0", "stream.seed": "7"},
        SHORT | {"stream.noise": "50", "stream.method.merge": "lazy"},
        SHORT | {"stream.shown": "TLP", "stream.every": "10"},
        SHORT | {"stream.method.own_node": "false", "stream.method.capacity": "5"},
        SHORT | {"stream.method.n_hubs": "0", "stream.method.k_graph": "20"},
        SHORT | {"stream.labels": "1", "stream.method.capacity": "200"},
        CLUSTERS | {"stream.every": "25", "coming_and_going.lives": "20"},
        SET,
        SET | {"stream.order": "class after class", "labels": "1"},
        SET | {"stream.order": "as in the set", "two_moons.n_samples.few": "316"},
        SET | {"data": "swiss_roll", "swiss_roll.n_samples.few": "316"},
        SET | {"data": "iris", "stream.noise": "5", "dimensions": "3"},
        SET | {"data": "digits", "stream.method.own_node": "false"},
    ],
)
def test_every_choice_can_be_made(url):
    app = opened("stream", **url)
    assert fine(app)
    assert {"QLP", "QRLP", "TLP", "1-NN", "LP in hindsight", "Memory", "ms per point"} <= set(
        numbers(app)
    )


@pytest.mark.parametrize(
    "url",
    [
        SHORT | {"stream.every": "10", "stream.noise": "2"},
        SHORT | {"stream.shown": "QRLP", "stream.method.n_hubs": "8"},
        CLUSTERS,
        CLUSTERS | {"stream.shown": "TLP", "stream.every": "25", "stream.method.k_graph": "7"},
        SET | {"data": "iris", "stream.order": "class after class", "labels": "2"},
        SET | {"data": "digits", "stream.method.own_node": "false"},
        SET | {"stream.order": "as in the set", "stream.every": "25"},
    ],
)
def test_the_code_of_the_picture_reproduces_its_accuracy(capsys, url):
    app = opened("stream", **url)
    exec(app.code[-1].value, {})
    name = url.get("stream.shown", "QLP")
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)[name]


def test_a_turning_world_is_followed_by_propagation_and_not_by_the_nearest_label():
    app = opened("stream")
    assert fine(app)
    assert share(app, "QLP") > share(app, "1-NN") + 20
    moons = turning_moons(n_samples=2400, turns=1.5)
    first = np.concatenate([np.flatnonzero(moons.y == c)[:3] for c in (0, 1)])
    rest = np.setdiff1d(np.arange(2400), first)
    y = np.full(2400, -1)
    y[first] = moons.y[first]
    known = np.concatenate([first, rest[:50]])
    model = OnlineQLP(k_graph=4).partial_fit(moons.X[known], y[known])
    right = [model.observe(moons.X[i]) == moons.y[i] for i in rest[50:450]]
    assert f"{np.mean(right):.1%}" == numbers(app)["QLP"]


def test_a_network_shows_what_is_inherited_instead_of_a_cover():
    app = opened("stream", **{"stream.shown": "TLP", "stream.balls": "R"})
    assert fine(app)
    shown, titles = numbers(app), [h.value for h in app.subheader]
    assert share(app, "TLP") == 100 and share(app, "QLP") < 95
    assert float(shown["Change by leaving"]) < 1e-12
    assert any(t.startswith("Inherited edges: 2") for t in titles)
    assert not any(t.startswith(("Cover", "Centroids", "The largest")) for t in titles)
    assert "400 points have left" in words(app) and "violet ring" in words(app)


def test_going_on_appends_and_computes_what_is_new_only(nothing_remembered):
    run_store.clear()
    app = opened("stream", **{"stream.arrivals": "200"})
    assert app.select_slider(key="stream.arrivals").value == 200
    before = numbers(app)
    app.button(key="open.go_on").click().run()
    assert fine(app) and app.select_slider(key="stream.arrivals").value == 400
    assert numbers(app) != before
    assert "before the stream · reused" in words(app)
    segments = [s.reused for s in memory().log if s.word == "stream"]
    assert segments.count(False) == 3 * 4 and segments.count(True) == 3 * 2
    app.select_slider(key="stream.arrivals").set_value(200).run()
    assert "steps · reused" in words(app)
    accuracies = ("QLP", "QRLP", "1-NN")
    assert [numbers(app)[n] for n in accuracies] == [before[n] for n in accuracies]


def test_moving_the_hubs_keeps_what_knows_no_hubs():
    app = opened("stream", **SHORT)
    qlp = numbers(app)["QLP"]
    app.select_slider(key="stream.method.n_hubs").set_value(4).run()
    assert fine(app) and numbers(app)["QLP"] == qlp


def test_the_end_of_a_stream_is_said_and_ends_going_on():
    app = opened("stream", **{"stream.kind": "A data set", "data": "iris"})
    assert fine(app) and "The stream has ended: all 91 points" in words(app)
    assert app.button(key="open.go_on").disabled


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ({"data": "iris", "labels": "50"}, "No points are left to arrive"),
        ({"data": "iris", "stream.method.capacity": "200"}, "No points are left to arrive"),
    ],
)
def test_a_stream_without_arrivals_is_a_sentence(url, word):
    app = opened("stream", **SET | url)
    assert fine(app) and word in app.info[0].value


def test_equal_points_and_many_classes(folder):
    rng = np.random.default_rng(0)
    np.savez(folder / "same.npz", X=np.zeros((200, 3)), y=np.arange(200) % 2)
    np.savez(folder / "many.npz", X=rng.normal(size=(300, 5)), y=np.arange(300) % 25)
    for name in ("same", "many"):
        assert fine(opened("stream", **SET | {"data": name, "labels": "1"}))


def test_what_the_presets_say_is_so():
    collapse, ordered = (
        opened("stream", **{k: str(v) for k, v in p.parameters.items()})
        for p in PRESETS
        if p.page == "pages/stream.py"
    )
    assert fine(collapse) and fine(ordered)
    assert share(collapse, "1-NN") > 3 * share(collapse, "QLP")
    assert any(h.value.startswith("Cover: 2 centroids") for h in collapse.subheader)
    assert share(ordered, "1-NN") > max(share(ordered, "QLP"), share(ordered, "QRLP")) + 10


def test_a_link_to_a_point_that_has_not_arrived_is_answered():
    app = opened("stream", **SHORT, arrival="2000")
    assert fine(app) and any(h.value.startswith("The largest centroid") for h in app.subheader)


def test_before_the_first_arrival_there_is_a_picture_and_a_way_to_stop(monkeypatch):
    run_store.clear()
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 0.0)
    monkeypatch.setattr("sslviz.recordings.stream.StreamRun.patience", 0.0)
    app = opened("stream", **{"stream.arrivals": "2000", "stream.seed": "8"})
    assert fine(app) and "LP in hindsight" not in numbers(app)
    assert "Stop here" in [button.label for button in app.button]
