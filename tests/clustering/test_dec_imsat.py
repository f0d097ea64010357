"""The two deep baselines: their losses by hand, and sets that they must solve."""

from typing import Any

import numpy as np
import pytest
import torch
from scipy.special import rel_entr, softmax
from sklearn.datasets import make_blobs

from sslviz import clustering_accuracy, data
from sslviz.clustering.dec import (
    DEC,
    ClusterObjective,
    Codes,
    ReconstructionObjective,
    encoded,
    target,
)
from sslviz.clustering.imsat import IMSAT, InformationLesson
from sslviz.clustering.sedc import SEDC
from sslviz.clustering.stages.training import EPOCH


@pytest.fixture(scope="module")
def blobs() -> tuple[np.ndarray, np.ndarray]:
    return make_blobs(300, centers=[[0, 0], [6, 0], [0, 6]], cluster_std=0.5, random_state=0)


def test_information_terms_by_hand(blobs: tuple) -> None:
    X = data.load("three_rings", n_samples=120, random_state=0).X
    course = IMSAT(3, hidden=(32, 32), random_state=0).course(X)
    course.advance(30)
    lesson = course.lesson
    assert isinstance(lesson, InformationLesson)
    p = softmax(lesson.answer().logits(torch.tensor(X)).numpy(), axis=1)  # all points
    _, conditional, marginal = (term.item() for term in lesson.terms(30))
    shares = p.mean(axis=0)
    np.testing.assert_allclose(marginal, -(shares * np.log(shares)).sum(), rtol=1e-5)
    np.testing.assert_allclose(conditional, -(p * np.log(p)).sum(axis=1).mean(), rtol=1e-4)
    assert 0 <= marginal - conditional <= np.log(3)  # a mutual information
    assert lesson.weights == (1.0, 0.1, -0.4)


def test_imsat_finds_clusters_of_one_size(blobs: tuple) -> None:
    X, y = blobs
    model = IMSAT(3, hidden=(32, 32), epochs=4, random_state=1).fit(X)
    assert clustering_accuracy(y, model.labels_) > 0.99
    np.testing.assert_allclose(model.losses_[-1, 2], np.log(3), atol=0.02)


def test_the_kernel_and_the_target_by_hand() -> None:
    rng = np.random.default_rng(0)
    X, centres = rng.normal(size=(40, 3)), rng.normal(size=(5, 2))
    Z, *encoder = encoded(X, sizes=(3, 8, 2), epochs=0, seed=0, device="cpu")
    shared: dict[str, Any] = {"sizes": (3, 8, 2), "tol": 0.0, "seed": 0, "device": "cpu"}
    lesson = ClusterObjective(X, tuple(encoder), centres, **shared)
    q = 1 / (1 + ((Z[:, None] - centres) ** 2).sum(axis=2))
    q /= q.sum(axis=1, keepdims=True)
    p = q**2 / q.sum(axis=0)
    p /= p.sum(axis=1, keepdims=True)
    found = lesson.answer().probabilities(torch.tensor(X)).numpy()
    np.testing.assert_allclose(found, q, rtol=1e-5)
    np.testing.assert_allclose(target(torch.tensor(q)).numpy(), p, rtol=1e-12)
    np.testing.assert_allclose(  # 40 points are one batch
        lesson.terms(0)[0].item(), rel_entr(p, q).sum(axis=1).mean(), rtol=1e-4
    )
    assert (p.argmax(axis=1) == (q / np.sqrt(q.sum(axis=0))).argmax(axis=1)).all()


def test_an_equal_answer_and_a_sure_one_are_their_own_targets() -> None:
    for Q in (torch.full((6, 3), 1 / 3), torch.eye(3).repeat(2, 1)):
        torch.testing.assert_close(target(Q), Q)


def test_the_autoencoder_learns_to_rebuild() -> None:
    errors = np.empty((2, 3))
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(200, 2)) @ rng.normal(size=(2, 8))  # a plane in 8 dimensions
        for at, epochs in enumerate((0, 5)):
            Z, *encoder = encoded(X, sizes=(8, 32, 2), epochs=epochs, seed=seed, device="cpu")
            assert Z.shape == (200, 2)
            assert [a.shape for a in encoder] == [(32, 8), (32,), (2, 32), (2,)]
            linear = np.c_[Z, np.ones(200)]
            fit = np.linalg.lstsq(linear, X, rcond=None)[0]
            errors[at, seed] = np.square(linear @ fit - X).sum() / np.square(X).sum()
    before, after = np.median(errors, axis=1)
    assert after < 0.2 and after < before
    one = ReconstructionObjective(X, sizes=(8, 32, 2), seed=0, device="cpu").answer()
    assert isinstance(one, Codes) and (one.probabilities(torch.tensor(X)) == 1).all()


def test_dec_finds_blobs_and_stops_when_no_label_changes(blobs: tuple) -> None:
    X, y = blobs
    model = DEC(3, hidden=(16,), n_codes=2, epochs=10, random_state=0).fit(X)
    assert clustering_accuracy(y, model.labels_) > 0.99
    assert 2 <= len(model.losses_) < 10
    assert model.codes_.shape == (300, 2) and model.centres_.shape == (3, 2)
    D = np.square(model.codes_[:, None] - model.centres_).sum(axis=2)
    np.testing.assert_array_equal(D.argmin(axis=1), model.labels_)
    steps = list(model.steps(X))
    assert len(steps) == len(model.losses_) and steps[-1].course.lesson.still


def test_the_target_is_taken_anew_every_epoch(blobs: tuple) -> None:
    course = DEC(3, hidden=(16,), n_codes=2, epochs=1, random_state=0).course(blobs[0])
    seen = []
    for iterations in (1, EPOCH - 1, 1):
        course.advance(iterations)
        seen.append(course.state()["target"])
    assert np.array_equal(seen[0], seen[1]) and not np.array_equal(seen[1], seen[2])


@pytest.mark.parametrize("Method", [SEDC, IMSAT, DEC])
def test_where_the_origin_lies_does_not_matter(Method: type, blobs: tuple) -> None:
    X, y = blobs
    options = {"n_hubs": 60} if Method is SEDC else {}
    model = Method(3, hidden=(16,), epochs=4, random_state=0, **options)
    far = np.column_stack([X + 1e3, np.full(len(X), 2020.0)])
    assert clustering_accuracy(y, model.fit(far).labels_) > 0.95
    np.testing.assert_array_equal(model.predict(far), model.labels_)
