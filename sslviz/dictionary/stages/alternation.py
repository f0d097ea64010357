r"""The rounds of SSDL-GA: five updates in turn, each optimal with the others fixed.

    active points Q → class probabilities P → codes A → atoms D → classifier W, b

With Q fixed no update raises Eq. 4. Q itself is computed anew in every round, and then the
objective may rise a little.

Against noise the first rounds may leave the graph out (β = 0); the graph is then made of the
reconstructions AD, which have less noise than the points (section 5.1 of the paper).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from scipy import sparse

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.dictionary.stages.active_points import (
    ActiveSquares,
    active_loss,
    active_squares,
    class_probabilities,
    fit_classifier,
)
from sslviz.dictionary.stages.laplacians import Graph, build
from sslviz.dictionary.stages.sparse_coding import (
    Classifier,
    CodingProblem,
    batch_rows,
    improve_codes,
)
from sslviz.graph.neighbours import knn
from sslviz.graph.weights import width
from sslviz.memo import stage
from sslviz.solve.dictionary_learning import sparse_codes, unit_atoms, update_atoms

# Codes need not be more exact than the atoms and the classifier of their round.
MIN_GAIN_SHARE = 0.003  # of a round's gain: five FISTA steps that gain less end the round
GRADIENT_TOL = 0.001  # norm of the remaining gradient, relative to λ


class Terms(NamedTuple):
    """The four terms of Eq. 4 with their factors; their sum is the objective."""

    reconstruction: float  # ‖X − A D‖²
    sparsity: float  # λ‖A‖₁
    graph: float  # β tr(Aᵀ L A)
    discrimination: float  # γ(…) + μ(‖W‖² + ‖b‖²)


class Round(NamedTuple):
    """The state after one round. F is P, the class probabilities, one-hot for labelled points."""

    iteration: int
    objective: float
    terms: Terms
    D: torch.Tensor  # (atoms, d)
    A: torch.Tensor  # (n, atoms)
    W: torch.Tensor  # (C, atoms)
    b: torch.Tensor  # (C,)
    F: torch.Tensor  # (n, C)
    Z: torch.Tensor | None = None  # (n, d) reconstructions of which the graph is made, if it is

    def learnt(self) -> tuple[np.ndarray, ...]:
        """D, A, W, b and P as arrays, and Z where there is one."""
        parts = (self.D, self.A, self.W, self.b, self.F)
        return tuple(map(to_numpy, parts if self.Z is None else (*parts, self.Z)))


class GraphOptions(NamedTuple):
    """How a graph is made of points."""

    kind: str
    k: int
    sigma: float | str
    share: float
    spread: float


def graph_of(
    X: np.ndarray,
    target: np.ndarray,
    options: GraphOptions,
    memory: Any = None,
    device: str = "auto",
) -> tuple[Graph, float]:
    """The graph of some points, and σ as a number (1 where the graph has none)."""
    sigma = 1.0
    if options.kind in ("knn", "threshold"):
        G = knn(X, options.k, memory, device=device)
        sigma = width(options.sigma, graph=G, X=X, y=target)
    rest: dict[str, Any] = {"share": options.share, "spread": options.spread, "device": device}
    return build(X, options.kind, memory, k=options.k, sigma=sigma, **rest), sigma


class InitialDictionary(NamedTuple):
    """The state before the first round, as in `Round`."""

    D: np.ndarray
    A: np.ndarray
    W: np.ndarray
    b: np.ndarray


def first_atoms(target: np.ndarray, count: int, rng: np.random.RandomState) -> np.ndarray:
    """Indices of the points that are the first atoms: labelled ones, then random unlabelled ones.

    If there are fewer atoms than labelled points, the classes contribute one in turn.
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
def initial_state(
    X: np.ndarray, target: np.ndarray, atoms: np.ndarray, *, lam: float, gamma: float, mu: float
) -> InitialDictionary:
    """Points as atoms, plain sparse codes, and a ridge classifier of the labelled ones."""
    X = np.asarray(X, np.float64)
    D = unit_atoms(X[atoms])
    A = sparse_codes(X, D, lam)
    given = target >= 0
    Y = 2.0 * (target[given][:, None] == np.arange(target.max() + 1)) - 1
    T = torch.as_tensor(Y)
    active = ActiveSquares(torch.ones_like(T), T, 0.0)
    W, b = fit_classifier(torch.as_tensor(A[given]), active, gamma, mu)
    return InitialDictionary(D, A, to_numpy(W), to_numpy(b))


def rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    L: sparse.csr_array | None,
    start: InitialDictionary,
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
    plain_rounds: int = 0,
    options: GraphOptions | None = None,
) -> Iterator[Round]:
    """One record per round, from the state `start` on; `seed` draws the batches.

    After `plain_rounds` without a graph, one is made of the reconstructions by these `options`.
    """
    where = pick_device(device)
    points = to_torch(np.asarray(X, np.float64), where)
    problem = CodingProblem(points, L, lam, 0.0 if plain_rounds else beta, gamma)
    Z = None
    D, A, W, b = (to_torch(part, where) for part in start)
    one_hot = target[:, None] == np.arange(len(start.b))
    given = to_torch(target[:, None] >= 0, where)
    labels = to_torch(one_hot.astype(np.float64), where)
    tau = 1.0
    for iteration in range(1, max_iter + 1):
        if 0 < plain_rounds == iteration - 1 and options is not None:
            Z = A @ D
            graph, _ = graph_of(to_numpy(Z), target, options, device=device)
            problem = CodingProblem(points, graph.L, lam, beta, gamma)
        s = A @ W.T + b
        F = torch.where(given, labels, class_probabilities(s, r))
        active = active_squares(s, F, r)
        for parts in batch_rows(len(X), batch_size, epochs, seed + iteration):
            classifier = Classifier(W, b, active)
            A, tau = improve_codes(
                problem,
                A,
                D,
                classifier,
                parts,
                max_iter=inner,
                tol=GRADIENT_TOL,
                min_gain=MIN_GAIN_SHARE,
                tau=tau,
            )
        D = improve_atoms(problem.X, A, D, inner)
        W, b = fit_classifier(A, active, gamma, mu)
        terms = objective_terms(problem, A, D, W, b, F, r=r, mu=mu)
        yield Round(iteration, sum(terms), terms, D, A, W, b, F, Z)


def improve_atoms(X: torch.Tensor, A: torch.Tensor, D: torch.Tensor, sweeps: int) -> torch.Tensor:
    """Atoms that reconstruct X better with the codes A."""
    S, B = to_numpy(A.T @ A), to_numpy(A.T @ X)
    return to_torch(update_atoms(S, B, to_numpy(D), max_iter=sweeps), A.device)


def objective_terms(
    problem: CodingProblem,
    A: torch.Tensor,
    D: torch.Tensor,
    W: torch.Tensor,
    b: torch.Tensor,
    F: torch.Tensor,
    *,
    r: float,
    mu: float,
) -> Terms:
    """The terms of Eq. 4, with the points that are active at these A, W and b."""
    s = A @ W.T + b
    smoothness = 0.0
    if problem.L is not None and problem.beta > 0:
        L = to_torch(problem.L, A.device)
        smoothness = problem.beta * float((A * (L @ A)).sum())
    return Terms(
        float(((problem.X - A @ D) ** 2).sum()),
        problem.lam * float(A.abs().sum()),
        smoothness,
        problem.gamma * active_loss(active_squares(s, F, r), s)
        + mu * float((W**2).sum() + (b**2).sum()),
    )
