"""Which pages the sessions visit, and the address bar of a session."""

from collections.abc import Iterable
from urllib.parse import parse_qsl, urlencode, urlsplit

from streamlit.proto.WidgetStates_pb2 import WidgetState

from soak.moves import Widget
from sslviz.ui.page_list import PAGES

# Every page as it opens, and some with images or with a small table of numbers.
OTHER_DATA = (
    "/propagation?data=digits",
    "/clustering?data=digits",
    "/inductive?data=iris",
    "/hubs?data=digits",
    "/embedding?data=digits",
    "/graph?data=iris",
)
# Long texts or pictures without widgets: opened once by a few, then left.
READING = {"home", "stories", "methods", "failures"}


def plans(pages: Iterable[str] = ()) -> list[str]:
    """Addresses to visit, one for each session in turn; `pages` are names or whole addresses."""
    asked = list(pages)
    if asked:
        return [page if page.startswith("/") else f"/{page}" for page in asked]
    working = [f"/{p.name}" for p in PAGES if p.name not in READING]
    reading = [f"/{p.name}" for p in PAGES if p.name in READING]
    return [*working, *OTHER_DATA, *reading]


class AddressBar:
    """Page and query of a session; widgets bound to the query change it, as in a browser."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.page = parts.path.strip("/")
        self.query = parts.query

    def follow(self, widget: Widget, state: WidgetState) -> None:
        """Write what the visitor set into the query, if the widget is bound to it."""
        key = widget.proto.query_param_key
        if not key:
            return
        kept = [(k, v) for k, v in parse_qsl(self.query, keep_blank_values=True) if k != key]
        self.query = urlencode(kept + [(key, text) for text in _texts(widget, state)])


def _texts(widget: Widget, state: WidgetState) -> list[str]:
    kind = state.WhichOneof("value")
    if kind == "double_array_value":
        whole = widget.proto.data_type == widget.proto.INT
        return [str(int(v)) if whole else repr(v) for v in state.double_array_value.data]
    if kind == "string_array_value":
        return list(state.string_array_value.data)
    if kind == "bool_value":
        return [str(state.bool_value).lower()]
    return [state.string_value]
