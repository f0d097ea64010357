"""Every number and view of every page, for every method of its family, drawn without Streamlit.

A file of tests/views/ yields the cases of a page: name, numbers, views, result.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest

from sslviz.ui.views import numbers_of, text_of

FOLDER = Path(__file__).parent / "views"
PAGES = sorted(p.stem for p in FOLDER.glob("*.py") if p.stem != "problems")


@pytest.mark.parametrize("page", PAGES)
def test_every_number_and_view_of_a_page_can_be_drawn(page: str) -> None:
    drawn: set[str] = set()
    for name, numbers, views, result in import_module(f"views.{page}").cases():
        shown = numbers_of(numbers, result)
        assert len({number.title for number in shown}) == len(shown), name
        for number in shown:
            assert number.title and number.value and "nan" not in number.value, (name, number)
        _check_courses(numbers, result, name)
        for view in views:
            if _drawn(view, result, name):
                drawn.add(text_of(view.title, result) + view.key)
    assert drawn, "no view was drawn"


def _check_courses(numbers: Any, result: Any, name: str) -> None:
    """What a film shows in its last frame is what the page says; and nothing is nan on the way."""
    for number in numbers:
        values = number.course(result) if number.course and number.when(result) else None
        if values is None or len(values) < 2:
            continue
        texts = [number.text(value, result) for value in values]
        assert "nan" not in "".join(texts), (name, number.title, texts)
        end = number.text(number.value(result), result)
        assert texts[-1].split(" after ")[0] == end, (name, number.title, texts[-1], end)


def _drawn(view: Any, result: Any, name: str) -> bool:
    """Draw a view, or find the sentence that stands in its place."""
    if not view.when(result):
        text_of(view.otherwise, result)
        return False
    figure = view.figure(result)
    assert figure is None or isinstance(figure, go.Figure), (name, view.key)
    if figure is not None:
        content = figure.to_dict()
        content["frames"] = content.get("frames", [])[-1:]  # all are made in the same way
        checked = go.Figure(content)  # by plotly: maps and frames skip its checks when drawn
        assert len(checked.data) and checked.to_json(), (name, view.key)
        for frame in checked.frames:  # a frame changes traces that are there, of the same kind
            at = frame.traces or range(len(frame.data))
            kinds = [
                (new.type, checked.data[i].type) for i, new in zip(at, frame.data, strict=True)
            ]
            assert all(new == old for new, old in kinds), (name, view.key, kinds)
    caption = text_of(view.caption, result)
    assert "nan" not in caption.split() and "None" not in caption, (name, view.key, caption)
    if view.table is not None and (table := view.table(result)) is not None:
        assert len({len(column) for column in table.values()}) == 1, (name, view.key)
    return True
