"""Cards of presets: a picture, what happens there, what to try, and a button that opens it."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from sslviz.paths import app_folder
from sslviz.ui.cards import in_cards
from sslviz.ui.presets.apply import apply_preset, open_preset
from sslviz.ui.presets.preset import Preset


def show_preset_cards(presets: Sequence[Preset]) -> None:
    """The cards in rows across the page."""
    for preset in in_cards(presets, lambda preset: preset.key):
        _show_card(preset)


def preset_picture(preset: Preset) -> Path:
    """Its own picture, or that of its page."""
    assets = app_folder() / "assets"
    own = assets / "failures" / f"{preset.key}.png"
    return own if own.exists() else assets / f"{Path(preset.page).stem}.png"


def _show_card(preset: Preset) -> None:
    st.image(preset_picture(preset), width="stretch", alt=f"Picture: {preset.name}")
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
