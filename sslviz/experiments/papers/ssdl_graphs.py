"""Graph penalties for sparse codes, classified by a linear SVM: Tables 4 and 5 of the paper.

The paper gives error rates on the official test images with the best parameters of every cell; here
every graph has one setting, and 50 images per class of the whole set are used for testing, which is
easier by about three points. Distances in the paper are about 10, as for images of length 10; at
that length noise has the effect it reports. Noise has standard deviation σ · mean(X²), as in
Table 5.
"""

from typing import Any

from sslviz.experiments.papers.ssdl_usps import SOURCE
from sslviz.experiments.table import Known, Row, Table, TableMethod

GRAPHS: dict[str, dict[str, Any]] = {
    "no graph": {"beta": 0.0},
    "knn": {"laplacian": "knn"},
    "threshold": {"laplacian": "threshold"},
    "learnt": {"laplacian": "learnt"},
    "LLE": {"laplacian": "lle"},
}
# Table 4: errors in per cent by number of labels, in the order of the graphs.
ERRORS = {100: (19.6, 16.6, 18.1, 17.33, 16.6), 500: (10.9, 9.1, 9.4, 9.4, 8.3)}


def _title(graph: str, noise: float) -> str:
    return f"{graph}, noise {noise:g}" if noise else graph


def _paper(errors: tuple[float, ...], noise: float = 0.0) -> dict[str, Known]:
    pairs = zip(GRAPHS, errors, strict=True)
    return {_title(graph, noise): Known(1 - error / 100) for graph, error in pairs}


# Table 5: errors with noise, at 500 labels.
ERRORS_5 = _paper((11.8, 9.9, 10.5, 9.8, 9.8), 0.4) | _paper((17.6, 13.9, 15.2, 14.6, 13.9), 1.0)

TABLE = Table(
    name="ssdl_graphs",
    title="graph penalties for sparse codes on USPS, classified by a linear SVM",
    source=f"{SOURCE}, Tables 4 and 5",
    methods=tuple(
        TableMethod(
            _title(graph, noise),
            "sslviz.experiments.estimators.codes_svm:CodesSVM",
            params | {"noise": noise},
        )
        for noise in (0.0, 0.4, 1.0)
        for graph, params in GRAPHS.items()
    ),
    draws=3,
    rows=tuple(
        Row(
            f"USPS, {labels} labels",
            "usps",
            per_class=labels // 10,
            unlabelled_per_class=20,
            test=50,
            prepare=("length 10",),
            paper_test=_paper(errors) | (ERRORS_5 if labels == 500 else {}),
        )
        for labels, errors in ERRORS.items()
    ),
)
