"""Tables that can be saved, and buttons that save files."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from sslviz.exports.tables import to_csv, to_latex, to_markdown
from sslviz.ui.safe_text import plain_table

ROW_HEIGHT = 32  # px
FORMATS = {"CSV": (to_csv, "csv"), "Markdown": (to_markdown, "md"), "LaTeX": (to_latex, "tex")}


def show_table(
    columns: Mapping[str, Sequence[Any]], key: str, rows: int = 10, **options: Any
) -> None:
    """A table, with buttons below it that save it as CSV, Markdown or LaTeX.

    Beyond so many `rows` it scrolls.
    """
    shown = plain_table(dict(columns))
    if max(map(len, shown.values()), default=0) > rows:
        options["height"] = ROW_HEIGHT * (rows + 1) + 2
    st.dataframe(shown, hide_index=True, row_height=ROW_HEIGHT, **options)
    show_formats(columns, key)


def show_formats(columns: Mapping[str, Sequence[Any]], key: str) -> None:
    """Buttons that save a table as CSV, Markdown or LaTeX."""
    columns = plain_table(dict(columns))
    with st.container(horizontal=True, key=f"{key}_formats"):
        for title, (form, ending) in FORMATS.items():
            show_file_button(title, partial(form, columns), f"{key}.{ending}", type="tertiary")


def show_file_button(
    title: str, content: Callable[[], str | bytes], file_name: str, **options: Any
) -> None:
    """A button that saves a file; its content is computed when it is pressed."""
    st.download_button(
        title,
        content,
        file_name,
        key=f"download.{file_name}",
        on_click="ignore",
        icon=":material/download:",
        **options,
    )
