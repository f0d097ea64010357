"""Controls show the declared parameters and return keyword arguments."""

import pytest
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz.params import params_of


def drawn() -> None:
    import streamlit as st

    import sslviz
    from sslviz.ui.controls import choose_parameters

    for Method in sslviz.METHODS:
        st.session_state[f"found {Method.__name__}"] = choose_parameters(Method)


def started() -> AppTest:
    return AppTest.from_function(drawn, default_timeout=60).run()


@pytest.fixture(scope="module")
def app() -> AppTest:
    """Controls at their defaults."""
    return started()


@pytest.mark.parametrize("Method", sslviz.METHODS)
def test_untouched_controls_give_the_defaults(app: AppTest, Method: type) -> None:
    assert not app.exception
    found = app.session_state[f"found {Method.__name__}"]
    assert found == {p.name: p.default for p in params_of(Method)}
    assert Method(**found).get_params() == Method().get_params()


def test_a_factor_is_written_before_its_rule() -> None:
    app = started()
    app.select_slider(key="LabelPropagation.sigma").set_value(0.5).run()
    assert app.session_state["found LabelPropagation"]["sigma"] == "0.5 mean"
    app.selectbox(key="LabelPropagation.sigma_rule").select("median").run()
    assert app.session_state["found LabelPropagation"]["sigma"] == "0.5 median"
    assert app.session_state["found LabelSpreading"]["sigma"] == "mean"


def test_a_slider_has_the_declared_range_help_and_title(app: AppTest) -> None:
    slider = app.slider(key="LabelPropagation.n_neighbors")
    spec = next(p.spec for p in params_of(sslviz.LabelPropagation) if p.name == "n_neighbors")
    assert (slider.min, slider.max) == spec.shown
    assert slider.help == spec.help
    assert slider.label == "Neighbours (k)"
