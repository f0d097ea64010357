"""Networks on USPS and MNIST: the rows CNN and Ladder of Table 6, and the thesis' 100 labels.

The protocol of Table 6 is that of `ssdl_usps` and `ssdl_mnist`, with pixels as they are. The paper
prints the layers of its two CNNs, but not their training: here Adam with rate .001, batches of 20,
30 epochs. "FC1000-FC500-FC250-softmax" of its Ladder network lacks the output layer, which is here
D-1000-500-250-10; the weights of its costs are not printed, and are those of the Ladder paper. The
reference is an independent implementation.

The thesis (section 6.3) quotes .683 for a CNN with 100 labelled images of MNIST, the best of 7103
layouts; any layout with batch normalisation does better today. Its own online method has 50
unlabelled images beside them, and so has the row.
"""

from sslviz.experiments.papers.ssdl_usps import SOURCE
from sslviz.experiments.table import NEAREST_LABEL, Known, Row, Table, TableMethod

CNN_USPS, CNN_MNIST, LADDER = "CNN, USPS layout", "CNN, MNIST layout", "Ladder"

TABLE = Table(
    name="ssdl_networks",
    title="networks on USPS and MNIST, few labelled points per class",
    source=f"{SOURCE}, Table 6; Wada. Study of Prediction on Manifolds, section 6.3",
    methods=(
        TableMethod("nearest label", NEAREST_LABEL),
        TableMethod(CNN_USPS, "sslviz:ConvNet", {"layout": "usps"}),
        TableMethod(CNN_MNIST, "sslviz:ConvNet", {"layout": "mnist"}),
        TableMethod(LADDER, "sslviz:LadderNetwork", {"hidden": (1000, 500, 250)}),
    ),
    draws=5,
    rows=(
        Row(
            "USPS, Table 6",
            "usps",
            per_class=20,
            unlabelled_per_class=40,
            test=50,
            paper_test={CNN_USPS: Known(0.8928, 0.014), LADDER: Known(0.9268, 0.010)},
            reference_test={CNN_USPS: Known(0.913), LADDER: Known(0.914)},
        ),
        Row(
            "MNIST, Table 6",
            "mnist",
            per_class=20,
            unlabelled_per_class=80,
            test=100,
            paper_test={CNN_MNIST: Known(0.884, 0.011), LADDER: Known(0.8984, 0.008)},
            reference_test={CNN_MNIST: Known(0.905), LADDER: Known(0.900)},
        ),
        Row(
            "MNIST, 100 labels",
            "mnist",
            per_class=10,
            unlabelled_per_class=5,
            test=100,
            paper_test={CNN_MNIST: Known(0.683)},
            note="the paper's network is another one, the best of 7103",
        ),
    ),
)
