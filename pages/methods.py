"""All methods: every method of the package with its idea, paper and parameters, to search."""

import streamlit as st

import sslviz
from sslviz.ui.app import page_header
from sslviz.ui.cards import in_cards
from sslviz.ui.methods import matches_words, show_card
from sslviz.ui.page_list import PAGE_BY_NAME

page_header("All methods")
st.markdown(
    f"The **{len(sslviz.METHODS)} methods** of the package, by family. **Open** leads to the page "
    "that shows a method, with it selected."
)
words = st.text_input(
    "Search",
    key="methods.search",
    bind="query-params",
    placeholder="graph, kernel, margin, Zhu, stream …",
    help="Words of a title, an idea, a paper or a parameter. All of them must occur.",
)
found = [method for method in sslviz.METHODS if matches_words(method, words)]
if not found:
    st.info("No method has all of these words.", icon=":material/search_off:")
for family in dict.fromkeys(method.family for method in found):
    st.subheader(PAGE_BY_NAME[family].title)
    of_family = [method for method in found if method.family == family]
    for method in in_cards(of_family, lambda method: method.__name__):
        show_card(method)
