"""What dictionaries are made from: points of one scale, with noise."""

import numpy as np
import streamlit as st

from sslviz.data import Dataset
from sslviz.data.preprocess import prepared
from sslviz.memo import stage
from sslviz.ui.controls import choose_method
from sslviz.ui.state import page_state

DATA = "digits"  # images of strokes show best what atoms are
LENGTH, SPREAD = ("length 5",), ("standardise",)
SCALES = {
    "scaled to length 5": LENGTH,
    "standardised": SPREAD,
    "standardised, then length 5": SPREAD + LENGTH,
    "as they are": (),
}
FIRST = {
    "images": "scaled to length 5",
    "table": "standardised, then length 5",
    "places": "standardised",
}
ATOMS = {"images": 80, "table": 12, "places": 12}
SCALING = (
    "λ is measured against the points, so their scale matters. The paper scales every image to "
    "length 5; features of different units want standardising first. All methods on this page, "
    "the baselines too, see the points so."
)
NOISE = (
    "Gaussian noise on every feature, of deviation σ · mean(X²) as in Table 5 of the paper. The "
    "baselines see it too."
)


def kind_of(dataset: Dataset) -> str:
    """What the points are: images, a table of numbers, or places of a plane or space."""
    if dataset.image_shape is not None:
        return "images"
    return "places" if dataset.n_features in (2, 3) else "table"


def choose_preprocessing(kind: str) -> tuple[tuple[str, ...], float]:
    """Controls of scale and noise: the steps of `prepared`, and the amount of noise."""
    first = FIRST[kind]
    scales = {first: SCALES[first]} | SCALES
    key = f"dictionary.scale.{kind}"
    steps = choose_method("Points are", scales, key, help=SCALING)
    noise = st.slider(
        "Noise (σ)",
        0.0,
        1.0,
        0.0,
        step=0.2,
        key="dictionary.noise",
        bind="query-params",
        help=NOISE,
    )
    return steps, noise


def show_limits(dataset: Dataset, n_atoms: int) -> None:
    """Where atoms are not the right means, and a way out."""
    kind = kind_of(dataset)
    if kind == "places":
        said = (
            "Points of a plane or space are no material for atoms: a code knows a direction, "
            "hardly a place. Images show what atoms are."
        )
    elif kind == "table" and n_atoms > dataset.n_features:
        said = (
            f"{n_atoms} atoms for {dataset.n_features} features: a point can be written in many "
            "ways that are equally good, and the classifier sees only the way. Try fewer."
        )
    else:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(said, icon=":material/straighten:")
        take = {"data": DATA}
        st.button(
            "Take the digits", key="open.digits", on_click=page_state.set_widgets, args=(take,)
        )


@stage("scaling")
def points_of(X: np.ndarray, steps: tuple[str, ...], noise: float) -> np.ndarray:
    """X after the steps, with noise. A stage."""
    X = prepared(np.asarray(X, np.float64), steps)
    if noise:
        X = X + noise * np.square(X).mean() * np.random.default_rng(0).normal(size=X.shape)
    return X
