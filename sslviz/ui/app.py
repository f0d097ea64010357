"""The frame around all pages: navigation, style, and that no page is shown without it.

app.py keeps Streamlit from taking pages/ for an old-style folder of pages, and leads old addresses
to the present ones. Where a page is run without app.py all the same, it calls st.navigation and
starts over.
"""

import streamlit as st

from sslviz.freed_memory import return_large_blocks, trim_regularly
from sslviz.paths import app_folder
from sslviz.ui.components.live_figure import preload
from sslviz.ui.errors import error_net, warn_if_disk_refuses
from sslviz.ui.formula import dark_colours
from sslviz.ui.page_list import sections
from sslviz.ui.presets.openings import forget_opening, open_bare_page
from sslviz.ui.server import executor, keep_tidy, share_cores, warm_up
from sslviz.ui.state import class_styles, old_links, page_state, slots
from sslviz.ui.state.streamlit_internals import StreamlitPage
from sslviz.ui.stories.steps import follow_link
from sslviz.ui.warm_up import compile_in_background, import_pages


def prepare_server() -> None:
    """Start the workers and import what the pages import, before the server answers.

    No visitor waits for it: meanwhile the workers load their kernels.
    """
    share_cores()
    return_large_blocks()
    trim_regularly()
    if executor().workers:
        compile_in_background()
    import_pages()


def navigation() -> StreamlitPage:
    """The page the address names.

    The icon comes first: without one of its own Streamlit would ask a foreign host for the page's.
    """
    folder = app_folder()
    st.set_page_config(
        page_title="sslviz", page_icon=str(folder / "assets/icon.svg"), layout="wide"
    )
    pages = {
        section: [
            st.Page(folder / p.path, title=p.title, icon=p.icon, default=p.name == "home")
            for p in entries
        ]
        for section, entries in sections().items()
    }
    return st.navigation(pages, expanded=True)


def run() -> None:
    """Draw the frame and the page the address names."""
    share_cores()
    warm_up()
    slots.ENTERED.set(True)
    page = navigation()
    assets = app_folder() / "assets"
    st.logo(str(assets / "logo.svg"), size="large", icon_image=str(assets / "icon.svg"))
    style = (assets / "style.css").read_text(encoding="utf-8")
    st.html(f"<style>{style}{dark_colours()}</style>")
    preload()
    keep_tidy()
    old_links.redirect_old_keys()
    follow_link(page.url_path)
    page_state.restore_shared(page.url_path)
    old_links.start_from_title()
    open_bare_page(page.url_path)
    class_styles.forget_page_colours()
    try:
        with error_net(page.url_path):
            page.run()
        warn_if_disk_refuses()
    finally:
        slots.SETTINGS_TRIED.clear()
        page_state.save_shared(page.url_path)
        forget_opening(page.url_path)


def page_header(title: str) -> None:
    """Head a page; if it was started without the frame, start over with it."""
    if not slots.ENTERED.get():
        navigation()
        st.rerun()
    st.title(title)
