"""The doubling cover: what it promises at every step, and the algorithm spelt out in loops."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from stream.oracles import Cover, assert_same

from sslviz import DoublingCover, data

MERGES = ("doubling", "lazy")
both = pytest.mark.parametrize("merge", MERGES)


def clouds(d: int, n: int = 400, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d))


def assert_promises(cover: DoublingCover, X: np.ndarray, owner: np.ndarray) -> None:
    """`owner` (n,) is the index of the centroid of every point X seen so far."""
    C, R, D = cover.centroids_, cover.radius_, cover.distances_
    assert len(C) <= cover.capacity
    assert cover.multiplicities_.sum() == len(X) == cover.n_seen_
    np.testing.assert_array_equal(np.bincount(owner, minlength=len(C)), cover.multiplicities_)
    np.testing.assert_array_equal(C, X[cover.births_])
    assert (np.diff(cover.births_) > 0).all()
    np.testing.assert_allclose(D, np.linalg.norm(C[:, None] - C, axis=2), rtol=1e-12, atol=1e-300)
    assert (np.linalg.norm(X - C[owner], axis=1) <= 2 * R * (1 + 1e-12)).all()
    if cover.merge == "doubling":
        assert (D[~np.eye(len(C), dtype=bool)] > R).all()
    if R > 0:
        assert np.log2(R / cover.initial_radius_) % 1 == 0


@both
@pytest.mark.parametrize("d", [1, 2, 30])
def test_it_keeps_its_promises_at_every_step(merge: str, d: int) -> None:
    X = clouds(d)
    cover = DoublingCover(12, merge).partial_fit(X[:12])
    owner = cover.labels_  # by number of the centroid, followed through all merges
    numbers = cover.births_[owner]
    for i in range(12, len(X)):
        cover.partial_fit(X[i : i + 1])
        for lost in cover.events_.merges:
            numbers[numbers == lost.absorbed] = lost.kept
        numbers = np.append(numbers, cover.births_[cover.labels_])
        assert_promises(cover, X[: i + 1], np.searchsorted(cover.births_, numbers))


@both
def test_it_keeps_them_on_images(merge: str, real: Callable) -> None:
    X = real("usps_11000", n_samples=600).X.astype(float)
    cover = DoublingCover(50, merge).fit(X)
    assert_promises(cover, X, cover.labels_)


@both
@pytest.mark.parametrize("capacity", [1, 2, 7, 25])
@pytest.mark.parametrize("kind", ["plane", "lattice", "many dimensions", "growing"])
def test_it_is_the_algorithm_of_the_paper(merge: str, capacity: int, kind: str) -> None:
    rng = np.random.default_rng(1)
    X = {
        "plane": rng.normal(size=(200, 2)),
        "lattice": rng.integers(0, 12, size=(200, 2)).astype(float),  # ties and equal points
        "many dimensions": rng.normal(size=(120, 60)),
        "growing": rng.normal(size=(200, 2)) * np.arange(1, 201)[:, None],
    }[kind]
    for first in (3, len(X)):
        cover = DoublingCover(capacity, merge).partial_fit(X[:first])
        if first < len(X):
            cover.partial_fit(X[first:])
        plain = Cover(X, first, capacity, merge)
        assert cover.births_.tolist() == [ball.number for ball in plain.balls]
        assert cover.multiplicities_.tolist() == [ball.weight for ball in plain.balls]
        assert cover.radius_ == pytest.approx(plain.radius, rel=1e-12)


@both
def test_batches_do_not_matter_after_the_first(merge: str) -> None:
    X = clouds(3)
    whole = DoublingCover(20, merge).fit(X)
    pieces = DoublingCover(20, merge).partial_fit(X[:20])
    for part in np.array_split(X[20:], 7):
        pieces.partial_fit(part)
    assert_same(whole.state(), pieces.state())


def test_the_first_radius_is_half_the_smallest_distance_of_the_first_batch() -> None:
    X = np.array([[0.0], [10.0], [10.0], [13.0], [13.5]])
    cover = DoublingCover(4).fit(X)
    assert cover.initial_radius_ == 1.5  # 13.5 is the fifth point, not among the first four
    assert cover.centroids_.ravel().tolist() == [0, 10, 13]
    assert cover.multiplicities_.tolist() == [1, 2, 2]
    assert cover.labels_.tolist() == [0, 1, 1, 2, 2]


@both
def test_equal_points_are_one_and_the_radius_waits(merge: str) -> None:
    cover = DoublingCover(2, merge).partial_fit(np.ones((5, 3)))
    assert cover.radius_ == 0 and cover.multiplicities_.tolist() == [5]
    cover.partial_fit(np.zeros((1, 3)))
    assert cover.radius_ == 0 and len(cover.centroids_) == 2
    cover.partial_fit(np.full((1, 3), 5.0))  # one too many: now a radius is needed
    assert cover.initial_radius_ == pytest.approx(np.sqrt(3) / 2)
    assert cover.multiplicities_.tolist() == [6, 1] and cover.events_.doublings == 1


@both
def test_events_tell_how_the_cover_came_about(merge: str) -> None:
    X = clouds(2, 300)
    cover = DoublingCover(10, merge).partial_fit(X[:10])
    for i in range(10, 300):
        before, radius = cover.births_.tolist(), cover.radius_
        cover.partial_fit(X[i : i + 1])
        e = cover.events_
        assert e.joined + e.opened == 1
        alive = before + [i] * e.opened
        for merge_ in e.merges:
            np.testing.assert_array_equal(merge_.point, X[merge_.absorbed])
            assert merge_.kept in alive and merge_.radius <= cover.radius_
            alive.remove(merge_.absorbed)
        assert alive == cover.births_.tolist()
        assert cover.radius_ == radius * 2**e.doublings


@both
def test_a_restored_one_goes_on_as_if_nothing_had_happened(merge: str, tmp_path: Path) -> None:
    X = clouds(4, 500)
    cover = DoublingCover(15, merge).fit(X[:240])
    np.savez(tmp_path / "cover.npz", **cover.state())
    with np.load(tmp_path / "cover.npz", allow_pickle=False) as stored:
        other = DoublingCover(15, merge).restore(stored)
    cover.partial_fit(X[240:]), other.partial_fit(X[240:])
    assert_same(cover.state(), other.state())
    with pytest.raises(ValueError, match="capacity=1"):
        DoublingCover(1).restore(DoublingCover(5).fit(X[:5]).state())


@both
def test_memory_does_not_grow_with_the_stream(merge: str) -> None:
    X = clouds(2, 100_000)
    cover = DoublingCover(50, merge).partial_fit(X[:1000])
    arrays = {k: v.nbytes for k, v in vars(cover).items() if isinstance(v, np.ndarray)}
    for part in np.split(X[1000:], 99):
        cover.partial_fit(part)
    assert arrays == {k: v.nbytes for k, v in vars(cover).items() if isinstance(v, np.ndarray)}
    assert cover.multiplicities_.sum() == 100_000


@both
@pytest.mark.parametrize("scale", [2.0**-600, 2.0**600])
def test_the_unit_of_length_does_not_matter(merge: str, scale: float) -> None:
    X = clouds(5)
    one, other = DoublingCover(10, merge).fit(X), DoublingCover(10, merge).fit(X * scale)
    assert one.births_.tolist() == other.births_.tolist()
    assert other.radius_ == pytest.approx(one.radius_ * scale, rel=1e-9)


def test_many_dimensions_make_doubling_collapse_and_lazy_merging_does_not() -> None:
    sizes = {
        (merge, d): len(DoublingCover(50, merge).fit(clouds(d, 2000)).centroids_)
        for merge in MERGES
        for d in (2, 400)
    }
    assert sizes["doubling", 2] > 15 and sizes["doubling", 400] == 1
    assert sizes["lazy", 2] == sizes["lazy", 400] == 50


def test_predict_names_the_nearest_centroid() -> None:
    X = data.load("two_moons", n_samples=300).X
    cover = DoublingCover(20).fit(X)
    far = np.linalg.norm(X[:, None] - cover.centroids_, axis=2)
    np.testing.assert_array_equal(cover.predict(X), far.argmin(axis=1))
    with pytest.raises(ValueError, match="features"):
        cover.partial_fit(np.ones((2, 3)))
    with pytest.raises(ValueError, match="capacity=0"):
        DoublingCover(0).fit(X)
