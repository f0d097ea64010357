r"""CatGAN: a classifier without labels, against a generator of fakes that it must not be sure of.

    D: max H(p̄_real) − mean H(p_real) + mean H(p_fake),   H(p) = −Σ_c p_c log p_c,   p̄ = mean p
    G: max H(p̄_fake) − mean H(p_fake)

The categorical generative adversarial network plays a game. The classifier D wants to be sure of
every real point, to use all clusters equally, and to be undecided about fakes; at best its value is
2 log C. The generator G makes fakes out of random numbers and wants D to be sure of them. So D has
to draw its borders where no data are: that is where fakes would be noticed. With some labels, their
cross-entropy is added to the loss of D, and cluster c is the class `classes_[c]`.

**What to look for:** clusters of equal size, as in IMSAT: p̄ is pushed to be uniform, and four
clusters of 50, 20, 20 and 10% are cut (.65 to .80). The borders depend on the seed: two moons .51
to .99 over six. On digits .71 to .83 (k-means .79); with four labels per class .93 to .96. The
thesis calls it free of tuning; length of training, noise on inputs and normalisation all matter.

Springenberg. Unsupervised and semi-supervised learning with categorical generative adversarial
networks. ICLR 2016.
"""

import warnings
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_consistent_length

from sslviz.clustering.base import ThesisRow
from sslviz.clustering.deep_base import DeepClusterer, layer_sizes
from sslviz.clustering.stages.categorical_game import GameObjective
from sslviz.labels import UNLABELLED
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.training.loop import TrainingRun, train
from sslviz.training.parameters import Layers

QUICK_PLAYER, WIDE_PLAYER = (64, 64), (500, 500)


@stage("training")
def train_cat_gan(*, epochs: int, **arguments: Any) -> tuple[np.ndarray, ...]:
    """The state after all epochs; the arguments are those of a `GameObjective`."""
    return train(GameObjective(**arguments), arguments["X"], epochs)


@dataclass(repr=False, eq=False)
class CatGAN(DeepClusterer):
    """Categorical generative adversarial network: clusters, or classes where labels are given.

    Adam with rate .001 and momenta .5 and .9, batches of 100, an epoch is 100 iterations. Hidden
    layers of both players are batch-normalised; predictions use the statistics of real points. X is
    centred and divided by one number. `fit(X, y)` uses the labels of y, -1 for none; without y or
    with no label it clusters.

    Attributes: `labels_` (n,), `losses_` (epochs, 4) H(p̄) and mean H of real points, mean H and
    H(p̄) of fakes, and with labels their cross-entropy; with labels also `classes_`.
    """

    title, abbreviation = "Categorical generative adversarial network", "CatGAN"
    paper = "Springenberg, ICLR 2016"
    formula = (
        r"D:\max\;\textcolor{1}{H(\bar p_{\text{real}})}-"
        r"\textcolor{2}{\operatorname{mean}H(p_{\text{real}})}+"
        r"\textcolor{3}{\operatorname{mean}H(p_{\text{fake}})}",
        r"G:\max\;\textcolor{4}{H(\bar p_{\text{fake}})}-"
        r"\textcolor{3}{\operatorname{mean}H(p_{\text{fake}})}",
        r"H(p)=-\sum_{c=1}^Cp_c\log p_c",
    )
    printed = ThesisRow("any", "no", "yes", "low", "medium", "medium")
    condition = "clusters are equally large"
    takes_labels = True
    _objective, _train = GameObjective, staticmethod(train_cat_gan)

    n_noise: Annotated[
        int,
        Number(
            "Random numbers out of which the generator makes a fake.",
            valid=(1, 10**4),
            shown=(2, 64),
            label="dimension of the noise",
        ),
    ] = 16
    input_noise: Annotated[
        float,
        Number(
            "Noise on the inputs of the classifier, in standard deviations of the data. Without "
            "it the classifier can tell fakes from real points by details.",
            valid=(0, inf),
            shown=(0, 0.5),
            label="noise on inputs",
        ),
    ] = 0.05
    epochs: Annotated[
        int,
        Number(
            "Length of the training, in hundreds of iterations.",
            valid=(1, 10**6),
            shown=(2, 60),
        ),
    ] = 15
    hidden: Annotated[
        tuple[int, ...] | str,
        Layers(
            "Sizes of the classifier's hidden layers; the generator has them in reverse.",
            ("auto", QUICK_PLAYER, WIDE_PLAYER),
            ("the small and quick ones", "small and quick", "wide"),
            label="hidden layers",
            advanced=True,
        ),
    ] = "auto"

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        return 8.0 + 0.01 * n_features

    def _arguments(self, X: np.ndarray, y: Any = None) -> dict[str, Any]:
        self._classes, labels = self._given_classes(X, y)
        n_clusters = max(self.n_clusters, len(self._classes))
        sizes = layer_sizes(X.shape[1], self.hidden, 0, quick=QUICK_PLAYER, paper=QUICK_PLAYER)
        own = {n: getattr(self, n) for n in ("n_noise", "input_noise", "device")}
        return {
            "X": X,
            "labels": labels,
            "n_clusters": n_clusters,
            "hidden": sizes[1:-1],
            "seed": self._draw_seed(),
            **own,
        }

    def _given_classes(self, X: np.ndarray, y: Any) -> tuple[np.ndarray, np.ndarray]:
        """The classes of y, none if there is no label, and (n,) their numbers, -1 unlabelled."""
        labels, none = np.full(len(X), UNLABELLED), np.zeros(0, np.int64)
        if y is None:
            return none, labels
        y = column_or_1d(y)
        check_consistent_length(X, y)
        if y.dtype.kind == "f" and (y != np.rint(y)).any():
            warnings.warn(
                f"{type(self).__name__}: y holds real numbers, not labels, and is ignored",
                UserWarning,
                stacklevel=4,
            )
            return none, labels
        given = np.ones(len(y), bool) if y.dtype.kind in "OUS" else y != UNLABELLED
        classes, numbers = np.unique(y[given], return_inverse=True)
        if len(classes) > self.n_clusters:
            warnings.warn(
                f"{type(self).__name__}: y has {len(classes)} classes, more than "
                f"n_clusters={self.n_clusters}; {len(classes)} clusters are used",
                UserWarning,
                stacklevel=4,
            )
        labels[given] = numbers
        return classes, labels

    def _objective_arguments(self, X: Any, y: Any) -> dict[str, Any]:
        return self._arguments(self._check(X), y)

    def training(self, X: Any, y: Any = None) -> TrainingRun:
        """A training at iteration 0, ready to be advanced."""
        return self._new_run(X, y)

    def settle(self, run: TrainingRun) -> Self:
        """Fit the estimator with what the run has learnt so far."""
        super().settle(run)
        self.__dict__.pop("classes_", None)
        if len(self._classes):
            self.classes_ = self._classes
        return self
