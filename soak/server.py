"""The server under load: started on a free port, and measured with all its worker processes."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parents[1]
OPTIONS = """--server.headless true --server.fileWatcherType none --server.address 127.0.0.1
    --browser.gatherUsageStats false --global.developmentMode false""".split()


class Server:
    """A running server: its address, and its processes if it runs on this machine."""

    def __init__(self, url: str, pid: int | None = None) -> None:
        self.url = url.rstrip("/")
        self.process = psutil.Process(pid) if pid else None
        self._cpu: dict[int, float] = {}  # by process, so that ended workers still count

    def measure(self) -> dict[str, Any]:
        """Memory in MB (shared pages counted once), CPU seconds so far, number of processes."""
        if self.process is None:
            return {}
        memory, count = 0.0, 0
        try:
            processes = [self.process, *self.process.children(recursive=True)]
        except psutil.Error:
            processes = []
        for process in processes:
            try:
                times = process.cpu_times()
                self._cpu[process.pid] = times.user + times.system
                memory += _memory(process)
                count += 1
            except psutil.Error:
                continue  # it ended just now
        return {"memory": memory, "cpu": sum(self._cpu.values()), "processes": count}


def _memory(process: psutil.Process) -> float:
    """Megabytes; pages shared with other processes are divided among them where that is known."""
    full = process.memory_full_info()
    return float(getattr(full, "pss", 0) or full.rss) / 1e6


@contextmanager
def start_server(
    root: Path = ROOT, log_file: Path | None = None, **environment: str
) -> Iterator[Server]:
    """The app on a free port with an empty cache, while the block lasts; its log is kept."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(root / "app.py"), *OPTIONS]
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        more = {"PYTHONPATH": str(root), "SSLVIZ_CACHE": f"{folder}/cache"} | environment
        with open(log_file or f"{folder}/log", "w+") as log:
            process = subprocess.Popen(
                [*command, "--server.port", str(port)],
                cwd=root,
                env=os.environ | more,
                stdout=log,
                stderr=log,
            )
            try:
                url = f"http://127.0.0.1:{port}"
                _wait(url, process, Path(log.name))
                yield Server(url, process.pid)
            finally:
                _end(process)


def _wait(url: str, process: subprocess.Popen, log: Path, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended: {log.read_text()[-2000:]}")
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=1).close()
            return
        except OSError:
            time.sleep(0.02)
    raise RuntimeError(f"the server did not answer at {url} within {seconds:.0f} s")


def _end(process: subprocess.Popen) -> None:
    """End the server and the workers it started."""
    try:
        children = psutil.Process(process.pid).children(recursive=True)
    except psutil.Error:
        children = []
    process.kill()
    process.wait()
    for child in children:
        try:
            child.kill()
        except psutil.Error:
            continue
