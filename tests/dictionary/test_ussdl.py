"""USSDL is SSDL-GA without its graph."""

from inspect import signature

import numpy as np
from dictionary.problems import SMALL

from sslviz import SSDLGA, USSDL


def test_it_is_ssdl_ga_with_beta_zero(problem: tuple) -> None:
    X, y = problem
    ours, other = SSDLGA(**SMALL, beta=0.0).fit(X, y), USSDL(**SMALL).fit(X, y)
    for name in ("components_", "codes_", "coef_", "intercept_", "pseudo_labels_", "objective_"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(other, name), err_msg=name)
    np.testing.assert_array_equal(ours.transform(X[:5]), other.transform(X[:5]))


def test_it_has_the_parameters_of_ssdl_ga_but_those_of_the_graph() -> None:
    graph = {"beta", "n_neighbors", "laplacian", "sigma", "share", "spread", "plain_rounds"}
    wanted = [name for name in signature(SSDLGA).parameters if name not in graph]
    assert list(signature(USSDL).parameters) == wanted
