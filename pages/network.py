"""Networks: classifiers that learn from labelled and unlabelled points while one watches."""

import streamlit as st

from sslviz.abilities import Perturbs
from sslviz.snippet import training_snippet
from sslviz.ui.downloads import downloads_of
from sslviz.ui.errors import fragment
from sslviz.ui.formula import show_formula
from sslviz.ui.messages import show_method_summary
from sslviz.ui.network.picture import show_picture
from sslviz.ui.network.result import (
    NetworkResult,
    baselines_of,
    plane_of_problem,
    recipe,
    result_of_run,
    training_name,
)
from sslviz.ui.network.sidebar import POINTS_SHOWN, choose_look, choose_network, choose_training
from sslviz.ui.page import computing, footer, header, stop_if_all_given
from sslviz.ui.perturbations import show_perturbations
from sslviz.ui.problem import choose_problem
from sslviz.ui.runs import start_training, watch
from sslviz.ui.server import memory

header(
    "Networks",
    "A **neural network** is trained on the few labelled points, and an extra term of its loss "
    "uses the unlabelled ones: it removes noise from them (Ladder), or keeps its prediction when "
    "they are moved a little (VAT). Beside it, the same network learns from the labels alone.",
    page="network",
    presets=True,
)
problem = choose_problem(points_shown=POINTS_SHOWN)
stop_if_all_given(problem.y)
with st.sidebar:
    st.divider()
    model = choose_network(problem)
    st.divider()
    at_once = choose_training()
    look = choose_look()
show_method_summary(type(model))

with computing("Preparing …") as stages:
    plane = plane_of_problem(problem)
    baselines = baselines_of(problem, memory())
    run, stage = start_training(
        training_name(model, problem), *recipe(model, problem, plane), at_once=at_once
    )
    stages.append(stage)


def present_result() -> NetworkResult:
    """The result with the present predictions of the training."""
    return result_of_run(run, model, problem, look, plane, baselines)


show_formula(model)
watch(run, lambda: show_picture(present_result()))
result = present_result()
if run.done:
    st.caption(run.status())
if isinstance(model, Perturbs) and not result.running:
    fragment(show_perturbations)(result, "network.xi")

stopped = not run.done and result.trained
iterations = result.moment.iteration if stopped else None
code = training_snippet(model, problem.setting, iterations)
footer([type(model)], code, stages, downloads_of(result))
