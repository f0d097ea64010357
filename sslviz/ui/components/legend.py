"""One legend for several maps side by side: with a legend each, the maps would differ in size."""

from html import escape

import streamlit as st

from sslviz.figures.maps.points import MAX_NAMES_IN_KEY
from sslviz.figures.theme import UNDETERMINED, class_colours, css_of
from sslviz.ui.safe_text import plain_text

CLASS_GLYPHS = "●■✚✕▲★▼⬟"  # as in shapes.js


def show_legend(
    classes: tuple[str, ...], marks: dict[str, tuple[str, str]], *, undetermined: bool = True
) -> None:
    """The classes' colours, grey for undetermined, and `marks`: a name to its (symbol, colour)."""
    colours = [css_of(c) for c in class_colours(len(classes))]
    glyphs = CLASS_GLYPHS if len(classes) <= len(CLASS_GLYPHS) else "●" * len(classes)
    entries = list(zip(glyphs, colours, classes, strict=False))
    if len(entries) > MAX_NAMES_IN_KEY:
        entries = []
    if undetermined:
        entries.append(("●", UNDETERMINED, "undetermined"))
    entries += [(symbol, colour, name) for name, (symbol, colour) in marks.items()]
    items = "".join(
        f'<li><i style="color:{colour}">{symbol}</i>{escape(plain_text(name))}</li>'
        for symbol, colour, name in entries
    )
    with st.container(key="legend"):  # style.css shows it in the presenter view
        st.html(f'<ul class="sslviz-key">{items}</ul>')  # live_figure.css, of the maps below
