"""The process that workers are forked from: numerical modules are imported once, shared by all.

A fork takes a fraction of a second and shares the memory of the modules, so that a worker that was
killed is soon replaced. Its function `warm_up` imports them, and may load compiled kernels, too.
multiprocessing's fork server would import the main module of the server in each worker, which under
Streamlit is the page; hence a small one of its own. It ends, and all workers with it, when the
server closes the connection or ends.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from sslviz.executor.base import function_of
from sslviz.freed_memory import return_large_blocks

FORK, WARM_UP = b"f", b"w"  # requests
PRELOAD = ("sslviz.memo", "sslviz.executor.worker", "sslviz.executor.results", "sklearn.base")
METHODS = "sslviz.executor.nursery:import_methods"  # what workers load if nothing else is asked for
# One thread for each worker: there are as many workers as cores.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Nursery:
    """The server's end: it starts the process and asks it for workers."""

    def __init__(self, folder: Path, max_bytes: int, stages: str | None, warm_up: str):
        self._settings = json.dumps([warm_up, str(folder), max_bytes, stages])
        self._lock, self._closed = threading.Lock(), False
        self._start()

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
        environment |= dict.fromkeys(ONE_THREAD, "1") | {"SSLVIZ_CORES": "1", "SSLVIZ_WORKERS": "0"}
        command = [
            sys.executable,
            "-m",
            "sslviz.executor.nursery",
            str(theirs.fileno()),
            self._settings,
        ]
        with theirs:
            self._process = subprocess.Popen(
                command, env=environment, pass_fds=[theirs.fileno()], start_new_session=True
            )  # in a session of its own: Ctrl-C in a terminal reaches the server only

    def fork(self) -> tuple[int, Connection]:
        """A new worker: its process id and the connection to it; waits until modules are loaded."""
        with self._lock:
            for _ in range(2):
                if self._closed:
                    break
                ours, theirs = socket.socketpair()
                with theirs, contextlib.suppress(OSError):
                    socket.send_fds(self._control, [FORK], [theirs.fileno()])
                    if pid := self._control.recv(8):
                        return struct.unpack("q", pid)[0], Connection(ours.detach())
                ours.close()
                if not self._closed:
                    self._start()  # it was killed
        raise ConnectionError("the worker processes cannot be started")

    def warm_up(self) -> None:
        """Call the function `warm_up`; workers forked later share what it has loaded."""
        with self._lock, contextlib.suppress(OSError):
            self._control.send(WARM_UP)
            self._control.recv(8)

    def close(self) -> None:
        self._closed = True
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)  # wakes a thread that waits for a worker
        self._control.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()


def main(fd: int, warm_up: str, *settings: Any) -> None:
    """Fork a worker for each request; at the end of the connection, end all of them."""
    control, children = socket.socket(fileno=fd), set[int]()
    return_large_blocks()
    for name in PRELOAD:
        importlib.import_module(name)
    freeze_memory()
    while True:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG)[0]) > 0:
                children.discard(ended)
        message, fds, *_ = socket.recv_fds(control, 1, 1)
        if not message:
            break
        if message == WARM_UP:
            call_quietly(warm_up)
            freeze_memory()
            control.send(struct.pack("q", 0))
            continue
        pid = os.fork()
        if pid == 0:
            control.close()
            from sslviz.executor.worker import begin

            begin(fds[0], *settings)
        os.close(fds[0])
        children.add(pid)
        control.send(struct.pack("q", pid))
    for pid in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def freeze_memory() -> None:
    """Let later collections skip all there is: they would touch, and so copy, the shared pages."""
    gc.collect()
    gc.freeze()


def call_quietly(name: str) -> None:
    """Call the function of a name; workers do without what it would have loaded, if it fails."""
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        if name:
            function_of(name)()


def import_methods() -> None:
    """Import what the methods compute with."""
    import sslviz

    with contextlib.suppress(ImportError):  # a smaller installation
        importlib.import_module("torch")
        importlib.import_module("numba")
        for name in sslviz.__all__:
            getattr(sslviz, name)


if __name__ == "__main__":
    main(int(sys.argv[1]), *json.loads(sys.argv[2]))
