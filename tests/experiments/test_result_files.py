"""Stored results: read as written, never computed twice, never half a file."""

import json
from dataclasses import replace

import pytest
from experiments.majority import IRIS, WINE, always, fits, quietly, tiny

from sslviz.experiments import result_files
from sslviz.experiments.scoring import CellScore
from sslviz.experiments.table import Cell


@pytest.fixture(autouse=True)
def _no_fits_yet():
    fits.clear()


def test_a_file_holds_the_declaration_and_the_result(tmp_path):
    cell = Cell(WINE, always(1), 4)
    result_files.write(tmp_path, cell, CellScore(0.25, 0.5, 0.1))
    stored = json.loads((tmp_path / cell.file_name).read_text(encoding="utf-8"))
    assert stored["cell"]["seed"] == 4 and stored["cell"]["params"] == {"says": 1}
    assert result_files.read(tmp_path, cell) == CellScore(0.25, 0.5, 0.1)
    assert result_files.read(tmp_path, cell._replace(seed=5)) is None


def test_a_stored_result_is_not_computed_again(tmp_path):
    first = quietly(tiny(), tmp_path)
    assert len(fits) == 6 and len(list(tmp_path.iterdir())) == 6
    again = quietly(tiny(), tmp_path)
    assert len(fits) == 6 and again.found == first.found
    quietly(tiny(), tmp_path, draws=5)
    assert len(fits) == 10, "two more draws for two methods"


def test_a_changed_declaration_is_computed_and_a_changed_title_is_not(tmp_path):
    for method, row, count in (
        (always(1, "a"), IRIS, 3),
        (always(1, "b"), IRIS, 3),
        (always(2, "a"), IRIS, 6),
        (always(1, "a"), replace(IRIS, per_class=3), 9),
    ):
        quietly(tiny(method, rows=(row,)), tmp_path)
        assert len(fits) == count


def test_a_damaged_file_is_computed_again(tmp_path):
    quietly(tiny(), tmp_path)
    files = sorted(tmp_path.iterdir())
    files[0].write_text("{", encoding="utf-8")
    files[1].write_text('{"result": {"accuracy": 1}}', encoding="utf-8")
    quietly(tiny(), tmp_path)
    assert len(fits) == 8
    assert all(json.loads(f.read_text(encoding="utf-8"))["result"] for f in files)


def test_an_interrupted_write_leaves_no_file(tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(result_files.os, "replace", stop)
    assert quietly(tiny(), tmp_path).status == 130 and not list(tmp_path.iterdir())
