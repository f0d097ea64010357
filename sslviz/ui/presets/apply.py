"""Opening presets: set all widgets, link to presets, explain a preset on its page."""

from html import escape
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from sslviz.ui.data.titles import with_title
from sslviz.ui.presets.catalogue import PRESETS, Preset
from sslviz.ui.presets.successes import SUCCESSES
from sslviz.ui.state import page_state, slots

ALL_PRESETS = (*SUCCESSES, *PRESETS)
CHOICE_KEYS = ("data", "stream.kind", "method", "inductive.method", "cluster_method")


def apply_preset(preset: Preset) -> None:
    """Set every widget to the preset's value or its default; for a button's `on_click`."""
    page_state.forget_settings()
    st.session_state.update(preset.parameters)
    slots.LESSON.set(preset.key)


def show_preset_links(page: str) -> None:
    """Links to the presets of a page.

    They reload the page, since the values of widgets on screen cannot be changed.
    """
    links = [
        f'<a href="?{urlencode(p.query)}" target="_self" title="{escape(p.sentence)}">'
        f"{escape(p.name)}</a>"
        for p in PRESETS
        if p.page == page and not p.missing
    ]
    with st.container(key="presets"):
        st.markdown(f"Worth seeing: {' · '.join(links)}", unsafe_allow_html=True)


def show_lesson(page: str) -> None:
    """Explain the preset that opened this page, until it is dismissed or other data are chosen.

    A link that reloads a page starts a session; there the URL identifies the preset.
    """
    if not slots.LESSON.is_set():
        here = [p for p in ALL_PRESETS if p.page == page]
        query = with_title(st.query_params.to_dict())
        at = (p.key for p in here if with_title(p.query) == query)
        slots.LESSON.set(next(at, ""))
    preset = next((p for p in ALL_PRESETS if p.key == slots.LESSON.get()), None)
    with st.container():  # also if it is empty, so that what follows keeps its place
        if preset is None or preset.page != page:
            return
        if _is_left(preset):
            _dismiss()
        else:
            _show_preset(preset)


def _show_preset(preset: Preset) -> None:
    with st.container(border=True, key="lesson"):
        text, button = st.columns([8, 1])
        text.markdown(
            f":material/lightbulb: **{preset.name}.** {preset.sentence} **Try:** {preset.look}"
        )
        button.button(
            "Dismiss",
            key="open.lesson",
            icon=":material/close:",
            type="tertiary",
            on_click=_dismiss,
        )


def _is_left(preset: Preset) -> bool:
    """Whether another data set or method has been chosen since the preset was opened."""
    return any(
        key in st.session_state and st.session_state[key] != preset.parameters[key]
        for key in CHOICE_KEYS
        if key in preset.parameters
    )


def _dismiss() -> None:
    slots.LESSON.set("")


def open_preset(preset: Preset) -> None:
    """Open the preset's page, with its parameters in the URL; never returns."""
    st.switch_page(preset.page, query_params=preset.query)


def open_page(page: str, parameters: dict[str, Any]) -> None:
    """Open a page with some widgets set and all others unchanged; never returns."""
    st.session_state.update(parameters)
    query = {key: str(value) for key, value in parameters.items()}
    st.switch_page(page, query_params=query)
