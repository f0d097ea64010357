"""What is said about answers: accuracies, titles, islands, votes, densities."""

from types import SimpleNamespace

import numpy as np
import pytest

from sslviz import LabelPropagation, LabelSpreading, MinCut, RobustLabelPrediction
from sslviz.graph.density import kernel_density, nearness
from sslviz.propagation.stages.geodesic_voting import Votes
from sslviz.ui.hubs.tuning_view import show_best
from sslviz.ui.propagation.vote_view import verdict
from sslviz.ui.result import argmax_rows, percent, titles_of, why_undetermined


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


def test_islands_and_one_way_streets_are_told_apart() -> None:
    y = np.array([0, -1, -1, -1, -1, -1])
    island = np.array([0, 0, 0, 1, 1, 2])
    answers = np.array([0, 0, -1, -1, -1, -1])
    said = why_undetermined(answers, y, island, LabelPropagation(graph="directed"))
    assert "**3 points** are on 2 islands without a label" in said
    assert "**1 point** is linked to labelled ones" in said
    assert "edges are directed" in said
    others = np.array([0, 0, 0, -1, -1, -1])
    assert "linked" not in why_undetermined(others, y, island, LabelPropagation())


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (MinCut(), "cheapest cut"),
        (LabelPropagation(), "Raise σ"),
        (RobustLabelPrediction(), "hubs that they ask"),
    ],
)
def test_silence_is_explained_by_what_the_method_does(model, words) -> None:
    y, island = np.array([0, -1, -1]), np.array([0, 0, 1])
    said = why_undetermined(np.array([0, -1, -1]), y, island, model)
    assert words in said and "directed" not in said and "walk" not in said


def vote(classes: list[int], winner: int, tied: bool = False) -> Votes:
    n = len(classes)
    paths = [[9, i] for i in range(n)]
    return Votes(
        np.arange(n), np.ones(n), np.array(classes), np.full(n, 1 / n), paths, tied, winner
    )


@pytest.mark.parametrize(
    ("votes", "words"),
    [
        (vote([1, 1, 0], 1), "2 of 3 voters say **b**"),
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
    said = show_best(scores, truth)
    assert "**0 hubs** with **10 links**: 70.0% right" in said and "90.0%" in said
