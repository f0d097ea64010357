"""What a link shows, as numbers that can be compared: wording, order, keys and sizes do not count.

A map is described trace by trace by moments: how many points there are, mean and spread of their
coordinates, mean colour, and how colour goes along with place. Moments do not depend on the order
of points, and they change when one point in a thousand has another class.
"""

import re
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from sslviz.ui.components.figure_message import unpack
from sslviz.ui.state.old_links import ADDRESSES

ROOT = Path(__file__).parents[2]
ADDED = {"ties"}  # parts of a map in which what is new does not count
MANY = 20  # points of a trace that is compared as such
FEW = 6  # frames of a film that is compared frame by frame
CLOSE = 1e-3  # of the size of a map: two places are the same
LIKE = 0.05  # of 255: two mean colours are the same
NUMBER = re.compile(r"\d[\d.,]*(?:e-?\d+)?(?<![.,])%?")

Figure = dict[str, Any]  # as plotly.js reads it
Trace = dict[str, Any]
Summary = dict[str, Any]  # of a trace: n, at, and colour where it has one
Cloud = tuple[np.ndarray, np.ndarray | None]  # places (n, d), colours (n, 3)


def page_of(address: str) -> str:
    """The file of today's page for an address of before."""
    return f"pages/{ADDRESSES.get(address, address)}.py"


