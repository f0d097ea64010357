"""Facts that every method states about itself."""

from typing import Any, ClassVar


class Method:
    """Facts that every estimator class states, with the usual values."""

    title: ClassVar[str]
    family: ClassVar[str]  # its folder
    paper: ClassVar[str]
    # Its formula in LaTeX, in parts that may stand on lines of their own. `\textcolor{…}` names
    # "labelled", "unlabelled" or "hub", or the number of a term in the chart of the objective.
    formula: ClassVar[tuple[str, ...]] = ()
    abbreviation: ClassVar[str] = ""  # the letters it is known by, where its title is long
    page: ClassVar[str] = ""  # the page that shows it, where that is not its family's
    unlabelled_off: ClassVar[dict[str, Any]] = {}  # parameters that switch its unlabelled term off
    # Parameters that have an effect only while another one has one of these values.
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {}

    @property
    def formula_in_force(self) -> tuple[str, ...]:
        """The formula, where a parameter changes it as it is with the present value."""
        return self.formula

    def has_effect(self, name: str) -> bool:
        """Whether a parameter has an effect at the present values of the others."""
        other, values = self.only_with.get(name, ("", ()))
        return not other or getattr(self, other) in values

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
