"""What all sessions of a server share: cores, workers, the cache of stages, compiled code."""

import os
import threading
import time
from functools import cache, partial
from pathlib import Path

from threadpoolctl import threadpool_limits

from sslviz import kept_files
from sslviz.executor import Executor, connect
from sslviz.executor.nursery import import_methods
from sslviz.memo import Memo, set_process_memo
from sslviz.memory_bound import results_bound
from sslviz.paths import cache_folder
from sslviz.ui.once import Once
from sslviz.ui.state.streamlit_internals import session_id
from sslviz.ui.waiting import keep_waiting

WARM_UP_DELAY = 4.0  # seconds: the first page is drawn before the warm-up begins


@cache
def share_cores() -> None:
    """One thread for each computation, unless OMP_NUM_THREADS is set.

    Sessions and the warm-up run at the same time. If each small kernel used all cores, its threads
    would wait for each other: the spectrum of 1000 points takes ten times as long, FLP a hundred
    times. Large matrix products use all cores nevertheless (device.all_cores).
    """
    if "OMP_NUM_THREADS" in os.environ:
        return
    os.environ["SSLVIZ_CORES"] = str(os.cpu_count() or 1)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # for libraries that are not loaded yet, such as torch
    threadpool_limits(1)  # for those that are


@cache
def executor() -> Executor:
    """Where stages and runs are computed: worker processes, or what the environment says."""
    return connect(warm_up="sslviz.ui.warm_up:fit_forkable_methods")


@Once
def memory() -> Memo:
    """The cache of stages of all sessions; expensive ones are kept on disk."""
    found = executor()
    memo = Memo(
        results_bound(),
        folder=Path(cache_folder()) / "stages",
        executor=found,
        on_wait=partial(keep_waiting, found),
        owner=session_id,
    )
    set_process_memo(memo)
    return memo


@Once
def warm_up() -> threading.Thread:
    """Prepare the computations in the background, once, after the first page.

    Workers load the kernels for themselves; this process then imports the libraries only.
    """
    from sslviz.ui.warm_up import is_uncompiled, warm

    if executor().workers:
        thread = threading.Timer(WARM_UP_DELAY, import_methods)
    else:
        thread = threading.Timer(WARM_UP_DELAY, warm, [is_uncompiled()])
    thread.daemon = True
    thread.start()
    return thread


@Once
def compile_descent() -> threading.Thread:
    """Compile nearest-neighbour descent in the background, once, for very large data sets."""

    def compile_it() -> None:
        from sslviz.graph.search.nn_descent import warm

        executor().submit(warm)

    thread = threading.Thread(target=compile_it, daemon=True)
    thread.start()
    return thread


@Once
def keep_tidy() -> threading.Thread:
    """Delete old files of the cache folder now and every hour, in the background."""

    def tidy_hourly() -> None:
        while True:
            kept_files.tidy_all()
            time.sleep(kept_files.HOUR)

    thread = threading.Thread(target=tidy_hourly, daemon=True, name="tidy")
    thread.start()
    return thread
