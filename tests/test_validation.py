"""Wrong input raises an error that names it; unusual but valid input gives a result."""

import warnings
from typing import Any

import numpy as np
import pytest

from sslviz import LabelPropagation, LabelSpreading
from sslviz.validation import decode_argmax

both = pytest.mark.parametrize("Method", [LabelPropagation, LabelSpreading])


@both
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_points_must_be_finite(Method: type, bad: float, moons: tuple) -> None:
    X, y, _ = moons
    X = X.copy()
    X[7, 1] = bad
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        Method().fit(X, y)
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        Method().fit(*moons[:2]).predict(X)


@both
def test_labels_must_exist_and_name_two_classes(Method: type, moons: tuple) -> None:
    X, y, _ = moons
    with pytest.raises(ValueError, match=f"{Method.__name__}: y holds no label"):
        Method().fit(X, np.full(len(X), -1))
    with pytest.raises(ValueError, match=f"{Method.__name__}: .*one class only.*5"):
        Method().fit(X, np.where(y == 0, 5, -1))


@both
def test_lengths_must_match(Method: type, moons: tuple) -> None:
    X, y, _ = moons
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples.*300.*299"):
        Method().fit(X, y[:-1])
    with pytest.raises(ValueError, match="3 features"):
        Method().fit(X, y).predict(np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("Method", "wrong", "message"),
    [
        (LabelPropagation, {"n_neighbors": 0}, r"n_neighbors=0 is not a whole number in \[1, 1e"),
        (LabelSpreading, {"n_neighbors": 5.0}, r"n_neighbors=5\.0 is not a whole number in"),
        (LabelPropagation, {"n_neighbors": True}, "n_neighbors=True is not a whole number in"),
        (LabelSpreading, {"sigma": 0}, r"sigma=0 is not in \(0, inf\) or 'mean'"),
        (LabelPropagation, {"sigma": "average"}, "sigma='average' is not in"),
        (LabelSpreading, {"sigma": "-1 mean"}, "sigma='-1 mean' is not in"),
        (LabelPropagation, {"graph": "both"}, "graph='both' is not in"),
        (LabelPropagation, {"class_mass": 1}, "class_mass=1 is not in"),
        (LabelSpreading, {"alpha": 0}, "alpha=0 is not in"),
        (LabelSpreading, {"alpha": 1}, "alpha=1 is not in"),
        (LabelSpreading, {"max_iter": 0}, "max_iter=0 is not a whole number in"),
        (LabelSpreading, {"tol": -1}, "tol=-1 is not in"),
    ],
)
def test_parameters_outside_their_domain_are_named(
    Method: type, wrong: dict[str, Any], message: str, moons: tuple
) -> None:
    with pytest.raises(ValueError, match=f"{Method.__name__}: {message}"):
        Method(**wrong).fit(*moons[:2])


@both
def test_a_device_that_does_not_exist_is_refused(Method: type, moons: tuple) -> None:
    with pytest.raises(ValueError, match="device='nonsense'"):
        Method(device="nonsense").fit(*moons[:2])


@both
def test_more_neighbours_than_points_warn_and_take_all(Method: type) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(8, 2)), np.array([0, 1, -1, -1, -1, -1, -1, -1])
    with pytest.warns(UserWarning, match=f"{Method.__name__}: n_neighbors=50 .* taking 7"):
        many = Method(n_neighbors=50).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        all_others = Method(n_neighbors=7).fit(X, y)
    assert many.n_neighbors_ == 7
    np.testing.assert_array_equal(many.label_distributions_, all_others.label_distributions_)
    assert many.predict(X[:3]).shape == (3,)


@both
def test_lists_float32_and_read_only_arrays_are_fine(Method: type, moons: tuple) -> None:
    X, y, _ = moons
    single = X.astype(np.float32)
    single.flags.writeable = False
    expected = Method().fit(single.astype(np.float64), y).label_distributions_
    np.testing.assert_array_equal(Method().fit(single, y).label_distributions_, expected)
    np.testing.assert_array_equal(
        Method().fit(single.tolist(), y.tolist()).label_distributions_, expected
    )
    assert Method().fit(single, y).predict(single).shape == y.shape


@both
@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float64])
def test_labels_keep_their_type(Method: type, dtype: type, moons: tuple) -> None:
    X, y, _ = moons
    model = Method().fit(X, y.astype(dtype))
    assert model.transduction_.dtype == dtype and model.predict(X).dtype == dtype


@both
def test_names_and_minus_one_do_not_mix(Method: type, moons: tuple) -> None:
    X, y, truth = moons
    mixed = np.where(y < 0, -1, np.array(["down", "up"], object)[truth])
    for labels in (mixed, mixed.astype(str)):
        with pytest.raises(ValueError, match=f"{Method.__name__}: -1 cannot mean"):
            Method().fit(X, labels)
    numbers = Method().fit(X, y.astype(object))
    np.testing.assert_array_equal(numbers.transduction_, Method().fit(X, y).transduction_)


def test_a_zero_row_is_minus_one_also_among_names() -> None:
    F = np.array([[0.0, 1.0], [0.0, 0.0]])
    assert decode_argmax(F, np.array(["a", "b"])).tolist() == ["b", -1]
    assert decode_argmax(F, np.array([False, True])).tolist() == [True, -1]
    assert decode_argmax(F[:1], np.array(["a", "b"])).dtype == np.dtype("<U1")
    assert decode_argmax(F, np.array([4, 7], np.int8)).dtype == np.int8


@both
@pytest.mark.parametrize("point", [-1, 300])
def test_links_of_a_point_that_is_not_there(Method: type, point: int, moons: tuple) -> None:
    with pytest.raises(ValueError, match=f"point={point} is not a training point 0 to 299"):
        Method().fit(*moons[:2]).links(point)


@both
def test_equal_points_with_different_labels_share_their_probabilities(Method: type) -> None:
    X = np.repeat(np.arange(6.0)[:, None], 2, axis=0)
    y = np.array([0, 1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 0])
    model = Method(n_neighbors=3).fit(X, y)
    assert (model.transduction_[y != -1] == y[y != -1]).all()
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[0.5, 0.5]], atol=0.05)
