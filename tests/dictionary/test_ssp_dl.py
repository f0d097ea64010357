"""SSP-DL: V as scikit-learn's lasso has it, the objective written out, the proximal map."""

import numpy as np
import pytest
import torch
from dictionary.problems import noise
from dictionary.test_fddl import slopes
from sklearn.decomposition import sparse_encode

from sslviz import SSPDL
from sslviz.dictionary.stages.self_representation import MAX_REPRESENTED, self_representation
from sslviz.dictionary.stages.structure_rounds import GroupsAndValues, StructureQuadratic
from sslviz.memo import Memo


def test_every_point_is_represented_by_the_others(problem: tuple) -> None:
    X, _ = problem
    V = self_representation(X, lam=2.0).toarray()
    assert not np.diag(V).any()
    for i in (0, 7, 33):
        others = np.delete(X, i, axis=0)
        v = sparse_encode(X[i][None], others, algorithm="lasso_cd", alpha=1.0, max_iter=100_000)[0]
        values = [
            np.square(X[i] - w @ others).sum() + 2 * np.abs(w).sum()
            for w in (np.delete(V[i], i), v)
        ]
        np.testing.assert_allclose(values[0], values[1], rtol=1e-7)


@pytest.mark.parametrize("q", [1.0, 0.5])
def test_the_objective_is_written_out(problem: tuple, q: float) -> None:
    X, y = problem
    model = SSPDL(n_atoms=12, max_iter=3, q=q).fit(X, y)
    A, V = model.learnt_codes_, model.self_representation_
    size = 0.0 if q == 1 else 1e-3 * np.linalg.norm(X, axis=1).mean()
    total = np.square(X - A @ model.components_).sum() + 0.5 * np.square(A - V @ A).sum()
    for c in model.classes_:
        norms = np.linalg.norm(A[y == c], axis=0)
        total += 2 * ((norms + size) ** q - size**q).sum()
    total += 0.5 * ((np.abs(A[y == -1]) + size) ** q - size**q).sum()
    np.testing.assert_allclose(model.objective_[-1], total)


def test_the_gradient_is_that_of_differences() -> None:
    rng = np.random.default_rng(0)
    X, D, A = rng.normal(size=(6, 4)), rng.normal(size=(3, 4)), rng.normal(size=(6, 3))
    R = np.eye(6) - rng.normal(size=(6, 6))
    parts = map(torch.as_tensor, (-2 * X @ D.T, 2 * D @ D.T, R, 1.4 * R.T))
    found = StructureQuadratic(*parts).gradient(torch.as_tensor(A)).numpy()

    def value(Z: np.ndarray) -> float:
        return float(np.square(X - Z @ D).sum() + 0.7 * np.square(R @ Z).sum())

    np.testing.assert_allclose(found, slopes(value, A), atol=1e-6)


def test_shrinking_is_the_proximal_map_of_the_penalty() -> None:
    rng = np.random.default_rng(0)
    target = np.array([0, 0, 1, 1, 1, -1, -1])
    members = torch.as_tensor((target == np.arange(2)[:, None]).astype(float))
    weights = [torch.as_tensor(rng.uniform(0.5, 2, size)) for size in ((2, 4), (2, 4))]
    group, free = torch.as_tensor(np.where(target < 0, 2, target)), torch.tensor([5, 6])
    penalty = GroupsAndValues(members, group, free, *weights, scale=1.0)
    H = torch.as_tensor(rng.normal(size=(7, 4)))
    Z = penalty.shrink(H, 1.5)
    assert (Z == 0).any() and (Z != 0).any()

    def value(Z: torch.Tensor) -> float:
        return penalty.value(Z) + 0.75 * float((Z - H).square().sum())

    for _ in range(200):
        assert value(Z + 0.01 * torch.as_tensor(rng.normal(size=(7, 4)))) >= value(Z)


def test_without_structure_new_points_have_plain_lasso_codes_and_v_does_nothing() -> None:
    X, y = noise()
    model = SSPDL(n_atoms=9, beta=0.0, max_iter=3).fit(X, y)
    other = SSPDL(n_atoms=9, beta=0.0, max_iter=3, self_sparsity=9.0).fit(X, y)
    np.testing.assert_array_equal(model.components_, other.components_)
    theirs = sparse_encode(
        X[:5], model.components_, algorithm="lasso_cd", alpha=0.25, max_iter=100_000
    )
    np.testing.assert_allclose(model.transform(X[:5]), theirs, atol=1e-4)


def test_links_are_the_rows_of_v_and_v_is_kept_when_other_parameters_move() -> None:
    X, y = noise()
    memo = Memo()
    model = SSPDL(n_atoms=9, max_iter=1, memory=memo).fit(X, y)
    at, weights = model.links(3)
    np.testing.assert_array_equal(model.self_representation_.toarray()[3, at], weights)
    assert 3 not in at and len(at) > 0
    found = model.reconstruct(3)
    assert set(found.neighbours) == set(at)
    assert len(model.reconstruct(X[3] + 0.1).neighbours) > 0
    SSPDL(n_atoms=9, max_iter=1, beta=1.0, memory=memo).fit(X, y)
    reused = [stage.reused for stage in memo.log if stage.name == "self_representation"]
    assert reused == [False, True]


def test_too_many_points_are_refused() -> None:
    X = np.zeros((MAX_REPRESENTED + 1, 1))
    with pytest.raises(ValueError, match="5001 points are not in"):
        self_representation(X, lam=1.0)
