"""A sweep on worker processes that is stopped, in whatever way, continues where it was."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sslviz.__main__ import main

COMMAND = "bench --methods SSDR LapRLS --datasets iris wine --labels 3 --seeds 4".split()
CELLS, STORED = 16, 5
STOPPED = """
import os, signal, sys
from sslviz.__main__ import main
from sslviz.experiments import result_files

write, count = result_files.write, 0

def stop_after_some(*arguments):
    global count
    write(*arguments)
    count += 1
    if count == int(sys.argv[2]):
        os.kill(os.getpid(), int(sys.argv[1]))

result_files.write = stop_after_some
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where a shell runs tests with &
sys.exit(main(sys.argv[3:]))
"""


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_sweep_computes_only_what_is_missing(
    stop: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    command = [*COMMAND, "--out", str(tmp_path / "out")]
    script = [sys.executable, "-c", STOPPED, str(int(stop)), str(STORED), *command]
    done = subprocess.run([*script, "--workers", "2"], capture_output=True, text=True, timeout=300)
    if stop == signal.SIGINT:
        assert done.returncode == 130 and "the same command continues" in done.stdout
    else:
        assert done.returncode == -signal.SIGKILL
    stored = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.json")}
    assert len(stored) == STORED, done.stderr

    assert main(command) == 0
    out, err = capsys.readouterr()
    assert f"{CELLS - STORED}/{CELLS - STORED}" in err, "of the others none is computed"
    assert [line.split()[-1] for line in out.splitlines() if re.search("SSDR|LapRLS", line)] == [
        "4"
    ] * 4, "all draws are there"
    assert all(path.stat().st_mtime_ns == written for path, written in stored.items())
    assert len(list((tmp_path / "out").iterdir())) == CELLS
