r"""Five updates in turn, each the best answer to the other four: how SSDL-GA learns.

    active points Q → opinions P → codes A → atoms D → classifier W, b

With Q held fixed every update lowers Eq. 4 or leaves it; Q itself is found anew in every round, and
then the objective may rise a little.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from scipy import sparse

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.dictionary.stages.active_points import (
    Active,
    active_squares,
    classify,
    opinions,
    squares,
)
from sslviz.dictionary.stages.sparse_coding import Classifier, Fixed, batches, code
from sslviz.memo import stage
from sslviz.solve.dictionary_learning import sparse_codes, unit_atoms, update_atoms

# The codes of a round need not be better than the atoms and the classifier they are made for.
ENOUGH = 0.003  # the share of a round's gain that five more steps must bring
TOL = 0.001  # what is left of the gradient beyond stationarity, against λ


class Terms(NamedTuple):
    """The four terms of Eq. 4, with their factors: they add up to the objective."""

    reconstruction: float  # ‖X − A D‖²
    sparsity: float  # λ‖A‖₁
    graph: float  # β tr(Aᵀ L A)
    discrimination: float  # γ(…) + μ(‖W‖² + ‖b‖²)


class Round(NamedTuple):
    """The state after one round. F is P: what every point is held to be, one-hot if labelled."""

    iteration: int
    objective: float
    terms: Terms
    D: torch.Tensor  # (atoms, d)
    A: torch.Tensor  # (n, atoms)
    W: torch.Tensor  # (C, atoms)
    b: torch.Tensor  # (C,)
    F: torch.Tensor  # (n, C)


class Start(NamedTuple):
    D: np.ndarray
    A: np.ndarray
    W: np.ndarray
    b: np.ndarray


def first_atoms(target: np.ndarray, count: int, rng: np.random.RandomState) -> np.ndarray:
    """Points that become the first atoms: the labelled ones, then unlabelled ones at random.

    If there are fewer atoms than labelled points, the classes take turns in naming one.
    """
    given = np.flatnonzero(target >= 0)
    if count > len(given):
        others = np.flatnonzero(target < 0)
        return np.concatenate([given, rng.choice(others, count - len(given), replace=False)])
    given = rng.permutation(given)
    turn = np.empty(len(given), np.int64)
    for c in np.unique(target[given]):
        mine = np.flatnonzero(target[given] == c)
        turn[mine] = np.arange(len(mine))
    return given[np.lexsort((target[given], turn))[:count]]


@stage("first codes")
def initial(
    X: np.ndarray, target: np.ndarray, atoms: np.ndarray, *, lam: float, gamma: float, mu: float
) -> Start:
    """Points as atoms, plain sparse codes, and a ridge classifier on the labelled ones."""
    X = np.asarray(X, np.float64)
    D = unit_atoms(X[atoms])
    A = sparse_codes(X, D, lam)
    given = target >= 0
    Y = 2.0 * (target[given][:, None] == np.arange(target.max() + 1)) - 1
    T = torch.as_tensor(Y)
    W, b = classify(torch.as_tensor(A[given]), Active(torch.ones_like(T), T, 0.0), gamma, mu)
    return Start(D, A, to_numpy(W), to_numpy(b))


def rounds(
    X: np.ndarray,
    target: np.ndarray,
    L: sparse.csr_array | None,
    start: Start,
    *,
    lam: float,
    beta: float,
    gamma: float,
    mu: float,
    r: float,
    max_iter: int,
    inner: int,
    batch_size: int | None,
    epochs: int,
    seed: int,
    device: str,
) -> Iterator[Round]:
    """Rounds from `start` on; `seed` draws the batches."""
    where = pick_device(device)
    fixed = Fixed(to_torch(np.asarray(X, np.float64), where), L, lam, beta, gamma)
    D, A, W, b = (to_torch(part, where) for part in start)
    shown = target[:, None] == np.arange(len(start.b))
    given, labels = to_torch(target[:, None] >= 0, where), to_torch(shown.astype(np.float64), where)
    tau = 1.0
    for iteration in range(1, max_iter + 1):
        s = A @ W.T + b
        F = torch.where(given, labels, opinions(s, r))
        active = active_squares(s, F, r)
        for parts in batches(len(X), batch_size, epochs, seed + iteration):
            classifier = Classifier(W, b, active)
            A, tau = code(
                fixed, A, D, classifier, parts, max_iter=inner, tol=TOL, enough=ENOUGH, tau=tau
            )
        D = better_atoms(fixed.X, A, D, inner)
        W, b = classify(A, active, gamma, mu)
        terms = measure(fixed, A, D, W, b, F, r=r, mu=mu)
        yield Round(iteration, sum(terms), terms, D, A, W, b, F)


def better_atoms(X: torch.Tensor, A: torch.Tensor, D: torch.Tensor, sweeps: int) -> torch.Tensor:
    """Atoms that reconstruct X better from A."""
    S, B = to_numpy(A.T @ A), to_numpy(A.T @ X)
    return to_torch(update_atoms(S, B, to_numpy(D), max_iter=sweeps), A.device)


def measure(
    fixed: Fixed,
    A: torch.Tensor,
    D: torch.Tensor,
    W: torch.Tensor,
    b: torch.Tensor,
    F: torch.Tensor,
    *,
    r: float,
    mu: float,
) -> Terms:
    """Eq. 4, with the points that are active at these A, W and b."""
    s = A @ W.T + b
    smoothness = 0.0
    if fixed.L is not None and fixed.beta > 0:
        L = to_torch(fixed.L, A.device)
        smoothness = fixed.beta * float((A * (L @ A)).sum())
    return Terms(
        float(((fixed.X - A @ D) ** 2).sum()),
        fixed.lam * float(A.abs().sum()),
        smoothness,
        fixed.gamma * squares(active_squares(s, F, r), s) + mu * float((W**2).sum() + (b**2).sum()),
    )


@stage("first codes")
def learn(
    X: np.ndarray, target: np.ndarray, L: sparse.csr_array | None, start: Start, **settings: Any
) -> tuple[Start, np.ndarray, np.ndarray]:
    """All rounds: the last state, P, and the objective after each."""
    objective, last = [], None
    for last in rounds(X, target, L, start, **settings):
        objective.append(last.objective)
    assert last is not None
    return (*finished(last), np.array(objective))


def finished(last: Round) -> tuple[Start, np.ndarray]:
    return Start(*map(to_numpy, (last.D, last.A, last.W, last.b))), to_numpy(last.F)
