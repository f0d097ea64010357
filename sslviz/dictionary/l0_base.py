"""Base class of the methods with at most T atoms per code: unit points, coded by OMP."""

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.dictionary.base import CheckedInput, DictionaryClassifier, clip_atoms
from sslviz.dictionary.stages.consistent_labels import LabelWeights, first_labelled_atoms
from sslviz.dictionary.stages.l0_rounds import (
    ideal_code_matrix,
    indicator,
    score_probabilities,
    unit_rows,
)
from sslviz.solve.omp import omp
from sslviz.validation import decode_argmax


@dataclass(repr=False, eq=False)
class L0Dictionary(DictionaryClassifier):
    """Points are scaled to length 1; new ones are coded by OMP on the atoms, without labels.

    Of the trained points, labelled ones keep the codes that were learnt, and unlabelled ones get
    those of `transform`. There are at most as many atoms as labelled points.
    """

    if TYPE_CHECKING:  # each method declares it; a field here would be the first argument of all
        n_nonzero: int

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        return unit_rows(X)

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        return score_probabilities(scores)

    def _code(self, Q: np.ndarray) -> np.ndarray:
        return omp(Q, self.components_, self.n_nonzero)

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        self.components_, A, self.coef_ = learnt[:3]
        self._target, hidden = problem.target, problem.target < 0
        self.codes_ = A.copy()
        self.codes_[hidden] = self._code(problem.X[hidden])

    def _start(self, target: np.ndarray) -> tuple[int, int]:
        """The number of atoms, at most that of labelled points, and a seed."""
        count = clip_atoms(self, int((target >= 0).sum()), "labelled points")
        if self.n_nonzero > self.n_atoms:
            warnings.warn(
                f"{type(self).__name__}: n_nonzero={self.n_nonzero} but there are {self.n_atoms} "
                f"atoms; taking {self.n_atoms}",
                UserWarning,
                stacklevel=6,
            )
        return count, int(self._generator().randint(2**31))

    def _name_atoms(self, weights: np.ndarray) -> np.ndarray:
        """(atoms,) the class of the largest weight (C, atoms); -1 if no labelled code uses it."""
        used = self.codes_[self._target >= 0].any(axis=0)
        return decode_argmax(np.where(used, weights, 0).T, self.classes_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Points of length 1 differ in direction only: in the plane, where scikit-learn tests the
        # score, classes share their directions.
        tags.classifier_tags.poor_score = True
        return tags


class IdealCodeBlocks:
    """A method whose atoms were given to classes, `_owner`, and whose ideal codes follow."""

    _owner: np.ndarray  # (atoms,) class index, -1 without class
    _target: np.ndarray

    def ideal_codes(self) -> np.ndarray:
        """(n, atoms) 1 where a labelled point and an atom have the same class; else 0, or NaN."""
        check_is_fitted(self, "codes_")
        Q = ideal_code_matrix(self._target, self._owner)
        Q[self._target < 0] = np.nan
        return Q


@dataclass(repr=False, eq=False)
class ConsistentDictionary(IdealCodeBlocks, L0Dictionary):
    """A method with ideal codes, a classifier and unlabelled points: OSSDL, LC-RLSDLA."""

    def _checked(
        self, X: np.ndarray, target: np.ndarray, classes: np.ndarray, **extra: Any
    ) -> CheckedInput:
        count, seed = self._start(target)
        start, A = check_memory(self.memory).cache(first_labelled_atoms)(
            X, target, count, self.n_nonzero, self.mu, seed
        )
        weights = LabelWeights(*(getattr(self, name) for name in LabelWeights._fields))
        arguments = {"start": start, "n_nonzero": self.n_nonzero, "weights": weights}
        arguments |= {"max_iter": self.max_iter, "seed": seed, **extra}
        begin = start.D, A, start.maps.W, start.maps.U
        return CheckedInput(X, target, classes, arguments, begin)

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        super()._keep(problem, *learnt)
        self._owner, self.label_map_ = problem.arguments["start"].owner, learnt[3]
        self.atom_classes_ = self._name_atoms(indicator(self._owner, len(self.classes_)).T)
