r"""Learning by propagability: features and labels that make known labels predictable.

    H(A, Π) = ½ Σ_{i labelled} |π_i − Σ_j p_ij π_j|²,   p_ij ∝ exp(−|Aᵀx_i − Aᵀx_j|²),   p_ii = 0

The label distribution of every labelled point is predicted by a weighted mean over all other
points, near ones in the embedding y = Aᵀx weighted most; H is the squared error of these
predictions. Two half-steps alternate: the labels Π of the unlabelled points change to lower H (a
convex problem), then the projection A does. With all points labelled it is a relative of NCA.

**What to look for:** H only falls, but a small H does not imply good labels. The paper claims to
have no parameters, yet the size of A acts as a kernel width: change it. Let A grow freely from a
random start, *as printed*, and the prediction of every labelled point soon depends on a single
neighbour: H vanishes, nearly all unlabelled points have no influence and keep a random label, and
accuracy is that of guessing. The recipe starts from PCA, holds |A| fixed and changes the labels
first. X is used as given: bring features of different units to one scale first.

Ni, Yan, Kassim, Cheong. Learning by propagability. ICDM 2008.
"""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, NamedTuple, Self

import numpy as np
import torch
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.embedding.base import Embedding, warn_fewer_components
from sslviz.embedding.parameters import Dimensions
from sslviz.embedding.stages.flp_alternation import (
    HalfStep,
    Solution,
    alternate,
    half_steps,
    principal_directions,
    solution,
)
from sslviz.embedding.stages.flp_objective import squared_distances
from sslviz.graph.median_distance import middle_distances
from sslviz.labels import UNLABELLED
from sslviz.memo import stage
from sslviz.params import Choice, Number
from sslviz.validation import check_labelled, decode_argmax

DISTANCE_BLOCK = 2**22  # distances held at once when new points are predicted
MIN_LINK = 0.01  # links below this share of the strongest are left out


