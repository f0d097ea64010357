"""Names from visitors' files in texts: what would be markup in Markdown or in a figure stays text.

Names of classes, columns and files come from strangers, and a link shows them to others. Plotly's
texts and Streamlit's Markdown both decode character references, so one escape serves both. Tables,
lists of options and code show plain text and need none.
"""

import re
from html import unescape

import numpy as np

# Of links and images the brackets: the rest is then harmless.
_MARKUP = re.compile(r"[<>&\[\]*_`$~#|\\{}@]|:(?=[\w/+-])|(?<=ww)w(?=\.)", re.IGNORECASE)
# Addresses, icons (:material/home:) and emoji are looked for after character references are
# decoded: there an invisible character keeps the parts from each other.
_WORD_JOINER = "\u2060"
_SPLIT = ":@wW"


def escape_markup(text: str) -> str:
    """The text with a character reference for every character that may be markup."""
    flat = " ".join(text.split())
    return _MARKUP.sub(_reference, flat)


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};{_WORD_JOINER if match[0] in _SPLIT else ''}"


def plain_text(text: str) -> str:
    """The text as it was before `escape_markup`, for tables and options."""
    return unescape(text).replace(_WORD_JOINER, "") if "&#" in text else text


def plain_table(table: dict) -> dict:
    """Columns of a table, with texts as they were before `escape_markup`."""
    return {plain_text(str(name)): _plain_column(column) for name, column in table.items()}


def _plain_column(column: object) -> object:
    if isinstance(column, np.ndarray) and column.dtype.kind != "U":
        return column
    if isinstance(column, list | tuple | np.ndarray):
        return [plain_text(cell) if isinstance(cell, str) else cell for cell in column]
    return column
