"""Principal axes of coordinates, on which codes and features are drawn."""

import numpy as np


def principal_axes(E: np.ndarray, count: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """(d, count) the leading principal axes of coordinates (n, d), and their mean.

    Up to `count` coordinates stay as they are; one gets a second of zeros.
    """
    if E.shape[1] <= count:
        return np.eye(E.shape[1], max(E.shape[1], 2)), np.zeros(E.shape[1])
    mean = E.mean(axis=0)
    axes = np.linalg.eigh((E - mean).T @ (E - mean))[1][:, : -count - 1 : -1]
    return axes * np.where(axes.sum(axis=0) < 0, -1, 1), mean


def unit_plane(E: np.ndarray, like: np.ndarray | None = None) -> np.ndarray:
    """(n, 2) centred coordinates E on their principal axes, the largest of which is 1, in float32.

    They are turned, or mirrored, until they fit the places `like` (n, 2) best: axes would change
    places from one moment to the next.
    """
    E = E - E.mean(axis=0)
    Z = E @ principal_axes(E)[0]
    if like is not None:
        U, _, Vt = np.linalg.svd(Z.T @ like)
        Z = Z @ (U @ Vt)
    return (Z / max(float(np.abs(Z).max()), np.finfo(float).tiny)).astype(np.float32)
