"""Draw the picture of every method's card: `python assets/draw_methods.py [Name ...]`.

Each method is fitted to a small data set on which its idea can be seen, and its result is drawn
with Pillow into assets/methods/<Name>.png: predictions, coordinates, atoms, centroids or clusters.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw
from sklearn.base import ClusterMixin

import sslviz
from sslviz import data, labels
from sslviz.figures.theme import class_colours
from sslviz.graph.neighbours import knn_lists
from sslviz.metrics import match_clusters

SIZE, MARGIN, SCALE = (480, 270), 24, 2  # pixels; drawn larger and reduced
GREY, MARK = (150, 156, 165), (216, 27, 96)
FIELD_ALPHA = 70  # of 255: cards have a white and a dark ground
FOLDER = Path(__file__).parent / "methods"


def canvas() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGBA", (SIZE[0] * SCALE, SIZE[1] * SCALE), (255, 255, 255, 0))
    return image, ImageDraw.Draw(image)


def to_pixels(Z: np.ndarray, like: np.ndarray | None = None) -> np.ndarray:
    """Places (n, 2) in pixels, the axes scaled apart."""
    like = Z if like is None else like
    low, high = like.min(axis=0), like.max(axis=0)
    room = np.array(SIZE) * SCALE - 2 * MARGIN * SCALE
    share = (Z - low) / np.maximum(high - low, 1e-12)
    return MARGIN * SCALE + np.stack([share[:, 0], 1 - share[:, 1]], axis=1) * room


def dots(draw: ImageDraw.ImageDraw, at: np.ndarray, colours: np.ndarray, r: float = 4) -> None:
    for (x, y), colour in zip(at, colours, strict=True):
        fill = tuple(int(v) for v in colour)
        draw.ellipse([x - r * SCALE, y - r * SCALE, x + r * SCALE, y + r * SCALE], fill=fill)


def diamonds(draw: ImageDraw.ImageDraw, at: np.ndarray, colours: np.ndarray, r: float = 9) -> None:
    for (x, y), colour in zip(at, colours, strict=True):
        for size, fill in ((r + 2, (16, 21, 28)), (r, tuple(int(v) for v in colour))):
            s = size * SCALE
            draw.polygon([(x, y - s), (x + s, y), (x, y + s), (x - s, y)], fill=fill)


def coloured(found: np.ndarray, n_classes: int) -> np.ndarray:
    palette = np.vstack([class_colours(n_classes), GREY])
    return palette[np.where(found < 0, n_classes, found)]


def prediction(model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray) -> Image.Image:
    """Points of the plane in the colours of their predicted classes, over the field if any."""
    image, draw = canvas()
    C = int(truth.max()) + 1
    model.fit(X, y)
    at = to_pixels(X)
    if hasattr(model, "decision_function") or model.family == "network":
        grid = np.stack(np.meshgrid(np.linspace(0, 1, 120), np.linspace(0, 1, 68)), -1).reshape(
            -1, 2
        )
        low, high = X.min(axis=0), X.max(axis=0)
        pad = 0.12 * (high - low)
        found = model.predict(low - pad + grid * (high - low + 2 * pad))
        pale = coloured(found, C)
        place = to_pixels(low - pad + grid * (high - low + 2 * pad), X)
        half = 2.6 * SCALE
        for (px, py), colour in zip(place, pale, strict=True):
            fill = (*(int(v) for v in colour), FIELD_ALPHA)
            draw.rectangle([px - half, py - half, px + half, py + half], fill=fill)
    dots(draw, at, coloured(np.asarray(model.transduction_), C))
    diamonds(draw, at[y >= 0], coloured(truth[y >= 0], C))
    return image


def stars(draw: ImageDraw.ImageDraw, at: np.ndarray, colours: np.ndarray, r: float = 6) -> None:
    angles = np.pi / 5 * np.arange(10) - np.pi / 2
    outline = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outline *= r * SCALE * np.where(np.arange(10) % 2, 0.45, 1)[:, None]
    for place, colour in zip(at, colours, strict=True):
        fill = tuple(int(v) for v in colour)
        draw.polygon([tuple(corner) for corner in place + outline], fill=fill)


def lines(draw: ImageDraw.ImageDraw, ends: np.ndarray, colour: Any, width: float) -> None:
    """Lines between pairs of places, (m, 2, 2)."""
    for (x0, y0), (x1, y1) in ends:
        draw.line([x0, y0, x1, y1], fill=colour, width=round(width * SCALE))


def graph(model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray) -> Image.Image:
    """The neighbour graph and what the method decides by on it.

    Its cut, the paths to the voters of a few points, its hubs, or how much of the labels arrives:
    colours are mixed by the class shares, and grey where little arrives.
    """
    image, draw = canvas()
    model.fit(X, y)
    at, C = to_pixels(X), int(truth.max()) + 1
    links = knn_lists(X, 5)[0]
    pairs = np.stack([np.repeat(np.arange(len(X)), 5), links.ravel()], axis=1)
    lines(draw, at[pairs], (*GREY, 110), 1)
    F = model.label_distributions_
    for sweep in model.steps(X, y) if isinstance(model, sslviz.LabelSpreading) else ():
        F = np.asarray(sweep.F)
    mass = F.sum(axis=1, keepdims=True)
    arrived = 1 + np.log10(np.clip(mass / mass.max(), 1e-3, 1)) / 3
    shares = F / np.maximum(mass, 1e-12)
    colours = arrived * (shares @ class_colours(C)) + (1 - arrived) * np.array(GREY)
    found = np.asarray(model.transduction_)
    if isinstance(model, sslviz.MinCut):
        lines(draw, at[pairs[found[pairs[:, 0]] != found[pairs[:, 1]]]], MARK, 3)
    dots(draw, at, colours, 3 if hasattr(model, "hubs_") else 4)
    if hasattr(model, "hubs_"):
        stars(draw, at[model.hubs_], colours[model.hubs_], 8)
    elif isinstance(model, sslviz.GeodesicKNN):
        for i in np.flatnonzero(y < 0)[::40]:
            for path in model.explain(int(i)).paths:
                lines(draw, at[np.stack([path[:-1], path[1:]], axis=1)], MARK, 2)
    diamonds(draw, at[y >= 0], coloured(truth[y >= 0], C))
    return image


def embedding(model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray) -> Image.Image:
    """The coordinates that were learned, in the colours of the true classes."""
    image, draw = canvas()
    Z = model.fit(X, y).transform(X)
    Z = np.stack(
        [Z[:, 0], Z[:, 1] if Z.shape[1] > 1 else np.random.default_rng(0).random(len(Z))], 1
    )
    at, C = to_pixels(Z), int(truth.max()) + 1
    dots(draw, at, coloured(truth, C), 5)
    diamonds(draw, at[y >= 0], coloured(truth[y >= 0], C))
    return image


def atoms(model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray) -> Image.Image:
    """A few atoms as images, the most used first."""
    image, _ = canvas()
    model.fit(X, y)
    order = np.argsort(-np.abs(model.codes_).sum(axis=0))[:18]
    side = int(np.sqrt(X.shape[1]))
    tile = 68 * SCALE
    for i, atom in enumerate(model.components_[order]):
        grey = 255 - np.clip(atom / max(np.abs(atom).max(), 1e-12), 0, 1) * 255
        picture = Image.fromarray(grey.reshape(side, side).astype(np.uint8)).resize((tile, tile), 0)
        x, row = (i % 6) * 76 * SCALE + 14 * SCALE, i // 6
        image.paste(picture.convert("RGB"), (x, row * 84 * SCALE + 12 * SCALE))
    return image


def stream(model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray) -> Image.Image:
    """Arrived points pale, centroids as circles by the number of points they stand for."""
    image, draw = canvas()
    if hasattr(model, "observe"):
        model.partial_fit(X[:60], np.where(np.arange(60) < 6, truth[:60], -1))
        for x in X[60:]:
            model.observe(x)
    else:
        model.partial_fit(X)
    dots(draw, to_pixels(X), np.tile(GREY, (len(X), 1)), 3)
    at = to_pixels(model.centroids_, X)
    near = np.linalg.norm(model.centroids_[:, None] - X[None], axis=2).argmin(axis=1)
    colours = coloured(truth[near], int(truth.max()) + 1)
    for place, colour, count in zip(at, colours, model.multiplicities_, strict=True):
        dots(draw, place[None], colour[None], float(np.clip(2 + 2 * np.sqrt(count), 4, 16)))
    return image


def clusters(model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray) -> Image.Image:
    """Points in the colours of their clusters, matched to the classes."""
    image, draw = canvas()
    found, C = model.fit(X).labels_, int(truth.max()) + 1
    order = match_clusters(found, truth, model.n_clusters, C, None)
    dots(draw, to_pixels(X), coloured(order[found], max(C, model.n_clusters)))
    return image


def network(model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray) -> Image.Image:
    """What the network shows of its inside: rebuilt images or filters; else its predictions."""
    run = model.training(X, y)
    run.advance(model.epochs * run.per_epoch)
    inside = run.objective.picture()
    image, _ = canvas()
    if "filters" in inside:
        tiles, side, across, size = inside["filters"][:32], 3, 8, 48
    elif "rebuilt" in inside:
        rows = [inside[name][:6] for name in ("noisy", "rebuilt", "clean")]
        tiles, side, across, size = np.concatenate(rows), int(np.sqrt(X.shape[1])), 6, 68
    else:
        return prediction(model, X, y, truth)
    gap = (size + 8) * SCALE
    left = (SIZE[0] * SCALE - across * gap) // 2 + 4 * SCALE
    for i, tile in enumerate(tiles):
        low, high = (tile.min(), tile.max()) if side == 3 else (0, 1)
        grey = 255 - np.clip((tile - low) / max(high - low, 1e-12), 0, 1) * 255
        pixels = Image.fromarray(grey.reshape(side, side).astype(np.uint8))
        picture = pixels.resize((size * SCALE, size * SCALE), 0).convert("RGB")
        image.paste(picture, (left + i % across * gap, i // across * gap + 20 * SCALE))
    return image


PLANE = ("two_moons", {"n_samples": 400, "noise": 0.1}, 3)
CASES: dict[str, tuple[Callable[..., Image.Image], tuple[str, dict[str, Any], int]]] = {
    "propagation": (graph, ("two_moons", {"n_samples": 250, "noise": 0.12}, 2)),
    "embedding": (embedding, ("wine", {"standardise": True}, 3)),
    "inductive": (prediction, PLANE),
    "dictionary": (atoms, ("digits", {"n_samples": 500}, 5)),
    "network": (network, ("digits", {"n_samples": 700}, 4)),
    "stream": (stream, PLANE),
    "clustering": (clusters, ("four_clusters", {"n_samples": 500}, 3)),
}
# Methods whose idea can be seen better elsewhere than those of their family.
ELSEWHERE: dict[str, tuple[str, dict[str, Any], int]] = {"VATClassifier": PLANE}
SETTINGS: dict[str, dict[str, Any]] = {
    "GeodesicKNN": {"n_votes": 1},
    "RobustLabelPrediction": {"n_hubs": 40},
    "VATClassifier": {"alpha": 0.4, "entropy": 0.1, "epochs": 500},
    "LapRLS": {"sigma": "0.15 median", "lam1": 1e-3, "lam2": 10.0},
    "LapSVM": {"sigma": "0.5 median", "lam1": 1e-4, "lam2": 100.0},
    "S3VM": {"sigma": "0.2 median"},
    "SSDR": {"sigma": "0.3 median"},
    "SDSC": {"sigma": "0.15 median"},
    "LLReg": {"n_neighbors": 12, "tradeoff": 100.0},
    "SSDLGA": {"n_atoms": 60, "max_iter": 5},
    "USSDL": {"n_atoms": 60, "max_iter": 5},
    "SRC": {"lam": 0.2},
    "Metaface": {"n_atoms": 50, "lam": 0.2},
    "FDDL": {"n_atoms": 50, "lam": 0.1},
    "S2D2": {"n_atoms": 50, "lam": 0.1},
    "SSDLP": {"n_atoms": 50, "lam": 0.2},
    "SSRD": {"n_atoms": 60},
    "SSPDL": {"n_atoms": 60},
    "PSSDL": {"n_atoms": 60},
    "DKSVD": {"n_atoms": 20, "n_nonzero": 3},
    "LCKSVD": {"n_atoms": 20, "n_nonzero": 3, "psi": 1.0},
    "JDL": {"n_atoms": 30},
    "SupGraphDL": {"n_atoms": 30, "alpha": 5.0},
    "OSSDL": {"n_atoms": 40},
    "LCRLSDLA": {"n_atoms": 30},
}


def picture(Method: Any) -> Image.Image:
    draw, usual = CASES[Method.family]
    name, options, per_class = ELSEWHERE.get(Method.__name__, usual)
    dataset = data.load(name, **options)
    y = labels.hide(dataset.y, per_class=per_class, random_state=0)
    parameters = dict(SETTINGS.get(Method.__name__, {}))
    known = Method().get_params()
    parameters |= {"n_clusters": dataset.n_classes} if "n_clusters" in known else {}
    parameters |= {"random_state": 0} if "random_state" in known else {}
    X = dataset.X / 16 if name == "digits" else dataset.X
    assert issubclass(Method, ClusterMixin) == (draw is clusters)
    found = draw(Method(**parameters), X, y, dataset.y)
    return found.resize(SIZE, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for Method in sslviz.METHODS:
        if not sys.argv[1:] or Method.__name__ in sys.argv[1:]:
            reduced = picture(Method).quantize(64, Image.Quantize.FASTOCTREE)
            reduced.save(FOLDER / f"{Method.__name__}.png", optimize=True)
            print(Method.__name__)
