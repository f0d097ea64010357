"""The numbered colours of a marker, decoded."""

from typing import Any


def seen(marker: Any) -> list[str]:
    """The colour of every point as '#rrggbb'."""
    assert marker["cmin"] == 0 and marker["cmax"] == len(marker["colorscale"]) - 1
    return [marker["colorscale"][int(i)][1] for i in marker["color"]]
