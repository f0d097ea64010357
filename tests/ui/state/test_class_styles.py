"""Names and colours of classes in the link: read as written, whatever strangers write there."""

import pytest

from sslviz.figures import theme
from sslviz.ui.state.class_styles import ClassStyle, format_styles, parse_styles, styled_classes

CLASSES = ("a", "b")


def test_what_is_written_is_read():
    styles = {0: ClassStyle("50 % <b>|: ä", "#0072B2"), 2: ClassStyle("", "#abcdef")}
    assert parse_styles(format_styles(styles)) == styles
    assert parse_styles("") == {} and format_styles({}) == ""


@pytest.mark.parametrize("nonsense", ["x", "1", "1::", "-1:0072B2:a", "1:red:", "²:0072B2:a", ":"])
def test_nonsense_is_left_out(nonsense):
    assert parse_styles(f"{nonsense}|0::rose") == {0: ClassStyle("rose")}


def test_names_are_short_lines_without_control_characters():
    (style,) = parse_styles("0::" + "x\n\u202e" * 100).values()
    assert len(style.name) == 40 and style.name.isprintable()


def test_no_two_classes_have_the_same_name():
    assert styled_classes(CLASSES, {0: ClassStyle("b")}, more=False) == ("b", "b (2)")


def test_only_data_of_unknown_class_take_new_classes():
    styles = {2: ClassStyle("c"), 4: ClassStyle("not the next")}
    assert styled_classes(CLASSES, styles, more=False) == CLASSES
    assert styled_classes(CLASSES, styles, more=True) == ("a", "b", "c")


def test_chosen_colours_replace_the_defaults_of_their_classes(monkeypatch):
    monkeypatch.setattr(theme, "_chosen", lambda: {1: "#010203", 7: "#ffffff"})
    found = theme.class_colours(3)
    assert found[1].tolist() == [1, 2, 3]
    assert (found[[0, 2]] == theme.default_colours(3)[[0, 2]]).all()
