"""The formula of a method on its page, with the values in force."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import streamlit as st

from sslviz.figures.charts.training import TERM_COLOURS
from sslviz.figures.theme import HUB_COLOUR, OKABE_ITO, readable, rgb_of
from sslviz.formulas import values_of, with_colours
from sslviz.ui.safe_text import escape_markup

LIGHT, DARK = "#FFFFFF", "#12161D"  # backgrounds of the pages
WORDS = {"labelled": "labelled points", "unlabelled": "unlabelled points", "hub": "hubs"}
COLOURS = {"labelled": OKABE_ITO[0], "unlabelled": OKABE_ITO[5], "hub": HUB_COLOUR}


def show_formula(*models: Any) -> None:
    """The formula of each model, its colours explained, and the values of its symbols."""
    lines = []
    for model in models:
        colours = term_colours(model.family)
        lines += formula_lines(model.formula_in_force, values_of(model), colours)
    show_lines(lines)


def show_lines(lines: Sequence[str]) -> None:
    """Lines of formulas and values, above the numbers of a page."""
    with st.container(key="formula"):
        st.markdown("  \n".join(lines), help=HELP)


def formula_lines(
    formula: Sequence[str], values: Mapping[str, str], colours: Mapping[str, str]
) -> list[str]:
    """The formula in one line, the values and the meaning of the colours in another."""
    rows = [f"${with_colours(row, colours)}$" for row in formula]
    known = [rf"${symbol}$ = {escape_markup(text)}" for symbol, text in values.items()]
    named = [word for word in WORDS if any(f"{{{word}}}" in row for row in formula)]
    key = ", ".join(rf"$\textcolor{{{colours[w]}}}{{\text{{{WORDS[w]}}}}}$" for w in named)
    lines = [" \u2003 ".join(rows), " · ".join([*known, *([key] if key else [])])]
    return [line for line in lines if line]


HELP = (
    "The formula of the method and the values in force: those of the controls, or those that the "
    "fit has found. Terms have the colours of their lines in the chart of the objective, where the "
    "page has one. The explanation at the end of the page tells what each symbol means."
)


def term_colours(family: str) -> dict[str, str]:
    """Colours by their names in formulas: as in the figures, readable on a light page."""
    terms = OKABE_ITO if family == "dictionary" else TERM_COLOURS
    named = COLOURS | {str(i): colour for i, colour in enumerate(terms, 1)}
    return {name: readable(colour, LIGHT) for name, colour in named.items()}


@cache
def dark_colours() -> str:
    """Style rules that give the terms the same colours, readable on a dark page.

    The browser chooses: a reader who changes the theme asks for no other page.
    """
    rules = {}
    for colour in (*COLOURS.values(), *OKABE_ITO, *TERM_COLOURS):
        light, dark = readable(colour, LIGHT), readable(colour, DARK)
        places = (light.lower(), "rgb({}, {}, {})".format(*rgb_of(light).astype(int)))
        chosen = ",".join(f'.st-key-formula .katex [style*="{place}" i]' for place in places)
        rules[chosen] = f"{chosen}{{color:light-dark({light},{dark})!important}}"
    return "".join(rules.values())
