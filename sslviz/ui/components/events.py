"""Actions on the points of a figure, as the browser sends them; what has another form is left out.

Whoever speaks Streamlit's protocol by hand can send anything.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

MAX_INDEX = 2**31  # of a point
MAX_SERIAL = 2**53  # of an event: the whole numbers of JavaScript
MAX_SENT, MAX_SELECTED = 100, 1_000_000  # events in a message, points in a selection
MAX_KEY_LENGTH = 10


class Event(NamedTuple):
    """An action of the user on a point; `point` is its index in the trace's `customdata`."""

    kind: str  # "click", "key" or "select"
    point: int | None  # None for a selection
    key: str | None  # a digit, a letter in lower case, or "Delete"
    # 1 for the first event of this figure in this session, and so on: equal clicks differ by it.
    count: int  # type: ignore[assignment]  # a field takes the place of tuple's method
    points: tuple[int, ...] = ()  # those inside a lasso or box


def sent_events(value: Any) -> Iterator[tuple[int, Event]]:
    """The serial number of each event in a figure's value, and the event, not counted yet."""
    sent = value.get("event") if hasattr(value, "get") else None
    for facts in sent[:MAX_SENT] if isinstance(sent, list) else ():
        if isinstance(facts, dict) and _is_index(facts.get("serial"), MAX_SERIAL):
            event = _event_of(facts)
            if event is not None:
                yield facts["serial"], event


def _event_of(facts: dict[str, Any]) -> Event | None:
    kind, point, key = facts.get("kind"), facts.get("point"), facts.get("key")
    points = facts.get("points", [])
    if kind == "select":
        fits = isinstance(points, list) and len(points) <= MAX_SELECTED
        if not fits or not all(_is_index(p) for p in points):
            return None
        return Event(kind, None, None, 0, tuple(points))
    if kind not in ("click", "key") or not _is_index(point):
        return None
    if kind == "click":
        return Event(kind, point, None, 0)
    short = isinstance(key, str) and 0 < len(key) <= MAX_KEY_LENGTH
    return Event(kind, point, key, 0) if short else None


def _is_index(value: Any, limit: int = MAX_INDEX) -> bool:
    return type(value) is int and 0 <= value < limit
