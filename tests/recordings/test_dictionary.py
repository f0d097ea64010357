"""A run of dictionary learning is the fit, wherever it is stopped, continued or resumed."""

import numpy as np
import pytest
from sklearn.base import clone

import sslviz
from sslviz import OSSDL, PSSDL, SSDLGA, SSRD, USSDL, data, labels
from sslviz.data.preprocess import prepared, with_noise
from sslviz.recordings import dictionary
from sslviz.recordings.dictionary import DictionaryRun, next_trail

FAMILY = [m for m in sslviz.METHODS if m.family == "dictionary"]


@pytest.fixture(scope="module")
def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    dataset = data.load("digits", n_samples=120)
    y = labels.hide(dataset.y, per_class=2, random_state=0)
    return prepared(dataset.X, ("length 5",)), y, dataset.y


def take_rounds(run: DictionaryRun, count: int) -> None:
    for _ in range(count):
        run.go_on(1e-9).result()  # at least one step


@pytest.mark.parametrize("Method", [SSDLGA, USSDL])
@pytest.mark.parametrize("stopped_after", [1, 4])
def test_stopped_after_some_rounds_it_is_the_fit_of_so_many(digits, Method, stopped_after):
    X, y, _ = digits
    run = DictionaryRun(Method(30, max_iter=4), X, y)
    take_rounds(run, stopped_after)
    found, expected = run.fitted(), Method(30, max_iter=stopped_after).fit(X, y)
    for name in ("components_", "codes_", "coef_", "label_distributions_", "objective_"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    run.finish()
    assert run.done and run.rounds == run.taken == run.total == 4
    assert "4 rounds" in run.status()
    np.testing.assert_array_equal(found.codes_, expected.codes_)


@pytest.mark.filterwarnings("ignore::UserWarning")  # fewer labelled points than atoms
@pytest.mark.parametrize("Method", FAMILY, ids=lambda m: m.__name__)
def test_a_finished_run_of_any_method_is_its_fit_and_its_terms_add_up(digits, Method):
    X, y, _ = digits
    model = Method(**({"n_atoms": 40} if "n_atoms" in Method().get_params() else {}))
    if "max_iter" in model.get_params():
        model.set_params(max_iter=2)
    run, expected = DictionaryRun(clone(model), X, y), clone(model).fit(X, y)
    start = run.recording()
    run.finish()
    found, film = run.fitted(), run.recording()
    for name in ("components_", "codes_", "label_distributions_", "transduction_"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    total = np.sum(list(film.terms.values()), axis=0)
    np.testing.assert_allclose(total, expected.objective_, rtol=1e-9)
    assert len(total) == run.rounds == film.moments[-1] and len(film.size) == run.rounds + 1
    assert list(start.moments) == [0] and not start.terms, "a picture before the first round"
    np.testing.assert_array_equal(start.D[0], film.D[0])
    assert np.isfinite(film.scores).all() and (film.error >= 0).all()


def test_points_that_join_are_kept_with_their_classes(digits):
    X, y, truth = digits
    run = DictionaryRun(OSSDL(20, sure=0.4, max_iter=3), X, y)
    run.finish()
    joined, model = run.recording().joined, run.fitted()
    assert (joined[0] == -1).all() and (joined[:, y >= 0] == -1).all()
    np.testing.assert_array_equal(joined[-1] >= 0, model.joined_)
    assert 0 < (joined[-1] >= 0).sum() < (y < 0).sum()
    assert (joined[-1] == truth)[joined[-1] >= 0].mean() > 0.5


def test_norms_of_groups_are_those_of_the_learnt_codes(digits):
    X, y, _ = digits
    run = DictionaryRun(SSRD(30, max_iter=2), X, y)
    run.finish()
    model, last = run.fitted(), run.recording().groups[-1]
    for c in range(10):
        expected = np.linalg.norm(model.learnt_codes_[y == c], axis=0)
        np.testing.assert_allclose(last[c], expected, atol=1e-5)
    np.testing.assert_allclose(last[10], np.linalg.norm(model.learnt_codes_[y < 0], axis=0), 1e-5)
    assert (last[:10] == 0).mean() > 0.3, "classes switch atoms off"


def test_the_recording_holds_what_the_steps_yield(digits):
    X, y, truth = digits
    model, run = SSDLGA(30, max_iter=3), DictionaryRun(SSDLGA(30, max_iter=3), X, y)
    steps = list(model.steps(X, y))
    run.finish()
    film = run.recording()
    assert list(film.moments) == [0, 1, 2, 3] and list(film.some(2)) == [0, 3]
    assert film.D.shape == (4, 30, 64) and len(film.terms["graph"]) == 3
    for i, step in enumerate(steps):
        A = step.A.numpy()
        np.testing.assert_allclose(film.D[i + 1], step.D, atol=1e-6)
        np.testing.assert_allclose(film.W[i + 1], step.W, atol=1e-6)
        np.testing.assert_allclose(film.P[i], step.F, atol=1e-6)  # a round begins with P
        scores = A @ step.W.numpy().T + step.b.numpy()
        np.testing.assert_allclose(film.scores[i + 1], scores, atol=1e-5)
        assert sum(term[i] for term in film.terms.values()) == pytest.approx(step.objective)
        assert film.used[i + 1] == pytest.approx((A != 0).sum(axis=1).mean())
        assert film.error[i + 1] == pytest.approx(step.terms.reconstruction / np.square(X).sum())
    hidden = y < 0
    assert film.accuracy(truth, hidden)[-1] == (model.transduction_ == truth)[hidden].mean()


def test_it_starts_with_points_as_atoms_and_can_be_drawn_before_the_first_round(digits):
    X, y, _ = digits
    run = DictionaryRun(SSDLGA(30), X, y)
    first = run.recording().D[0]
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    assert (np.abs(first[:, None] - unit).max(axis=2).min(axis=1) < 1e-6).all()
    assert run.rounds == 0 and run.total == 15 and "round 0 of 15" in run.status()
    start = run.fitted()
    np.testing.assert_allclose(start.components_, first, atol=1e-6)
    np.testing.assert_array_equal(start.transduction_[y >= 0], y[y >= 0])


def test_large_dictionaries_keep_fewer_frames_the_first_and_the_last_among_them(
    digits, monkeypatch
):
    monkeypatch.setattr(dictionary, "CELLS_KEPT", 1)
    X, y, _ = digits
    run = DictionaryRun(SSDLGA(10, max_iter=7), X, y)
    run.finish()
    film = run.recording()
    assert len(film.D) <= 4 and film.moments[0] == 0 and film.moments[-1] == 7
    assert len(film.terms["graph"]) == 7 and len(film.used) == 8
    np.testing.assert_allclose(film.D[-1], run.fitted().components_, atol=1e-6)


def test_a_fitted_model_continues_from_where_it_is(digits):
    X, y, _ = digits
    before = SSDLGA(30, max_iter=3).fit(X, y)
    codes = before.codes_.copy()
    warm = SSDLGA(30, max_iter=3).fit(X, y).set_params(lam=0.6, warm_start=True)
    run = DictionaryRun(warm, X, y)
    np.testing.assert_allclose(run.recording().D[0], before.components_, atol=1e-6)
    run.finish()
    expected = before.set_params(lam=0.6, warm_start=True).fit(X, y)
    np.testing.assert_array_equal(run.fitted().codes_, expected.codes_)
    assert not np.array_equal(codes, expected.codes_)


class CountedRun:
    """A run that counts its rounds, from those of the run before it."""

    def __init__(self, before: int | None, rounds: int = 0):
        self.before, self.rounds, self.done = before or 0, rounds, False

    def fitted(self) -> int:
        return self.before + self.rounds


def test_a_trail_continues_from_the_last_run_that_has_done_a_round_at_the_same_place():
    names = []

    def start(name, settings, before):
        names.append(name)
        return CountedRun(before)

    first = next_trail((), "here", {"lam": 1.0, "max_iter": 5}, start)
    assert first.run.before == 0
    first.run.rounds = 2  # stopped
    hurried = next_trail((first,), "here", {"lam": 2.0, "max_iter": 5}, start)
    assert hurried.run.before == 2
    later = next_trail((first, hurried), "here", {"lam": 3.0, "max_iter": 5}, start)
    assert later.run.before == 2, "one left before its first round is passed over"
    later.run.rounds = 5
    assert later.done == ({"lam": 1.0, "max_iter": 2}, {"lam": 3.0, "max_iter": 5})
    assert next_trail((later,), "here", {"lam": 3.0, "max_iter": 5}, start) is later
    elsewhere = next_trail((later,), "elsewhere", {"lam": 3.0, "max_iter": 5}, start)
    assert elsewhere.run.before == 0 and len(elsewhere.settings) == 1
    assert len(set(names)) == 4, "each has a name of its own"


def test_noise_has_the_deviation_of_table_5():
    X = np.random.default_rng(1).normal(size=(500, 40))
    clean = with_noise(X, ("length 5",), 0.0)
    np.testing.assert_allclose(np.linalg.norm(clean, axis=1), 5)
    added = with_noise(X, ("length 5",), 0.6) - clean
    assert added.std() == pytest.approx(0.6 * 25 / 40, rel=0.02)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_codes_that_fade_as_printed_are_measured_as_they_are_learnt(digits):
    X, y, _ = digits
    run = DictionaryRun(PSSDL(30, as_printed=True, max_iter=4), X, y)
    run.finish()
    size = run.recording().size  # those of new points grow at first, since atoms shrink
    assert (np.diff(size) < 0).all() and size[1] < 0.01 * size[0]
