"""Stories of lecturers: written as a file, kept on the server, shared by a link."""

import streamlit as st

from sslviz.stories import record
from sslviz.stories.page_links import step_of_link
from sslviz.stories.record import StoryError
from sslviz.stories.shelf import FIRST, keep_story, story_text
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.state.slots import OWN_STORY
from sslviz.ui.stories.steps import STORY_PAGES, apply_step
from sslviz.ui.tables import show_file_button


def show_own_stories() -> None:
    """A place to bring a story, and its link."""
    st.header("Your own story", divider="gray")
    st.markdown(
        "A story is a text file in TOML. Take one of the app's as a model, change it, and bring it "
        "here: it is kept on this server, and whoever has its link can follow it. For a step, set "
        "up a page as you want it and copy its link."
    )
    with st.container(horizontal=True):
        show_file_button("The tour as a model", lambda: story_text(FIRST) or "", "story.toml")
    with st.expander("What a story file holds", key="story_file", icon=":material/help:"):
        st.code((record.__doc__ or "").partition("\n\n")[2], language="toml")
    _show_step_of_link()
    file = st.file_uploader("Story file", type=["toml"], key="story.file", max_upload_size=1)
    text = st.text_area("or its text", key="story.text", height=160, max_chars=record.MAX_BYTES)
    if st.button("Keep it", key="open.story.keep", icon=":material/save:"):
        _keep(file.getvalue().decode("utf-8", "replace") if file else text)
    if name := OWN_STORY.get():
        st.success("Kept. This is its link, also for others:", icon=":material/check:")
        st.code(f"{(st.context.url or '').partition('/stories')[0]}/?story={name}", language=None)
        st.button(
            "Follow it",
            key="open.story.own",
            icon=":material/play_arrow:",
            on_click=apply_step,
            args=(name, 1),
        )


def _show_step_of_link() -> None:
    """A field for the link of a page, and the step that shows it."""
    link = st.text_input("Link of a page, for a step of your story", key="story.link")
    if not link:
        return
    try:
        st.code(step_of_link(link, STORY_PAGES), language="toml")
    except StoryError as error:
        st.error(f"{escape_markup(str(error).capitalize())}.", icon=":material/error:")


def _keep(text: str) -> None:
    try:
        OWN_STORY.set(keep_story(text, STORY_PAGES))
    except StoryError as error:
        OWN_STORY.clear()
        st.error(
            f"This story cannot be kept: {escape_markup(str(error))}.", icon=":material/error:"
        )
    except OSError:
        st.error("The story could not be saved: the server's disk is full or read-only.")
