"""Milliseconds of computation when one slider moves and the graph is in memory.

    python -m benchmarks.stages

A page keeps stages in a Memo. Moving σ or α must solve again but not search neighbours; moving k
shortens the stored lists. The log of the memo tells whether the graph was reused. Two fits come
first and are not timed: they build the graph and load the libraries.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.timing import medians, verdict
from sslviz import LabelPropagation, LabelSpreading, data
from sslviz.labels import hide
from sslviz.memo import Memo

MAX_MILLISECONDS = {2_000: 50.0, 10_000: 1000.0}  # milliseconds
ROUNDS, LARGE_ROUNDS = 5, 2  # for sizes without target, which take long
# One new value of each slider per round.
MOVES: tuple[tuple[type, str, list[Any]], ...] = (
    (LabelPropagation, "sigma", ["0.5 mean", "0.7 mean", "1.4 mean", "2 mean", "3 mean"]),
    (LabelPropagation, "n_neighbors", [6, 8, 10, 15, 20]),
    (LabelSpreading, "sigma", ["0.5 mean", "0.7 mean", "1.4 mean", "2 mean", "3 mean"]),
    (LabelSpreading, "alpha", [0.5, 0.7, 0.8, 0.95, 0.99]),
    (LabelSpreading, "n_neighbors", [6, 8, 12, 15, 20]),
)


def main() -> None:
    rounds = f"{ROUNDS} ({LARGE_ROUNDS} at 70 000)"
    print(f"moving a slider with the graph in memory, ms, median of {rounds}")
    print(f"{'set':10} {'n':>6}  {'method':16} {'moved':12} {'ms':>7}  {'target':>12}  graph")
    for name, n in sizes():
        dataset = data.load(name, n_samples=n)
        measure(name, dataset.X, hide(dataset.y, per_class=10, random_state=0))


def sizes() -> list[tuple[str, int]]:
    digits = ["mnist"] if "mnist" in data.names() else []
    return [("two_moons", n) for n in (2_000, 10_000, 70_000)] + [
        (name, n) for name in digits for n in (2_000, 10_000)
    ]


def measure(name: str, X: np.ndarray, y: np.ndarray) -> None:
    memo = Memo()
    for cls in (LabelPropagation, LabelSpreading):
        cls(memory=memo).fit(X, y)
    for cls, moved, values in MOVES:
        settings, target = iter(values), MAX_MILLISECONDS.get(len(X))
        rounds = ROUNDS if target else LARGE_ROUNDS
        with memo.watch() as stages:
            (seconds,) = medians(fitting(cls, moved, settings, memo, X, y), rounds=rounds)
        kept = all(stage.reused for stage in stages if stage.name == "neighbours")
        ms = 1e3 * seconds
        aim = f"<= {target:4g} {verdict(ms <= target)}" if target else "none"
        print(
            f"{name:10} {len(X):6}  {cls.__name__:16} {moved:12} {ms:7.1f}  {aim:>12}  "
            f"{'reused' if kept else 'REBUILT'}",
            flush=True,
        )


def fitting(
    cls: type, moved: str, settings: Any, memo: Memo, X: np.ndarray, y: np.ndarray
) -> Callable[[], Any]:
    """A fit with the next value of the slider."""
    return lambda: cls(**{moved: next(settings)}, memory=memo).fit(X, y)


if __name__ == "__main__":
    main()
