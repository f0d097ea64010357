"""Dictionaries with few labels: USPS, 20 labels per class (Table 6 and Fig. 1 of the paper).

Images are scaled to length 5, as the paper does; points are drawn from the whole set, where the
authors draw from the first 200 images of each class (which gives the reference 93.4 and 90.4). The
reference is an independent implementation. Draws have a deviation of two points, so the mean of
five is open by almost two points either way: ask for 15 or more. What the graph adds was 1.8 points
in 10 draws and in 20 others. The rows with 2 to 150 unlabelled points per class are Fig. 1, whose
values the paper does not print.
"""

from sslviz.tables.table import Known, Method, Row, Table

GA, PLAIN, SPREADING = "SSDL-GA", "USSDL", "label spreading"
SOURCE = "Tran, Ngolè Mboula, Starck, Prost. SSDL with Graph Regularization and Active Points"
USPS = {"n_atoms": 200, "lam": 0.3, "gamma": 0.5, "mu": 1.0, "r": 1.7}
GRAPH = {"beta": 0.5, "n_neighbors": 8}
FIGURE = (2, 5, 10, 20, 50, 100, 150)  # unlabelled points per class
FOUND = {2: 0.892, 20: 0.907, 100: 0.941}  # by the reference with SSDL-GA

METHODS = (
    Method("nearest label", "sslviz.tables.baseline:NearestLabel"),
    Method(SPREADING, "sslviz:LabelSpreading"),
    Method(PLAIN, "sslviz:USSDL", USPS),
    Method(GA, "sslviz:SSDLGA", USPS | GRAPH),
)

TABLE = Table(
    name="ssdl",
    title="dictionaries on USPS, 20 labels per class, u unlabelled ones",
    source=f"{SOURCE}, Table 6 and Fig. 1",
    methods=METHODS,
    draws=5,
    rows=(
        Row(
            "USPS, Table 6",
            "usps",
            per_class=20,
            unlabelled_per_class=40,
            test=50,
            prepare=("length 5",),
            paper_test={
                SPREADING: Known(0.903, 0.013),
                PLAIN: Known(0.9156, 0.0115),
                GA: Known(0.936, 0.010),
            },
            reference_test={PLAIN: Known(0.904, 0.015), GA: Known(0.922, 0.011)},
        ),
        *(
            Row(
                f"USPS, Fig. 1, u = {u}",
                "usps",
                per_class=20,
                unlabelled_per_class=u,
                test=100,
                prepare=("length 5",),
                reference_test={GA: Known(FOUND[u])} if u in FOUND else {},
            )
            for u in FIGURE
        ),
    ),
)
