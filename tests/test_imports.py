"""`import sslviz` is light, and arrows between the parts point one way."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "sslviz"
FAMILIES = {
    "propagation", "embedding", "inductive", "dictionary", "network", "stream", "clustering",
}  # fmt: skip
BASICS = {"device", "memo", "memory_bound", "params"}  # for everybody that computes
METHOD = BASICS | {"abilities", "graph", "kernels", "labels", "solve", "training", "validation"}
TOOLS = METHOD | {"content_hash", "data", "metrics", "nearest_label"}

# Part of sslviz -> parts of sslviz that it may import, wherever in its files the import stands.
MAY_IMPORT: dict[str, set[str]] = {
    "abilities": {"abilities"},
    "params": set(),
    "content_hash": set(),
    "paths": set(),
    "kept_files": {"paths"},
    "memory_bound": set(),
    "freed_memory": set(),
    "device": set(),
    "metrics": set(),
    "labels": {"params"},
    "validation": {"device", "labels", "params"},
    "disk_cache": {"content_hash"},
    "memo": {"content_hash", "disk_cache"},
    "executor": {"content_hash", "executor", "freed_memory", "memo", "memory_bound", "paths"},
    "snippet": {"abilities", "setting"},
    "formulas": {"params"},
    "setting": set(),
    "exports": {"exports"},
    "stories": {"kept_files", "stories"},
    "graph": BASICS | {"graph", "labels"},
    "solve": {"device", "solve"},
    "training": BASICS | {"abilities", "graph", "training", "validation"},
    "kernels": BASICS | {"kernels", "graph"},
    "nearest_label": {"graph", "labels", "memo"},
    "data": {"content_hash", "data", "kept_files", "memo", "params"},
    "figures": {"figures"},
    **{family: METHOD | {family} for family in FAMILIES},
    "stream": METHOD | {"stream", "propagation"},  # QLP and QRLP propagate over centroids
    "experiments": TOOLS | FAMILIES | {"executor", "experiments"},
    "recordings": TOOLS | FAMILIES | {"executor", "experiments", "recordings"},
    "ui": TOOLS - {"device", "solve", "validation"}
    | {"executor", "experiments", "exports", "figures", "formulas", "freed_memory", "kept_files"}
    | {"paths", "recordings", "snippet", "stories", "ui"},
}
PAGES_MAY_IMPORT = MAY_IMPORT["ui"] - {
    "executor",
    "experiments",
    "exports",
    "graph",
    "kernels",
    "memo",
    "metrics",
}
LIGHT = ["sslviz", "sslviz.data", "sslviz.labels", "sslviz.graph", "sslviz.params", "sslviz.memo"]
LIGHT += ["sslviz.executor", "sslviz.executor.processes"]
HEAVY = ["torch", "numba", "streamlit", "sklearn", "plotly", "pynndescent"]


def python_files(*folders: str) -> list[Path]:
    return sorted(p for f in folders for p in (ROOT / f).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Full names of the modules that a file imports, at the top or inside functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""
            if node.module == "sslviz":
                yield from (f"sslviz.{alias.name}" for alias in node.names)


def part(module: str) -> str | None:
    """The part of sslviz that a module belongs to."""
    names = module.split(".")
    return names[1] if names[0] == "sslviz" and len(names) > 1 else None


def public_names() -> set[str]:
    """Estimators and functions that a page about one method imports from the package itself."""
    import sslviz

    return set(sslviz.__all__) - {path.stem for path in PACKAGE.iterdir()}


def own_part(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def test_importing_sslviz_brings_in_nothing_heavy() -> None:
    code = (
        f"import sys\nfor name in {LIGHT}: __import__(name)\n"
        f"import sslviz\nsslviz.data.names(), sslviz.graph, dir(sslviz)\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_public_names_are_listed_and_load_when_asked_for() -> None:
    import sslviz

    names = dir(sslviz)
    assert len(names) == len(set(names)) and {"METHODS", *sslviz.__all__} <= set(names)
    for name in sslviz.__all__:
        assert getattr(sslviz, name) is not None
    assert sslviz.LabelPropagation.__name__ == "LabelPropagation"
    assert all(isinstance(method, type) for method in sslviz.METHODS)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        sslviz.Nothing  # noqa: B018


@pytest.mark.parametrize("own", sorted(MAY_IMPORT))
def test_arrows_point_one_way(own: str) -> None:
    for path in python_files("sslviz"):
        if own_part(path) == own:
            wrong = {part(m) for m in imported(path)} - MAY_IMPORT[own] - {None}
            wrong -= public_names() if own == "ui" else set()
            assert not wrong, f"{path.relative_to(ROOT)} imports {wrong}"


def test_pages_import_the_user_interface_and_little_else() -> None:
    for path in python_files("pages"):
        # the page on active learning explains a module
        allowed = PAGES_MAY_IMPORT | ({"propagation"} if path.stem == "active_learning" else set())
        wrong = {part(m) for m in imported(path)} - allowed - public_names() - {None}
        assert not wrong, f"{path.name} imports {wrong}"


def test_only_the_user_interface_imports_streamlit() -> None:
    for path in python_files("sslviz", "benchmarks"):
        heads = {module.split(".")[0] for module in imported(path)}
        if path.is_relative_to(PACKAGE / "ui") or path.is_relative_to(ROOT / "benchmarks"):
            continue
        assert "streamlit" not in heads, path.relative_to(ROOT)


def test_figures_import_numpy_and_plotly_and_nothing_else() -> None:
    allowed = {"numpy", "plotly", "sslviz"} | set(sys.stdlib_module_names)
    for path in python_files("sslviz/figures"):
        assert {module.split(".")[0] for module in imported(path)} <= allowed, path.name


def test_the_user_interface_knows_no_method_by_name() -> None:
    for path in python_files("sslviz/ui"):
        assert not {part(m) for m in imported(path)} & FAMILIES, path.relative_to(ROOT)


def test_files_stay_short_enough_to_read() -> None:
    for path in [ROOT / "app.py", *python_files("sslviz", "pages", "tests")]:
        if "browser" in path.parts:  # scenes in a browser are told at length
            continue
        lines = len(path.read_text().splitlines())
        assert lines <= 300, f"{path.relative_to(ROOT)} has {lines} lines"


def test_the_package_does_not_print() -> None:
    speakers = {"__main__.py"}
    for path in python_files("sslviz"):
        if path.name in speakers or own_part(path) == "experiments":
            continue
        calls = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]
        named = {n.func.id for n in calls if isinstance(n.func, ast.Name)}
        assert "print" not in named, path.relative_to(ROOT)


def test_every_module_begins_with_a_sentence() -> None:
    for path in python_files("sslviz", "pages"):
        tree = ast.parse(path.read_text())
        if tree.body:
            first = (ast.get_docstring(tree) or "").split("\n\n")[0].strip()
            assert first, f"{path.relative_to(ROOT)} has no docstring"
