"""Clustering methods on 2000 points of each data set: a small version of Table 16 of the thesis.

The thesis has 10 000 points of the planar data sets and of texts, and all 70 000 digits: see
thesis_clustering_full. Every method is given the number of classes. Networks are small here; the
printed ones take twenty times as long on images and are more accurate there. SEDC has (k₀, k₁, h) =
(10, 10, 500) everywhere. The data differ from the thesis: it gives only the class shares of its
planar sets, and its texts are others. The reference is an independent implementation with its own
data.
"""

from typing import Any

from sslviz.experiments.papers.thesis_sgsc import plane
from sslviz.experiments.table import Known, Row, Table, TableMethod

DEC_START = "sslviz.experiments.estimators.dec_start:DECStart"


def methods(network: dict[str, Any], coder: dict[str, Any]) -> tuple[TableMethod, ...]:
    """The methods of the table, with the given parameters for networks and autoencoders."""
    return (
        TableMethod("k-means", "sslviz:KMeans"),
        TableMethod("spectral clustering", "sslviz:SpectralClustering"),
        TableMethod("IMSAT", "sslviz:IMSAT", network),
        TableMethod("autoencoder + k-means, DEC's start", DEC_START, coder),
        TableMethod("DEC", "sslviz:DEC", coder),
        TableMethod("SpectralNet", "sslviz:SpectralNet"),
        TableMethod("SEDC", "sslviz:SEDC", network),
        TableMethod("SEDC, σ over all pairs", "sslviz:SEDC", {"sigma": "all", **network}),
        TableMethod("SGSC", "sslviz:SGSC"),
        TableMethod("SGSC, σ over all pairs", "sslviz:SGSC", {"sigma": "all"}),
    )


def further_methods(coder: dict[str, Any]) -> tuple[TableMethod, ...]:
    """Clusterers that the thesis names (Table 11, section 8) without numbers."""
    return (
        TableMethod("Gaussian mixture", "sslviz:GaussianMixture"),
        TableMethod("kernel k-means", "sslviz:KernelKMeans"),
        TableMethod("VaDE", "sslviz:VaDE", coder),
        TableMethod("CatGAN", "sslviz:CatGAN"),
        TableMethod("JULE", "sslviz:JULE"),
        TableMethod("JULE, merges alone", "sslviz:JULE", {"learn": False}),
    )


PRINTED = ("k-means", "spectral clustering", "IMSAT", "DEC", "SpectralNet", "SEDC")
# The thesis' means and deviations, in this order
PAPER: dict[str, dict[str, Known]] = {
    name: dict(zip(PRINTED, map(Known, means, deviations), strict=True))
    for name, means, deviations in (
        ("FC", (0.60, 0.80, 0.70, 0.72, 0.79, 0.95), (0.05, 0.04, 0.04, 0.04, 0.03, 0.03)),
        ("TM", (0.64, 0.85, 0.66, 0.67, 0.87, 0.96), (0.04, 0.03, 0.05, 0.03, 0.02, 0.02)),
        ("TR", (0.35, 0.96, 0.34, 0.48, 0.99, 0.99), (0.03, 0.03, 0.01, 0.04, 0.01, 0.00)),
        ("Reuters", (0.53, 0.62, 0.71, 0.72, 0.67, 0.73), (0.04, 0.03, 0.05, 0.05, 0.03, 0.05)),
        ("MNIST", (0.53, 0.72, 0.98, 0.84, 0.83, 0.89), (None,) * 6),
    )
}
TEXTS = "the thesis has another Reuters set, with four classes instead of eight"


def _reference(*values: float, **further: float) -> dict[str, Known]:
    """k-means, spectral clustering, IMSAT and DEC at 2000 points; others by the title's word."""
    titles = {"mixture": "Gaussian mixture", "kernel": "kernel k-means"}
    return {
        **{title: Known(v) for title, v in zip(PRINTED, values, strict=False)},
        **{titles.get(word, word): Known(v) for word, v in further.items()},
    }


TABLE = Table(
    name="thesis_clustering",
    title="clustering of 2000 points, accuracy after the best matching",
    source="Study of Prediction on Manifolds with Almost No or No Labeled Data, Table 16",
    methods=(
        *methods({"hidden": (128, 128)}, {"hidden": (128, 128)}),
        *further_methods({"hidden": (256, 256)}),
    ),
    draws=7,
    rows=(
        plane(
            "Four clusters",
            "four_clusters",
            2000,
            paper=PAPER["FC"],
            reference=_reference(
                0.66, 0.96, 0.67, 0.87, mixture=0.85, kernel=0.96, VaDE=0.91, CatGAN=0.58
            ),
        ),
        plane(
            "Two moons",
            "two_moons",
            2000,
            paper=PAPER["TM"],
            reference=_reference(
                0.76, 0.80, 0.80, 0.82, mixture=0.84, kernel=0.55, VaDE=0.85, CatGAN=0.82
            ),
            note="the graph of the hubs falls apart in 2 of 10 draws (SGSC 0.86, 0.91, else 0.99); "
            "k₁ = 20 has 0.99 in all",
        ),
        plane(
            "Three rings",
            "three_rings",
            2000,
            paper=PAPER["TR"],
            reference=_reference(0.35, 1.00, 0.35, 0.43, VaDE=0.38, CatGAN=0.42),
        ),
        Row(
            "MNIST (2000)",
            "mnist",
            labelled=0,
            unlabelled=2000,
            prepare=("pixels",),
            paper=PAPER["MNIST"],
        ),
        Row("USPS (2000)", "usps_11000", labelled=0, unlabelled=2000, prepare=("pixels",)),
        Row(
            "Reuters R8 (2000)",
            "reuters_r8",
            labelled=0,
            unlabelled=2000,
            prepare=("tfidf",),
            paper=PAPER["Reuters"],
            note=TEXTS,
        ),
    ),
)
