"""Around the map of an embedding: its controls, its worth, its dimensions, one of its points."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.figures.charts.basic import class_bars
from sslviz.figures.maps.strips import eigenvalue_bars
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.controls import choose_option
from sslviz.ui.messages import show_metrics
from sslviz.ui.problem import Problem
from sslviz.ui.result import DEFAULT_SETTINGS, percent

AXES = "Which coordinates of the map are drawn; the first ones matter most."
WORTH = {
    "1-NN in the map": "Hidden points whose nearest given label, measured in the map, is of their "
    "class.",
    "Nearest mean in the map": "Hidden points whose nearest class mean is that of their class; "
    "means are weighted by the labels the map follows.",
    "Labelled only": "1-NN in the map drawn from the labelled points alone: the difference is what "
    "the unlabelled ones add.",
    "1-NN without a map": "The baseline to beat: the nearest given label in all features.",
    "Label propagation": "No map at all: labels travel along the neighbour graph of all points. "
    f"{DEFAULT_SETTINGS}",
}


def choose_look(soft: bool, plain: bool) -> tuple[str, bool, bool]:
    """The controls of how to draw: what colours mean, rings around mistakes, the data beside."""
    colour = choose_option(
        "Colour",
        ("soft labels", "answer", "truth") if soft else ("answer", "truth"),
        f"embedding.colour.{'soft' if soft else 'plain'}",
        help="What the map is drawn from: the mix of all classes by their share, grey where a "
        "point is not asked; the class of the nearest given label in the map; or the truth.",
    )
    mistakes = st.toggle(
        "Ring the mistakes",
        key="mistakes",
        bind="query-params",
        help="Where the nearest given label in the map is of another class.",
    )
    beside = st.toggle(
        "Show the data beside it",
        plain,
        key=f"embedding.data.{'plain' if plain else 'many'}",
        bind="query-params",
        help="The same points and colours as they lie in the data set.",
    )
    return colour, mistakes, beside


def show_worth(worth: dict[str, float]) -> None:
    """Accuracies, each with what it means."""
    show_metrics([(name, percent(share), WORTH[name]) for name, share in worth.items()])


def show_dimensions(model: Any, asked: int, told_all: bool) -> None:
    """What a reader must know of how many directions there are, and of the labels behind them."""
    found, few = model.embedding_.shape[1], hasattr(model, "complete")
    if told_all:
        st.info("Drawn from **all** labels, the hidden ones too: a mark to aim at, nothing won.")
    if few and len(model.classes_) == 2 and found == 1:
        place = ", in the feature space of the kernel." if model.kernel == "rbf" else "."
        st.info(
            "Two classes determine one direction: the map is **exactly the projection on the "
            f"difference of the soft class means**{place}",
            icon=":material/straighten:",
        )
    elif found < asked:
        more = " “Further dimensions: pca” under *More* adds principal components." if few else ""
        st.info(f"{asked} dimensions are asked for, but there are only {found}.{more}")


def show_map(model: Any) -> None:
    """What to look for in the main picture, and the widths behind it."""
    if model.embedding_.shape[1] == 1:
        seen = (
            "One row per true class: counts above the line, points below it. **Look for** rows "
            "that do not overlap."
        )
    else:
        seen = "**Look for** classes that lie apart, and diamonds in the middle of their class."
    widths = [
        f"{symbol} = {value:.4g}"
        for symbol, value in (
            ("σₛ", getattr(model, "sigma_labels_", None)),
            ("σ", getattr(model, "sigma_", None)),
        )
        if value is not None
    ]
    told = f" The sliders come to {', '.join(widths)}." if widths else ""
    st.caption(f"{seen} Click a point to see which labelled points decide about it.{told}")


def show_point(
    F: np.ndarray, links: tuple[np.ndarray, np.ndarray], point: int, problem: Problem, soft: bool
) -> None:
    """One point's label as bars and the labelled points it comes from."""
    names, (others, weights) = problem.dataset.classes, links
    truly = f"Point {point}, truly {names[problem.dataset.y[point]]}: "
    if problem.y[point] >= 0:
        st.caption(truly + "its label is given, nobody is asked.")
        return
    if soft and F[point].any():
        show_figure(class_bars(F[point], names), key="embedding_point", height=200, tools=False)
        st.caption(
            truly + "its soft label, from its nearest labelled points, measured in all features. "
            "Their lines in the picture are the thicker, the more they count."
        )
    else:
        st.caption(truly + "a line leads to the given label nearest to it in the map.")
    if len(others):
        table = {
            "labelled point": others,
            "class": [names[c] for c in problem.y[others]],
            "weight": weights,
        }
        bar = st.column_config.ProgressColumn(min_value=0, max_value=1)
        st.dataframe(table, hide_index=True, column_config={"weight": bar})


def show_eigenvalues(model: Any, kept: int, n_classes: int) -> None:
    """The bars; they end at C − 1."""
    values = np.zeros(n_classes)
    values[: len(model.eigenvalues_)] = model.eigenvalues_
    chart = eigenvalue_bars(values, kept, n_classes - 1)
    show_figure(chart, key="embedding_eigenvalues", height=240, tools=False)
    st.caption(
        f"{n_classes} classes determine at most {n_classes - 1} "
        f"direction{'s' if n_classes > 2 else ''}: every bar after the line is exactly zero. "
        "Blue: the ones in the map. Where the bars are flat, further dimensions matter."
    )
