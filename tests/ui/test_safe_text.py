"""Names of strangers stay text in Markdown and in figures."""

import re
from html import unescape

import pytest

from sslviz.ui.safe_text import escape_markup, plain_table, plain_text

HOSTILE = (
    "<img src=x onerror=alert(1)>", "![p](http://evil.example/x.png)", "[a](javascript:x)",
    "**bold** _it_ `code` $x$", ":red[x]", "www.evil.example", "a@b.example", "| a | b |",
    "&lt;b&gt;", ":material/home:", ":smile:", "https://evil.example/x", "12:30",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_markup_is_left_and_the_text_is_the_same(name):
    escaped = escape_markup(name)
    assert not set("<>[]*_`$|@") & set(escaped)
    assert not re.search(r":(?=[\w/])|@\w|www\.", unescape(escaped)), "nothing to look for"
    assert "://" not in escaped and "www." not in escaped.lower()
    assert plain_text(escaped) == name


@pytest.mark.parametrize("name", ["setosa", "class 1", "Süd (Nord)", "50 %", "a-b, c/d: e"])
def test_ordinary_names_are_unchanged(name):
    assert escape_markup(name) == name


def test_lines_become_one():
    assert escape_markup("a\n\n# b") == "a &#35; b"


def test_tables_show_plain_text():
    table = {escape_markup("<x>"): [escape_markup("<50K"), 3], "n": [1, 2]}
    assert plain_table(table) == {"<x>": ["<50K", 3], "n": [1, 2]}
