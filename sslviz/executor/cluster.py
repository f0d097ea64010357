"""The executor of a Dask cluster: workers of any machine, which need this package and the data."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

RETRIES = 2  # of a call that fails because of its worker
PATIENCE = 10.0  # seconds for the scheduler to answer


class ClusterExecutor:
    ready = True

    def __init__(self, address: str):
        from distributed import Client

        try:
            self._client = Client(address, timeout=PATIENCE, set_as_default=False)
        except OSError as error:
            raise ConnectionError(f"no Dask scheduler answers at {address}") from error
        self._calls = self._client.get_executor(pure=False, retries=RETRIES)

    @property
    def workers(self) -> int:
        return sum(self._client.nthreads().values())

    def submit(self, func: Callable[..., Any], /, *args: Any, owner: str = "", **kw: Any) -> Future:
        return self._calls.submit(func, *args, **kw)

    def close(self) -> None:
        self._calls.shutdown(wait=False)
        self._client.close()
