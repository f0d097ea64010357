"""A method that stops short of what it promises says so, in scikit-learn's way, and only then."""

import warnings
from typing import Any

import numpy as np
import pytest
from inductive.oracles import cloud
from sklearn.exceptions import ConvergenceWarning

from sslviz import S3VM, LapSVM, SemiSupervisedGMM
from sslviz.inductive import lap_svm, s3vm

SHORT = {
    "LapSVM": (LapSVM(), lap_svm, "duality gap"),
    "S3VM": (S3VM(), s3vm, "duality gap"),
    "SemiSupervisedGMM": (SemiSupervisedGMM(max_iter=2), None, "2 steps"),
}


@pytest.mark.parametrize("name", SHORT)
def test_an_end_before_the_goal_is_said_with_what_to_do(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, module, where = SHORT[name]
    if module is not None:
        monkeypatch.setattr(module, "WARNING_GAP", -1.0)  # no gap is small enough
    with pytest.warns(ConvergenceWarning, match=f"{name} has not converged: .*{where}.*; .*raise"):
        model.fit(*cloud(0))


@pytest.mark.parametrize(
    "model",
    [LapSVM(), LapSVM("linear"), S3VM(), S3VM("linear"), SemiSupervisedGMM(),
     SemiSupervisedGMM(weight=0, max_iter=1)],
    ids=repr,
)  # fmt: skip
def test_ordinary_settings_end_in_silence(model: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        model.fit(*cloud(0))


def test_a_price_of_nothing_is_where_lap_svm_stops_short() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.full(60, -1)
    y[:9] = np.arange(9) % 2
    model = LapSVM(lam1=1e-300, lam2=1.0)
    with pytest.warns(ConvergenceWarning, match="raise lam1"):
        model.fit(X, y)
    assert model.gap_ > 1e-6
