"""Warm-up: libraries are imported and kernels are compiled before a page needs them.

    python -m sslviz.ui.warm_up

compiles every kernel; `make` does it when the environment is set up. The compiled kernels are then
read from disk. A server imports what its pages import before it answers the first visitor.
Compiling would block the interpreter of the server: if kernels are missing, another process
compiles them in the background.
"""

import gc
import hashlib
import os
import platform
import subprocess
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import walk_packages
from shutil import which
from typing import Any

import sslviz
from sslviz.abilities import Continuation, Steps


def import_pages() -> None:
    """Import every module of the pages, and with them torch, scikit-learn and plotly's parts.

    That is most of the time of a first visit: four seconds of a core.
    """
    from sslviz import ui

    for module in walk_packages(ui.__path__, "sslviz.ui."):
        import_module(module.name)
    rehearse()


def rehearse() -> None:
    """Draw and pack a small figure of each kind: plotly imports its parts when they are used."""
    import plotly.graph_objects as go

    from sslviz.figures.frames import set_frames
    from sslviz.ui.components.figure_message import pack

    for kind in (go.Scattergl, go.Scatter, go.Scatter3d, go.Heatmap, go.Contour, go.Bar):
        fig = go.Figure(kind()).update_layout(margin={"t": 8}, showlegend=False)
        fig.update_xaxes(title="x").update_yaxes(title="y")
        set_frames(fig, [{"name": "0", "traces": [0], "data": [{"type": fig.data[0].type}]}])
        pack({}, fig)


def is_uncompiled() -> bool:
    """Whether kernels may have to be compiled: never compiled here, or changed since."""
    return not (_stamp_folder() / f"kernels-{kernels_signature()}").exists()


def kernels_signature() -> str:
    """A word for the kernels as they are: numba keeps compiled code for the same source file, time
    of change, processor and version."""
    root = Path(sslviz.__file__).parent
    state = hashlib.blake2b(digest_size=12)
    state.update(f"{version('numba')} {sys.version} {platform.machine()}".encode())
    for path in sorted(root.rglob("*.py")):
        text = path.read_bytes()
        if b"numba" in text:
            state.update(f"{path.relative_to(root)} {path.stat().st_mtime_ns} {text!r}".encode())
    return state.hexdigest()


def _stamp_folder() -> Path:
    """Where numba keeps the kernels: beside the sources, or in a folder of its own."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else Path(sslviz.__file__).parent / "__pycache__"


def warm(uncompiled: bool) -> None:
    """Warm up this process; if kernels are missing, another process compiles them first."""
    if uncompiled:
        command = [sys.executable, "-m", "sslviz.ui.warm_up"]
        subprocess.run(command, cwd=Path(sslviz.__file__).parents[1], capture_output=True)
    fit_every_method()
    gc.collect()
    gc.freeze()  # later collections skip the million objects of the libraries


def compile_in_background() -> None:
    """Let another process compile the kernels if some may be missing, at low priority."""
    if is_uncompiled():
        command = [sys.executable, "-m", __name__]
        root, nowhere = Path(sslviz.__file__).parents[1], subprocess.DEVNULL
        subprocess.Popen(
            ["nice", *command] if which("nice") else command,
            cwd=root,
            stdout=nowhere,
            stderr=nowhere,
        )


def compile_kernels() -> None:
    """Compile every kernel that numba can keep, and note that all are there."""
    signature = kernels_signature()  # of the sources that are compiled, not of later ones
    fit_every_method()
    draw_map()
    _stamp_folder().mkdir(parents=True, exist_ok=True)
    for old in _stamp_folder().glob("kernels-*"):
        old.unlink()
    (_stamp_folder() / f"kernels-{signature}").touch()


def draw_map() -> None:
    """Compute a map with UMAP."""
    from sslviz import data
    from sslviz.data.layout import umap_layout

    umap_layout(data.load("two_moons", n_samples=100).X)


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
    compile_kernels()
