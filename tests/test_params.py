"""A parameter is declared once; what reads the declaration can rely on it."""

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from math import inf, nan
from typing import Annotated, Any

import numpy as np
import pytest

from sslviz.params import (
    Choice,
    Flag,
    Number,
    check_params,
    check_values,
    docs_table,
    params_of,
    split_rule,
)

WIDTH = Number(
    "Kernel width.", valid=(0, inf), shown=(0.1, 10), log=True, above=True, rules=("mean",)
)
SCALED = Number(
    "The same.", valid=(0, inf), shown=(0.25, 4), above=True, rules=("mean", None), factors=True
)


class Method:
    def __init__(
        self,
        n_things: Annotated[int, Number("How many.", (1, 100), (2, 50), symbol="k")] = 5,
        sigma: Annotated[float | str, SCALED] = "mean",
        mode: Annotated[str, Choice("Which way.", ("up", "down"), label="direction")] = "up",
        loud: Annotated[bool, Flag("Whether.")] = False,
        *,
        device: str = "auto",
    ):
        self.values = {"n_things": n_things, "sigma": sigma, "mode": mode, "loud": loud}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return self.values


@pytest.mark.parametrize("value", [1e-300, 1, 2.5, np.float32(3), np.int64(4), Fraction(1, 3)])
def test_real_numbers_inside_the_domain_are_accepted(value: Any) -> None:
    assert WIDTH.accepts(value)


@pytest.mark.parametrize(
    "value", [0, -1.0, nan, inf, -inf, True, np.True_, "median", None, 1j, [1], np.ones(1), 10**400]
)
def test_everything_else_is_refused(value: Any) -> None:
    assert WIDTH.accepts(value) is False


def test_the_ends_belong_to_the_domain_unless_said_otherwise() -> None:
    closed = Number("", valid=(0, 1), shown=(0, 1))
    open_below = Number("", valid=(0, 1), shown=(0.1, 1), above=True)
    assert closed.accepts(0) and closed.accepts(1) and open_below.accepts(1)
    assert not open_below.accepts(0) and not closed.accepts(1 + 1e-15)


@pytest.mark.parametrize(
    ("value", "fits"), [(5, True), (np.int32(5), True), (5.0, False), (np.float64(5), False)]
)
def test_a_whole_number_is_not_a_float_that_looks_like_one(value: Any, fits: bool) -> None:
    assert Number("", valid=(1, 10), shown=(1, 10)).accepts(value, int) is fits


@pytest.mark.parametrize("text", ["mean", "0.5 mean", "2 mean", "1e-3 mean"])
def test_rules_may_be_scaled_where_factors_are_declared(text: str) -> None:
    assert SCALED.accepts(text)
    assert WIDTH.accepts(text) is (text == "mean")


@pytest.mark.parametrize("text", ["0 mean", "-1 mean", "nan mean", "inf mean", "two mean", "2", ""])
def test_factors_are_positive_finite_numbers(text: str) -> None:
    assert not SCALED.accepts(text)


def test_none_is_a_rule_only_where_it_is_listed() -> None:
    assert SCALED.accepts(None) and not WIDTH.accepts(None) and not SCALED.accepts("2 None")


def test_a_rule_is_split_into_factor_and_word() -> None:
    assert split_rule("mean") == (1.0, "mean")
    assert split_rule("0.25 median") == (0.25, "median")
    with pytest.raises(ValueError):
        split_rule("half mean")


@pytest.mark.parametrize(
    ("shown", "log"),
    [
        ((0.25, 4), True),
        ((0.125, 8), True),  # two digits would round .125 out of the range
        ((1e-8, 1e-2), True),
        ((0.01, 0.99), False),
        ((0, 0.9999), False),  # three digits would round .9999 out of the range
        ((-1.2345678, 1234567.5), False),
        ((3.0, 3.0), False),
    ],
)
@pytest.mark.parametrize("count", [2, 5, 25])
def test_a_grid_stays_in_the_shown_range_and_holds_its_ends(
    shown: tuple[float, float], log: bool, count: int
) -> None:
    grid = Number("", valid=(-inf, inf), shown=shown, log=log).grid(float, count)
    assert grid[0] == shown[0] and grid[-1] == shown[1]
    assert grid == sorted(set(grid)) and len(grid) <= count
    assert all(type(v) is float for v in grid)


