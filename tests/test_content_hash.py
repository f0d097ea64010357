"""Equal content, equal name; and a name is computed once for what nobody can change."""

import gc
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from sslviz import content_hash as module
from sslviz.content_hash import digest, freeze, is_frozen


@pytest.fixture
def contents(monkeypatch: pytest.MonkeyPatch) -> list[np.ndarray]:
    """The arrays whose content was hashed since the test began."""
    seen: list[np.ndarray] = []
    hashed = module._hash_array

    def counted(a: np.ndarray) -> str:
        seen.append(a)
        return hashed(a)

    monkeypatch.setattr(module, "_hash_array", counted)
    return seen


def frozen(a: np.ndarray) -> np.ndarray:
    a.flags.writeable = False
    return a


DIFFERENT: list[Any] = [
    None,
    True,
    1,
    1.0,
    "1",
    b"1",
    1j,
    "a;b",
    ("a", "b"),
    ["a", "b"],
    ("a;b",),
    (("a",), "b"),
    {},
    {1: 2},
    {"1": 2},
    {"1": "2"},
    np.zeros(4),
    np.zeros(4, np.float32),
    np.zeros(4, np.int64),
    np.zeros((2, 2)),
    np.zeros((4, 1)),
    np.zeros(0),
    np.zeros((0, 2)),
    np.array(0.0),
    np.zeros(4, ">f8"),
    np.zeros(4, complex),
    np.array(["a", "b"]),
    sparse.csr_array((2, 2)),
    sparse.csr_array((2, 3)),
    sparse.csr_array(np.eye(2)),
]


def test_unequal_values_have_unequal_names() -> None:
    names = [digest(value) for value in DIFFERENT]
    assert len(set(names)) == len(DIFFERENT)


def test_equal_values_have_equal_names() -> None:
    rng = np.random.default_rng(0)
    A = rng.normal(size=(5, 7))
    assert digest(A) == digest(A.copy()) == digest(np.asfortranarray(A)) == digest(A[::-1][::-1])
    assert digest(np.int64(3)) == digest(3) and digest(np.float64(0.5)) == digest(0.5)
    assert digest({"a": 1, "b": A}) == digest({"b": A.copy(), "a": 1})
    W = sparse.random_array((9, 9), density=0.3, rng=rng, format="csr")
    assert digest(W) == digest(W.copy()) == digest(sparse.csr_matrix(W)) == digest(W.tocsc())


def test_one_changed_bit_of_a_large_array_changes_the_name() -> None:
    A = np.zeros(1_000_003)
    before = digest(A)
    for at in (0, 1, 500_001, -1):
        A[at] = 5e-324
        assert digest(A) != before
        A[at] = 0
    assert digest(A) == before


def test_grouping_is_part_of_the_name() -> None:
    assert digest(1, 2) != digest((1, 2)) != digest([1, 2])
    assert digest("a", "b") != digest("ab") and digest() != digest(())


@pytest.mark.parametrize("value", [object(), {1, 2}, np.array([{}]), [object()], len])
def test_what_has_no_stable_content_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="no stable content"):
        digest(value)


def test_frozen_arrays_are_hashed_once(contents: list[np.ndarray]) -> None:
    A = frozen(np.arange(10.0))
    part = A[2:5]
    assert digest(A) == digest(A) and len(contents) == 1
    assert digest(part) == digest(part) != digest(A) and len(contents) == 2
    W = freeze(sparse.csr_array(np.eye(3)))
    assert digest(W) == digest(W) and len(contents) == 5


def test_arrays_that_can_be_written_to_are_hashed_every_time(contents: list[np.ndarray]) -> None:
    A = np.arange(10.0)
    view = frozen(A[:5])  # read-only itself, but its owner is not
    before = digest(view)
    A[0] = 7
    assert digest(view) != before and len(contents) == 2


def test_a_new_array_never_inherits_the_name_of_a_dead_one(contents: list[np.ndarray]) -> None:
    for i in range(100):  # the memory of one is the memory of the next
        assert digest(frozen(np.full(3, i))) == digest(np.full(3, i))
    contents.clear()
    gc.collect()
    assert all(ref() is not None for ref, _ in module._known.values())


def test_freezing_leaves_no_way_to_write() -> None:
    W = sparse.csr_array(np.eye(3))
    base = np.arange(6.0)
    result = freeze((base[:3], np.ones(2), W, "word"))
    assert all(is_frozen(a) for a in (*result[:2], W.data, W.indices, W.indptr))
    assert base.flags.writeable and not np.shares_memory(result[0], base)
    with pytest.raises(ValueError, match="read-only"):
        result[1][0] = 5


def test_memory_owned_by_something_else_is_not_called_frozen() -> None:
    assert not is_frozen(np.frombuffer(bytearray(8), np.uint8))
    assert is_frozen(freeze(np.frombuffer(bytearray(8), np.uint8)))
