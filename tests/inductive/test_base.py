"""Warnings about convergence and width, and the estimated cost of a fit."""

import warnings
from typing import Any

import numpy as np
import pytest
from inductive.oracles import cloud
from sklearn.exceptions import ConvergenceWarning

from sslviz import S3VM, SDSC, SSDR, LapRLS, LapSVM, LLReg, SemiSupervisedGMM
from sslviz.inductive import lap_svm, s3vm

UNCONVERGED = {
    "LapSVM": (LapSVM(), lap_svm, "duality gap"),
    "S3VM": (S3VM(), s3vm, "duality gap"),
    "SemiSupervisedGMM": (SemiSupervisedGMM(max_iter=2), None, "2 steps"),
}


@pytest.mark.parametrize("name", UNCONVERGED)
def test_a_warning_names_the_method_and_the_remedy(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, module, where = UNCONVERGED[name]
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
def test_ordinary_settings_converge_without_a_warning(model: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        model.fit(*cloud(0))


def test_a_vanishing_norm_penalty_leaves_a_gap() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.full(60, -1)
    y[:9] = np.arange(9) % 2
    model = LapSVM(lam1=1e-300, lam2=1.0)
    with pytest.warns(ConvergenceWarning, match="raise lam1"):
        model.fit(X, y)
    assert model.gap_ > 1e-6


@pytest.mark.parametrize("Method", [SSDR, SDSC])
def test_tiny_widths_are_warned_about(Method: Any) -> None:
    with pytest.warns(UserWarning, match=f"{Method.__name__}: for .*% of the points .* noise"):
        Method(1e-3).fit(*cloud(0))


def test_estimated_seconds_grow_with_spectra_points_and_features() -> None:
    few, many = ([M.seconds(n, 10, 3) for M in (S3VM, SSDR, LapRLS)] for n in (500, 5000))
    assert many[0] < many[1] < many[2] and max(few) < 1 < 20 < many[1]
    assert LLReg.seconds(5000, 10, 3) == 0
    assert SemiSupervisedGMM.seconds(1000, 5, 3) < 1 < SemiSupervisedGMM.seconds(5000, 784, 10)
