r"""Recursive least squares: atoms, and maps from codes to labels, after every single point.

    K ← K/λ − g u uᵀ,   u = K aᵀ/λ,   g = 1/(1 + a u),   M ← M + g u (m − aM)

K is the inverse of Σ aᵀa, in which earlier codes are forgotten by the factor λ, and M the least
squares fit of the rows m seen so far by their codes a. From K = I/c and M = E, without forgetting,

    K = (cI + AᵀA)⁻¹,   M = K (cE + AᵀX)

The same step serves atoms (m = x) and labels (m = ideal code and label). Atoms are scaled to length
1 after every point: with d/e the coefficients become a·e, so that K becomes K/(e eᵀ), and the maps
M/e. The Gram matrix of the atoms, which OMP needs, follows each step by an update of rank two.

Skretting, Engan. Recursive least squares dictionary learning algorithm. IEEE TSP 2010.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from sslviz.solve.omp import pursue_row, pursuit_space

MAX_INVERSE = 1e8  # an atom unused for so long that K grew to this: nothing is forgotten until used
MIN_LENGTH = 1e-8  # of an atom that is still scaled to 1


class RecursiveFit(NamedTuple):
    """A least squares fit that points are added to, in place."""

    K: np.ndarray  # (p, p)
    M: np.ndarray  # (p, k)


@njit(cache=True, nogil=True)
def gain(
    fit: RecursiveFit, a: np.ndarray, m: np.ndarray, forgetting: float
) -> tuple[np.ndarray, np.ndarray]:
    """√g·u and √g·(m − aM): their product is the change of M."""
    u, left, total = np.zeros(len(a)), m.copy(), 1.0
    for j in np.flatnonzero(a):
        for k in range(len(u)):
            u[k] += a[j] / forgetting * fit.K[j, k]
        for k in range(len(left)):
            left[k] -= a[j] * fit.M[j, k]
    for j in np.flatnonzero(a):
        total += a[j] * u[j]
    root = np.sqrt(max(total, 1.0))  # below 1 by rounding only
    return u / root, left / root


@njit(cache=True, nogil=True)
def add_point(fit: RecursiveFit, u: np.ndarray, left: np.ndarray, forgetting: float) -> None:
    """One step in the direction of a gain."""
    for j in range(len(u)):
        here = u[j]
        for k in range(len(u)):
            fit.K[j, k] = fit.K[j, k] / forgetting - here * u[k]
        for k in range(len(left)):
            fit.M[j, k] += here * left[k]


@njit(cache=True, nogil=True)
def rescale(fit: RecursiveFit, lengths: np.ndarray) -> None:
    """Divide the rows of M by these lengths; codes are multiplied by them from now on."""
    for j in range(len(lengths)):
        for k in range(len(lengths)):
            fit.K[j, k] /= lengths[j] * lengths[k]
        for k in range(fit.M.shape[1]):
            fit.M[j, k] /= lengths[j]


@njit(cache=True, nogil=True)
def add_to_atoms(
    atoms: RecursiveFit, G: np.ndarray, a: np.ndarray, x: np.ndarray, forgetting: float
) -> np.ndarray:
    """Add a point with code a, and scale atoms to length 1; the lengths they had. G = D Dᵀ."""
    u, left = gain(atoms, a, x, forgetting)
    along, square = atoms.M @ left, np.sum(left * left)
    add_point(atoms, u, left, forgetting)
    for j in range(len(u)):
        for k in range(len(u)):
            G[j, k] += u[j] * along[k] + along[j] * u[k] + square * u[j] * u[k]
    lengths = np.ones(len(u))
    for j in range(len(u)):
        if G[j, j] > MIN_LENGTH**2:
            lengths[j] = np.sqrt(G[j, j])
    for j in range(len(u)):
        for k in range(len(u)):
            G[j, k] /= lengths[j] * lengths[k]
    rescale(atoms, lengths)
    return lengths


@njit(cache=True, nogil=True)
def add_points(
    X: np.ndarray,
    goals: np.ndarray,
    kind: np.ndarray,
    size: np.ndarray,
    forgetting: np.ndarray,
    most: int,
    atoms: RecursiveFit,
    labels: RecursiveFit,
) -> None:
    """Code the points in their order by OMP and add each to the atoms, labelled ones to the labels.

    `kind`: 0 unlabelled, 1 labelled, 2 labelled and coded with its row of `goals` beside it. A
    point counts `size` times in the atoms.
    """
    D, M = atoms.M, labels.M
    G, space = D @ D.T, pursuit_space(len(D), most)
    for i in range(len(X)):
        a = np.zeros(len(D))
        if kind[i] == 2:
            pursue_row(G + M @ M.T, D @ X[i] + M @ goals[i], 0.0, a, space)
        else:
            pursue_row(G, D @ X[i], 0.0, a, space)
        if size[i] > 0:
            root = np.sqrt(size[i])
            factor = _usable(atoms, forgetting[i])
            lengths = add_to_atoms(atoms, G, root * a, root * X[i], factor)
            rescale(labels, lengths)
            a *= lengths
        if kind[i] > 0:
            factor = _usable(labels, forgetting[i])
            u, left = gain(labels, a, goals[i], factor)
            add_point(labels, u, left, factor)


@njit(cache=True, nogil=True)
def _usable(fit: RecursiveFit, forgetting: float) -> float:
    for j in range(len(fit.K)):
        if fit.K[j, j] > MAX_INVERSE:
            return 1.0
    return forgetting
