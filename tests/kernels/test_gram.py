"""Kernel matrices, their spectrum, and what is refused."""

import numpy as np
import pytest
from inductive.oracles import about_mean, cloud, rbf
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics.pairwise import rbf_kernel

from sslviz import SSDR
from sslviz.kernels.gram import (
    centred,
    check_size,
    gram,
    kernel_product,
    kernel_rows,
    kernel_width,
    leading_spectrum,
    spectrum,
)
from sslviz.memo import Memo


@pytest.mark.parametrize("d", [2, 40])
@pytest.mark.parametrize("halved", [True, False])
def test_the_gaussian_is_that_of_the_formula(d: int, halved: bool) -> None:
    X, Q = cloud(0, n=50, d=d)[0], cloud(1, n=20, d=d)[0]
    expected = rbf(Q, X, 1.7, halved)
    assert_allclose(kernel_rows(Q, X, sigma=1.7, halved=halved), expected, rtol=0, atol=1e-14)
    peer = rbf_kernel(Q, X, gamma=1 / (1.7**2 * (2 if halved else 1)))
    assert_allclose(expected, peer, rtol=0, atol=1e-13)


@pytest.mark.parametrize("d", [2, 40])
@pytest.mark.parametrize("span", [1.0, 1e5])
def test_a_product_with_the_kernel_needs_no_matrix(
    d: int, span: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, Q = span * cloud(0, n=50, d=d)[0], span * cloud(0, n=20, d=d)[0]
    B = np.random.default_rng(0).normal(size=(50, 3))
    monkeypatch.setattr("sslviz.kernels.gram.KERNEL_BLOCK", 300)  # several blocks
    expected = rbf(Q, X, 1.7, True) @ B
    assert_allclose(kernel_product(Q, X, B, sigma=1.7, halved=True), expected, atol=1e-12)


@pytest.mark.parametrize("d", [2, 40])
def test_the_matrix_is_symmetric_with_ones(d: int) -> None:
    X = np.vstack([cloud(0, n=50, d=d)[0]] * 2) + 1e4  # every point twice, far from the origin
    K = gram(X, sigma=1.0)
    assert_array_equal(K, K.T)
    assert_array_equal(np.diag(K), 1)
    assert_allclose(K[np.arange(50), np.arange(50, 100)], 1, rtol=0, atol=1e-9)
    assert_array_equal(gram(np.array([[0.0] * d, [1e200] * d])), np.eye(2))  # beyond their squares


def test_centring_is_hkh_and_the_spectrum_rebuilds_the_matrix() -> None:
    K = rbf(*[cloud(0)[0]] * 2, 1.0, True)
    assert_allclose(centred(K), about_mean(K), rtol=0, atol=1e-14)
    mu, V = spectrum(K)
    assert_allclose((V * mu) @ V.T, K, rtol=0, atol=1e-13)
    assert (np.diff(mu) <= 0).all() and (mu >= 0).all()
    assert (V[np.abs(V).argmax(axis=0), np.arange(V.shape[1])] > 0).all()  # the sign is fixed


@pytest.mark.parametrize("n", [80, 400])
def test_the_leading_part_is_that_of_the_whole(n: int) -> None:
    K = about_mean(rbf(*[cloud(0, n=n)[0]] * 2, 1.0, True))
    mu, V = spectrum(K)
    some, vectors = leading_spectrum(K, count=4)
    assert_allclose(some, mu[:4], rtol=1e-10)
    assert_allclose(vectors, V[:, :4], rtol=0, atol=1e-8)


def test_a_rule_is_measured_once_for_all_factors() -> None:
    X, y = cloud(0)
    memo = Memo()
    widths = [kernel_width(f"{factor} median", X, y, memo) for factor in (0.5, 1, 2)]
    assert_allclose(widths, widths[1] * np.array([0.5, 1, 2]))
    assert [stage.reused for stage in memo.log] == [False, True, True]
    assert kernel_width(0.3, X, y) == 0.3


def test_too_many_points_are_refused_before_any_work() -> None:
    with pytest.raises(ValueError, match="SSDR: n=20001 points need a kernel matrix of 3 GB"):
        check_size("SSDR", 20_001)
    with pytest.raises(ValueError, match="n=20001"):
        SSDR().fit(np.arange(20_001.0)[:, None], np.arange(20_001) % 2)


def test_an_unknown_kernel_is_named() -> None:
    with pytest.raises(ValueError, match="kernel='cubic' is not one of rbf, linear"):
        gram(np.eye(3), kernel="cubic")
