"""Code warmed up in advance: torch imported, kernels compiled, before anybody asks for them.

    python -m sslviz.ui.warm_up

On a new machine the kernels take most of a minute to compile, once. Compiling keeps the
interpreter busy, so that a process of its own does it and leaves the server to its visitors; what
it has compiled is on disk then, and is read from there.
"""

import gc
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sslviz


def is_uncompiled() -> bool:
    """Whether nothing is compiled yet."""
    return next(Path(sslviz.__file__).parent.rglob("*.nbi"), None) is None


def warm(cold: bool) -> None:
    """Warm this process, after another has compiled what is cold."""
    if cold:
        command = [sys.executable, "-m", "sslviz.ui.warm_up"]
        subprocess.run(command, cwd=Path(sslviz.__file__).parents[1], capture_output=True)
    fit_every_method()
    gc.collect()
    gc.freeze()  # libraries stay: later collections need not go through their million objects


def fit_every_method() -> None:
    """Let every method answer, on a few points."""
    from sslviz import data, labels

    moons = data.load("two_moons", n_samples=100)
    y = labels.hide(moons.y, per_class=2, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so few points are too few for some: nobody asked
        for model in (model for Method in sslviz.METHODS for model in _variants(Method)):
            if hasattr(model, "steps") and model.family != "inductive":
                next(model.steps(moons.X, y), None)  # the first one calls all that later ones do
            else:
                model.fit(moons.X, y)


def _variants(Method: Any) -> Iterator[Any]:
    """A method as it is, and with a linear kernel where that has solvers of its own."""
    yield Method(device="cpu")
    if Method.__name__ == "S3VM":
        yield Method(kernel="linear", device="cpu")


if __name__ == "__main__":
    fit_every_method()