def open_link(page: str, query: dict[str, str | list[str]]) -> AppTest:
    """The page of an old address as a new session opens it."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params.update(query)
    return app.switch_page(page_of(page)).run()


def picture_of(app: AppTest) -> dict[str, Any]:
    """All that may be compared: numbers set large and in words, maps, links to pages, and code.

    What is set large are metrics and cells of tables, each a list of the numbers in it.
    """
    figures = figures_of(app).values()
    return {
        "values": [parts_of(v) for v in _large(app)],
        "words": NUMBER.findall(_said(app)),
        "maps": [map_of(figure) for figure in figures],
        "leads": leads_of(app),
        "code": " ".join(code.value for code in app.code),
    }


def parts_of(value: str) -> list[str]:
    """The numbers in a value, or the value: "4 of 316" and "4 / 316" are the same."""
    return NUMBER.findall(value) or [value]


def _large(app: AppTest) -> list[str]:
    tables = [table.value.to_numpy().flat for table in (*app.dataframe, *app.table)]
    cells = [f"{c:.1f}" if isinstance(c, float) else str(c) for cells in tables for c in cells]
    return [*(m.value for m in app.metric), *cells]


def _said(app: AppTest) -> str:
    """All sentences: a number set large may become part of one, and still be there."""
    text = [e.value for kind in (app.markdown, app.caption, app.info) for e in kind]
    return " ".join([*text, *(e.proto.body for e in app.get("html"))])


def leads_of(app: AppTest) -> list[str]:
    """Addresses of pages that the page links to."""
    linked = [e.proto.page for e in app.get("page_link")]
    return [*linked, *re.findall(r'(?:href="|\]\()/?(\w+)', _said(app))]


def figures_of(app: AppTest) -> dict[str, Figure]:
    """The live figures of a page by their key, in its order."""

    def search(block: Any) -> Iterator[tuple[str, Figure]]:
        for child in block.children.values():
            if hasattr(child, "children"):
                yield from search(child)
            elif child.type == "bidi_component":
                if child.proto.WhichOneof("data") == "bytes":
                    data = unpack(child.proto.bytes)
                    yield data["name"], data["figure"]

    return dict(search(app.main))


def map_of(figure: Figure) -> dict[str, Any]:
    """A figure: large traces, given labels, few marks, short lines, and its film.

    `points` are traces of many points; `given` are diamonds, rims left out; `marks` are rings and
    the like around few points, one for a click; `ties` are the ends of all short lines together,
    such as those from a clicked point to its neighbours; `boxes` are drawn around what is clicked;
    `bars` are heights of bars.
    """
    clouds = [(trace, cloud(trace)) for trace in figure["data"]]
    there = [(t, c) for t, c in clouds if len(c[0]) and t.get("visible", True) is True]
    diamonds = [(t, c) for t, c in there if _marker(t).get("symbol") == "diamond"]
    others = [(t, c) for t, c in there if _marker(t).get("symbol") != "diamond"]
    large = [c for t, c in others if len(c[0]) >= MANY and t["type"] != "bar"]
    few = [(t, c) for t, c in others if len(c[0]) < MANY and t["type"].startswith("scatter")]
    marks = [c for t, c in few if "markers" in t.get("mode", "") and "customdata" not in t]
    lines = [c[0] for t, c in few if t.get("mode") == "lines"]
    found = {
        "points": [summary(*c) for c in large],
        "given": [summary(*c) for t, c in diamonds if not isinstance(_marker(t).get("color"), str)],
        "marks": [summary(c[0], None) for c in marks],
        "bars": [summary(*c) for t, c in others if t["type"] == "bar"],
    }
    if lines and len({line.shape[1] for line in lines}) == 1:
        found["ties"] = [summary(np.unique(np.concatenate(lines).round(4), axis=0), None)]
    boxes = [s for s in figure["layout"].get("shapes", []) if s.get("type") == "rect"]
    found["boxes"] = [
        summary(np.array([[s["x0"], s["y0"]], [s["x1"], s["y1"]]], float), None) for s in boxes
    ]
    frames = figure.get("frames") or []
    chosen = frames if len(frames) <= FEW else [frames[0], frames[len(frames) // 2]]
    found["film"] = [_still(figure, frame) for frame in chosen]
    return {part: those for part, those in found.items() if those} | {"frames": len(frames)}


def _marker(trace: Trace) -> dict[str, Any]:
    marker: dict[str, Any] = trace.get("marker", {})
    return marker


def _still(figure: Figure, frame: dict[str, Any]) -> Summary:
    """The largest trace of those that a frame changes, as it is in the frame."""
    changed = []
    for number, change in zip(frame["traces"], frame["data"], strict=True):
        before = figure["data"][number]
        changed.append(cloud(before | change | {"marker": _marker(before) | _marker(change)}))
    return summary(*max(changed, key=lambda c: len(c[0])))


def cloud(trace: Trace) -> Cloud:
    """Places and colours of a trace; those of a heat map are its cells.

    Bars over words are at their number and height. Lines have no colours, nor have marks of one
    colour that name no points, such as rings.
    """
    nothing = np.empty((0, 2)), None
    if trace["type"] == "heatmap":
        z, scale = numbers(trace["z"]), trace.get("colorscale")
        if z is None or z.ndim != 2 or not isinstance(scale, list) or trace.get("opacity") == 0:
            return nothing
        rows, columns = np.indices(z.shape)
        ends = trace.get("zmin", np.nanmin(z)), trace.get("zmax", np.nanmax(z))
        places = np.stack([columns.ravel(), rows.ravel()], axis=1).astype(float)
        return places, _scaled(z.ravel(), scale, *ends)
    axes = [a for a in (numbers(trace[a]) for a in "xyz" if a in trace) if a is not None]
    if trace["type"] == "bar" and len(axes) == 1:
        return np.stack([np.arange(len(axes[0])), axes[0]], axis=1), None
    if not trace["type"].startswith("scatter"):
        return nothing
    if len(axes) < 2 or any(a.ndim != 1 for a in axes) or len({len(a) for a in axes}) > 1:
        return nothing
    places = np.stack(axes, axis=1).astype(float)
    there = np.isfinite(places).all(axis=1)
    hues = _hues(trace, len(places)) if "markers" in trace.get("mode", "") else None
    return places[there], None if hues is None else hues[there]


def numbers(values: Any) -> np.ndarray | None:
    """Numbers as plotly.js reads them: a list, or bytes with their type; None for words."""
    if isinstance(values, dict):
        array = np.frombuffer(b64decode(values["bdata"]), np.dtype(values["dtype"]))
        shape = values.get("shape")
        return array.reshape([int(s) for s in shape.split(",")]) if shape else array
    try:
        return None if np.array(values).dtype.kind == "U" else np.array(values, dtype=float)
    except (TypeError, ValueError):
        return None


def _hues(trace: Trace, count: int) -> np.ndarray | None:
    marker = _marker(trace)
    colour, scale = marker.get("color"), marker.get("colorscale")
    if isinstance(colour, str):
        return np.tile(_rgb(colour), (count, 1)) if "customdata" in trace else None
    if isinstance(colour, list) and colour and isinstance(colour[0], str):
        return np.array([_rgb(c) for c in (colour * count)[:count]])
    shades = None if colour is None else numbers(colour)
    if shades is None or not isinstance(scale, list) or len(shades) != count:
        return None
    return _scaled(shades, scale, marker["cmin"], marker["cmax"])


def _scaled(values: np.ndarray, scale: list[Any], low: float, high: float) -> np.ndarray:
    """Colours (n, 3) of numbers on a scale."""
    stops, hues = [stop for stop, _ in scale], np.array([_rgb(colour) for _, colour in scale])
    share = (np.nan_to_num(values.astype(float)) - low) / ((high - low) or 1)
    return np.stack([np.interp(share, stops, channel) for channel in hues.T], axis=1)


def _rgb(colour: str) -> np.ndarray:
    """'#rrggbb' or 'rgba(…)' on white paper."""
    if colour.startswith("#"):
        return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)
    red, green, blue, *alpha = (float(p) for p in re.findall(r"[\d.]+", colour))
    share = alpha[0] if alpha else 1.0
    return share * np.array([red, green, blue]) + (1 - share) * 255


def summary(places: np.ndarray, hues: np.ndarray | None) -> Summary:
    """Moments of a cloud.

    `at` has the mean of every axis, its spread, and how axes go together; `colour` has the means of
    red, green and blue, and how each of them goes along with each axis.
    """
    if not len(places):
        return {"n": 0, "at": []}
    middle, spread = places.mean(axis=0), places.std(axis=0)
    unit = (places - middle) / np.where(spread > 0, spread, 1)
    pairs = [(unit[:, i] * unit[:, j]).mean() for i in range(len(middle)) for j in range(i)]
    found: Summary = {"n": len(places), "at": [_short(v) for v in (*middle, *spread, *pairs)]}
    if hues is not None:
        along = (hues - hues.mean(axis=0)).T @ unit / len(unit)
        found["colour"] = [round(float(v), 2) + 0.0 for v in (*hues.mean(axis=0), *along.ravel())]
    return found


def _short(value: float) -> float:
    """Five digits of a number, and nothing of what is next to nothing."""
    return 0.0 if abs(value) < 1e-6 else float(f"{value:.5g}")


def differences(recorded: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What of a record is not to be seen now, in words; what is new does not count."""
    found, left = [], list(now["values"])
    for name, value in recorded.get("values", {}).items():
        parts = parts_of(value)
        if parts in left:
            left.remove(parts)
        elif not set(parts) <= set(now["words"]):
            found.append(f"{name} was {value}; now there are {left}")
    maps = list(now["maps"])
    for number, old in enumerate(recorded.get("maps", [])):
        unlike = [unlikeness(old, new) for new in maps]
        if [] in unlike:
            maps.pop(unlike.index([]))
        else:
            nearest = min(unlike, key=len, default=["there is none"])
            found.append(f"map {number}: " + "; ".join(nearest))
    for page in recorded.get("leads", []):
        if not {page, ADDRESSES.get(page, page)} & set(now["leads"]):
            found.append(f"nothing leads to {page}, but to {now['leads']}")
    found += [f"the code has no {c!r}" for c in recorded.get("code", []) if c not in now["code"]]
    return found


