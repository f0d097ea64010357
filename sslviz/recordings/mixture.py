"""The way of a Gaussian mixture to its answer, filmed while it takes its steps."""

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from sslviz.content_hash import digest
from sslviz.recordings.run import Run

FRAMES, FEWEST = 24, 6
NUMBERS = 10**7  # opinions of all frames together: a film of more points has fewer of them
FARTHEST = 300  # steps are looked at evenly in log time up to here


class MixtureRecording(NamedTuple):
    """Some steps of a mixture; means and covariances are as wide as the map."""

    objective: np.ndarray  # of every step
    iterations: np.ndarray  # (t,) the steps kept, the last among them
    F: np.ndarray  # (t, n, C) opinions
    means: np.ndarray  # (t, C, 2)
    covariances: np.ndarray  # (t, C, 2, 2)
    scores: np.ndarray  # (t, m, C) log p(x, c) at the places


class MixtureRun(Run):
    """A SemiSupervisedGMM on its way from the supervised answer to its own.

    `places` (m, 2) is where the field is asked, for data of two features. Of more features a cloud
    is drawn as the points it holds lie on the map: their weighted mean and covariance there.
    """

    def __init__(
        self,
        model: Any,
        X: np.ndarray,
        y: np.ndarray,
        points: np.ndarray,
        places: np.ndarray | None,
    ):
        self._flat, self._points, self._places = X.shape[1] == 2, points, places
        self._objective: list[float] = []
        self._kept: tuple[Any, ...] = ()
        self._developed: dict[int, tuple[np.ndarray, ...]] = {}
        steps, begun = model.steps(X, y), perf_counter()
        first = next(steps)
        count = np.clip(NUMBERS // first.F.numel(), FEWEST, FRAMES)
        self._wanted = {int(v) for v in np.rint(np.geomspace(1, FARTHEST, count))}
        super().__init__(steps)
        self.take(first)
        self.seconds = perf_counter() - begun

    def take(self, step: Any | None) -> None:
        if step is None:
            return
        if not self._flat:  # covariances of many features are not drawn, and would fill the memory
            step = step._replace(means=None, covariances=None)
        before = self._kept
        if before and before[-1].iteration not in self._wanted:
            before = before[:-1]  # it was the last until now
        self._objective.append(step.objective)
        self._kept = (*before, step)

    def film(self) -> MixtureRecording:
        """As far as it has come."""
        kept, known = self._kept, self._developed
        developed = {s.iteration: known.get(s.iteration) or self._develop(s) for s in kept}
        self._developed = developed
        parts = (np.stack(part) for part in zip(*developed.values(), strict=True))
        objective = np.array(self._objective[: kept[-1].iteration])
        return MixtureRecording(objective, np.array(list(developed)), *parts)

    def _develop(self, step: Any) -> tuple[np.ndarray, ...]:
        """F, means, covariances and scores of a frame."""
        from sslviz.device import to_numpy

        F, weights = to_numpy(step.F).astype(np.float32), to_numpy(step.weights)
        if self._flat:
            means, covariances = to_numpy(step.means), to_numpy(step.covariances)
        else:
            means, covariances = _moments(self._points, F.astype(np.float64))
        if self._places is None:
            return F, means, covariances, np.empty((0, F.shape[1]), np.float32)
        return F, means, covariances, _log_joint(self._places, means, covariances, weights)

    def status(self) -> str:
        """How many steps were taken."""
        count = self._kept[-1].iteration
        steps = f"{count} step{'' if count == 1 else 's'}"
        if self.done:
            return f"Expectation and maximisation took {steps}, {self.seconds:.1f} s."
        return f"**On its way:** {steps} of expectation and maximisation so far."


def mixture_key(
    model: Any, X: np.ndarray, y: np.ndarray, points: np.ndarray, places: np.ndarray | None
) -> str:
    """The name of the run of this model: equal problems share one."""
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
