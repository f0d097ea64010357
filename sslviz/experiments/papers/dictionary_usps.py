"""All dictionary systems on USPS with 20 labels per class: Table 6 of the SSDL-GA paper.

The protocol is that of ssdl_usps: images of length 5, points drawn from the whole set. Systems have
200 atoms and their defaults, which were fixed on other draws; USSDL and SSDL-GA have the paper's
settings. The paper copies the numbers of OSSDL, S2D2, SSR-D, SSP-DL and SSD-LP from another one,
and those of PSSDL are for 25 labels and all test points. SRC and Metaface, which use labelled
points only, are added, and 1-NN. The reference is an independent implementation, with draws of its
own: a mean of three has a standard error of about 0.7 points.
"""

from sslviz.experiments.papers.dictionary_systems import percent, systems
from sslviz.experiments.papers.ssdl_usps import GRAPH, SOURCE, USPS
from sslviz.experiments.table import NEAREST_LABEL, Row, Table, TableMethod

PAPER = {
    "OSSDL": (80.8, 2.8),
    "S2D2": (86.6, 1.6),
    "SSR-D": (87.2, 0.5),
    "SSP-DL": (87.8, 1.1),
    "USSDL": (91.56, 1.15),
    "PSSDL": (86.9, 1.0),
    "SSD-LP": (90.3, 1.3),
    "SSDL-GA": (93.6, 1.0),
}
REFERENCE = {
    "SRC": (90.3, 1.3),
    "Metaface": (90.1, 1.9),
    "D-KSVD": (86.4, 1.3),
    "LC-KSVD1": (81.5, 2.0),
    "LC-KSVD2": (86.5, 1.2),
    "FDDL": (89.6, 1.6),
    "S2D2": (89.7, 1.3),
    "SSD-LP": (88.8, 0.7),
    "JDL": (87.3, 0.4),
    "OSSDL": (84.5, 0.1),
    "LC-RLSDLA": (84.5, 1.1),
    "SSR-D": (86.3, 1.0),
    "SSP-DL": (86.9, 0.5),
    "SupGraphDL": (84.3, 1.5),
    "PSSDL": (88.0, 1.3),
    "USSDL": (90.4, 1.5),
    "SSDL-GA": (92.2, 1.1),
}

TABLE = Table(
    name="dictionary_usps",
    title="dictionary systems on USPS, 20 labelled and 40 unlabelled points per class",
    source=f"{SOURCE}, Table 6",
    methods=(
        TableMethod("1-NN", NEAREST_LABEL),
        *systems({"USSDL": USPS, "SSDL-GA": USPS | GRAPH}),
    ),
    draws=5,
    shared=False,
    rows=(
        Row(
            "USPS",
            "usps",
            per_class=20,
            unlabelled_per_class=40,
            test=50,
            prepare=("length 5",),
            paper_test=percent(PAPER),
            reference_test=percent(REFERENCE),
        ),
    ),
)
