"""Accuracy over the share of outliers: the data set with more and more of them."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from sklearn.base import clone

from sslviz import data, labels
from sslviz.content_hash import digest
from sslviz.data.stages import load_dataset
from sslviz.figures.charts.basic import share_curves
from sslviz.recordings.tasks import TaskRun, accuracy_on
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.messages import stop_on_error
from sslviz.ui.problem import Problem
from sslviz.ui.runs import finish
from sslviz.ui.server import memory
from sslviz.ui.state import manual_labels

OUTLIER_SHARES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)


def show_outlier_curves(problem: Problem, models: dict[str, Any]) -> None:
    """A switch; when it is on, a curve for each model. Only for data sets with that option."""
    if not any(p.name == "outliers" for p in data.options_of(problem.setting.dataset)):
        return
    st.subheader("Effect of outliers")
    if not st.toggle(
        "Try more and more outliers",
        key="outlier_curves",
        bind="query-params",
        help="Fits each method again for every share of outliers. To see one of them, set "
        "“Outliers” under “Data options” in the sidebar.",
    ):
        return
    with stop_on_error():
        run = finish(_key(problem, models), TaskRun, "Fitting", outlier_tasks(problem, models))
    chart = share_curves(np.array(OUTLIER_SHARES), curves_of(run), "share of outliers", "accuracy")
    chart.update_layout(xaxis_tickformat=".0%")
    show_figure(
        chart, key="outlier_curves_chart", height=260, tools=False, alt="Effect of outliers"
    )
    st.caption(
        "Accuracy on the points that are not outliers: how outliers affect the prediction of all "
        "others. These are results of one random choice of labels: try several seeds before you "
        "trust a small difference. Compare label propagation with robust label prediction."
    )


def _key(problem: Problem, models: dict[str, Any]) -> str:
    settings = [repr(clone(model).set_params(memory=None)) for model in models.values()]
    return digest("outliers", str(problem.setting), settings, list(models))


def outlier_tasks(
    problem: Problem, models: dict[str, Any]
) -> dict[tuple[str, float], Callable[[], float]]:
    """The accuracy of each model on the hidden points that are not outliers, for each share.

    Noise, classes and given labels stay the same, also those given by hand; some may be outliers.
    """
    return {
        (title, share): partial(accuracy_on, clone(model), *_with_outliers(problem, share))
        for share in OUTLIER_SHARES
        for title, model in models.items()
    }


def _with_outliers(problem: Problem, share: float) -> tuple[np.ndarray, ...]:
    """Points, given labels, true classes, and which points count."""
    setting = problem.setting
    options = {**setting.options, "outliers": share}
    dataset = memory().cache(load_dataset)(setting.dataset, options, 0)
    drawn = labels.hide(dataset.y, per_class=setting.per_class, random_state=setting.seed)
    y, _ = manual_labels.with_manual_labels(drawn, dict(setting.by_hand), dataset.n_classes)
    return dataset.X, y, dataset.y, (y < 0) & ~dataset.splits["outliers"]


def curves_of(run: TaskRun) -> dict[str, np.ndarray]:
    """The accuracies by model, in the order of the shares."""
    titles = dict.fromkeys(title for title, _ in run.results)
    return {
        title: np.array([run.results[title, share] for share in OUTLIER_SHARES]) for title in titles
    }
