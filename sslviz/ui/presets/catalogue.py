"""Presets: settings in which a method fails, with what to look for.

A preset is data: a page and the values of its widgets by key, as in the URL; widgets it does not
name have their defaults. To add one, add it to PRESETS. Its lesson is shown on the page until
another method or data set is chosen.
"""

from sslviz.ui.presets.dictionary_presets import DICTIONARY_PRESETS
from sslviz.ui.presets.preset import Preset

PRESETS = (
    Preset(
        "bridge",
        "Too many neighbours connect the moons",
        "With k = 5 every edge stays inside its moon and two labels are enough. With k = 50 "
        "edges cross the gap, and labels spread to the wrong moon.",
        "Lower the right map's k until the labels stay in their moons.",
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
        "One label per moon, and the second is an outlier in the gap: few random walks end "
        "there, and the first label takes both moons. A vote of the nearest labels does better "
        "here.",
        "Change the label seed: for most choices label propagation wins.",
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
        "A separate part stays grey",
        "The graph of five neighbours falls apart where the rings are thin. No path leads to a "
        "part without a label (an island, or connected component): its points get no prediction"
        " instead of a guess.",
        "Raise k to 6, 7, 8: the parts join one after the other.",
        "pages/propagation.py",
        {
            "data": "three_rings",
            "three_rings.n_samples": 1000,
            "method": "Label propagation",
        },
    ),
    Preset(
        "outliers",
        "Outliers: directed propagation suffers, hubs do not",
        "A fifth of the points are outliers. On directed edges, as first printed, random walks "
        "wander into them; robust label prediction relies on hubs, and outliers are not hubs.",
        "Switch the left method's edges to undirected: it then withstands the outliers as well.",
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
        "The same moons with 1200 hubs instead of 200: now outliers are among them, ringed in "
        "the first map, and carry labels across the gap in the second.",
        "Move h down to 200 and watch the connection disappear.",
        "pages/hubs.py",
        {"data": "two_moons", "two_moons.outliers": 0.2, "seed": 1, "hubs.h": 1200},
    ),
    Preset(
        "rings",
        "Hubs do not always help",
        "Rings with as many outliers. Tuned robust label prediction has lower accuracy than "
        "plain undirected propagation: links between its few hubs cross the gaps.",
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
        "A perfect objective, worthless labels",
        "FLP as its paper prints it: nothing limits the size of the projection, each labelled "
        "point soon depends on a single other, and the objective vanishes. All other points "
        "have no influence, and their labels are random.",
        "Press Play; then switch the projection to *learnt*.",
        "pages/flp.py",
        {"data": "wine", "wine.standardise": True, "labels": 2, "FLP.mode": "printed"},
    ),
    Preset(
        "mnist_small",
        "Five thousand digits, four labels each",
        "Forty labels in 784 dimensions: in label propagation a few of them take over, and hubs"
        " are ahead. With ten labels per digit propagation has caught up.",
        "Raise the labels per class; change the label seed. Try the grid at the end of the page.",
        "pages/hubs.py",
        {"data": "mnist_5k", "labels": 4, "hubs.h": 1500},
    ),
    Preset(
        "mnist",
        "20 000 digits: hubs overtake propagation",
        "A hundred labels, twenty thousand digits. Plain undirected propagation falls behind, "
        "hubs gain. The first visit takes about a minute to find the neighbours.",
        "Compare the first two numbers; then choose “directed” edges.",
        "pages/hubs.py",
        {"data": "mnist", "mnist.n_samples": 20_000, "labels": 10, "hubs.h": 3000},
    ),
    Preset(
        "clouds",
        "Unlabelled points hurt",
        "Rings are not Gaussian. From thirty labels alone three Gaussian components predict "
        "four of five points; the unlabelled points pull them to a more likely place, and "
        "accuracy falls below one half.",
        "Play the steps; then move the weight of unlabelled points towards 0.",
        "pages/inductive.py",
        {"data": "three_rings", "labels": 10, "inductive.method": "Gaussian mixture"},
    ),
    Preset(
        "numbers",
        "The order of the classes matters",
        "As printed, SDSC lets class c use component c alone. Number the classes backwards and "
        "one prediction in eight changes, though nothing about the data has.",
        "Switch “Swap class numbers” on and off; then choose the full pairing.",
        "pages/inductive.py",
        {
            "data": "three_rings",
            "seed": 1,
            "inductive.method": "Semi-parametric discriminative (SDSC)",
            "SDSC.pairing": "diagonal",
        },
    ),
    *DICTIONARY_PRESETS,
    Preset(
        "collapse",
        "Doubling collapses on images",
        "Fifty digits are kept, as printed. In 64 dimensions all distances are similar: one "
        "doubling of the radius covers nearly all points, two or three centroids are left, and "
        "points that join them get their prediction. 1-NN is three times as accurate.",
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
        "Zeros arrive first, then ones. Fifty centroids that represent earlier digits have "
        "little room for the next one; plain 1-NN on the labels, which ignores the stream, "
        "wins.",
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
        "Half of all points lie in one disc. k-means minimises squared distances and ignores "
        "gaps: it gives the disc two centres and lets two small clusters share one.",
        "Choose SGSC or spectral clustering instead; then give k-means five clusters.",
        "pages/clustering.py",
        {"data": "four_clusters", "cluster_method": "k-means", "mistakes": True},
    ),
    Preset(
        "balanced",
        "Clusters forced to equal size",
        "IMSAT prefers clusters of equal size. Four clusters of 50, 20, 20 and 10% become four"
        " of about a quarter each: the disc is divided, and a third of the points is wrong.",
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
        "The hubs are nearly all right, yet a network that becomes confident too fast gives up "
        "the smallest cluster. As printed, KL[p ‖ q] has no gradient wherever p is confident, "
        "right or wrong: the cluster does not come back.",
        "Press Start and watch “clusters used”; then switch “Direction of KL” to KL(q ‖ p).",
        "pages/clustering.py",
        {
            "data": "four_clusters",
            "cluster_method": "SEDC: Spectral embedded deep clustering",
            "SEDC.lam2": 3.0,
            "SEDC.epochs": 6,
        },
    ),
    Preset(
        "frozen",
        "A wrong early border is frozen",
        "The VAT classifier draws its first border from six labels alone. The entropy then asks "
        "for confidence on both sides of it, wherever it is, and a part of one moon keeps the "
        "wrong class: 82% right, label propagation has 99%.",
        "Press Start and watch the border; then set the weight of the entropy to 0 (93%), or "
        "change the label seed.",
        "pages/network.py",
        {
            "data": "two_moons",
            "two_moons.n_samples.few": 562,
            "seed": 2,
            "network.method": "VAT classifier",
            "mistakes": True,
        },
    ),
    Preset(
        "unsure",
        "The most uncertain point is the wrong one to ask",
        "Fifteen labels, each of the point with the smallest margin: such points lie on borders"
        " and say little about any other. Fifteen random labels do no worse.",
        "Play the queries, then query by expected risk: the first ones go into dense regions "
        "without a label.",
        "pages/active_learning.py",
        {"data": "digits", "labels": 1, "active_learning.strategy": "most unsure"},
    ),
)
