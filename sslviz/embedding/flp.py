r"""Find a map of the points, and labels for them, in which the known labels follow from the others.

    H(A, Π) = ½ Σ_{i labelled} |π_i − Σ_j p_ij π_j|²,   p_ij ∝ exp(−|Aᵀx_i − Aᵀx_j|²),   p_ii = 0

Every labelled point listens to all others, near ones in the map y = Aᵀx most, and H says how badly
what it hears agrees with what it knows. Two half-steps take turns: the labels Π of the unlabelled
points move so that labelled ones hear the right thing (a convex problem), then the projection A
turns so that they listen to the right points. With all points labelled it is a relative of NCA.

**What to look for:** H only falls, but a small H is no proof of good labels. The paper calls itself
free of parameters, yet the size of A is a kernel width in disguise: move it. Let A grow freely from
a random start, *as printed*, and every labelled point soon listens to a single one: H vanishes,
nearly all unlabelled points lose their influence, keep a random label, and accuracy is chance. The
recipe starts from PCA, holds |A| fixed and moves the labels first. X is used as given: features of
different units should be brought to one scale before.

Ni, Yan, Kassim, Cheong. Learning by propagability. ICDM 2008.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

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
    Harmony,
    alternate,
    half_steps,
    harmonised,
    principal_directions,
)
from sslviz.embedding.stages.flp_objective import squares
from sslviz.graph.median_distance import middle_distances
from sslviz.labels import UNLABELLED
from sslviz.memo import stage
from sslviz.params import Choice, Number
from sslviz.validation import check_labelled, decode_argmax

BLOCK = 2**22  # distances held at once when new points are asked about
FAINT = 0.01  # a voice so much weaker than the loudest is not worth a line


class Start(NamedTuple):
    """What is known before the first half-step."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    A: np.ndarray  # (d, p)
    c: np.ndarray  # (n, C), π = softmax(c)


@stage("scale")
def scale(Y: np.ndarray) -> float:
    """The root of the median squared distance."""
    middle = middle_distances(Y)
    return float(np.linalg.norm(middle) / np.sqrt(len(middle)))


