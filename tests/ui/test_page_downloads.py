"""Every page offers its results as files, which hold what the page shows."""

import csv
import io
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from sslviz.ui import page_downloads as downloads
from sslviz.ui.downloads import Download, downloads_of, prediction_files

PAGES: dict[str, Callable[[Any], Sequence[Download]]] = {
    "graph": downloads.graph_downloads,
    "propagation": downloads_of,
    "hubs": downloads.hub_downloads,
    "embedding": downloads_of,
    "flp": downloads.flp_downloads,
    "inductive": downloads_of,
    "dictionary": downloads_of,
    "network": downloads_of,
    "stream": downloads.stream_downloads,
    "clustering": downloads.clustering_downloads,
    "active_learning": downloads.query_downloads,
    "compare": downloads.comparison_downloads,
}
SOMETHING: dict[str, Callable[[Any], bool]] = {
    "hubs": lambda r: len(r.model.hubs_) > 0,
    "stream": lambda r: r.arrived > 0,
    "clustering": lambda r: r.trained,
}


def first_result(page: str) -> Any:
    """A result of the page, of those that tests/views/ draws, which has something to save."""
    results = (result for *_, result in import_module(f"views.{page}").cases())
    return next(r for r in results if SOMETHING.get(page, lambda r: True)(r))


def rows_of(file: Download) -> list[dict[str, str]]:
    content = file.content()
    assert isinstance(content, str)
    return list(csv.DictReader(io.StringIO(content)))


def arrays_of(file: Download) -> dict[str, np.ndarray]:
    content = file.content()
    assert isinstance(content, bytes)
    return dict(np.load(io.BytesIO(content), allow_pickle=False))


@pytest.mark.parametrize("page", PAGES)
def test_the_files_of_a_page_hold_its_predictions(page):
    r = first_result(page)
    files = PAGES[page](r)
    tables = {f.title: rows_of(f) for f in files if f.file_name.endswith(".csv")}
    arrays = {f.title: arrays_of(f) for f in files if f.file_name.endswith(".npz")}
    assert tables and len({f.file_name for f in files}) == len(files)
    assert all(rows for rows in tables.values())
    classes = [] if page == "stream" else list(r.problem.dataset.classes)
    if page in ("graph", "stream", "clustering", "active_learning", "compare"):
        return  # below
    found = [row["predicted_label"] for row in tables["Predictions (CSV)"]]
    assert found == [classes[c] if c >= 0 else "" for c in r.labels]
    shares = [float(row["confidence"]) for row in tables["Predictions (CSV)"]]
    np.testing.assert_allclose(shares, r.share)
    np.testing.assert_array_equal(arrays["Predictions (npz)"]["predicted"], r.labels)
    np.testing.assert_array_equal(arrays["Predictions (npz)"]["probabilities"], r.F)
    if page in ("embedding", "flp"):
        Z = arrays["Coordinates (npz)"]["embedding"]
        found = [float(row["z1"]) for row in tables["Coordinates (CSV)"]]
        np.testing.assert_array_equal(found, Z[:, 0])
    if page == "dictionary":
        both = arrays["Atoms and codes (npz)"]
        for title, array in (("Atoms (CSV)", both["atoms"]), ("Codes (CSV)", both["codes"])):
            rows = [list(row.values())[-array.shape[1] :] for row in tables[title]]
            np.testing.assert_array_equal(np.array(rows, float), array)


def test_a_subset_says_which_rows_its_points_are():
    r = first_result("propagation")
    data = r.problem.dataset
    half = data.subset(data.n_samples // 2)
    few = r.problem._replace(dataset=half, points=r.problem.points[half.rows])
    table, arrays = prediction_files(few, r.y[half.rows], r.labels[half.rows], r.F[half.rows])
    assert [int(row["row"]) for row in rows_of(table)] == half.rows.tolist()
    np.testing.assert_array_equal(arrays_of(arrays)["rows"], half.rows)


def test_the_edges_of_the_graph_are_saved_with_their_weights():
    r = first_result("graph")
    rows = rows_of(downloads.graph_downloads(r)[0])
    ends, weights = r.edges
    assert [int(row["to"]) for row in rows] == ends[1].tolist()
    lengths = np.array([float(row["length"]) for row in rows])
    np.testing.assert_allclose(np.exp(-((lengths / r.sigma) ** 2)), weights, rtol=1e-5)
    W = sparse.load_npz(io.BytesIO(downloads.graph_downloads(r)[1].content()))
    assert (W != r.W).nnz == 0


def test_clusters_queries_arrivals_and_comparisons_are_saved_in_order():
    r = first_result("clustering")
    rows = rows_of(downloads.clustering_downloads(r)[0])
    assert [int(row["cluster"]) for row in rows] == r.labels.tolist()
    r = first_result("active_learning")
    rows = rows_of(downloads.query_downloads(r)[0])
    assert [int(row["point"]) for row in rows[1:]] == r.points.tolist()
    r = first_result("stream")
    rows = rows_of(downloads.stream_downloads(r)[0])
    assert len(rows) == r.arrived and int(rows[0]["point"]) == r.source.names[r.now][0]
    r = first_result("compare")
    rows = rows_of(downloads.comparison_downloads(r)[0])
    names = r.problem.dataset.classes
    for title, labels in r.predictions.items():
        assert [row[title] for row in rows] == [names[c] if c >= 0 else "" for c in labels]
