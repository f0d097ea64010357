"""L-BFGS by scipy, for functions that compute value and gradient on tensors of any device.

Byrd, Lu, Nocedal, Zhu. A limited memory algorithm for bound constrained optimization. SIAM J.
Scientific Computing 1995.
"""

from collections.abc import Callable

import numpy as np
import torch
from scipy.optimize import minimize

from sslviz.device import one_thread, to_numpy, to_torch

ValueAndGradient = tuple[torch.Tensor, torch.Tensor]  # a number, a gradient of the point's shape


def descend(
    function: Callable[[torch.Tensor], ValueAndGradient], start: torch.Tensor, *, max_iter: int
) -> torch.Tensor:
    """The point after at most `max_iter` steps; its value is never above that of the start."""
    values: list[float] = []

    def flat(x: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = function(to_torch(x.reshape(start.shape), start.device))
        values.append(float(value))
        return values[-1], to_numpy(gradient).ravel()

    options = {"maxiter": max_iter, "maxfun": 20 * max_iter, "ftol": 1e-13, "gtol": 1e-9}
    with one_thread():
        found = minimize(
            flat, to_numpy(start).ravel(), jac=True, method="L-BFGS-B", options=options
        )
    if not found.fun < values[0]:  # no improvement, or NaN
        return start
    return to_torch(found.x.reshape(start.shape), start.device)
