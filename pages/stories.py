"""Stories: lessons of a few steps that set the pages and ask questions."""

from operator import itemgetter

import streamlit as st

from sslviz.stories.shelf import built_in
from sslviz.ui.app import page_header
from sslviz.ui.cards import in_cards
from sslviz.ui.stories.own import show_own_stories
from sslviz.ui.stories.steps import STORY_PAGES, apply_step

page_header("Stories")
st.markdown(
    "A story leads through a few pages with all settings made, says what to look at, and asks a "
    "question now and then. Change whatever you like on the way: **Again** restores the step."
)
for name, story in in_cards(list(built_in(STORY_PAGES).items()), itemgetter(0)):
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
