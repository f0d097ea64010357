"""How points are coloured and marked: controls that several pages share."""

import streamlit as st


def choose_mistakes(help: str = "Compare with the hidden labels.") -> bool:
    """Whether wrong predictions are marked with a ring."""
    return st.toggle("Ring the mistakes", key="mistakes", bind="query-params", help=help)
