"""A learning watched round by round is the fit, wherever it is left and taken up."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sslviz import SSDLGA, USSDL, data, labels
from sslviz.data.preprocess import prepared
from sslviz.recordings.dictionary import DictionaryRun, unlike_neighbours


@pytest.fixture(scope="module")
def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    dataset = data.load("digits", n_samples=120)
    y = labels.hide(dataset.y, per_class=2, random_state=0)
    return prepared(dataset.X, ("length 5",)), y, dataset.y


@pytest.mark.parametrize("Method", [SSDLGA, USSDL])
@pytest.mark.parametrize("left_after", [1, 3, 4])
def test_left_after_some_rounds_it_is_the_fit_of_so_many(digits, Method, left_after):
    X, y, _ = digits
    learning = DictionaryRun(Method(30, max_iter=4), X, y)
    for _ in range(left_after):
        learning.advance()
    found, expected = learning.fitted(), Method(30, max_iter=left_after).fit(X, y)
    for name in ("components_", "codes_", "coef_", "label_distributions_", "objective_"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    learning.advance()  # and it can be taken up again
    assert learning.done == min(left_after + 1, 4)
    np.testing.assert_array_equal(found.codes_, expected.codes_)


def test_the_film_holds_what_the_steps_say(digits):
    X, y, truth = digits
    model, learning = SSDLGA(30, max_iter=3), DictionaryRun(SSDLGA(30, max_iter=3), X, y)
    steps = []
    for step in model.steps(X, y):
        steps.append(step)
        learning.advance()
    film = learning.film()
    assert film.D.shape == (4, 30, 64) and film.terms.shape == (3, 4)
    for i, step in enumerate(steps):
        A = step.A.numpy()
        np.testing.assert_allclose(film.D[i + 1], step.D, atol=1e-6)
        np.testing.assert_allclose(film.W[i + 1], step.W, atol=1e-6)
        np.testing.assert_allclose(film.P[i], step.F, atol=1e-6)  # a round begins with P
        np.testing.assert_allclose(
            film.scores[i + 1], A @ step.W.numpy().T + step.b.numpy(), atol=1e-5
        )
        assert film.terms[i].sum() == pytest.approx(step.objective)
        assert film.used[i + 1] == pytest.approx((A != 0).sum(axis=1).mean())
        assert film.error[i + 1] == pytest.approx(step.terms.reconstruction / np.square(X).sum())
    hidden = y < 0
    assert film.right(truth, hidden)[-1] == (model.transduction_ == truth)[hidden].mean()


def test_it_begins_with_points_as_atoms_and_no_round_done(digits):
    X, y, _ = digits
    learning = DictionaryRun(SSDLGA(30), X, y)
    first = learning.film().D[0]
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    assert (np.abs(first[:, None] - unit).max(axis=2).min(axis=1) < 1e-6).all()
    assert learning.done == 0 and learning.total == 15
    with pytest.raises(ValueError, match="before the first"):
        learning.fitted()


def test_a_fitted_model_goes_on_from_where_it_is(digits):
    X, y, _ = digits
    before = SSDLGA(30, max_iter=3).fit(X, y)
    codes = before.codes_.copy()
    learning = DictionaryRun(
        SSDLGA(30, max_iter=3).fit(X, y).set_params(lam=0.6, warm_start=True), X, y
    )
    np.testing.assert_allclose(learning.film().D[0], before.components_, atol=1e-6)
    for _ in range(3):
        learning.advance()
    expected = before.set_params(lam=0.6, warm_start=True).fit(X, y)
    np.testing.assert_array_equal(learning.fitted().codes_, expected.codes_)
    assert not np.array_equal(codes, expected.codes_)


def test_threads_share_the_rounds(digits):
    X, y, _ = digits
    learning = DictionaryRun(SSDLGA(20, max_iter=5), X, y)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: learning.advance(), range(12)))
    assert learning.done == 5 and len(learning.film().D) == 6
    expected = SSDLGA(20, max_iter=5).fit(X, y)
    np.testing.assert_array_equal(learning.fitted().objective_, expected.objective_)


def test_the_graph_makes_codes_like_their_neighbours(digits):
    X, y, _ = digits
    with_graph, without = SSDLGA(30).fit(X, y), USSDL(30).fit(X, y)
    L, A = with_graph.laplacian_, with_graph.codes_
    assert unlike_neighbours(A, L) == pytest.approx(np.trace(A.T @ L.toarray() @ A) / (A**2).sum())
    assert unlike_neighbours(A, L) < unlike_neighbours(without.codes_, L)
    assert unlike_neighbours(0 * A, L) == 0
