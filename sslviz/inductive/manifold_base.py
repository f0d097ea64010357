"""Fields that bend along the graph: what LapRLS and LapSVM share, and where they part.

Both penalise the norm of f and its changes along the edges, which is the norm in the space of the
bent kernel (manifold.py); what is left is a plain method on the labelled points.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from sslviz.graph.parameters import Neighbours
from sslviz.inductive.base import KernelClassifier, signs
from sslviz.inductive.parameters import Ambient, Intrinsic, Kernel, KernelWidth
from sslviz.kernels.deformed import Manifold, manifold
from sslviz.validation import check_labelled, clip_to_available


class ManifoldRegularised(KernelClassifier, ABC):
    """A method says by `_learn` what it does with the features Φ (l, p) of the labelled points."""

    unlabelled_off: ClassVar[dict[str, Any]] = {"lam2": 0.0}
    _spectra = 2

    def __init__(
        self,
        kernel: Kernel = "rbf",
        sigma: KernelWidth = "median",
        lam1: Ambient = 1e-4,
        lam2: Intrinsic = 1000.0,
        n_neighbors: Neighbours = 6,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.kernel = kernel
        self.sigma = sigma
        self.lam1 = lam1
        self.lam2 = lam2
        self.n_neighbors = n_neighbors
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> Self:
        """Bend the kernel along the graph, then learn from the labelled points."""
        X, target, classes = check_labelled(self, X, y)
        self.n_neighbors_ = clip_to_available(self, "n_neighbors", len(X) - 1)
        bent = manifold(
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
        lam1, rho = bent.prices(self.lam1, self.lam2)
        Y = signs(target[given], len(classes))
        c, alpha, b = self._learn(bent.features(given, rho), Y, lam1)
        F, weights = bent.field(c, rho), bent.weights(c, rho)
        F += b
        self._note(given, alpha, Y, F)
        if bent.line is None:
            spread = np.zeros_like(F)
            spread[given] = alpha
            coef = bent.coefficients(spread, F - b, rho)
            coef, F = self._sharpened(coef, F, bent, given, Y, lam1, rho)
        else:  # the smallest of many that give the same field
            coef, b = bent.line.back @ weights, b - bent.line.centre @ weights
        if len(classes) == 2:
            coef, b, F = coef[:, 0], b[0], F[:, 0]
            weights = None if weights is None else weights[:, 0]
        self._settle(X, target, classes, bent.sigma, coef, b, F, weights)
        return self

    @abstractmethod
    def _learn(
        self, Phi: np.ndarray, Y: np.ndarray, lam1: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """c = Φᵀα (p, C), α (l, C) and the bias (C,) for targets ±1 Y (l, C)."""

    def _sharpened(
        self,
        coef: np.ndarray,
        F: np.ndarray,
        bent: Manifold,
        given: np.ndarray,
        Y: np.ndarray,
        lam1: float,
        rho: float,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and scores (n, C), with more digits where the method knows how."""
        return coef, F

    def _note(self, given: np.ndarray, alpha: np.ndarray, Y: np.ndarray, F: np.ndarray) -> None:
        """Leave what else the method tells; F (n, C) are the scores."""
