"""Moves of a visitor: which widget is set to what, valid or not."""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState

SLIDER_SHARE = 0.8  # of the valid moves; the others set methods, switches and maps
INVALID_SHARE = 0.04
VALUES_PER_SLIDER = 5  # few, so that visitors meet at the same values as a class would
NOT_MOVED = {"data", "own_data", "openml"}  # a session stays with the data set of its link
WIDGETS = ("slider", "selectbox", "radio", "button_group", "checkbox")


class Widget(NamedTuple):
    """A widget on the page, as the server described it."""

    kind: str
    proto: Any
    fragment: str  # "" if it belongs to the whole page

    @property
    def key(self) -> str:
        """The name the app gave it: ids read $$ID-<hash>-<key>."""
        return str(self.proto.id).split("-", 2)[-1]

    @property
    def is_movable(self) -> bool:
        p = self.proto
        named = self.key not in NOT_MOVED | {"None"}
        return named and not p.disabled and not p.form_id


class Move(NamedTuple):
    widget: Widget | None  # None: the page is run again as it is
    state: WidgetState | None
    kind: str  # "open", "slider", "choice", "invalid" or "rerun"

    @property
    def name(self) -> str:
        return self.widget.key if self.widget else ""


def next_move(widgets: Mapping[str, Widget], random: Random) -> Move:
    """A random move among the widgets of the page."""
    movable = [w for w in widgets.values() if w.is_movable]
    sliders = [w for w in movable if w.kind == "slider"]
    choices = [w for w in movable if w.kind != "slider"]
    if random.random() < INVALID_SHARE and movable:
        widget = random.choice(movable)
        return Move(widget, invalid_state(widget, random), "invalid")
    wanted = sliders if random.random() < SLIDER_SHARE else choices
    among = wanted or sliders or choices
    if not among:
        return Move(None, None, "rerun")
    widget = random.choice(among)
    kind = "slider" if widget.kind == "slider" else "choice"
    return Move(widget, valid_state(widget, random), kind)


def valid_state(widget: Widget, random: Random) -> WidgetState:
    """The widget set to one of the values it offers."""
    p, state = widget.proto, WidgetState(id=widget.proto.id)
    if widget.kind == "slider":
        _set_slider(state, p, random)
    elif widget.kind == "checkbox":
        state.bool_value = random.random() < 0.5
    elif widget.kind == "button_group":
        option = random.choice(p.options).content
        state.string_array_value.data.append(option)
    else:
        state.string_value = random.choice(p.options)
    return state


def _set_slider(state: WidgetState, p: Slider, random: Random) -> None:
    if p.options:
        places = range(VALUES_PER_SLIDER)
        at = random.choice(places) * (len(p.options) - 1) // (VALUES_PER_SLIDER - 1)
        state.string_array_value.data.extend([p.options[at]] * len(p.default))
        return
    steps = round((p.max - p.min) / p.step) if p.step else 0
    values = []
    for _ in p.default:
        at = random.randrange(VALUES_PER_SLIDER) * steps // (VALUES_PER_SLIDER - 1)
        values.append(p.min + at * p.step)
    state.double_array_value.data.extend(sorted(values))


def invalid_state(widget: Widget, random: Random) -> WidgetState:
    """The widget set to what it does not offer, or to a value of another type."""
    state = WidgetState(id=widget.proto.id)
    if random.random() < 0.5:
        if widget.kind == "slider":
            state.double_array_value.data.append(random.choice([-1e9, 1e9]))
        else:
            state.string_value = "no such option"
    elif widget.kind == "checkbox":
        state.string_value = "true"
    else:
        state.bool_value = True
    return state
