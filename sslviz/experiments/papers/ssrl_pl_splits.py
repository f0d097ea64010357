"""SSRL-PL on three data sets of the SSL book with their twelve official splits: Table II.

The paper prints error rates; here they are accuracies. With two classes the embedding has one
dimension: the difference of the soft class means, in the feature space of the kernel. Settings are
those of ssrl_pl. The reference chose its parameters by leave-one-out on the labelled points, for
Semi-KSC in hindsight. The file of g241d is called g241n.

The rivals have their parameters by 5-fold cross-validation on the labelled points. LapSVM and
LapSVMp, which is trained in the primal, minimise the same function and agree here; Melacci and
Belkin stop LapSVMp early, and in the paper the two differ. Semi-KSC finds the two clusters of which
g241c is made; the paper's numbers fit a narrower kernel (σ = 0.25 median: 0.57 and 0.71). No
variant tried reaches the paper's 0.81 of SSRL-PL and 0.78 of Semi-KSC on BCI with 100 labels.
"""

from sslviz.experiments.table import NEAREST_LABEL, Known, Row, Table, TableMethod

SETTINGS = {"n_components": 1, "kernel": "rbf", "sigma": "0.5 median"}
SSRL_PL, LAP_SVM, LAP_SVM_P, SEMI_KSC = "SSRL-PL", "LapSVM", "LapSVMp", "Semi-KSC"
TUNED = "sslviz.experiments.estimators.tuned:Tuned"
SVM_GRID = {
    "sigma": ("0.5 median", "median"),
    "lam1": (1e-4, 1e-2, 1.0),
    "lam2": (0.0, 1.0, 100.0, 1e4),
}
KSC_GRID = {"sigma": ("0.25 median", "0.5 median", "median"), "pull": (0.5, 0.9, 0.99, 0.999)}


def _rival(title: str, estimator: str, grid: dict, **params: object) -> TableMethod:
    return TableMethod(title, TUNED, {"estimator": estimator, "grid": grid, "params": params})


METHODS = (
    _rival(LAP_SVM, "sslviz:LapSVM", SVM_GRID),
    _rival(LAP_SVM_P, "sslviz:LapSVM", SVM_GRID, solver="primal"),
    _rival(SEMI_KSC, "sslviz:SemiKSC", KSC_GRID),
    TableMethod(
        SSRL_PL, "sslviz:SSRLPL", SETTINGS | {"n_neighbors": 5, "sigma_labels": "0.2 median"}
    ),
    TableMethod("labelled only", "sslviz:SSRLPL", SETTINGS | {"labels": "labelled"}),
    TableMethod("1-NN", NEAREST_LABEL),
    TableMethod("LDA", "sslviz:LabelledLDA", {"ridge": 0.1}),
)
PRINTED = (LAP_SVM, LAP_SVM_P, SEMI_KSC, SSRL_PL)


def _row(
    title: str,
    dataset: str,
    split: str,
    errors: tuple[float, ...],
    deviations: tuple[float, ...],
    reference: dict[str, float],
) -> Row:
    """The paper's errors of the four methods; the reference's accuracies."""
    known = zip(PRINTED, errors, deviations, strict=True)
    return Row(
        f"{title} ({split})",
        dataset,
        split=split,
        paper={name: Known(round(1 - error, 2), std) for name, error, std in known},
        reference={name: Known(value) for name, value in reference.items()},
    )


TABLE = Table(
    name="ssrl_pl_splits",
    title="probabilistic labelling with 1-NN, and rivals, accuracy on the unlabelled points",
    source="Banijamali, Ghodsi. Semi-Supervised Representation Learning based on Probabilistic "
    "Labeling, Table II",
    methods=METHODS,
    draws=12,
    rows=(
        _row("g241c", "g241c", "10", (0.48, 0.49, 0.42, 0.43), (0.02, 0.01, 0.03, 0.02),
             {SSRL_PL: 0.582, SEMI_KSC: 0.872}),
        _row("g241c", "g241c", "100", (0.40, 0.36, 0.29, 0.27), (0.06, 0.07, 0.05, 0.05),
             {SSRL_PL: 0.807, SEMI_KSC: 0.870}),
        _row("g241d", "g241n", "10", (0.42, 0.43, 0.43, 0.38), (0.03, 0.03, 0.04, 0.03),
             {SSRL_PL: 0.517}),
        _row("g241d", "g241n", "100", (0.31, 0.31, 0.28, 0.25), (0.03, 0.02, 0.05, 0.03),
             {SSRL_PL: 0.729}),
        _row("BCI", "bci", "10", (0.48, 0.48, 0.46, 0.42), (0.03, 0.02, 0.03, 0.03),
             {SSRL_PL: 0.496, SEMI_KSC: 0.519}),
        _row("BCI", "bci", "100", (0.37, 0.32, 0.22, 0.19), (0.04, 0.02, 0.02, 0.02),
             {SSRL_PL: 0.532, SEMI_KSC: 0.592}),
    ),
)  # fmt: skip
