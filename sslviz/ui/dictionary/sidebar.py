"""The sidebar of the page "Dictionaries": method, parameters, scale of the points, comparison."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

import sslviz
from sslviz.abilities import LearnsInRounds, WarmStarts
from sslviz.data import Dataset
from sslviz.params import params_of
from sslviz.ui.controls import choose_method, choose_parameter, choose_parameters
from sslviz.ui.look import choose_mistakes
from sslviz.ui.state import page_state

FIRST_DATA = "digits"  # images of strokes show best what atoms are
FIRST_METHOD, FIRST_BESIDE = "SSDL-GA", "USSDL"
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
    other_settings: dict[str, Any]
    steps: tuple[str, ...]  # of data.preprocess.prepared
    noise: float
    warm: bool
    mistakes: bool

    @property
    def methods(self) -> list[Any]:
        return [self.Method, *([self.Other] if self.Other else [])]


def kind_of(dataset: Dataset) -> str:
    """What the points are: images, a table of numbers, or places of a plane or space."""
    if dataset.image_shape is not None:
        return "images"
    return "places" if dataset.n_features in (2, 3) else "table"


def dictionary_methods() -> dict[str, Any]:
    """The methods of the page by title: those that learn from labelled points alone come first."""
    family = [m for m in sslviz.METHODS if m.family == "dictionary"]
    ordered = sorted(family, key=lambda m: not m.labelled_only)
    return {m.title: m for m in ordered if issubclass(m, LearnsInRounds)}


def choose_learning(dataset: Dataset) -> DictionaryChoice:
    """Draw the controls of the page."""
    methods, kind = dictionary_methods(), kind_of(dataset)
    Method = choose_method(
        "Method", methods, "dictionary.method", default=FIRST_METHOD, help=method_help(methods)
    )
    st.caption(f"Learns from {'labelled points only' if Method.labelled_only else 'all points'}.")
    settings = choose_settings(Method, kind)
    if "n_atoms" in settings:
        settings["n_atoms"] = min(settings["n_atoms"], dataset.n_samples)
    with st.expander("Scale and noise"):
        steps, noise = choose_preprocessing(kind)
    st.divider()
    warm = isinstance(Method(), WarmStarts) and st.toggle(
        "Continue from the atoms so far",
        key="dictionary.go_on",
        help="Off: every change of a parameter starts again, with points as atoms, so that two "
        "settings can be compared. On: learning continues from the present atoms and codes (warm "
        "start). Other data, labels or numbers of atoms always start again.",
    )
    Other = choose_other({title: m for title, m in methods.items() if m is not Method})
    usual = min(USUAL_ATOMS[kind], dataset.n_samples)
    beside = Other and shared_settings(Method, settings, Other, usual)
    return DictionaryChoice(
        Method, settings, Other, beside or {}, steps, noise, warm, choose_mistakes()
    )


def method_help(methods: Mapping[str, Any]) -> str:
    """The titles of the methods in two groups."""
    groups = {only: ", ".join(t for t, m in methods.items() if m.labelled_only is only)
              for only in (True, False)}  # fmt: skip
    return (
        f"What learns the atoms. **From labelled points only**: {groups[True] or 'none'}. "
        f"**From labelled and unlabelled points**: {groups[False]}. SRC is the simplest: its atoms "
        "are the labelled points."
    )


def choose_settings(Method: Any, kind: str) -> dict[str, Any]:
    """The parameters of a method; those without effect at the present choice are not asked for."""
    declared = {p.name: p for p in params_of(Method) if p.name != "warm_start"}
    prefix, conditions = Method.__name__, Method.only_with
    values: dict[str, Any] = {}
    if (atoms := declared.pop("n_atoms", None)) is not None:
        usual = max(USUAL_ATOMS[kind], atoms.grid()[0])
        widget = atoms._replace(default=usual)
        values["n_atoms"] = choose_parameter(widget, f"{prefix}.n_atoms.{kind}")
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


def shared_settings(
    Method: Any, settings: dict[str, Any], Other: Any, n_atoms: int
) -> dict[str, Any]:
    """The values of the parameters that both methods have: same name, letter and default.

    `n_atoms` is the number of atoms where the first method has no such parameter.
    """
    ours, theirs = (
        {(p.name, p.default, p.spec.symbol) for p in params_of(m)} for m in (Method, Other)
    )
    shared = {name: settings[name] for name, *_ in ours & theirs if name in settings}
    if any(name == "n_atoms" for name, *_ in theirs):
        shared["n_atoms"] = settings.get("n_atoms", n_atoms)
    return shared


def choose_other(others: dict[str, Any]) -> Any:
    """A second method beside the first, or None."""
    beside = st.toggle(
        "Another method beside it",
        key="dictionary.versus",
        bind="query-params",
        help="A second dictionary on the same data, labels and seed: its atoms, codes and "
        "accuracy. Parameters that both methods have get the same values, the others their "
        "defaults.",
    )
    if not beside:
        return None
    first = FIRST_METHOD if FIRST_METHOD in others else FIRST_BESIDE
    return choose_method("Compare with", others, "dictionary.other", default=first)


def choose_preprocessing(kind: str) -> tuple[tuple[str, ...], float]:
    """Scale and noise: the steps of `prepared`, and the amount of noise."""
    first = USUAL_SCALE[kind]
    steps = choose_method(
        "Points are",
        {first: SCALES[first]} | SCALES,
        f"dictionary.scale.{kind}",
        help="A sparsity weight λ is relative to the scale of the points. The paper of SSDL-GA "
        "scales every image to length 5; features in different units should be standardised "
        "first. Methods that fix the number T of atoms per point then scale every point to length "
        "1 themselves. All methods on this page, the baselines too, get the points in this scale.",
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


def offer_atoms(Method: Any, dataset: Dataset, count: int) -> None:
    """A button that asks for so many atoms, where the control has this number."""
    atoms = next((p for p in params_of(Method) if p.name == "n_atoms"), None)
    if atoms is None or count not in atoms.grid():
        return
    values = {f"{Method.__name__}.n_atoms.{kind_of(dataset)}": count}
    change = page_state.set_widgets
    st.button(f"Learn {count} atoms", key="fewer.atoms", on_click=change, args=(values,))


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
