"""A figure as it is sent to the browser: its settings in one line of JSON, then its own JSON.

Streamlit passes bytes on as they are. A dict it would write as JSON twice (to send it, and to know
whether it has changed), with every quotation mark of the figure's own JSON escaped.
"""

import base64
import json
from typing import Any

import numpy as np
import plotly.graph_objects as go

ARRAY_TYPES = {  # names of plotly.js for numbers that browsers have arrays of
    np.dtype(kind): name
    for kind, name in {
        "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2",
        "int32": "i4", "uint32": "u4", "float32": "f4", "float64": "f8",
    }.items()
}  # fmt: skip


def pack(settings: dict[str, Any], fig: go.Figure) -> bytes:
    """The message: settings, which hold no line break once they are JSON, and the figure."""
    return f"{json.dumps(settings)}\n{figure_json(fig)}".encode()


def unpack(message: bytes) -> dict[str, Any]:
    """Settings of a message, and its figure under "figure"; what the browser does, for tests."""
    settings, figure = message.decode().split("\n", 1)
    found: dict[str, Any] = json.loads(settings)
    return found | {"figure": json.loads(figure)}


def figure_json(fig: go.Figure) -> str:
    """What `fig.to_json()` gives, without the copies it makes first.

    They took as long as the JSON. The properties are only read here, never handed on.
    """
    content = {"data": fig._data, "layout": fig._layout}
    if fig._frame_objs:
        content["frames"] = [frame._props for frame in fig._frame_objs]
    try:
        return json.dumps(content, default=_plain, allow_nan=False, separators=(",", ":"))
    except ValueError:  # not a number, in a list: plotly.py writes null, as JSON has no NaN
        text: str = fig.to_json()
        return text


def _plain(value: Any) -> Any:
    """What JSON has no word for: arrays as plotly.js reads them, numbers of numpy."""
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "to_plotly_json"):
        return value.to_plotly_json()
    if hasattr(value, "__array__"):
        return _array(np.asarray(value))
    raise ValueError(f"figure_json: {type(value).__name__} is left to plotly")


def _array(values: np.ndarray) -> Any:
    """Numbers as base64 with their type and shape; anything else as a list."""
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8 and values.size:
        values = _fewest_bytes(values)
    name = ARRAY_TYPES.get(values.dtype)
    if name is None or not values.size or not values.ndim:
        return values.tolist()
    coded = base64.b64encode(np.ascontiguousarray(values).data).decode("ascii")
    shape = {"shape": ", ".join(map(str, values.shape))} if values.ndim > 1 else {}
    return {"dtype": name, "bdata": coded, **shape}


def _fewest_bytes(values: np.ndarray) -> np.ndarray:
    """Whole numbers of eight bytes in the fewest bytes that hold them; browsers have up to four."""
    low, high = int(values.min()), int(values.max())
    for kind in (np.int8, np.int16, np.int32):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return values.astype(kind)
    return values
