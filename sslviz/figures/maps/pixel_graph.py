"""One image with the graph of its pixels drawn over it."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.image_grid import NEGATIVE, POSITIVE, WHITE, bare_figure
from sslviz.figures.theme import ACCENT

STRENGTHS = 3  # widths of lines


def pixel_graph(
    image: np.ndarray, shape: tuple[int, int], edges: np.ndarray, weights: np.ndarray
) -> go.Figure:
    """A signed image (h · w,) and lines between pixels: `edges` (e, 2) with `weights` (e,) > 0."""
    most = float(np.abs(image).max()) or 1.0
    fig = bare_figure("pixels")
    fig.add_heatmap(
        z=image.reshape(shape),
        zmin=-most,
        zmax=most,
        colorscale=[[0, NEGATIVE], [0.5, WHITE], [1, POSITIVE]],
        showscale=False,
        hoverinfo="skip",
    )
    places = np.column_stack([np.arange(image.size) % shape[1], np.arange(image.size) // shape[1]])
    heaviest = float(weights.max(initial=0.0)) or 1.0
    level = np.minimum((STRENGTHS * weights / heaviest).astype(int), STRENGTHS - 1)
    for strength in range(STRENGTHS):
        chosen = edges[level == strength]
        if not len(chosen):
            continue
        lines = np.full((len(chosen), 3, 2), np.nan)
        lines[:, 0], lines[:, 1] = places[chosen[:, 0]], places[chosen[:, 1]]
        x, y = lines.reshape(-1, 2).T
        share = (strength + 1) / STRENGTHS
        line = {"color": ACCENT, "width": 0.5 + share}
        fig.add_scatter(x=x, y=y, mode="lines", line=line, opacity=0.15 + 0.45 * share)
        fig.data[-1].update(hoverinfo="skip")
    fig.update_xaxes(range=[-0.5, shape[1] - 0.5], constrain="domain")
    fig.update_yaxes(range=[shape[0] - 0.5, -0.5], scaleanchor="x", constrain="domain")
    return fig
