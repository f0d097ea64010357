"""A server gives each computation one thread, large products all cores, and warms up."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sslviz
from sslviz.ui import warm_up

SCRIPT = """
from sslviz.ui.server import share_cores
share_cores()
import torch
from threadpoolctl import threadpool_info
from sslviz.device import all_cores
with all_cores():
    large = torch.get_num_threads()
print(torch.get_num_threads(), large, {pool["num_threads"] for pool in threadpool_info()})
"""


def output_of(code: str, environment: dict[str, str] | None = None) -> str:
    """The output of a separate process."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def threads(**environment: str) -> list[str]:
    kept = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    return output_of(SCRIPT, kept | environment).split(maxsplit=2)


def test_each_computation_has_one_thread_and_a_large_product_all_cores() -> None:
    assert threads() == ["1", str(os.cpu_count()), "{1}"]


def test_the_environment_may_set_another_number_of_threads() -> None:
    small, large, _ = threads(OMP_NUM_THREADS="2")
    assert small == large == "2"


def test_the_warm_up_ends_and_later_collections_skip_the_libraries() -> None:
    code = (
        "import gc\nfrom sslviz.ui import warm_up\nimport sslviz\n"
        "sslviz.METHODS = [m for m in sslviz.METHODS if m.family == 'inductive']\n"
        "warm_up.warm(uncompiled=False)\nprint(gc.get_freeze_count() > 10 * len(gc.get_objects()))"
    )
    assert output_of(code) == "True"


def test_kernels_are_compiled_by_another_process_first(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: done.append(command[1:]))
    monkeypatch.setattr(warm_up, "fit_every_method", lambda: done.append("here"))
    monkeypatch.setattr(warm_up.gc, "freeze", lambda: None)
    warm_up.warm(uncompiled=False)
    warm_up.warm(uncompiled=True)
    assert done == ["here", ["-m", "sslviz.ui.warm_up"], "here"]


def test_kernels_count_as_compiled_until_a_source_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kernel = tmp_path / "kernel.py"
    kernel.write_text("from numba import njit")
    monkeypatch.setattr(sslviz, "__file__", str(tmp_path / "__init__.py"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(warm_up, "fit_every_method", lambda: None)
    assert warm_up.is_uncompiled()
    warm_up.compile_kernels()
    assert not warm_up.is_uncompiled()
    kernel.write_text("from numba import jit")
    assert warm_up.is_uncompiled()
