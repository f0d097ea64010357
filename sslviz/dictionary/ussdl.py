r"""USSDL: learn atoms, sparse codes and a classifier of the codes; no graph.

    J = ‖X − AD‖² + λ‖A‖₁ + γ Σ_jk P_jk^r ‖Q_jk ∘ (Wa_j + b − y(k))‖² + μ‖W, b‖²

    min J over codes A, atoms ‖d‖ ≤ 1, classifier W, b, and P;   Q_jk = [y(k) ∘ (Wa_j + b) < 1]

Unified semi-supervised dictionary learning: atoms are learnt from all points, and an unlabelled
point counts for every class with its probability under the classifier. This is SSDL-GA with β = 0:
each point is coded on its own, without its neighbours, and so are new points.

**What to look for:** two nearly equal points may get quite different atoms, since many codes
reconstruct almost equally well, and the classifier uses the codes only. Compare with SSDL-GA on the
same labels: the difference is the effect of the graph.

Wang, Guo, Li. Adaptively unified semi-supervised dictionary learning with active points. ICCV 2015.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import Tags

from sslviz.dictionary.ssdl_ga import SSDLGA
from sslviz.dictionary.stages.laplacians import Graph


@dataclass(repr=False, eq=False)
class USSDL(SSDLGA):
    """Unified semi-supervised dictionary learning: SSDL-GA without the graph, β = 0.

    New points are coded by a plain lasso and then classified. X is used as given.

    Attributes: `components_` (atoms, d) with norm ≤ 1, `codes_` (n, atoms), `coef_` (C, atoms),
    `intercept_` (C,), `pseudo_labels_` (n, C) the P of the last round, one-hot for labelled points,
    `objective_` after each round, `classes_`, `label_distributions_` (n, C) the P that follows from
    the last classifier, `transduction_`, `n_iter_`.
    """

    title = "USSDL"
    paper = "Wang, Guo & Li, ICCV 2015"
    formula = (
        r"J=\textcolor{1}{\|X-AD\|^2}+\textcolor{2}{\lambda\|A\|_1}+\textcolor{4}{\gamma"
        r"\sum_{jc}P_{jc}^r\|Q_{jc}\circ(Wa_j+b-y(c))\|^2+\mu\|W,b\|^2}",
        r"D\in\mathbb R^{p\times d},\;\|d\|\le1",
        r"Q_{jc}=[\,y(c)\circ(Wa_j+b)<1\,]",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {}

    # Parameters of SSDL-GA that USSDL does not have: constants instead of fields.
    beta: ClassVar[float] = 0.0  # type: ignore[misc]
    n_neighbors: ClassVar[None] = None  # type: ignore[misc, assignment]
    laplacian: ClassVar[None] = None  # type: ignore[misc, assignment]
    sigma: ClassVar[None] = None  # type: ignore[misc, assignment]
    share: ClassVar[None] = None  # type: ignore[misc, assignment]
    spread: ClassVar[None] = None  # type: ignore[misc, assignment]
    plain_rounds: ClassVar[int] = 0  # type: ignore[misc]

    def _build_graph(self, X: np.ndarray, target: np.ndarray) -> Graph | None:
        return None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # New points are coded without the labels that shaped the trained codes. In two dimensions,
        # where scikit-learn tests the score, 200 atoms allow too many equally good codes.
        tags.classifier_tags.poor_score = True
        return tags