class FLP(ClassifierMixin, Embedding):
    """Learning by propagability: a linear map and soft labels from one objective.

    New points are mapped by A and hear all training points as a labelled point does: a soft nearest
    neighbour vote with weights exp(−|y − y_j|²). A y without -1 is the supervised case.

    Attributes: `components_` (p, d) Aᵀ, `embedding_` (n, p) X A, `label_distributions_` (n, C) Π,
    `classes_`, `transduction_` (-1: nothing has told this point any class from another),
    `harmony_` H at the start and after every half-step, `influence_` (n,) how much the labelled
    points hear of each point, Σ_i p_ij.
    """

    title, family = "Learning by propagability", "embedding"
    paper = "Ni, Yan, Kassim & Cheong, ICDM 2008"

    def __init__(
        self,
        n_components: Dimensions = None,
        width: Annotated[
            float,
            Number(
                "Median squared distance in the map, whose kernel has width 1: with a larger "
                "spread points hear only their nearest. Unused as printed.",
                valid=(0, np.inf),
                shown=(0.1, 100),
                log=True,
                above=True,
                label="spread of the map, the hidden kernel width",
            ),
        ] = 3.0,
        outer: Annotated[
            int,
            Number(
                "Turns of labels and projection.", valid=(1, 10**4), shown=(1, 30), label="turns"
            ),
        ] = 10,
        inner: Annotated[
            int,
            Number(
                "L-BFGS steps in each half of a turn. As printed, each half runs to its end.",
                valid=(1, 10**4),
                shown=(1, 30),
                label="steps in each half",
                advanced=True,
            ),
        ] = 3,
        mode: Annotated[
            str,
            Choice(
                "How the projection is learnt.",
                ("recipe", "printed", "fixed"),
                (
                    "from PCA, labels first, size of A held",
                    "from a random start, A first and free to grow",
                    "not at all: PCA, only labels move",
                ),
                label="projection",
            ),
        ] = "recipe",
        *,
        device: str = "auto",
        memory: Any = None,
        random_state: Any = None,
    ):
        self.n_components = n_components
        self.width = width
        self.outer = outer
        self.inner = inner
        self.mode = mode
        self.device = device
        self.memory = memory
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "FLP":
        """Take all half-steps; y holds -1 for unlabelled points."""
        start = self._prepare(X, y)
        found = check_memory(self.memory).cache(alternate)(
            start.X, start.target, start.A, start.c, **self._pace()
        )
        return self._finish(start, Harmony(*found))

    def steps(self, X: Any, y: Any) -> Iterator[HalfStep]:
        """One record per half-step; run to the end, it leaves `fit`'s result."""
        yield from (frame for frame in self.frames(X, y) if frame.iteration)

    def frames(self, X: Any, y: Any) -> Iterator[HalfStep]:
        """The same from the start on, which is iteration 0: to be watched as a film."""
        start = self._prepare(X, y)
        values = []
        for frame in half_steps(start.X, start.target, start.A, start.c, **self._pace()):
            values.append(frame.objective)
            yield frame
        self._finish(start, harmonised(frame, values))

    def _pace(self) -> dict[str, Any]:
        names = ("mode", "outer", "inner", "device")
        return {name: getattr(self, name) for name in names}

    def _prepare(self, X: Any, y: Any) -> Start:
        X, target, classes = check_labelled(self, X, y)
        X = X.astype(np.float64, copy=False)
        p = min(self.n_components or len(classes) - 1, *X.shape)
        warn_fewer_components(self, p, f"X of shape {X.shape} spans no more than {p}")
        if self.mode == "printed":
            chance = check_random_state(self.random_state)
            A, c = (chance.normal(size=s) for s in ((X.shape[1], p), (len(X), len(classes))))
            return Start(X, target, classes, A, c)
        cached = check_memory(self.memory).cache
        A = cached(principal_directions)(X)[:p].T
        spread = cached(scale)(X @ A)
        A = np.sqrt(self.width) / spread * A if spread > 0 else A
        return Start(X, target, classes, A, np.zeros((len(X), len(classes))))

    def _finish(self, start: Start, found: Harmony) -> "FLP":
        F, free = found.F, start.target < 0
        self._centre = start.X.mean(axis=0)
        self._Y = (start.X - self._centre) @ found.A
        self.classes_ = start.classes
        self.components_ = np.ascontiguousarray(found.A.T)
        self.label_distributions_, self.harmony_ = F, found.harmony
        self.influence_ = found.influence
        self.embedding_ = start.X @ found.A
        silent = free & (np.ptp(F, axis=1) == 0)  # still uniform: nobody has asked this point
        answer = decode_argmax(F, start.classes)
        self.transduction_ = np.where(silent, UNLABELLED, answer) if silent.any() else answer
        return self

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]:
        """The training points that `point` hears in the map, loudest first, and p_ij of each.

        Voices below a hundredth of the loudest are left out.
        """
        check_is_fitted(self, "components_")
        D = np.square(self._Y - self._Y[point]).sum(axis=1)
        D[point] = np.inf
        w = np.exp(D.min() - D)
        loud = np.flatnonzero(w >= FAINT)
        loud = loud[np.argsort(-w[loud], kind="stable")]
        return loud, w[loud] / w.sum()

    def transform(self, X: Any) -> np.ndarray:
        """(m, p) points of the map, X A."""
        return self._new_points(X).astype(np.float64, copy=False) @ self.components_.T

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) what new points hear of all training points; rows sum to 1."""
        Q = (self._new_points(X) - self._centre) @ self.components_.T
        device = pick_device(self.device)
        Q, Y, F = (to_torch(t, device) for t in (Q, self._Y, self.label_distributions_))
        blocks = Q.split(max(1, BLOCK // len(Y)))
        return np.vstack([to_numpy(torch.softmax(-squares(q, Y), dim=1) @ F) for q in blocks])

    def predict(self, X: Any) -> np.ndarray:
        """The class that each new point hears most of."""
        return decode_argmax(self.predict_proba(X), self.classes_)