class FLPStart(NamedTuple):
    """The problem and the initial values, before the first half-step."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    A: np.ndarray  # (d, p)
    c: np.ndarray  # (n, C), π = softmax(c)


@stage("scale")
def root_median_square(Y: np.ndarray) -> float:
    """The root of the median squared distance."""
    middle = middle_distances(Y)
    return float(np.linalg.norm(middle) / np.sqrt(len(middle)))


@dataclass(repr=False, eq=False)
class FLP(ClassifierMixin, Embedding):
    """Feature extraction by learning by propagability: a projection and soft labels together.

    New points are projected by A and predicted as labelled points are: the mean of all label
    distributions with weights exp(−|y − y_j|²). A y without -1 is the supervised case.

    Attributes: `components_` (p, d) Aᵀ, `embedding_` (n, p) X A, `label_distributions_` (n, C) Π,
    `classes_`, `transduction_` (-1: the point's distribution is still uniform), `harmony_` H at
    the start and after every half-step, `influence_` (n,) the weight of each point in the
    predictions of the labelled points, Σ_i p_ij.
    """

    title, abbreviation = "Learning by propagability", "FLP"
    paper = "Ni, Yan, Kassim & Cheong, ICDM 2008"
    formula = (
        r"H(A,\Pi)=\tfrac12\sum_{i\text{ labelled}}\bigl\|\textcolor{labelled}{\pi_i}-"
        r"\sum_jp_{ij}\,\textcolor{unlabelled}{\pi_j}\bigr\|^2",
        r"p_{ij}\propto e^{-\|A^\top x_i-A^\top x_j\|^2},\;p_{ii}=0",
        r"A\in\mathbb R^{d\times p}",
    )
    page = "flp"

    n_components: Dimensions = None
    width: Annotated[
        float,
        Number(
            "Median squared distance in the embedding, where the kernel has width 1. Small: all "
            "points influence each label. Large: only the nearest do. Unused as printed.",
            valid=(0, np.inf),
            shown=(0.1, 100),
            log=True,
            above=True,
            label="spread of the embedding (hidden kernel width)",
        ),
    ] = 3.0
    outer: Annotated[
        int,
        Number(
            "Alternations of labels and projection.",
            valid=(1, 10**4),
            shown=(1, 30),
            label="alternations",
        ),
    ] = 10
    inner: Annotated[
        int,
        Number(
            "L-BFGS steps in each half-step. As printed, each half-step runs to convergence.",
            valid=(1, 10**4),
            shown=(1, 30),
            label="steps in each half-step",
            advanced=True,
        ),
    ] = 3
    mode: Annotated[
        str,
        Choice(
            "How the projection is learnt.",
            ("recipe", "printed", "fixed"),
            (
                "from PCA, labels first, |A| fixed",
                "from a random start, A first and free to grow",
                "not at all: PCA, only labels change",
            ),
            label="projection",
            titles=("learnt", "as printed", "fixed"),
        ),
    ] = "recipe"
    _: KW_ONLY
    random_state: Any = None

    def fit(self, X: Any, y: Any) -> Self:
        """Run all half-steps; y holds -1 for unlabelled points."""
        start = self._prepare(X, y)
        found = check_memory(self.memory).cache(alternate)(
            start.X, start.target, start.A, start.c, **self._schedule()
        )
        return self._finish(start, Solution(*found))

    def steps(self, X: Any, y: Any) -> Iterator[HalfStep]:
        """One record per half-step; run to the end, it leaves the result of `fit`."""
        yield from (frame for frame in self.frames(X, y) if frame.iteration)

    def frames(self, X: Any, y: Any) -> Iterator[HalfStep]:
        """One record per half-step, with the start before them as iteration 0."""
        start = self._prepare(X, y)
        values = []
        for frame in half_steps(start.X, start.target, start.A, start.c, **self._schedule()):
            values.append(frame.objective)
            yield frame
        self._finish(start, solution(frame, values))

    def _schedule(self) -> dict[str, Any]:
        names = ("mode", "outer", "inner", "device")
        return {name: getattr(self, name) for name in names}

    def _prepare(self, X: Any, y: Any) -> FLPStart:
        X, target, classes = check_labelled(self, X, y)
        X = X.astype(np.float64, copy=False)
        p = min(self.n_components or len(classes) - 1, *X.shape)
        warn_fewer_components(self, p, f"X of shape {X.shape} spans no more than {p}")
        if self.mode == "printed":
            chance = check_random_state(self.random_state)
            A, c = (chance.normal(size=s) for s in ((X.shape[1], p), (len(X), len(classes))))
            return FLPStart(X, target, classes, A, c)
        cached = check_memory(self.memory).cache
        A = cached(principal_directions)(X)[:p].T
        spread = cached(root_median_square)(X @ A)
        A = np.sqrt(self.width) / spread * A if spread > 0 else A
        return FLPStart(X, target, classes, A, np.zeros((len(X), len(classes))))

    def _finish(self, start: FLPStart, found: Solution) -> Self:
        F, free = found.F, start.target < 0
        self._centre = start.X.mean(axis=0)
        self._Y = (start.X - self._centre) @ found.A
        self.classes_ = start.classes
        self.components_ = np.ascontiguousarray(found.A.T)
        self.label_distributions_, self.harmony_ = F, found.harmony
        self.influence_ = found.influence
        self.embedding_ = start.X @ found.A
        uniform = free & (np.ptp(F, axis=1) == 0)  # never changed: H does not depend on it
        answer = decode_argmax(F, start.classes)
        self.transduction_ = np.where(uniform, UNLABELLED, answer) if uniform.any() else answer
        return self

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]:
        """The training points that predict `point`, largest weight first, and p_ij of each.

        Weights below a hundredth of the largest are left out.
        """
        check_is_fitted(self, "components_")
        D = np.square(self._Y - self._Y[point]).sum(axis=1)
        D[point] = np.inf
        w = np.exp(D.min() - D)
        kept = np.flatnonzero(w >= MIN_LINK)
        kept = kept[np.argsort(-w[kept], kind="stable")]
        return kept, w[kept] / w.sum()

    def transform(self, X: Any) -> np.ndarray:
        """(m, p) coordinates X A."""
        return self._new_points(X).astype(np.float64, copy=False) @ self.components_.T

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) weighted means of the training points' label distributions; rows sum to 1."""
        Q = (self._new_points(X) - self._centre) @ self.components_.T
        device = pick_device(self.device)
        Q, Y, F = (to_torch(t, device) for t in (Q, self._Y, self.label_distributions_))
        blocks = Q.split(max(1, DISTANCE_BLOCK // len(Y)))
        predicted = (torch.softmax(-squared_distances(q, Y), dim=1) @ F for q in blocks)
        return np.vstack([to_numpy(p) for p in predicted])

    def predict(self, X: Any) -> np.ndarray:
        """The class of largest probability of each new point."""
        return decode_argmax(self.predict_proba(X), self.classes_)
