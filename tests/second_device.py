"""A pretend accelerator, for machines that have none: real numbers on a device that is not the CPU.

A kernel is portable when it makes every tensor on the device of its input and comes back to the
CPU only through `.cpu()`. A machine without a GPU cannot see a mistake there, so this module plays
the GPU: inside `with SecondDevice():` a tensor made on, or moved to, the device "meta" is an
`Abroad`, which says that it lives on "meta", holds its numbers in an ordinary CPU tensor, and
refuses what CUDA refuses:

* an operation on tensors of both devices raises RuntimeError, except where CUDA allows it: a tensor
  without dimensions counts as a number, an index may come from the CPU, and a copy is what moves;
* `.numpy()` and `.tolist()` fail without `.cpu()`.

Every operation is the CPU's own, so results are bit-equal to a run on the CPU, and a test may ask
for exactly that. Speed, memory and the missing float64 of some accelerators are not modelled.
"""

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

HERE, ABROAD = torch.device("cpu"), torch.device("meta")
aten = torch.ops.aten
COPIES = {aten._to_copy.default, aten.copy_.default}
INDEXED = {aten.index.Tensor, aten.index_put.default, aten.index_put_.default}


class Abroad(torch.Tensor):
    """A tensor that claims to live on the second device; `numbers` is where it really is."""

    numbers: torch.Tensor

    @staticmethod
    def __new__(cls, numbers: torch.Tensor) -> "Abroad":
        strided = numbers.layout == torch.strided
        self = torch.Tensor._make_wrapper_subclass(
            cls,
            numbers.size(),
            strides=numbers.stride() if strided else None,
            dtype=numbers.dtype,
            layout=numbers.layout,
            device=ABROAD,
            requires_grad=numbers.requires_grad,
        )
        self.numbers = numbers
        return self

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, op: Any, types: Any, args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        return perform(op, args, kwargs or {})


class SecondDevice(TorchDispatchMode):
    """Inside this context, device "meta" computes."""

    def __torch_dispatch__(
        self, op: Any, types: Any, args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        return perform(op, args, kwargs or {})


def perform(op: Any, args: tuple, kwargs: dict) -> Any:
    """Run `op` on the CPU and put the result where a real second device would have put it."""
    tensors = [t for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
    abroad = [t for t in tensors if isinstance(t, Abroad)]
    if any(t.device == ABROAD for t in tensors if not isinstance(t, Abroad)):
        # torch.tensor builds its result out of sight of dispatch modes: the numbers are lost.
        raise RuntimeError(f"{op}: no numbers; use as_tensor instead of tensor, inside the context")
    bound = (args[0], *args[2:]) if op in INDEXED else (args, kwargs)  # an index may be anywhere
    operands = [t for t in tree_leaves(bound) if isinstance(t, torch.Tensor) and t.dim() > 0]
    if len({isinstance(t, Abroad) for t in operands}) == 2 and op not in COPIES:
        raise RuntimeError(f"{op}: operands on the second device and on the CPU")
    if op in INDEXED and abroad and not isinstance(args[0], Abroad):
        raise RuntimeError(f"{op}: a CPU tensor indexed by the second device")
    if op is aten.copy_.default:
        result_abroad = isinstance(args[0], Abroad)
    elif kwargs.get("device") is not None:
        result_abroad = torch.device(kwargs["device"]) == ABROAD
        kwargs = {**kwargs, "device": HERE}
    else:
        result_abroad = bool(abroad)
    # An operation in place returns its own argument: the same object must come back, not a twin.
    originals = {id(t.numbers): t for t in abroad}

    def enter(value: Any) -> Any:
        return value.numbers if isinstance(value, Abroad) else value

    def leave(value: Any) -> Any:
        if not (result_abroad and isinstance(value, torch.Tensor)):
            return value
        return originals[id(value)] if id(value) in originals else Abroad(value)

    return tree_map(leave, op(*tree_map(enter, args), **tree_map(enter, kwargs)))
