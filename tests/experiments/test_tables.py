"""Tables: declarations are sound, runs resume, failures stay in their cell, text lines up."""

import io
import json
import sys
from dataclasses import replace
from pkgutil import resolve_name
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import sslviz
from sslviz import data
from sslviz.experiments import result_files
from sslviz.experiments.estimators.tuned import Tuned
from sslviz.experiments.papers import TABLES
from sslviz.experiments.report import text
from sslviz.experiments.runner import run, worst
from sslviz.experiments.sampling import draw
from sslviz.experiments.scoring import Result
from sslviz.experiments.table import Cell, Known, Method, Row, Table
from sslviz.labels import UNLABELLED
from sslviz.params import params_of

fits: list[tuple[bytes, object]] = []  # what Majority has been fitted on, and with which memory


class Majority(BaseEstimator):
    """Says one class everywhere, or breaks down."""

    def __init__(self, says=0, broken=False, memory=None):
        self.says, self.broken, self.memory = says, broken, memory

    def fit(self, X, y):
        fits.append((X.tobytes(), self.memory))
        if self.broken:
            raise RuntimeError("out of order")
        self.transduction_ = np.where(y == UNLABELLED, self.says, y)
        return self


HERE = f"{__name__}:"
WINE = Row("wine (6, 60)", "wine", per_class=2, unlabelled=60, paper={"all 1": Known(0.35, 0.02)})


@pytest.fixture(autouse=True)
def _no_fits_yet():
    fits.clear()


def tiny(*methods: Method, rows: tuple[Row, ...] = (WINE,), **settings) -> Table:
    said = methods or (
        Method("all 1", HERE + "Majority", {"says": 1}),
        Method("all 0", HERE + "Majority", {"says": 0}),
    )
    return Table("tiny", "two opinions", "nobody, 2020", rows, said, **{"draws": 3} | settings)


def quietly(table, out, **options):
    return run(table, out=out, stream=io.StringIO(), **options)


def test_every_declaration_names_estimators_and_parameters_that_exist():
    for name, table in TABLES.items():
        assert table.name == name
        for method in table.methods:
            cls, params = resolve_name(method.estimator), dict(method.params)
            values = {key: [value] for key, value in params.items()}
            if cls is Tuned:
                cls = resolve_name(params["estimator"])
                fixed = {key: [value] for key, value in params.get("params", {}).items()}
                values = fixed | dict(params.get("grid", {}))
            declared = {p.name: p for p in params_of(cls)}
            for parameter, tried in values.items():
                assert parameter in cls._get_param_names(), (name, method.title)
                if cls in sslviz.METHODS:
                    for value in tried:
                        assert declared[parameter].accepts(value), (name, method.title, parameter)


def test_a_number_for_an_unknown_method_is_refused():
    row = Row("iris", "iris", per_class=1, paper={"nobody": Known(0.5)})
    with pytest.raises(ValueError, match="'nobody' is not one of"):
        tiny(rows=(row,))


def test_a_row_needs_one_way_to_choose_labels():
    for per_class, labelled in ((None, None), (2, 8)):
        with pytest.raises(ValueError, match="give one of per_class, labelled"):
            Row("iris", "iris", per_class=per_class, labelled=labelled)


def test_a_draw_has_the_declared_numbers_and_differs_by_seed():
    dataset = data.load("wine")
    samples = [draw(dataset, WINE, seed) for seed in (0, 0, 1)]
    for sample in samples:
        shown = sample.given != UNLABELLED
        assert len(sample.X) == 66 and (np.bincount(sample.given[shown]) == 2).all()
        assert (sample.given[shown] == sample.y[shown]).all()
        twice = np.vstack([sample.X, dataset.X])
        assert len(np.unique(twice, axis=0)) == len(dataset.X), "points of the set, no others"
        assert len(np.unique(sample.X, axis=0)) == 66, "none of them twice"
    assert (samples[0].X == samples[1].X).all() and not (samples[0].X == samples[2].X).all()
    sample = draw(dataset, Row("wine", "wine", labelled=11), 3)
    assert (sample.given != UNLABELLED).sum() == 11 and len(sample.X) == len(dataset.X)


def test_more_unlabelled_points_than_there_are_is_an_error_that_says_how_many_there_are(tmp_path):
    row = Row("iris (6, 145)", "iris", per_class=2, unlabelled=145)
    done = quietly(tiny(rows=(row,)), tmp_path)
    assert done.status == 1 and len(done.failed) == 6
    assert "145 unlabelled points are not in [1, 144]" in done.failed[0][1]


