"""Fuzzed uploads, links, label files, stories, drawings and events: `python -m tests.fuzz N`.

Every input may be refused by a ValueError and must do nothing else. The report names exceptions
with the number that repeats them, the longest time of each kind, and the peak of the memory. A
share of the links is opened on whole pages.
"""

# ruff: noqa: E402 (the folder of the tests is not on the path of `python -m`)

import json
import os
import random
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

TESTS = Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from own_files import book_mat, digits_zip, german_csv, letters_csv, npz_of, wine_csv, wine_parquet

from sslviz.data import drawings, npz_files, uploads
from sslviz.data.uploads import Choices
from sslviz.exports.label_files import labels_from_csv, labels_to_csv
from sslviz.stories import shelf
from sslviz.stories.page_links import step_of_link
from sslviz.stories.record import parse_story
from sslviz.ui.components.events import sent_events
from sslviz.ui.state import manual_labels, old_links

TOKENS = (
    b"\x00", b"\xff\xfe", b'"', b"'", b",,,,", b"\r\n", b"NaN", b"-1e308", b"1e-320", b"=cmd()",
    b"{", b"(True, 2)", b"|O", b"<f8", b"../../", b"![p](http://x/y.png)", b"\xf0\x9f\x98\x80",
    b"9" * 30, b"9" * 5000, b"[[", b"]]", b"a.b.c", b"_", b".-", b"%00", b"\xe2\x80\xae",
)  # fmt: skip
WORDS = (
    "data", "hand", "point", "labels", "seed", "map", "split", "openml", "story", "step",
    "two_moons.n_samples", "two_moons.noise", "LabelPropagation.n_neighbors", "versus", "method",
    "LabelPropagation.sigma", "dimensions", "truth_hidden", "colour", "fields.x", "graph.k",
)  # fmt: skip
VALUES = (
    "two_moons", "iris", "from OpenML …", "your own file …", "-1", "0", "1e999", "nan",
    "inf", "9" * 20,
    "a" * 300, "../etc/passwd", "mine-0123456789ab", "5.1_7.0", "saved-" + "0" * 16, "<b>", "\x00",
    "true", "Label spreading", "umap", "3", "%", "[]", "{}", "own-" + "0" * 16, "✓", " ",
)  # fmt: skip
PAGES = ("graph", "propagation", "hubs", "embedding", "inductive", "active_learning")


