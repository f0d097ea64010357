"""Abilities: what a method states about itself, and what it may offer beyond fit and predict.

Pages, tables and recordings ask these protocols (`isinstance(model, Steps)`, and
`issubclass(Method, Steps)` before there is a model), never a class by name. A method with a new
ability gets its views everywhere.
"""

from sslviz.abilities.common import (
    DecisionFunction,
    Eigenvalues,
    Embeds,
    HandsOnEdges,
    KeepsCover,
    Links,
    Observes,
    Predicts,
    SoftLabels,
    Steps,
    Transduces,
    Transforms,
)
from sslviz.abilities.dictionary import (
    ActivePoints,
    ClassAtoms,
    ClassReconstructions,
    CodeGraph,
    ErrorVectors,
    FeatureGraph,
    GroupNorms,
    IdealCodes,
    Joins,
    LearnsInRounds,
    PointWeights,
    PseudoLabels,
    StopsEarly,
    WarmStarts,
)
from sslviz.abilities.graph import (
    Absorbs,
    Explains,
    HubBased,
)
from sslviz.abilities.kernel import (
    AmplifiedRidge,
    Continuation,
    Eigenfunctions,
    GaussianComponents,
    GaussianKernel,
    HasMargin,
    SpectralFilter,
    TrainingValues,
    Witness,
)
from sslviz.abilities.method import Method
from sslviz.abilities.training import (
    Encodes,
    Perturbs,
    Pretrains,
    Trains,
)

__all__ = [
    "Absorbs",
    "ActivePoints",
    "AmplifiedRidge",
    "ClassAtoms",
    "ClassReconstructions",
    "CodeGraph",
    "Continuation",
    "DecisionFunction",
    "Eigenfunctions",
    "Eigenvalues",
    "Embeds",
    "Encodes",
    "ErrorVectors",
    "Explains",
    "FeatureGraph",
    "GaussianComponents",
    "GaussianKernel",
    "GroupNorms",
    "HandsOnEdges",
    "HasMargin",
    "HubBased",
    "IdealCodes",
    "Joins",
    "KeepsCover",
    "LearnsInRounds",
    "Links",
    "Method",
    "Observes",
    "Perturbs",
    "PointWeights",
    "Predicts",
    "Pretrains",
    "PseudoLabels",
    "SoftLabels",
    "SpectralFilter",
    "Steps",
    "StopsEarly",
    "TrainingValues",
    "Trains",
    "Transduces",
    "Transforms",
    "WarmStarts",
    "Witness",
]
