"""A table small enough for tests: methods that predict one class everywhere, on wine."""

import io
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from sslviz.executor import connect
from sslviz.experiments.runner import TableRun, run
from sslviz.experiments.table import Known, Row, Table, TableMethod
from sslviz.labels import UNLABELLED

fits: list[tuple[bytes, object]] = []  # what Majority was fitted on, and with which memory
WINE = Row("wine (6, 60)", "wine", per_class=2, unlabelled=60, paper={"all 1": Known(0.35, 0.02)})
IRIS = Row("iris", "iris", per_class=2)


class Majority(BaseEstimator):
    """Predicts one class everywhere, or raises an error."""

    def __init__(self, says=0, broken=False, memory=None):
        self.says, self.broken, self.memory = says, broken, memory

    def fit(self, X, y):
        fits.append((X.tobytes(), self.memory))
        if self.broken:
            raise RuntimeError("out of order")
        self.transduction_ = np.where(y == UNLABELLED, self.says, y)
        return self

    def predict(self, X):
        return np.full(len(X), self.says)


def always(label: int, title: str = "", **params: Any) -> TableMethod:
    return TableMethod(title or f"all {label}", f"{__name__}:Majority", {"says": label, **params})


def tiny(*methods: TableMethod, rows: tuple[Row, ...] = (WINE,), **settings: Any) -> Table:
    columns = methods or (always(1), always(0))
    return Table("tiny", "two constants", "nobody, 2020", rows, columns, **{"draws": 3} | settings)


def quietly(table: Table, out: Path, **options: Any) -> TableRun:
    """Run a table in this process, unless another executor is given, without progress."""
    return run(table, out=out, stream=io.StringIO(), **{"executor": connect(workers=0)} | options)
