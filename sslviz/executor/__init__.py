"""Where computations run: in this thread, in worker processes, or on a Dask cluster.

`connect()` gives an executor; `Memo` takes one for its stages, the app for its runs, `bench` and
`table` for their cells. All have one interface (base.py).
"""

import os

from sslviz.executor.base import Executor as Executor
from sslviz.executor.base import HostEvicted as HostEvicted
from sslviz.executor.base import WorkerLost as WorkerLost


def connect(
    address: str | None = None, workers: int | None = None, warm_up: str | None = None
) -> Executor:
    """The executor that the arguments or the environment ask for.

    An `address` such as tcp://host:8786 (else $SSLVIZ_SCHEDULER) is that of a Dask scheduler.
    Otherwise `workers` processes (else $SSLVIZ_WORKERS, else one per core) are started here; with 0
    everything runs in the calling thread. `warm_up` names a function "module:name" that loads
    what workers share; by default it imports the methods.
    """
    address = address or os.environ.get("SSLVIZ_SCHEDULER") or None
    if address:
        from sslviz.executor.cluster import ClusterExecutor

        return ClusterExecutor(address)
    if workers is None:
        workers = int(os.environ.get("SSLVIZ_WORKERS") or usable_cores())
    if workers <= 0 or not hasattr(os, "fork"):
        from sslviz.executor.inline import InlineExecutor

        return InlineExecutor()
    from sslviz.executor.nursery import METHODS
    from sslviz.executor.processes import ProcessExecutor

    return ProcessExecutor(workers, warm_up=METHODS if warm_up is None else warm_up)


def usable_cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
