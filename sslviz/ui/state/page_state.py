"""Values of widgets and the URL: data set and labels go along from page to page.

Streamlit forgets a widget's value on the way to another page if it came from the URL and nobody
touched it, and writes a value set from outside into the URL only where the widget has been on
screen before. So what pages share is noted after every run and given to the next page.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from sslviz import data
from sslviz.ui.state import slots, streamlit_internals

# … and the data set with its options
SHARED = (
    "labels",
    "seed",
    "all_labels",
    "split",
    "split_number",
    "truth_hidden",
    "map",
    "dimensions",
)
PAGES_WITHOUT_DATA = ("", "stories", "methods", "failures")


def restore_shared(page: str) -> None:
    """Before a page runs: give its widgets the shared values, unless the URL has others."""
    slots.SAME_PAGE.set(slots.LAST_PAGE.get() == page)
    if page in PAGES_WITHOUT_DATA:
        return
    if streamlit_internals.came_by_history():
        streamlit_internals.restore_query()
        slots.URL_OUTDATED.set(True)
    elif slots.LAST_PAGE.get() != page:
        shared = slots.SHARED_VALUES.get()
        set_widgets({key: value for key, value in shared.items() if key not in st.query_params})
    slots.LAST_PAGE.set(page)


def save_shared(page: str) -> None:
    """After a page has run, or stopped: note the values that pages share."""
    slots.SETTINGS_FORGOTTEN.clear()
    name = st.session_state.get("data")
    if page in PAGES_WITHOUT_DATA or name is None:
        return
    shared = {
        key: st.session_state[key]
        for key in map(str, st.session_state)
        if (key in SHARED or (key.split(".")[0] == name and not key.endswith(".few")))
        and key in st.query_params  # others have their default
    }
    if name != data.names()[0]:  # the first is a default: a page may begin with another
        shared["data"] = name
    slots.SHARED_VALUES.set(shared)
    if slots.URL_OUTDATED.pop():
        streamlit_internals.write_query()


def forget_shared() -> None:
    """The next page begins with its own values."""
    slots.SHARED_VALUES.clear()


def forget_widgets(keys: Iterable[str]) -> None:
    """Some widgets back to their defaults."""
    for key in keys:
        st.session_state.pop(key, None)
        if key in st.query_params:
            del st.query_params[key]


def forget_settings() -> None:
    """All widgets back to their defaults, nothing in the URL, labels and clicks forgotten.

    For a button's `on_click` that leads to a preset. A link alone would not do: a widget that has
    once been on screen keeps its value whatever the URL says. Keys of buttons begin with "open." or
    have a colon, those of components have a space.
    """
    for key in [str(key) for key in st.session_state]:
        slot = slots.slot_of(key)
        kept = slot.kept_by_presets if slot else re.match(r"open\.|.*[: ]", key)
        if not kept:
            del st.session_state[key]
    streamlit_internals.replace_query({})  # clear() refuses what belongs to a widget
    streamlit_internals.tell_defaults_while(slots.SETTINGS_FORGOTTEN.key)
    slots.SETTINGS_FORGOTTEN.set(True)
    forget_shared()


def widget_value(key: str, default: Any = None) -> Any:
    """The value of a widget by its key, also before it is drawn: then what the URL says."""
    return st.session_state.get(key, st.query_params.get(key, default))


def set_widgets(values: Mapping[str, Any]) -> None:
    """Give widgets these values by their keys, and the URL those of widgets not on screen yet.

    Widgets on screen write into the URL themselves, and no one else may.
    """
    st.session_state.update(values)
    texts = {key: str(value) for key, value in values.items()}
    for part in (texts, *({key: text} for key, text in texts.items())):  # at best all in one step
        try:
            st.query_params.update(part)
        except StreamlitAPIException:
            continue
        slots.URL_OUTDATED.set(True)
        if part is texts:
            break


def reset_widget(key: str, value: Any) -> None:
    """Give a widget a value in its own callback; nothing is written into the URL."""
    st.session_state[key] = value


def is_undone(text: str) -> bool:
    """Whether Back or Forward has brought `text` into the URL, in place of what the session holds.

    Within a page an empty text counts: the visitor undoes what was held. On the way to another page
    it does not: that page was left before something was chosen that belongs to the data.
    """
    return streamlit_internals.came_by_history() and (bool(text) or slots.SAME_PAGE.get())


def set_url_value(key: str, text: str) -> None:
    """Write a query parameter that belongs to no widget; remove it if the text is empty."""
    if text == st.query_params.get(key, ""):
        return
    if text:
        st.query_params[key] = text
    else:
        del st.query_params[key]


def set_address(values: Mapping[str, Any]) -> None:
    """Write these query parameters instead of all others, before the widgets of a page are drawn.

    A widget that is on screen and keeps its value would not write it again.
    """
    streamlit_internals.replace_query(
        {key: [str(v).lower() if isinstance(v, bool) else str(v)] for key, v in values.items()}
    )


def widget_keys() -> set[str]:
    """The keys of the controls that there are."""
    return {str(key) for key in st.session_state}
