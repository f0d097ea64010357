"""The progress line of long runs."""

import io

from sslviz.experiments.progress import Progress, clock


def test_progress_says_how_far_and_how_long_also_without_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    log, terminal = io.StringIO(), Terminal()
    for stream in (log, terminal):
        progress = Progress(4, stream)
        for _ in range(4):
            progress.step("moons")
    assert log.getvalue() == f"[{'#' * 30}] 4/4, 0 s left, moons\n"
    assert terminal.getvalue().count("\r") == 4 and terminal.getvalue().endswith("\n")
    half = Progress(4, log)
    half.done = 1
    assert "1/4, 30 s left" in half.line("moons", half.start + 10)
    assert [clock(s) for s in (5, 185, 7800)] == ["5 s", "3 min 05 s", "2 h 10 min"]
