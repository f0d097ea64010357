"""Live figures as the query asks: ?view=flat, space, frames or film (four that move together)."""

import io
import time

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from PIL import Image

from sslviz.ui.components.live_figure import Event, Thumbnails, preload, show_figure
from sslviz.ui.components.static_files import publish

st.set_page_config(layout="wide")
preload()
view = st.query_params.get("view", "flat")
events: list[Event] = st.session_state.setdefault("events", [])
size = st.slider("size", 1, 20, 6, key="size")
slow = st.checkbox("slow", key="slow")

SIDE = 5  # points stand on a grid, so that a test knows where to click
X = np.stack(np.meshgrid(range(SIDE), range(SIDE), range(3)), axis=-1).reshape(-1, 3)
X = X[X[:, 2] == 0] if view != "space" else X
names = 1000 + np.arange(len(X), dtype=np.int32)[::-1]  # not the order of the markers


def sheets() -> Thumbnails:
    """Grey tiles of 8 x 8, the brightness of a tile is its place in the sheet."""
    urls = []
    for first in range(0, 1075, 100):
        grey = np.linspace(0, 255, 100).reshape(10, 10) * (first > 0)
        tiles = np.kron(grey, np.ones((8, 8))).astype(np.uint8)
        Image.fromarray(tiles).save(file := io.BytesIO(), "PNG")
        urls.append(publish(file.getvalue(), ".png"))
    return Thumbnails(urls, 8, 8, 10, 100)


marker = {"size": size, "color": np.arange(len(X)) % 3, "colorscale": "Viridis"}
if view == "space":
    fig = go.Figure(go.Scatter3d(x=X[:, 0], y=X[:, 1], z=X[:, 2], mode="markers", marker=marker))
    fig.update_traces(customdata=names, hovertemplate="%{customdata}<extra></extra>")
else:
    kind = go.Scatter if view == "svg" else go.Scattergl
    fig = go.Figure(kind(x=X[:, 0], y=X[:, 1], mode="markers", marker=marker, name="points"))
    fig.update_traces(customdata=names, hovertemplate="point %{customdata}<extra></extra>")
    fig.update_layout(dragmode=st.query_params.get("drag"), showlegend=True)
    fig.update_layout(title="Points on a grid", xaxis_title="x₁", yaxis_title="x₂")
fig.update_layout(meta={"key": [["<b>first</b>", "#E69F00"], [f"now {size}", "#0072B2"]]})
if view == "space":
    fig.update_layout(showlegend=False)
if view in ("frames", "film"):
    fig.frames = [
        go.Frame(
            name=f"step {t}",
            data=[{"type": "scattergl", "marker": {"color": (np.arange(len(X)) + t) % 3}}],
            traces=[0],
        )
        for t in range(2 * size)
    ]

height = st.query_params.get("height", "480")
last = show_figure(
    fig,
    key="figure",
    height="fill" if height == "fill" else float(height) if "." in height else int(height),
    thumbnails=sheets() if view == "flat" else None,
    alt="points on a grid",
    film="demo",
    on_event=events.append,
)
if view == "film":
    chart = go.Figure(go.Scatter(x=np.arange(2 * size), y=np.arange(2 * size) ** 2, mode="lines"))
    show_figure(chart, key="chart", height=200, tools=False, film="demo")
    show_figure(
        fig, key="second", height=240, film="demo", moments=[5.0 * t for t in range(2 * size)]
    )
    show_figure(fig, key="third", height=240, film="demo")
if slow:
    time.sleep(float(st.query_params.get("pause", 1.5)))
st.text(f"size {size}, last {last and last.count}, events {[tuple(e) for e in events]}")
