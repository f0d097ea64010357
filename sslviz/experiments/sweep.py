"""Sweeps: methods × data sets × numbers of labels × seeds, as a table without published numbers.

Parameters have their defaults; those of a grid take values over the shown range of their
declaration. Every fit starts from X, so that seconds can be compared.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import sslviz
from sslviz.experiments.table import Row, Table, TableMethod
from sslviz.params import Number, Param, params_of, split_rule

SET_BY_RUNNER = ("n_clusters", "random_state")  # from the number of classes and the draw
DATASETS = ("two_moons", "three_rings", "spirals", "digits", "mnist_5k")


def sweep(
    methods: Sequence[str] = (),
    datasets: Sequence[str] = DATASETS,
    labels: Sequence[int] = (3, 10),
    seeds: int = 5,
    grid: Sequence[str] = (),
    count: int = 5,
) -> Table:
    """The table of a sweep; no `methods` means all, `grid` names parameters to vary.

    A method without a parameter of the grid ignores it.
    """
    classes = _classes(methods)
    declared = {p.name for cls in classes for p in params_of(cls)}
    if unknown := sorted(set(grid) - declared):
        raise ValueError(
            f"bench: no method here has a parameter {unknown[0]!r}; "
            f"known are {', '.join(sorted(declared))}"
        )
    return Table(
        name="bench",
        title="accuracy on the unlabelled points, seconds per fit",
        source="",
        rows=tuple(_row(name, per_class) for name in datasets for per_class in labels),
        methods=tuple(method for cls in classes for method in _methods(cls, grid, count)),
        draws=seeds,
        shared=False,
    )


def _classes(names: Sequence[str]) -> list[type]:
    known = {cls.__name__: cls for cls in sslviz.METHODS}
    for name in names:
        if name not in known:
            raise ValueError(f"bench: {name!r} is not a method; known are {', '.join(known)}")
    return [known[name] for name in names or known]


def _row(dataset: str, per_class: int) -> Row:
    return Row(f"{dataset}, {per_class} per class", dataset, per_class=per_class)


def _methods(cls: type, grid: Sequence[str], count: int) -> Iterator[TableMethod]:
    """The class with every combination of grid values; defaults are stored with the result."""
    declared = params_of(cls)
    defaults = {p.name: p.default for p in declared if p.name not in SET_BY_RUNNER}
    varied = [[(p.name, value) for value in values(p, count)] for p in declared if p.name in grid]
    for chosen in product(*varied):
        words = ", ".join(f"{name}={value}" for name, value in chosen)
        title = f"{cls.__name__}({words})" if words else cls.__name__
        yield TableMethod(title, f"{cls.__module__}:{cls.__qualname__}", defaults | dict(chosen))


def values(param: Param, count: int) -> list[Any]:
    """`count` values over the shown range; multiples of the default if it is a rule: "0.5 mean"."""
    spread = param.grid(count)
    if isinstance(param.spec, Number) and param.spec.factors and isinstance(param.default, str):
        _, rule = split_rule(param.default)
        return [f"{factor:g} {rule}" for factor in spread]
    return spread
