"""All dictionary systems on extended Yale B with 2, 5 and 10 labels per person: Table 7.

As in the paper 20 images of each of 38 people are for training, all others for testing; 300
principal components (PCA sees all images, labels none), standardised, then scaled to length 2. Its
images have 54 × 48 pixels, here they have 32 × 32, and 2414 are left of its 2432.

SSDL-GA has the paper's settings. It gives none for the other systems: they have 380 atoms, at most
one per labelled point, and their defaults; λ of the ℓ1 systems, which suits images of length 5, is
multiplied by 2/5, and USSDL has the other settings of SSDL-GA. With SSDL-GA's λ of 0.005, which
needs its graph, USSDL falls to 30% with two labels and SRC to 74% with ten. In three draws S2D2
(54, 76 and 85%) and SSDL-GA (77, 84 and 89%) come within about 3 points of the paper. JDL stays 3
to 8 points below it, SSD-LP 6 to 10 (61, 79 and 88%), USSDL 7 to 23. Table 8 (AR) is left out: its
images are not freely available.

What was tried on one draw, with 2 and 10 labels. Without `standardise` SRC falls from 54 and 87%
to 36 and 78%: the first principal components are lighting. The images themselves instead of 300
components, at λ = 0.02, bring USSDL near the paper's number with ten labels (93%), and with λ =
0.12 to 27% with two. SSD-LP's terms γ and w cost it 6 points with two labels (63% without), none
with ten; with true labels in place of P it would reach 77 and 92%, and with ten atoms per person,
taken by label propagation on a graph of the points, 75 and 89%: at most one atom per labelled
point is our rule. With ten labels the rest of the gap thus seems to lie in the features.

More atoms per code do not help JDL: with T = 10, 20 and 40 it is right for 43, 39 and 34% with two
labels (47% with the default, 5; two draws) and for 84, 84 and 83% with ten (83%).
"""

from sslviz.experiments.papers.dictionary_systems import SYSTEMS, percent, systems
from sslviz.experiments.papers.ssdl_usps import SOURCE
from sslviz.experiments.table import NEAREST_LABEL, Row, Table, TableMethod

# The paper's accuracies by number of labels per person.
PAPER: dict[int, dict[str, tuple[float, ...]]] = {
    2: {"S2D2": (53.4, 2.1), "JDL": (55.2, 1.8), "USSDL": (60.5, 2.1), "SSD-LP": (67.0, 2.9),
        "SSDL-GA": (73.62, 3.1)},
    5: {"S2D2": (76.1, 1.3), "JDL": (77.4, 2.8), "USSDL": (86.5, 2.1), "SSD-LP": (89.8, 0.9),
        "SSDL-GA": (86.6, 1.6)},
    10: {"S2D2": (83.2, 1.9), "JDL": (85.3, 1.6), "USSDL": (93.6, 0.8), "SSD-LP": (95.2, 0.2),
         "SSDL-GA": (90.7, 0.4)},
}  # fmt: skip
PRINTED = {"gamma": 0.5, "mu": 1.0, "r": 1.5}
SPARSITY = {
    "SRC": {"lam": 0.12},
    "Metaface": {"lam": 0.12},
    "FDDL": {"lam": 0.06},
    "S2D2": {"lam": 0.06},
    "SSD-LP": {"lam": 0.12},
    "SSP-DL": {"lam1": 0.8, "lam2": 0.2},
    "PSSDL": {"lam": 0.12},
    "USSDL": PRINTED | {"lam": 0.12},
    "SSDL-GA": PRINTED | {"lam": 0.005, "beta": 2.0, "n_neighbors": 4},
}
ATOMS = {title: {"n_atoms": 380} for title in SYSTEMS if title != "SRC"}

TABLE = Table(
    name="dictionary_faces",
    title="dictionary systems on extended Yale B, 20 training images per person",
    source=f"{SOURCE}, Table 7",
    methods=(
        TableMethod("1-NN", NEAREST_LABEL),
        *systems({t: ATOMS.get(t, {}) | SPARSITY.get(t, {}) for t in SYSTEMS}),
    ),
    draws=5,
    shared=False,
    rows=tuple(
        Row(
            f"Yale B, {labels} labels",
            "yaleb",
            per_class=labels,
            unlabelled_per_class=20 - labels,
            test="rest",
            prepare=("pca 300", "standardise", "length 2"),
            paper_test=percent(known),
        )
        for labels, known in PAPER.items()
    ),
)
