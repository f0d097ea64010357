"""The pretend device refuses what a real one refuses, and computes like the CPU otherwise."""

import numpy as np
import pytest
import torch
from second_device import SecondDevice


def test_operands_of_two_devices_do_not_mix() -> None:
    with SecondDevice():
        there, here = torch.arange(3.0, device="meta"), torch.arange(3.0)
        with pytest.raises(RuntimeError, match="second device and on the CPU"):
            there + here
        with pytest.raises(RuntimeError, match="second device and on the CPU"):
            there.index_put_((torch.tensor([0, 2]),), here[:2])
        with pytest.raises(RuntimeError, match="CPU tensor indexed"):
            here.index_put_((torch.arange(2, device="meta"),), here[:2])


def test_a_tensor_whose_numbers_would_be_lost_is_refused() -> None:
    with SecondDevice(), pytest.raises(RuntimeError, match="use as_tensor"):
        torch.tensor([1.0, 2.0], device="meta") + 1


def test_what_a_graphics_card_allows_is_allowed() -> None:
    with SecondDevice():
        there = torch.arange(3.0).to("meta")
        total = (there * torch.tensor(2.0))[torch.tensor([2, 1])].sum()
        assert there.device.type == total.device.type == "meta"
        assert float(total) == 6.0


def test_numbers_come_back_through_the_cpu_only() -> None:
    with SecondDevice():
        there = torch.ones(2, 2, device="meta") @ torch.ones(2, 1, device="meta")
        with pytest.raises(RuntimeError):
            there.numpy()
        np.testing.assert_array_equal(there.cpu().numpy(), [[2.0], [2.0]])


def test_an_operation_in_place_changes_the_tensor_itself() -> None:
    with SecondDevice():
        there = torch.zeros(3, device="meta")
        same = there.add_(1.0)
        assert same is there and there.cpu().tolist() == [1.0, 1.0, 1.0]
