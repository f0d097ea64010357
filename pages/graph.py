"""The neighbour graph: who is close to whom, and what follows from it."""

import numpy as np
import streamlit as st

from sslviz.figures.charts.basic import degree_histogram
from sslviz.figures.maps.graph import MOST_EDGES, graph_map
from sslviz.figures.maps.points import add_given, add_links
from sslviz.figures.theme import UNDETERMINED, class_colours, rgb
from sslviz.graph.components import islands
from sslviz.graph.hubness import in_degree
from sslviz.graph.neighbours import knn
from sslviz.graph.weights import gaussian, undirected, width
from sslviz.propagation.label_propagation import LabelPropagation
from sslviz.snippet import graph_snippet
from sslviz.ui.app import page_header
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.controls import choose_option, choose_parameters
from sslviz.ui.messages import show_code, show_metrics, show_stage_times, stop_on_error
from sslviz.ui.problem import choose_problem
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import on_click_remember

ISLANDS = 10  # so many get a colour of their own
NEUTRAL = "#10151C"  # of given labels beside islands, whose colours are not of classes

page_header("The neighbour graph")
st.markdown(
    "Each point is linked to its **k nearest** others. Methods never see the picture, only these "
    "links: labels travel along them, and where there is no link nothing passes."
)
problem = choose_problem()
X, classes = problem.dataset.X, problem.dataset.classes
with st.sidebar:
    st.divider()
    chosen = choose_parameters(
        LabelPropagation, only=("n_neighbors", "sigma", "graph"), prefix="graph"
    )
    colour = choose_option(
        "Colour",
        ("class", "island"),
        "graph.colour",
        help="By true class, or by island: points of different islands cannot reach each other.",
    )

with memory().watch() as stages, stop_on_error(), st.spinner("Linking …", show_time=True):
    k = min(chosen["n_neighbors"], len(X) - 1)
    listed = knn(X, k, memory())
    G = memory().cache(undirected)(listed) if chosen["graph"] == "undirected" else listed
    sigma = width(chosen["sigma"], graph=listed, X=X, y=problem.y)
    W, degree, island = gaussian(G, sigma), in_degree(listed), islands(G)

rows = np.repeat(np.arange(len(X)), np.diff(W.indptr))
once = (rows < W.indices) | (chosen["graph"] == "directed")  # undirected edges are stored twice
edges, weights = np.stack([rows, W.indices])[:, once], W.data[once]
unreached = ~np.isin(island, island[problem.y >= 0])
show_metrics(
    [
        ("Edges", f"{len(weights):,}", "Links between points."),
        ("Islands", f"{island.max() + 1:,}", "Parts without a link between them."),
        ("No label in reach", f"{unreached.mean():.1%}", "Points on islands without a label."),
        ("Largest in-degree", f"{degree.max()}", "How often the greatest hub is listed by others."),
        ("Listed by nobody", f"{(degree == 0).mean():.1%}", "Points on nobody's list."),
    ]
)

group, groups, diamonds = problem.dataset.y, classes, None
colours = class_colours(len(classes))
if colour == "island":
    count = min(int(island.max()) + 1, ISLANDS)
    group, groups = np.minimum(island, ISLANDS), tuple(f"island {i + 1}" for i in range(count))
    colours = class_colours(count)
    diamonds = np.tile(rgb(NEUTRAL), (int((problem.y >= 0).sum()), 1))
    if island.max() >= ISLANDS:
        groups += ("smaller islands",)
        colours = np.vstack([colours, rgb(UNDETERMINED)])
facts = [
    f"point {i} · {classes[c]}<br>listed by {d} others · island {s + 1}"
    for i, (c, d, s) in enumerate(zip(problem.dataset.y, degree, island, strict=True))
]
fig = graph_map(
    problem.points,
    edges,
    weights,
    degree,
    group,
    groups,
    colours=colours,
    facts=facts,
    uirevision=problem.view,
)
add_given(fig, problem.points, problem.y, classes, facts=facts, colours=diamonds)
point = problem.clicked()
if point is not None:
    row = slice(*W.indptr[point : point + 2])
    add_links(fig, problem.points, point, W.indices[row], W.data[row])
show_figure(
    fig,
    key="graph_map",
    height=560,
    thumbnails=problem.thumbnails,
    alt=f"Graph of {problem.dataset.name} with {k} neighbours: {island.max() + 1} islands",
    on_event=on_click_remember(),
)
if len(weights) > MOST_EDGES:
    st.caption(f"The {MOST_EDGES:,} heaviest of {len(weights):,} edges are drawn.")
show_stage_times(stages)

left, right = st.columns(2)
with left:
    st.subheader("Who is listed how often")
    chart = degree_histogram(degree, k)
    show_figure(chart, key="graph_degrees", height=240, tools=False)
    st.caption(
        "Everyone lists k others, but not everyone is listed alike: the tail on the right are "
        "**hubs**, drawn large. In high dimension the tail grows; try a set of images."
    )
with right:
    st.subheader("One point's links")
    if point is None:
        st.info("Click a point in the picture.", icon=":material/touch_app:")
    else:
        order = np.argsort(-W.data[row], kind="stable")
        others = W.indices[row][order]
        table = {
            "neighbour": others,
            "class": [classes[c] for c in problem.dataset.y[others]],
            "distance": G.data[row][order],
            "weight": W.data[row][order],
        }
        bar = st.column_config.ProgressColumn(min_value=0, max_value=1)
        st.dataframe(table, hide_index=True, column_config={"weight": bar})
        st.caption(f"Point {point}: weight = exp(−distance²/σ²) with σ = {sigma:.4g}.")

with st.expander("What k and σ do", icon=":material/school:"):
    st.markdown(
        "- **k small**: the graph falls into islands; labels cannot reach all of them.\n"
        "- **k large**: edges jump over the gap between classes; labels leak across.\n"
        "- **σ small**: of all the edges only the shortest count. **σ large**: all count alike.\n"
        "- **directed**: an edge leads only from a point to those it lists, as in the thesis. "
        "Outliers list others but nobody lists them."
    )
show_code(graph_snippet(problem.setting, k, chosen["sigma"], chosen["graph"] == "directed"))
