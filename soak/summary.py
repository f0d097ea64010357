"""What a soak found: latencies by page, errors, memory, CPU and bytes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from soak.session import PATIENCE, Record
from soak.visitors import Soak

PART = 0.2  # of the time; memory is compared from the second part on: the first is the warm-up


def percentiles(values: Iterable[float]) -> dict[str, float]:
    """Median, 95th percentile and maximum."""
    found = np.array(list(values))
    if not len(found):
        return {}
    middle, high = np.percentile(found, [50, 95])
    return {"median": float(middle), "p95": float(high), "max": float(found.max())}


def latencies(records: Sequence[Record]) -> dict[str, Any]:
    """Numbers of some moves. Without an answer, a move counts as long as we waited for it."""
    moves = [r for r in records if r.kind != "open"]
    opened = [r for r in records if r.kind == "open"]
    return {
        "opens": len(opened),
        "moves": len(moves),
        "open": percentiles(_finish(r) for r in opened),
        "first": percentiles(r.first if r.first is not None else PATIENCE for r in moves),
        "finish": percentiles(_finish(r) for r in moves),
        "kilobytes": float(np.mean([r.bytes for r in records])) / 1000 if records else 0.0,
        "errors": Counter(r.error for r in records if r.error),
    }


def _finish(record: Record) -> float:
    return record.finish if record.finish is not None else PATIENCE


def summary(soak: Soak) -> dict[str, Any]:
    """Everything that is printed and kept: for all pages, by page, and of the server."""
    pages: dict[str, list[Record]] = defaultdict(list)
    for record in soak.records:
        pages[record.page].append(record)
    return {
        "all": latencies(soak.records),
        "pages": {page: latencies(pages[page]) for page in sorted(pages)},
        "server": of_server(soak.samples),
        "exceptions": Counter(soak.exceptions),
    }


def of_server(samples: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Cores used by the server, by this client and by others; memory and its growth."""
    first, last = samples[0], samples[-1]
    seconds = max(last["at"] - first["at"], 1e-9)

    def cores(name: str) -> float:
        return float(last[name] - first[name]) / seconds

    found = {"seconds": seconds, "client_cores": cores("client"), "load": last["load"]}
    if "cpu" not in last:
        return found
    warm = _mean_memory(samples, first["at"] + PART * seconds, first["at"] + 2 * PART * seconds)
    end = _mean_memory(samples, last["at"] - PART * seconds, last["at"])
    return found | {
        "cores": cores("cpu"),
        "other_cores": cores("busy") - cores("cpu") - cores("client"),
        "memory_warm": warm,
        "memory_end": end,
        "memory_most": max(s["memory"] for s in samples),
        "growth": end / warm - 1,
        "processes": last["processes"],
    }


def _mean_memory(samples: Sequence[dict[str, Any]], begin: float, end: float) -> float:
    """Mean of the samples between two moments: single results that come or go count little."""
    found = [s["memory"] for s in samples if begin <= s["at"] <= end]
    return float(np.mean(found or [samples[-1]["memory"]]))


def as_text(found: dict[str, Any]) -> str:
    """The table that is printed."""
    lines = [
        f"{'page':32} {'opens':>5} {'open':>6} {'moves':>5} {'first':>6} {'p95':>6}"
        f" {'finish':>6} {'p95':>6} {'max':>6} {'kB':>6} errors"
    ]
    lines += [_row(page, values) for page, values in found["pages"].items()]
    lines.append(_row("all", found["all"]))
    s = found["server"]
    if "cores" in s:
        lines.append(
            f"server {s['cores']:.2f} cores, client {s['client_cores']:.2f}, others "
            f"{s['other_cores']:.2f}; memory {s['memory_warm']:.0f} → {s['memory_end']:.0f} MB "
            f"(second fifth → last fifth: {s['growth']:+.0%}; at most {s['memory_most']:.0f}), "
            f"{s['processes']:.0f} processes; load {s['load']:.1f}, {s['seconds']:.0f} s"
        )
    lines += [f"exception × {count}: {text}" for text, count in found["exceptions"].items()]
    return "\n".join(lines)


def _row(name: str, v: dict[str, Any]) -> str:
    def number(kind: str, part: str) -> str:
        return f"{v[kind][part]:6.2f}" if part in v[kind] else "     –"

    errors = ", ".join(f"{kind} × {count}" for kind, count in v["errors"].items())
    return (
        f"{name:32} {v['opens']:5} {number('open', 'median')} {v['moves']:5}"
        f" {number('first', 'median')} {number('first', 'p95')} {number('finish', 'median')}"
        f" {number('finish', 'p95')} {number('finish', 'max')} {v['kilobytes']:6.0f} {errors}"
    )
