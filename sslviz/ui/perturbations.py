"""Virtual adversarial training: the directions that change the predictions of a network.

In training each point is moved by its radius in the direction that changes its prediction most;
the direction is found by one gradient, taken at the probe distance ξ from the point.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.figures.charts.training import arrow_plane, ratio_curve
from sslviz.figures.maps.image_grid import image_wall
from sslviz.ui.views import Number, View, show_numbers, show_views

PROBES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)  # in radii
THESIS_PROBE = 10.0  # in units of the data
ARROWS, IMAGES = 48, 6
# Points behind the ratio: a few at the border count, of 500 on two moons too few (1.0 to 2.5 by
# the directions drawn); fewer for a large network, which takes longer.
POINTS = (60, 3000)
WORK = 6 * 10**7  # points times parameters of the network
HEIGHT = 320


@dataclass(frozen=True)
class PerturbationResult:
    """Perturbations of some points at several probe distances, of which `xi` is shown."""

    network: Any  # the result of a training
    points: np.ndarray  # (m,)
    reports: dict[float, Any]  # by probe distance in radii
    xi: float
    thesis_xi: float  # the thesis' ξ in radii
    thesis_ratio: float

    @property
    def problem(self) -> Any:
        return self.network.problem

    @property
    def shown(self) -> Any:
        return self.reports[self.xi]

    @property
    def largest(self) -> np.ndarray:
        """(m,) places in `points`, largest change of the prediction first."""
        return np.argsort(-self.shown.adversarial, kind="stable")


def perturb(r: Any, xi: float) -> PerturbationResult:
    """Perturb some points of the trained network in adversarial and random directions."""
    X = r.problem.dataset.X
    count = int(np.clip(WORK // r.run.n_parameters, *POINTS))
    some = np.linspace(0, len(X) - 1, min(count, len(X))).astype(int)
    radii = r.model.perturbation_radii(X)[some]
    thesis_xi = THESIS_PROBE / max(float(np.median(radii)), np.finfo(float).tiny)
    *found, thesis = r.run.perturb(some, radii, (*PROBES, thesis_xi))
    reports = dict(zip(PROBES, found, strict=True))
    return PerturbationResult(r, some, reports, xi, thesis_xi, thesis.ratio)


def arrows(p: PerturbationResult) -> go.Figure:
    """In the plane: from each of some points to where its prediction changes most."""
    X = p.problem.dataset.X
    drawn = np.unique([*p.largest[: ARROWS // 2], *range(min(ARROWS // 2, len(p.points)))])
    F = p.network.matched(p.network.moment.P)
    view = f"{p.problem.view}:arrows"
    return arrow_plane(X, F, X[p.points[drawn]], p.shown.r[drawn], uirevision=view)


def images(p: PerturbationResult) -> go.Figure:
    """The images whose predictions change most, the change, and both added."""
    data, chosen = p.problem.dataset, p.largest[:IMAGES]
    before, change = data.X[p.points[chosen]], p.shown.r[chosen]
    tiles = np.concatenate([before, change, before + change])
    labels = np.tile(data.y[p.points[chosen]], 3)
    return image_wall(
        [tiles], data.image_shape, [labels], data.n_classes, [""], columns=len(chosen)
    )


def ratios(p: PerturbationResult) -> go.Figure:
    values = np.array([p.reports[at].ratio for at in PROBES])
    return ratio_curve(np.array(PROBES), values, p.xi, p.thesis_xi)


NUMBERS = (
    Number("Adversarial / random", lambda p: p.shown.ratio,
           lambda p: "Change of the prediction (KL divergence) in the direction found, divided by "
           f"the change in a random direction of the same length, over {len(p.points)} points.",
           "{:.2f}"),
    Number("With ξ = 10 as in the thesis", lambda p: p.thesis_ratio,
           lambda p: f"Ten units of the data are {p.thesis_xi:.3g} radii here. Near 1 the "
           "direction found is no better than a random one.", "{:.2f}"),
)  # fmt: skip

VIEWS = (
    View("arrows", "", arrows,
         "Arrows lead from a point to where its prediction changes most, one radius away (α times "
         "the distance to the tenth neighbour); half of them are the largest changes. **Look for** "
         "arrows across a border, and for arbitrary directions when ξ is large.",
         when=lambda p: p.problem.dataset.n_features == 2, height=HEIGHT, options={"tools": True}),
    View("arrows", "", images,
         "Top: the images whose predictions change most. Middle: the change, on its own scale "
         "(blue adds, red subtracts). Bottom: both added.",
         when=lambda p: p.problem.dataset.image_shape is not None, height=HEIGHT),
    View("perturbation_ratio", "", ratios,
         "Change of the prediction in the direction found, as a multiple of that in a random one. "
         "**Look for** the range of ξ where it is well above 1 (dotted); near 1 the search finds "
         "nothing.", height=HEIGHT),
)  # fmt: skip

WORST = "the **worst direction**, the one that changes the prediction most"
INTRODUCTIONS = {
    "adversarial": "The network is trained to keep its prediction when a point moves by its "
    f"radius in {WORST}.",
    "random": "This network is trained to keep its prediction when a point moves by its radius in "
    f"a random direction. Below it meets {WORST}.",
    "none": f"This network is trained without it. Below its points are moved in {WORST}.",
}


def show_perturbations(r: Any, key: str) -> None:
    """The section with its slider; a fragment, so that the slider draws only this again.

    `r` is the result of a training with `run`, `model`, `moment`, `trained` and `matched`.
    """
    st.header("Virtual adversarial training", divider="gray")
    st.markdown(INTRODUCTIONS[getattr(r.model, "perturbation", "adversarial")])
    if not r.trained or r.run is None:
        st.info(
            "Before training the network predicts the same everywhere, so there is nothing to show."
        )
        return
    xi = st.select_slider(
        "Probe distance (ξ)",
        PROBES,
        0.1,
        key=key,
        bind="query-params",
        format_func="{:g} radii".format,
        help="How far from a point the gradient for the worst direction is taken, in this picture "
        "only. The training uses the ξ of the sidebar.",
    )
    found = perturb(r, xi)
    show_numbers(NUMBERS, found)
    show_views(VIEWS, found, columns=(3, 2))
