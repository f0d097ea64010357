"""Data sets by name: synthetic, built in, in files, or from OpenML.

    data.load("two_moons", n_samples=500, noise=0.1)
    data.load("digits", n_samples=1000)

Names and synthetic data sets need numpy and scipy only. Nothing is cached here.
"""

from collections.abc import Callable
from os import PathLike
from typing import Any

from sslviz.data import npz_files
from sslviz.data.builtin import BUILT_IN
from sslviz.data.catalogue import title_of
from sslviz.data.dataset import Dataset
from sslviz.data.subsample import options_up_to, subsample
from sslviz.data.synthetic import GENERATORS
from sslviz.data.synthetic import about_of as _first_sentence
from sslviz.params import Param, params_of

__all__ = [
    "Dataset",
    "about",
    "is_available",
    "load",
    "names",
    "options_of",
    "read_table",
    "title",
]


def names() -> list[str]:
    """Names of all data sets on this machine: synthetic, built in, then files."""
    known = [*GENERATORS, *BUILT_IN]
    return known + [name for name in npz_files.names_in_files() if name not in known]


def is_available(name: str) -> bool:
    """Whether a data set is on this machine, listed by `names` or uploaded by a visitor."""
    return name in names() or npz_files.path_of(name) is not None


def load(name: str, *, progress: Callable[[str], None] | None = None, **options: Any) -> Dataset:
    """The data set called `name`; `options` are those of `options_of(name)`.

    A name that is neither built in nor in a file is downloaded from OpenML and stored in a file;
    `progress` is called with a sentence at each step.
    """
    npz_files.check_name(name)
    if not is_available(name):
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
        raise ValueError(f"data: the file of {name!r} is no longer there")
    return subsample(npz_files.read(path), **options)


def read_table(
    path: str | PathLike[str],
    *,
    n_samples: int | None = None,
    standardise: bool = False,
    random_state: int = 0,
    **choices: Any,
) -> Dataset:
    """The data set in a file of one's own: csv, tsv, parquet, npz, mat, or a zip of images.

    Rows without a label have y = -1. `choices` are `label` (the column of classes, None for no
    labels), `unlabelled` (its values that mean "no label"), `columns` (the features), `words`
    (columns of texts whose words are features), `hover`, `missing` ("median" or "drop"), `classes`,
    and for text files `delimiter`, `decimal`, `header`, `encoding`; what is not given is found out.
    The others are those of all real data sets.
    """
    from sslviz.data import uploads

    known = set(uploads.Choices.__dataclass_fields__)
    if unknown := set(choices) - known:
        raise ValueError(f"read_table: no option {sorted(unknown)}; known are {sorted(known)}")
    dataset = uploads.read_table(path, uploads.Choices(**choices))
    return subsample(
        dataset, n_samples=n_samples, standardise=standardise, random_state=random_state
    )


def options_of(name: str) -> tuple[Param, ...]:
    """The options of a data set, as declared: name, default, range, help."""
    if npz_files.check_name(name) in GENERATORS:
        return params_of(GENERATORS[name])
    size = _size(name)
    return params_of(subsample) if size is None else options_up_to(size)


def about(name: str) -> str:
    """A description in a sentence or two, without reading the data."""
    if npz_files.check_name(name) in GENERATORS:
        return _first_sentence(GENERATORS[name])
    if name in BUILT_IN:
        return BUILT_IN[name].about
    path = npz_files.path_of(name)
    if path is None:
        return f"{name} is not on this machine; it will be downloaded from OpenML."
    return npz_files.describe(path, npz_files.shape(path))


def title(name: str) -> str:
    """A readable title: "Two moons" for two_moons, "MNIST, 5,000 images" for mnist_5k."""
    npz_files.check_name(name)
    return BUILT_IN[name].title if name in BUILT_IN else title_of(name)


def _check(name: str, options: dict[str, Any]) -> None:
    """ValueError for an unknown option or a value outside its domain."""
    declared = {p.name: p for p in options_of(name)}
    for option, value in options.items():
        if option not in declared:
            raise ValueError(f"{name}: no option {option!r}; known are {', '.join(declared)}")
        if not declared[option].accepts(value):
            domain = declared[option].spec.domain
            raise ValueError(f"{name}: {option}={value!r} is not in {domain}")


def _size(name: str) -> int | None:
    """Number of points; None for a data set that is still to be downloaded."""
    if name in BUILT_IN:
        return BUILT_IN[name].n_samples
    path = npz_files.path_of(name)
    return npz_files.shape(path)[0] if path else None
