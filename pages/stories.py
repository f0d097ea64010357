"""Stories: lessons of a few steps that set the pages and ask questions."""

import streamlit as st

from sslviz.stories.shelf import built_in
from sslviz.ui.app import page_header
from sslviz.ui.page_list import CARDS_ACROSS
from sslviz.ui.stories.own import show_own_stories
from sslviz.ui.stories.steps import STORY_PAGES, apply_step

page_header("Stories")
st.markdown(
    "A story leads through a few pages with all settings made, says what to look at, and asks a "
    "question now and then. Change whatever you like on the way: **Again** restores the step."
)
stories = list(built_in(STORY_PAGES).items())
for first in range(0, len(stories), CARDS_ACROSS):
    row = stories[first : first + CARDS_ACROSS]
    for column, (name, story) in zip(st.columns(CARDS_ACROSS), row, strict=False):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{story.title}**")
            st.markdown(story.about)
            st.caption(f"{len(story.steps)} steps")
            st.button(
                "Start",
                key=f"open.story.{name}",
                icon=":material/play_arrow:",
                on_click=apply_step,
                args=(name, 1),
            )
show_own_stories()
