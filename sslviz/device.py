"""Devices: conversion between numpy and CSR outside, and torch tensors inside kernels.

Kernels take tensors, create others from them (`new_zeros`, `device=X.device`) and know no device
name. Importing this module imports torch, so only kernels and the methods that use them do.
"""

import os
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np
from scipy import sparse

# Waiting threads must sleep, not spin: on a busy server spinning takes ten times as long. Read by
# the thread library when torch loads it.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import torch

with warnings.catch_warnings():  # torch warns once that CSR support is in beta
    warnings.simplefilter("ignore")
    torch.eye(1).to_sparse_csr()


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Let torch use `count` threads inside the block."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def one_thread() -> AbstractContextManager[None]:
    """One thread, for many small kernels: waiting for a second can take a hundred times longer."""
    return threads(1)


def all_cores() -> AbstractContextManager[None]:
    """$SSLVIZ_CORES threads, for large products on a server that uses one thread otherwise."""
    return threads(int(os.environ.get("SSLVIZ_CORES", torch.get_num_threads())))


def pick_device(name: str | torch.device) -> torch.device:
    """The torch device of a name; `auto` is the GPU if there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except (RuntimeError, TypeError) as error:
        raise ValueError(f"device={name!r} is not 'auto', 'cpu', 'cuda' or 'cuda:N'") from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise ValueError(
            f"device={name!r}: this machine has {torch.cuda.device_count()} CUDA devices"
        )
    return device


def to_torch(x: Any, device: torch.device, dtype: torch.dtype | None = None) -> torch.Tensor:
    """Dense array or CSR matrix to a tensor on `device`; read-only arrays are never written to."""
    if sparse.issparse(x):
        starts, columns = (to_torch(i.astype(np.int64), device) for i in (x.indptr, x.indices))
        values = to_torch(x.data, device, dtype)
        return torch.sparse_csr_tensor(starts, columns, values, x.shape, check_invariants=False)
    x = np.ascontiguousarray(x)
    if not x.flags.writeable:
        x = x.copy()  # torch has no read-only tensors and would warn
    return torch.as_tensor(x, device=device, dtype=dtype)


def to_numpy(t: torch.Tensor) -> np.ndarray:
    """A tensor of any device as an array."""
    return t.detach().cpu().numpy()
