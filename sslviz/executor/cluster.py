"""The executor of a Dask cluster: workers of any machine, which need this package and the data.

A call whose worker is lost goes to another one. Workers may join and leave at any time.
"""

import socket
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

PATIENCE = 10.0  # seconds for the scheduler to answer
RETRIES = 2  # of a call that fails because of its worker


class ClusterExecutor:
    """Calls to the workers of the Dask scheduler at an address such as tcp://host:8786."""

    ready = True

    def __init__(self, address: str):
        from distributed import Client

        _check_port(address)  # at once; a Client that found nobody would keep the process from ending
        try:
            self._client = Client(address, timeout=PATIENCE, set_as_default=False)
        except OSError as error:
            raise ConnectionError(f"no Dask scheduler answers at {address}") from error
        self._calls = self._client.get_executor(pure=False, retries=RETRIES)

    @property
    def workers(self) -> int:
        """Threads of all workers that are there now."""
        return sum(self._client.nthreads().values())

    def submit(self, func: Callable[..., Any], /, *args: Any, owner: str = "", **kw: Any) -> Future:
        return self._calls.submit(func, *args, **kw)

    def close(self) -> None:
        """Give up calls that are not finished and leave the cluster."""
        self._calls.shutdown(wait=False)
        self._client.close(timeout=PATIENCE)


def _check_port(address: str) -> None:
    from distributed.comm.addressing import parse_address, parse_host_port

    host, port = parse_host_port(parse_address(address)[1], 8786)
    try:
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except OSError as error:
        raise ConnectionError(f"no Dask scheduler answers at {address}: {error.strerror}") from error
