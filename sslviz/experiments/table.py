"""Declaration of a paper's table: data sets, methods, protocol, and the published numbers.

Nothing is computed here. Methods are written "module:Class" and imported when they run, so that
tables can be listed without importing torch.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from sslviz.content_hash import digest
from sslviz.data.preprocess import check

NEAREST_LABEL = "sslviz.nearest_label:NearestLabel"  # 1-NN, in most tables


class Known(NamedTuple):
    """An accuracy from a paper or another implementation."""

    mean: float
    std: float | None = None


@dataclass(frozen=True)
class TableMethod:
    """A method of the table: an estimator with its parameters."""

    title: str
    estimator: str  # "sslviz:LabelPropagation"
    params: Mapping[str, Any] = field(default_factory=dict)
    definition: str = ""  # how well its definition is known, where papers leave gaps


@dataclass(frozen=True)
class Row:
    """A data set and how points are drawn from it.

    Labelled points are chosen in one of four ways: `per_class` points of each class, `labelled`
    points in all or a `fraction` of them, at random with at least one of each class; or by the
    `split` that came with the data ("10": draw i takes its i-th split with 10 labels). With
    `labelled=0` there are none, for clustering. `unlabelled` others are drawn at random, or
    `unlabelled_per_class` of each class; otherwise all are used.

    `test` keeps points out of the fit: a number per class, or the "rest". With `train`, only this
    share of the data is used for fitting and the rest for testing. With `pool`, everything is drawn
    from a part of the data: its official "train" part, or the first `pool` points of each class.

    `options` are those of `data.load`; `drop_smallest` classes are left out, then the whole set is
    preprocessed (data/preprocess.py). `paper` and `reference` hold known accuracies by method on
    the unlabelled points, `paper_test` and `reference_test` those on the test points.
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
        choices = (self.per_class, self.labelled, self.fraction, self.split)
        if sum(choice is not None for choice in choices) != 1:
            raise ValueError(f"{self.title}: give one of per_class, labelled, fraction and split")
        if None not in (self.unlabelled, self.unlabelled_per_class):
            raise ValueError(f"{self.title}: give unlabelled or unlabelled_per_class, not both")
        if self.train is not None and self.test is None:
            raise ValueError(
                f"{self.title}: train={self.train} leaves the rest for testing, give test"
            )
        check(self.prepare)
        if isinstance(self.test, str) and self.test != "rest":
            raise ValueError(f"{self.title}: test={self.test!r} is neither a number nor 'rest'")
        if isinstance(self.pool, str) and self.pool != "train":
            raise ValueError(f"{self.title}: pool={self.pool!r} is neither a number nor 'train'")

    def protocol(self) -> dict[str, Any]:
        """Everything that decides which points are drawn, without titles and published numbers."""
        left_out = {"title", "note", "paper", "reference", "paper_test", "reference_test"}
        if self.pool is None:  # results stored before there were pools keep their names
            left_out.add("pool")
        named = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in left_out}
        return named | {"options": dict(self.options)}


@dataclass(frozen=True)
class Table:
    """Rows × methods × draws.

    With `shared`, the methods of one draw share stages such as its graph; otherwise each fit starts
    from X, and seconds can be compared.
    """

    name: str
    title: str
    source: str
    rows: tuple[Row, ...]
    methods: tuple[TableMethod, ...]
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
        """All cells, those of one draw next to each other."""
        for row in self.rows:
            for seed in range(draws):
                for method in self.methods:
                    yield Cell(row, method, seed)


class Cell(NamedTuple):
    """One method on one draw of one data set: the unit of work and of storage."""

    row: Row
    method: TableMethod
    seed: int

    def declaration(self) -> dict[str, Any]:
        """Everything the result depends on, without titles and published numbers."""
        return {
            **self.row.protocol(),
            "estimator": self.method.estimator,
            "params": dict(self.method.params),
            "seed": self.seed,
        }

    @property
    def file_name(self) -> str:
        """Readable parts, then a hash of the declaration."""
        declaration = self.declaration()
        estimator = self.method.estimator.rpartition(":")[2]
        return f"{self.row.dataset}-{estimator}-{self.seed}-{digest(declaration)[:16]}.json"
