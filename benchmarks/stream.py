"""Streams: milliseconds per arrival, and a million points in constant memory.

    python -m benchmarks.stream

The target is 5 ms per point with 50 centroids, 100 labels and 784 dimensions. For comparison the
offline methods are fitted again at every arrival on labels, centroids (without multiplicities) and
the new point.
"""

import resource
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.timing import medians, verdict
from sslviz import (
    DoublingCover,
    LabelPropagation,
    OnlineQLP,
    OnlineQRLP,
    RobustLabelPrediction,
    TemporalLabelPropagation,
    data,
)
from sslviz.data.drift import batches, turning_moons
from sslviz.labels import hide

MAX_MILLISECONDS, ARRIVALS_TIMED, HUBS = 5.0, 300, 25  # milliseconds; points timed
STREAM_LENGTH, CHUNK, MAX_GROWTH = 1_000_000, 10_000, 8.0  # points, points at a time, megabytes


def main() -> None:
    digits()
    million()


def digits() -> None:
    name = "mnist" if "mnist" in data.names() else "gaussians"
    X, y = problem(name)
    compare(TemporalLabelPropagation(), LabelPropagation, name, X, y)
    for merge in ("doubling", "lazy"):
        compare(OnlineQLP(merge=merge), LabelPropagation, name, X, y)
        compare(OnlineQRLP(n_hubs=HUBS, merge=merge), RobustLabelPrediction, name, X, y)


def compare(model: Any, Offline: type, name: str, X: np.ndarray, y: np.ndarray) -> None:
    model.partial_fit(X[:150], y[:150])
    arrivals = iter(X[150:])
    model.observe(next(arrivals))  # compile first
    refit(model, Offline, X[-1])
    ours, theirs = medians(
        lambda: model.observe(next(arrivals)),
        lambda: refit(model, Offline, X[-1]),
        rounds=ARRIVALS_TIMED,
    )
    print(
        f"{model}, {name}, d={X.shape[1]}, l=100, n_c=50 "
        f"({len(model.centroids_)} in the end): {1000 * ours:.2f} ms per point "
        f"(<= {MAX_MILLISECONDS:g} ms {verdict(1000 * ours <= MAX_MILLISECONDS)}); refitting "
        f"{Offline.__name__} on the summary {1000 * theirs:.1f} ms, ratio {theirs / ours:.1f}",
        flush=True,
    )


def problem(name: str) -> tuple[np.ndarray, np.ndarray]:
    """100 labelled points, then the stream."""
    d = data.load(name, n_samples=150 + 4 * ARRIVALS_TIMED, random_state=0)
    y = hide(d.y, per_class=100 // d.n_classes, random_state=0)
    order = np.argsort(y == -1, kind="stable")
    return d.X[order].astype(np.float64), y[order]


def refit(model: Any, Offline: type, x: np.ndarray) -> None:
    X = np.vstack([model.labelled_points_, model.centroids_, x])
    unlabelled = len(X) - len(model.labelled_classes_)
    y = np.append(model.labelled_classes_, np.full(unlabelled, -1))
    hubs = {"n_hubs": min(HUBS, unlabelled)} if Offline is RobustLabelPrediction else {}
    Offline(**hubs).fit(X, y)


def million() -> None:
    for merge in ("doubling", "lazy"):
        told("cover alone", merge, DoublingCover(merge=merge), lambda m, X, y: m.partial_fit(X))
        for Method in (OnlineQLP, OnlineQRLP):
            told(f"{Method.__name__}, one answer in 1000", merge, Method(merge=merge), answer_some)


def told(what: str, merge: str, model: Any, step: Callable) -> None:
    pieces = stream()
    first = next(pieces)
    step(model, *first)
    before, start = peak(), perf_counter()
    for X, y in pieces:
        step(model, X, y)
    seconds, grown = perf_counter() - start, peak() - before
    seen = getattr(model, "cover_", model).n_seen_
    print(
        f"{what}, {merge}, {seen} points in the plane: {seconds:.1f} s, peak memory "
        f"+{grown:.1f} MB (<= {MAX_GROWTH:g} MB {verdict(grown <= MAX_GROWTH)})",
        flush=True,
    )


def stream() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """A million points of turning moons in chunks; the first 100 are labelled."""
    for piece in range(STREAM_LENGTH // CHUNK):
        d = turning_moons(n_samples=CHUNK, turns=0.0, random_state=piece)
        for X, y in batches(d, CHUNK):
            yield X, np.where(np.arange(CHUNK) < (100 if piece == 0 else 0), y, -1)


def answer_some(model: Any, X: np.ndarray, y: np.ndarray) -> None:
    model.partial_fit(X[:-10], y[:-10])
    for x in X[-10:]:
        model.observe(x)


def peak() -> float:
    """Peak memory of this process in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
