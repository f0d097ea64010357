r"""The support vector problem with a bias, on a given kernel: two ways to the same optimum.

    primal: min_{α, b} (1/l) Σ_i max(0, 1 − y_i f_i) + λ αᵀKα,   f = Kα + b
    dual:   max_a 2λ Σ_i a_i − λ αᵀKα,   α_i = y_i a_i,   0 ≤ a_i ≤ C = 1/(2λl),   Σ_i α_i = 0

The dual is scikit-learn's SVC. The primal rounds the hinge's kink to a parabola of half-width h and
lets h shrink; for each h Newton's method ends after finitely many steps, since the rounded problem
is piecewise quadratic. Where C is huge, pairwise steps crawl and Newton's method
takes over. Both end by `polish`: once it is known which points lie on the margin, the
optimum is the solution of a linear system, exact to rounding.

Chapelle. Training a support vector machine in the primal. Neural Computation 19, 2007.
"""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.linalg import lstsq
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from sslviz.solve.svm.smoothed_hinge import CURVED, LINEAR, keeps_zones, line_search, update_zones

TARGET_GAP, ACCEPTED_GAP = (
    1e-12,
    1e-9,
)  # relative to the value: rounding, and still as good as exact
WARNING_GAP = 1e-6  # a gap worth a warning
MAX_SMO_STEPS, MAX_NEWTON_STEPS, MAX_POLISH_ROUNDS = 100_000, 50, 12
WIDTH_SCHEDULES, MIN_WIDTH = (
    ((1.0, 64.0), (16.0, 8.0)),
    1e-12,
)  # of h: quickly, and if need be slowly

TriedSets = set[tuple[bytes, bytes]]  # who is on the margin, who is beyond it


class Machine(NamedTuple):
    """Coefficients α (l,) and bias b, and how far the dual value stays below the primal one."""

    alpha: np.ndarray
    b: float
    gap: float


