"""Views of kernels: the filtered spectrum of SSDR, the eigenfunctions of SDSC."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.spectrum import kernel_over_distance, spectrum_lines, surfaces
from sslviz.ui.inductive.result import InductiveResult

EIGENFUNCTIONS_SHOWN = 6
ROW_HEIGHT = 230  # pixels of a row of small maps


def spectrum_chart(r: InductiveResult) -> go.Figure:
    """The filter of the eigenvalues, with the right sign and with the printed one."""
    curve = r.model.filter_curve()
    curves = {"right sign": curve.right, "as printed": curve.printed}
    return spectrum_lines(curve.mu, curves, "as printed" if r.model.as_printed else "right sign")


def spectrum_caption(r: InductiveResult) -> str:
    ratio = r.model.gamma2 / r.model.gamma1
    return (
        f"λ = {r.model.lam:g} (spectral scale), γ₂/γ₁ = {ratio:.3g} (ratio of the two penalties). "
        "Large eigenvalues belong to the coarse structure of the data. **Look for** the bend: the "
        "right sign *shrinks* them, the printed one *raises* them; small ones stay on the diagonal "
        "with both. A larger γ₂ moves the bend to the left. The thick curve is in use."
    )


def kernel_chart(r: InductiveResult) -> go.Figure:
    """The kernel of one point before and after the filter."""
    plane, dataset = r.plane, r.problem.dataset
    if plane is None or not plane.exact:
        k, filtered = r.model.bump(r.point, dataset.X)
        distance = np.linalg.norm(dataset.X - dataset.X[r.point], axis=1)
        return kernel_over_distance(distance, k, filtered)
    k, filtered = (plane.cells(v) for v in r.model.bump(r.point, plane.places))
    maps = (k, filtered, filtered - k)
    peaks = [_peak(z) for z in maps]
    names = ("k", "k̃", "k̃ − k")
    titles = [f"{name}, max {peak:.2g}" for name, peak in zip(names, peaks, strict=True)]
    scaled = [z / peak for z, peak in zip(maps, peaks, strict=True)]
    return surfaces(scaled, titles, *_background(r), marked=r.point)


def kernel_caption(r: InductiveResult) -> str:
    if r.exact:
        text = (
            "the kernel k and the filtered kernel k̃ around it, each on its own scale. k is round "
            "whatever the data; **look for** what k̃ removes or adds."
        )
    else:
        text = (
            "its kernel with all other points. k is one curve of the distance; **look for** the "
            "spread of k̃: equally far points count differently, depending on where the data lie."
        )
    return f"{r.example} Shown: {text}"


def eigenfunction_rows(r: InductiveResult) -> int:
    """Rows of small maps."""
    shown = min(r.eigenfunctions.shape[1], EIGENFUNCTIONS_SHOWN)
    return 1 if shown <= 4 else -(-shown // 3)


def eigenfunction_maps(r: InductiveResult) -> go.Figure:
    """The leading kernel principal components of all points."""
    assert r.plane is not None
    shown = min(r.eigenfunctions.shape[1], EIGENFUNCTIONS_SHOWN)
    titles = [
        f"ψ<sub>{i + 1}</sub>, μ = {mu:.3g}" for i, mu in enumerate(r.model.eigenvalues_[:shown])
    ]
    maps = [r.plane.cells(r.eigenfunctions[:, i]) for i in range(shown)]
    scaled = [z / _peak(z) for z in maps]
    return surfaces(scaled, titles, *_background(r), columns=shown if shown <= 4 else 3)


def eigenfunction_caption(r: InductiveResult) -> str:
    return (
        "Kernel principal components ψ of all points, found without labels, with their eigenvalues "
        "μ; blue is positive, red negative. **Look for** one that separates the classes: where "
        "none does, the labels alone must."
        + ("" if r.model.centre else " Not centred: ψ₁ hardly changes sign and is of no use.")
    )


def part_maps(r: InductiveResult) -> go.Figure:
    """The decision function of one class and its two terms."""
    assert r.plane is not None
    kernels, components = (part[:, r.order[r.look.part_of]] for part in r.parts)
    maps = [r.plane.cells(z) for z in (kernels + components, kernels, components)]
    return surfaces(maps, ["f", "= kernels at labels", "+ components ψ"], *_background(r))


def part_caption(r: InductiveResult) -> str:
    return (
        f"The decision function f of class “{r.classes[r.look.part_of]}” (chosen in the sidebar) "
        "and its two terms on one scale. A larger δ makes the middle one vanish, and the "
        "components decide; a smaller δ lets each label decide around itself."
    )


def renaming_text(r: InductiveResult) -> str:
    """Whether the prediction depends on the numbers of the classes."""
    total, changed = int(r.hidden.sum()), r.renamed
    if r.model.pairing == "full":
        return (
            f"With the **full** pairing, numbering the classes backwards changes **{changed}** of "
            f"{total:,} predictions: each class may use every component. Try *diagonal*."
        )
    if changed:
        reason = (
            ", because class c may use only component c. “Swap class numbers” in the sidebar shows "
            "the other prediction; *full* does not depend on the numbers."
        )
    elif len(r.classes) == 2 and r.model.centre:
        reason = (
            ". Class c may use only component c, but of two classes one has the negative target of "
            "the other: both components decide together. It matters from three classes on: try "
            "*three_rings*."
        )
    else:
        reason = (
            ". Class c may use only component c; here the decision functions differ, but the same "
            "classes win. Try other labels, or a larger δ."
        )
    return (
        "With the **diagonal** pairing of the paper, numbering the classes backwards changes "
        f"**{changed}** of {total:,} predictions{reason}"
    )


def _background(r: InductiveResult) -> tuple:
    """Axes of the plane, and the points with their labels."""
    assert r.plane is not None
    return r.plane.x, r.plane.y, r.problem.points, r.y, len(r.classes)


def _peak(z: np.ndarray) -> float:
    return max(float(np.nanmax(np.abs(z))), np.finfo(float).tiny)