def test_accuracy_is_the_share_of_hidden_points(tmp_path):
    done = quietly(tiny(), tmp_path)
    dataset = data.load("wine")
    for seed, result in enumerate(done.found["wine (6, 60)", "all 1"]):
        sample = draw(dataset, WINE, seed)
        assert result.accuracy == np.mean(sample.y[sample.given == UNLABELLED] == 1)
        assert result.undetermined == 0


def test_undetermined_counts_as_wrong(tmp_path):
    done = quietly(tiny(Method("none", HERE + "Majority", {"says": -1}), rows=(_iris(),)), tmp_path)
    assert [(r.accuracy, r.undetermined) for r in done.found["iris", "none"]] == [(0.0, 1.0)] * 3


def test_what_is_stored_is_never_computed_again(tmp_path):
    first = quietly(tiny(), tmp_path)
    assert len(fits) == 6 and len(list(tmp_path.iterdir())) == 6
    again = quietly(tiny(), tmp_path)
    assert len(fits) == 6 and again.found == first.found
    quietly(tiny(), tmp_path, draws=5)
    assert len(fits) == 10, "two more draws for two methods"


def test_a_changed_declaration_is_computed_and_a_changed_title_is_not(tmp_path):
    quietly(tiny(Method("a", HERE + "Majority", {"says": 1}), rows=(_iris(),)), tmp_path)
    quietly(tiny(Method("b", HERE + "Majority", {"says": 1}), rows=(_iris(),)), tmp_path)
    assert len(fits) == 3
    quietly(tiny(Method("a", HERE + "Majority", {"says": 2}), rows=(_iris(),)), tmp_path)
    assert len(fits) == 6
    quietly(tiny(Method("a", HERE + "Majority", {"says": 1}), rows=(_iris(per_class=3),)), tmp_path)
    assert len(fits) == 9


def test_a_damaged_file_counts_as_none(tmp_path):
    quietly(tiny(), tmp_path)
    files = sorted(tmp_path.iterdir())
    files[0].write_text("{", encoding="utf-8")
    files[1].write_text('{"result": {"accuracy": 1}}', encoding="utf-8")
    quietly(tiny(), tmp_path)
    assert len(fits) == 8
    assert all(json.loads(f.read_text(encoding="utf-8"))["result"] for f in files)


def test_a_file_says_what_was_asked(tmp_path):
    cell = Cell(WINE, Method("all 1", HERE + "Majority", {"says": 1}), 4)
    result_files.write(tmp_path, cell, Result(0.25, 0.5, 0.1))
    stored = json.loads((tmp_path / cell.file_name).read_text(encoding="utf-8"))
    assert stored["cell"]["seed"] == 4 and stored["cell"]["params"] == {"says": 1}
    assert result_files.read(tmp_path, cell) == Result(0.25, 0.5, 0.1)
    assert result_files.read(tmp_path, cell._replace(seed=5)) is None


def test_a_failing_method_leaves_the_others_alone(tmp_path):
    methods = (
        Method("broken", HERE + "Majority", {"broken": True}),
        Method("all 1", HERE + "Majority", {"says": 1}),
    )
    done = quietly(tiny(*methods), tmp_path)
    assert done.status == 1 and len(done.found["wine (6, 60)", "all 1"]) == 3
    assert {cell.method.title for cell, _ in done.failed} == {"broken"}
    assert "RuntimeError: out of order (test_tables.py, line " in text(done)
    assert len(list(tmp_path.iterdir())) == 3, "a failure is tried again next time"


def test_an_interrupted_run_keeps_what_is_done_and_continues(tmp_path, monkeypatch):
    fit = Majority.fit

    def stopped(self, X, y):
        if len(fits) == 4:
            raise KeyboardInterrupt
        return fit(self, X, y)

    monkeypatch.setattr(Majority, "fit", stopped)
    done = quietly(tiny(), tmp_path)
    assert done.status == 130 and len(list(tmp_path.iterdir())) == 4
    assert "goes on from here" in text(done)
    monkeypatch.setattr(Majority, "fit", fit)
    rest = quietly(tiny(), tmp_path)
    assert rest.status == 0 and len(fits) == 6
    assert all(len(found) == 3 for found in rest.found.values())


