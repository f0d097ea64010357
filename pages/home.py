"""Home: a live picture to start with, then cards that lead to the pages."""

import streamlit as st

from sslviz.paths import app_folder
from sslviz.ui.app import page_header
from sslviz.ui.cards import in_cards
from sslviz.ui.home import HOW_TO_READ, show_first_picture
from sslviz.ui.page_list import PAGES

page_header("See semi-supervised learning happen")
st.markdown(
    "Labels are expensive, data are cheap. **Semi-supervised methods** learn from a few labelled "
    "points and many unlabelled ones. Choose a data set and a method, change its parameters, and "
    "watch what it predicts, on data whose true labels you know."
)
show_first_picture()

st.subheader("What there is to see")
for card in in_cards([page for page in PAGES if page.sentence], lambda page: page.name):
    st.image(
        app_folder() / "assets" / f"{card.name}.png",
        width="stretch",
        alt=f"Picture of the page {card.title}",
    )
    st.markdown(f"**{card.title}**")
    st.markdown(card.sentence)
    st.page_link(card.path, label=f"Open {card.title}", icon=":material/arrow_forward:")

left, right = st.columns(2)
with left:
    st.subheader("How to read the pictures")
    st.markdown(HOW_TO_READ)
with right:
    st.subheader("Good to know")
    st.markdown(
        "- Every picture has an **address**: **Copy link** above it shares what you see.\n"
        "- Every picture has its **code** at the end of the page, and the code runs.\n"
        "- Accuracy is measured on the hidden labels only. Where a method fails, you see it fail.\n"
        "- Nothing leaves this machine; only OpenML data sets are fetched, when you ask for one."
    )