def unlikeness(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Where a map differs from a recorded one."""
    found = []
    for part in ("points", "given", "marks", "ties", "boxes", "bars", "film"):
        left = list(new.get(part, []))
        for trace in old.get(part, []):
            same = next((i for i, other in enumerate(left) if alike(trace, other)), None)
            if same is None:
                found.append(f"{part}: no {trace} among {left}")
            else:
                left.pop(same)
        # Today the point that a panel is about has a mark, and paths to its voters.
        if part == "marks":
            left = [mark for mark in left if mark["n"] > 1]
        elif part == "points":
            left = [trace for trace in left if "colour" in trace]
        if left and part not in ADDED:
            found.append(f"{part}: {left} is new")
    if old["frames"] != new["frames"]:
        found.append(f"{old['frames']} frames are {new['frames']}")
    return found


def alike(old: Summary, new: Summary) -> bool:
    """Whether two traces look the same; one recorded without colours may have any."""
    if old["n"] != new["n"] or len(old["at"]) != len(new["at"]):
        return False
    size = max(map(abs, old["at"]), default=1.0)
    if not np.allclose(old["at"], new["at"], rtol=CLOSE, atol=CLOSE * size):
        return False
    if "colour" not in old:
        return True
    return "colour" in new and np.allclose(old["colour"], new["colour"], rtol=0, atol=LIKE)
