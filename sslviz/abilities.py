"""Abilities: what a method states about itself, and what it may offer beyond fit and predict.

Pages, tables and recordings ask these protocols (`isinstance(model, Steps)`, and
`issubclass(Method, Steps)` before there is a model), never a class by name. A method with a new
ability gets its views everywhere.
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np


class Method:
    """Facts that every estimator class states, with the usual values."""

    title: ClassVar[str]
    family: ClassVar[str]  # its folder
    paper: ClassVar[str]
    abbreviation: ClassVar[str] = ""  # the letters it is known by, where its title is long
    page: ClassVar[str] = ""  # the page that shows it, where that is not its family's
    unlabelled_off: ClassVar[dict[str, Any]] = {}  # parameters that switch its unlabelled term off
    # Parameters that have an effect only while another one has one of these values.
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {}

    @property
    def undetermined_because(self) -> str:
        """Why a point that is connected to a label may have no answer: the end of a sentence.

        A class states a plain string in its place where the answer is the same for all parameters.
        """
        return ""

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly how long a fit takes on one core; 0 where it is never long."""
        return 0.0

    @classmethod
    def short_title(cls) -> str:
        """What charts have room for."""
        return cls.abbreviation or cls.title

    @classmethod
    def option(cls) -> str:
        """How the control of its page shows it, and links name it; "" if it is not chosen there."""
        return cls.title

    @classmethod
    def page_name(cls) -> str:
        """The page that shows the method: a file of pages/."""
        return cls.page or cls.family


@runtime_checkable
class Steps(Protocol):
    """An iterative method: a generator of records, one per iteration, that leaves it fitted."""

    def steps(self, X: Any, y: Any) -> Iterator[Any]: ...


@runtime_checkable
class Links(Protocol):
    """The points that a point's answer depends on, with weights."""

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class Explains(Protocol):
    """The votes behind the answer of a point, with paths to the voters."""

    def explain(self, point: int) -> Any: ...


@runtime_checkable
class Absorbs(Protocol):
    """The labelled points, and the probability that a walk from each point ends at each."""

    def absorbers(self) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class DecisionFunction(Protocol):
    """Scores at any place."""

    def decision_function(self, X: Any) -> np.ndarray: ...


@runtime_checkable
class Predicts(Protocol):
    """Answers for new points."""

    def predict(self, X: Any) -> np.ndarray: ...


@runtime_checkable
class Transduces(Protocol):
    """Predicted classes of the training points, -1 where undetermined; ask fitted models only."""

    transduction_: np.ndarray


@runtime_checkable
class Observes(Protocol):
    """An online method: predicts a point when it arrives, then learns from it."""

    def observe(self, x: Any) -> Any: ...


@runtime_checkable
class Transforms(Protocol):
    """Coordinates or codes of new points."""

    def transform(self, X: Any) -> np.ndarray: ...


@runtime_checkable
class HasMargin(Protocol):
    """A margin between the lines f = ±1, with the points that determine it."""

    def support_vectors(self) -> np.ndarray: ...


@runtime_checkable
class Continuation(Protocol):
    """A solution that can be continued from a record of `steps` to other parameters."""

    def follow(self, X: Any, y: Any, turn: Any, *, exactly: bool = True) -> Any: ...

    def settle(self, X: Any, y: Any, turn: Any) -> Any: ...


@runtime_checkable
class GaussianComponents(Protocol):
    """Gaussian components: their means (C, d) and covariances (C, d, d)."""

    def components(self) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class SpectralFilter(Protocol):
    """A kernel method that filters the spectrum of its kernel."""

    def filter_curve(self) -> Any: ...

    def bump(self, point: Any, Q: Any) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class Eigenfunctions(Protocol):
    """Kernel principal components at any place, and the scores split into two terms."""

    def eigenfunctions_at(self, places: Any) -> np.ndarray: ...

    def parts(self, X: Any) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class Witness(Protocol):
    """A function of place for every class: how strongly the place is associated with it."""

    def witness(self, X: Any) -> np.ndarray: ...


@runtime_checkable
class SoftLabels(Protocol):
    """Label distributions (n, C) of the training points; ask fitted models only."""

    classes_: np.ndarray
    label_distributions_: np.ndarray


@runtime_checkable
class Eigenvalues(Protocol):
    """Eigenvalues, largest first; ask fitted models only."""

    eigenvalues_: np.ndarray


@runtime_checkable
class Trains(Protocol):
    """Training that can be advanced by any number of iterations, left and resumed.

    `training(X)` gives a TrainingRun at iteration 0; `settle(run)` fits the method with what the
    run has learnt so far.
    """

    def training(self, X: Any) -> Any: ...

    def settle(self, run: Any) -> Any: ...


@runtime_checkable
class Pretrains(Trains, Protocol):
    """A training in two parts: `training(X, pretrained)` continues after `pretraining(X)`."""

    def pretraining(self, X: Any) -> Any: ...

    def training(self, X: Any, pretrained: Any = None) -> Any: ...


@runtime_checkable
class HubBased(Protocol):
    """A clustering of hubs that comes before that of all points."""

    def hub_clustering(self, X: Any) -> Any: ...


@runtime_checkable
class Perturbs(Protocol):
    """Virtual adversarial training: how far each point is moved in training, (n,) lengths."""

    def perturbation_radii(self, X: Any) -> np.ndarray: ...


@runtime_checkable
class Encodes(Protocol):
    """Fitted with codes of the points and cluster centres among the codes."""

    codes_: np.ndarray
    centres_: np.ndarray


@runtime_checkable
class Embeds(Protocol):
    """Fitted with coordinates of the points."""

    embedding_: np.ndarray


@runtime_checkable
class TrainingValues(Protocol):
    """Scores (n, C) of the training points that are not those of new points at the same places."""

    values_: np.ndarray


@runtime_checkable
class GaussianKernel(Protocol):
    """A kernel exp(−d²/(e σ²)), e = `kernel_exponent`, σ = `sigma_`; ask fitted models only."""

    kernel_exponent: float
    sigma_: float
