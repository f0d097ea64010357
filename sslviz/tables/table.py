"""A paper's table in one declaration: sets, methods, protocol, and the numbers it prints.

Nothing here computes. Methods are named "module:Class" and imported when they are run, so that a
declaration can be listed and shown without torch.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sslviz.digest import digest


class Known(NamedTuple):
    """A number somebody else has found."""

    mean: float
    std: float | None = None


@dataclass(frozen=True)
class Method:
    """A column: an estimator with its parameters."""

    title: str
    estimator: str  # "sslviz:LabelPropagation"
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A set and how points are drawn from it.

    Labels are given to `per_class` points of each class, or to `labelled` points in all, at least
    one of each class; both at random. `unlabelled` others are drawn at random, None takes them all.
    `options` are those of `data.load`. `paper` and `reference` hold known accuracies by method.
    """

    title: str
    dataset: str
    per_class: int | None = None
    labelled: int | None = None
    unlabelled: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    paper: Mapping[str, Known] = field(default_factory=dict)
    reference: Mapping[str, Known] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        if (self.per_class is None) == (self.labelled is None):
            raise ValueError(f"{self.title}: give either per_class or labelled")


@dataclass(frozen=True)
class Table:
    """Rows × methods × draws.

    With `shared`, the methods of one draw share its graph; without, each fit starts from X and its
    seconds can be compared.
    """

    name: str
    title: str
    source: str
    rows: tuple[Row, ...]
    methods: tuple[Method, ...]
    draws: int = 5
    shared: bool = True

    def __post_init__(self) -> None:
        titles = [method.title for method in self.methods]
        for kind, found in (("method", titles), ("row", [row.title for row in self.rows])):
            if len(set(found)) < len(found):
                raise ValueError(f"{self.name}: two {kind}s have the same title, of {found}")
        for row in self.rows:
            for title in {*row.paper, *row.reference}.difference(titles):
                raise ValueError(f"{self.name}, {row.title}: {title!r} is not one of {titles}")

    def cells(self, draws: int) -> Iterator["Cell"]:
        """Every cell, those of one draw next to each other."""
        for row in self.rows:
            for seed in range(draws):
                for method in self.methods:
                    yield Cell(row, method, seed)


class Cell(NamedTuple):
    """One method on one draw of one set: the unit of work, and of what is stored."""

    row: Row
    method: Method
    seed: int

    def declaration(self) -> dict[str, Any]:
        """All that the result depends on; titles and other people's numbers are not part of it."""
        row = self.row
        return {
            "dataset": row.dataset,
            "options": dict(row.options),
            "per_class": row.per_class,
            "labelled": row.labelled,
            "unlabelled": row.unlabelled,
            "estimator": self.method.estimator,
            "params": dict(self.method.params),
            "seed": self.seed,
        }

    @property
    def file_name(self) -> str:
        """Readable at the front, unmistakable at the end."""
        declaration = self.declaration()
        estimator = self.method.estimator.rpartition(":")[2]
        return f"{self.row.dataset}-{estimator}-{self.seed}-{digest(declaration)[:16]}.json"
