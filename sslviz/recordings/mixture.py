"""The steps of EM of a Gaussian mixture, recorded while they are taken."""

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from sslviz.content_hash import digest
from sslviz.recordings.frames import Frames, frame_count
from sslviz.recordings.run import Run

LAST_FRAME = 300  # frames are spaced geometrically up to this step
NUMBERS_KEPT = 10**7  # posteriors in all frames together
FRAMES_KEPT = (6, 24)


class MixtureRecording(NamedTuple):
    """Some steps of EM; means and covariances have the dimensions of the map."""

    objective: np.ndarray  # of every step
    iterations: np.ndarray  # (t,) the steps kept, the last among them
    F: np.ndarray  # (t, n, C) posteriors
    means: np.ndarray  # (t, C, 2)
    covariances: np.ndarray  # (t, C, 2, 2)
    scores: np.ndarray  # (t, m, C) log p(x, c) at the places


class MixtureRun(Run):
    """EM from the supervised classifier, which is there at once, to convergence.

    `places` (m, 2) are where scores are wanted, for data with two features. With more features a
    component is drawn on the map by the mean and covariance there of the points, weighted by their
    posteriors.
    """

    def __init__(
        self,
        model: Any,
        X: np.ndarray,
        y: np.ndarray,
        points: np.ndarray,
        places: np.ndarray | None,
    ):
        self._plane, self._points, self._places = X.shape[1] == 2, points, places
        self._objective: list[float] = []
        self._computed: dict[int, tuple[np.ndarray, ...]] = {}  # by iteration
        steps, begun = model.steps(X, y), perf_counter()
        first = next(steps)
        self._frames = Frames(frame_count(first.F.numel(), NUMBERS_KEPT, *FRAMES_KEPT), LAST_FRAME)
        super().__init__(steps)
        self.take(first)
        self.taken, self.seconds = 1, perf_counter() - begun

    def take(self, step: Any | None) -> None:
        if step is None:
            return
        if not self._plane:  # large covariances are not drawn, and would fill the memory
            step = step._replace(means=None, covariances=None)
        self._objective.append(step.objective)
        self._frames.add(step.iteration, step)

    def recording(self) -> MixtureRecording:
        """The steps taken so far."""
        kept, known = self._frames.frames, self._computed
        frames = {s.iteration: known.get(s.iteration) or self._frame(s) for s in kept}
        self._computed = frames
        parts = (np.stack(part) for part in zip(*frames.values(), strict=True))
        objective = np.array(self._objective[: kept[-1].iteration])
        return MixtureRecording(objective, np.array(list(frames)), *parts)

    def _frame(self, step: Any) -> tuple[np.ndarray, ...]:
        """F, means, covariances and scores of a step."""
        from sslviz.device import to_numpy

        F, weights = to_numpy(step.F).astype(np.float32), to_numpy(step.weights)
        if self._plane:
            means, covariances = to_numpy(step.means), to_numpy(step.covariances)
        else:
            means, covariances = _moments(self._points, F.astype(np.float64))
        if self._places is None:
            return F, means, covariances, np.empty((0, F.shape[1]), np.float32)
        return F, means, covariances, _log_joint(self._places, means, covariances, weights)

    def status(self) -> str:
        count = self._frames.iterations[-1]
        steps = f"{count} step{'' if count == 1 else 's'}"
        if self.done:
            return f"EM converged after {steps}, {self.seconds:.1f} s."
        return f"**Running:** {steps} of EM so far."


def mixture_key(
    model: Any, X: np.ndarray, y: np.ndarray, points: np.ndarray, places: np.ndarray | None
) -> str:
    """The name of a run: equal problems share one."""
    parameters = {k: v for k, v in model.get_params(deep=False).items() if k != "memory"}
    return digest("mixture", parameters, X, y, points, places)


def _moments(points: np.ndarray, F: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means (C, p) and covariances (C, p, p) of points weighted by the columns of F (n, C)."""
    weight = np.maximum(F.sum(axis=0), np.finfo(float).tiny)
    means = F.T @ points / weight[:, None]
    Z = points[None] - means[:, None]
    return means, np.einsum("nc,cni,cnj->cij", F, Z, Z) / weight[:, None, None]


def _log_joint(
    Q: np.ndarray, means: np.ndarray, covariances: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """(m, C) log π_c N(q; μ_c, Σ_c) up to a constant."""
    Z = Q[None] - means[:, None]  # (C, m, 2)
    squares = np.einsum("cmi,cij,cmj->mc", Z, np.linalg.inv(covariances), Z)
    found = np.log(weights) - 0.5 * np.linalg.slogdet(covariances)[1] - 0.5 * squares
    return found.astype(np.float32)
