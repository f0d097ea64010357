"""Further views of an embedding, one at a time and computed only when chosen."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.abilities import Witness
from sslviz.data.dataset import stratified_order
from sslviz.experiments import embedding_evaluation
from sslviz.figures.maps.small_multiples import (
    direction_images,
    direction_rows,
    field_panels,
    similarity_matrix,
)
from sslviz.figures.maps.strips import accuracy_bars, bound_curves, small_map, strip_places
from sslviz.labels import one_hot
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.embedding.result import ALL_LABELS, EmbeddingResult
from sslviz.ui.embedding.sidebar import methods_shown
from sslviz.ui.problem import Problem
from sslviz.ui.result import unscored_text
from sslviz.ui.state.clicks import on_click_remember
from sslviz.ui.tables import show_formats
from sslviz.ui.views import percent

MATRIX_POINTS = 300
MAP_POINTS = 500  # drawn on each small map
GRID_SIDE = 60  # places of a witness function along each axis
MAX_FEATURES_IN_ROWS = 100
LONGEST_FIT = 10.0  # seconds

DETAILS = {
    "All methods": "accuracy of all embeddings",
    "Unseen points": "labelled only, soft and all labels side by side, with points left out",
    "Labels alike": "similarity of the soft labels",
    "Directions": "the coordinates as images or rows",
    "Fields": "witness functions: how strongly each place is associated with a class",
    "The bound": "loss through missing labels, and the theorem that bounds it",
}
DETAILS_HELP = "; ".join(f"**{name}**: {meaning}" for name, meaning in DETAILS.items()) + "."
SOURCES = {"soft": "soft labels", "wta": "winner takes all"}


def reason_missing(detail: str, r: EmbeddingResult) -> str:
    """Why a view cannot be shown for this model and these data; empty if it can."""
    if detail in ("Labels alike", "The bound", "Fields") and not isinstance(r.model, Witness):
        return f"{r.title} gives unlabelled points no soft labels: SSRL-PL does."
    if detail == "Fields" and r.problem.dataset.n_features != 2:
        return "Witness functions are drawn over a plane: choose a data set of two features."
    if detail == "Directions" and getattr(r.model, "kernel", "linear") == "rbf":
        return "A kernel embedding is not linear: it has no directions. Choose the linear kernel."
    if detail == "The bound" and not r.problem.dataset.known.all():
        return "The theorem compares with all labels: some classes of these data are unknown."
    if detail in ("All methods", "Unseen points") and not r.held_out.any():
        return unscored_text(r)
    return ""


def show_detail(detail: str, r: EmbeddingResult, memory: Any) -> None:
    """Compute and show one of the details."""
    X, y, truth, model = r.problem.dataset.X, r.y, r.truth, r.model
    if reason := reason_missing(detail, r):
        st.info(reason)
    elif detail == "All methods":
        others = {
            m.title: m(n_components=r.dimensions_asked, memory=memory)
            for m in methods_shown()
            if m is not type(model)
        }
        scores, refused = embedding_evaluation.one_nn_accuracies(others, X, y, truth)
        plain = {"1-NN without a map": r.no_embedding, "Label propagation": r.propagation}
        show_accuracies(scores | {r.title: r.accuracy()}, r.title, plain, refused)
    elif detail == "Unseen points":
        unseen = embedding_evaluation.set_aside(y, truth, r.problem.setting.seed)
        found = embedding_evaluation.unseen_trials(candidates(r), X, y, truth, unseen)
        show_small_maps(found, unseen, r.problem)
    elif detail == "Labels alike":
        show_similarity(r.F, r.problem)
    elif detail == "The bound":
        bounds = memory.cache(embedding_evaluation.bounds_revealed)(
            X,
            truth,
            n_neighbors=model.n_neighbors,
            sigma_labels=model.sigma_labels_ or model.sigma_labels,
            labels="wta" if model.labels == "wta" else "soft",
            n_components=r.dimensions_asked,
            random_state=r.problem.setting.seed,
        )
        show_bounds(bounds)
    elif detail == "Directions":
        show_directions(model.components_, r.problem)
    else:
        show_fields(model, r.problem)


def candidates(r: EmbeddingResult) -> dict[str, tuple[Any, bool]]:
    """Unfitted models with other labels: name -> model and whether it is given all labels."""

    def with_labels(labels: str | None = None) -> Any:
        parameters = r.model.get_params(deep=False)
        return type(r.model)(**parameters | ({} if labels is None else {"labels": labels}))

    all_known = bool(r.problem.dataset.known.all())
    if r.soft:
        source = "wta" if r.model.labels == "wta" else "soft"
        return {
            "labelled only": (with_labels("labelled"), False),
            SOURCES[source]: (with_labels(source), False),
        } | ({"all labels": (with_labels(ALL_LABELS), True)} if all_known else {})
    found = {"these labels": (with_labels(), False)}
    dataset = r.problem.dataset
    seconds = type(r.model).seconds(dataset.n_samples, dataset.n_features, dataset.n_classes)
    if seconds < LONGEST_FIT and all_known:  # NCA takes minutes with all labels
        found["all labels"] = (with_labels(), True)
    return found


def show_similarity(F: np.ndarray, problem: Problem) -> None:
    """YYᵀ over a sample of the points that have soft labels."""
    truth, names = problem.true_groups()
    followed = np.flatnonzero(F.any(axis=1))
    chosen = followed[stratified_order(truth[followed], 0)[:MATRIX_POINTS]]
    fig = similarity_matrix(F, truth, names, chosen)
    left, right = st.columns([3, 2], vertical_alignment="center")
    with left:
        show_figure(
            fig, key="embedding_similarity", height=520, tools=False, alt="Similarity of all points"
        )
    sample = f" of {len(followed):,}, class shares kept" if len(chosen) < len(followed) else ""
    right.caption(
        f"Similarity YYᵀ of the soft labels of two points, for {len(chosen)} points{sample}, "
        "sorted by true class. **Look for** light blocks on the diagonal: there the labels are "
        "right. Light beside the diagonal: two classes are confused. A pale block has undecided "
        "labels: lower σₛ or k to sharpen them."
    )


def show_fields(model: Any, problem: Problem) -> None:
    """The C witness functions over the plane of two features."""
    X = problem.dataset.X
    low, high = X.min(axis=0), X.max(axis=0)
    edge = 0.08 * (high - low)
    x, y = (np.linspace(a - e, b + e, GRID_SIDE) for a, b, e in zip(low, high, edge, strict=True))
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    fields = model.witness(places).reshape(GRID_SIDE, GRID_SIDE, -1)
    names = tuple(problem.classes[c] for c in model.classes_)
    given = np.where(problem.y < 0, -1, np.searchsorted(model.classes_, problem.y))
    some = np.union1d(
        stratified_order(problem.dataset.y, 0)[:MAP_POINTS], np.flatnonzero(given >= 0)
    )
    fig = field_panels(fields, x, y, X[some], given[some], names)
    height = 300 * -(-min(len(names), 12) // 3)
    alt = f"Witness functions of {len(names)} classes"
    show_figure(fig, key="embedding_fields", height=height, tools=False, alt=alt)
    st.caption(
        "Witness functions: how strongly each place is associated with a class; blue = positive, "
        "red = negative, white = 0. They add up to zero everywhere, which is why there is one "
        "direction fewer than classes. "
        + (
            "**Linear**: every function is a plane, so no curved class can be followed. Choose "
            "the kernel *Gaussian*."
            if model.kernel == "linear"
            else "**Look for** spots around single labels: the kernel is too narrow."
        )
    )


def show_directions(directions: np.ndarray, problem: Problem) -> None:
    """Directions as images, or as rows where features are few."""
    shape, (p, d) = problem.dataset.image_shape, directions.shape
    if shape is not None:
        height = 40 + 200 * -(-min(p, 12) // 5)
        fig = direction_images(directions, shape)
        alt = f"{p} directions as images"
        show_figure(fig, key="embedding_images", height=height, tools=False, alt=alt)
        look = (
            "Blue pixels increase this coordinate, red ones decrease it, white ones do not matter."
        )
    elif d <= MAX_FEATURES_IN_ROWS:
        fig = direction_rows(directions)
        alt = f"{p} directions of {d} features"
        show_figure(fig, key="embedding_rows", height=110 + 26 * p, tools=False, alt=alt)
        look = "Blue features increase this coordinate, red ones decrease it."
    else:
        st.info(f"{d} features are too many to show one by one, and they are not an image.")
        return
    st.caption(
        f"{look} **Look for** strokes that distinguish classes. With few labels directions look "
        "like single examples, with many like class averages; overfitted ones look like noise."
    )


def show_accuracies(
    found: dict[str, float], now: str, plain: dict[str, float], refused: dict[str, str]
) -> None:
    """Bars of accuracies, best first, and why a method has none; `plain` ones use no embedding."""
    chart = accuracy_bars(found | plain, now, tuple(plain))
    height = 70 + 30 * (len(found) + len(plain))
    show_figure(
        chart, key="embedding_methods", height=height, tools=False, alt="Accuracy of all methods"
    )
    st.caption(
        "Accuracy of the nearest given label in each embedding, all of the same number of "
        "dimensions, the other methods with default settings. Grey: without an embedding. Where "
        "grey wins, so few dimensions lose too much: raise p."
    )
    for title, reason in refused.items():
        st.caption(f"**{title}**: {reason}")


def _accuracy_columns(maps: dict[str, Any], names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Two rows for each map: of the nearest given label and of the nearest class mean."""
    rows = [
        (classifier, *map(percent, accuracies), title)
        for title, trial in maps.items()
        for classifier, accuracies in (("1-NN", trial.nearest), ("nearest mean", trial.mean))
    ]
    return dict(zip(names, zip(*rows, strict=True), strict=False))


