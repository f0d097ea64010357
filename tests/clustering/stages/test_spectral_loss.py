"""The loss of SpectralNet against the Laplacian written out, and its gradient."""

from typing import Any

import numpy as np
import pytest
import torch
from scipy.linalg import eigh

from sslviz.clustering.stages.spectral_loss import (
    Batches,
    SpectralObjective,
    batch_graphs,
    degrees,
    energy,
    orthonormal,
    with_constant,
)
from sslviz.data import load
from sslviz.training.loop import TrainingRun
from sslviz.training.mlp import Network


def dense(graphs: Batches, b: int = 0) -> np.ndarray:
    """The symmetric weights of one batch."""
    near, a = graphs.neighbours[b], graphs.weights[b]
    A = np.zeros((len(near), len(near)))
    A[np.arange(len(near))[:, None], near] = a
    return (A + A.T) / 2


def tensors(graphs: Batches, b: int = 0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    near, a = torch.as_tensor(graphs.neighbours[b]), torch.as_tensor(graphs.weights[b])
    return near, a, degrees(near, a)


def objective(X: np.ndarray, graphs: Batches, n_clusters: int, outputs: int) -> SpectralObjective:
    sizes = (X.shape[1], 64, 64, outputs)
    return SpectralObjective(X, *graphs, n_clusters=n_clusters, sizes=sizes, seed=0, device="cpu")


@pytest.fixture(scope="module")
def cloud() -> np.ndarray:
    return np.random.default_rng(3).normal(size=(90, 3))


def test_batches_hold_every_point_and_the_graph_of_their_own_neighbours(cloud: np.ndarray) -> None:
    graphs = batch_graphs(cloud, size=40, k=5, seed=1)
    assert graphs.points.shape == (20, 40) and graphs.neighbours.shape == (20, 40, 5)
    assert all(len(set(batch)) == 40 for batch in graphs.points.tolist())
    assert set(graphs.points.ravel()) == set(range(90))
    assert (graphs.neighbours != np.arange(40)[:, None]).all()
    P = cloud[graphs.points[7]]
    lengths = np.sort(np.linalg.norm(P[:, None] - P, axis=2), axis=1)[:, 1:6]
    expected = np.exp(-(lengths**2) / (2 * np.median(lengths[:, -1]) ** 2))
    np.testing.assert_allclose(np.sort(graphs.weights[7])[:, ::-1], expected, rtol=1e-12)
    whole = batch_graphs(cloud, size=512, k=100, seed=1)  # all points fit into one batch
    assert whole.points.shape == (1, 90) and whole.weights.shape == (1, 90, 89)
    assert (batch_graphs(np.ones((9, 2)), size=9, k=3, seed=0).weights == 1).all()


def test_outputs_are_orthonormal_on_the_batch(cloud: np.ndarray) -> None:
    graphs = batch_graphs(cloud, size=40, k=5, seed=1)
    d = tensors(graphs)[2]
    Y = with_constant(torch.as_tensor(np.random.default_rng(0).normal(2, 1, (40, 6))))
    Z = orthonormal(Y, d).numpy()
    W = dense(graphs)
    np.testing.assert_allclose(d.numpy(), W.sum(axis=1), rtol=1e-13)
    np.testing.assert_allclose(Z.T @ np.diag(W.sum(axis=1)) @ Z / W.sum(), np.eye(7), atol=1e-8)
    np.testing.assert_allclose(Z[:, 0], 1, atol=1e-8)
    even = orthonormal(Y, torch.ones_like(d)).numpy()  # without weights: YᵀY/m = I
    np.testing.assert_allclose(even.T @ even / 40, np.eye(7), atol=1e-8)


def test_loss_is_the_quadratic_form_of_the_laplacian(cloud: np.ndarray) -> None:
    graphs = batch_graphs(cloud, size=40, k=5, seed=1)
    Z = np.random.default_rng(0).normal(size=(40, 4))
    W = dense(graphs)
    by_hand = Z.T @ (np.diag(W.sum(axis=1)) - W) @ Z / W.sum()
    found = energy(torch.as_tensor(Z), *tensors(graphs)).numpy()
    np.testing.assert_allclose(found, by_hand, rtol=0, atol=1e-13)
    pairs = ((Z[:, None] - Z) ** 2).sum(axis=2)
    assert np.trace(found) == pytest.approx((W * pairs).sum() / 2 / W.sum(), rel=1e-12)


def test_the_gradient_passes_through_the_constraint(cloud: np.ndarray) -> None:
    """Central differences of the loss in float64, over every parameter of a small network."""
    near, a, d = tensors(batch_graphs(cloud, size=40, k=5, seed=1))
    rng = np.random.default_rng(0)
    shapes: list[tuple[int, ...]] = [(4, 3), (4,), (2, 4), (2,)]
    parts = [torch.as_tensor(rng.normal(size=s)).requires_grad_() for s in shapes]
    X = torch.as_tensor(cloud[:40])

    def loss(*parts: torch.Tensor) -> torch.Tensor:
        Y = with_constant(Network((3, 4, 2), parts, normalised=False).logits(X))
        return energy(orthonormal(Y, d), near, a, d).trace()

    assert torch.autograd.gradcheck(loss, tuple(parts), eps=1e-6, atol=1e-6)


def test_the_loss_depends_on_the_span_only(cloud: np.ndarray) -> None:
    near, a, d = tensors(batch_graphs(cloud, size=40, k=5, seed=1))
    rng = np.random.default_rng(0)
    Y, mix, shift = rng.normal(size=(40, 4)), rng.normal(size=(4, 4)), rng.normal(size=4)
    losses = [
        float(energy(orthonormal(with_constant(torch.as_tensor(V)), d), near, a, d).trace())
        for V in (Y, Y @ mix + shift)
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-7)


def spectrum(graphs: Batches) -> tuple[np.ndarray, np.ndarray]:
    """All eigenvalues of L z = λ D z, and z with zᵀDz = Σd."""
    W = dense(graphs)
    d = W.sum(axis=1)
    values, vectors = eigh(np.diag(d) - W, np.diag(d))
    return values, vectors * np.sqrt(d.sum())


def test_span_converges_to_the_eigenvectors_of_a_connected_graph() -> None:
    """Principal angles between the learnt and the exact span, and Ritz against eigenvalues."""
    X = load("two_moons", n_samples=150, noise=0.15, outliers=0.0, random_state=2).X
    graphs = batch_graphs(X, size=150, k=10, seed=0)
    values, vectors = spectrum(graphs)
    assert values[1] > 1e-8  # connected
    run = TrainingRun(objective(X, graphs, 2, 5), X)
    d = dense(graphs).sum(axis=1)

    def sine() -> tuple[float, Any]:
        """Of the largest principal angle, in the geometry of D."""
        found: Any = run.objective.predictor()
        inputs = found.scaling(torch.as_tensor(X[graphs.points[0]]))
        Z = (with_constant(found.network.logits(inputs)) @ found.mix).numpy()
        cosines = np.linalg.svd((vectors[:, :2].T * d) @ Z / d.sum(), compute_uv=False)
        return float(np.sqrt(max(0.0, 1 - cosines.min() ** 2))), found.rayleigh

    before, first = sine()
    run.advance(800)
    after, last = sine()
    assert before > 0.4 and after < 0.2
    assert (last > values[:6] - 1e-9).all() and (first > values[:6] - 1e-9).all()  # min-max
    np.testing.assert_allclose(last[1:], values[1:6], rtol=0.1)
    assert first[1] > 3 * values[1]
