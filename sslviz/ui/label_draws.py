"""How much the accuracy depends on which labels are given: the method on other random choices.

On demand: a switch below the numbers of a page. The page "Compare" does it for several methods.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st
from sklearn.base import clone

from sslviz import labels
from sslviz.content_hash import digest
from sslviz.recordings.tasks import TaskRun, accuracy_on
from sslviz.ui.messages import stop_on_error
from sslviz.ui.result import Result
from sslviz.ui.runs import finish

DRAWS = 10  # random choices of labels, seeds 0 to 9


def show_label_draws(result: Result) -> None:
    """A switch; when it is on, mean, spread and range of the accuracy over random choices."""
    problem = result.problem
    drawn = problem.setting.per_class > 0 and problem.setting.split is None
    if not (drawn and problem.held_out.any() and hasattr(result.model, "transduction_")):
        return
    if not st.toggle(
        "± over other choices of labels",
        key="label_draws",
        help=f"Fits {result.title} again for {DRAWS} random choices of as many labels, to see how "
        "far the accuracy is due to the choice. Labels by hand are not used.",
    ):
        return
    with stop_on_error():
        run = finish(_key(result), TaskRun, "Fitting", draw_tasks(result))
    st.markdown(spread_text(np.array(list(run.results.values())), result.accuracy()))


def draw_tasks(result: Result) -> dict[int, Callable[[], float]]:
    """The accuracy for each choice of labels."""
    X, truth = result.problem.dataset.X, result.problem.dataset.y
    drawn = {
        seed: labels.hide(truth, per_class=result.problem.setting.per_class, random_state=seed)
        for seed in range(DRAWS)
    }
    return {
        seed: partial(accuracy_on, clone(result.model), X, y, truth, (y < 0) & (truth >= 0))
        for seed, y in drawn.items()
    }


def _key(result: Result) -> str:
    """Identifies the run: method, data and number of labels, but not which are given now."""
    parameters = {k: v for k, v in result.model.get_params(deep=False).items() if k != "memory"}
    dataset, setting = result.problem.dataset, result.problem.setting
    method = type(result.model).__name__
    return digest("draws", method, parameters, dataset.X, dataset.y, setting.per_class)


def spread_text(found: np.ndarray, now: float) -> str:
    """Mean ± standard deviation and range of the accuracies, and where the present one is."""
    found = found[np.isfinite(found)]
    if not len(found):
        return "No label is left to measure the accuracy."
    spread = float(found.std(ddof=1)) if len(found) > 1 else 0.0
    place = f"; now {now:.1%}" if np.isfinite(now) else ""
    return (
        f"**{found.mean():.1%} ± {100 * spread:.1f}** over {len(found)} random choices of labels "
        f"(mean ± standard deviation), from {found.min():.1%} to {found.max():.1%}{place}. "
        "A difference between two methods smaller than this spread says little."
    )
