"""Slots of the session: defaults, scopes, families, and that the catalogue is complete."""

import ast
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from sslviz.ui.state import slots

ROOT = Path(__file__).parents[3]
WIDGET_VALUES = {  # files that may touch st.session_state itself
    "sslviz/ui/state/slots.py",
    "sslviz/ui/state/page_state.py",
    "sslviz/ui/state/streamlit_internals.py",  # of the running script
}
CONVERTED = ("sslviz/ui/components", "sslviz/ui/data", "sslviz/ui/state")


def script() -> None:
    """Every promise of a slot, in one run of a script."""
    import streamlit as st

    from sslviz.ui.state.slots import Slot

    plain, made = Slot("plain", 3), Slot[list[int]]("made", list, "data set")
    assert plain.get() == 3 and not plain.is_set() and "plain" not in st.session_state
    plain.set(4)
    assert plain.get() == 4 and plain.pop() == 4 and plain.get() == 3

    made.get("iris").append(7)
    assert made.get("iris") == [7] and made.get() == [7]
    made.set([8])  # by a click: where it belongs stays
    assert made.get("iris") == [8] and not made.is_set("wine") and made.get("wine") == []

    first, second = plain.of("graph"), plain.of("hubs")
    first.set(5)
    assert (first.get(), second.get(), plain.get()) == (5, 3, 3)
    first.clear()
    assert first.get() == 3
    st.text("done")


def test_a_slot_has_its_default_its_scope_and_its_families():
    app = AppTest.from_function(script).run()
    assert not app.exception and app.text[0].value == "done"


def test_names_are_unique_and_slots_are_found_by_their_keys():
    all_slots = list(slots.catalogue())
    names = [slot.name for slot in all_slots]
    assert len(set(names)) == len(names) and not any(":" in name for name in names)
    assert {slot.in_url for slot in all_slots} == {
        "",
        "point",
        "atom",
        "arrival",
        "hand",
        "classes",
    }
    for slot in all_slots:
        assert slots.slot_of(slot.key) is slot and slots.slot_of(slot.of("x").key) is slot
    assert slots.slot_of("LabelPropagation.n_neighbors") is None


@pytest.mark.parametrize("folder", CONVERTED)
def test_no_other_file_touches_the_session_state(folder):
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        raw = [n.lineno for n in tree if isinstance(n, ast.Attribute) and n.attr == "session_state"]
        assert not raw or name in WIDGET_VALUES, f"{name}, lines {raw}"
