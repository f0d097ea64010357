"""Names and colours of classes that a visitor has chosen, and classes added to a table.

They belong to a data set and are kept in the session and in the URL, `classes=0:0072B2:rose|2::x`:
class, colour or nothing, name or nothing. A class beyond those of the data is a new one; only data
with points of unknown class can have some.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from sslviz.data import Dataset
from sslviz.data.uploads.limits import MAX_CLASSES, clean_name
from sslviz.figures import theme
from sslviz.ui.state import page_state
from sslviz.ui.state.slots import CLASS_COLOURS, CLASS_STYLES
from sslviz.ui.state.streamlit_internals import is_script_running

COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
MAX_NAME = 40  # characters


class ClassStyle(NamedTuple):
    """The name and colour '#rrggbb' chosen for a class; "" where the default stays."""

    name: str = ""
    colour: str = ""


Styles = dict[int, ClassStyle]


def parse_styles(text: str) -> Styles:
    """Styles from the text in the URL; what cannot be read is left out."""
    found = {}
    for part in text.split("|")[:MAX_CLASSES]:
        number, colour, name = (*part.split(":", 2), "", "")[:3]
        if not re.fullmatch(r"\d{1,3}", number, re.ASCII):
            continue
        name = clean_name(name.replace("%7C", "|").replace("%25", "%"), MAX_NAME)
        colour = f"#{colour}" if COLOUR.fullmatch(f"#{colour}") else ""
        if name or colour:
            found[int(number)] = ClassStyle(name, colour)
    return found


def format_styles(styles: Mapping[int, ClassStyle]) -> str:
    """Styles as a text for the URL."""
    return "|".join(
        f"{c}:{style.colour[1:]}:{style.name.replace('%', '%25').replace('|', '%7C')}"
        for c, style in sorted(styles.items())
    )


def styled_classes(classes: tuple[str, ...], styles: Styles, *, more: bool) -> tuple[str, ...]:
    """The names of the classes as chosen, each once; with `more`, new classes after them."""
    names = [styles.get(c, ClassStyle()).name or name for c, name in enumerate(classes)]
    while more and len(names) < MAX_CLASSES and styles.get(len(names), ClassStyle()).name:
        names.append(styles[len(names)].name)
    found: list[str] = []
    for name in names:
        unique, count = name, 1
        while unique in found:
            count += 1
            unique = f"{name} ({count})"
        found.append(unique)
    return tuple(found)


def apply_class_styles(dataset: Dataset) -> Dataset:
    """The data set with the names chosen for its classes; the colours are used by all figures."""
    text = st.query_params.get(CLASS_STYLES.in_url, "")
    if not CLASS_STYLES.is_set() or page_state.is_undone(text):
        CLASS_STYLES.get()[dataset.name] = parse_styles(text)
    styles = styles_of(dataset.name)
    page_state.set_url_value(CLASS_STYLES.in_url, format_styles(styles))
    CLASS_COLOURS.set({c: style.colour for c, style in styles.items() if style.colour})
    classes = styled_classes(dataset.classes, styles, more=not dataset.known.all())
    return dataset if classes == dataset.classes else replace(dataset, classes=classes)


def styles_of(dataset: str) -> Styles:
    """What has been chosen for the classes of a data set."""
    return CLASS_STYLES.get().get(dataset, {})


def set_class_style(dataset: str, c: int, *, name: str | None = None, colour: str = "") -> None:
    """Name a class, or give it a colour; an empty name is the default."""
    styles = styles_of(dataset)
    style = styles.get(c, ClassStyle())
    if name is not None:
        style = style._replace(name=clean_name(name, MAX_NAME))
    if COLOUR.fullmatch(colour):
        style = style._replace(colour=colour)
    others = {k: s for k, s in styles.items() if k != c}
    CLASS_STYLES.get()[dataset] = others | ({c: style} if any(style) else {})


def forget_class_styles(dataset: str) -> None:
    """All names and colours as they were, new classes gone."""
    CLASS_STYLES.get()[dataset] = {}


def forget_page_colours() -> None:
    """The default colours, until a page has read its data."""
    CLASS_COLOURS.clear()


def _page_colours() -> Mapping[int, str]:
    return CLASS_COLOURS.get() if is_script_running() else {}


theme.take_colours_from(_page_colours)
