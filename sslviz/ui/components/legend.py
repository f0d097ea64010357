"""One legend for several maps side by side: with their own they would differ in size."""

from html import escape

import streamlit as st

from sslviz.figures.maps.points import MOST_NAMES
from sslviz.figures.theme import UNDETERMINED, class_colours, css


def show_legend(
    classes: tuple[str, ...], marks: dict[str, tuple[str, str]], *, undetermined: bool = True
) -> None:
    """The classes' colours, grey for undetermined, and `marks`: a name to its (symbol, colour)."""
    colours = [css(c) for c in class_colours(len(classes))]
    entries = [("●", colour, name) for name, colour in zip(classes, colours, strict=True)]
    if len(entries) > MOST_NAMES:
        entries = []
    if undetermined:
        entries.append(("●", UNDETERMINED, "undetermined"))
    entries += [(symbol, colour, name) for name, (symbol, colour) in marks.items()]
    spans = "".join(
        f'<span style="white-space:nowrap"><span style="color:{colour}">{symbol}</span> '
        f"{escape(name)}</span>"
        for symbol, colour, name in entries
    )
    st.html(f'<div style="display:flex;flex-wrap:wrap;gap:.2rem 1.2rem">{spans}</div>')
