"""A paper's table in one declaration: sets, methods, protocol, and the numbers it prints.

Nothing here computes. Methods are named "module:Class" and imported when they are run, so that a
declaration can be listed and shown without torch.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from sslviz.content_hash import digest
from sslviz.data.preprocess import check


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

    Labels are given in one of four ways: to `per_class` points of each class, to `labelled` points
    in all or to a `fraction` of them, at least one of each class, at random; or by the `split` that
    came with the set ("10": the first draw takes its first split at 10 labels, and so on). With
    `labelled=0` there are none, for clusterings. `unlabelled` others are drawn at random, or
    `unlabelled_per_class` of each class; else all.

    `test` sets points aside that the method does not see: so many of each class, or the "rest".
    With `train`, only this share of the set can be drawn, and its rest is for the test. With
    `pool`, everything is drawn from a part of the set: its official "train" part, or the first so
    many points of each class.

    `options` are those of `data.load`; `drop_smallest` classes are left out, then the whole set is
    prepared (data/preprocess.py). `paper` and `reference` hold known accuracies by method on the
    unlabelled points, `paper_test` and `reference_test` those on the points set aside.
    """

    title: str
    dataset: str
    per_class: int | None = None
    labelled: int | None = None
    fraction: float | None = None
    split: str | None = None
    unlabelled: int | None = None
    unlabelled_per_class: int | None = None
    train: float | None = None
    test: int | str | None = None
    pool: int | str | None = None
    drop_smallest: int = 0
    prepare: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    paper: Mapping[str, Known] = field(default_factory=dict)
    reference: Mapping[str, Known] = field(default_factory=dict)
    paper_test: Mapping[str, Known] = field(default_factory=dict)
    reference_test: Mapping[str, Known] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        ways = (self.per_class, self.labelled, self.fraction, self.split)
        if sum(way is not None for way in ways) != 1:
            raise ValueError(f"{self.title}: give one of per_class, labelled, fraction and split")
        if None not in (self.unlabelled, self.unlabelled_per_class):
            raise ValueError(f"{self.title}: give unlabelled or unlabelled_per_class, not both")
        if self.train is not None and self.test is None:
            raise ValueError(f"{self.title}: train={self.train} leaves points over, give test")
        check(self.prepare)
        if isinstance(self.test, str) and self.test != "rest":
            raise ValueError(f"{self.title}: test={self.test!r} is neither a number nor 'rest'")
        if isinstance(self.pool, str) and self.pool != "train":
            raise ValueError(f"{self.title}: pool={self.pool!r} is neither a number nor 'train'")

    def protocol(self) -> dict[str, Any]:
        """All that decides which points are drawn; titles and others' numbers do not."""
        told = {"title", "note", "paper", "reference", "paper_test", "reference_test"}
        told |= {"pool"} if self.pool is None else set()  # results stored before there were pools
        named = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in told}
        return named | {"options": dict(self.options)}


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
            known = {*row.paper, *row.reference, *row.paper_test, *row.reference_test}
            for title in known.difference(titles):
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
        return {
            **self.row.protocol(),
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
