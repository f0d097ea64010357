"""Settings in which unlabelled points help, one for each family: the counterpart of failures.

The percentages are accuracies on the hidden labels with the default seed.
"""

from sslviz.ui.presets.preset import Preset

SUCCESSES = (
    Preset(
        "works_propagation",
        "Six labels are enough for two moons",
        "Three labels per moon and 2,000 points, one in ten an outlier: label propagation has "
        "99% right, because the graph hardly crosses the gap between the moons.",
        "Take one label per class, then another label seed: it still works for most.",
        "pages/propagation.py",
        {"data": "two_moons", "labels": 3, "method": "Label propagation"},
    ),
    Preset(
        "works_hubs",
        "Hubs on handwritten digits",
        "Three labels per digit: robust label prediction has 93% right, label propagation on "
        "the same graph 83%, a vote of the given labels alone 90%.",
        "Move h to 0 and to its largest value: both are worse.",
        "pages/hubs.py",
        {"data": "digits", "labels": 3},
    ),
    Preset(
        "works_inductive",
        "A boundary that follows the moons",
        "One label per moon. With the unlabelled points LapRLS has 99% right, without them "
        "about 70%: the penalty on the graph bends the boundary into the gap.",
        "Set the weight of the unlabelled points to 0.",
        "pages/inductive.py",
        {"data": "two_moons", "labels": 1, "LapRLS.sigma": 0.26},
    ),
    Preset(
        "works_flp",
        "Two labels per wine grower",
        "FLP learns a projection of 13 features together with the labels: 97% right from six "
        "labels, once the features have the same scale.",
        "Switch the scaling off under “Data options” and see the largest unit take over.",
        "pages/flp.py",
        {"data": "wine", "wine.standardise": True, "labels": 2},
    ),
    Preset(
        "works_clustering",
        "Clusters of different shape, without labels",
        "A disc and three clusters: SEDC groups 98% of the points as their classes, k-means 63%.",
        "Choose k-means as the method and compare the borders.",
        "pages/clustering.py",
        {"data": "four_clusters", "clusters.train": True, "SEDC.epochs": 5},
    ),
    Preset(
        "works_active",
        "Fifteen well-chosen questions",
        "From 30 labels of digits, 15 queries by expected risk raise the accuracy from 94 to "
        "97%; 15 random labels reach 95%.",
        "Play the queries: the first ones go to groups without a label.",
        "pages/active_learning.py",
        {"data": "digits"},
    ),
)
