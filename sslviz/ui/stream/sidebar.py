"""The sidebar of the page "Streams": which points arrive, what observes them, how it is drawn."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

import sslviz
from sslviz.abilities import Observes
from sslviz.data.drift import DRIFTING
from sslviz.params import params_of
from sslviz.ui.controls import choose_option, choose_parameter, choose_parameters
from sslviz.ui.look import choose_mistakes, choose_shapes
from sslviz.ui.messages import stop_on_error
from sslviz.ui.problem import choose_problem
from sslviz.ui.server import memory
from sslviz.ui.state.slots import STREAM_CONTINUED_AT
from sslviz.ui.stream.source import EXTRA_FEATURES, StreamSource, drifting_source, set_source

POINTS_SHOWN = 2000  # of a data set, unless more are asked for
LENGTH = 2400  # points of a drifting stream
PACE = 400  # arrivals in which its changes are counted
MOONS, CLUSTERS, SET = "Turning moons", "Clusters that come and go", "A data set"
KINDS = {
    MOONS: "Two moons turn round their centre while points arrive, so that old labels and "
    "centroids no longer fit.",
    CLUSTERS: "Three clusters, one of each class; every now and then one vanishes and its class "
    "appears elsewhere.",
    SET: "Any data set, its points in the order you choose. Its labels are all given before the "
    "stream.",
}
DRIFTS: dict[str, tuple[str, str, Any, tuple[Any, Any]]] = {
    MOONS: ("turning_moons", "turns", 0.25, (0.0, 2.0)),
    CLUSTERS: ("coming_and_going", "lives", 4, (1, 20)),
}
RATES = {"turns": f"Turns in {PACE} arrivals", "lives": f"Changes in {PACE} arrivals"}
ORDERS = {"at random": "shuffled", "class after class": "sorted", "as in the set": "as stored"}
ARRIVALS = (100, 200, 400, 800, 1200, 1600, 2000, 3000, 4000, 6000, 8000, 10_000)
USUAL_ARRIVALS = 400
BALLS = {"R and 2R": ("2R", "R"), "R": ("R",), "none": ()}
WINDOWS = {"last 50": 50, "so far": None}


@dataclass(frozen=True)
class StreamChoice:
    """What the sidebar says besides the source."""

    every: int  # a label with every so many arrivals; 0 for none
    noise: int  # random features added
    arrivals: int
    parameters: dict[str, Any]
    shown: str  # abbreviation of the method whose predictions are drawn
    balls: tuple[str, ...]
    mistakes: bool
    stride: int  # arrivals of a frame
    window: int | None

    def settings(self, Method: Any) -> dict[str, Any]:
        """The parameters that a method has."""
        return {p.name: self.parameters[p.name] for p in params_of(Method)}


def stream_methods() -> dict[str, Any]:
    """The online methods by their abbreviations."""
    family = (m for m in sslviz.METHODS if m.family == "stream" and issubclass(m, Observes))
    return {m.option(): m for m in family}


def choose_source() -> StreamSource:
    """Draw the controls of the stream and return its points."""
    with st.sidebar:
        kind = st.selectbox(
            "Stream",
            list(KINDS),
            key="stream.kind",
            bind="query-params",
            help=" ".join(f"**{name}**: {text}" for name, text in KINDS.items()),
        )
        if kind != SET:
            drifting = _choose_drifting(kind)
            choose_shapes(LENGTH, len(drifting.classes))
            return drifting
        order = st.selectbox(
            "Order", list(ORDERS), key="stream.order", bind="query-params",
            help="Class after class is much harder: the first class fills the summary.",
        )  # fmt: skip
    problem = choose_problem(points_shown=POINTS_SHOWN, keys=False)
    return set_source(problem, ORDERS[order], memory())


def _choose_drifting(kind: str) -> StreamSource:
    name, speed, usual, (low, high) = DRIFTS[kind]
    declared = {p.name: p for p in params_of(DRIFTING[name])}
    st.caption(KINDS[kind])
    rate = st.slider(
        RATES[speed], low, high, usual, key=f"{name}.{speed}", bind="query-params",
        step=0.05 if isinstance(usual, float) else 1, help=declared[speed].spec.help,
    )  # fmt: skip
    options: dict[str, Any] = {"n_samples": LENGTH, speed: rate * LENGTH // PACE}
    if isinstance(usual, float):
        options[speed] = round(rate * LENGTH / PACE, 6)
    per_class = st.slider(
        "Labels per class", 1, 50, 3, key="stream.labels", bind="query-params",
        help="The first so many points of each class have a label, before the stream begins.",
    )  # fmt: skip
    with st.expander("Noise and seed"):
        options["noise"] = choose_parameter(declared["noise"], f"{name}.noise")
        options["random_state"] = st.slider(
            "Random choice of points (seed)", 0, 99, 0, key="stream.seed", bind="query-params",
            help="Another number gives other points.",
        )  # fmt: skip
    with stop_on_error():
        return drifting_source(name, options, per_class, memory())


def choose_observation(source: StreamSource) -> StreamChoice:
    """Draw the other controls."""
    every = st.select_slider(
        "A label with every n-th arrival",
        ["none", 100, 50, 25, 10, 5],
        key="stream.every",
        bind="query-params",
        help="Every n-th arriving point has a label: it is predicted first, then it joins the "
        "labelled points. None: only the labels given before the stream.",
    )
    arrivals = st.select_slider(
        "Arrivals",
        ARRIVALS,
        USUAL_ARRIVALS,
        key="stream.arrivals",
        bind="query-params",
        help="Length of the recording. “Go on” under the picture continues it.",
    )
    noise = st.select_slider(
        "Random features added",
        EXTRA_FEATURES,
        key="stream.noise",
        bind="query-params",
        help="Features without information, as wide as the others. As their number grows, doubling "
        "leaves ever fewer centroids.",
    )
    st.divider()
    methods = stream_methods()
    widest = max(methods.values(), key=lambda m: len(params_of(m)))
    parameters = choose_parameters(widest, prefix="stream.method")
    st.divider()
    shown = choose_option(
        "Predictions of",
        tuple(methods),
        "stream.shown",
        help=". ".join(f"{name}: {m.title}" for name, m in methods.items()) + ".",
    )
    mistakes = choose_mistakes()
    with st.expander("Drawing"):
        balls, stride, window = _choose_drawing(source.flat and not noise)
    return StreamChoice(
        0 if every == "none" else int(str(every)), noise, arrivals, parameters, shown, balls,
        mistakes, stride, window,
    )  # fmt: skip


def _choose_drawing(flat: bool) -> tuple[tuple[str, ...], int, int | None]:
    balls: tuple[str, ...] = ()
    if flat:
        around = "Balls of radius R or 2R around the centroids."
        balls = BALLS[choose_option("Balls", tuple(BALLS), "stream.balls", help=around)]
    stride = st.select_slider(
        "Points per frame",
        (1, 2, 4, 8, 16),
        4,
        key="stream.stride",
        bind="query-params",
        help="1 shows every single arrival; more play faster.",
    )
    window = choose_option("Accuracy over the", tuple(WINDOWS), "stream.window")
    return balls, stride, WINDOWS[window]


def show_go_on(arrivals: int, left: int, *, ready: bool) -> None:
    """A button that lets more points arrive once these have, or a sentence that all have."""

    def go_on(longer: int) -> None:
        st.session_state["stream.arrivals"] = longer
        STREAM_CONTINUED_AT.set(arrivals)  # the player goes there

    longer = next((n for n in ARRIVALS if n > arrivals), None)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Go on",
            key="open.go_on",
            icon=":material/fast_forward:",
            disabled=longer is None or arrivals == left or not ready,
            on_click=go_on,
            args=(longer,),
            help="Let more points arrive. What has been computed is not computed again.",
        )
        if arrivals == left:
            st.caption(f"The stream has ended: all {left:,} points have arrived.")