@cache
def sound_files() -> dict[str, bytes]:
    """A file of every format, to be damaged."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 3
    return {
        "a.csv": wine_csv(kept=0.5, missing=0.1)[:4000],
        "b.csv": german_csv()[:4000],
        "letters.csv": letters_csv(24),
        "c.tsv": wine_csv()[:3000].replace(b",", b"\t"),
        "d.parquet": wine_parquet(),
        "e.mat": book_mat(),
        "f.zip": digits_zip(12),
        "g.npz": npz_of(X=X, y=y, classes=["a", "b", "c"], about="x", image_shape=[1, 3]),
        "h.npz": npz_of(data=[1.0, 2, 3], indices=[0, 1, 2], indptr=[0, 1, 2, 3], shape=[3, 3]),
    }


@cache
def _bridge() -> tuple[int, ...]:
    return tuple(drawings.shapes()["bridge"])


def damaged(rng: random.Random, content: bytes) -> bytes:
    """The bytes with a few changes: flipped, cut, doubled, moved, or with odd words inserted."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        size = len(found)
        at, to = sorted((rng.randrange(size + 1), rng.randrange(size + 1)))
        kind = rng.randrange(6)
        if kind == 0 and size:
            found[min(at, size - 1)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del found[at : min(to, at + 200)]
        elif kind == 2:
            found[at:at] = rng.choice(TOKENS) * rng.choice((1, 1, 3, 40))
        elif kind == 3:
            found[at:at] = found[at : min(to, at + 300)]
        elif kind == 4:
            del found[at if rng.random() < 0.1 else size :]
        else:
            found[at:at] = rng.randbytes(rng.randrange(1, 20))
    return bytes(found[:1_000_000])


def try_upload(rng: random.Random) -> None:
    name, content = rng.choice(list(sound_files().items()))
    if rng.random() < 0.1:
        name = rng.choice(("x", "../", "é\x00", "a" * 400)) + name
    raw = uploads.read(damaged(rng, content), name)
    choices = rng.choice((Choices(), Choices(missing="drop"), Choices(label=None)))
    dataset = uploads.dataset_of(raw, uploads.understand(raw, choices), "own", "x")
    assert np.isfinite(dataset.X).all() and len(dataset.classes) <= 100
    if rng.random() < 0.1:
        npz_files.read(npz_files.write(dataset, npz_files.uploads()))


def try_damaged_set(rng: random.Random) -> None:
    """A damaged file in the folder of data sets."""
    path = npz_files.uploads() / "broken.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(damaged(rng, sound_files()["g.npz"]))
    npz_files.shape(path)
    npz_files.read(path)


def try_label_file(rng: random.Random) -> None:
    classes = ("a", "b,c", "<x>", '"q"')
    sound = labels_to_csv(np.arange(60) % 5 - 1, classes).encode()
    found = labels_from_csv(damaged(rng, sound), 60, classes)
    assert all(0 <= p < 60 and -1 <= c < 4 for p, c in found.items())


def try_story(rng: random.Random) -> None:
    text = shelf.story_text(rng.choice(("start", "hubs", "drift"))) or ""
    parse_story(damaged(rng, text.encode()).decode("utf-8", "replace"), frozenset(PAGES))


def try_page_link(rng: random.Random) -> None:
    link = damaged(rng, b"http://host/graph?data=iris&graph.n_neighbors=7&labels=3")
    step = step_of_link(link.decode("utf-8", "replace"), frozenset(PAGES))
    parse_story(f'title = "A"\n{step}', frozenset(PAGES))


def any_value(rng: random.Random, depth: int = 0) -> Any:
    """Some JSON value."""
    plain = (None, True, -1, 3, 10**30, 1.5, "x", "9", "", "Delete", "\ud800")
    if depth > 2 or rng.random() < 0.6:
        return rng.choice(plain)
    if rng.random() < 0.5:
        return [any_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    keys = ("event", "serial", "kind", "point", "key", "points", "use")
    return {rng.choice(keys): any_value(rng, depth + 1) for _ in range(rng.randrange(5))}


def try_event(rng: random.Random) -> None:
    event = {"serial": 5, "kind": "click", "point": 3, "key": "1", "points": [1, 2]}
    event[rng.choice(list(event))] = any_value(rng)
    value = rng.choice((any_value(rng), {"event": [event]}, {"event": any_value(rng)}))
    for _, found in sent_events(value):
        assert found.kind in ("click", "key", "select")
        assert all(type(p) is int and p >= 0 for p in found.points)


def try_drawing(rng: random.Random) -> None:
    sent: Any = list(_bridge())
    for _ in range(rng.randrange(4)):
        sent[rng.randrange(len(sent))] = any_value(rng)
    drawings.dataset_of_drawing(rng.choice((sent, sent[: rng.randrange(400)], any_value(rng))))


def any_query(rng: random.Random) -> dict[str, str]:
    """Query parameters of a link."""

    def value() -> str:
        if rng.random() < 0.7:
            return rng.choice(VALUES)
        return damaged(rng, b"3.1_80.0_4.-").decode("utf-8", "replace")[:500]

    return {rng.choice(WORDS): value() for _ in range(rng.randrange(1, 5))}


def try_link(rng: random.Random) -> None:
    query = old_links.translate(any_query(rng))
    for text in query.values():
        labels = manual_labels.parse_labels(text)
        manual_labels.with_manual_labels(np.array([0, 1, -1, -1]), labels, 2)
        shelf.find_story(text, frozenset(PAGES))
        npz_files.path_of(npz_files.check_name(text))


def try_page(rng: random.Random) -> None:
    from pages.opening import opened

    app = opened(rng.choice(PAGES), **any_query(rng))
    assert not app.exception, [e.value for e in app.exception]


KINDS: dict[str, tuple[Callable[[random.Random], None], float]] = {  # and its share
    "uploads": (try_upload, 0.4),
    "damaged sets": (try_damaged_set, 0.08),
    "label files": (try_label_file, 0.12),
    "stories": (try_story, 0.08),
    "links to steps": (try_page_link, 0.02),
    "events": (try_event, 0.1),
    "drawings": (try_drawing, 0.08),
    "links": (try_link, 0.1),
    "pages": (try_page, 0.02),
}


def run(count: int, seed: int = 0, kinds: dict[str, Any] | None = None) -> dict[str, Any]:
    """Try `count` inputs; what was found."""
    for name, content in sound_files().items():  # libraries are loaded before times are taken
        uploads.read(content, name)
    report: dict[str, Any] = {"inputs": 0, "failures": [], "kinds": {}}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for kind, (attempt, share) in (kinds or KINDS).items():
        refused, longest, slowest = 0, 0.0, 0
        times = max(1, round(share * count))
        for number in range(times):
            rng = random.Random(f"{seed} {kind} {number}")
            start = time.perf_counter()
            try:
                attempt(rng)
            except ValueError:
                refused += 1
            except Exception:
                trace = traceback.format_exc().splitlines()[-3:]
                report["failures"].append({"kind": kind, "number": number, "trace": trace})
            took = time.perf_counter() - start
            longest, slowest = max((longest, slowest), (took, number))
        report["inputs"] += times
        report["kinds"][kind] = {
            "inputs": times, "refused": refused, "longest_seconds": round(longest, 3),
            "slowest": slowest,
        }  # fmt: skip
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return report | {"memory_before_mb": before // 1024, "memory_peak_mb": peak // 1024}


def main() -> None:
    count, seed = (int(text) for text in [*sys.argv[1:], "1000", "0"][:2])
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"SSLVIZ_CACHE": folder, "SSLVIZ_DATA": folder, "SSLVIZ_ERRORS": "raise"}
        report = run(count, seed)
    print(json.dumps(report, indent=1, ensure_ascii=False))
    sys.exit(bool(report["failures"]))


if __name__ == "__main__":
    main()
