"""Charts of codes: what they show are the numbers they are given."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from sslviz.figures.charts.codes import (
    BINS,
    code_bars,
    code_map,
    margin_rows,
    profile_pair,
    signed_bars,
    term_lines,
)
from sslviz.figures.theme import rgb_of

THEMES = tomllib.loads((Path(__file__).parents[3] / ".streamlit/config.toml").read_text())["theme"]

RNG = np.random.default_rng(0)
CLASSES = ("a", "b", "c")
GROUP = np.array([2, 0, 1, 0, 2, 1, 0])
A = RNG.normal(size=(7, 4)) * (RNG.random((7, 4)) < 0.6)


def test_columns_are_sorted_by_class_and_report_their_points():
    chosen, atoms = np.array([0, 1, 2, 3, 4, 5]), np.array([3, 1, 0, 2])
    fig = code_map(A, GROUP, CLASSES, atoms, chosen, clicked=4, atom=0)
    used, codes, feel = fig.data
    order = [1, 3, 2, 5, 0, 4]
    assert list(feel.customdata[0]) == order
    np.testing.assert_array_equal(used.y, (A[order] != 0).sum(axis=1))
    part = A[order][:, atoms].T
    np.testing.assert_array_equal(np.sign(codes.z), np.sign(part))
    np.testing.assert_allclose(
        np.square(np.asarray(codes.z, float) / 100), np.abs(part) / np.abs(part).max(), atol=0.011
    )
    marks = {(s.x0, s.y0) for s in fig.layout.shapes if s.line.width == 2}
    assert any(x == 5 for x, _ in marks) and any(y == 2 for _, y in marks)
    assert list(fig.layout.xaxis2.ticktext) == list(CLASSES)


def test_codes_of_zeros_are_drawn():
    fig = code_map(0 * A, GROUP, CLASSES, np.arange(4), np.arange(7))
    assert not np.any(fig.data[1].z)


def contrast(colour: np.ndarray, page: np.ndarray) -> float:
    """How well two colours can be told apart by their light, 1 … 21 (WCAG 2)."""
    shares = np.stack([colour, page]) / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    dark, light = np.sort(linear @ [0.2126, 0.7152, 0.0722]) + 0.05
    return float(light / dark)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sign", [-1, 1])
def test_zero_is_the_page_and_the_weakest_weight_can_be_seen_on_it(theme, sign):
    weights = sign * np.array([[0, 1e-4, 0.01, 0.1, 0.5, 1.0]])
    codes = code_map(weights, np.zeros(1, int), ("a",), np.arange(6), np.zeros(1, int)).data[1]
    page = rgb_of(THEMES[theme]["backgroundColor"])
    seen = []
    for z in np.ravel(codes.z).astype(float):
        at = np.clip((z - codes.zmin) / (codes.zmax - codes.zmin), 0, 1)
        stops = [(p, np.array(re.findall(r"[\d.]+", c), float)) for p, c in codes.colorscale]
        (p, c), (q, d) = next(two for two in pairwise(stops) if two[0][0] <= at <= two[1][0])
        *ink, opacity = c + (d - c) * (at - p) / (q - p)
        seen.append(contrast(page + opacity * (np.array(ink) - page), page))
    assert seen[0] == 1, "nothing is drawn where nothing is"
    assert seen[1] > 1.2 and seen[-1] > 3
    assert (np.diff(seen) >= 0).all() and seen[3] > seen[2] > seen[1]


def test_the_heaviest_atoms_come_first_and_unused_ones_do_not():
    code = np.array([0.0, -3.0, 0.5, 0.0, 1.0])
    fig = code_bars(code)
    assert list(fig.data[0].customdata) == [1, 4, 2] and list(fig.data[0].y) == [-3, 1, 0.5]
    assert len(set(fig.data[0].marker.color)) == 2
    assert list(code_bars(code, most=1).data[0].customdata) == [1]
    assert list(signed_bars(code[:2], ["x", "y"], "w", ["red", "blue"]).data[0].marker.color) == [
        "red", "blue"]  # fmt: skip


@pytest.mark.parametrize(("d", "kind"), [(4, "bar"), (100, "scatter")])
def test_point_and_reconstruction_stand_side_by_side(d, kind):
    x = RNG.normal(size=d)
    fig = profile_pair(x, 0.9 * x)
    assert [t.type for t in fig.data] == [kind] * 2
    np.testing.assert_array_equal(fig.data[1].y, 0.9 * x)


def test_rows_of_scores_are_their_histograms():
    scores, held = RNG.normal(size=(50, 3)), RNG.integers(3, size=50)
    fig = margin_rows([0 * scores, scores], [held, held], CLASSES, ["start", "round 1"])
    assert len(fig.data) == 4 and [f.name for f in fig.frames] == ["start", "round 1"]
    others = np.asarray(fig.data[3].y).reshape(3, 201)
    for c in range(3):
        for outline, own, way in (
            (np.asarray(fig.data[c].y), held == c, -1),
            (others[c], held != c, 1),
        ):
            count, _ = np.histogram(np.clip(scores[own, c], BINS[0], BINS[-1]), BINS)
            high = way * (outline[:100:2] - c) / 0.42
            np.testing.assert_allclose(np.square(high), count / count.max(), atol=1e-5)
            assert (high >= -1e-6).all()
    margins = sorted(s.x0 for s in fig.layout.shapes)
    assert margins == [-1, 1]


def test_at_most_a_dozen_classes_have_a_row():
    scores = RNG.normal(size=(60, 20))
    fig = margin_rows([scores], [scores.argmax(1)], tuple(map(str, range(20))), ["now"])
    assert len(fig.data) == 13 and not fig.frames


def test_terms_add_up_and_an_absent_one_is_left_out():
    terms = {name: RNG.random(5) + 1 for name in ("reconstruction", "sparsity", "graph")}
    fig = term_lines(terms)
    assert [t.name for t in fig.data] == ["sum", *terms]
    np.testing.assert_allclose(fig.data[0].y, sum(np.asarray(t.y) for t in fig.data[1:]))
    terms["graph"][:] = 0
    assert "graph" not in [t.name for t in term_lines(terms).data]


def test_terms_are_on_a_log_scale_unless_one_is_negative():
    terms = {"reconstruction": np.array([3.0, 2.0]), "own_class": np.array([1.0, 1.0])}
    fig = term_lines(terms)
    assert fig.layout.yaxis.type == "log" and fig.data[2].name == "own class"
    fig = term_lines(terms | {"fisher": np.array([-4.0, -5.0])})
    assert fig.layout.yaxis.type != "log"
    np.testing.assert_allclose(fig.data[0].y, [0, -2])
    np.testing.assert_allclose(fig.data[-1].y, [-4, -5], err_msg="negative values are drawn")
