"""The sweeps of label propagation and label spreading, recorded for the player under the map."""

from typing import Any, NamedTuple

import numpy as np

import sslviz
from sslviz.device import to_numpy
from sslviz.memo import stage
from sslviz.recordings.frames import Frames, frame_count

LAST_SWEEP = 256  # later sweeps change too little to be seen; the last frame is the limit
NUMBERS_KEPT = 4_000_000  # probabilities, in all frames together
FRAME_LIMITS = (8, 20)  # at least and at most


class SweepRecording(NamedTuple):
    """Some of the sweeps before the limit."""

    iterations: np.ndarray  # (t,)
    change: np.ndarray  # (t,) the largest change of a probability in the sweep
    F: np.ndarray  # (t, n, C)


@stage("sweeps")
def record_sweeps(
    method: str, parameters: dict[str, Any], X: np.ndarray, y: np.ndarray, *, memory: Any = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The fields of a SweepRecording. A stage: method and parameters are its key, and `memory` is
    that of the fit, so that neighbours and weights are not computed a second time."""
    model = getattr(sslviz, method)(**parameters, memory=memory)
    n_classes = len(np.unique(y[y >= 0]))
    kept = Frames(
        frame_count(len(X) * n_classes, NUMBERS_KEPT, *FRAME_LIMITS), LAST_SWEEP, newest=False
    )
    for sweep in model.steps(X, y):
        kept.add(sweep.iteration, sweep)
        if sweep.iteration >= LAST_SWEEP:
            break
    return (
        np.array(kept.iterations),
        np.array([sweep.change for sweep in kept.frames]),
        np.stack([to_numpy(sweep.F) for sweep in kept.frames]).astype(np.float32),
    )
