r"""Transfer tuning: parameters for a data set without labels, chosen on similar sets with labels.

    Λ* = argmax_Λ Σ_i ACC(Λ, set_i) / ACC(Λ*_i, set_i),     Λ*_i the best for set_i alone

Dividing by the best accuracy of each source gives easy and hard sources equal weight. The choice is
then used on the target. It assumes that target and sources are similar; nothing checks that.

Hu, Miyato, Tokui, Matsumoto, Sugiyama. Learning discrete representations via information maximizing
self-augmented training. ICML 2017. Wada. Study of Prediction on Manifolds with Almost No or No
Labeled Data. 2019, Eq. 37.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from sslviz.clustering.sgsc import SGSC
from sslviz.metrics import clustering_accuracy

Candidate = Mapping[str, Any]


class Transfer(NamedTuple):
    """The best candidate, and the scores of all."""

    best: Candidate
    accuracies: np.ndarray  # (candidates, sources)
    totals: np.ndarray  # (candidates,) the sum of Eq. 37


def hub_accuracy(candidate: Candidate, X: np.ndarray, y: np.ndarray, memory: Any = None) -> float:
    """Accuracy of SGSC on its hubs, with as many clusters as classes and seed 0."""
    model = SGSC(len(np.unique(y)), **{"random_state": 0, "memory": memory, **candidate}).fit(X)
    return clustering_accuracy(np.asarray(y)[model.hubs_], model.hub_labels_)


def transfer_tuning(
    sources: Sequence[tuple[np.ndarray, np.ndarray]],
    grid: Sequence[Candidate],
    score: Callable[[Candidate, np.ndarray, np.ndarray], float] | None = None,
    *,
    memory: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Transfer:
    """Score every candidate on every source (X, y) and take the best of Eq. 37, the first if tied.

    `score(candidate, X, y)` defaults to SGSC's accuracy on its hubs, which uses `memory`. A source
    on which every candidate scores 0 is ignored. `progress(done, total)` follows each score.
    """
    if not len(sources) or not len(grid):
        raise ValueError(
            f"transfer_tuning: {len(sources)} sources and {len(grid)} candidates, "
            "expected at least one of each"
        )
    found = np.empty((len(grid), len(sources)))
    for i, (X, y) in enumerate(sources):  # source by source: its graphs stay in memory
        for j, candidate in enumerate(grid):
            found[j, i] = score(candidate, X, y) if score else hub_accuracy(candidate, X, y, memory)
            if not (np.isfinite(found[j, i]) and found[j, i] >= 0):
                raise ValueError(
                    f"transfer_tuning: score {found[j, i]} of {dict(candidate)} on source {i} is "
                    "not a finite number of at least 0"
                )
            if progress:
                progress(i * len(grid) + j + 1, found.size)
    best = found.max(axis=0)
    totals = np.divide(found, best, out=np.zeros_like(found), where=best > 0).sum(axis=1)
    return Transfer(grid[int(totals.argmax())], found, totals)
