"""Medians of repeated runs, and lines that say whether a target is met.

The median is what one meets; runs of competitors alternate, so that other work on the machine hits
both alike.
"""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any


def medians(*runs: Callable[[], Any], rounds: int = 3) -> list[float]:
    """Seconds of each, taking turns."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for place, run in enumerate(runs):
            start = perf_counter()
            run()
            times[place].append(perf_counter() - start)
    return [median(t) for t in times]


def verdict(met: bool) -> str:
    return "ok" if met else "short"
