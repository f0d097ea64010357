"""Charts of a network classifier: its training, and what its layers do."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.basic import small_chart
from sslviz.figures.charts.training import SMALLEST_TERM, ticks
from sslviz.figures.theme import ACCENT, BACKDROP, DIFFERENCE, OKABE_ITO

TERM_COLOURS = tuple(OKABE_ITO[i] for i in (0, 5, 2, 3, 1, 4))


def accuracy_and_loss(
    iterations: np.ndarray,
    terms: dict[str, np.ndarray],
    accuracies: dict[str, np.ndarray],
    baselines: dict[str, float],
    total: int,
) -> go.Figure:
    """Two charts over one axis: accuracies above, loss terms below.

    The first of `accuracies` is that of the method. `baselines` are constant, drawn as dotted
    lines. All arrays are (t,); `total` is the number of iterations of the whole training.
    """
    fig = small_chart("iterations", "").update_layout(
        uirevision="training",
        hovermode="closest",
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": -0.16, "yanchor": "top"},
        xaxis={"range": [0, total], "anchor": "y"},
        yaxis={"domain": [0, 0.44], **ticks(terms)},
        yaxis2={"domain": [0.58, 1], "fixedrange": True, "tickformat": ".0%", "nticks": 4},
    )
    # The first steps, hardly better than chance, would leave no room for what matters.
    ends = np.array([*baselines.values(), *(y[-1] for y in accuracies.values() if len(y))], float)
    lowest = float(np.min(ends[~np.isnan(ends)], initial=0.9))
    fig.update_layout(yaxis2_range=[max(0.0, lowest - 0.1), 1.02])
    for (name, y), colour in zip(accuracies.items(), (DIFFERENCE, BACKDROP), strict=False):
        fig.add_scatter(
            x=iterations, y=y, name=name, mode="lines", yaxis="y2",
            line={"color": colour, "width": 2.5},
            hovertemplate="%{x}: %{y:.1%}<extra>" + name + "</extra>",
        )  # fmt: skip
    for name, height in baselines.items():
        fig.add_scatter(
            x=[0, total], y=[height, height], name=name, mode="lines", yaxis="y2", showlegend=False,
            line={"color": ACCENT, "width": 1.5, "dash": "dot"},
            hovertemplate="%{y:.1%}<extra>" + name + "</extra>",
        )  # fmt: skip
        fig.add_annotation(
            text=name, x=1, xref="paper", xanchor="right", y=height, yref="y2", yanchor="top",
            showarrow=False, font={"size": 11, "color": ACCENT},
        )  # fmt: skip
    for (name, y), colour in zip(terms.items(), TERM_COLOURS, strict=False):
        if len(y) and not y.any():
            continue  # a term that is switched off
        fig.add_scatter(
            x=iterations, y=np.maximum(y, SMALLEST_TERM), name=name, mode="lines",
            line={"color": colour, "width": 2},
            hovertemplate="%{x}: %{y:.3g}<extra>" + name + "</extra>",
        )  # fmt: skip
    for text, place in (("loss terms", 0.445), ("accuracy", 1.0)):
        fig.add_annotation(
            text=text, x=0, xref="paper", xanchor="left", y=place, yref="paper", yanchor="bottom",
            showarrow=False,
        )  # fmt: skip
    return fig
