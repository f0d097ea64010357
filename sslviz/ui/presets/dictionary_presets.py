"""Presets of the page "Dictionaries"; the percentages are those of its first 600 digits, seed 0."""

from sslviz.ui.presets.preset import Preset

DICTIONARY_PRESETS = (
    Preset(
        "few_labels_many_atoms",
        "More atoms than labels",
        "80 atoms, but 30 labelled points: most atoms start as unlabelled points, and their class "
        "is a guess from the few labelled points that use them a little. SSR-D has 69% right; "
        "SRC, whose only atoms are the 30 labelled points, 86%.",
        "Lower the atoms to 50: 88%. Then give more labels.",
        "pages/dictionary.py",
        {"data": "digits", "dictionary.method": "SSR-D"},
    ),
    Preset(
        "labels_in_code",
        "Labels in the code",
        "OSSDL as its objective asks: labelled points are coded with their labels beside them. The "
        "codes of labelled points become block-diagonal, but new points have no label to be coded "
        "with, and accuracy falls from 92 to 77%.",
        "Compare the two shares under “Ideal codes”; then switch “Labels in the code” off.",
        "pages/dictionary.py",
        {
            "data": "digits",
            "labels": 10,
            "dictionary.method": "OSSDL",
            "OSSDL.labels_in_code": True,
        },
    ),
    Preset(
        "pole",
        "One step too far, and the moons swap classes",
        "Semi-KSC pulls the scores towards the clusters. At pull 0.99 all points are right; at "
        "1.01 the factor 1/(1 − γ₁μ) has passed its pole, its sign is reversed, and one point in "
        "twenty is right.",
        "Move the pull back to 1.005, then down to 0.01: the clusters, then bumps around labels. "
        "Raise the trust in labels: the pole moves away.",
        "pages/inductive.py",
        {
            "data": "two_moons",
            "two_moons.outliers": 0.0,
            "inductive.method": "Semi-supervised spectral clustering (Semi-KSC)",
            "SemiKSC.pull": 1.01,
            "SemiKSC.trust": 0.01,
        },
    ),
    Preset(
        "fading_codes",
        "Codes fade while the objective falls",
        "PSSDL as printed learns the scale of every prior, and the logarithm of a scale has no "
        "lower bound: the objective falls for ever while codes and atoms fade to nothing. One "
        "digit in ten is right, as by guessing; learning is stopped before it overflows.",
        "See the two curves of “Objective and size of the codes”; then switch “As printed” off.",
        "pages/dictionary.py",
        {"data": "digits", "dictionary.method": "PSSDL", "PSSDL.as_printed": True},
    ),
)
