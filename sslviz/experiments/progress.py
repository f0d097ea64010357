"""A line that says how far a long run is and how long it may still take.

On a terminal the line is drawn over itself; elsewhere, in a log, a new one appears now and then.
"""

from time import monotonic
from typing import TextIO

WIDTH = 30  # characters of the bar
QUIET = 15.0  # seconds between two lines of a log


class Progress:
    """Counts cells of known number; `stream` is where the line goes."""

    def __init__(self, total: int, stream: TextIO):
        self.total, self.stream = total, stream
        self.done = 0
        self.start = self.last = monotonic()

    def step(self, what: str) -> None:
        """One more cell is done, namely `what`."""
        self.done += 1
        now = monotonic()
        if self.stream.isatty():
            self.stream.write(f"\r\x1b[K{self.line(what, now)}")
            self.stream.write("\n" if self.done == self.total else "")
        elif now - self.last >= QUIET or self.done == self.total:
            self.stream.write(f"{self.line(what, now)}\n")
            self.last = now
        self.stream.flush()

    def line(self, what: str, now: float) -> str:
        filled = WIDTH * self.done // self.total
        left = (now - self.start) / self.done * (self.total - self.done)
        bar = "#" * filled + "." * (WIDTH - filled)
        return f"[{bar}] {self.done}/{self.total}, {clock(left)} left, {what}"


def clock(seconds: float) -> str:
    """42 s, 3 min 05 s, 2 h 10 min."""
    s = round(seconds)
    if s < 60:
        return f"{s} s"
    if s < 3600:
        return f"{s // 60} min {s % 60:02} s"
    return f"{s // 3600} h {s % 3600 // 60:02} min"
