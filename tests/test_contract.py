"""What every method promises."""

import pickle
import re
import sys
from collections.abc import Callable
from functools import cache
from inspect import getdoc, signature
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from quick_models import ONCE, global_random_states, made
from second_device import SecondDevice
from sklearn.base import ClusterMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import check_is_fitted

import sslviz
from sslviz import abilities
from sslviz.device import to_numpy
from sslviz.graph.neighbours import K_MAX
from sslviz.memo import Memo
from sslviz.params import Number, docs_table, params_of
from sslviz.snippet import Setting, model_snippet

name_of = attrgetter("__name__")
every_method = pytest.mark.parametrize("Method", sslviz.METHODS, ids=name_of)
ITERATIVE = [Method for Method in sslviz.METHODS if issubclass(Method, abilities.Steps)]
iterative = pytest.mark.parametrize("Method", ITERATIVE, ids=name_of)
PAGES = Path(__file__).resolve().parent.parent / "pages"
MACHINERY = {"memory", "device", "random_state"}
# What a fit leaves that is compared between two fits.
RESULTS = ("transduction_", "label_distributions_", "labels_", "embedding_")


@pytest.fixture
def moons() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return small_moons()


@cache
def small_moons() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Half the points of the other tests' moons: none of these promises depends on their number."""
    d = sslviz.data.load("two_moons", n_samples=150, noise=0.08, random_state=0)
    return d.X, sslviz.labels.hide(d.y, per_class=3, random_state=0), d.y


@cache
def fitted(Method: Any) -> Any:
    """A method fitted to the moons, once for all tests that compare another fit with it."""
    return made(Method).fit(*small_moons()[:2])


