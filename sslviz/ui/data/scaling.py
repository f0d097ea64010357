"""Standardising where units differ: done when a data set is chosen, said, and undone by a click.

The switch itself is an option of the data set and off by default, so that links keep their meaning:
a link to a standardised set says so, and an old link without the word opens as it always did. There
a message offers to standardise.
"""

from typing import Any

import streamlit as st

from sslviz.data import npz_files
from sslviz.data.stages import unit_ratio
from sslviz.ui.server import memory
from sslviz.ui.state import page_state
from sslviz.ui.state.slots import DATA_CHOSEN, RAW_CHOSEN


def file_time(name: str) -> int:
    """Changes with the file of a data set, so that the cache notices."""
    path = npz_files.path_of(name)
    return path.stat().st_mtime_ns if path else 0


def standardise_if_chosen(name: str) -> None:
    """Standardise a set that the visitor has just chosen, where its units differ."""
    key = f"{name}.standardise"
    if not DATA_CHOSEN.pop() or name in RAW_CHOSEN.get() or key in st.query_params:
        return
    if memory().cache(unit_ratio)(name, file_time(name)):
        page_state.set_widgets({key: True})


def show_scaling(name: str, options: dict[str, Any], page: Any) -> None:
    """What is done about units, and a button for the opposite.

    Raw features of different units are a warning on the page, unless the visitor has chosen them.
    """
    ratio = memory().cache(unit_ratio)(name, file_time(name))
    if not ratio:
        return
    key, on = f"{name}.standardise", bool(options.get("standardise"))
    text = (
        f"The widest feature has {ratio:,.0f} times the standard deviation of the narrowest: "
        "units differ."
    )
    if not on and name not in RAW_CHOSEN.get():
        with page:
            st.info(
                f"{text} Features with large numbers decide all distances.",
                icon=":material/straighten:",
            )
            _show_button("Standardise the features", "open.scale", key, True)
        return
    st.caption(f"{text} Features are {'standardised' if on else 'used as they are'}.")
    if on:
        _show_button(":small[:material/undo: Use the raw features]", "open.unscale", key, False)
    else:
        _show_button(":small[:material/straighten: Standardise them]", "open.scale", key, True)


def _show_button(title: str, button: str, key: str, on: bool) -> None:
    st.button(title, key=button, type="tertiary" if "small" in title else "secondary",
              on_click=_scale, args=(key, on))  # fmt: skip


def _scale(key: str, on: bool) -> None:
    name = key.removesuffix(".standardise")
    RAW_CHOSEN.set(RAW_CHOSEN.get() - {name} if on else RAW_CHOSEN.get() | {name})
    page_state.set_widgets({key: on})
