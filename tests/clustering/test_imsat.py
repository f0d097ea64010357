"""IMSAT: the terms of its loss by hand, and a set that it must solve."""

import numpy as np
import torch
from clustering.oracles import three_blobs
from scipy.special import softmax

from sslviz import clustering_accuracy, data
from sslviz.clustering.imsat import IMSAT, InformationObjective


def test_entropies_by_hand() -> None:
    X = data.load("three_rings", n_samples=120, random_state=0).X
    run = IMSAT(3, hidden=(32, 32), random_state=0).training(X)
    run.advance(30)
    objective = run.objective
    assert isinstance(objective, InformationObjective)
    p = softmax(objective.predictor().logits(torch.tensor(X)).numpy(), axis=1)  # one batch
    _, conditional, marginal = (term.item() for term in objective.terms(30))
    shares = p.mean(axis=0)
    np.testing.assert_allclose(marginal, -(shares * np.log(shares)).sum(), rtol=1e-5)
    np.testing.assert_allclose(conditional, -(p * np.log(p)).sum(axis=1).mean(), rtol=1e-4)
    assert 0 <= marginal - conditional <= np.log(3)  # a mutual information
    assert objective.weights == (1.0, 0.1, -0.4)


def test_it_finds_clusters_of_equal_size() -> None:
    X, y = three_blobs()
    model = IMSAT(3, hidden=(32, 32), epochs=4, random_state=1).fit(X)
    assert clustering_accuracy(y, model.labels_) > 0.99
    np.testing.assert_allclose(model.losses_[-1, 2], np.log(3), atol=0.02)
