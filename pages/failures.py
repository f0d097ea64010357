"""Failures: settings in which a method fails, and some in which it works, one click each."""

import streamlit as st

from sslviz.ui.app import page_header
from sslviz.ui.presets.cards import show_preset_cards
from sslviz.ui.presets.catalogue import PRESETS
from sslviz.ui.presets.successes import SUCCESSES

page_header("When methods fail, and when they work")
st.markdown(
    "A method that fails teaches more than one that works; to see which is which, look at both. "
    "Each card opens a page with all settings made; from there, change what you like."
)
st.header("They work", divider="gray")
show_preset_cards(SUCCESSES)
st.header("They fail", divider="gray")
show_preset_cards(PRESETS)
