"""QLP and QRLP on streams with fifty centroids, predictions on arrival: Table 8 of the thesis.

Labels come first, then n_c unlabelled points, then the stream of T points. As printed, a point
takes the predicted class of its centroid after joining the cover. Added are the new point as a node
of its own, with doubling and with lazy merging, and 1-NN on the labels, which ignores the stream.
Doubling collapses on raw images, and does not reach the printed numbers of MNIST and USPS. How far
it collapses depends on the multiples of R₀ that are reached: on USPS 1 to 30 centroids remain, and
the accuracy as printed varies from 0.13 to 0.49 between draws. The reference is an independent
implementation.
"""

from typing import Any

from sslviz.experiments.table import NEAREST_LABEL, Known, Row, Table, TableMethod

STREAMED = "sslviz.experiments.estimators.streamed:Streamed"
VARIANTS: dict[str, dict[str, Any]] = {
    "printed": {"own_node": False, "merge": "doubling"},
    "own node": {"own_node": True, "merge": "doubling"},
    "lazy": {"own_node": True, "merge": "lazy"},
}
NEAREST = "1-NN"

METHODS = (
    *(
        TableMethod(f"{name} {variant}", STREAMED, {"method": name, "capacity": 50, **settings})
        for variant, settings in VARIANTS.items()
        for name in ("QRLP", "QLP")
    ),
    TableMethod(NEAREST, NEAREST_LABEL),
)


def _paper(qrlp: tuple[float, float], qlp: tuple[float, float]) -> dict[str, Known]:
    return {"QRLP printed": Known(*qrlp), "QLP printed": Known(*qlp)}


def _reference(*values: float) -> dict[str, Known]:
    return {method.title: Known(v) for method, v in zip(METHODS, values, strict=True)}


TABLE = Table(
    name="thesis_stream",
    title="streams with fifty centroids, accuracy of the predictions on arrival",
    source="Study of Prediction on Manifolds with Almost No or No Labeled Data, Table 8",
    methods=METHODS,
    draws=10,
    rows=(
        Row(
            "Yale (75, 85)",
            "yale",
            per_class=5,
            unlabelled=85,
            paper=_paper((0.528, 0.046), (0.471, 0.048)),
            note="the data set is too small for fifty more points before the stream",
        ),
        Row(
            "ORL (80, 220)",
            "orl",
            per_class=2,
            unlabelled=270,
            paper=_paper((0.722, 0.029), (0.656, 0.058)),
            note="the thesis has images of 10304 pixels, here they are 32 × 32",
        ),
        Row(
            "UMIST (60, 240)",
            "umist",
            per_class=3,
            unlabelled=290,
            paper=_paper((0.637, 0.028), (0.544, 0.059)),
            note="called UMNIST in the thesis, with images of 10304 pixels; here they are 32 × 32",
        ),
        Row(
            "COIL-20 (80, 120)",
            "coil20",
            per_class=4,
            unlabelled=170,
            paper=_paper((0.660, 0.034), (0.592, 0.062)),
            note="the thesis has images of 16384 pixels, here they are 32 × 32",
        ),
        Row(
            "Vowel (100, 1300)",
            "vowels_odds",
            labelled=100,
            unlabelled=1350,
            paper=_paper((0.969, 0.004), (0.966, 0.002)),
            note="97% of the points belong to one class",
        ),
        Row(
            "MNIST (100, 1900)",
            "mnist",
            per_class=10,
            unlabelled=1950,
            paper=_paper((0.679, 0.021), (0.663, 0.019)),
            reference=_reference(0.287, 0.289, 0.663, 0.641, 0.624, 0.597, 0.697),
        ),
        Row(
            "optdigits (10, 4990)",
            "optdigits_odds",
            per_class=5,
            unlabelled=5040,
            paper=_paper((0.971, 0.002), (0.961, 0.031)),
            note="the two-class outlier set, 97% of one class",
        ),
        Row(
            "USPS (100, 1900)",
            "usps_11000",
            per_class=10,
            unlabelled=1950,
            paper=_paper((0.700, 0.020), (0.612, 0.050)),
            reference=_reference(0.178, 0.179, 0.647, 0.656, 0.604, 0.584, 0.697),
        ),
    ),
)
