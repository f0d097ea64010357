"""How points are coloured and marked: controls that several pages share."""

import streamlit as st

from sslviz.ui.state.slots import SHAPES

POINTS_WITH_SHAPES = 600  # up to so many have shapes by default: among more they are too small
CLASSES_WITH_SHAPES = 6


def choose_shapes(n_points: int, n_classes: int) -> None:
    """Whether points have the shape of their class beside its colour, in all maps."""
    few = n_points <= POINTS_WITH_SHAPES and 1 < n_classes <= CLASSES_WITH_SHAPES
    shapes = st.toggle(
        "Shapes beside colours",
        few,
        key=f"shapes.{'few' if few else 'many'}",
        bind="query-params",
        help="Each class has a shape, the same in every map and above it, for those who cannot "
        "tell colours apart, and for print. Up to eight classes, six in three dimensions. Given "
        "labels in the plane always have the shape of their class inside the diamond.",
    )
    SHAPES.set(shapes)


def choose_mistakes(help: str = "Compare with the hidden labels.") -> bool:
    """Whether wrong predictions are marked with a ring."""
    return st.toggle("Ring the mistakes", key="mistakes", bind="query-params", help=help)
