"""How high a map is beside its width."""

import numpy as np
import plotly.graph_objects as go

FLATTEST = 0.5  # no map is flatter: room for tools and labels of points


def plane_shape(fig: go.Figure) -> float | None:
    """Height over width, at most 1, of what a map in the plane shows; None where axes have
    different units, and of scenes."""
    if fig.layout.yaxis.scaleanchor != "x":
        return None
    sides = []
    for name in "yx":
        ends = fig.layout[f"{name}axis"].range
        if ends is None:
            drawn = (t[name] for t in fig.data if "markers" in (getattr(t, "mode", "") or ""))
            values = [np.asarray(v, float) for v in drawn if v is not None and len(v)]
            if not values:
                return None
            ends = (np.nanmin(np.concatenate(values)), np.nanmax(np.concatenate(values)))
        sides.append(abs(float(ends[1]) - float(ends[0])))
    height, width = sides
    if not (np.isfinite(sides).all() and width > 0):
        return None
    return float(np.clip(height / width, FLATTEST, 1))
