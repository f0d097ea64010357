r"""Every point as a few atoms, and a classifier that reads the recipe: no graph.

    J = ‖X − AD‖² + λ‖A‖₁ + γ Σ_jk P_jk^r ‖Q_jk ∘ (Wa_j + b − y(k))‖² + μ‖W, b‖²

    min J over codes A, atoms ‖d‖ ≤ 1, classifier W, b, opinions P;   Q_jk = [y(k) ∘ (Wa_j + b) < 1]

Atoms are learnt from all points, and an unlabelled point counts for every class with the weight the
classifier gives it. This is SSDL-GA with β = 0: each point is coded on its own, without a look at
its neighbours, so new points need no neighbours either.

**What to look for:** two near-equal points may use quite different atoms, since many codes
reconstruct almost as well, and the classifier sees only codes. Compare with SSDL-GA on the same
labels: what the graph adds is the difference between the two.

Wang, Guo, Li. Adaptively unified semi-supervised dictionary learning with active points. ICCV 2015.
"""

from typing import Any

import numpy as np
from sklearn.utils import Tags

from sslviz.dictionary import parameters as own
from sslviz.dictionary.ssdl_ga import SSDLGA
from sslviz.dictionary.stages.laplacians import Graph


class USSDL(SSDLGA):
    """Unified semi-supervised dictionary learning: SSDL-GA without the graph, β = 0.

    New points are coded by a plain lasso and read by the classifier. X is used as given.

    Attributes: `components_` (atoms, d) with norm ≤ 1, `codes_` (n, atoms), `coef_` (C, atoms),
    `intercept_` (C,), `pseudo_labels_` (n, C) the P of the last round, one-hot for labelled points,
    `objective_` after each round, `classes_`, `label_distributions_` (n, C) the P that follows from
    the last classifier, `transduction_`, `n_iter_`.
    """

    title = "USSDL"
    paper = "Wang, Guo & Li, ICCV 2015"
    beta = 0.0

    def __init__(
        self,
        n_atoms: own.Atoms = 200,
        lam: own.Sparsity = 0.3,
        gamma: own.Discrimination = 0.5,
        mu: own.Ridge = 1.0,
        r: own.Hesitation = 1.7,
        max_iter: own.Rounds = 15,
        inner: own.Inner = 50,
        batch_size: own.BatchSize = None,
        epochs: own.Epochs = 1,
        warm_start: own.WarmStart = False,
        *,
        device: str = "auto",
        memory: Any = None,
        random_state: Any = None,
    ):
        self.n_atoms = n_atoms
        self.lam = lam
        self.gamma = gamma
        self.mu = mu
        self.r = r
        self.max_iter = max_iter
        self.inner = inner
        self.batch_size = batch_size
        self.epochs = epochs
        self.warm_start = warm_start
        self.device = device
        self.memory = memory
        self.random_state = random_state

    def _graph(self, X: np.ndarray, target: np.ndarray) -> Graph | None:
        return None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # New points are coded without the labels that bent the trained codes. In two dimensions,
        # where scikit-learn looks, 200 atoms offer too many equally good codes for that.
        tags.classifier_tags.poor_score = True
        return tags
