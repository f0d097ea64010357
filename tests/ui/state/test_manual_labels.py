"""Labels by hand: what a key does to them, how the URL says them, which of them count."""

import numpy as np
import pytest

from sslviz.ui.state.manual_labels import (
    MAX_MANUAL_LABELS,
    LabelContext,
    class_keys,
    format_labels,
    key_hint,
    parse_labels,
    relabel,
    with_manual_labels,
)

MOONS = ("upper moon", "lower moon")
DRAWN = np.array([0, 0, 1, -1, -1, -1])  # the second class has one label


def context(**used: int) -> LabelContext:
    return LabelContext(
        "moons", MOONS, DRAWN, {int(point[1:]): label for point, label in used.items()}
    )


def test_the_url_says_all_in_its_order_and_needs_no_escaping():
    labels = {57: 1, 12: 0, 80: -1}
    assert format_labels(labels) == "57.1_12.0_80.-"
    assert (
        list(parse_labels(format_labels(labels)).items()) == list(labels.items())
        and parse_labels("") == {}
        and format_labels({}) == ""
    )


@pytest.mark.parametrize(
    "nonsense", ["x", "1", "1.", ".1", "-1.0", "1.0.0", "٣.0", "1.-1", "1e9.0"]
)
def test_nonsense_in_the_url_is_left_out(nonsense):
    assert parse_labels(f"12.0_{nonsense}_57.-") == {12: 0, 57: -1}


def test_the_url_is_not_read_for_ever():
    assert len(parse_labels("_".join(f"{i}.0" for i in range(30_000)))) == MAX_MANUAL_LABELS


def test_a_key_is_the_name_or_the_number_of_its_class():
    assert class_keys(("0", "3", "8")) == {"0": 0, "3": 1, "8": 2}
    assert class_keys(("1", "2", "10")) == {"1": 0, "2": 1, "3": 2}
    many = class_keys(tuple(f"class {i}" for i in range(25)))
    assert many["1"] == 0 and many["9"] == 8 and many["0"] == 9 and len(many) == 10


def test_the_hint_names_few_classes_and_shortens_many():
    said = "Hover a point and press **1** = upper moon, **2** = lower moon, **Delete** for none; "
    said += "or click it."
    assert key_hint(MOONS) == said
    assert "**1** = a … **6** = f," in key_hint(tuple("abcdef"))
    assert "**1** = 1, **2** = 2, **3** = 10," in key_hint(("1", "2", "10"))
    assert "its digit (**0** … **2**)," in key_hint(("0", "1", "2"))


def test_a_label_by_hand_covers_the_one_drawn():
    y, used = with_manual_labels(DRAWN, {0: 1, 4: 0, 5: -1}, 2)
    assert y.tolist() == [1, 0, 1, -1, 0, -1] and used == {0: 1, 4: 0, 5: -1}
    assert DRAWN.tolist() == [0, 0, 1, -1, -1, -1], "what was drawn stays as it was"


def test_labels_of_no_point_and_no_class_do_not_count():
    y, used = with_manual_labels(DRAWN, {6: 0, 3: 2, 4: 1}, 2)
    assert used == {4: 1} and y[3] == -1


@pytest.mark.parametrize("order", [1, -1])
def test_a_class_keeps_its_last_label_whatever_is_said(order):
    y, used = with_manual_labels(DRAWN, {2: -1, 0: -1}, 2)
    assert y.tolist() == [-1, 0, 1, -1, -1, -1] and used == {0: -1}
    moved = dict([(2, -1), (5, 1)][::order])  # another point of the class has one
    assert with_manual_labels(DRAWN, moved, 2)[0].tolist() == [0, 0, -1, -1, -1, 1]
    assert with_manual_labels(DRAWN, {0: 1, 1: 1, 2: -1}, 2) == (pytest.approx(DRAWN), {}), (
        "one after another"
    )


def test_a_point_is_labelled_labelled_otherwise_and_let_go():
    labels, refusal = relabel(context(), 4, 1)
    assert (labels, refusal) == ({4: 1}, "")
    assert relabel(context(p4=1), 4, 0) == ({4: 0}, "")
    assert relabel(context(p4=1, p0=1), 4, -1) == ({0: 1}, ""), "as drawn: nothing to note"
    assert relabel(context(), 0, -1) == ({0: -1}, "")
    assert relabel(context(), 0, 0) == ({}, "") and relabel(context(), 5, -1) == ({}, "")


@pytest.mark.parametrize("label", [-1, 0])
def test_the_last_label_of_a_class_is_not_taken(label):
    labels, refusal = relabel(context(p4=0), 2, label)
    assert labels == {4: 0} and "only label of lower moon" in refusal
    assert relabel(context(p4=1), 2, label)[1] == ""


def test_the_last_label_may_be_one_given_by_hand():
    labels, refusal = relabel(context(p4=1, p2=-1), 4, -1)
    assert labels == {4: 1, 2: -1} and "only label of lower moon" in refusal


def test_there_are_not_more_than_the_url_can_say():
    drawn = np.concatenate([DRAWN, np.full(300, -1)])
    used = dict.fromkeys(range(100, 100 + MAX_MANUAL_LABELS), 1)
    full = LabelContext("moons", MOONS, drawn, used)
    assert relabel(full, 50, 1) == (
        used,
        f"No more than {MAX_MANUAL_LABELS} labels by hand are possible.",
    )
    assert relabel(full, 100, 0)[0][100] == 0, "those there are can still change"
