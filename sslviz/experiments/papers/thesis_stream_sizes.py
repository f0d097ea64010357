"""QLP and QRLP on streams of digits with covers of 50 to 150 centroids: Tables 9 and 10.

The numbers of the thesis belong to the printed variant; settings are those of thesis_stream.
"""

from sslviz.experiments.papers.thesis_stream import NEAREST, STREAMED, VARIANTS
from sslviz.experiments.table import NEAREST_LABEL, Known, Row, Table, TableMethod

SIZES = (50, 100, 150)
Pair = tuple[float, float]

METHODS = (
    *(
        TableMethod(
            f"{name} {size} {variant}", STREAMED, settings | {"method": name, "capacity": size}
        )
        for variant, settings in VARIANTS.items()
        for size in SIZES
        for name in ("QRLP", "QLP")
    ),
    TableMethod(NEAREST, NEAREST_LABEL),
)


def _paper(*pairs: tuple[Pair, Pair]) -> dict[str, Known]:
    """Means and deviations of QRLP and QLP for each size."""
    return {
        f"{name} {size} printed": Known(*found)
        for size, both in zip(SIZES, pairs, strict=True)
        for name, found in zip(("QRLP", "QLP"), both, strict=True)
    }


TABLE = Table(
    name="thesis_stream_sizes",
    title="streams of digits by size of the cover, accuracy of the predictions on arrival",
    source="Study of Prediction on Manifolds with Almost No or No Labeled Data, Tables 9 and 10",
    methods=METHODS,
    draws=10,
    rows=(
        Row(
            "MNIST (100, 1900)",
            "mnist",
            per_class=10,
            unlabelled=1950,
            paper=_paper(
                ((0.679, 0.021), (0.663, 0.019)),
                ((0.714, 0.015), (0.684, 0.020)),
                ((0.720, 0.017), (0.679, 0.022)),
            ),
        ),
        Row(
            "USPS (120, 1880)",
            "usps_11000",
            per_class=12,
            unlabelled=1930,
            paper=_paper(
                ((0.700, 0.020), (0.612, 0.050)),
                ((0.687, 0.023), (0.662, 0.040)),
                ((0.732, 0.021), (0.666, 0.029)),
            ),
            note="the numbers for 50 centroids are those of (100, 1900) in Table 8 of the thesis",
        ),
    ),
)
