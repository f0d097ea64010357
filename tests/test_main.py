"""The command line: the app, tables and sweeps, explained errors, exit codes."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import sslviz.experiments.papers
from sslviz.__main__ import main
from sslviz.experiments.table import NEAREST_LABEL, Known, Row, Table, TableMethod

NEAREST = TableMethod("1-NN", NEAREST_LABEL)


@pytest.fixture
def small(monkeypatch):
    """Two tables: one that can run and one whose data set does not exist."""
    known = {"1-NN": Known(0.9)}
    rows = [
        Row("iris (6, 100)", "iris", per_class=2, unlabelled=100, paper=known),
        Row("Atlantis", "atlantis_500", per_class=2),
    ]
    tables = {
        name: Table(name, f"table {name}", "nobody, 2020", (row,), (NEAREST,), draws=2)
        for name, row in zip(("flowers", "sunken"), rows, strict=True)
    }
    monkeypatch.setattr(sslviz.experiments.papers, "TABLES", tables)


def test_help_imports_no_heavy_library():
    code = (
        "import sys; from sslviz.__main__ import main\n"
        "try: main(['--help'])\n"
        "except SystemExit as end: assert end.code == 0\n"
        "main(['table'])\n"
        "assert not {'torch', 'numba', 'streamlit', 'sklearn'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "usage: sslviz" in done.stdout and "thesis_lp" in done.stdout


def test_no_command_prints_help(capsys):
    assert main([]) == 0
    assert "bench" in capsys.readouterr().out


def test_the_app_command_hands_its_options_to_streamlit(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "argv", ["sslviz"])
    monkeypatch.setattr(runpy, "run_module", lambda name, run_name: seen.extend(sys.argv))
    assert main(["app", "--server.headless", "true", "--server.port", "8502"]) == 0
    assert seen[:2] == ["streamlit", "run"] and Path(seen[2]).name == "app.py"
    assert seen[3:] == ["--server.headless", "true", "--server.port", "8502"]
    assert (Path(seen[2]).parent / ".streamlit" / "config.toml").is_file()


def test_table_without_a_name_lists_the_tables(small, capsys):
    assert main(["table"]) == 0
    assert capsys.readouterr().out == (
        "flowers  table flowers. nobody, 2020.\nsunken   table sunken. nobody, 2020.\n"
    )


def test_an_unknown_table_is_refused_with_the_known_ones(small, capsys):
    assert main(["table", "flour"]) == 2
    assert "'flour' is not one of flowers, sunken, all" in capsys.readouterr().err


def test_a_table_is_printed_beside_the_papers_numbers(small, tmp_path, capsys):
    assert main(["table", "flowers", "--out", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert "paper" in out and "0.900" in out and "- paper" in out and "2/2" in err
    assert len(list(tmp_path.iterdir())) == 2


def test_all_runs_every_table_and_names_missing_data(small, tmp_path, capsys):
    assert main(["table", "all", "--seeds", "1", "--out", str(tmp_path)]) == 3
    out = capsys.readouterr().out
    assert "flowers:" in out and "Atlantis: atlantis_500 is not built in" in out
    assert len(list(tmp_path.iterdir())) == 1


def test_a_bench_prints_accuracy_and_seconds(tmp_path, capsys):
    command = "bench --methods LabelPropagation --datasets iris --labels 5 --seeds 2 --out"
    assert main([*command.split(), str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "iris, 5 per class" in out and "seconds" in out and "paper" not in out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("bench --methods Oracle", "'Oracle' is not a method"),
        ("bench --grid gamma_ray", "no method here has a parameter 'gamma_ray'"),
        ("bench --seeds 0", "'0' is not a whole number of at least 1"),
        ("bench --speed 3", "unrecognized arguments: --speed 3"),
    ],
)
def test_wrong_arguments_are_explained(command, message, capsys):
    try:
        sys.exit(main(command.split()))
    except SystemExit as end:  # argparse exits by itself
        assert end.code == 2 and message in capsys.readouterr().err
