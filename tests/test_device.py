"""The border between numpy and torch: nothing lost, nothing shared that must not be written to."""

import numpy as np
import pytest
import torch
from scipy import sparse
from second_device import SecondDevice

from sslviz.device import all_cores, one_thread, pick_device, to_numpy, to_torch

CPU = torch.device("cpu")


def test_auto_is_the_best_there_is() -> None:
    expected = "cuda" if torch.cuda.is_available() else "cpu"
    assert pick_device("auto").type == expected
    assert pick_device("cpu") == pick_device(CPU) == CPU


@pytest.mark.parametrize("name", ["nonsense", "gpu", "", None, 1.5, "cuda:4096"])
def test_a_device_that_does_not_exist_is_named(name: object) -> None:
    with pytest.raises(ValueError, match="device="):
        pick_device(name)  # type: ignore[arg-type]


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a CUDA device")
def test_a_missing_graphics_card_is_said_before_the_work_begins() -> None:
    with pytest.raises(ValueError, match="device='cuda': this machine has 0"):
        pick_device("cuda")


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_arrays_come_back_as_they_went(dtype: type) -> None:
    A: np.ndarray = np.arange(12).reshape(3, 4).astype(dtype)
    for array in (A, A.T, A[::-1], A[:, ::2], np.asfortranarray(A)):
        back = to_numpy(to_torch(array, CPU))
        assert back.dtype == dtype
        np.testing.assert_array_equal(back, array)


def test_a_type_can_be_asked_for() -> None:
    assert to_torch(np.arange(3), CPU, torch.float32).dtype == torch.float32
    assert to_torch(sparse.csr_array(np.eye(2)), CPU, torch.float32).dtype == torch.float32


@pytest.mark.filterwarnings("error")
def test_read_only_arrays_are_copied_not_exposed() -> None:
    A = np.ones(3)
    A.flags.writeable = False
    to_torch(A, CPU).mul_(5)
    assert (A == 1).all()


@pytest.mark.filterwarnings("error")
def test_sparse_matrices_keep_their_stored_zeros() -> None:
    W = sparse.csr_array((np.array([0.0, 2.0, 3.0]), [1, 0, 2], [0, 1, 3, 3]), shape=(3, 3))
    T = to_torch(W, CPU)
    assert T.layout == torch.sparse_csr and T.values().tolist() == [0.0, 2.0, 3.0]
    B = np.random.default_rng(0).normal(size=(3, 2))
    np.testing.assert_allclose(to_numpy(T @ to_torch(B, CPU)), W @ B)


def test_numbers_travel_to_a_second_device_and_back() -> None:
    W, B = sparse.random_array((20, 20), density=0.2, rng=0, format="csr"), np.ones((20, 2))
    with SecondDevice():
        there = to_torch(W, pick_device("meta")) @ to_torch(B, pick_device("meta"))
        assert there.device.type == "meta"
        np.testing.assert_allclose(to_numpy(there), W @ B)


def test_gradients_are_left_behind() -> None:
    t = torch.ones(2, requires_grad=True)
    assert to_numpy(t * 2).tolist() == [2, 2]


def test_threads_are_set_inside_and_as_before_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    before = torch.get_num_threads()
    with all_cores():
        assert torch.get_num_threads() == before
    monkeypatch.setenv("SSLVIZ_CORES", "3")
    with pytest.raises(KeyError), all_cores():
        assert torch.get_num_threads() == 3
        with one_thread():
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 3
        raise KeyError
    assert torch.get_num_threads() == before
