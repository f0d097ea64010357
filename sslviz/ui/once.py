"""Objects that all sessions of a server share, made once.

`st.cache_resource` would do the same, but any browser can ask the server to empty it (the message
"clear_cache" of Streamlit's protocol), and everybody's results would be lost.
"""

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """A function without arguments whose result is made by the first call and kept."""

    def __init__(self, make: Callable[[], T]):
        self._make = make
        self._lock = threading.RLock()
        self._made: list[Any] = []

    def __call__(self) -> T:
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            made: T = self._made[0]
            return made

    def clear(self) -> None:
        """Forget the object; the next call makes another."""
        with self._lock:
            self._made.clear()