def test_a_write_that_is_stopped_leaves_no_file(tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(result_files.os, "replace", stop)
    done = quietly(tiny(), tmp_path)
    assert done.status == 130 and not list(tmp_path.iterdir())


def test_methods_of_one_draw_share_points_and_memory_and_those_of_a_bench_no_memory(tmp_path):
    quietly(tiny(), tmp_path / "shared")
    for seed in range(3):
        (X, memory), (same_X, same_memory) = fits[2 * seed : 2 * seed + 2]
        assert X == same_X and memory is same_memory is not None
    assert fits[0][1] is not fits[2][1]
    fits.clear()
    quietly(tiny(shared=False), tmp_path / "timed")
    assert [memory for _, memory in fits] == [None] * 6


def test_a_missing_set_is_named_and_the_others_run(tmp_path):
    absent = Row("Atlantis", "atlantis_500", per_class=2)
    done = quietly(tiny(rows=(absent, WINE)), tmp_path)
    assert done.status == 3 and len(fits) == 6
    assert "Atlantis: atlantis_500 is not built in" in text(done)
    assert worst([0, 3]) == 3 and worst([3, 1, 0]) == 1 and worst([1, 130]) == 130


def test_the_text_shows_paper_ours_and_difference_in_aligned_columns(tmp_path):
    done = quietly(tiny(), tmp_path)
    ours = np.array([r.accuracy for r in done.found["wine (6, 60)", "all 1"]])
    lines = text(done).splitlines()
    assert lines[0] == "tiny: two opinions" and lines[1] == "nobody, 2020"
    head = next(line for line in lines if line.startswith("set "))
    line = next(line for line in lines if line.startswith("wine"))
    spread = f"{ours.mean():.3f} ± {ours.std(ddof=1):.3f}"
    for title, value in (
        ("  paper", "0.350 ± 0.020"),
        ("  ours", spread),
        ("  - paper", f"{ours.mean() - 0.35:+.3f}"),
        ("  draws", "3"),
    ):
        end = head.index(title) + len(title)
        assert line[:end].endswith(value), title
    assert "reference" not in head, "a column without numbers is left out"
    assert "seconds" not in head, "they say little where methods share a graph"


def test_a_cluster_gives_the_same_results(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", ModuleType("dask"))
    monkeypatch.setitem(sys.modules, "dask.distributed", _pretended_dask())
    far = quietly(tiny(), tmp_path / "far", scheduler="tcp://somewhere:8786")
    near = quietly(tiny(), tmp_path / "near")
    for key, found in near.found.items():
        assert sorted(r.accuracy for r in far.found[key]) == sorted(r.accuracy for r in found)


def test_a_cluster_without_dask_is_explained(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    monkeypatch.setitem(sys.modules, "dask.distributed", None)
    with pytest.raises(ValueError, match="needs Dask: install the package 'distributed'"):
        quietly(tiny(), tmp_path, scheduler="tcp://somewhere:8786")


@pytest.mark.parametrize("title", ["Yale (60, 105)", "ORL (160, 240)"])
def test_the_thesis_table_agrees_with_the_reference_on_faces(title, tmp_path):
    table = TABLES["thesis_lp"]
    row = next(row for row in table.rows if row.title == title)
    if row.dataset not in data.names():
        pytest.skip(f"{row.dataset}.npz is not in $SSLVIZ_DATA")
    done = quietly(replace(table, rows=(row,)), tmp_path, draws=5)
    for method, reference in row.reference.items():
        ours = np.array([r.accuracy for r in done.found[title, method]])
        # RLP chooses its hubs by folds of the labels, which the reference deals in its own way.
        near = ours.std(ddof=1) if method.startswith("RLP") else 0.01
        assert len(ours) == 5 and abs(ours.mean() - reference.mean) < near, method


def _iris(per_class: int = 2) -> Row:
    return Row("iris", "iris", per_class=per_class)


def _pretended_dask() -> ModuleType:
    """A cluster of one that computes when asked, in the reverse order."""
    module = ModuleType("dask.distributed")

    class Client:
        def __init__(self, address):
            assert address == "tcp://somewhere:8786"

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def submit(self, function, *arguments, pure):
            return SimpleNamespace(result=lambda: function(*arguments))

    module.__dict__.update(Client=Client, as_completed=reversed)
    return module