def test_a_log_grid_grows_by_nearly_equal_factors() -> None:
    grid = np.array(Number("", (0, inf), (0.01, 100), log=True).grid(float, 9))
    np.testing.assert_allclose(grid[1:] / grid[:-1], 10**0.5, rtol=0.02)


def test_a_grid_of_whole_numbers_is_whole_and_repeats_nothing() -> None:
    grid = Number("", (1, 100), (1, 10), log=True).grid(int, 25)
    assert all(type(v) is int for v in grid)
    assert grid == list(range(1, 11))


def test_choices_compare_value_and_type() -> None:
    choice = Choice("", (None, "up", 1))
    assert choice.accepts("up") and choice.accepts(None) and choice.accepts(1)
    assert not any(choice.accepts(v) for v in ("left", True, 1.0, np.ones(2)))
    assert choice.grid() == [None, "up", 1]


def test_flags_are_truth_values_and_nothing_else() -> None:
    flag = Flag("")
    assert flag.accepts(True) and flag.accepts(np.False_)
    assert not flag.accepts(1) and not flag.accepts("yes") and flag.grid() == [False, True]


def test_declarations_are_read_in_the_order_of_the_signature() -> None:
    declared = params_of(Method)
    assert [(p.name, p.kind, p.default) for p in declared] == [
        ("n_things", int, 5),
        ("sigma", float, "mean"),
        ("mode", str, "up"),
        ("loud", bool, False),
    ]
    assert all(p.accepts(p.default) and all(map(p.accepts, p.grid())) for p in declared)


def test_fields_of_dataclasses_are_read_and_inherited_ones_come_first() -> None:
    @dataclass
    class Base:
        n: Annotated[int, Number("", (1, 9), (1, 9))] = 3
        _: KW_ONLY
        device: str = "auto"

    @dataclass
    class Derived(Base):
        loud: Annotated[bool, Flag("")] = False
        n: Annotated[int, Number("", (1, 99), (1, 99))] = 50

    found = params_of(Derived)
    assert [(p.name, p.default) for p in found] == [("n", 50), ("loud", False)]
    assert found[0].accepts(99) and params_of(Base)[0].default == 3


def test_titles_are_words_and_the_letter_of_the_papers() -> None:
    titles = {p.name: p.title for p in params_of(Method)}
    assert titles == {
        "n_things": "Things (k)",
        "sigma": "Sigma",
        "mode": "Direction",
        "loud": "Loud",
    }


def test_the_table_has_a_row_for_every_parameter() -> None:
    head, rule, *rows = docs_table(Method).splitlines()
    assert head.count("|") == rule.count("|") == 6
    assert all(row.count("|") == 6 for row in rows)
    assert rows[0] == "| `n_things` | k | `5` | [1, 100] | How many. |"
    assert [row.split("`")[1] for row in rows] == [p.name for p in params_of(Method)]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"n_things": 0}, "Method: n_things=0 is not a whole number in [1, 100]"),
        (
            {"sigma": -1},
            "Method: sigma=-1 is not in (0, inf) or 'mean' or None"
            " or a multiple such as '0.5 mean'",
        ),
        ({"n_things": 2.0}, "Method: n_things=2.0 is not a whole number in [1, 100]"),
        ({"mode": "left"}, "Method: mode='left' is not in 'up' or 'down'"),
        ({"loud": 1}, "Method: loud=1 is not in True or False"),
    ],
)
def test_a_wrong_value_is_named_with_its_domain(wrong: dict[str, Any], sentence: str) -> None:
    for check in (lambda: check_values(Method, wrong), lambda: check_params(Method(**wrong))):
        with pytest.raises(ValueError) as raised:
            check()
        assert str(raised.value) == sentence


def test_functions_are_checked_like_classes() -> None:
    def draw(n: Annotated[int, Number("", (1, 9), (1, 9))] = 3) -> int:
        return n

    check_values(draw, {"n": 9})
    with pytest.raises(ValueError, match=r"draw: n=10 is not a whole number in \[1, 9\]"):
        check_values(draw, {"n": 10})


def test_stops_are_the_values_of_a_slider() -> None:
    pull = Number("Pull.", valid=(0, 1.2), shown=(0.1, 1.2), stops=(0.1, 0.99, 1.0, 1.2))
    assert pull.grid() == [0.1, 0.99, 1.0, 1.2] and pull.accepts(0.5)
