"""How much memory a run takes: what a message with its snapshot would hold, arrays counted once."""

import io
import pickle
from typing import Any

import numpy as np


class _Counter(pickle.Pickler):
    """Counts the bytes of arrays; everything else is written."""

    def __init__(self, target: io.BytesIO):
        super().__init__(target, protocol=5)
        self.arrays = 0

    def reducer_override(self, value: Any) -> Any:
        if type(value) not in (np.ndarray, np.memmap) or value.dtype.hasobject:
            return NotImplemented
        self.arrays += value.nbytes
        return int, ()


def bytes_of_run(run: Any) -> int:
    """Bytes of a run that takes no steps any more; 0 if it cannot be sent, and so not measured."""
    target = io.BytesIO()
    counter = _Counter(target)
    try:
        counter.dump(run)
    except Exception:  # of whatever the run holds
        return 0
    return counter.arrays + target.tell()
