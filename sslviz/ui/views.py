"""Numbers and views of a page, declared as records and drawn from one result.

`Number` and `View` describe what is shown; `show_numbers` and `show_views` show it. Figures and
captions are functions of a result, so that tests draw every view without Streamlit.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.figures.maps.image_grid import MARGIN, shape_of
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.state.slots import SHOWN_NUMBERS
from sslviz.ui.tables import show_table

CHART_HEIGHT = 240
TABLE_ROWS = 6  # in sight below a figure; the others by scrolling

Text = str | Callable[[Any], str]


def always(result: Any) -> bool:
    """The default of `when`."""
    return True


@dataclass(frozen=True)
class Number:
    """A number of a result: its title, how it is computed and what it means."""

    title: Text
    value: Callable[[Any], Any]  # a str is shown as it is
    help: Text = ""
    form: str = "{:.1%}"
    when: Callable[[Any], bool] = always
    # Its values in the frames of the film, one for each; None where nothing is played.
    course: Callable[[Any], Sequence[Any] | np.ndarray | None] | None = None

    def text(self, value: Any, result: Any) -> str:
        """A value as it is shown; what the result says in place of an accuracy that is nan."""
        if isinstance(value, str):
            return value
        if isinstance(value, float) and np.isnan(value):
            return str(getattr(result, "no_accuracy", "all given"))
        return self.form.format(value)


@dataclass(frozen=True)
class View:
    """A figure of a result with a title, and a caption that tells what to look for.

    `key` identifies the figure while its data change. `when` tells whether there is something to
    draw; `otherwise` is the text shown instead (if it is empty, the view is left out). `table` is
    shown below the figure: columns by name, or None.
    """

    key: str
    title: Text
    figure: Callable[[Any], go.Figure | None]
    caption: Text = ""
    when: Callable[[Any], bool] = always
    otherwise: Text = ""
    height: int | float = CHART_HEIGHT
    table: Callable[[Any], Mapping[str, Any] | None] | None = None
    # Further arguments of show_figure.
    options: Mapping[str, Any] | Callable[[Any], Mapping[str, Any]] | None = None
    tiles: bool = False  # a grid of images: its height is limited by the width of its column

    def shown(self, result: Any) -> bool:
        return self.when(result) or bool(text_of(self.otherwise, result))


class ShownNumber(NamedTuple):
    title: str
    value: str
    help: str


def text_of(text: Text, result: Any) -> str:
    return text if isinstance(text, str) else text(result)


def percent(share: float, without: str = "all given") -> str:
    """A share of the hidden points in percent, or the text `without` if there are none."""
    return without if np.isnan(share) else f"{share:.1%}"


def numbers_of(numbers: Iterable[Number], result: Any) -> list[ShownNumber]:
    """The numbers of a result as they are shown."""
    found = []
    for number in numbers:
        if not number.when(result):
            continue
        value = number.text(number.value(result), result)
        title, meaning = text_of(number.title, result), text_of(number.help, result)
        found.append(ShownNumber(title, value, meaning))
    return found


def numbers_by_frame(numbers: Iterable[Number], result: Any, count: int) -> dict[str, list[str]]:
    """The texts of the numbers that change in a film of `count` frames, by title.

    The last frame has the text of the result itself: a film ends with what the page says.
    """
    found = {}
    for number in numbers:
        if count < 2 or number.course is None or not number.when(result):
            continue
        values = number.course(result)
        if values is not None and len(values) == count:
            texts = [number.text(_plain(value), result) for value in values[:-1]]
            texts.append(number.text(number.value(result), result))
            found[text_of(number.title, result)] = texts
    return found


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def follow_film(
    fig: go.Figure, numbers: Iterable[Number], result: Any, *, count: int | None = None
) -> go.Figure:
    """Let the numbers above a figure with frames show those of the frame that it is at.

    They travel in `layout.meta["numbers"]`; film_numbers.js writes them. `count` is the number of
    frames where the figure does not tell it.
    """
    if texts := numbers_by_frame(numbers, result, len(fig.frames) if count is None else count):
        fig.update_layout(meta={**(fig.layout.meta or {}), "numbers": texts})
    return fig


def show_metrics(numbers: Iterable[tuple[str, str, str]]) -> None:
    """Name, value and meaning of a few numbers, in rows across the page."""
    with st.container(horizontal=True, gap="medium"):
        for name, value, meaning in numbers:
            SHOWN_NUMBERS.get()[name] = value
            st.metric(name, value, help=meaning or None, width="content")


def show_numbers(numbers: Iterable[Number], result: Any) -> None:
    """The numbers of a result, side by side."""
    show_metrics(numbers_of(numbers, result))


def show_views(
    views: Sequence[View],
    result: Any,
    *,
    columns: int | Sequence[float] = 3,
    film: str | None = None,
) -> None:
    """The views of a result in rows; charts of a `film` mark the present frame of its player."""
    shown = [view for view in views if view.shown(result)]
    across = columns if isinstance(columns, int) else len(columns)
    for first in range(0, len(shown), across):
        row = shown[first : first + across]
        widths = columns if not isinstance(columns, int) else across
        for column, view in zip(st.columns(widths), row, strict=False):
            with column:
                show_view(view, result, film=film)


def show_view(
    view: View, result: Any, *, film: str | None = None, numbers: Sequence[Number] = ()
) -> None:
    """One view: title, figure or the reason why there is none, table, caption.

    `numbers` of the page follow the film of the figure.
    """
    if title := text_of(view.title, result):
        st.subheader(title)
    if not view.when(result):
        st.info(text_of(view.otherwise, result), icon=":material/info:")
        return
    if (fig := view.figure(result)) is not None:
        follow_film(fig, numbers, result)
        more = view.options(result) if callable(view.options) else view.options
        options = {"tools": False, "film": film, "alt": title} | dict(more or {})
        if view.tiles:
            limit_height(shape_of(fig), view.key, MARGIN)
        show_figure(fig, key=view.key, height=view.height, **options)
    if view.table is not None and (table := view.table(result)) is not None:
        show_table(table, view.key, rows=TABLE_ROWS)
    if caption := text_of(view.caption, result):
        st.caption(caption)


def limit_height(shape: float | None, key: str, margin: int) -> None:
    """Limit the height of a figure where its column is too narrow to fill it.

    `shape` is height over width of what is drawn, `margin` the space around it in px. Done in CSS,
    since only the browser knows the width of the column.
    """
    if shape is None:
        return
    height = f"calc({2 * margin}px + {shape:.4f} * (100cqw - {2 * margin}px))"
    st.html(
        f"<style>.st-key-{key} {{ container-type: inline-size; }} "
        f".st-key-{key} .sslviz-plot {{ min-height: 0; max-height: {height}; }}</style>"
    )
