"""SDA over its parameter β, here α, for three dimensions: Fig. 4 of the FLP paper.

The paper draws curves for USPS and for the faces of CMU PIE and concludes that SDA depends on β,
and on each set in another way. It prints no numbers, neither of the accuracies nor of β and the
dimensions. CMU PIE is not freely available: the faces of Yale B stand in its place. Two labels and
twenty unlabelled points per class, the rest for testing.

Ten draws: on Yale B accuracy falls by a third to a half from β = 0.01 to 10; on USPS it falls with
nine dimensions (0.47 to 0.41) and hardly changes with fewer. So SDA does depend on β, but no set
here gains from a large one.
"""

from sslviz.experiments.table import Row, Table, TableMethod

BETAS = (0.01, 0.1, 1.0, 10.0, 100.0)
DIMENSIONS = (3, 6, 9)

TABLE = Table(
    name="flp_sda_beta",
    title="SDA over β, accuracy of 1-NN in the embedding on unlabelled and on test points",
    source="Ni, Yan, Kassim, Cheong. Learning by Propagability, Fig. 4",
    methods=tuple(
        TableMethod(f"β = {beta:g}, d = {d}", "sslviz:SDA", {"alpha": beta, "n_components": d})
        for d in DIMENSIONS
        for beta in BETAS
    ),
    draws=10,
    rows=tuple(
        Row(
            title,
            dataset,
            per_class=2,
            unlabelled_per_class=20,
            test="rest",
            prepare=("pixels", "pca 128"),
        )
        for title, dataset in (("USPS", "usps_11000"), ("Yale B", "yaleb"))
    ),
)
