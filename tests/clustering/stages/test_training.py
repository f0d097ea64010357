"""Courses: any way through one leads to the same place, and nothing else is touched."""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch

from sslviz import data
from sslviz.clustering.dec import DEC
from sslviz.clustering.imsat import IMSAT
from sslviz.clustering.sedc import SEDC
from sslviz.clustering.stages.training import EPOCH, BatchSampler, TrainingRun

MODELS = [
    SEDC(3, n_hubs=30, hidden=(16, 8), epochs=2, random_state=5),
    SEDC(3, n_hubs=30, hidden=(9,), epochs=2, kl="qp", random_state=5),
    IMSAT(3, hidden=(16, 16), epochs=2, random_state=5),
    DEC(3, n_codes=2, hidden=(16,), epochs=2, tol=0, random_state=5),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
SHORT = 20  # iterations of an epoch here, so that a course has several
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def X() -> np.ndarray:
    return data.load("three_rings", n_samples=150, random_state=0).X


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("stages.training", "dec", "deep_base"):
        monkeypatch.setattr(f"sslviz.clustering.{module}.EPOCH", SHORT)


def same(a: Mapping[str, Any], b: Mapping[str, Any], *but: str) -> bool:
    assert a.keys() == b.keys()
    return all(np.array_equal(a[name], b[name]) for name in a if name not in but)


@every_model
@pytest.mark.usefixtures("short")
def test_a_restored_course_goes_on_as_if_it_had_never_stopped(model: Any, X: np.ndarray) -> None:
    whole, left = model.course(X), model.course(X)
    whole.advance(26)
    left.advance(26)
    file = io.BytesIO()
    np.savez(file, **left.state())
    file.seek(0)
    again = model.set_params(random_state=6).course(X)  # even one that began otherwise
    model.set_params(random_state=5)
    again.restore(dict(np.load(file, allow_pickle=False)))
    assert same(whole.advance(18), again.advance(18))
    assert same(whole.state(), again.state())
    np.testing.assert_array_equal(whole.probabilities(X), again.probabilities(X))


@every_model
@pytest.mark.usefixtures("short")
def test_slices_add_up(model: Any, X: np.ndarray) -> None:
    whole, sliced = model.course(X), model.course(X)
    mean = whole.advance(44)
    parts = [(n, sliced.advance(n)) for n in (1, 14, 29)]
    assert same(whole.state(), sliced.state(), "sums")
    np.testing.assert_allclose(whole.losses, sliced.losses, rtol=1e-12)
    assert whole.losses.shape == (3, len(whole.lesson.names))  # the last epoch is not complete
    for name in mean:
        np.testing.assert_allclose(
            mean[name], sum(n * part[name] for n, part in parts) / 44, rtol=1e-9
        )


@every_model
@pytest.mark.usefixtures("short")
def test_the_same_seed_gives_the_same_bits_and_nothing_else_draws(
    model: Any, X: np.ndarray
) -> None:
    before = np.random.get_state(legacy=False), torch.get_rng_state()  # noqa: NPY002
    first = model.fit(X)
    losses, labels = first.losses_, first.labels_
    np.testing.assert_equal(np.random.get_state(legacy=False), before[0])  # noqa: NPY002
    assert torch.equal(torch.get_rng_state(), before[1])
    np.random.seed(1)  # noqa: NPY002
    torch.manual_seed(1)
    again = model.fit(X)
    assert np.array_equal(again.losses_, losses) and np.array_equal(again.labels_, labels)
    other = model.course(X)
    other.lesson.seed = 77
    other.advance(SHORT)
    course = model.course(X)
    course.advance(SHORT)
    assert not np.array_equal(other.losses, course.losses)


@every_model
@pytest.mark.usefixtures("short")
def test_a_course_left_at_any_moment_can_be_settled(model: Any, X: np.ndarray) -> None:
    course = model.course(X)
    course.advance(7)
    model.settle(course)
    assert model.labels_.shape == (150,) and model.losses_.shape == (1, len(course.lesson.names))
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_array_equal(model.predict_proba(X), course.probabilities(X))
    kept = model.predict_proba(X)
    course.advance(10)  # what was kept does not go on
    np.testing.assert_array_equal(model.predict_proba(X), kept)
    np.testing.assert_allclose(kept.sum(axis=1), 1, rtol=1e-12)


@every_model
@pytest.mark.usefixtures("short")
def test_steps_since_a_state_are_the_rest_of_the_way(model: Any, X: np.ndarray) -> None:
    records = list(model.steps(X))
    losses = model.losses_
    assert [record.iteration for record in records] == [1, 2]
    assert [list(record.terms.values()) for record in records] == losses.tolist()
    weights = records[0].course.lesson.weights
    np.testing.assert_allclose([r.objective for r in records], losses @ weights, rtol=1e-12)
    course = model.course(X)
    course.advance(SHORT)
    rest = list(model.steps(X, since=course.state()))
    assert [record.iteration for record in rest] == [2]
    assert np.array_equal(model.losses_, losses)
    assert np.array_equal(model.fit(X).losses_, losses)


def test_a_state_of_another_course_is_refused(X: np.ndarray) -> None:
    state = MODELS[0].course(X).state()
    with pytest.raises(ValueError, match="is not one of this course"):
        MODELS[1].course(X).restore(state)


class Bowl:
    """A lesson without chance: ½ Σ a_i x_i², minimised at 0."""

    names: tuple[str, ...] = ("height",)
    weights: tuple[float, ...] = (1.0,)
    seed, still = 0, False

    def __init__(self) -> None:
        self.theta = torch.linspace(-1, 1, 6)
        self.parts = [part.detach().requires_grad_() for part in self.theta.split([2, 4])]
        self.a = torch.linspace(0.1, 10, 6)

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        return (0.5 * (self.a * torch.cat(self.parts).square()).sum(),)

    def answer(self) -> Any:
        raise NotImplementedError

    def state(self) -> dict[str, torch.Tensor]:
        return {}


def test_it_is_torchs_adam() -> None:
    bowl = Bowl()
    peer = torch.linspace(-1, 1, 6).requires_grad_()
    adam = torch.optim.Adam([peer], lr=0.01)
    TrainingRun(bowl, np.zeros((1, 1)), rate=0.01).advance(150)
    for _ in range(150):
        adam.zero_grad()
        (0.5 * (bowl.a * peer.square()).sum()).backward()
        adam.step()
    torch.testing.assert_close(bowl.theta, peer.detach(), rtol=0, atol=1e-7)


def test_batches_go_through_a_pool_before_they_repeat_and_can_be_asked_in_any_order() -> None:
    draws = BatchSampler((40, 300), (10, 3), CPU)
    batches = [draws.batch(3, i) for i in range(EPOCH)]
    for i in range(0, EPOCH, 4):
        seen = torch.cat([batches[j][0] for j in range(i, i + 4)])
        assert sorted(seen.tolist()) == list(range(40))
    assert sorted(torch.cat([b[1] for b in batches]).tolist()) == list(range(300))
    assert not torch.equal(draws.batch(3, EPOCH)[1], batches[0][1])  # another order next time
    assert not torch.equal(draws.batch(4, 0)[1], batches[0][1])
    assert torch.equal(draws.batch(3, 57)[0], batches[57][0])


def test_directions_are_normal_and_differ_between_iterations() -> None:
    draws = BatchSampler((1,), (1,), CPU)
    d = torch.stack([draws.directions(0, i, (500, 4)) for i in range(10)])
    assert abs(float(d.mean())) < 0.03 and abs(float(d.std()) - 1) < 0.03
    across = np.corrcoef(d.reshape(10, -1).numpy())
    assert np.abs(across - np.eye(10)).max() < 0.1
    assert torch.equal(d[3], draws.directions(0, 3, (500, 4)))
