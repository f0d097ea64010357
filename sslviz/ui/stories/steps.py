"""Opening the steps of stories: by buttons, by links, and by the browser's history."""

import streamlit as st

from sslviz.stories.record import Step, Story
from sslviz.stories.shelf import find_story
from sslviz.ui.page_list import PAGES
from sslviz.ui.state import page_state, slots
from sslviz.ui.state.slots import StoryPlace
from sslviz.ui.stories.settings import control_values, try_settings

STORY_PAGES = frozenset(p.name for p in PAGES)
IN_URL = ("story", "step")


def present_step() -> tuple[Story, StoryPlace, Step] | None:
    """The story that the visitor follows, where in it, and its step there; None without one."""
    place = slots.STORY.get()
    story = find_story(place.name, STORY_PAGES) if place.name else None
    if story is None:
        return None
    at = min(max(place.step, 1), len(story.steps))
    return story, StoryPlace(place.name, at), story.steps[at - 1]


def apply_step(name: str, step: int) -> None:
    """Set every widget to the step's value or its default; for a button's `on_click`."""
    page_state.forget_settings()
    slots.STORY.set(StoryPlace(name, step))
    slots.STEP_APPLIED.set(True)
    if found := present_step():
        st.session_state.update(control_values(found[2].settings))


def leave_story() -> None:
    """Forget the story; the page stays as it is."""
    slots.STORY.clear()
    for key in IN_URL:
        page_state.set_url_value(key, "")


def follow_link(page: str) -> None:
    """Before a page runs: go to the page of a step that was applied, or take up a story's link.

    An address with nothing but a story and a step opens the step with its settings; one with
    settings of its own, or from the browser's history, is shown as it is.
    """
    if slots.STEP_APPLIED.get():
        _open_page(page)
        return
    name, step = (st.query_params.get(key, "") for key in IN_URL)
    place = StoryPlace(name, int(step) if step.isascii() and step.isdigit() else 1)
    if not name or place == slots.STORY.get():
        return
    slots.STORY.set(place)
    found = present_step()
    if found is None:
        leave_story()
        st.toast("The story of this link is not on this server.", icon=":material/menu_book:")
    elif not set(st.query_params) - set(IN_URL):
        apply_step(*place)
        _open_page(page)


def _open_page(page: str) -> None:
    """The page of the step that was applied, with step and settings in its address."""
    found = present_step()
    if found is not None and found[2].page != page:
        where = {"story": found[1].name, "step": str(found[1].step)}
        st.switch_page(f"pages/{found[2].page}.py", query_params=where)
    slots.STEP_APPLIED.clear()
    if found is not None:
        place = zip(IN_URL, map(str, found[1]), strict=True)
        page_state.set_address({**dict(place), **control_values(found[2].settings)})
        try_settings(found[2].settings)
