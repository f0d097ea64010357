"""Where methods fail: settings worth seeing, each a click away."""

import streamlit as st

from sslviz.ui.app import ASSETS, page_header
from sslviz.ui.presets.apply import apply_preset, go_to
from sslviz.ui.presets.catalogue import PRESETS

ACROSS = 3

page_header("Where methods fail")
st.markdown(
    "One learns more from a method that fails than from one that works. Each card opens a page "
    "with everything set; from there, move what you like."
)
for first in range(0, len(PRESETS), ACROSS):
    row = PRESETS[first : first + ACROSS]
    for column, preset in zip(st.columns(ACROSS), row, strict=False):
        with column, st.container(border=True, height="stretch"):
            picture = ASSETS / "failures" / f"{preset.key}.png"
            if picture.exists():
                st.image(picture, width="stretch")
            st.subheader(preset.name)
            st.markdown(preset.sentence)
            st.markdown(f"**Try:** {preset.look}")
            if preset.missing:
                st.caption(
                    f"Needs the data set `{preset.missing}`, which is not here: put "
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
                go_to(preset)
