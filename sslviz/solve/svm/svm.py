r"""Support vector machines with a bias on a given kernel: dual and primal solver, made exact.

    primal: min_{α, b} (1/l) Σ_i max(0, 1 − y_i f_i) + λ αᵀKα,   f = Kα + b
    dual:   max_a 2λ Σ_i a_i − λ αᵀKα,   α_i = y_i a_i,   0 ≤ a_i ≤ C = 1/(2λl),   Σ_i α_i = 0

The dual is solved by scikit-learn's SVC. The primal solver rounds the kink of the hinge to a
parabola of half-width h and lets h shrink; for each h Newton's method ends after finitely many
steps, since the smoothed problem is piecewise quadratic. Where C is very large the pairwise steps
of SVC converge slowly and the primal solver takes over. Both end by `polish`: once it is known
which points lie on the margin, a linear system gives the optimum, exact up to rounding.

Chapelle. Training a support vector machine in the primal. Neural Computation 19, 2007.
"""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.linalg import lstsq
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from sslviz.solve.svm.smoothed_hinge import CURVED, LINEAR, keeps_zones, line_search, update_zones

# Relative duality gaps: the goal, what is accepted as exact, and what deserves a warning.
TARGET_GAP, ACCEPTED_GAP, WARNING_GAP = 1e-12, 1e-9, 1e-6
MAX_SMO_STEPS, MAX_NEWTON_STEPS, MAX_POLISH_ROUNDS = 100_000, 50, 12
# Initial h and the factor by which it shrinks: a fast schedule, and a slow one if that fails.
WIDTH_SCHEDULES, MIN_WIDTH = ((1.0, 64.0), (16.0, 8.0)), 1e-12

TriedSets = set[tuple[bytes, bytes]]  # points on the margin, points inside it


class Machine(NamedTuple):
    """Coefficients α (l,), bias b and the relative duality gap."""

    alpha: np.ndarray
    b: float
    gap: float


