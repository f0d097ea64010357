"""Links of former versions: addresses and query parameters under their names of today."""

import re
from typing import TypeVar
from urllib.parse import parse_qs, urlencode

import streamlit as st
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from sslviz.ui.data.titles import list_titles
from sslviz.ui.state.streamlit_internals import (
    base_path,
    query_values,
    replace_query,
    start_widget_from,
)

ADDRESSES = {  # of pages
    "asking": "active_learning",
    "fields": "inductive",
    "gallery": "failures",
}
FIRST_PAGE = {"home": "./"}  # it has no name in the address
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


def start_from_title() -> None:
    """Let the list of data sets start from the set that the URL names: the list shows titles.

    The URL keeps the name; rewritten, it would be one more entry of the browser's history.
    """
    name = st.query_params.get("data", "")
    if name:
        start_widget_from("data", list_titles().get(name, name))


def routes() -> list[Route]:
    """Answers of the server to addresses that are no page, for `st.App`: a redirect to the page.

    The browser goes on before Streamlit starts, so Back does not lead to the old address again.
    """
    return [Route(f"{base_path()}/{old}", _redirect) for old in ADDRESSES | FIRST_PAGE]


def _redirect(request: Request) -> RedirectResponse:
    old = request.url.path.rstrip("/").rpartition("/")[2]
    values: dict[str, list[str]] = translate(parse_qs(request.url.query, keep_blank_values=True))
    query = urlencode(values, doseq=True)
    page = (ADDRESSES | FIRST_PAGE)[old]
    return RedirectResponse(f"{page}{'?' if query else ''}{query}", status_code=307)
