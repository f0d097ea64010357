"""Cards in rows across a page."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import streamlit as st

ACROSS = 3  # cards in a row

Thing = TypeVar("Thing")


def in_cards(things: Sequence[Thing], name: Callable[[Thing], str]) -> Iterator[Thing]:
    """Each of the things, with a card of its own around what is drawn before the next one."""
    for first in range(0, len(things), ACROSS):
        row = things[first : first + ACROSS]
        for column, thing in zip(st.columns(ACROSS), row, strict=False):
            # style.css finds cards by their key: what opens a page stands at the bottom
            with column, st.container(border=True, height="stretch", key=f"card_{name(thing)}"):
                yield thing
