"""The votes behind the prediction of one point: bars, a table and a sentence.

A result with `votes` (voters, distances, classes, weights, paths, tied, winner) and `point`.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.basic import class_bars


def vote_bars(r: Any) -> go.Figure:
    """The votes for each class."""
    shares, votes = np.zeros(len(r.classes)), r.votes
    cast = votes.classes >= 0
    np.add.at(shares, votes.classes[cast], votes.weights[cast])
    return class_bars(shares, r.classes)


def vote_table(r: Any) -> dict[str, Any] | None:
    """A row for each voter; None where the point is a voter itself or reaches none."""
    votes, given = r.votes, r.y >= 0
    if len(votes.voters) == 0 or list(votes.voters) == [r.point]:
        return None
    return {
        "voter": [f"{'label' if given[v] else 'hub'} {v}" for v in votes.voters],
        "votes for": [r.classes[c] for c in votes.classes],
        "distance": [float(f"{length:.4g}") for length in votes.distances],
    }


def vote_caption(r: Any) -> str:
    return f"True class {r.true_names[r.point]}. {verdict(r.votes, r.classes)}"


def verdict(votes: Any, names: tuple[str, ...]) -> str:
    """The outcome of the vote in a sentence."""
    if votes.winner < 0:
        return "No voter can be reached from it: it stays undetermined."
    winner = names[votes.winner]
    if len(votes.paths) == 1 and len(votes.paths[0]) == 1:
        return f"It is a voter itself and votes **{winner}**."
    if votes.tied:
        return f"The vote is tied: the nearest of the tied voters decides for **{winner}**."
    count = int((votes.classes == votes.winner).sum())
    return f"{count} of {len(votes.voters)} voters vote **{winner}**."
