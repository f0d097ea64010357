"""Results as files on the pages whose results are not those of one fitted classifier."""

from functools import partial
from typing import Any

import numpy as np

from sslviz.exports.predictions import class_names, cluster_columns, coordinate_columns
from sslviz.ui.downloads import (
    Download,
    coordinate_files,
    csv_file,
    downloads_of,
    npz_file,
    points_of,
    prediction_files,
)
from sslviz.ui.safe_text import plain_text


def graph_downloads(r: Any) -> list[Download]:
    """Edges with length and weight, as a list and as a matrix; the in-degree of every point."""
    name = r.problem.dataset.name
    return [
        csv_file("Edges", f"{name}_edges", partial(edge_columns, r)),
        npz_file("Weights", f"{name}_weights", partial(weight_parts, r)),
        csv_file("In-degrees", f"{name}_degrees", partial(degree_columns, r)),
    ]


def edge_columns(r: Any) -> dict[str, Any]:
    """One row for every edge; an undirected edge once."""
    ends, weights = r.edges
    lengths = np.asarray(r.G[ends[0], ends[1]]).ravel()
    return {"from": ends[0], "to": ends[1], "length": lengths, "weight": weights}


def weight_parts(r: Any) -> dict[str, Any]:
    """The matrix of weights in the parts that `scipy.sparse.load_npz` reads."""
    W = r.W.tocsr()
    parts = {"data": W.data, "indices": W.indices, "indptr": W.indptr, "shape": W.shape}
    return parts | {"format": np.array(b"csr")}


def degree_columns(r: Any) -> dict[str, Any]:
    columns = {"in_degree": r.degree, "part": r.component}
    places = coordinate_columns(r.problem.points, ["map_x", "map_y", "map_z"])
    return points_of(r.problem) | columns | places


def hub_downloads(r: Any) -> list[Download]:
    """Predictions, and the hubs in their order."""
    model, name = r.model, r.problem.dataset.name
    columns = {"hub": model.hubs_, "neighbour_of": model.hub_scores_[model.hubs_]}
    return [*downloads_of(r), csv_file("Hubs", f"{name}_hubs", lambda: columns)]


def flp_downloads(r: Any) -> list[Download]:
    """Predictions, and the coordinates at the end."""
    return [*downloads_of(r), *coordinate_files(r.problem, r.steps.Z[-1])]


def clustering_downloads(r: Any) -> list[Download]:
    """The cluster of every point, once there are clusters."""
    if not r.trained:
        return []
    data, P, places = r.problem.dataset, r.moment.P, r.problem.points

    def columns() -> dict[str, Any]:
        return points_of(r.problem) | cluster_columns(data.classes, r.truth, r.labels, P, places)

    def arrays() -> dict[str, Any]:
        return {"classes": data.classes, "true": r.truth, "cluster": r.labels, "probabilities": P}

    stem = f"{data.name}_clusters"
    return [csv_file("Clusters", stem, columns), npz_file("Clusters", stem, arrays)]


def query_downloads(r: Any) -> list[Download]:
    """The queries in order, and the predictions after the last of them."""
    given = r.problem.y.copy()
    given[r.points] = r.truth[r.points]
    F = r.F[-1]
    labels = np.where(F.any(axis=1), F.argmax(axis=1), -1)
    name = r.problem.dataset.name
    return [
        csv_file("Queries", f"{name}_queries", partial(query_columns, r)),
        *prediction_files(r.problem, given, labels, F),
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
    return [csv_file("Predictions", f"{r.source.name}_stream", partial(arrival_columns, r))]


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
    found = [csv_file("Predictions", f"{name}_predictions", partial(method_columns, r))]
    if r.run is not None:
        found.append(csv_file("Accuracies", f"{name}_accuracies", partial(draw_columns, r)))
    return found


def method_columns(r: Any) -> dict[str, Any]:
    classes = r.problem.dataset.classes
    columns = points_of(r.problem) | {
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
