"""A Dask cluster on this machine, started as README says: a scheduler and single workers."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
DASK = Path(sys.executable).with_name("dask")
PATIENCE = 60.0  # seconds for the scheduler to open its port, on a busy machine


@contextmanager
def process(arguments: Sequence[str | Path], log: Path) -> Iterator[subprocess.Popen]:
    """A program that is ended with the block, with all that it has started."""
    paths = os.pathsep.join([str(TOP), str(TOP / "tests")])
    with log.open("w") as output:
        started = subprocess.Popen(
            [str(argument) for argument in arguments],
            cwd=log.parent,
            env=os.environ | {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
            stdout=output,
            stderr=output,
        )
    try:
        yield started
    finally:
        started.kill()
        started.wait()


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """Address of a scheduler, and its worker processes."""
    with ExitStack() as stack:
        dask = [
            DASK,
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--dashboard-address",
            "127.0.0.1:0",
        ]
        log = folder / "scheduler.log"
        scheduler = stack.enter_context(process(dask, log))
        address = _address(scheduler, log)
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        started = [
            stack.enter_context(
                process([DASK, "worker", address, *options], folder / f"worker-{number}.log")
            )
            for number in range(workers)
        ]
        yield address, started


def _address(scheduler: subprocess.Popen, log: Path) -> str:
    """Read from what the scheduler prints once it listens."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and scheduler.poll() is None:
        for line in log.read_text().splitlines():
            if "Scheduler at:" in line:
                return line.split()[-1]
        time.sleep(0.05)
    raise TimeoutError(f"the scheduler does not listen:\n{log.read_text()}")
