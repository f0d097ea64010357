"""All dictionary systems on MNIST with 20 labels per class: Table 6 of the SSDL-GA paper.

The protocol is that of ssdl_mnist. Systems have 200 atoms and the defaults, which were fixed on
USPS; USSDL and SSDL-GA have the paper's settings for MNIST. Where the paper's numbers come from is
said in dictionary_usps.

In three draws (SSDL-GA, USSDL and PSSDL: two) S2D2 (85.2%) and OSSDL (80.0%) are 7 points above
the paper, SSP-DL (83.6%) and PSSDL (83.9%, another protocol in the paper) 2 and 3 below, all
others within 1.5 points. Metaface, which sees no unlabelled point, has 86.6%: only SSD-LP (89.2%)
and SSDL-GA (90.7%) are above it.
"""

from sslviz.experiments.papers.dictionary_systems import percent, systems
from sslviz.experiments.papers.ssdl_mnist import GRAPH, MNIST
from sslviz.experiments.papers.ssdl_usps import SOURCE
from sslviz.experiments.table import NEAREST_LABEL, Row, Table, TableMethod

PAPER = {
    "OSSDL": (73.2, 1.8),
    "S2D2": (77.6, 0.8),
    "SSR-D": (83.8, 1.2),
    "SSP-DL": (85.8, 1.2),
    "USSDL": (84.8, 1.7),
    "PSSDL": (87.4, 1.2),
    "SSD-LP": (87.8, 1.6),
    "SSDL-GA": (90.0, 0.8),
}
REFERENCE = {"USSDL": (87.2,), "SSDL-GA": (90.0,)}

TABLE = Table(
    name="dictionary_mnist",
    title="dictionary systems on MNIST, 20 labelled and 80 unlabelled points per class",
    source=f"{SOURCE}, Table 6",
    methods=(
        TableMethod("1-NN", NEAREST_LABEL),
        *systems({"USSDL": MNIST, "SSDL-GA": MNIST | GRAPH}),
    ),
    draws=5,
    shared=False,
    rows=(
        Row(
            "MNIST",
            "mnist",
            per_class=20,
            unlabelled_per_class=80,
            test=100,
            prepare=("length 5",),
            paper_test=percent(PAPER),
            reference_test=percent(REFERENCE),
        ),
    ),
)
