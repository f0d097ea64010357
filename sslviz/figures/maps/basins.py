"""Basins: the given label at which a random walk from each point most likely ends."""

import colorsys

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.points import add_colour_key, add_given_labels, hover_template, marker_size
from sslviz.figures.theme import BACKDROP, class_colours, empty_map, mixed_colours, rgb_of, scatter

DISTINCT_SHADES = 6  # of one colour; more look alike


def label_shades(given: np.ndarray, n_classes: int) -> np.ndarray:
    """(l, 3) a colour for each given label: shades of the colour of its class.

    `given` (l,) are the classes of the labels. Shades go from dark to light, with a change in hue.
    """
    colours = class_colours(n_classes) / 255
    shaded = np.empty((len(given), 3))
    for c in range(n_classes):
        mine = np.flatnonzero(given == c)
        hue, light, full = colorsys.rgb_to_hls(*colours[c])
        for step, at in zip(np.linspace(-1, 1, len(mine)), mine, strict=True):
            step = step if len(mine) > 1 else 0.0
            level = light + step * (0.45 * light if step < 0 else 0.6 * (0.95 - light))
            shaded[at] = colorsys.hls_to_rgb((hue + 0.02 * step) % 1, level, full)
    return np.rint(255 * shaded)


def basin_map(
    points: np.ndarray,
    B: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
    *,
    only: int | None = None,
    facts: list[str] | None = None,
    uirevision: str = "map",
) -> go.Figure:
    """Points coloured by the labels at which their walks end, or by the probability of one label.

    `B` (n, l) are absorption probabilities, a column for each point with `given` >= 0 in order;
    `only` is the column of one label, whose basin is then shown alone.
    """
    labelled = np.flatnonzero(given >= 0)
    colours = label_shades(given[labelled], len(classes))
    if only is None:
        marker = mixed_colours(B, colours)
    else:
        rest, own = rgb_of(BACKDROP)[None], class_colours(len(classes))[given[labelled[only]]]
        share = np.stack([B[:, only], B.sum(axis=1) - B[:, only]], axis=1).clip(0)
        marker = mixed_colours(share, np.concatenate([own[None], rest]))
        colours = np.repeat(rest, len(labelled), axis=0)
        colours[only] = own
    del marker["colorbar"]  # colours are those of labels here: no shapes of classes
    fig = empty_map(uirevision, points.shape[1])
    fig.add_trace(
        scatter(
            points,
            mode="markers",
            name="points",
            customdata=np.arange(len(points)),
            text=facts,
            hovertemplate=hover_template(facts),
            marker={"size": marker_size(len(points)), **marker, "line": {"width": 0}},
            showlegend=False,
        )
    )
    add_given_labels(fig, points, given, classes, facts=facts, colours=colours)
    add_colour_key(fig, classes, bool((B.sum(axis=1) == 0).any()))
    return fig
