"""The picture of a soak: every answer over time, latency by page, memory and cores."""

from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from soak.visitors import Soak


def picture(soak: Soak, found: dict[str, Any]) -> go.Figure:
    """Answers over time, their distribution by page, memory and cores of the server."""
    titles = ["Time to the answer", "By page", "Memory of the server", "Cores in use"]
    fig = make_subplots(2, 2, subplot_titles=titles, vertical_spacing=0.2)
    answered = [r for r in soak.records if r.finish is not None]
    failed = [r for r in soak.records if r.error]
    for name, records in (("answer", answered), ("error", failed)):
        points = go.Scatter(
            x=[r.begun for r in records],
            y=[r.finish or 120.0 for r in records],
            text=[f"{r.page} {r.kind} {r.name} {r.error}" for r in records],
            mode="markers",
            name=name,
            marker={"symbol": "x" if name == "error" else "circle", "size": 5},
        )
        fig.add_trace(points, 1, 1)
    for page in found["pages"]:
        times = [r.finish for r in answered if r.page == page]
        fig.add_trace(go.Box(y=times, name=page, showlegend=False), 1, 2)
    at = [s["at"] for s in soak.samples]
    if "memory" in soak.samples[-1]:
        memory = go.Scatter(x=at, y=[s["memory"] for s in soak.samples], name="MB")
        fig.add_trace(memory, 2, 1)
        for name, key in (("server", "cpu"), ("client", "client"), ("machine", "busy")):
            fig.add_trace(go.Scatter(x=at[1:], y=_cores(soak, key), name=name), 2, 2)
    fig.update_yaxes(type="log", title="s", row=1)
    fig.update_xaxes(title="s", row=2)
    fig.update_layout(height=900, title="Soak")
    return fig


def _cores(soak: Soak, key: str) -> list[float]:
    pairs = zip(soak.samples, soak.samples[1:], strict=False)
    return [(b[key] - a[key]) / max(b["at"] - a["at"], 1e-9) for a, b in pairs]
