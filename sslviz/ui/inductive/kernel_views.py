"""What bends a field: the spectrum and bump of SSDR, the leading shapes of SDSC."""

from typing import Any

import numpy as np
import streamlit as st
from sklearn.base import clone

from sslviz.data.plane_grid import Plane
from sslviz.figures.charts.spectrum import bump_cloud, spectrum_lines, surfaces
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.problem import Problem

HEIGHT = 260  # of the small charts
MOST = 6  # eigenfunctions shown


def show_spectrum(model: Any, found: Any) -> None:
    """SSDR: what becomes of each eigenvalue `mu`, by the `right` sign and by the `printed` one."""
    st.subheader("What it does to the spectrum")
    r = model.gamma2 / model.gamma1
    curves = {"right sign": found.right, "as printed": found.printed}
    now = "as printed" if model.as_printed else "right sign"
    show_figure(
        spectrum_lines(found.mu, curves, now), key="fields_spectrum", height=HEIGHT, tools=False
    )
    st.caption(
        f"λ = {model.lam:g}, γ₂/γ₁ = {r:.3g}. Large eigenvalues are the coarse shapes of the data. "
        "**Look for** the bend: the right sign *flattens* them, the printed one *raises* them, and "
        "small ones stay on the diagonal either way. Raise γ₂ and the bend moves left. The thick "
        "curve is in use; “as printed” in the sidebar takes the other."
    )


def show_bump(model: Any, problem: Problem, plane: Plane | None, point: int | None) -> None:
    """SSDR: k(x₀, ·) and k̃(x₀, ·) of the clicked point, or of a labelled one."""
    st.subheader("What one point is felt like")
    at = int(np.flatnonzero(problem.y >= 0)[0]) if point is None else point
    which = f"Point {at}" if point is not None else f"Labelled point {at}; **click** another"
    if plane is not None and plane.exact:
        k, bent = (plane.cells(v) for v in model.bump(at, plane.places))
        three = (k, bent, bent - k)
        peaks = [max(float(np.abs(z).max()), np.finfo(float).tiny) for z in three]
        titles = [f"{n}, to {p:.2g}" for n, p in zip(("k", "k̃", "k̃ − k"), peaks, strict=True)]
        fig = surfaces(
            [z / p for z, p in zip(three, peaks, strict=True)],
            titles,
            plane.x,
            plane.y,
            problem.points,
            problem.y,
            problem.dataset.n_classes,
            marked=at,
        )
        seen = "The kernel is round whatever the data; **look for** what k̃ takes away or adds."
    else:
        k, bent = model.bump(at, problem.dataset.X)
        distance = np.linalg.norm(problem.dataset.X - problem.dataset.X[at], axis=1)
        fig = bump_cloud(distance, k, bent)
        seen = (
            "The kernel is one curve of the distance; **look for** k̃ that spreads: points equally "
            "far are felt differently, by where the data lie."
        )
    show_figure(fig, key="fields_bump", height=HEIGHT, tools=False)
    st.caption(f"{which}: how strongly it is felt, each picture on its own scale. {seen}")


def show_components(model: Any, problem: Problem, plane: Plane, psi: np.ndarray) -> None:
    """SDSC: the eigenfunctions ψ, one row per place or per point, and the split of one field."""
    X, names = problem.dataset.X, problem.dataset.classes
    at = (plane.x, plane.y, problem.points, problem.y, len(names))
    st.subheader("The leading shapes of the data")
    shown = min(psi.shape[1], MOST)
    titles = [
        f"ψ<sub>{i + 1}</sub>, μ = {mu:.3g}" for i, mu in enumerate(model.eigenvalues_[:shown])
    ]
    shapes = [plane.cells(psi[:, i]) for i in range(shown)]
    shapes = [z / max(float(np.nanmax(np.abs(z))), np.finfo(float).tiny) for z in shapes]
    across = shown if shown <= 4 else 3
    fig = surfaces(shapes, titles, *at, columns=across)
    show_figure(fig, key="fields_psi", height=30 + 230 * -(-shown // across), tools=False)
    st.caption(
        "Kernel principal components of all points, no label asked; blue one side, red the other. "
        "**Look for** one that parts the classes: where none does, the labels must do all the work."
        + ("" if model.centre else " Not centred: ψ₁ hardly changes sign and is wasted.")
    )
    st.subheader("Where a field comes from")
    name = st.selectbox(
        "Field of class",
        names,
        index=len(names) - 1,
        key="fields.class",
        bind="query-params",
        width=260,
        help="Every class has a field of its own; the largest wins.",
    )
    c = names.index(name)
    kernel, eigen = model.parts(plane.places if plane.exact else X)
    halves = [plane.cells(part[:, c]) for part in (kernel + eigen, kernel, eigen)]
    titles = ["f", "= kernels", "+ γψ"]
    show_figure(surfaces(halves, titles, *at), key="fields_parts", height=270, tools=False)
    st.caption(
        f"The field f of “{name}”: kernels at labels and shapes ψ, on one scale. Raise δ: the "
        "middle one dies away and shapes "
        "decide alone; lower it: every label has its way around itself."
    )


def show_renamed(model: Any, problem: Problem, y: np.ndarray) -> None:
    """SDSC, fitted on labels `y`: what numbering the classes backwards would change."""
    hidden, last = y < 0, problem.dataset.n_classes - 1
    twin = clone(model).fit(problem.dataset.X, np.where(hidden, -1, last - y))
    changed = int((last - twin.transduction_ != model.transduction_)[hidden].sum())
    total = int(hidden.sum())
    st.subheader("Does it matter which class comes first?")
    if model.pairing == "full":
        st.markdown(
            f"With the **full** pairing renaming changes **{changed}** of {total:,} answers: every "
            "class may use every shape, and numbers are only names. Try *diagonal*."
        )
        return
    why = (
        ", because class c may use shape c alone. “Swap class numbers” in the sidebar shows the "
        "other field; *full* does not care."
    )
    if changed == 0 and last == 1 and model.centre:
        why = (
            ". Class c may use shape c alone, but of two classes one wants exactly what the other "
            "does not: whichever comes first, both shapes decide together. It matters from three "
            "classes on: try *three_rings*."
        )
    elif changed == 0:
        why = (
            ". Class c may use shape c alone, so it could: here the fields differ, but the same "
            "classes win. Try other labels, or a higher δ."
        )
    st.markdown(
        "With the **diagonal** pairing of the paper: numbering the classes backwards changes "
        f"**{changed}** of {total:,} answers{why}"
    )


def renamed_code(code: str) -> str:
    """The code of a picture whose classes are numbered backwards."""
    backwards = "last = y.max()\nbackwards = [-1 if c < 0 else last - c for c in y]\nmodel ="
    code = code.replace("model =", backwards).replace(
        "fit(dataset.X, y)", "fit(dataset.X, backwards)"
    )
    return code.replace("(model.transduction_ ==", "(last - model.transduction_ ==")
