"""The half-steps of FLP as a film: where every point is, what it says, and who hears it.

A point's voice is its influence in units of the fair share, the same for all: with a voice of 1 it
is heard as much as the mean, below `FAINT` nobody hears it any more and its label is free to be
anything.
"""

from typing import Any, NamedTuple

import numpy as np

from sslviz.device import to_numpy
from sslviz.embedding.flp import FLP
from sslviz.embedding.stages.flp_alternation import HalfStep
from sslviz.embedding.stages.linear_projection import sign_of_first_large
from sslviz.labels import UNLABELLED
from sslviz.memo import stage
from sslviz.validation import decode_argmax

BUDGET = 120_000  # points in all frames together
FAINT = 0.01  # a voice nobody hears


class FLPRecording(NamedTuple):
    """T steps, the start among them, of which k are kept as frames."""

    harmony: np.ndarray  # (T,) H
    halves: tuple[str, ...]  # T: what has moved, nothing at the start
    answers: np.ndarray  # (T, n) class, -1 where nothing is said
    voices: np.ndarray  # (T, n) influence in units of the fair share
    kept: np.ndarray  # (k,) the steps that have frames, the first and the last among them
    Z: np.ndarray  # (k, n, p) the map, its widest directions first
    reach: np.ndarray  # (k,) 1/|A|: the kernel's width, as a share of the map's size
    F: np.ndarray  # (k, n, C) label distributions, zero where nothing is said
    A: np.ndarray  # (2, d, p) projection at the start and at the end, turned like Z

    @property
    def places(self) -> np.ndarray:
        """(k, n, p) maps brought to one size, |A| = 1: what grows in them is their detail."""
        return self.Z * self.reach[:, None, None]

    def hears(self, frame: int, point: int, most: int | None = None) -> tuple[np.ndarray, ...]:
        """The `most` points, or all, that `point` hears loudest in a frame, and p_ij of each.

        Voices below a hundredth of the loudest are left out.
        """
        D = np.square(self.Z[frame] - self.Z[frame, point], dtype=np.float64).sum(axis=1)
        D[point] = np.inf
        weight = np.exp(D.min() - D)
        loud = np.argsort(-weight, kind="stable")[:most]
        loud = loud[weight[loud] >= FAINT]
        return loud, weight[loud] / weight.sum()

    def found(self, truth: np.ndarray, among: np.ndarray) -> np.ndarray:
        """(T,) share of right answers among the points of a mask; nan if it is empty."""
        return _shares(self.answers[:, among] == truth[among])

    def heard(self, among: np.ndarray) -> np.ndarray:
        """(T,) share of the points of a mask that somebody hears."""
        return _shares(self.voices[:, among] >= FAINT)


@stage("half-steps")
def record_flp(X: np.ndarray, y: np.ndarray, n_classes: int, parameters: dict[str, Any]) -> tuple:
    """A `Film` of FLP with these parameters. A stage: the method is built here."""
    model = FLP(**parameters)
    frames = list(model.frames(X, y))
    kept = np.unique(np.rint(np.linspace(0, len(frames) - 1, _most(len(X), len(frames)))))
    kept = kept.astype(np.int64)
    centred = np.asarray(X, np.float64) - X.mean(axis=0, dtype=np.float64)
    turn = _widest_first(centred @ to_numpy(frames[-1].A))
    A = np.stack([to_numpy(f.A) @ turn for f in frames])
    said = [_show_(f, y, model.classes_, n_classes) for f in frames]
    fair = max(1, int((y != UNLABELLED).sum())) / len(X)
    return tuple(
        FLPRecording(
            np.array([f.objective for f in frames]),
            tuple(f.half for f in frames),
            np.stack([decode_argmax(F, np.arange(n_classes)) for F in said]).astype(np.int16),
            np.stack([to_numpy(f.influence) for f in frames]).astype(np.float32) / fair,
            kept,
            np.stack([centred @ A[t] for t in kept]).astype(np.float32),
            1 / np.maximum(np.linalg.norm(A[kept], axis=(1, 2)), np.finfo(float).tiny),
            np.stack([said[t] for t in kept]).astype(np.float32),
            A[[0, -1]],
        )
    )


def _show_(frame: HalfStep, y: np.ndarray, classes: np.ndarray, n_classes: int) -> np.ndarray:
    """(n, C) what points say; nothing where nobody has told them one class from another."""
    F = to_numpy(frame.F)
    silent = (y == UNLABELLED) & (np.ptp(F, axis=1) == 0)
    said = np.zeros((len(y), n_classes))  # a class may have a name and no point
    said[:, classes] = np.where(silent[:, None], 0, F)
    return said


def _most(n: int, steps: int) -> int:
    return int(np.clip(BUDGET // n, min(4, steps), steps))


def _widest_first(Z: np.ndarray) -> np.ndarray:
    """(p, p) the turn that puts the widest directions of a map first; none of a plane or a line.

    H does not change when the map is turned, so its axes mean nothing: of many, some are drawn.
    """
    p = Z.shape[1]
    if p <= 2:
        return np.eye(p)
    V = np.linalg.eigh(Z.T @ Z).eigenvectors[:, ::-1]
    return V * sign_of_first_large(V)


def _shares(masks: np.ndarray) -> np.ndarray:
    return masks.mean(axis=1) if masks.shape[1] else np.full(len(masks), np.nan)
