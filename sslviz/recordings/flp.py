"""The half-steps of FLP, recorded: coordinates, predicted labels and influence of every point.

Influence is Σ_i p_ij over the labelled points i, in units of the equal share: 1 is the mean. Below
`NO_INFLUENCE` a point changes nothing in H, and its label is arbitrary.
"""

from typing import Any, NamedTuple

import numpy as np

from sslviz.device import to_numpy
from sslviz.embedding.flp import FLP
from sslviz.embedding.stages.flp_alternation import HalfStep
from sslviz.embedding.stages.linear_projection import sign_of_first_large
from sslviz.labels import UNLABELLED
from sslviz.memo import stage
from sslviz.recordings.frames import frame_count
from sslviz.validation import decode_argmax

POINTS_KEPT = 120_000  # points in all frames together
NO_INFLUENCE = 0.01  # of the equal share


class FLPRecording(NamedTuple):
    """T steps, the start among them, of which k are kept as frames."""

    harmony: np.ndarray  # (T,) the objective H
    halves: tuple[str, ...]  # T: what the step has changed, "" at the start
    predictions: np.ndarray  # (T, n) class, -1 undetermined
    influence: np.ndarray  # (T, n) in units of the equal share
    kept: np.ndarray  # (k,) the steps that have frames, the first and the last among them
    Z: np.ndarray  # (k, n, p) coordinates, the widest directions first
    reach: np.ndarray  # (k,) 1/|A|: the kernel width relative to the projection
    F: np.ndarray  # (k, n, C) label distributions, zero where undetermined
    A: np.ndarray  # (2, d, p) projection at the start and at the end, rotated like Z

    @property
    def places(self) -> np.ndarray:
        """(k, n, p) coordinates scaled to |A| = 1."""
        return self.Z * self.reach[:, None, None]

    def neighbours(
        self, frame: int, point: int, most: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The `most` points, or all, with the largest weight p_ij for `point` in a frame.

        Weights below a hundredth of the largest are left out.
        """
        D = np.square(self.Z[frame] - self.Z[frame, point], dtype=np.float64).sum(axis=1)
        D[point] = np.inf
        weight = np.exp(D.min() - D)
        near = np.argsort(-weight, kind="stable")[:most]
        near = near[weight[near] >= NO_INFLUENCE]
        return near, weight[near] / weight.sum()

    def accuracy(self, truth: np.ndarray, among: np.ndarray) -> np.ndarray:
        """(T,) accuracy on the points of a mask; nan if it is empty."""
        return _shares(self.predictions[:, among] == truth[among])

    def influential(self, among: np.ndarray) -> np.ndarray:
        """(T,) share of the points of a mask that have an influence."""
        return _shares(self.influence[:, among] >= NO_INFLUENCE)


@stage("half-steps")
def record_flp(
    X: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    parameters: dict[str, Any],
    *,
    memory: Any = None,
) -> tuple:
    """The fields of an FLPRecording. A stage: the parameters are its key."""
    model = FLP(**parameters, memory=memory)
    frames = list(model.frames(X, y))
    kept = np.unique(
        np.rint(
            np.linspace(
                0,
                len(frames) - 1,
                frame_count(len(X), POINTS_KEPT, min(4, len(frames)), len(frames)),
            )
        )
    )
    kept = kept.astype(np.int64)
    centred = np.asarray(X, np.float64) - X.mean(axis=0, dtype=np.float64)
    turn = _widest_first(centred @ to_numpy(frames[-1].A))
    A = np.stack([to_numpy(f.A) @ turn for f in frames])
    shown = [_label_shares(f, y, model.classes_, n_classes) for f in frames]
    fair = max(1, int((y != UNLABELLED).sum())) / len(X)
    return tuple(
        FLPRecording(
            np.array([f.objective for f in frames]),
            tuple(f.half for f in frames),
            np.stack([decode_argmax(F, np.arange(n_classes)) for F in shown]).astype(np.int16),
            np.stack([to_numpy(f.influence) for f in frames]).astype(np.float32) / fair,
            kept,
            np.stack([centred @ A[t] for t in kept]).astype(np.float32),
            1 / np.maximum(np.linalg.norm(A[kept], axis=(1, 2)), np.finfo(float).tiny),
            np.stack([shown[t] for t in kept]).astype(np.float32),
            A[[0, -1]],
        )
    )


def _label_shares(
    frame: HalfStep, y: np.ndarray, classes: np.ndarray, n_classes: int
) -> np.ndarray:
    """(n, C) label distributions; zero where all classes are equally probable."""
    F = to_numpy(frame.F)
    undetermined = (y == UNLABELLED) & (np.ptp(F, axis=1) == 0)
    shares = np.zeros((len(y), n_classes))  # a class may have no point
    shares[:, classes] = np.where(undetermined[:, None], 0, F)
    return shares


def _widest_first(Z: np.ndarray) -> np.ndarray:
    """(p, p) the rotation that puts the widest directions first; none for a plane or a line.

    H does not change under rotations, so the axes have no meaning; the widest are drawn.
    """
    p = Z.shape[1]
    if p <= 2:
        return np.eye(p)
    V = np.linalg.eigh(Z.T @ Z).eigenvectors[:, ::-1]
    return V * sign_of_first_large(V)


def _shares(masks: np.ndarray) -> np.ndarray:
    return masks.mean(axis=1) if masks.shape[1] else np.full(len(masks), np.nan)
