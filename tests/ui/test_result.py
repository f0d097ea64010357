"""What is said about answers: accuracies, titles, islands, votes, densities."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sslviz import LabelPropagation, LabelSpreading, MinCut, RobustLabelPrediction
from sslviz.data import Dataset
from sslviz.graph.density import kernel_density, nearness
from sslviz.propagation.stages.geodesic_voting import Votes
from sslviz.snippet import Setting
from sslviz.ui.hubs.tuning_view import choice_text
from sslviz.ui.problem import Problem
from sslviz.ui.propagation.result import PropagationResult, pair
from sslviz.ui.propagation.vote_view import verdict
from sslviz.ui.result import Result, argmax_rows, titles_of, undetermined_text
from sslviz.ui.views import percent


def test_two_of_a_kind_are_told_apart_by_their_settings() -> None:
    plain = LabelPropagation()
    assert titles_of([plain]) == ["Label propagation"]
    assert titles_of([plain, LabelSpreading()]) == ["Label propagation", "Label spreading"]
    other = LabelPropagation(n_neighbors=9, graph="directed")
    assert titles_of([plain, other]) == [
        "Label propagation, k = 5, Edges = undirected",
        "Label propagation, k = 9, Edges = directed",
    ]
    assert titles_of([plain, LabelPropagation()])[1] == "Label propagation, right"


def test_the_winner_alone_is_left_and_silence_stays() -> None:
    F = np.array([[0.2, 0.5, 0.3], [0.0, 0.0, 0.0]])
    np.testing.assert_array_equal(argmax_rows(F), [[0, 1, 0], [0, 0, 0]])


def test_a_share_of_nothing_is_put_into_words() -> None:
    assert percent(0.5) == "50.0%" and percent(np.nan) == "all given"


def fitted(labels: list[int], y: list[int], model: Any) -> Result:
    """A result with these predictions of points on a line."""
    n = len(y)
    dataset = Dataset(np.zeros((n, 2)), np.zeros(n, int), "line", "", ("a",))
    problem = Problem(
        dataset, Setting("line", {}, 1, 0), np.array(y), np.zeros((n, 2)), "raw", None
    )
    return Result(problem, model, np.array(labels), np.ones((n, 1)))


def test_points_without_a_label_in_reach_and_others_are_told_apart() -> None:
    y, component = [0, -1, -1, -1, -1, -1], np.array([0, 0, 0, 1, 1, 2])
    directed = fitted([0, 0, -1, -1, -1, -1], y, LabelPropagation(graph="directed"))
    text = undetermined_text(directed, component)
    assert "**3 points** are in 2 separate parts of the graph" in text
    assert "**1 point** is connected to labelled ones" in text and "edges are directed" in text
    others = fitted([0, 0, 0, -1, -1, -1], y, LabelPropagation())
    assert "connected to" not in undetermined_text(others, component)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (MinCut(), "minimum cut"),
        (LabelPropagation(), "too small to count"),
        (RobustLabelPrediction(), "hubs"),
    ],
)
def test_the_method_explains_why_a_point_is_undetermined(model, words) -> None:
    text = undetermined_text(fitted([0, -1, -1], [0, -1, -1], model), np.array([0, 0, 1]))
    assert words in text and "directed" not in text


def test_the_typical_point_is_hidden_and_right() -> None:
    result = fitted([0, 0, -1, 0], [0, -1, -1, -1], LabelPropagation())
    assert result.point in (1, 3) and result.accuracy() == 2 / 3
    assert fitted([0, 0], [0, 0], LabelPropagation()).point == 0


def vote(classes: list[int], winner: int, tied: bool = False) -> Votes:
    n = len(classes)
    paths = [[9, i] for i in range(n)]
    return Votes(
        np.arange(n), np.ones(n), np.array(classes), np.full(n, 1 / n), paths, tied, winner
    )


@pytest.mark.parametrize(
    ("votes", "words"),
    [
        (vote([1, 1, 0], 1), "2 of 3 voters vote **b**"),
        (vote([0, 1], 0, tied=True), "the nearest of the tied voters decides for **a**"),
        (
            Votes(np.array([]), np.array([]), np.array([], int), np.array([]), [], False, -1),
            "No vo",
        ),
        (vote([1], 1)._replace(paths=[[0]]), "It is a voter itself and votes **b**"),
    ],
)
def test_a_verdict_says_how_it_came_about(votes: Votes, words: str) -> None:
    assert words in verdict(votes, ("a", "b"))


def test_density_is_higher_inside_than_far_out() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(500, 2)), rng.normal(size=(5, 2)) + 8])
    core = np.arange(505) < 500
    found = kernel_density(X, core)
    assert found[500:].max() < np.quantile(found[:500], 0.05)
    order = np.argsort(np.linalg.norm(X[:500], axis=1))
    assert found[order[:50]].min() > found[order[-50:]].max()


def test_density_of_equal_points_is_finite() -> None:
    assert np.isfinite(kernel_density(np.zeros((20, 2)), np.ones(20, bool))).all()
    assert np.isfinite(nearness(np.zeros((3, 2)))).all()


def test_the_choice_is_judged_by_the_truth() -> None:
    scores = SimpleNamespace(k_hub=(5, 10), n_hubs=(0, 40), best=(10, 0))
    truth = SimpleNamespace(scores=np.array([[0.5, 0.9], [0.7, 0.6]]))
    said = choice_text(scores, truth)
    assert "**0 hubs** with **10 links**: accuracy 70.0%" in said and "90.0%" in said


def test_beside_each_other_two_methods_tell_of_the_same_point() -> None:
    rng = np.random.default_rng(0)
    dataset = Dataset(np.zeros((9, 2)), np.zeros(9, int), "line", "", ("a", "b"))
    y = np.array([0, 1, *[-1] * 7])
    problem = Problem(dataset, Setting("line", {}, 1, 0), y, np.zeros((9, 2)), "raw", None)
    both = [
        PropagationResult(problem, model, np.zeros(9, int), rng.dirichlet((1, 1), 9))
        for model in (LabelPropagation(), MinCut())
    ]
    alone = [r.point for r in both]
    one, other = pair(both, ["LP", "cut"])
    assert alone[0] != alone[1] and one.point == other.point == alone[0]


@pytest.mark.parametrize(
    "dimensions, point, marked", [(2, None, True), (3, None, False), (3, 4, True)]
)
def test_the_point_of_the_panel_is_marked_in_space_only_if_clicked(
    dimensions: int, point: int | None, marked: bool
) -> None:
    result = fitted([0] * 9, [0, *[-1] * 8], LabelPropagation())
    points = np.zeros((9, dimensions))
    result = replace(result, problem=result.problem._replace(points=points, point=point))
    assert result.marks_point is marked
