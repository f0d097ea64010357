"""Warm-up: torch is imported and the kernels are compiled before a page needs them.

    python -m sslviz.ui.warm_up

On a new machine the kernels take most of a minute to compile, once. Compiling would block the
interpreter of the server, so a separate process does it; the compiled kernels are then read from
disk.
"""

import gc
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sslviz
from sslviz.abilities import Continuation, Steps


def is_uncompiled() -> bool:
    """Whether nothing is compiled yet."""
    return next(Path(sslviz.__file__).parent.rglob("*.nbi"), None) is None


def warm(uncompiled: bool) -> None:
    """Warm up this process; if nothing is compiled yet, another process compiles first."""
    if uncompiled:
        command = [sys.executable, "-m", "sslviz.ui.warm_up"]
        subprocess.run(command, cwd=Path(sslviz.__file__).parents[1], capture_output=True)
    fit_every_method()
    gc.collect()
    gc.freeze()  # later collections skip the million objects of the libraries


def fit_forkable_methods() -> None:
    """Fit the methods after which a process can be forked: torch's derivatives may use threads."""
    fit_every_method(but=("network", "clustering"))


def fit_every_method(but: tuple[str, ...] = ()) -> None:
    """Fit every method to a few points; `but` names families that are left out."""
    from sslviz import data, labels

    moons = data.load("two_moons", n_samples=100)
    y = labels.hide(moons.y, per_class=2, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some methods warn about so few points
        chosen = (Method for Method in sslviz.METHODS if Method.family not in but)
        for model in (model for Method in chosen for model in _variants(Method)):
            if model.family != "inductive" and isinstance(model, Steps):
                next(model.steps(moons.X, y), None)  # later steps call the same kernels
            else:
                model.fit(moons.X, y)


def _variants(Method: Any) -> Iterator[Any]:
    """A method with its defaults, and with a linear kernel where that has its own solver."""
    yield Method(device="cpu")
    if issubclass(Method, Continuation):
        yield Method(kernel="linear", device="cpu")


if __name__ == "__main__":
    fit_every_method()