def solve_dual(K: np.ndarray, y: np.ndarray, lam: float) -> Machine:
    """Sequential minimal optimisation (libsvm), then exact."""
    C = 1.0 / (2 * lam * len(y))
    svc = SVC(
        kernel="precomputed",
        C=C,
        tol=1e-6 * min(1.0, C * len(y)),
        max_iter=min(20 * len(y), MAX_SMO_STEPS),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        svc.fit(K, y)
    alpha = np.zeros(len(y))
    alpha[svc.support_] = svc.dual_coef_[0]
    machine = polish(K, y, lam, alpha)
    return machine if machine.gap <= ACCEPTED_GAP else solve_primal(K, y, lam)


def solve_primal(K: np.ndarray, y: np.ndarray, lam: float) -> Machine:
    """Newton's method on ever less rounded hinges, then exact.

    It begins with least squares: from f = 0 many more pieces would lie on the way.
    """
    best, guessed = Machine(np.zeros(len(y)), 0.0, np.inf), TriedSets()
    for h, shrinks in WIDTH_SCHEDULES:
        alpha, b = _solve_with_bias(
            K, y, 0.0, slack=4 * h * lam * len(y) + K.diagonal().mean() / 10
        )
        while h > MIN_WIDTH:
            alpha, b = _newton(K, y, lam, h, alpha, b)
            before = len(guessed)
            best = min(best, polish(K, y, lam, alpha, guessed), key=lambda machine: machine.gap)
            if best.gap <= (
                TARGET_GAP if len(guessed) > before else ACCEPTED_GAP
            ):  # no other guess is to come
                return best
            h /= shrinks
        if best.gap <= ACCEPTED_GAP:
            break
    return best


def _newton(
    K: np.ndarray, y: np.ndarray, lam: float, h: float, alpha: np.ndarray, b: float
) -> tuple[np.ndarray, float]:
    """The minimum of the problem with the hinge rounded over 1 − h ≤ y f ≤ 1 + h."""
    C = 1.0 / (2 * lam * len(y))
    zones, price = np.empty(len(y), np.int8), np.full(len(y), C)
    for _ in range(MAX_NEWTON_STEPS):
        f = K @ alpha + b
        update_zones(f, y, h, zones)
        edge = np.flatnonzero(zones == CURVED)
        goal, target_b = np.where(zones == LINEAR, C * y, 0.0), b
        if len(edge):
            # On the edge α_i = C y_i (1 + h − y_i f_i)/2h, which is linear in α and b.
            rows = K[edge]
            A, right = rows[:, edge], (1 + h) * y[edge] - rows @ goal
            goal[edge], target_b = _solve_with_bias(A, right, -goal.sum(), slack=2 * h / C)
        elif goal.sum() != 0:  # nothing holds the bias: let the line search find its place
            target_b = b + np.sign(goal.sum())
        way, shift = goal - alpha, target_b - b
        image = K @ way
        if len(edge) and keeps_zones(f, image + shift, y, h, zones):
            return goal, target_b  # the quadratic piece it was computed for holds its minimum
        step = line_search(alpha @ image, way @ image, f, image + shift, y, price, h)
        if step == 0:  # flat all the way: one end is as good as the other
            return goal, target_b
        alpha, b = alpha + step * way, b + step * shift
    return alpha, b


def polish(
    K: np.ndarray, y: np.ndarray, lam: float, alpha: np.ndarray, guessed: TriedSets | None = None
) -> Machine:
    """The optimum near `alpha`: guess which points lie on the margin, solve, correct the guess.

    What was `guessed` before was wrong, whatever `alpha` led to it, and is not tried again.
    """
    C = 1.0 / (2 * lam * len(y))
    a = np.clip(y * alpha, 0, C)
    best = _with_gap(K, y, lam, _balance(y * a))
    at_C = a >= (1 - 1e-12) * C
    free, guessed = (a > 0) & ~at_C, set() if guessed is None else guessed
    for _ in range(MAX_POLISH_ROUNDS):
        guess = (free.tobytes(), at_C.tobytes())
        if guess in guessed:  # round and round
            break
        guessed.add(guess)
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
    """x and b with (A + slack) x + b = right and Σx = total; of several, the shortest."""
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
    """α shrunk on the heavier side until it sums to zero."""
    plus, minus = alpha[alpha > 0].sum(), -alpha[alpha < 0].sum()
    smaller = min(plus, minus)
    scale = np.where(alpha > 0, smaller / max(plus, 1e-300), smaller / max(minus, 1e-300))
    return alpha * scale


def _middle_bias(K: np.ndarray, y: np.ndarray, alpha: np.ndarray, at_C: np.ndarray) -> float:
    """With no point on the margin a whole range of b is optimal: its middle."""
    gap = y - K @ alpha
    floor = at_C == (y < 0)  # from these points b has a lower bound, from the others an upper one
    low, high = gap[floor].max(initial=-np.inf), gap[~floor].min(initial=np.inf)
    return float(np.clip(0.5 * (low + high), low, high)) if np.isfinite(low + high) else 0.0


def _with_gap(
    K: np.ndarray, y: np.ndarray, lam: float, alpha: np.ndarray, b: float | None = None
) -> Machine:
    """With the gap between the primal and the dual value, relative but for values near zero."""
    f = K @ alpha
    size = lam * (alpha @ f)
    if b is None:  # the best one for this α: a minimum of a piecewise linear function of b
        options = y - f
        b = float(options[np.maximum(0, 1 - y * (f + options[:, None])).sum(axis=1).argmin()])
    primal = np.maximum(0, 1 - y * (f + b)).mean() + size
    dual = 2 * lam * (alpha @ y) - size
    fair = abs(alpha.sum()) <= 1e-9 * np.abs(alpha).sum()  # without it the dual value means nothing
    return Machine(alpha, b, float((primal - dual) / (primal + 1e-4)) if fair else np.inf)
