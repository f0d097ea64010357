"""What a request may take of the server's memory; one that needs more is refused before it starts.

The server holds at most, besides its libraries (about 0.6 GB): results of stages `results_bound()`,
a 64th of the machine's memory (memo.py), and as much again in the files that it shares with its
workers; one request `request_bound()`, by default 8 GB and never more than is free; each of the two
processes that read visitors' files 2 GB (data/uploads/isolated.py). A matrix of all pairs of n
points takes 8 n² bytes: 3 GB for 20 000 points, 39 GB for 70 000.
"""

import os

GB = 2**30
DEFAULT_REQUEST_GB = 8.0
SHARE_OF_FREE = 0.8  # of the memory that is free now
RESULTS_SHARE = 1 / 64  # of the machine's memory
FEWEST_RESULTS, MOST_RESULTS = 0.25 * GB, 2 * GB


def results_bound() -> int:
    """Bytes of results that a server keeps: $SSLVIZ_RESULTS_GB, or a share of the machine."""
    try:
        return int(float(os.environ["SSLVIZ_RESULTS_GB"]) * GB)
    except (KeyError, ValueError):
        share = RESULTS_SHARE * _machine_bytes("MemTotal", 16.0 * GB)
        return int(min(max(share, FEWEST_RESULTS), MOST_RESULTS))


def request_bound() -> float:
    """Bytes that one request may take: $SSLVIZ_REQUEST_GB, and not more than is free."""
    try:
        stated = float(os.environ.get("SSLVIZ_REQUEST_GB", DEFAULT_REQUEST_GB)) * GB
    except ValueError:
        stated = DEFAULT_REQUEST_GB * GB
    return min(stated, SHARE_OF_FREE * free_bytes())


def free_bytes() -> float:
    """Memory that is available now; infinite where the system does not say."""
    return _machine_bytes("MemAvailable", float("inf"))


def _machine_bytes(fact: str, unknown: float) -> float:
    """A line of the system's account of its memory."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            facts = dict(line.split(":", 1) for line in file)
        return int(facts[fact].split()[0]) * 1024.0
    except (OSError, KeyError, ValueError, IndexError):
        return unknown


def check_bytes(what: str, estimate: float) -> None:
    """Refuse what takes more than a request may, with the estimate and the bound."""
    bound = request_bound()
    if estimate > bound:
        raise ValueError(
            f"{what} would take about {estimate / GB:,.1f} GB of memory; this server allows "
            f"{bound / GB:,.1f} GB for one request. Take fewer points under “Data options”."
        )
