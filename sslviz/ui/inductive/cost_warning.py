"""What would take long, said before it is computed: some costs grow with a cube."""

import streamlit as st

PATIENT = 5.0  # seconds that are waited for unasked
STILL, MOVING = 3, 25  # steps of a mixture whose clouds keep what they have, and of another
SPECTRA = {"SSDR": 1, "LapRLS": 2, "LapSVM": 2, "SDSC": 0, "S3VM": 0}  # whole ones, of all pairs


def expected(method: str, n: int, features: int, classes: int) -> float:
    """Roughly the seconds that n points take on one core; the factors are measured."""
    if method == "SemiSupervisedGMM":  # every class: products of all points, and a factorisation
        steps = STILL if n < features * classes else MOVING
        return 6e-11 * steps * classes * features**2 * (features + 2 * n)
    return 1.4e-7 * n**2 + 2e-10 * SPECTRA[method] * n**3 if method in SPECTRA else 0.0


def confirm_if_slow(Method: type, n: int, features: int, classes: int, most: int) -> bool:
    """Whether one would wait long without having asked to; it is said, with what to do instead.

    All pairs of more than `most` points are refused at once.
    """
    seconds = expected(Method.__name__, n, features, classes)
    if seconds <= PATIENT or (n > most and Method.__name__ in SPECTRA):
        return False
    if Method.__name__ == "SemiSupervisedGMM":
        why = f"{classes} clouds in {features:,} dimensions are as many large matrices at each step"
        instead = "take data of fewer features, or fewer points"
    else:
        why = f"all pairs of {n:,} points are compared"
        instead = "take fewer points under *Shape of the data*"
    st.warning(
        f"This takes about **{_rounded(seconds)}**: {why}. Rather {instead}.",
        icon=":material/hourglass_top:",
    )
    return not st.toggle("Compute it all the same", key="fields.patient")


def _rounded(seconds: float) -> str:
    """To five seconds, or to minutes."""
    if seconds < 60:
        return f"{max(5 * round(seconds / 5), 5)} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minute{'s' if minutes > 1 else ''}"
