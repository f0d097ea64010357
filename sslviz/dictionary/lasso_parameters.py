"""Parameters of the dictionary methods that solve a lasso, beside those of SSDL-GA."""

from math import inf
from typing import Annotated

from sslviz.dictionary.parameters import Atoms, Sparsity
from sslviz.dictionary.parameters import _positive_weight as positive_weight
from sslviz.params import Choice, Flag, Number

__all__ = ["Atoms", "Sparsity"]  # shared with SSDL-GA

BlockAtoms = Annotated[
    int,
    Number(
        "Number of atoms, shared out evenly among the classes (the first classes get one more if "
        "it cannot be divided), at most one per labelled point.",
        valid=(1, 10**5),
        shown=(20, 400),
        label="atoms",
        symbol="p",
    ),
]
LassoRounds = Annotated[
    int,
    Number(
        "Number of rounds; each improves the codes for the atoms, then the atoms for the codes.",
        valid=(1, 10**5),
        shown=(1, 30),
        label="rounds",
    ),
]
Coding = Annotated[
    str,
    Choice(
        "How new points are coded.",
        ("all", "class"),
        ("one lasso on all atoms: classes compete", "one lasso per class, on its own atoms"),
        label="coding",
        advanced=True,
    ),
]
HalfSparsity = Annotated[
    float,
    positive_weight(
        "Half the sparsity penalty: the objective has 2λ‖A‖₁.", (0.005, 1.5), "sparsity", "λ"
    ),
]
Fisher = Annotated[
    float,
    Number(
        "Weight of Fisher's term: codes of a class close together, classes apart. 0: none.",
        valid=(0, inf),
        shown=(0, 1),
        label="Fisher term",
        symbol="λ₂",
    ),
]
MeanWeight = Annotated[
    float,
    Number(
        "Weight of the distance between a code and the mean code of a class, beside the residual, "
        "when a point is classified.",
        valid=(0, inf),
        shown=(0, 1),
        label="distance to mean codes",
        symbol="w",
        advanced=True,
    ),
]
UnlabelledWeight = Annotated[
    float,
    Number(
        "Weight of each unlabelled point beside a labelled one. 0: labelled points alone.",
        valid=(0, inf),
        shown=(0, 3),
        label="weight of unlabelled points",
        symbol="ρ",
    ),
]
AllClassesExplain = Annotated[
    bool,
    Flag(
        "As printed in Table 1 of the survey: every class must explain every labelled point.",
        label="as printed",
        advanced=True,
    ),
]
CodeSpread = Annotated[
    float,
    Number(
        "Weight of the distance between codes of a class and their mean. Large: all points of a "
        "class get nearly the same code.",
        valid=(0, inf),
        shown=(0, 1),
        label="codes close to their mean",
        symbol="γ",
    ),
]
ErrorLinks = Annotated[
    int,
    Number(
        "Each error vector is linked to its k nearest ones; labels spread along the links.",
        valid=(1, 10**6),
        shown=(2, 50),
        label="links of an error vector",
        symbol="k",
    ),
]
PrintedSign = Annotated[
    bool,
    Flag(
        "As printed: −γ in place of +γ. Learning stops with a message once the objective is "
        "unbounded below.",
        label="as printed",
        advanced=True,
    ),
]
GroupSparsity = Annotated[
    float,
    positive_weight(
        "Penalty on the atoms that a class uses. Large: few atoms per class.",
        (0.02, 2),
        "sparsity of groups",
        "λ",
    ),
]
GroupPower = Annotated[
    float,
    Number(
        "Power of the group norms: 1 is convex; smaller values switch more atoms off.",
        valid=(0, 1),
        shown=(0.3, 1),
        above=True,
        label="power",
        symbol="q",
        advanced=True,
    ),
]
LabelledGroups = Annotated[
    float,
    positive_weight(
        "Penalty on the atoms that a class uses. Large: few atoms per class.",
        (0.05, 10),
        "sparsity of classes",
        "λ₁",
    ),
]
UnlabelledSparsity = Annotated[
    float,
    positive_weight(
        "Sparsity penalty of the codes of unlabelled and new points.",
        (0.01, 3),
        "sparsity of unlabelled codes",
        "λ₂",
    ),
]
Structure = Annotated[
    float,
    Number(
        "Weight of ‖A − VA‖²: a code should be the same mixture of other codes as its point is of "
        "other points. 0: none.",
        valid=(0, inf),
        shown=(0, 3),
        label="structure",
        symbol="β",
    ),
]
SelfSparsity = Annotated[
    float,
    positive_weight(
        "Sparsity penalty of V, in which points represent each other. Large: few links.",
        (0.1, 10),
        "sparsity of V",
        "λ_V",
        advanced=True,
    ),
]
CodeGraph = Annotated[
    float,
    Number(
        "Weight of the graph term: codes of neighbours alike, classes apart. 0: none.",
        valid=(0, inf),
        shown=(0, 1),
        label="graph",
        symbol="κ",
    ),
]
GraphMix = Annotated[
    float,
    Number(
        "Share of the graph of all points in the graph term; the rest compares labelled points.",
        valid=(0, 1),
        shown=(0, 1),
        label="share of the unlabelled graph",
        symbol="β",
        advanced=True,
    ),
]
SoftmaxRidge = Annotated[
    float,
    positive_weight(
        "Ridge penalty of the softmax classifier.",
        (0.01, 10),
        "classifier ridge",
        "μ",
        advanced=True,
    ),
]
LearntScales = Annotated[
    bool,
    Flag(
        "As printed: all scales are learnt, codes start small. Codes fade to zero while the "
        "objective falls without bound; learning stops with a message.",
        label="as printed",
    ),
]