def show_small_maps(maps: dict[str, Any], unseen: np.ndarray, problem: Problem) -> None:
    """Small maps side by side, coloured by the true class, each with its accuracies.

    A map has Z (n, 1 or 2) and accuracies `nearest` and `mean`, on unlabelled and unseen points.
    """
    truth, names, y = problem.dataset.y, problem.classes, problem.y
    point = problem.point
    chosen = np.union1d(stratified_order(truth, 0)[:MAP_POINTS], np.flatnonzero(y >= 0))
    if point is not None:
        chosen = np.union1d(chosen, [point])
    facts = problem.point_texts()
    F = one_hot(truth, np.arange(len(names)))
    for i, (column, (title, trial)) in enumerate(
        zip(st.columns(len(maps)), maps.items(), strict=True)
    ):
        flat = trial.Z.shape[1] == 1
        fig = small_map(
            strip_places(trial.Z[:, 0], problem.true_groups()[0]) if flat else trial.Z,
            F,
            y,
            names,
            chosen=chosen,
            unseen=unseen,
            facts=facts,
            clicked=point,
            equal=not flat,
            uirevision=f"{problem.dataset.name}:{flat}",
        )
        with column:
            st.markdown(f"**{title[0].upper()}{title[1:]}**")
            show_figure(
                fig,
                key=f"embedding_small_{i}",
                alt=f"{title} of {problem.dataset.name}",
                height=320,
                thumbnails=problem.thumbnails,
                linked="embedding_small",
                on_event=on_click_remember(),
            )
            st.table(_accuracy_columns({title: trial}, ("", "unlabelled", "unseen")))
    header = ("classifier", "unlabelled", "unseen", "embedding")
    show_formats(_accuracy_columns(maps, header), "unseen_points")
    st.caption(
        "Every second hidden point (open circles) is left out of the fit. Colours are the true "
        "classes. The maps are rotated onto each other and move together; the nearest label is "
        "always one of the given ones, so that only the embedding differs. **Look for** unseen "
        "points that fall among their class. *All labels* is an upper bound; where *labelled only* "
        "does as well, the unlabelled points added nothing."
        + (f" {MAP_POINTS} points are drawn." if len(truth) > MAP_POINTS else "")
    )


