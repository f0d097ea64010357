"""What dictionary methods offer."""

from typing import Any, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class LearnsInRounds(Protocol):
    """A dictionary method: rounds to be taken one at a time, each a model to look at."""

    def learning(self, X: Any, y: Any) -> Any: ...


@runtime_checkable
class ClassAtoms(Protocol):
    """Atoms that belong to classes: (atoms,) of `classes_`, -1 unused; ask fitted models only."""

    atom_classes_: np.ndarray


@runtime_checkable
class ClassReconstructions(Protocol):
    """A point as each class makes it: (C, d) partial reconstructions and (C,) residuals."""

    def class_reconstructions(self, sample: Any) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class PseudoLabels(Protocol):
    """Class probabilities (n, C) of unlabelled points, and whether they take part with them in the
    learning of atoms; ask fitted models only."""

    pseudo_labels_: np.ndarray
    pseudo_labels_teach: bool


@runtime_checkable
class Joins(Protocol):
    """Unlabelled points (n,) that were sure enough to join the labelled, and the classes they have
    joined with, -1 for all others; ask fitted models only."""

    joined_: np.ndarray
    joined_labels_: np.ndarray


@runtime_checkable
class IdealCodes(Protocol):
    """Codes are asked to be block-diagonal after the linear map `label_map_` (atoms, atoms): ideal
    codes are (n, atoms) of 0 and 1, NaN for unlabelled points; ask fitted models only."""

    labels_in_code: bool  # whether labelled points are coded with their labels in view
    label_map_: np.ndarray

    def ideal_codes(self) -> np.ndarray: ...


@runtime_checkable
class FeatureGraph(Protocol):
    """A graph of the features, such as pixels: (d, d) weights; ask fitted models only."""

    feature_graph_: Any


@runtime_checkable
class PointWeights(Protocol):
    """Weights (n,) of the points in the loss, small for outliers; ask fitted models only."""

    point_weights_: np.ndarray


@runtime_checkable
class ErrorVectors(Protocol):
    """Reconstruction errors (n, C) by the atoms of each class; ask fitted models only."""

    error_vectors_: np.ndarray


@runtime_checkable
class SelfRepresentation(Protocol):
    """Points as weighted sums of other points: (n, n) sparse weights; ask fitted models only."""

    self_representation_: Any


@runtime_checkable
class StopsEarly(Protocol):
    """Why learning stopped before its last round, a sentence; "" if it did not. (n, atoms) the
    codes in the objective, which may vanish."""

    stopped_because_: str
    learnt_codes_: np.ndarray


@runtime_checkable
class GroupNorms(Protocol):
    """Whole classes switch atoms off: (C + 1, atoms) norms of the coefficients that each class has
    for each atom, the last row of unlabelled points."""

    def group_norms(self) -> np.ndarray: ...


@runtime_checkable
class ActivePoints(Protocol):
    """Only points within the margins ±`margin` of the scores have an influence on learning."""

    margin: float


@runtime_checkable
class CodeGraph(Protocol):
    """A graph of the points along which codes should be alike, (n, n) weights and Laplacian, None
    without one; ask fitted models only."""

    weights_: Any
    laplacian_: Any

    def graph_meaning(self) -> str:
        """What a link means for the codes: a sentence."""
        ...


@runtime_checkable
class WarmStarts(Protocol):
    """Learning can continue from the last solution."""

    warm_start: bool
