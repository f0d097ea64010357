"""Streams: points arrive one by one, are answered at once, and only a summary of them is kept."""

import numpy as np
import streamlit as st

import sslviz
from sslviz.labels import known_classes
from sslviz.params import params_of
from sslviz.recordings.stream import record_stream, show_nearest
from sslviz.ui.app import page_header
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.controls import choose_option, choose_parameters
from sslviz.ui.messages import show_code, show_method_docs, show_stage_times, stop_on_error
from sslviz.ui.presets.apply import show_preset_links
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import ARRIVAL, clicked_mark, on_click_remember
from sslviz.ui.stream import sidebar, views

QLP, QRLP = sslviz.OnlineQLP, sslviz.OnlineQRLP
METHODS = {"QLP": QLP, "QRLP": QRLP}
ARRIVALS = (100, 200, 400, 800, 1200, 1600, 2000, 3000, 4000, 6000, 8000, 10_000)
BALLS = {"R and 2R": ("2R", "R"), "R": ("R",), "none": ()}
GOES_ON = "stream:goes on"

page_header("Streams")
st.markdown(
    "Points arrive one by one, each is **answered at once and never seen again**. What is kept is "
    "a summary: the labels, and a few centroids that stand for all the rest."
)
show_preset_links("pages/stream.py")
source = sidebar.choose_stream()

with st.sidebar:
    word = st.select_slider(
        "A label with every … arrival",
        ["none", 100, 50, 25, 10, 5],
        key="stream.every",
        bind="query-params",
        help="Every so manieth arriving point brings its label: it is answered first, then its "
        "label joins the labels. None: only those known before.",
    )
    every = 0 if word == "none" else int(str(word))
    noise = st.select_slider(
        "Features of chance",
        views.EXTRA,
        key="stream.noise",
        bind="query-params",
        help="Add so many features without meaning, as wide as the others. Watch doubling "
        "collapse as their number grows.",
    )
    arrivals = st.select_slider(
        "Arrivals",
        ARRIVALS,
        400,
        key="stream.arrivals",
        bind="query-params",
        help="How long the film is. The button under it goes on from where it ends.",
    )
    st.divider()
    parameters = choose_parameters(QRLP, prefix="stream.method")
    st.divider()
    shown = choose_option(
        "Colours by",
        tuple(METHODS),
        "stream.shown",
        help=f"Whose answers the film shows. QLP: {QLP.title}; QRLP: {QRLP.title}.",
    )
    flat = source.flat and not noise
    balls = BALLS[
        choose_option(
            "Balls", tuple(BALLS), "stream.balls", help="Around the centroids, in the plane."
        )
        if flat
        else "none"
    ]
    mistakes = st.toggle(
        "Ring the mistakes", key="mistakes", bind="query-params", help="Compare with the truth."
    )
    stride = st.select_slider(
        "Points per frame",
        (1, 2, 4, 8, 16),
        4,
        key="stream.stride",
        bind="query-params",
        help="One shows every single arrival; more play faster.",
    )

stream = sidebar.stream_of(source, parameters["capacity"], every, noise)
left = len(stream.X) - stream.start
if left < 1 or len(known_classes(stream.target[: stream.start])) < 2:
    st.info(
        "Nothing is left to arrive: give fewer labels, keep fewer centroids, or take more points."
        if left < 1
        else "Labels of two classes are needed before the stream begins."
    )
    st.stop()
arrivals = min(arrivals, left)
settings = {
    name: {p.name: parameters[p.name] for p in params_of(Method)}
    for name, Method in METHODS.items()
}
with memory().watch() as stages, stop_on_error(), st.spinner("Points arrive …", show_time=True):
    bar, films = st.empty(), {}
    for i, (name, Method) in enumerate(METHODS.items()):

        def told(done: int, name: str = name, i: int = i) -> None:
            share = (i + done / arrivals) / len(METHODS)
            bar.progress(share, f"{name}: {done} of {arrivals} have arrived")

        films[name] = record_stream(
            memory().cache, Method.__name__, settings[name], stream, arrivals, told
        )
    bar.empty()
    end = stream.start + arrivals
    every_label = sslviz.LabelPropagation(memory=memory())
    hindsight = every_label.fit(stream.X[:end], stream.target[:end]).transduction_
film = films[shown]
answers = {name: f.labels for name, f in films.items()} | {"1-NN": show_nearest(stream, arrivals)}
views.show_worth(answers, list(films.values()), stream, hindsight)

steps = views.steps_of(arrivals, stride)
fig = views.film_drawn(film, stream, source, steps, balls, mistakes)
if (before := st.session_state.pop(GOES_ON, None)) is not None:
    fig.update_layout(meta={"frame": int(np.searchsorted(steps, before))})
views.show_marks(source, balls, mistakes)
show_figure(
    fig,
    key="stream_map",
    height=560,
    thumbnails=source.thumbnails,
    alt=f"{arrivals} points of {source.name} arrive; {film.counts[-1]} centroids are left",
    film="stream",
    moments=steps,
    on_event=on_click_remember(ARRIVAL),
)


def go_on(longer: int) -> None:
    """Film more of the stream, and look at where it goes on."""
    st.session_state["stream.arrivals"] = longer
    st.session_state[GOES_ON] = arrivals


longer = next((n for n in ARRIVALS if n > arrivals), None)
with st.container(horizontal=True, vertical_alignment="center"):
    st.button(
        "Go on",
        key="open.go_on",
        icon=":material/fast_forward:",
        disabled=longer is None or arrivals == left,
        on_click=go_on,
        args=(longer,),
        help="Let more of the stream arrive. What is there is not computed again.",
    )
    if arrivals == left:
        st.caption(f"The stream has ended: all {left:,} points have arrived.")
views.show_map(source, noise, balls, int(np.diff(steps).max(initial=1)))
show_stage_times(stages)

columns = st.columns(2)
with columns[0]:
    views.show_accuracy(answers, stream)
with columns[1]:
    views.show_cover(film, parameters["capacity"], parameters["merge"])
columns = st.columns(2)
with columns[0]:
    point = clicked_mark(ARRIVAL, tuple(source.code), int(source.names.max()) + 1)
    views.show_centroid(film, stream, source, point)
with columns[1]:
    views.show_dimension(source, parameters["capacity"], noise)

for Method in (QLP, QRLP, sslviz.DoublingCover):
    with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
        show_method_docs(Method)
model = METHODS[shown](**settings[shown])
show_code(sidebar.code_of(source, repr(model), model.capacity, every, noise, arrivals))
