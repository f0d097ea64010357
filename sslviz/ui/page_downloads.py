"""Results as files on the pages whose results are not those of one fitted classifier."""

from functools import partial
from typing import Any

import numpy as np

from sslviz.exports.predictions import (
    class_names,
    cluster_columns,
    coordinate_columns,
    prediction_columns,
)
from sslviz.exports.tables import to_csv
from sslviz.ui.downloads import Download, downloads_of
from sslviz.ui.safe_text import plain_text


def _csv(title: str, file_name: str, columns: Any) -> Download:
    """A table as a file; `columns` makes its columns when they are asked for."""
    return Download(f"{title} (CSV)", file_name, lambda: to_csv(columns()))


def graph_downloads(r: Any) -> list[Download]:
    """Edges with length and weight, and the in-degree of every point."""
    name = r.problem.dataset.name
    return [
        _csv("Edges", f"{name}_edges.csv", partial(edge_columns, r)),
        _csv("In-degrees", f"{name}_degrees.csv", partial(degree_columns, r)),
    ]


def edge_columns(r: Any) -> dict[str, Any]:
    """One row for every edge; an undirected edge once."""
    ends, weights = r.edges
    lengths = np.asarray(r.G[ends[0], ends[1]]).ravel()
    return {"from": ends[0], "to": ends[1], "length": lengths, "weight": weights}


def degree_columns(r: Any) -> dict[str, Any]:
    columns = {"point": range(len(r.degree)), "in_degree": r.degree, "part": r.component}
    return columns | coordinate_columns(r.problem.points, ["map_x", "map_y", "map_z"])


def hub_downloads(r: Any) -> list[Download]:
    """Predictions, and the hubs in their order."""
    model, name = r.model, r.problem.dataset.name
    columns = {"hub": model.hubs_, "neighbour_of": model.hub_scores_[model.hubs_]}
    return [*downloads_of(r), _csv("Hubs", f"{name}_hubs.csv", lambda: columns)]


def flp_downloads(r: Any) -> list[Download]:
    """Predictions, and the coordinates at the end."""
    Z = r.steps.Z[-1]
    coordinates = {"point": range(len(Z)), **coordinate_columns(Z)}
    file_name = f"{r.problem.dataset.name}_embedding.csv"
    return [*downloads_of(r), _csv("Coordinates", file_name, lambda: coordinates)]


def clustering_downloads(r: Any) -> list[Download]:
    """The cluster of every point, once there are clusters."""
    if not r.trained:
        return []
    data = r.problem.dataset
    found = partial(cluster_columns, data.classes, r.truth, r.labels, r.moment.P, r.problem.points)
    return [_csv("Clusters", f"{data.name}_clusters.csv", found)]


def query_downloads(r: Any) -> list[Download]:
    """The queries in order, and the predictions after the last of them."""
    data, given = r.problem.dataset, r.problem.y.copy()
    given[r.points] = r.truth[r.points]
    F = r.F[-1]
    labels = np.where(F.any(axis=1), F.argmax(axis=1), -1)
    predictions = partial(
        prediction_columns, data.classes, given, r.truth, labels, F, r.problem.points
    )
    return [
        _csv("Queries", f"{data.name}_queries.csv", partial(query_columns, r)),
        _csv("Predictions", f"{data.name}_predictions.csv", predictions),
    ]


def query_columns(r: Any) -> dict[str, Any]:
    """A row before the first query and one after each."""
    return {
        "queries": range(len(r.risks)),
        "point": ["", *r.points.tolist()],
        "label": ["", *class_names(r.problem.dataset.classes, r.truth[r.points])],
        "expected_mistakes": r.risks,
        "accuracy": r.accuracies,
    }


def stream_downloads(r: Any) -> list[Download]:
    """What every method has predicted on arrival."""
    return [_csv("Predictions", f"{r.source.name}_stream.csv", partial(arrival_columns, r))]


def arrival_columns(r: Any) -> dict[str, Any]:
    """A row for every arrival, in order."""
    classes = [plain_text(name) for name in r.source.classes]
    columns: dict[str, Any] = {
        "arrival": range(1, r.arrived + 1),
        "point": r.source.names[r.now],
        "label_given": r.stream.labelled[r.now],
        "true_label": class_names(classes, r.truth),
    }
    return columns | {
        f"predicted_by_{name}": class_names(classes, labels)
        for name, labels in r.predictions.items()
    }


def comparison_downloads(r: Any) -> list[Download]:
    """The prediction of every method for every point, and the accuracies of all draws."""
    name = r.problem.dataset.name
    found = [_csv("Predictions", f"{name}_predictions.csv", partial(method_columns, r))]
    if r.run is not None:
        found.append(_csv("Accuracies", f"{name}_accuracies.csv", partial(draw_columns, r)))
    return found


def method_columns(r: Any) -> dict[str, Any]:
    classes = r.problem.dataset.classes
    columns: dict[str, Any] = {
        "point": range(len(r.truth)),
        "given_label": class_names(classes, r.problem.y),
        "true_label": class_names(classes, r.truth),
    }
    return columns | {
        title: class_names(classes, labels) for title, labels in r.predictions.items()
    }


def draw_columns(r: Any) -> dict[str, Any]:
    """A row for every draw of the labels, an empty cell where a method has not been fitted."""
    drawn = {title: s.accuracies for title, s in zip(r.titles, r.summaries, strict=True)}
    count = max((len(values) for values in drawn.values()), default=0)
    return {"draw": range(count), **drawn}
