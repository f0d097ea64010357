"""Maps of what a network makes: codes with Gaussian components, fakes over entropy, features."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.animated.mixture import ellipse
from sslviz.figures.frames import set_frames
from sslviz.figures.maps.decision_field import ends
from sslviz.figures.maps.points import hover_template, marker_size
from sslviz.figures.theme import (
    ACCENT,
    BACKDROP,
    class_colours,
    css_of,
    empty_map,
    mixed_colours,
    scatter,
)

ENTROPY_SCALE = [[0, "rgba(123,91,230,0)"], [1, "rgba(123,91,230,0.75)"]]  # clear where sure
RANGE_BORDER = 0.08  # of the width, around all frames


class CodeFrame(NamedTuple):
    """Codes on two axes at one moment, with Gaussian components."""

    name: str
    codes: np.ndarray  # (n, 2)
    F: np.ndarray  # (n, K) probabilities in the order of the colours
    means: np.ndarray  # (C, 2)
    covariances: np.ndarray  # (C, 2, 2)
    order: np.ndarray  # (C,) colour of each component


def codes_map(frames: Sequence[CodeFrame], n_colours: int, *, uirevision: str) -> go.Figure:
    """The last frame, and all of them to be played."""
    now, colours = frames[-1], class_colours(n_colours)
    fig = empty_map(uirevision)
    fig.add_trace(
        scatter(
            now.codes, mode="markers", name="codes", customdata=np.arange(len(now.codes)),
            hovertemplate=hover_template(None), showlegend=False, opacity=0.6,
            marker={"size": marker_size(len(now.codes)), **mixed_colours(now.F, colours)},
        )
    )  # fmt: skip
    add_ellipses(fig, now.means, now.covariances, now.order, n_colours)
    every = np.vstack([f.codes for f in frames])
    _set_range(fig, every)
    if len(frames) > 1:
        set_frames(fig, [_code_frame(f, colours) for f in frames])
    return fig


def _code_frame(f: CodeFrame, colours: np.ndarray) -> dict:
    codes = f.codes.astype(np.float32)
    data: list[dict] = [
        {
            "type": "scattergl", "x": codes[:, 0], "y": codes[:, 1],
            "marker": mixed_colours(f.F, colours),
        }
    ]  # fmt: skip
    for c in range(len(f.means)):
        line = ellipse(f.means[c], f.covariances[c]).astype(np.float32)
        css = css_of(colours[f.order[c]])
        data.append({"type": "scattergl", "x": line[:, 0], "y": line[:, 1], "line": {"color": css}})
    return {"name": f.name, "data": data, "traces": list(range(len(data)))}


def add_ellipses(
    fig: go.Figure, means: np.ndarray, covariances: np.ndarray, order: np.ndarray, n_colours: int
) -> None:
    """An ellipse of two standard deviations for every component, in the colour `order` gives it."""
    colours = class_colours(n_colours)
    for c, at in enumerate(order):
        line = {"color": css_of(colours[at]), "width": 3}
        fig.add_trace(
            scatter(
                ellipse(means[c], covariances[c]), mode="lines", line=line, hoverinfo="skip",
                showlegend=False,
            )
        )  # fmt: skip


def entropy_map(
    points: np.ndarray,
    frames: Sequence[tuple[str, np.ndarray, np.ndarray]],
    x: np.ndarray,
    y: np.ndarray,
    *,
    uirevision: str,
) -> go.Figure:
    """Fakes (m, 2) over the entropy (b, a) of the prediction, 0 to 1; real points pale behind.

    `frames` are name, entropy and fakes; the last is shown.
    """
    _, entropy, fakes = frames[-1]
    fig = empty_map(uirevision)
    fig.add_trace(
        go.Heatmap(
            z=_shades(entropy), x=x, y=y, zmin=0, zmax=100, colorscale=ENTROPY_SCALE,
            showscale=False, hoverinfo="skip",
        )
    )  # fmt: skip
    size = marker_size(len(points))
    fig.add_trace(
        scatter(
            fakes, mode="markers", name="fakes", hoverinfo="skip",
            marker={"size": size + 1, "color": ACCENT, "symbol": "x-thin-open"},
        )
    )  # fmt: skip
    fig.add_trace(
        scatter(
            points, mode="markers", name="real points", hoverinfo="skip", opacity=0.45,
            marker={"size": 0.7 * size, "color": BACKDROP},
        )
    )  # fmt: skip
    fig.update_xaxes(range=ends(x), constrain="domain")  # nothing beyond the field
    fig.update_yaxes(range=ends(y), constrain="domain")
    if len(frames) > 1:
        set_frames(
            fig,
            [
                {
                    "name": name,
                    "data": [
                        {"type": "heatmap", "z": _shades(z)},
                        {
                            "type": "scattergl",
                            **dict(zip("xy", made.T.astype(np.float32), strict=True)),
                        },
                    ],
                    "traces": [0, 1],
                }
                for name, z, made in frames
            ],
        )
    return fig


def _shades(entropy: np.ndarray) -> np.ndarray:
    """Entropy from 0 to 1 in percent, a byte each."""
    return np.rint(100 * np.clip(entropy, 0, 1)).astype(np.uint8)


def features_map(
    frames: Sequence[tuple[str, np.ndarray, np.ndarray]], *, uirevision: str
) -> go.Figure:
    """Features (n, 2) of each period in the colours of F (n, K): name, places, F."""
    _, places, F = frames[-1]
    fig, colours = empty_map(uirevision), class_colours(F.shape[1])
    marker = {"size": marker_size(len(places)), **mixed_colours(F, colours)}
    fig.add_trace(
        scatter(
            places, mode="markers", customdata=np.arange(len(places)), marker=marker,
            hovertemplate=hover_template(None), showlegend=False, name="points",
        )
    )  # fmt: skip
    _set_range(fig, np.vstack([at for _, at, _ in frames]))
    if len(frames) > 1:
        set_frames(fig, [
            {
                "name": name,
                "data": [
                    {
                        "type": "scattergl", "marker": mixed_colours(shares, colours),
                        **dict(zip("xy", at.T.astype(np.float32), strict=True)),
                    }
                ],
                "traces": [0],
            }
            for name, at, shares in frames
        ])  # fmt: skip
    return fig


def decoded_plane(
    points: np.ndarray, centres: np.ndarray, order: np.ndarray, path: np.ndarray, n_colours: int,
    *, uirevision: str,
) -> go.Figure:  # fmt: skip
    """Decoded centres (C, 2) as crosses and the decoded line between two of them, over points."""
    fig, colours = empty_map(uirevision), class_colours(n_colours)
    fig.add_trace(
        scatter(
            points, mode="markers", hoverinfo="skip", opacity=0.35, showlegend=False,
            marker={"size": 0.8 * marker_size(len(points)), "color": BACKDROP},
        )
    )  # fmt: skip
    fig.add_trace(
        scatter(
            path, mode="lines+markers", hoverinfo="skip", showlegend=False,
            line={"color": ACCENT, "width": 2}, marker={"size": 5, "color": ACCENT},
        )
    )  # fmt: skip
    fig.add_trace(
        scatter(
            centres, mode="markers", hoverinfo="skip", showlegend=False,
            marker={
                "size": 15, "symbol": "cross", "line": {"width": 1, "color": "white"},
                "color": [css_of(colours[at]) for at in order],
            },
        )
    )  # fmt: skip
    return fig


def _set_range(fig: go.Figure, places: np.ndarray) -> None:
    """Room for every frame."""
    low, high = places.min(axis=0), places.max(axis=0)
    edge = RANGE_BORDER * (float((high - low).max()) or 1.0)
    fig.update_xaxes(range=[float(low[0] - edge), float(high[0] + edge)])
    fig.update_yaxes(range=[float(low[1] - edge), float(high[1] + edge)])
