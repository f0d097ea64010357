"""Work in processes: the same results, ended when unwanted, repeated when a worker dies."""

import operator
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import CancelledError, wait
from pathlib import Path

import numpy as np
import pytest
import torch
import worker_stages as ws
from worker_stages import is_alive, lines, until

from sslviz.executor import WorkerLost, connect
from sslviz.executor.arrays import ArrayFiles, new_folder, remove_folder
from sslviz.executor.base import is_named
from sslviz.executor.processes import ProcessExecutor
from sslviz.executor.results import ResultFiles

SECONDS = 60


def test_a_function_runs_in_another_process_and_its_error_comes_back(workers: ProcessExecutor):
    assert workers.submit(os.getpid).result(SECONDS) != os.getpid()
    with pytest.raises(ValueError, match="as it was raised") as caught:
        workers.submit(ws.fail, "as it was raised").result(SECONDS)
    assert "In a worker process" in caught.value.__notes__[0]


def test_only_functions_of_modules_are_taken(workers: ProcessExecutor):
    assert is_named(ws.noted) and not is_named(lambda: 0)
    with pytest.raises(ValueError, match="not a function of a module"):
        workers.submit(lambda: 0)


def test_the_environment_chooses_the_executor(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SSLVIZ_WORKERS", "0")
    inline = connect()
    assert inline.workers == 0 and inline.submit(os.getpid).result() == os.getpid()
    assert not inline.takes(os.getpid, (), {})


def test_waiting_and_running_work_can_be_ended(workers: ProcessExecutor, tmp_path: Path):
    trace, gate = tmp_path / "trace", tmp_path / "gate"
    running = [workers.submit(ws.noted, str(trace), str(gate), 1) for _ in range(3)]
    until(lambda: len(lines(trace)) == 3)
    waiting = workers.submit(ws.note, str(tmp_path / "never"))
    place, _ = workers.place(waiting)
    assert place == 1 and waiting.cancel()
    for task in running:
        assert task.cancel()
        with pytest.raises(CancelledError):
            task.result(SECONDS)
    until(lambda: not any(is_alive(int(pid)) for pid in lines(trace)))
    assert workers.submit(len, "on").result(SECONDS) == 2, "killed workers are replaced"
    assert not (tmp_path / "never").exists() and not running[0].cancel()


def test_work_of_a_killed_worker_is_repeated_once(workers: ProcessExecutor, tmp_path: Path):
    trace = tmp_path / "trace"
    task = workers.submit(ws.hang_at_first, str(trace), str(tmp_path / "gate"))
    until(lambda: lines(trace))
    os.kill(int(lines(trace)[0]), signal.SIGKILL)
    assert task.result(SECONDS) == "right" and len(set(lines(trace))) == 2
    with pytest.raises(WorkerLost, match="ended twice by the operating system"):
        workers.submit(ws.end_itself).result(SECONDS)


def test_workers_killed_all_at_once_cost_a_task_that_had_not_begun_nothing(
    workers: ProcessExecutor,
):
    until(lambda: sum(not p.host for p in workers._processes) == 3)
    with workers._lock:  # their end is noticed later
        killed = [p.pid for p in workers._processes if not p.host]
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        until(lambda: not any(is_alive(pid) for pid in killed))
        task = workers.submit(os.getpid)
    assert task.result(SECONDS) not in killed


def test_a_long_message_comes_in_a_file_that_is_deleted(workers: ProcessExecutor):
    text = workers.submit(operator.mul, "x", 10**6).result(SECONDS)
    assert len(text) == 10**6 and not list(workers.files.folder.glob("*.msg"))


def test_views_of_a_tensor_cross_with_their_storage_once(tmp_path: Path):
    files, theta = ArrayFiles(tmp_path, 10**6), torch.arange(10_000.0)
    views = [theta[i::20].view(20, 25).T for i in range(20)] + [torch.zeros(()), torch.zeros(0, 3)]
    message = files.dumps((theta, [view.detach().requires_grad_() for view in views]))
    whole, parts = pickle.loads(message)
    assert len(message) < 2 * theta.nbytes
    for part, view in zip(parts, views, strict=True):
        assert torch.equal(part, view) and part.requires_grad
    whole[0] = 7.0
    assert parts[0][0, 0] == 7.0, "they share their numbers"


def test_large_arrays_cross_once_as_files(workers: ProcessExecutor):
    x = np.random.default_rng(0).normal(size=(300, 1000))
    x.flags.writeable = False
    before = {p.name for p in workers.files.folder.glob("*.npy")}
    tasks = [workers.submit(np.negative, x) for _ in range(3)]
    assert all(len(task.message) < 1000 for task in tasks)
    results = [task.result(SECONDS) for task in tasks]
    assert all(np.array_equal(r, -x) and not r.flags.writeable for r in results)
    files = {p.name for p in workers.files.folder.glob("*.npy")} - before
    assert len(files) == 2, "one file for x and one for −x, whoever wrote it"
    columns = np.asfortranarray(x)
    assert workers.submit(np.asanyarray, columns).result(SECONDS).flags.f_contiguous


def test_without_a_place_for_files_work_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "cache").write_text("in place of the folder")
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "other"))
    folder = new_folder(max_bytes=2**60)  # more than the shared memory has
    assert tmp_path / "other" in folder.parents and folder.is_dir()
    remove_folder(folder)
    results = ResultFiles(ArrayFiles(folder, 10**6))
    with results.turn("key"):
        assert results.write("key", 1) == 1
    assert results.read("key") == (False, None)


def test_an_object_lives_in_a_process_of_its_own(workers: ProcessExecutor):
    host = workers.host(list, "ab")
    host.call("append", "c")
    assert host.call("index", "c").result(SECONDS) == 2
    host.close()
    with pytest.raises(WorkerLost):
        for _ in range(1000):  # until its end is noticed
            host.call("index", "c").result(SECONDS)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes in /proc")
def test_workers_end_with_the_server_however_it_ends():
    code = (
        "import os, time\nfrom sslviz.executor.processes import ProcessExecutor\n"
        "e = ProcessExecutor(1, warm_up='')\nbusy = e.submit(time.sleep, 60)\n"
        "print(e.submit(os.getpid).result(), e._nursery._process.pid, e.files.folder, flush=True)\n"
        "time.sleep(60)"
    )
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    worker, nursery, folder = server.stdout.readline().split()
    assert is_alive(int(worker)) and is_alive(int(nursery)) and Path(folder).exists()
    server.kill()
    server.wait()
    until(lambda: not is_alive(int(worker)) and not is_alive(int(nursery)))
    again = ProcessExecutor(1, warm_up="")
    assert not Path(folder).exists(), "what a killed server has left is deleted at the next start"
    again.close()


def test_closing_ends_all_and_deletes_the_files(workers: ProcessExecutor, tmp_path: Path):
    executor = ProcessExecutor(1, warm_up="")
    folder, task = (
        executor.files.folder,
        executor.submit(ws.noted, *map(str, (tmp_path / "a", 1)), 1),
    )
    executor.close()
    wait([task], SECONDS)
    assert not folder.exists() and isinstance(task.exception(), CancelledError)
