"""Data sets by name: synthetic, built in, in files, or from OpenML.

    data.load("two_moons", n_samples=500, noise=0.1)
    data.load("digits", n_samples=1000)

Names and synthetic sets need numpy and scipy only; a result is not remembered here.
"""

from collections.abc import Callable
from typing import Any

from sslviz.data import npz_files
from sslviz.data.builtin import BUILT_IN
from sslviz.data.dataset import Dataset
from sslviz.data.subsample import options_up_to, subsample
from sslviz.data.synthetic import GENERATORS
from sslviz.data.synthetic import about as _first_sentence
from sslviz.params import Param, params_of

__all__ = ["Dataset", "about", "here", "knobs", "load", "names"]


def names() -> list[str]:
    """Every set that can be had without asking OpenML: synthetic, built in, then files."""
    known = [*GENERATORS, *BUILT_IN]
    return known + [name for name in npz_files.names() if name not in known]


def here(name: str) -> bool:
    """Whether OpenML need not be asked for this set; also a visitor's own, which no list names."""
    return name in names() or npz_files.path_of(name) is not None


def load(name: str, *, progress: Callable[[str], None] | None = None, **options: Any) -> Dataset:
    """The set called `name`; `options` are the ones `knobs(name)` lists.

    A name that is neither built in nor in a file is looked up on OpenML and kept in a file;
    `progress` is told what happens meanwhile.
    """
    npz_files.check_name(name)
    if not here(name):
        from sslviz.data import openml

        _check(name, options)
        openml.download(name, progress)
    _check(name, options)
    if name in GENERATORS:
        return GENERATORS[name](**options)
    if name in BUILT_IN:
        return subsample(BUILT_IN[name].read(name, BUILT_IN[name].about), **options)
    path = npz_files.path_of(name)
    if path is None:
        raise ValueError(f"data: the file of {name!r} is no longer in {npz_files.folder()}")
    return subsample(npz_files.read(path), **options)


def knobs(name: str) -> tuple[Param, ...]:
    """The options of a set, as declared: name, default, range, help."""
    if npz_files.check_name(name) in GENERATORS:
        return params_of(GENERATORS[name])
    size = _size(name)
    return params_of(subsample) if size is None else options_up_to(size)


def about(name: str) -> str:
    """What a set is, in a sentence or two, without reading it."""
    if npz_files.check_name(name) in GENERATORS:
        return _first_sentence(GENERATORS[name])
    if name in BUILT_IN:
        return BUILT_IN[name].about
    path = npz_files.path_of(name)
    if path is None:
        return f"Not here yet: {name} will be looked up on OpenML."
    return npz_files.describe(path, npz_files.shape(path))


def _check(name: str, options: dict[str, Any]) -> None:
    """ValueError for an option the set does not have, or a value outside its domain."""
    declared = {p.name: p for p in knobs(name)}
    for option, value in options.items():
        if option not in declared:
            raise ValueError(f"{name}: no option {option!r}; there are {', '.join(declared)}")
        if not declared[option].accepts(value):
            domain = declared[option].spec.domain
            raise ValueError(f"{name}: {option}={value!r} is not in {domain}")


def _size(name: str) -> int | None:
    """Number of points of a set that exists; None for one still at OpenML."""
    if name in BUILT_IN:
        return BUILT_IN[name].n_samples
    path = npz_files.path_of(name)
    return npz_files.shape(path)[0] if path else None
