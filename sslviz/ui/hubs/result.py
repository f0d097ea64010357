"""Robust label prediction fitted to a problem, with its baselines and the density of the data."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from sslviz import GeodesicKNN, LabelPropagation, RobustLabelPrediction
from sslviz.figures.maps.hubs import front_stops
from sslviz.graph.components import islands
from sslviz.graph.density import DENSITY_NEIGHBOURS, KERNEL_FEATURES, kernel_density, nearness
from sslviz.graph.neighbours import knn, knn_lists
from sslviz.ui.problem import Problem
from sslviz.ui.result import Look, Result, result_of, undetermined_text


@dataclass(frozen=True)
class HubResult(Result):
    """Robust label prediction, with baselines on the same graph of k neighbours."""

    k: int = 0
    propagation: float = np.nan  # accuracy of plain label propagation
    no_hubs: float = np.nan  # accuracy of the vote by given labels alone
    density: np.ndarray | None = None  # (n,)
    density_text: str = ""
    reason: str = ""

    @cached_property
    def is_hub(self) -> np.ndarray:
        found = np.zeros(len(self.y), bool)
        found[self.model.hubs_] = True
        return found

    @cached_property
    def unreached_hubs(self) -> int:
        """Hubs that no label reaches: they do not vote."""
        return int((~self.model.hub_distributions_.any(axis=1)).sum())

    @cached_property
    def nearest_votes(self) -> np.ndarray:
        """(n, C) the vote of the voter nearest to each point; zero where none is reached."""
        voter = self.model.voters_[:, 0]
        return np.where((voter >= 0)[:, None], self.F[voter], 0)

    def accuracy_course(self) -> list[float] | None:
        """Accuracy in the frames of the third map: points not reached yet count as wrong."""
        if not self.held_out.any():
            return None
        distance = self.model.voter_distances_[:, 0]
        right = (self.nearest_votes.argmax(axis=1) == self.truth) & self.nearest_votes.any(axis=1)
        seen = [right & (distance <= stop) for stop in front_stops(distance)]
        return [float(found[self.held_out].mean()) for found in (*seen, self.right)]

    @cached_property
    def votes(self) -> Any:
        return self.model.explain(self.point)

    @cached_property
    def listed_by(self) -> tuple[np.ndarray, np.ndarray]:
        """The points that have the selected one among their k₁ nearest, and how far they are."""
        memory = self.model.memory
        column = knn(self.problem.dataset.X, self.k, memory).tocsc()[:, [self.point]]
        order = np.argsort(column.data, kind="stable")
        return column.indices[order], column.data[order]

    @cached_property
    def hover(self) -> list[str]:
        rank = np.zeros(len(self.y), int)
        rank[self.model.hubs_] = np.arange(1, len(self.model.hubs_) + 1)
        return [
            f"{text}<br>neighbour of {d} others" + (f" · hub no. {r}" if r > 0 else "")
            for text, d, r in zip(super().hover, self.model.hub_scores_, rank, strict=True)
        ]


def predict_by_hubs(
    parameters: dict[str, Any], n_hubs: int, problem: Problem, look: Look, memory: Any
) -> HubResult:
    """Fit the method and its baselines."""
    X, y = problem.dataset.X, problem.y
    model = RobustLabelPrediction(**parameters, n_hubs=n_hubs, memory=memory).fit(X, y)
    k = min(model.k_graph, len(X) - 1)
    plain = LabelPropagation(n_neighbors=k, memory=memory).fit(X, y)
    voting = GeodesicKNN(n_neighbors=k, n_votes=model.n_votes, memory=memory).fit(X, y)
    if X.shape[1] <= KERNEL_FEATURES:
        density = memory.cache(kernel_density)(X, ~problem.outliers)
        text = "a kernel estimate without the outliers"
    else:
        density = nearness(knn_lists(X, min(DENSITY_NEIGHBOURS, len(X) - 1), memory)[1])
        text = f"one over the distance to the {DENSITY_NEIGHBOURS}th neighbour"
    found = HubResult(
        problem,
        model,
        np.asarray(model.transduction_),
        np.asarray(model.label_distributions_),
        look,
        k=k,
        propagation=result_of(plain, problem).accuracy(),
        no_hubs=result_of(voting, problem).accuracy(),
        density=density,
        density_text=text,
    )
    if not found.undetermined.any():
        return found
    return replace(found, reason=undetermined_text(found, islands(knn(X, k, memory))))
