"""Options of all real data sets: number of points, standardised or not."""

from dataclasses import replace
from typing import Annotated

import numpy as np

from sslviz.data.dataset import Dataset
from sslviz.data.synthetic import Seed
from sslviz.params import Flag, Number, Param, params_of


def subsample(
    dataset: Dataset,
    *,
    n_samples: Annotated[
        int | None,
        Number(
            "Number of points, drawn so that class shares stay; None takes all.",
            valid=(2, np.inf),
            shown=(100, 10_000),
            log=True,
            rules=(None,),
            symbol="n",
        ),
    ] = None,
    standardise: Annotated[
        bool,
        Flag("Shift and scale every feature to mean 0 and standard deviation 1.", advanced=True),
    ] = False,
    random_state: Seed = 0,
) -> Dataset:
    """`n_samples` points of a data set, standardised after drawing if `standardise`."""
    if n_samples is not None:
        dataset = dataset.subset(n_samples, random_state)
    return standardised(dataset) if standardise else dataset


def standardised(dataset: Dataset) -> Dataset:
    """Every feature with mean 0 and standard deviation 1; a constant one becomes 0."""
    X = dataset.X - dataset.X.mean(axis=0, dtype=np.float64).astype(dataset.X.dtype)
    scale = X.std(axis=0, dtype=np.float64).astype(X.dtype)
    scale[np.ptp(dataset.X, axis=0) == 0] = np.inf  # constant, but its mean may be rounded
    X /= scale
    return replace(dataset, X=X)


def options_up_to(size: int) -> tuple[Param, ...]:
    """The options of a data set of `size` points."""
    return tuple(_up_to(p, size) if p.name == "n_samples" else p for p in params_of(subsample))


def _up_to(param: Param, size: int) -> Param:
    assert isinstance(param.spec, Number)
    shown = (min(int(param.spec.shown[0]), size), size)
    spec = Number(**{**vars(param.spec), "valid": (2, size), "shown": shown})
    return param._replace(spec=spec)