def show_bounds(found: embedding_evaluation.RevealedBounds) -> None:
    """The curves, and where the bounds say something."""
    curves = np.column_stack([found.bounds, found.in_the_limit])
    fig = bound_curves(found.counts, curves, found.best)
    show_figure(fig, key="embedding_bounds", height=360, tools=False, alt="Performance bound")
    useful = [int((found.bounds[:, i] < found.best).sum()) for i in (1, 2)]
    at = f"of the {len(found.counts)} numbers of labels tried"
    low, high = found.bayes_errors
    st.caption(
        "The **gap** √f(V*) − √f(V†) is what the embedding loses against the one learned from all "
        "labels. Theorem 3 bounds it; the **printed** bound says something only below the dotted "
        f"line, which the gap never exceeds. That holds for **{useful[1]}** {at}, for the "
        f"**sharp** bound (2/(n − 1))‖XHE‖ for **{useful[0]}**. On every real set tried the "
        "printed bound is above the line with few labels. Points are scaled into the unit ball, as "
        "the theorem requires. Gaps of zero are not drawn."
    )
    st.caption(
        "The last curve needs no label of the unlabelled points. Eq. 21 bounds the error of 1-NN "
        "by the Bayes error P⋆, 2P⋆ − (C/(C − 1))P⋆², in the limit of many labels. 1-NN from all "
        f"other points errs at **{high:.1%}**, so P⋆ is between {low:.1%} and {high:.1%}; the "
        "curve takes the latter. **Look for** where it is below the printed bound: there labels "
        "are few, and the term δ(m) that the paper leaves open is not small."
    )
