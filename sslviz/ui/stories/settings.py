"""The settings of a story's step: only those of controls, and undone where a page refuses them.

A story may come from a stranger, by a link. Controls check what an address holds, but not what is
given to them in the session, as a step does.
"""

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from sslviz.ui.controls import RULES
from sslviz.ui.data.titles import list_titles
from sslviz.ui.state import page_state
from sslviz.ui.state.slots import SETTINGS_REFUSED, SETTINGS_TRIED, slot_of

NAME = re.compile(r"[A-Za-z]\w*(\.\w+)*", re.ASCII)
NO_CONTROLS = ("open.", "download.", "story.", "preview.", "labels.file", "own_file")
WORDS = {"true": True, "false": False}


def control_values(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The values of controls; they may be written as an address writes them."""
    return {
        name: _option(name, _plain_value(value))
        for name, value in settings.items()
        if NAME.fullmatch(name) and slot_of(name) is None and not name.startswith(NO_CONTROLS)
    }


def try_settings(settings: Mapping[str, Any]) -> None:
    """Give controls these values; if the page fails then, `undo_refused_settings` resets them."""
    SETTINGS_TRIED.set(True)
    SETTINGS_REFUSED.clear()
    page_state.set_widgets(control_values(settings))


def undo_refused_settings() -> None:
    """After an error on a page: if a step has just set its controls, the page with its defaults."""
    if SETTINGS_TRIED.pop():
        page_state.forget_settings()
        SETTINGS_REFUSED.set(True)
        st.rerun()


def _option(name: str, value: Any) -> Any:
    """What a list holds where an address has what it shows."""
    if name == "data":
        return {title: name for name, title in list_titles().items()}.get(value, value)
    if name == "map" and isinstance(value, str):
        return value.lower()
    if name.endswith("_rule"):
        return {shown: rule for rule, shown in RULES.items()}.get(value, value)
    return value


def _plain_value(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value.lower() in WORDS:
        return WORDS[value.lower()]
    for number in (int, float):
        try:
            return number(value)
        except ValueError:
            continue
    return value
