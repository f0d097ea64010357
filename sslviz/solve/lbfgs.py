"""A few steps of L-BFGS, or many: scipy leads, the function is computed where its tensors live.

Byrd, Lu, Nocedal, Zhu. A limited memory algorithm for bound constrained optimization. SIAM J.
Scientific Computing 1995.
"""

from collections.abc import Callable

import numpy as np
import torch
from scipy.optimize import minimize

from sslviz.device import one_thread, to_numpy, to_torch

Valued = tuple[torch.Tensor, torch.Tensor]  # a number, and the gradient in the shape of its point


def descend(
    function: Callable[[torch.Tensor], Valued], start: torch.Tensor, *, max_iter: int
) -> torch.Tensor:
    """The point after `max_iter` steps, or fewer once nothing is gained; never above `start`."""
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
    if not found.fun < values[0]:  # a search that gained nothing, or met what is not a number
        return start
    return to_torch(found.x.reshape(start.shape), start.device)
