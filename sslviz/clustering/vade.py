r"""VaDE: a variational autoencoder whose codes follow a mixture of Gaussians.

    p(x) = Σ_c π_c ∫ N(z; μ_c, σ_c²) p(x|z) dz,   q(z|x) = N(m(x), s²(x)),   ŷ = argmax_c γ_c
    −ELBO = −log p(x|z) + Σ_c γ_c KL[q(z|x) ‖ N(μ_c, σ_c²)] + Σ_c γ_c log(γ_c/π_c),   γ_c = p(c|z)

Variational deep embedding describes how points arise: choose a cluster c, draw a code z from its
Gaussian component, decode z. An autoencoder is trained first and a Gaussian mixture fitted to its
codes; then encoder, decoder and components are trained together to raise a lower bound of the
likelihood (the ELBO). Since it is a model of the data, every code can be decoded: a centre is what
a cluster looks like, and the line between two centres passes through points that might exist.

**What to look for:** the start decides. The second part makes codes and components fit each other
better, but a cluster that the first mixture has cut mostly stays cut. Accuracy before and after:
digits .69 → .72, .76 → .73 (k-means .79); two moons .86 → .86, .79 → .83; four clusters, five
seeds: .97 → .98, .96 → .98, .64 → .74, .97 → .98, .98 → .98; three rings .38 → .34, .45 → .39. On
the third of those sets the mixture that cuts the disc is likelier than the true one, since codes of
the plane are a bent copy of it; the same mixture of X itself finds the clusters. X is scaled by the
method: values that are never negative, as pixels, are divided by the largest; others are
standardised.

Jiang, Zheng, Tan, Tang, Zhou. Variational deep embedding: an unsupervised and generative approach
to clustering. IJCAI 2017.
"""

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, ClassVar, Self

import numpy as np
import sklearn.mixture
import torch
from sklearn.utils.validation import check_is_fitted, check_memory
from threadpoolctl import threadpool_limits

from sslviz.clustering.base import ThesisRow
from sslviz.clustering.deep_base import IMAGE_FEATURES, DeepClusterer, layer_sizes
from sslviz.clustering.stages.mixture_elbo import (
    AutoencoderObjective,
    BoundObjective,
    CodeMixture,
)
from sslviz.device import to_numpy
from sslviz.memo import stage
from sslviz.params import Choice, Number
from sslviz.training.loop import TrainingRun, train
from sslviz.training.parameters import Layers
from sslviz.training.prediction import map_in_blocks

QUICK_CODER, PAPER_CODER = (256, 256), (500, 500, 2000)
# Starts of the mixture, from single points: with 10 from k-means, which cuts a large cluster, the
# likeliest of four clusters is missed for two of five autoencoders. Beyond so many points the
# starts are compared on a sample.
MIXTURE_STARTS, POINTS_COMPARED = 40, 5000


@stage("autoencoder")
def pretrain_codes(*, epochs: int, **arguments: Any) -> tuple[np.ndarray, ...]:
    """Codes (n, d) and the arrays of the networks after so many epochs of the first part."""
    objective = AutoencoderObjective(**arguments)
    train(objective, arguments["X"], epochs)
    return objective.learnt()