@pytest.fixture(autouse=True)
def short_epochs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten iterations instead of a hundred, and some more where something must have been learnt."""
    epoch = 40 if "check_clustering" in request.node.name else 10
    monkeypatch.setattr("sslviz.training.batches.EPOCH_ITERATIONS", epoch)


def results(model: Any) -> dict[str, np.ndarray]:
    found = {name: getattr(model, name) for name in RESULTS if hasattr(model, name)}
    assert found, f"{type(model).__name__} leaves none of {RESULTS}"
    return found


def assert_same(a: Any, b: Any, atol: float = 0.0) -> None:
    left, right = results(a), results(b)
    assert left.keys() == right.keys()
    for name in left:
        np.testing.assert_allclose(left[name], right[name], rtol=0, atol=atol, err_msg=name)


def applied(model: Any, X: np.ndarray) -> np.ndarray:
    """The class or coordinates of new points; the labels found, if a clustering has no predict."""
    if isinstance(model, ClusterMixin) and not hasattr(model, "predict"):
        check_is_fitted(model, "labels_")
        return model.labels_
    return model.predict(X) if hasattr(model, "predict") else model.transform(X)


def names_classes(Method: type) -> bool:
    return hasattr(Method, "predict_proba") and not issubclass(Method, ClusterMixin)


def told_apart(estimator: Any) -> dict[str, str]:
    """scikit-learn gives classes -1 and 1 to all but its own semi-supervised methods, by name."""
    if type(estimator).__name__ in ("LabelPropagation", "LabelSpreading"):
        return {}
    return {"check_classifiers_classes": "-1 means unlabelled; names are tested below"}


@parametrize_with_checks(
    [made(Method) for Method in sslviz.METHODS], expected_failed_checks=told_apart
)
@pytest.mark.filterwarnings("ignore")
def test_it_is_an_estimator_as_scikit_learn_understands_it(estimator: Any, check: Callable) -> None:
    check(estimator)


@pytest.mark.parametrize("Method", [*filter(names_classes, sslviz.METHODS)], ids=name_of)
def test_classes_may_have_any_names_where_all_are_given(Method: Any, moons: tuple) -> None:
    X, _, truth = moons
    y = np.where(truth == 0, "left", "right")
    for names in (y, y.astype(object)):
        model = made(Method).fit(X, names)
        assert model.classes_.tolist() == ["left", "right"]
        assert (model.transduction_ == y).all()
        if not get_tags(model).classifier_tags.poor_score:  # such as lines through the origin
            assert np.mean(model.predict(X) == y) > 0.85


@every_method
def test_every_parameter_is_declared(Method: type) -> None:
    declared = [p.name for p in params_of(Method)]
    assert declared == [n for n in signature(Method).parameters if n not in MACHINERY]
    table = docs_table(Method)
    assert all(f"| `{name}` |" in table for name in declared)


@every_method
def test_defaults_and_what_is_shown_are_valid(Method: type) -> None:
    for p in params_of(Method):
        assert p.accepts(p.default), p.name
        assert p.spec.help.endswith(".") and p.title, p.name
        if isinstance(p.spec, Number):
            convert = int if p.kind is int else float
            assert all(p.accepts(convert(end)) for end in p.spec.shown), p.name
            assert p.spec.shown[0] < p.spec.shown[1], p.name
        assert all(map(p.accepts, p.grid())), p.name


@every_method
def test_machinery_comes_last_and_by_name_only(Method: type) -> None:
    arguments = signature(Method).parameters
    assert arguments["memory"].default is None and arguments["device"].default == "auto"
    for name in MACHINERY & set(arguments):
        assert arguments[name].kind is arguments[name].KEYWORD_ONLY


@every_method
def test_it_states_its_title_family_paper_and_page(Method: Any) -> None:
    assert getattr(sslviz, Method.__name__) is Method and Method.__name__ in sslviz.__all__
    assert issubclass(Method, abilities.Method)
    assert Method.title and Method.paper and getdoc(Method)
    module = sys.modules[Method.__module__]
    assert Path(module.__file__ or "").parent.name == Method.family
    assert (PAGES / f"{Method.page_name()}.py").exists()
    assert Method.seconds(1000, 10, 2) >= 0 and isinstance(made(Method).undetermined_because, str)


@every_method
def test_its_module_begins_with_its_name_and_has_a_formula_and_a_reference(Method: Any) -> None:
    story = sys.modules[Method.__module__].__doc__ or ""
    name, colon, _ = story.partition(":")
    words = set(re.findall(r"\w{3,}", f"{Method.title} {Method.__name__}".lower()))
    assert colon and words & set(re.findall(r"\w{3,}", name.lower())), f"begins with {name!r}"
    assert any(line.startswith("    ") and "=" in line for line in story.splitlines()), "a formula"
    assert any(year in story for year in map(str, range(1950, 2030))), "a reference"


@every_method
def test_same_answer_on_another_device(Method: Any, moons: tuple) -> None:
    rng = np.random.default_rng(0)
    wide = moons[0] @ rng.normal(size=(2, 14)) + 0.01 * rng.normal(size=(len(moons[0]), 14))
    once = ONCE.get(Method.family, {})
    # A k-d tree on the CPU, which the steps below test as well, and the product on the device.
    for X in (wide,) if Method in ITERATIVE else (moons[0], wide):
        here = made(Method, device="cpu", **once).fit(X, moons[1])
        with SecondDevice():
            there = made(Method, device="meta", **once).fit(X, moons[1])
        assert_same(here, there, atol=1e-8)


@iterative
def test_steps_run_on_another_device(Method: Any, moons: tuple) -> None:
    (X, y, _), once = moons, ONCE.get(Method.family, {})
    here = list(made(Method, device="cpu", **once).steps(X, y))
    with SecondDevice():
        there = list(made(Method, device="meta", **once).steps(X, y))
        assert len(here) == len(there)
        last = to_numpy(there[-1].F)
    np.testing.assert_allclose(to_numpy(here[-1].F), last, rtol=0, atol=1e-8)


@every_method
def test_same_answer_with_any_memory(Method: type, moons: tuple, tmp_path: Path) -> None:
    X, y, _ = moons
    for memory in (Memo(), str(tmp_path)):  # of a path scikit-learn makes a joblib.Memory
        for _ in range(2):  # computed, then remembered
            assert_same(fitted(Method), made(Method, memory=memory).fit(X, y))


@every_method
@pytest.mark.parametrize("name", ["sigma", "alpha", "n_neighbors"])
def test_moving_a_slider_keeps_the_neighbours(Method: type, name: str, moons: tuple) -> None:
    declared = {p.name: p for p in params_of(Method)}
    if name not in declared:
        pytest.skip(f"no {name}")
    memo = Memo()
    for value in declared[name].grid(5):
        assert name != "n_neighbors" or value <= K_MAX
        made(Method, **{name: value}, memory=memo).fit(*moons[:2])
    searches = [stage.reused for stage in memo.log if stage.name == "neighbours"]
    if not searches and name != "n_neighbors":
        pytest.skip("no graph")
    assert searches == [False] + [True] * (len(searches) - 1) and len(searches) > 1


@every_method
def test_the_whole_fit_is_remembered(Method: type, moons: tuple) -> None:
    memo = Memo()
    for _ in range(2):
        with memo.watch() as stages:
            made(Method, memory=memo).fit(*moons[:2])
    assert stages and all(stage.reused for stage in stages)


@every_method
def test_a_fitted_one_can_be_cloned_and_pickled(Method: type, moons: tuple) -> None:
    X, y, _ = moons
    model = made(Method, memory=Memo()).fit(X, y)
    other = pickle.loads(pickle.dumps(model))
    assert_same(model, other)
    np.testing.assert_array_equal(applied(model, X), applied(other, X))
    fresh = clone(model)
    assert not any(hasattr(fresh, name) for name in RESULTS)
    assert_same(model, fresh.fit(X, y))


@every_method
def test_input_is_left_alone(Method: type, moons: tuple) -> None:
    for frozen in (False, True):
        X, y = moons[0].copy(), moons[1].copy()
        X.flags.writeable = y.flags.writeable = not frozen
        model = made(Method, memory=Memo()).fit(X, y)
        applied(model, X)
        np.testing.assert_array_equal(X, moons[0])
        np.testing.assert_array_equal(y, moons[1])
        assert X.flags.writeable is y.flags.writeable is not frozen


@every_method
def test_the_snippet_reproduces_the_answer(Method: type) -> None:
    options = {"n_samples": 120, "random_state": 1}
    d = sslviz.data.load("three_rings", **options)
    y = sslviz.labels.hide(d.y, per_class=2, random_state=4)
    model = made(Method).fit(d.X, y)
    names: dict[str, Any] = {}
    exec(model_snippet(model, Setting("three_rings", options, 2, 4)), names)
    assert_same(model, names["model"])


@iterative
def test_steps_run_to_the_end_leave_what_fit_leaves(Method: Any, moons: tuple) -> None:
    X, y, _ = moons
    watched, last = made(Method), None
    for last in watched.steps(X, y):
        assert hasattr(last, "change") or hasattr(last, "objective")
    assert last is not None and last.iteration >= 1
    assert_same(watched, fitted(Method))


@iterative
def test_steps_left_early_leave_it_unfitted(Method: Any, moons: tuple) -> None:
    X, y, _ = moons
    model = made(Method)
    running = model.steps(X, y)
    assert next(running).iteration == 1
    running.close()
    with pytest.raises(NotFittedError):
        applied(model, X)


@every_method
def test_two_fits_are_equal_and_leave_global_random_numbers_alone(
    Method: type, moons: tuple
) -> None:
    first, before = fitted(Method), global_random_states()
    assert_same(first, made(Method).fit(*moons[:2]))
    assert global_random_states() == before


@every_method
def test_a_second_fit_forgets_the_first(Method: type, moons: tuple) -> None:
    X, y, truth = moons
    model = made(Method).fit(np.hstack([X, X]), np.where(truth == 0, 5, 9))
    assert_same(model.fit(X, y), fitted(Method))
    assert model.n_features_in_ == 2
    if names_classes(Method):
        assert model.classes_.tolist() == [0, 1]
