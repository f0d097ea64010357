"""Parameters of the dictionary methods with at most T atoms per code."""

from math import inf
from typing import Annotated

from sslviz.dictionary.parameters import _positive_weight
from sslviz.params import Choice, Flag, Number

NonZeros = Annotated[
    int,
    Number(
        "Largest number of atoms in a code. Few: coarse reconstructions. Many: atoms of other "
        "classes take part.",
        valid=(1, 10**5),
        shown=(1, 20),
        label="atoms per code",
        symbol="T",
    ),
]
Atoms = Annotated[
    int,
    Number(
        "Number of atoms, shared out evenly among the classes; at most the number of labelled "
        "points.",
        valid=(1, 10**5),
        shown=(20, 400),
        label="atoms",
        symbol="p",
    ),
]
Rounds = Annotated[
    int,
    Number(
        "Number of rounds; each codes all points again and then updates atoms and classifier.",
        valid=(1, 10**5),
        shown=(1, 30),
        label="rounds",
    ),
]
Passes = Annotated[
    int,
    Number(
        "Passes through all points.",
        valid=(1, 10**5),
        shown=(1, 30),
        label="passes",
    ),
]
LabelWeight = Annotated[
    float,
    _positive_weight(
        "Weight of the labels in the objective. Large: atoms of one class each, and poorer "
        "reconstructions.",
        (0.01, 4),
        "weight of the labels",
        "γ",
    ),
]
Consistency = Annotated[
    float,
    _positive_weight(
        "Weight of the ideal codes. Large: a labelled point uses the atoms of its own class.",
        (0.001, 4),
        "label consistency",
        "ψ",
    ),
]
LabelConsistencyVariant = Annotated[
    int,
    Choice(
        "How the classifier is learnt.",
        (2, 1),
        (
            "LC-KSVD2: with the atoms, by a third term of the objective",
            "LC-KSVD1: by ridge regression on the final codes",
        ),
        label="variant",
    ),
]
ReconstructionWeight = Annotated[
    float,
    Number(
        "Weight of the reconstruction of unlabelled points. 0: atoms are learnt from labelled "
        "points only.",
        valid=(0, inf),
        shown=(0, 3),
        label="weight of unlabelled points",
        symbol="ρ",
    ),
]
RelativeRidge = Annotated[
    float,
    _positive_weight(
        "Ridge penalty of the classifier, in units of the weight of the labels.",
        (0.01, 10),
        "classifier ridge",
        "μ",
        advanced=True,
    ),
]
FeatureSmoothness = Annotated[
    float,
    Number(
        "Weight of the graph of the features. Large: atoms are smooth, like blurred images.",
        valid=(0, inf),
        shown=(0, 1),
        label="smoothness of atoms",
        symbol="α",
    ),
]
PointSmoothness = Annotated[
    float,
    Number(
        "Weight of the graph of the points. Large: neighbours have similar codes.",
        valid=(0, inf),
        shown=(0, 1),
        label="smoothness of codes",
        symbol="β",
    ),
]
TwoGraphNeighbours = Annotated[
    int,
    Number(
        "Neighbours of each point in the graph of the points, and of each feature in the graph "
        "of the features.",
        valid=(1, 10**6),
        shown=(2, 15),
        label="neighbours",
        symbol="k",
    ),
]
Sureness = Annotated[
    float,
    Number(
        "An unlabelled point joins the labelled when this share of its code, in absolute values, "
        "is on the atoms of one class. Small: many join, more of them wrongly.",
        valid=(0, inf),
        shown=(0.3, 1),
        label="sure enough to join",
    ),
]
Forgetting = Annotated[
    float,
    Number(
        "Factor by which earlier points lose weight with each new one, at the start; it rises to "
        "1. 1: nothing is forgotten.",
        valid=(0.5, 1),
        shown=(0.9, 1),
        label="forgetting",
        symbol="λ",
    ),
]
LabelsInCode = Annotated[
    bool,
    Flag(
        "Code labelled points with their labels beside them. New points have none, and accuracy "
        "falls. Off: the weights of labels and ideal codes do not influence the atoms.",
        label="labels in the code",
    ),
]
