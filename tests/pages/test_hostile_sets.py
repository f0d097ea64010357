"""Own sets that once broke pages, and names of strangers that are markup, on every page."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from google.protobuf.json_format import MessageToDict
from own_files import npz_of
from pages.opening import opened
from pages.test_own_data import FAST
from streamlit.testing.v1 import AppTest

from sslviz.data import uploads

PAGES = (
    "graph", "propagation", "hubs", "embedding", "flp", "inductive", "dictionary", "clustering",
    "active_learning", "compare", "stream", "network",
)  # fmt: skip
NAMES = (
    "![p](http://host.example/px.png)", "<img src=//host.example/x>",
    "$\\LaTeX$ :material/home:", "[l](javascript:alert(1))",
)  # fmt: skip
# Parts of the names that are markup as they stand; escaped, none of them is left.
MARKUP = ("![p](", "](http", "<img", "$\\LaTeX", "](javascript", "http://host", ":material/home:")
PLAIN_FIELDS = {"options", "data", "rawValues"}  # not shown as Markdown


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 600.0)  # seconds: runs are finished


ON_ALL_PAGES = ("a class without points", "an outlier at 1e25")
ONCE_BROKEN = ("hubs", "inductive", "embedding", "flp")


def points(count: int = 60) -> tuple[np.ndarray, np.ndarray]:
    y = np.arange(count) % 2
    return np.random.default_rng(0).normal(size=(count, 2)) + 3 * y[:, None], y


def with_outlier(size: float) -> np.ndarray:
    X, _ = points()
    X[0] = size, 0
    return X


def sets() -> dict[str, bytes]:
    X, y = points()
    return {
        "a class without points": npz_of(X=X, y=y, classes=["a", "b", "c"]),
        "huge numbers": npz_of(X=X * 1e307, y=y),
        "the largest numbers that count": npz_of(X=X * 1e29, y=y),
        "tiny numbers": npz_of(X=X * 1e-320, y=y),
        "an outlier at 1e150": npz_of(X=with_outlier(1e150), y=y),
        "an outlier at 1e25": npz_of(X=with_outlier(1e25), y=y),
        "equal points": npz_of(X=np.ones((60, 2)), y=y),
    }


@pytest.mark.parametrize("kind", sets())
def test_a_strange_set_gives_a_picture_or_a_sentence(kind):
    try:
        name = uploads.store_upload("own.npz", sets()[kind])
    except ValueError:
        return
    for page in PAGES if kind in ON_ALL_PAGES else ONCE_BROKEN:
        app = opened(page, data=name, labels="2", **FAST.get(page, {}))
        assert not app.exception, (page, [e.value for e in app.exception])
        told = [*app.metric, *app.error, *app.info, *app.warning, *app.caption]
        assert told, f"{page} shows nothing"


def texts_of(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """All texts of a message with the names of their fields; figures and tables are JSON inside."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key not in PLAIN_FIELDS:
                yield from texts_of(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from texts_of(part, field)
    elif isinstance(value, str):
        yield field, value


def shown_texts(app: AppTest) -> Iterator[tuple[str, str]]:
    for place in (app.main, app.sidebar):
        for node in place:
            yield from _texts_below(node)


def _texts_below(node: Any) -> Iterator[tuple[str, str]]:
    for child in getattr(node, "children", {}).values():
        yield from _texts_below(child)
    proto = getattr(node, "proto", None)
    if proto is not None and type(node).__name__ not in ("Code", "Dataframe", "Json"):
        found = MessageToDict(proto)
        yield from ((f"{type(node).__name__}.{f}", t) for f, t in texts_of(found))


@pytest.mark.parametrize("page", PAGES)
def test_names_of_strangers_are_markup_nowhere_on_the_page(page):
    X = np.random.default_rng(0).normal(size=(80, 5)) + 3 * (np.arange(80) % 4)[:, None]
    rows = [",".join(["class", *(f"f{j} {NAMES[j % 4]}" for j in range(5)), f"text {NAMES[0]}"])]
    rows += [
        ",".join([NAMES[i % 4], *map(str, x), NAMES[i % 3] + str(i)])
        for i, x in enumerate(X.round(3).tolist())
    ]
    name = uploads.store_upload(f"{NAMES[1]}.csv".replace("/", ""), "\n".join(rows).encode())
    app = opened(page, data=name, labels="2", point="3", **FAST.get(page, {}))
    assert not app.exception and not app.error, [e.value for e in (*app.exception, *app.error)]
    found = [
        (field, text[max(0, at - 60) : at + 60])
        for field, text in shown_texts(app)
        for part in (("<img",) if field == "Html.body" else MARKUP)  # which is no Markdown
        if (at := text.find(part)) >= 0
    ]
    assert not found, json.dumps(found[:8], indent=1)


def test_a_link_with_an_endless_name_is_answered_by_a_sentence():
    app = opened("propagation", data="from OpenML …", openml="a" * 300)
    assert not app.exception and "is not the name of a data set" in app.error[0].value
    assert len(app.error[0].value) < 400
