"""Accuracy against the number of labels: by hand in their order, at random as a band."""

import numpy as np
import pytest

from sslviz import LabelPropagation, data, labels
from sslviz.experiments import labelling_curve as curve
from sslviz.memo import Memo
from sslviz.recordings.labelling_curve import RandomLabellingRun

MOONS = data.load("two_moons", n_samples=120)
DRAWN = labels.hide(MOONS.y, per_class=1, random_state=0)
BY_HAND = {77: int(MOONS.y[77]), 12: int(MOONS.y[12]), 40: 1 - int(MOONS.y[40])}
METHOD = "LabelPropagation"


def test_every_label_by_hand_adds_a_point_in_the_order_they_were_given():
    found = curve.hand_curve(METHOD, MOONS.X, DRAWN, BY_HAND, MOONS.y, Memo())
    assert [m.labels for m in found] == [2, 3, 4, 5]
    y = DRAWN.copy()
    y[[77, 12]] = MOONS.y[[77, 12]]
    right = LabelPropagation().fit(MOONS.X, y).transduction_ == MOONS.y
    assert found[2].accuracy == right[y < 0].mean()
    undone = curve.hand_curve(METHOD, MOONS.X, DRAWN, {77: BY_HAND[77]}, MOONS.y, Memo())
    assert undone == found[:2]


@pytest.mark.parametrize("count", [0, 1, 40, 41, 1000, 20_000])
def test_of_many_labels_some_are_measured_and_stay_so(count):
    steps, next_steps = curve.measured_steps(count), curve.measured_steps(count + 1)
    assert steps[0] == 0 and steps[-1] == count and len(steps) <= curve.POINTS_OF_CURVE + 2
    assert set(next_steps) - {count + 1} <= set(steps)


def test_unknown_points_are_not_counted():
    truth = np.where(np.arange(120) < 60, MOONS.y, -1)
    every = np.where(truth >= 0, truth, DRAWN)
    assert np.isnan(curve.labelled_accuracy(METHOD, MOONS.X, every, truth))
    sizes = curve.random_sizes(DRAWN, truth, by_hand=500)
    assert sizes[-1] <= ((DRAWN < 0) & (truth >= 0)).sum() - curve.HELD_OUT_LEAST


def test_the_band_is_that_of_the_draws_at_each_number_of_labels():
    sizes = curve.random_sizes(DRAWN, MOONS.y, by_hand=3)
    run = RandomLabellingRun(METHOD, MOONS.X, DRAWN, MOONS.y, sizes, Memo())
    assert run.band() is None
    run.finish()
    band = run.band()
    assert band.draws == curve.DRAWS and band.labels.tolist() == [2 + size for size in sizes]
    at_last = [m.accuracy for _, m in run.found if m.labels == band.labels[-1]]
    assert len(at_last) == curve.DRAWS and band.median[-1] == np.median(at_last)
    assert (band.low <= band.median).all() and (band.median <= band.high).all()
    first = {m.accuracy for _, m in run.found if m.labels == 2}
    assert len(first) == 1, "without random labels all draws are the same"