def solve_dual(K: np.ndarray, y: np.ndarray, lam: float) -> Machine:
    """The dual by sequential minimal optimisation (libsvm), then made exact."""
    C = 1.0 / (2 * lam * len(y))
    svc = SVC(
        kernel="precomputed",
        C=C,
        tol=1e-6 * min(1.0, C * len(y)),
        max_iter=min(20 * len(y), MAX_SMO_STEPS),
        random_state=0,  # of nothing used here; without one a number of numpy's own is drawn
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        svc.fit(K, y)
    alpha = np.zeros(len(y))
    alpha[svc.support_] = svc.dual_coef_[0]
    machine = polish(K, y, lam, alpha)
    return machine if machine.gap <= ACCEPTED_GAP else solve_primal(K, y, lam)


def solve_primal(K: np.ndarray, y: np.ndarray, lam: float) -> Machine:
    """The primal by Newton's method with a shrinking h, then made exact.

    It starts from least squares: from f = 0 it would take many more steps.
    """
    best, tried = Machine(np.zeros(len(y)), 0.0, np.inf), TriedSets()
    for h, factor in WIDTH_SCHEDULES:
        slack = 4 * h * lam * len(y) + K.diagonal().mean() / 10
        alpha, b = _solve_with_bias(K, y, 0.0, slack=slack)
        while h > MIN_WIDTH:
            alpha, b = _newton(K, y, lam, h, alpha, b)
            before = len(tried)
            best = min(best, polish(K, y, lam, alpha, tried), key=lambda machine: machine.gap)
            # Where a smaller h suggests no new set, an accepted gap will not improve.
            if best.gap <= (TARGET_GAP if len(tried) > before else ACCEPTED_GAP):
                return best
            h /= factor
        if best.gap <= ACCEPTED_GAP:
            break
    return best


def _newton(
    K: np.ndarray, y: np.ndarray, lam: float, h: float, alpha: np.ndarray, b: float
) -> tuple[np.ndarray, float]:
    """α and b at the minimum with the hinge smoothed over 1 − h ≤ y f ≤ 1 + h."""
    C = 1.0 / (2 * lam * len(y))
    zones, weights = np.empty(len(y), np.int8), np.full(len(y), C)
    for _ in range(MAX_NEWTON_STEPS):
        f = K @ alpha + b
        update_zones(f, y, h, zones)
        curved = np.flatnonzero(zones == CURVED)
        goal, target_b = np.where(zones == LINEAR, C * y, 0.0), b
        if len(curved):
            # In the curved zone α_i = C y_i (1 + h − y_i f_i)/2h, which is linear in α and b.
            rows = K[curved]
            A, right = rows[:, curved], (1 + h) * y[curved] - rows @ goal
            goal[curved], target_b = _solve_with_bias(A, right, -goal.sum(), slack=2 * h / C)
        elif goal.sum() != 0:  # no point determines the bias: the line search does
            target_b = b + np.sign(goal.sum())
        direction, shift = goal - alpha, target_b - b
        image = K @ direction
        if len(curved) and keeps_zones(f, image + shift, y, h, zones):
            return goal, target_b  # the minimum lies in the quadratic piece it was computed for
        step = line_search(alpha @ image, direction @ image, f, image + shift, y, weights, h)
        if step == 0:  # the objective is constant along the step
            return goal, target_b
        alpha, b = alpha + step * direction, b + step * shift
    return alpha, b


def polish(
    K: np.ndarray, y: np.ndarray, lam: float, alpha: np.ndarray, tried: TriedSets | None = None
) -> Machine:
    """The optimum near `alpha`: choose which points lie on the margin, solve, correct the choice.

    Sets that were `tried` before were wrong, whatever `alpha` led to them, and are skipped.
    """
    C = 1.0 / (2 * lam * len(y))
    a = np.clip(y * alpha, 0, C)
    best = _with_gap(K, y, lam, _balance(y * a))
    at_C = a >= (1 - 1e-12) * C
    free, tried = (a > 0) & ~at_C, set() if tried is None else tried
    for _ in range(MAX_POLISH_ROUNDS):
        sets = (free.tobytes(), at_C.tobytes())
        if sets in tried:
            break
        tried.add(sets)
        alpha = np.where(at_C, C * y, 0.0)
        if free.any():
            right = y[free] - K[np.ix_(free, at_C)] @ alpha[at_C]
            alpha[free], b = _solve_with_bias(K[np.ix_(free, free)], right, -alpha.sum())
        else:
            b = _middle_bias(K, y, alpha, at_C)
        a, t = y * alpha, y * (K @ alpha + b)
        slack = 1e-9 * C
        low, high = free & (a < -slack), free & (a > C + slack)
        wrong = ~free & np.where(at_C, t > 1 + 1e-9, t < 1 - 1e-9)
        if not (low | high | wrong).any():
            a = np.clip(a, 0, C)
            if ((a < 1e-9 * a.max()) | (a > (1 - 1e-9) * C)).all():
                b = _middle_bias(K, y, y * a, a > C / 2)
            found = _with_gap(K, y, lam, y * a, b)
            return found if found.gap <= max(TARGET_GAP, best.gap) else best
        free, at_C = (free & ~low & ~high) | wrong, (at_C & ~wrong) | high
    return best


def _solve_with_bias(
    A: np.ndarray, right: np.ndarray, total: float, slack: float = 0.0
) -> tuple[np.ndarray, float]:
    """x and b with (A + slack I) x + b = right and Σx = total; of several, the shortest."""
    size = len(A)
    M = np.ones((size + 1, size + 1))
    M[:size, :size], M[size, size] = A, -slack
    M.flat[:: size + 2] += slack
    goal = np.append(right, total)
    try:
        x = np.linalg.solve(M, goal)
        sound = np.abs(M @ x - goal).max() <= 1e-10 * max(1.0, np.abs(goal).max())
    except np.linalg.LinAlgError:
        sound = False
    if not sound:
        x = lstsq(M, goal, cond=1e-14, lapack_driver="gelsy", check_finite=False)[0]
    return x[:size], float(x[size])


def _balance(alpha: np.ndarray) -> np.ndarray:
    """α with its positive or negative part scaled down until it sums to zero."""
    plus, minus = alpha[alpha > 0].sum(), -alpha[alpha < 0].sum()
    smaller = min(plus, minus)
    scale = np.where(alpha > 0, smaller / max(plus, 1e-300), smaller / max(minus, 1e-300))
    return alpha * scale


def _middle_bias(K: np.ndarray, y: np.ndarray, alpha: np.ndarray, at_C: np.ndarray) -> float:
    """Without a point on the margin a range of b is optimal; this is its middle."""
    bound = y - K @ alpha
    lower = at_C == (y < 0)  # these points bound b from below, the others from above
    low, high = bound[lower].max(initial=-np.inf), bound[~lower].min(initial=np.inf)
    return float(np.clip(0.5 * (low + high), low, high)) if np.isfinite(low + high) else 0.0


def _with_gap(
    K: np.ndarray, y: np.ndarray, lam: float, alpha: np.ndarray, b: float | None = None
) -> Machine:
    """The machine with its duality gap, relative except for values near zero."""
    f = K @ alpha
    size = lam * (alpha @ f)
    if b is None:  # the best for this α: the minimum of a piecewise linear function of b
        options = y - f
        b = float(options[np.maximum(0, 1 - y * (f + options[:, None])).sum(axis=1).argmin()])
    primal = np.maximum(0, 1 - y * (f + b)).mean() + size
    dual = 2 * lam * (alpha @ y) - size
    feasible = abs(alpha.sum()) <= 1e-9 * np.abs(alpha).sum()
    return Machine(alpha, b, float((primal - dual) / (primal + 1e-4)) if feasible else np.inf)
