"""Iterations of a method, thinned for the player under the figure."""

from typing import Any

import numpy as np

import sslviz
from sslviz.device import to_numpy
from sslviz.memo import stage

LAST_SWEEP = 256  # later ones change too little to be seen; the limit follows them
BUDGET = 4_000_000  # opinions kept in all frames together


@stage("sweeps")
def record_sweeps(
    method: str, parameters: dict[str, Any], X: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sweep numbers (t,), the largest move in each (t,) and opinions (t, n, C), evenly in log time.

    A stage: the method is named and built here, so that its parameters are the key.
    """
    model = getattr(sslviz, method)(**parameters)
    classes = len(np.unique(y[y >= 0]))
    most = int(np.clip(BUDGET // (len(X) * classes), 8, 20))
    wanted = {int(v) for v in np.rint(np.geomspace(1, LAST_SWEEP, most))}
    kept = [s for s in _until(model.steps(X, y), LAST_SWEEP) if s.iteration in wanted]
    opinions = np.stack([to_numpy(s.F) for s in kept]).astype(np.float32)
    return (
        np.array([s.iteration for s in kept]),
        np.array([s.change for s in kept]),
        opinions,
    )


def _until(steps: Any, last: int) -> Any:
    for step in steps:
        yield step
        if step.iteration >= last:
            return
