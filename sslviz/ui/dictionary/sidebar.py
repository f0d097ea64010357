"""The sidebar of the page "Dictionaries": method, parameters, scale of the points, comparison."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

import sslviz
from sslviz.abilities import Steps
from sslviz.data import Dataset
from sslviz.params import params_of
from sslviz.ui.controls import choose_method, choose_parameter, choose_parameters
from sslviz.ui.look import choose_mistakes
from sslviz.ui.state import page_state

FIRST_DATA = "digits"  # images of strokes show best what atoms are
POINTS_SHOWN = 600  # unless more are asked for: a round then takes a tenth of a second
LENGTH, SPREAD = ("length 5",), ("standardise",)
SCALES = {
    "scaled to length 5": LENGTH,
    "standardised": SPREAD,
    "standardised, then length 5": SPREAD + LENGTH,
    "as they are": (),
}
USUAL_SCALE = {
    "images": "scaled to length 5",
    "table": "standardised, then length 5",
    "places": "standardised",
}
USUAL_ATOMS = {"images": 80, "table": 12, "places": 12}


@dataclass(frozen=True)
class DictionaryChoice:
    """What the sidebar says."""

    Method: Any
    settings: dict[str, Any]
    Other: Any  # the method beside it, or None
    steps: tuple[str, ...]  # of data.preprocess.prepared
    noise: float
    warm: bool
    mistakes: bool

    @property
    def methods(self) -> list[Any]:
        return [self.Method, *([self.Other] if self.Other else [])]

    @property
    def other_settings(self) -> dict[str, Any]:
        """Those parameters of the other method that this one has too, with the same values."""
        shared = {p.name for p in params_of(self.Other)}
        return {k: v for k, v in self.settings.items() if k in shared}


def kind_of(dataset: Dataset) -> str:
    """What the points are: images, a table of numbers, or places of a plane or space."""
    if dataset.image_shape is not None:
        return "images"
    return "places" if dataset.n_features in (2, 3) else "table"


def choose_learning(dataset: Dataset) -> DictionaryChoice:
    """Draw the controls of the page."""
    methods = {
        m.title: m for m in sslviz.METHODS if m.family == "dictionary" and issubclass(m, Steps)
    }
    kind = kind_of(dataset)
    Method = choose_method("Method", methods, "dictionary.method", help="What learns the atoms.")
    settings = choose_settings(Method, kind)
    settings["n_atoms"] = min(settings["n_atoms"], dataset.n_samples)
    with st.expander("Scale and noise"):
        steps, noise = choose_preprocessing(kind)
    st.divider()
    warm = st.toggle(
        "Continue from the atoms so far",
        key="dictionary.go_on",
        help="Off: every change of a parameter starts again, with points as atoms, so that two "
        "settings can be compared. On: learning continues from the present atoms and codes (warm "
        "start). Other data, labels or numbers of atoms always start again.",
    )
    others = {title: m for title, m in methods.items() if m is not Method}
    return DictionaryChoice(
        Method, settings, choose_other(others), steps, noise, warm, choose_mistakes()
    )


def choose_settings(Method: Any, kind: str) -> dict[str, Any]:
    """The parameters of a method; those without effect at the present choice are not asked for."""
    declared = {p.name: p for p in params_of(Method) if p.name != "warm_start"}
    prefix, conditions = Method.__name__, getattr(Method, "only_with", {})
    atoms = declared.pop("n_atoms")._replace(default=USUAL_ATOMS[kind])
    values = {"n_atoms": choose_parameter(atoms, f"{prefix}.n_atoms.{kind}")}
    deciding = {name for name, _ in conditions.values()}
    for name in (n for n, p in declared.items() if not (n in conditions or p.spec.advanced)):
        values[name] = choose_parameter(declared[name], f"{prefix}.{name}")
        if name in deciding:
            break
    with_effect = (
        name
        for name in declared
        if name not in conditions or values[conditions[name][0]] in conditions[name][1]
    )
    rest = tuple(name for name in with_effect if name not in values)
    return values | choose_parameters(Method, only=rest)


def choose_other(others: dict[str, Any]) -> Any:
    """A second method beside the first, or None."""
    first = next(iter(others))
    beside = st.toggle(
        f"{first} beside it" if len(others) == 1 else "Another method beside it",
        key="dictionary.versus",
        bind="query-params",
        help="A second dictionary with the same settings, as far as it has them: its atoms, codes "
        "and accuracy.",
    )
    if not beside:
        return None
    return (
        others[first]
        if len(others) == 1
        else choose_method("Compare with", others, "dictionary.other")
    )


def choose_preprocessing(kind: str) -> tuple[tuple[str, ...], float]:
    """Scale and noise: the steps of `prepared`, and the amount of noise."""
    first = USUAL_SCALE[kind]
    steps = choose_method(
        "Points are",
        {first: SCALES[first]} | SCALES,
        f"dictionary.scale.{kind}",
        help="The sparsity weight λ is relative to the scale of the points. The paper scales every "
        "image to length 5; features in different units should be standardised first. All "
        "methods on this page, the baselines too, get the points in this scale.",
    )
    noise = st.slider(
        "Noise (σ)",
        0.0,
        1.0,
        0.0,
        step=0.2,
        key="dictionary.noise",
        bind="query-params",
        help="Gaussian noise on every feature, of deviation σ · mean(X²) as in Table 5 of the "
        "paper. The baselines get it too.",
    )
    return steps, noise


def show_limits(dataset: Dataset, n_atoms: int) -> None:
    """Say where a dictionary does not suit the data, with a way out."""
    kind = kind_of(dataset)
    if kind == "places":
        text = (
            "Dictionaries do not suit points of a plane or space: a code describes a direction, "
            "hardly a position. Images show better what atoms are."
        )
    elif kind == "table" and n_atoms > dataset.n_features:
        text = (
            f"{n_atoms} atoms for {dataset.n_features} features: a point has many codes that fit "
            "equally well, and the classifier sees only the code. Try fewer atoms."
        )
    else:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(text, icon=":material/straighten:")
        values = {"data": FIRST_DATA}
        change = page_state.set_widgets
        st.button("Open the digits", key="open.digits", on_click=change, args=(values,))
