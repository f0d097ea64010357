"""Manifold regularisation: the common part of LapRLS and LapSVM.

Both penalise the norm of f and its changes along the edges of the graph, which is the norm in the
space of the deformed kernel (kernels/deformed.py). With that kernel the problem is a plain one on
the labelled points: ridge regression, or a support vector machine.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from sslviz.graph.parameters import Neighbours
from sslviz.inductive.base import KernelClassifier, signs
from sslviz.inductive.parameters import GraphPenalty, Kernel, KernelWidth, NormPenalty
from sslviz.kernels.deformed import Manifold, manifold
from sslviz.validation import check_labelled, clip_to_available


@dataclass(repr=False, eq=False)
class ManifoldRegularised(KernelClassifier, ABC):
    """A method defines by `_learn` what it does with the features Φ (l, p) of labelled points."""

    unlabelled_off: ClassVar[dict[str, Any]] = {"lam2": 0.0}
    _spectra = 2

    kernel: Kernel = "rbf"
    sigma: KernelWidth = "median"
    lam1: NormPenalty = 1e-4
    lam2: GraphPenalty = 1000.0
    n_neighbors: Neighbours = 6

    def fit(self, X: Any, y: Any) -> Self:
        """Deform the kernel by the graph, then learn from the labelled points."""
        X, target, classes = check_labelled(self, X, y)
        self.n_neighbors_ = clip_to_available(self, "n_neighbors", len(X) - 1)
        space = manifold(
            type(self).__name__,
            X,
            target,
            kernel=self.kernel,
            sigma=self.sigma,
            k=self.n_neighbors_,
            memory=self.memory,
            device=self.device,
        )
        given = np.flatnonzero(target >= 0)
        lam1, rho = space.penalties(self.lam1, self.lam2)
        Y = signs(target[given], len(classes))
        c, alpha, b = self._learn(space.features(given, rho), Y, lam1)
        F, weights = space.field(c, rho), space.weights(c, rho)
        F += b
        self._set_margins(given, alpha, Y, F)
        if space.linear is None:
            spread = np.zeros_like(F)
            spread[given] = alpha
            coef = space.coefficients(spread, F - b, rho)
            coef, F = self._refine(coef, F, space, given, Y, lam1, rho)
        else:  # the smallest of many coefficients of the same function
            coef, b = space.linear.pseudo_inverse @ weights, b - space.linear.centre @ weights
        if len(classes) == 2:
            coef, b, F = coef[:, 0], b[0], F[:, 0]
            weights = None if weights is None else weights[:, 0]
        self._set_fitted(X, target, classes, space.sigma, coef, b, F, weights)
        return self

    @abstractmethod
    def _learn(
        self, Phi: np.ndarray, Y: np.ndarray, lam1: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """c = Φᵀα (p, C), α (l, C) and the bias (C,) for targets ±1 Y (l, C)."""

    def _refine(
        self,
        coef: np.ndarray,
        F: np.ndarray,
        space: Manifold,
        given: np.ndarray,
        Y: np.ndarray,
        lam1: float,
        rho: float,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and scores (n, C), more accurate where the method knows how."""
        return coef, F

    def _set_margins(
        self, given: np.ndarray, alpha: np.ndarray, Y: np.ndarray, F: np.ndarray
    ) -> None:
        """Set further fitted attributes; F (n, C) are the scores."""
