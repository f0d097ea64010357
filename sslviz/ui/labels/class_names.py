"""Names and colours of the classes, chosen on the sidebar; and classes added to a table."""

from typing import Any

import streamlit as st

from sslviz.data.uploads.limits import MAX_CLASSES
from sslviz.figures.theme import class_colours, css_of
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.state import class_styles, page_state
from sslviz.ui.state.class_styles import MAX_NAME

PALETTE = {  # Okabe and Ito's: told apart with every common kind of colour blindness
    "#0072B2": "blue",
    "#E69F00": "orange",
    "#009E73": "green",
    "#CC79A7": "pink",
    "#56B4E9": "light blue",
    "#D55E00": "vermilion",
    "#B8A800": "yellow",
}
OWN_COLOUR = "another"


def show_class_styles(problem: Any) -> None:
    """One class at a time: its name and colour; buttons for a new class and for the defaults."""
    dataset = problem.dataset
    names = dataset.classes
    c = st.selectbox("Class", range(len(names)), key="open.class", format_func=lambda i: names[i])
    c = min(c or 0, len(names) - 1)
    _choose_name(dataset.name, c, names[c])
    _choose_colour(dataset.name, c, names)
    with st.container(horizontal=True):
        if not dataset.known.all() and len(names) < MAX_CLASSES:
            _show_new_class(dataset.name, len(names))
        if class_styles.styles_of(dataset.name):
            st.button(
                "Defaults",
                key="open.class.reset",
                icon=":material/restart_alt:",
                type="tertiary",
                help="Names and colours of all classes as they were.",
                on_click=class_styles.forget_class_styles,
                args=(dataset.name,),
            )


def _choose_name(dataset: str, c: int, name: str) -> None:
    key = f"open.class.name.{c}.{name}"  # with another name it is another widget

    def take() -> None:
        class_styles.set_class_style(dataset, c, name=page_state.widget_value(key))

    st.text_input("Name", name, max_chars=MAX_NAME, key=key, on_change=take)


def _choose_colour(dataset: str, c: int, names: tuple[str, ...]) -> None:
    used = [css_of(colour).upper() for colour in class_colours(len(names))]
    now = used[c] if used[c] in PALETTE else OWN_COLOUR
    key = f"open.class.colour.{c}.{now}"

    def take() -> None:
        chosen = page_state.widget_value(key)
        if chosen in PALETTE:
            class_styles.set_class_style(dataset, c, colour=chosen)

    chosen = st.selectbox(
        "Colour",
        [*PALETTE, OWN_COLOUR],
        [*PALETTE, OWN_COLOUR].index(now),
        key=key,
        format_func=lambda colour: PALETTE.get(colour, colour),
        on_change=take,
        help="The named colours can be told apart with every common kind of colour blindness.",
    )
    if chosen == OWN_COLOUR:
        _choose_own_colour(dataset, c, used[c])
    same = [
        escape_markup(names[i]) for i, colour in enumerate(used) if colour == used[c] and i != c
    ]
    if same:
        st.caption(f"The same colour as {', '.join(same[:3])}.")


def _choose_own_colour(dataset: str, c: int, now: str) -> None:
    key = f"open.class.own.{c}.{now}"

    def take() -> None:
        class_styles.set_class_style(dataset, c, colour=page_state.widget_value(key).upper())

    st.color_picker("Any colour", now, key=key, on_change=take)


def _show_new_class(dataset: str, count: int) -> None:
    def add() -> None:
        class_styles.set_class_style(dataset, count, name=f"class {count + 1}")
        page_state.reset_widget("open.class", count)

    st.button(
        "New class",
        key="open.class.new",
        icon=":material/add:",
        help="A class that the file does not name; label a point of it by hand.",
        on_click=add,
    )
