"""A server gives one thread to each computation, and all cores to large products."""

import os
import subprocess
import sys
from pathlib import Path

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


def threads(**environment: str) -> list[str]:
    kept = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=kept | environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split(maxsplit=2)


def test_each_computation_has_one_thread_and_a_large_product_all_cores() -> None:
    assert threads() == ["1", str(os.cpu_count()), "{1}\n"]


def test_whoever_starts_the_server_decides() -> None:
    small, large, _ = threads(OMP_NUM_THREADS="2")
    assert small == large == "2"


def test_the_warming_comes_to_its_end() -> None:
    code = (
        "from sslviz.ui import server\nimport sslviz\n"
        "sslviz.METHODS = [m for m in sslviz.METHODS if m.family == 'inductive']\n"
        "server._fit_something()\nprint('warm')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "warm", done.stderr


def test_collections_after_the_warming_leave_the_libraries_alone() -> None:
    code = (
        "import gc\nfrom sslviz.ui import server\nimport sslviz\n"
        "sslviz.METHODS = (sslviz.LabelPropagation,)\nimport torch\nserver._fit_something()\n"
        "print(gc.get_freeze_count() > 10 * len(gc.get_objects()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "True"
