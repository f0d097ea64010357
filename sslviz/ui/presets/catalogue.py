"""Settings worth seeing: a page, all its parameters, and what to look for.

A preset is data. Its parameters are the keys of the page's widgets with their values, as they stand
in the URL; whatever it does not name goes back to its default. To add one, add it to PRESETS. One
that names its method is explained on its page until another is chosen.
"""

from typing import Any, NamedTuple

from sslviz import data


class Preset(NamedTuple):
    """One picture of the gallery."""

    key: str  # names its picture in assets/failures/, and its button
    name: str
    sentence: str  # what goes wrong, and why
    look: str  # what to do once there
    page: str
    parameters: dict[str, Any]

    @property
    def missing(self) -> str | None:
        """The data set it needs and that is not here."""
        needed = self.parameters.get("data")
        return None if needed is None or needed in data.names() else needed

    @property
    def query(self) -> dict[str, str]:
        """Its parameters as they stand in the URL."""
        return {key: str(value) for key, value in self.parameters.items()}


PRESETS = (
    Preset(
        "bridge",
        "Too many neighbours bridge the moons",
        "With k = 5 every edge stays inside its moon and two labels are enough. With k = 50 edges "
        "jump the gap, and labels leak across.",
        "Lower the right map's k until the leak closes.",
        "pages/propagation.py",
        {
            "data": "two_moons",
            "two_moons.n_samples": 215,
            "two_moons.outliers": 0.0,
            "labels": 1,
            "method": "Label propagation",
            "versus": "Label propagation",
            "versus.LabelPropagation.n_neighbors": 50,
        },
    ),
    Preset(
        "two_labels",
        "Two labels only",
        "One label per moon, and the second has fallen on an outlier in the gap: few walks end "
        "there, and the first label floods both moons. Asking the nearest does better here.",
        "Draw other labels: with most draws label propagation is the one that wins.",
        "pages/propagation.py",
        {
            "data": "two_moons",
            "two_moons.n_samples": 562,
            "labels": 1,
            "seed": 3,
            "method": "Label propagation",
            "versus": "Geodesic kNN",
        },
    ),
    Preset(
        "island",
        "An island turns grey",
        "The graph of five neighbours falls apart where the rings are thin. No walk reaches an "
        "island without a label: its points have no opinion, and are not guessed.",
        "Raise k to 6, 7, 8: the islands join one after the other.",
        "pages/propagation.py",
        {
            "data": "three_rings",
            "three_rings.n_samples": 1000,
            "method": "Label propagation",
        },
    ),
    Preset(
        "outliers",
        "Outliers: directed propagation suffers, hubs hold",
        "A fifth of the points are outliers. On directed edges, as first printed, walks stray into "
        "them; robust label prediction asks hubs, and outliers are none.",
        "Switch the left method's edges to undirected: it holds as well.",
        "pages/propagation.py",
        {
            "data": "two_moons",
            "two_moons.outliers": 0.2,
            "seed": 1,
            "method": "Label propagation",
            "LabelPropagation.graph": "directed",
            "versus": "Robust label prediction",
            "versus.RobustLabelPrediction.n_hubs": 200,
        },
    ),
    Preset(
        "too_many_hubs",
        "Too many hubs bring the outliers back",
        "The same moons with 1200 hubs instead of 200: now outliers are among them, ringed in the "
        "first picture, and carry labels across the gap in the second.",
        "Move h down to 200 and watch the bridge disappear.",
        "pages/hubs.py",
        {"data": "two_moons", "two_moons.outliers": 0.2, "seed": 1, "hubs.h": 1200},
    ),
    Preset(
        "rings",
        "Hubs do not always hold",
        "Rings with as many outliers. Tuned robust label prediction falls behind plain undirected "
        "propagation: the short cuts of its few hubs cross the gaps.",
        "Switch on “Try more and more outliers” under the maps.",
        "pages/propagation.py",
        {
            "data": "three_rings",
            "three_rings.outliers": 0.2,
            "method": "Label propagation",
            "versus": "Robust label prediction",
        },
    ),
    Preset(
        "harmony",
        "Perfect harmony, worthless labels",
        "FLP as its paper prints it: nothing holds the map back, each labelled point soon hears a "
        "single other, and the objective vanishes. Nobody hears the rest, and their labels are "
        "chance.",
        "Press play; then switch the projection to *recipe*.",
        "pages/flp.py",
        {"data": "wine", "wine.standardise": True, "labels": 2, "FLP.mode": "printed"},
    ),
    Preset(
        "mnist_small",
        "Five thousand digits, four labels each",
        "Forty labels in 784 dimensions: propagation lets a few of them take over, hubs are ahead. "
        "With ten labels per digit propagation has caught up.",
        "Raise the labels per class; draw others. Then try the grid at the bottom of the page.",
        "pages/hubs.py",
        {"data": "mnist_5k", "labels": 4, "hubs.h": 1500},
    ),
    Preset(
        "mnist",
        "19 900 digits: propagation and hubs part",
        "A hundred labels, twenty thousand digits. Plain undirected propagation falls behind, hubs "
        "gain. The first visit takes about a minute to find the neighbours.",
        "Compare the first two numbers; then take “directed” links.",
        "pages/hubs.py",
        {"data": "mnist", "mnist.n_samples": 20_000, "labels": 10, "hubs.h": 3000},
    ),
    Preset(
        "clouds",
        "Unlabelled points hurt",
        "Rings are no clouds. From thirty labels alone three Gaussians find four of five points; "
        "the unlabelled ones pull them to a likelier place, and less than half is found.",
        "Play the steps; then move the weight of unlabelled points towards 0.",
        "pages/inductive.py",
        {"data": "three_rings", "labels": 10, "inductive.method": "Gaussian mixture"},
    ),
    Preset(
        "numbers",
        "Which class comes first",
        "As printed, SDSC lets class c use component c alone. Number the classes backwards and "
        "one answer in eight changes, though nothing about the data has.",
        "Switch “Swap class numbers” on and off; then take the full pairing.",
        "pages/inductive.py",
        {
            "data": "three_rings",
            "seed": 1,
            "inductive.method": "Semi-parametric discriminative (SDSC)",
            "SDSC.pairing": "diagonal",
        },
    ),
    Preset(
        "collapse",
        "Doubling collapses on images",
        "Fifty digits are kept, as printed. In 64 dimensions all distances are alike: one doubling "
        "of the radius takes in nearly all, two or three centroids are left, and whoever joins "
        "them takes their answer. The nearest label alone is three times as good.",
        "Let the new point be a node of its own; then merge lazily.",
        "pages/stream.py",
        {
            "stream.kind": "A data set",
            "data": "digits",
            "stream.arrivals": 800,
            "stream.method.own_node": False,
        },
    ),
    Preset(
        "sorted",
        "Class after class",
        "Zeros arrive first, then ones. Fifty centroids that are full of what came before have "
        "little room for the next digit; plain 1-NN, which ignores the stream, wins.",
        "Change the order to “at random” and compare the first three numbers.",
        "pages/stream.py",
        {
            "stream.kind": "A data set",
            "stream.order": "class after class",
            "data": "digits",
            "stream.arrivals": 800,
            "stream.method.merge": "lazy",
        },
    ),
    Preset(
        "halved",
        "k-means cuts the disc in two",
        "Half of all points lie in one disc. k-means cares for squares of distances, not for gaps: "
        "it gives the disc two centres and lets two small clusters share one.",
        "Take SGSC or spectral clustering instead; then give k-means five clusters.",
        "pages/clustering.py",
        {"data": "four_clusters", "cluster_method": "k-means", "mistakes": True},
    ),
    Preset(
        "balanced",
        "Balanced by force",
        "IMSAT wants clusters of one size. Four of 50, 20, 20 and 10 % become four of about a "
        "quarter each: the disc is shared out, and a third of the points is lost.",
        "Press Start and watch the regions settle; lower the balance μ and start again.",
        "pages/clustering.py",
        {
            "data": "four_clusters",
            "cluster_method": "IMSAT: Information maximising self-augmented training",
        },
    ),
    Preset(
        "lost",
        "A cluster is lost",
        "The hubs are nearly all right, yet a network in a hurry to be sure gives up the smallest "
        "cluster. As printed, KL[p ‖ q] is at rest wherever p is sure, rightly or wrongly: it does "
        "not come back.",
        "Press Start and watch “clusters used”; then switch the direction of KL to qp.",
        "pages/clustering.py",
        {
            "data": "four_clusters",
            "cluster_method": "SEDC: Spectral embedded deep clustering",
            "SEDC.lam2": 3.0,
            "SEDC.epochs": 6,
        },
    ),
    Preset(
        "unsure",
        "The most unsure point is the wrong one to ask",
        "Fifteen labels asked where two classes are torn most: they lie on borders and tell little "
        "about anybody else. Fifteen labels at random do no worse.",
        "Play the questions, then ask by expected risk: the first ones go into crowds that nobody "
        "has spoken for.",
        "pages/active_learning.py",
        {"data": "digits", "labels": 1, "asking.strategy": "most unsure"},
    ),
)
