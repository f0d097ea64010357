"""Parameters, declared once: as fields of an estimator, or arguments of a function.

Name, type and default are Python's; the meaning and the valid values are beside them in
``Annotated``. Validation, sliders, links, the table of the docs and benchmark grids read this:

    sigma: Annotated[float | str, Number("Kernel width.", valid=(0, inf), shown=(0.1, 10),
                                         log=True, above=True, rules=("mean",))] = "mean"

A number has two ranges: `valid` is what the mathematics allows, `shown` what a slider offers. It
may also take names of rules, alone or with a factor: "mean", "0.5 mean".
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from math import isfinite, log10
from numbers import Integral, Real
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np


@dataclass(frozen=True)
class Number:
    """A number: `valid` bounds what is accepted, `shown` what a slider offers.

    `above` excludes the lower end of `valid`. `rules` are words accepted instead of a number; with
    `factors` they may be scaled ("0.5 mean") and the slider then moves the factor, within `shown`.
    `stops` are the values of the slider where neither even nor log-even steps suit.
    `label` and `symbol` are the title of its control: words, and the letter of the papers.
    `advanced` parameters are folded away in the app.
    """

    help: str
    valid: tuple[float, float]
    shown: tuple[float, float]
    log: bool = False
    above: bool = False
    rules: tuple[str | None, ...] = ()
    factors: bool = False
    stops: tuple[float, ...] = ()
    label: str = ""
    symbol: str = ""
    advanced: bool = False

    @classmethod
    def width(
        cls,
        help: str,
        rules: tuple[str, ...],
        shown: tuple[float, float] = (0.25, 4),
        label: str = "kernel width",
        symbol: str = "σ",
        advanced: bool = False,
    ) -> "Number":
        """The width of a Gaussian: positive, or a multiple of a rule such as "0.5 mean"."""
        return cls(help, (0, np.inf), shown, True, True, rules, True, (), label, symbol, advanced)

    @property
    def domain(self) -> str:
        low, high = self.valid
        ends = f"{'(' if self.above else '['}{low:g}, {high:g}{')' if high == np.inf else ']'}"
        words = [repr(rule) for rule in self.rules]
        scaled = [f"a multiple such as '0.5 {self.rules[0]}'"] if self.factors else []
        return " or ".join([ends, *words, *scaled])

    def accepts(self, value: Any, kind: type = float) -> bool:
        if value is None or isinstance(value, str):
            return value in self.rules or (self.factors and self._accepts_factor(value))
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
            return False
        if kind is int and not isinstance(value, Integral):
            return False
        low, high = self.valid
        try:
            number = float(value)
        except OverflowError:
            return False
        enough = low < number if self.above else low <= number
        return isfinite(number) and enough and number <= high

    def _accepts_factor(self, text: str | None) -> bool:
        try:
            factor, rule = split_rule(text or "")
        except ValueError:
            return False
        return rule in self.rules and isfinite(factor) and factor > 0

    def grid(self, kind: type = float, count: int = 25) -> list[Any]:
        """Values over the shown range, evenly or log-evenly spaced, rounded to read well."""
        if self.stops:
            return list(self.stops)
        low, high = self.shown
        if not self.log:
            values = np.linspace(low, high, count)
        else:
            values = np.geomspace(low, high, count)
        if kind is int:
            return sorted({round(v) for v in values})
        digits = 2 if self.log else 3 - int(np.ceil(log10(max(abs(low), abs(high), 1e-300))))
        if self.log:
            rounded = {float(f"{v:.{digits}g}") for v in values[1:-1]}
        else:
            rounded = {round(float(v), digits) for v in values[1:-1]}
        # Rounding must neither leave the shown range nor lose its ends.
        return sorted({float(low), *(v for v in rounded if low < v < high), float(high)})


@dataclass(frozen=True)
class Choice:
    """One word out of `valid`; `explained` holds their meanings in the same order.

    `titles` are what buttons show instead of the words, in the same order.
    """

    help: str
    valid: tuple[Any, ...]
    explained: tuple[str, ...] = ()
    label: str = ""
    symbol: str = ""
    advanced: bool = False
    titles: tuple[str, ...] = ()

    @property
    def domain(self) -> str:
        return " or ".join(repr(v) for v in self.valid)

    def accepts(self, value: Any, kind: type = str) -> bool:
        return any(value is v or (type(value) is type(v) and value == v) for v in self.valid)

    def grid(self, kind: type = str, count: int = 25) -> list[Any]:
        return list(self.valid)


@dataclass(frozen=True)
class Flag:
    """Yes or no."""

    help: str
    label: str = ""
    symbol: str = ""
    advanced: bool = False
    domain: str = "True or False"

    def accepts(self, value: Any, kind: type = bool) -> bool:
        return isinstance(value, (bool, np.bool_))

    def grid(self, kind: type = bool, count: int = 25) -> list[Any]:
        return [False, True]


class Param(NamedTuple):
    """One declared parameter of a class or function."""

    name: str
    default: Any
    kind: type  # int, float, bool or str: what a number or word is converted to
    spec: Number | Choice | Flag

    @property
    def title(self) -> str:
        """The title of a control: words, then the letter of the papers."""
        words = self.spec.label or self.name.removeprefix("n_").replace("_", " ")
        words = words[0].upper() + words[1:]
        return f"{words} ({self.spec.symbol})" if self.spec.symbol else words

    def accepts(self, value: Any) -> bool:
        return self.spec.accepts(value, self.kind)

    def grid(self, count: int = 25) -> list[Any]:
        return self.spec.grid(self.kind, count)


def params_of(what: type | Callable) -> tuple[Param, ...]:
    """The declared parameters of an estimator class or a function, in signature order."""
    function = what.__init__ if isinstance(what, type) else what  # type: ignore[misc]
    hints = get_type_hints(function, include_extras=True)
    arguments = signature(function).parameters
    declared = {n: get_args(h) for n, h in hints.items() if get_origin(h) is Annotated}
    return tuple(
        Param(name, arguments[name].default, _value_type(annotated[0]), annotated[1])
        for name, annotated in declared.items()
    )


def _value_type(annotation: Any) -> type:
    """The type of a value: int for `int | str`, a number that may also be a rule."""
    options = get_args(annotation) or (annotation,)
    return next((kind for kind in (bool, int, float, str) if kind in options), str)


def check_params(estimator: Any) -> None:
    """Raise ValueError, naming parameter and domain, for a value outside its domain."""
    check_values(type(estimator), estimator.get_params(deep=False))


def check_values(what: type | Callable, values: dict[str, Any]) -> None:
    """Raise ValueError for an argument of a declared function outside its domain."""
    for p in params_of(what):
        value = values.get(p.name, p.default)
        if not p.accepts(value):
            whole = "a whole number in " if isinstance(p.spec, Number) and p.kind is int else "in "
            raise ValueError(f"{what.__name__}: {p.name}={value!r} is not {whole}{p.spec.domain}")


def split_rule(text: str) -> tuple[float, str]:
    """The factor and the word of a rule: "mean" is (1, "mean"), "0.5 mean" is (0.5, "mean")."""
    factor, _, rule = text.rpartition(" ")
    return (float(factor) if factor else 1.0), rule


def docs_table(what: type | Callable) -> str:
    """The declared parameters as a Markdown table."""
    rows = [
        f"| `{p.name}` | {p.spec.symbol} | `{p.default!r}` | {p.spec.domain} | {p.spec.help} |"
        for p in params_of(what)
    ]
    head = ["| parameter | symbol | default | values | meaning |", "|---|---|---|---|---|"]
    return "\n".join(head + rows)
