"""Failures: settings in which a method fails, one click each."""

import streamlit as st

from sslviz.paths import app_folder
from sslviz.ui.app import page_header
from sslviz.ui.page_list import CARDS_ACROSS
from sslviz.ui.presets.apply import apply_preset, open_preset
from sslviz.ui.presets.catalogue import PRESETS

page_header("When methods fail")
st.markdown(
    "A method that fails teaches more than one that works. Each card opens a page with all "
    "settings made; from there, change what you like."
)
for first in range(0, len(PRESETS), CARDS_ACROSS):
    row = PRESETS[first : first + CARDS_ACROSS]
    for column, preset in zip(st.columns(CARDS_ACROSS), row, strict=False):
        with column, st.container(border=True, height="stretch"):
            picture = app_folder() / "assets" / "failures" / f"{preset.key}.png"
            if picture.exists():
                st.image(picture, width="stretch", alt=f"Map of the failure: {preset.name}")
            st.markdown(f"**{preset.name}**")
            st.markdown(preset.sentence)
            st.markdown(f"**Try:** {preset.look}")
            if preset.missing:
                st.caption(
                    f"Needs the data set `{preset.missing}`, which is not available: put "
                    f"`{preset.missing}.npz` into the data folder (`$SSLVIZ_DATA`)."
                )
            if st.button(
                "Open",
                key=f"open.{preset.key}",
                icon=":material/arrow_forward:",
                disabled=bool(preset.missing),
                on_click=apply_preset,
                args=(preset,),
            ):
                open_preset(preset)
