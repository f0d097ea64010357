"""Median times of repeated runs, and whether a target is met.

Runs of competitors alternate, so that other load on the machine affects all alike.
"""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any


def medians(*runs: Callable[[], Any], rounds: int = 3) -> list[float]:
    """Median seconds of each function, called in turn."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for place, run in enumerate(runs):
            start = perf_counter()
            run()
            times[place].append(perf_counter() - start)
    return [median(t) for t in times]


def verdict(met: bool) -> str:
    """ "ok" if a target is met, "short" otherwise."""
    return "ok" if met else "short"
