"""Worker processes for the tests of a session."""

from collections.abc import Iterator

import pytest

from sslviz.executor.processes import ProcessExecutor


@pytest.fixture(scope="session")
def workers() -> Iterator[ProcessExecutor]:
    """Two computations at a time, and one more short one."""
    executor = ProcessExecutor(2)
    executor.submit(len, "ready").result(120)
    yield executor
    executor.close()
