"""Links of former versions: addresses and query parameters under their names of today."""

import re
from typing import TypeVar

from sslviz.ui.state.streamlit_internals import query_values, replace_query

ADDRESSES = {  # of pages
    "asking": "active_learning",
    "fields": "inductive",
    "gallery": "failures",
}
V = TypeVar("V")  # a value, or all values of a query parameter
KEYS = {  # of widgets; a name that ends in a dot stands for all that begin with it
    "fields.": "inductive.",
    "asking.": "active_learning.",
    "field_method": "inductive.method",
    "map_method": "embedding.method",
}
_OLD = re.compile("|".join(f"{re.escape(key)}{'' if key[-1] == '.' else '$'}" for key in KEYS))


def translate(query: dict[str, V]) -> dict[str, V]:
    """Query parameters under their names of today; where both names are there, today's counts."""
    renamed = {
        _OLD.sub(lambda m: KEYS[m[0]], key, count=1) if _OLD.match(key) else key: value
        for key, value in query.items()
    }
    return renamed | {key: value for key, value in query.items() if key in renamed}


def redirect_old_keys() -> None:
    """Rename old query parameters in the URL; before widgets are drawn, which start from them."""
    query = query_values()
    renamed = translate(query)
    if renamed != query:
        replace_query(renamed)
