"""Methods with their defaults but quick to fit, for tests of what every method promises."""

import random
from inspect import signature
from typing import Any

import numpy as np
import torch

EPOCHS = {"epochs": 1, "pretraining_epochs": 1}
FEW: dict[str, dict[str, Any]] = {
    "stream": {"capacity": 20},
    "dictionary": {"n_atoms": 40, "max_iter": 3},
    # Batches as small as this learn something in a few epochs.
    "network": {"epochs": 8, "hidden": (64, 32), "batch_size": 25, "noise": 0.1, "layout": "usps"},
}
ONCE = {"network": EPOCHS}  # for the slow second device


def made(Method: Any, **options: Any) -> Any:
    """A method, seeded, with few atoms, units, iterations and epochs."""
    taken = signature(Method).parameters
    usual = FEW.get(Method.family, EPOCHS) | {"random_state": 0} | options
    return Method(**{name: value for name, value in usual.items() if name in taken})


def global_random_states() -> tuple[Any, ...]:
    """Of Python, numpy and torch; nothing may seed them or draw from them."""
    return random.getstate(), str(np.random.get_state()), torch.get_rng_state().tolist()  # noqa: NPY002
