"""Graph regularised sparse coding minimises its objective."""

import numpy as np

from sslviz.dictionary.stages.graph_sparse_coding import code_on_graph
from sslviz.dictionary.stages.laplacians import build
from sslviz.solve.dictionary_learning import unit_atoms


def test_codes_without_a_classifier_minimise_eq_7(problem: tuple) -> None:
    X, _ = problem
    L = build(X, "knn", k=5, sigma=2.0, share=0.1, spread=1.0).L
    coded = code_on_graph(X, unit_atoms(X[:20]), L, lam=0.3, beta=0.5, max_iter=5)
    A, D = coded.A, coded.D
    value = np.square(X - A @ D).sum() + 0.3 * np.abs(A).sum() + 0.5 * np.sum(A * (L @ A))
    np.testing.assert_allclose(coded.objective[-1], value, rtol=1e-12)
    assert (np.diff(coded.objective) <= 1e-9 * value).all()
