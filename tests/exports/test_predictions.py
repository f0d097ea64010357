"""Predictions as columns, arrays as files."""

import io

import numpy as np

from sslviz.exports.predictions import (
    cluster_columns,
    coordinate_columns,
    point_columns,
    prediction_columns,
    to_npz,
)


def test_a_row_for_each_point_and_empty_cells_where_nothing_is_known():
    given, truth, predicted = np.array([0, -1, -1]), np.array([0, 1, -1]), np.array([0, 1, -1])
    F = np.array([[1, 0], [0.25, 0.75], [0, 0]])
    table = prediction_columns(("ja", "no"), given, truth, predicted, F, np.ones((3, 2)))
    assert table["given_label"] == ["ja", "", ""] and table["true_label"] == ["ja", "no", ""]
    assert table["predicted_label"] == ["ja", "no", ""] and table["confidence"] == [1, 0.75, 0]
    assert table["p(no)"] == [0, 0.75, 0] and list(table)[-2:] == ["map_x", "map_y"]
    assert all(len(column) == 3 for column in table.values())


def test_clusters_and_coordinates():
    P = np.array([[0.9, 0.1], [0.3, 0.7]])
    table = cluster_columns(("a", "b"), np.array([1, 0]), P.argmax(1), P, np.zeros((2, 3)))
    assert table["cluster"] == [0, 1] and table["confidence"] == [0.9, 0.7] and "map_z" in table
    assert list(coordinate_columns(np.zeros((2, 4)))) == ["z1", "z2", "z3", "z4"]


def test_points_are_told_by_number_row_and_note():
    assert point_columns(2) == {"point": [0, 1]}
    found = point_columns(2, np.array([4, 7]), np.array(["id: 5", "=cmd()"]))
    assert found == {"point": [0, 1], "row": [4, 7], "note": ["id: 5", "=cmd()"]}


def test_arrays_come_back_without_pickles():
    arrays = {"atoms": np.eye(3), "classes": np.array(["a", "ü"])}
    found = np.load(io.BytesIO(to_npz(arrays)), allow_pickle=False)
    assert all(np.array_equal(found[name], array) for name, array in arrays.items())