@stage("mixture")
def initial_components(
    Z: np.ndarray, *, n_clusters: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """log π (C,), μ and log σ² (C, d): scikit-learn's mixture of the codes, largest π first."""
    Z, rng = Z.astype(np.float64), np.random.default_rng(seed)
    few = len(Z) <= POINTS_COMPARED
    compared = Z if few else Z[rng.choice(len(Z), POINTS_COMPARED, replace=False)]
    mixture = sklearn.mixture.GaussianMixture(
        n_clusters,
        covariance_type="diag",
        n_init=MIXTURE_STARTS,
        init_params="random_from_data",
        random_state=seed,
    )
    with threadpool_limits(1, user_api="openmp"):  # sums in the same order on every machine
        mixture.fit(compared)
        if not few:
            mixture = sklearn.mixture.GaussianMixture(
                n_clusters,
                covariance_type="diag",
                weights_init=mixture.weights_,
                means_init=mixture.means_,
                precisions_init=mixture.precisions_,
            ).fit(Z)
    order = np.argsort(-mixture.weights_, kind="stable")
    found = np.log(mixture.weights_), mixture.means_, np.log(mixture.covariances_)
    return found[0][order], found[1][order], found[2][order]


@stage("training")
def train_vade(*, epochs: int, **arguments: Any) -> tuple[np.ndarray, ...]:
    """The state at the end of the second part; the arguments are those of a `BoundObjective`."""
    return train(BoundObjective(**arguments), arguments["X"], epochs)


@dataclass(repr=False, eq=False)
class VaDE(DeepClusterer):
    """Variational deep embedding: an autoencoder with a mixture of Gaussians among its codes.

    Adam with rate .002, times .9 after every ten epochs, batches of 100; an epoch is a pass through
    the points. `training` and `steps` are the second part; the first is done before, or watched as
    `pretraining` and handed to `training`.

    Attributes: `labels_` (n,), `losses_` (epochs, 3) reconstruction, codes, clusters, whose sum is
    −ELBO; `codes_` (n, d) of the points, `centres_` (C, d), `variances_` (C, d) and `weights_` (C,)
    of the components.
    """

    title, abbreviation = "Variational deep embedding", "VaDE"
    paper = "Jiang, Zheng, Tan, Tang & Zhou, IJCAI 2017"
    formula = (
        r"\textcolor{1}{-\log p(x\mid z)}+\textcolor{2}{"
        r"\sum_c\gamma_c\operatorname{KL}[\,q(z\mid x)\,\|\,\mathcal N(\mu_c,\sigma_c^2)\,]}"
        r"+\textcolor{3}{\sum_c\gamma_c\log(\gamma_c/\pi_c)}",
        r"\gamma_c=p(c\mid z),\;c=1,\dots,C",
        r"z\in\mathbb R^d",
    )
    printed = ThesisRow("any", "no", "yes", "medium", "medium", "medium")
    condition = "codes follow a Gaussian mixture"
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {
        "precision": ("likelihood", ("auto", "squares"))
    }
    _objective, _train = BoundObjective, staticmethod(train_vade)

    n_codes: Annotated[
        int,
        Number(
            "Length of the code of a point.",
            valid=(1, 10**4),
            shown=(2, 20),
            label="length of the code",
            symbol="d",
        ),
    ] = 10
    pretraining_epochs: Annotated[
        int,
        Number(
            "Passes through the points in which the autoencoder alone is trained.",
            valid=(1, 10**6),
            shown=(5, 100),
            label="epochs of pretraining",
        ),
    ] = 30
    epochs: Annotated[
        int,
        Number(
            "Passes through the points in which networks and components are trained together.",
            valid=(1, 10**6),
            shown=(10, 300),
        ),
    ] = 60
    likelihood: Annotated[
        str,
        Choice(
            "How the error of a reconstruction is measured.",
            ("auto", "bernoulli", "squares"),
            (
                "bernoulli for many features that are never negative, as pixels",
                "values between 0 and the largest, as probabilities of ink",
                "squared error of standardised features",
            ),
            label="reconstruction",
            advanced=True,
        ),
    ] = "auto"
    precision: Annotated[
        float,
        Number(
            "Weight of the squared error against the other two terms. Small: codes of different "
            "points coincide.",
            valid=(0, inf),
            shown=(0.1, 100),
            log=True,
            above=True,
            label="weight of the squared error",
            advanced=True,
        ),
    ] = 10.0
    hidden: Annotated[
        tuple[int, ...] | str,
        Layers(
            "Sizes of the encoder's hidden layers; the decoder has them in reverse.",
            ("auto", QUICK_CODER, PAPER_CODER),
            ("the small and quick ones", "small and quick", "as in the paper"),
            label="hidden layers",
            advanced=True,
        ),
    ] = "auto"

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        return 0.006 * n + 3e-5 * n * n_features

    def _shared_arguments(self, X: np.ndarray) -> dict[str, Any]:
        sizes = layer_sizes(
            X.shape[1], self.hidden, self.n_codes, quick=QUICK_CODER, paper=QUICK_CODER
        )
        likelihood = self.likelihood
        if likelihood == "auto":
            pixels = X.shape[1] >= IMAGE_FEATURES and X.min() >= 0
            likelihood = "bernoulli" if pixels else "squares"
        if likelihood == "bernoulli" and X.min() < 0:
            raise ValueError(
                f"{type(self).__name__}: likelihood='bernoulli' needs values that are not "
                f"negative, X has {X.min():.3g}"
            )
        return {
            "X": X,
            "sizes": sizes,
            "n_codes": self.n_codes,
            "likelihood": likelihood,
            "precision": float(self.precision),
            "seed": self._draw_seed(),
            "device": self.device,
        }

    def _arguments(self, X: np.ndarray, pretrained: TrainingRun | None = None) -> dict[str, Any]:
        shared, cached = self._shared_arguments(X), check_memory(self.memory).cache
        if pretrained is None:
            Z, *networks = cached(pretrain_codes)(epochs=self.pretraining_epochs, **shared)
        else:
            assert isinstance(pretrained.objective, AutoencoderObjective)
            Z, *networks = pretrained.objective.learnt()
        components = cached(initial_components)(Z, n_clusters=self.n_clusters, seed=shared["seed"])
        return shared | {"arrays": (*networks, *components)}

    def pretraining(self, X: Any) -> TrainingRun:
        """The first part, the autoencoder, ready to be advanced for `pretraining_epochs`."""
        arguments = self._shared_arguments(self._check(X))
        return TrainingRun(AutoencoderObjective(**arguments), arguments["X"])

    def training(self, X: Any, pretrained: TrainingRun | None = None) -> TrainingRun:
        """The second part, ready to be advanced, after the first as it stands if it is given."""
        X = self._check(X)
        return TrainingRun(BoundObjective(**self._arguments(X, pretrained)), X)

    def settle(self, run: TrainingRun) -> Self:
        """Fit the estimator with what the run has learnt so far."""
        super().settle(run)
        found = self._predictor
        assert isinstance(found, CodeMixture)
        self.codes_ = map_in_blocks(found.codes, run.X, found.device)
        self.centres_ = to_numpy(found.components.means)
        self.variances_ = to_numpy(found.components.log_variances.exp())
        self.weights_ = to_numpy(torch.softmax(found.components.log_weights, dim=0))
        return self

    def decode(self, codes: Any) -> np.ndarray:
        """(m, D) the points that codes (m, d) stand for, in the units of X."""
        check_is_fitted(self, "labels_")
        assert isinstance(self._predictor, CodeMixture)
        return map_in_blocks(self._predictor.decode, np.asarray(codes), self._predictor.device)
