"""The doubling algorithm and votes with multiplicities, in plain loops."""

from typing import NamedTuple

import numpy as np
from propagation.oracles import absorption, hub_weights, neighbour_distances, path_lengths


def assert_same(left: dict[str, np.ndarray], right: dict[str, np.ndarray]) -> None:
    """Two states are equal, bit for bit."""
    assert left.keys() == right.keys()
    for name in left:
        np.testing.assert_array_equal(left[name], right[name], err_msg=name)


class Ball(NamedTuple):
    number: int  # which point of the stream
    weight: int
    absorbed: bool


def distance(X: np.ndarray, a: Ball, b: Ball) -> float:
    return float(np.sqrt(np.sum((X[a.number] - X[b.number]) ** 2)))


class Cover:
    """Centroids in order of age; the radius."""

    def __init__(self, X: np.ndarray, first: int, capacity: int, merge: str):
        self.X, self.capacity, self.merge = X, capacity, merge
        self.balls: list[Ball] = []
        self.radius = 0.0
        for i in range(len(X)):
            self.arrive(i)
            if i + 1 == min(first, capacity):
                self.radius = self.half_the_smallest()

    def half_the_smallest(self) -> float:
        pairs = [distance(self.X, a, b) for a in self.balls for b in self.balls]
        return min((d for d in pairs if d > 0), default=0.0) / 2

    def arrive(self, i: int) -> None:
        new = Ball(i, 1, False)
        near = [distance(self.X, ball, new) for ball in self.balls]
        if near and min(near) <= self.radius:
            at = near.index(min(near))
            self.balls[at] = self.balls[at]._replace(weight=self.balls[at].weight + 1)
            return
        self.balls.append(new)
        if len(self.balls) > self.capacity and self.radius == 0:
            self.radius = self.half_the_smallest()
        while len(self.balls) > self.capacity:
            self.double() if self.merge == "doubling" else self.melt()

    def double(self) -> None:
        self.radius *= 2
        kept: list[Ball] = []
        for ball in self.balls:
            if all(distance(self.X, ball, other) > self.radius for other in kept):
                kept.append(ball)
        weights = {ball.number: 0 for ball in kept}
        for ball in self.balls:
            nearest = min(kept, key=lambda other, b=ball: distance(self.X, b, other))
            weights[nearest.number] += ball.weight
        self.balls = [ball._replace(weight=weights[ball.number]) for ball in kept]

    def melt(self) -> None:
        found = []
        for a, older in enumerate(self.balls):
            for b in range(a + 1, len(self.balls)):
                younger = self.balls[b]
                lost = b if older.weight >= younger.weight else a
                d = distance(self.X, older, younger)
                if d <= self.radius and not self.balls[lost].absorbed:
                    found.append((d, a, b, lost))
        if not found:
            self.radius *= 2
            self.balls = [ball._replace(absorbed=False) for ball in self.balls]
            return
        _, a, b, lost = min(found)
        kept = a + b - lost
        total = self.balls[a].weight + self.balls[b].weight
        self.balls[kept] = self.balls[kept]._replace(weight=total, absorbed=True)
        del self.balls[lost]


def quantised_rlp(
    X: np.ndarray, y: np.ndarray, m: np.ndarray, *, k_graph: int, k_hub: int, n_hubs: int,
    n_votes: int,
) -> np.ndarray:  # fmt: skip
    """Labels of all nodes: Algorithm 1 with the changes of section 5.1; classes are 0, 1, …"""
    listed = np.isfinite(neighbour_distances(X, k_graph))
    score = [sum(m[i] for i in range(len(X)) if listed[i, j]) for j in range(len(X))]
    free = [i for i in range(len(X)) if y[i] == -1]
    hubs = sorted(free, key=lambda j: (-score[j], j))[:n_hubs]
    seeds = sorted([i for i in range(len(X)) if y[i] != -1] + hubs)
    d = path_lengths(X, k_graph, seeds)
    W, _ = hub_weights(d, seeds, k_hub, "undirected")
    Y = (y[seeds][:, None] == np.arange(y.max() + 1)).astype(float)
    F = absorption(W * m[seeds], Y, y[seeds] == -1)
    label = {s: int(F[a].argmax()) for a, s in enumerate(seeds) if F[a].any()}
    labels = np.full(len(X), -1)
    for x in range(len(X)):
        near = sorted((d[a, x], s) for a, s in enumerate(seeds) if s in label)
        voters = [s for way, s in near[:n_votes] if np.isfinite(way)]
        votes = {c: sum(m[v] for v in voters if label[v] == c) for c in range(y.max() + 1)}
        leaders = [label[v] for v in voters if votes[label[v]] == max(votes.values())]
        labels[x] = label[x] if x in label else leaders[0] if leaders else -1
    return labels
