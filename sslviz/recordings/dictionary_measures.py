"""What is measured on dictionaries: classes of atoms, blocks of codes, graphs, baselines."""

import warnings
from typing import Any

import numpy as np
from scipy import sparse

import sslviz
from sslviz.memo import stage

NO_CLASS = -1  # an atom that no class uses
LEAST_WEIGHT = 0.02  # of the largest weight: an atom with less belongs to no class


def dominant_classes(W: np.ndarray) -> np.ndarray:
    """(atoms,) the class with the largest weight of each atom, by weights W (C, atoms)."""
    largest = W.max(axis=0)
    counts = largest > LEAST_WEIGHT * max(np.abs(W).max(), 1e-12)
    return np.where(counts, W.argmax(axis=0), NO_CLASS)


def relative_weights(W: np.ndarray) -> np.ndarray:
    """(atoms,) the largest |weight| of each atom, as a share of the largest of all."""
    largest = np.abs(W).max(axis=0)
    return np.asarray(largest / (largest.max() or 1.0))


def active_share(scores: np.ndarray, predicted: np.ndarray, margin: float = 1.0) -> float:
    """Share of all pairs of a point and a class that are on the wrong side of their margin."""
    side = np.where(predicted[:, None] == np.arange(scores.shape[1]), 1, -1)
    return float((side * scores < margin).mean())


def in_links(weights: Any, point: int) -> tuple[np.ndarray, np.ndarray]:
    """The points whose graph weights refer to this one, heaviest first; none without a graph.

    A point's neighbours are its row of the weights, its in-links are its column.
    """
    if weights is None:
        return np.empty(0, np.int64), np.empty(0)
    column = weights[:, [point]].tocoo()
    order = np.argsort(-np.abs(column.data), kind="stable")
    return column.row[order].astype(np.int64), column.data[order]


def unlike_neighbours(A: np.ndarray, L: Any) -> float:
    """tr(AᵀLA)/‖A‖²: how much codes differ from those of their neighbours."""
    return float((A * (L @ A)).sum() / (np.square(A).sum() or 1.0))


def roughness(D: np.ndarray, weights: Any) -> float:
    """tr(D L Dᵀ)/‖D‖², L the Laplacian of symmetric weights (d, d) between features."""
    degree = np.asarray(weights.sum(axis=1)).ravel()
    differences = np.square(D) @ degree - (D * (weights @ D.T).T).sum(axis=1)
    return float(differences.sum() / (np.square(D).sum() or 1.0))


def heaviest_edges(weights: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(e, 2) the heaviest edges of symmetric weights, each pair once, and (e,) their weights."""
    upper = sparse.triu(sparse.csr_array(weights), k=1).tocoo()
    heaviest = np.argsort(-upper.data, kind="stable")[:count]
    return np.column_stack([upper.row, upper.col])[heaviest], upper.data[heaviest]


def block_share(A: np.ndarray, target: np.ndarray, atom_classes: np.ndarray) -> float:
    """Share of ‖A‖₁ on atoms of the points' own classes; 0 where codes are empty."""
    size = np.abs(A)
    own = target[:, None] == atom_classes
    return float((size * own).sum() / (size.sum() or 1.0))


def first_plane(E: np.ndarray) -> np.ndarray:
    """(n, 2) coordinates of rows on their first two principal axes."""
    centred = E - E.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    plane = centred @ axes[:2].T
    return np.pad(plane, ((0, 0), (0, 2 - plane.shape[1])))


@stage("baselines")
def baseline_labels(name: str, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Labels by the method of this class name, with its default settings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # fewer labelled points than atoms
        return np.asarray(getattr(sslviz, name)().fit(X, y).transduction_)
