"""Base class of the dictionary methods whose atoms belong to classes.

A new point is coded, and given to the class whose atoms leave the least residual ‖x − a_c D_c‖².
Class probabilities are softmax(−25 residual/s), s the mean ‖x‖² of the trained points: those of
softmax(−residual) for images of length 5, and the same in any other unit. (For points of length 1
softmax(−residual) itself would give the best of ten classes at most 23%.)

A method sets `components_`, `codes_` and the class of each atom by `_keep_atoms`.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import softmax
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from sslviz.dictionary.base import CheckedInput, DictionaryClassifier, Reconstruction
from sslviz.dictionary.stages.class_blocks import class_residuals, share_out
from sslviz.labels import UNLABELLED
from sslviz.solve.dictionary_learning import sparse_codes

USUAL_SQUARE = 25.0  # ‖x‖² of a point of length 5
MIN_SQUARE = 1e-280  # mean ‖x‖² of points that are zero but for rounding


@dataclass(repr=False, eq=False)
class ClassDictionary(DictionaryClassifier):
    """Base of the methods that compare residuals.

    Attributes beside those of the family: `atom_classes_` (atoms,) the class of each atom, -1 for
    an unused one.
    """

    def _keep_atoms(
        self, problem: CheckedInput, D: np.ndarray, A: np.ndarray, atom_class: np.ndarray
    ) -> None:
        """Keep atoms and codes A: of all points, or of the labelled ones; others are coded anew."""
        self.components_, self._atom_class = D, atom_class
        square = float(np.square(problem.X).sum(axis=1).mean())
        self._sharpness = USUAL_SQUARE / square if square > MIN_SQUARE else 1.0
        names, unused = self.classes_[atom_class], atom_class < 0
        if unused.any():
            names = names.astype(object) if names.dtype.kind not in "iuf" else names
            names = np.where(unused, UNLABELLED, names)
        self.atom_classes_ = names
        if len(A) < len(problem.X):
            given, rows = problem.target >= 0, A
            A = np.empty((len(problem.X), len(D)))
            A[given], A[~given] = rows, self._code(problem.X[~given])
        self.codes_ = A
        if not A.any():
            name = type(self).__name__
            text = f"{name}: all codes are zero; scale X up or choose a smaller sparsity penalty"
            warnings.warn(text, UserWarning, stacklevel=5)

    def _code(self, Q: np.ndarray) -> np.ndarray:
        return sparse_codes(Q, self.components_, self.lam)

    def _residuals(self, X: np.ndarray, A: np.ndarray) -> np.ndarray:
        """(m, C) what the atoms of each class leave of each point."""
        return class_residuals(X, A, self.components_, self._atom_class, len(self.classes_))

    def _scores(self, X: np.ndarray, A: np.ndarray) -> np.ndarray:
        return -self._residuals(X, A)

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        return softmax(self._sharpness * scores, axis=1)

    def atom_weights(self) -> np.ndarray:
        """(C, atoms) the mean absolute coefficient of each atom, in the row of its class."""
        check_is_fitted(self, "codes_")
        use = np.abs(self.codes_).mean(axis=0)
        return use * (self._atom_class == np.arange(len(self.classes_))[:, None])

    def class_reconstructions(self, sample: int | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A trained point (an index) or a new one (a vector) as each class makes it.

        (C, d) partial reconstructions a_c D_c and (C,) residuals; the least is the prediction.
        """
        check_is_fitted(self, "codes_")
        x, code = self._sample(sample)
        own = self._atom_class == np.arange(len(self.classes_))[:, None]
        return (own * code) @ self.components_, -self._scores(x[None], code[None])[0]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Atoms are lines through the origin: scikit-learn tests the score on clusters of the plane.
        tags.classifier_tags.poor_score = True
        return tags


@dataclass(repr=False, eq=False)
class SeparateCodes(ClassDictionary):
    """Base of the methods that may code a point by the atoms of each class alone.

    Then only the part of a code that belongs to the class with the least residual counts.
    """

    def reconstruct(self, sample: int | np.ndarray) -> Reconstruction:
        """The code of a point that counts, and what it makes."""
        found = super().reconstruct(sample)
        if not self._coded_apart():
            return found
        made, residual = self.class_reconstructions(sample)
        best = int(residual.argmin())
        code = np.where(self._atom_class == best, found.code, 0)
        error = float(np.square(self._sample(sample)[0] - made[best]).sum())
        return found._replace(code=code, reconstruction=made[best], error=error)

    def counted_codes(self) -> np.ndarray:
        """(n, atoms) the codes of the trained points by the class with the least residual."""
        if not self._coded_apart():
            return super().counted_codes()
        best = self.training_scores().argmax(axis=1)
        return self.codes_ * (self._atom_class == best[:, None])

    def _coded_apart(self) -> bool:
        return True


def block_sizes(estimator: Any, target: np.ndarray, n_classes: int) -> np.ndarray:
    """(C,) atoms of each class: `n_atoms` shared out evenly, at most one per labelled point."""
    room = np.bincount(target[target >= 0], minlength=n_classes)
    name, total = type(estimator).__name__, estimator.n_atoms
    if total < n_classes:
        raise ValueError(
            f"{name}: n_atoms={total} is less than one for each of the {n_classes} classes"
        )
    if total > room.sum():
        warnings.warn(
            f"{name}: n_atoms={total} but there are {room.sum()} labelled points to start from; "
            f"taking {room.sum()}, one per labelled point",
            UserWarning,
            stacklevel=5,
        )
    return share_out(total, room)
