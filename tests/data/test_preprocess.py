"""Preprocessing steps, named by words, do what their names say."""

import numpy as np

from sslviz import data
from sslviz.data.preprocess import prepared


def test_steps_follow_one_another():
    X = data.load("digits").X
    found = prepared(X, ("pixels", "pca 8", "length 5"))
    centred = X / X.max() - (X / X.max()).mean(axis=0)
    expected = centred @ np.linalg.svd(centred, full_matrices=False)[2][:8].T
    expected *= 5 / np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-8)


def test_rare_words_weigh_more():
    counts = np.array([[2.0, 0, 1], [0, 0, 3], [1, 1, 1]])
    expected = counts * (np.log((1 + 3) / (1 + np.array([2, 1, 3]))) + 1)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(prepared(counts, ("tfidf",)), expected, rtol=1e-12)
