"""Widgets for declared parameters; their values are kept in the URL."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from sslviz.params import Choice, Flag, Number, Param, params_of, split_rule
from sslviz.ui.state.page_state import widget_value
from sslviz.ui.state.streamlit_internals import start_widget_from


def choose_parameters(
    what: type | Callable, *, only: tuple[str, ...] | None = None, prefix: str = ""
) -> dict[str, Any]:
    """One widget for each declared parameter; returns keyword arguments for `what`.

    Advanced parameters are in a closed box "More".
    """
    chosen = [p for p in params_of(what) if only is None or p.name in only]
    prefix = prefix or what.__name__
    values = {
        p.name: choose_parameter(p, f"{prefix}.{p.name}") for p in chosen if not p.spec.advanced
    }
    advanced = [p for p in chosen if p.spec.advanced]
    rules = [p for p in chosen if isinstance(p.spec, Number) and p.spec.factors]
    if advanced or rules:
        first = (advanced + rules)[0].name
        # With a key it stays open when something appears above it.
        with st.expander("More", key=f"more.{prefix}.{first}"):
            values |= {p.name: choose_parameter(p, f"{prefix}.{p.name}") for p in advanced}
            for p in rules:
                values[p.name] = _choose_rule(p, f"{prefix}.{p.name}_rule", values[p.name])
    return {p.name: values[p.name] for p in chosen}


def choose_parameter(p: Param, key: str) -> Any:
    """The widget that suits a parameter's declaration."""
    shared: dict[str, Any] = {"key": key, "help": p.spec.help, "bind": "query-params"}
    if isinstance(p.spec, Flag):
        return st.toggle(p.title, p.default, **shared)
    if isinstance(p.spec, Choice):
        return _choose_choice(p, key)
    if p.spec.factors:
        start = split_rule(str(p.default))[0]
        grid = sorted({*p.spec.grid(count=25), 1.0, start})
        shared["format_func"] = "{:g}".format  # as it is written in the URL
        return st.select_slider(f"{p.title}, factor", grid, start, **shared)
    return _choose_number(p, shared)


def with_effect(Method: Any, prefix: str) -> tuple[str, ...]:
    """The parameters that have an effect at the present values of the others."""
    declared = {p.name: p for p in params_of(Method)}
    values = {name: chosen_value(p, f"{prefix}.{name}") for name, p in declared.items()}
    conditions = Method.only_with
    return tuple(
        name
        for name in declared
        if name not in conditions or values[conditions[name][0]] in conditions[name][1]
    )


def chosen_value(p: Param, key: str) -> Any:
    """The value of a parameter's widget, also before it is drawn; then a link may say a title."""
    value = widget_value(key, p.default)
    if isinstance(p.spec, Choice) and value in p.spec.titles:
        return p.spec.valid[p.spec.titles.index(value)]
    return value


def choose_option(
    title: str,
    options: tuple[Any, ...],
    key: str,
    *,
    help: str | None = None,
    titles: Mapping[Any, str] | None = None,
) -> Any:
    """Choose one of a few options, side by side; the first is the default. Kept in the URL.

    `titles` are shown, and written in the URL, instead of options; links may name either.
    """
    titles = titles or {}
    if (named := st.query_params.get(key)) in titles:
        start_widget_from(key, titles[named])
    picked = st.segmented_control(
        title,
        options,
        default=options[0],
        required=True,
        format_func=lambda option: titles.get(option, str(option)),
        key=key,
        bind="query-params",
        help=help,
        width="stretch",
    )
    return options[0] if picked is None else picked


def choose_method(
    title: str,
    methods: Mapping[str, Any],
    key: str,
    *,
    default: str | None = None,
    help: str | None = None,
) -> Any:
    """Choose a method by its title; without `default` the first is it. Kept in the URL."""
    titles = tuple(methods)
    first = titles.index(default) if default is not None else 0
    picked = st.selectbox(title, titles, first, key=key, bind="query-params", help=help)
    return methods[picked]


def _choose_choice(p: Param, key: str) -> Any:
    assert isinstance(p.spec, Choice)
    values = {option_text(v): v for v in (p.default, *p.spec.valid)}  # the default comes first
    words = [option_text(v) for v in p.spec.valid]
    titles = dict(zip(words, p.spec.titles, strict=False))
    meanings = zip(words, p.spec.explained, strict=False)
    text = "; ".join(f"**{titles.get(word, word)}**: {meaning}" for word, meaning in meanings)
    help = f"{p.spec.help} {text}."
    return values[choose_option(p.title, tuple(values), key, help=help, titles=titles)]


def option_text(value: Any) -> Any:
    """An option as it is shown and written in the URL; a tuple as "128-128"."""
    return "-".join(map(str, value)) if isinstance(value, tuple) else value


def _choose_number(p: Param, shared: dict[str, Any]) -> Any:
    assert isinstance(p.spec, Number)
    low, high = p.spec.shown
    if p.default in p.spec.rules:  # the rule stands before the numbers: "auto", 0, 10, 20 …
        return st.select_slider(p.title, [p.default, *p.grid(count=51)], p.default, **shared)
    if p.spec.log or p.spec.stops:
        grid = sorted({*p.grid(), p.default})
        return st.select_slider(p.title, grid, p.default, **shared)
    if p.kind is int:
        return st.slider(p.title, int(low), int(high), p.default, **shared)
    return st.slider(p.title, float(low), float(high), p.default, step=(high - low) / 100, **shared)


def _choose_rule(p: Param, key: str, factor: float) -> str:
    """The rule that sets the scale of σ, with the slider's factor: "mean", "0.5 mean"."""
    assert isinstance(p.spec, Number)
    usual = split_rule(str(p.default))[1]
    rule = st.selectbox(
        f"{p.title}, unit",
        [usual, *(str(rule) for rule in p.spec.rules if rule != usual)],
        key=key,
        bind="query-params",
        format_func=lambda rule: RULES.get(rule, rule),
        help="The factor of the slider is multiplied by this length.",
    )
    return rule if factor == 1 else f"{factor:g} {rule}"


RULES = {
    "mean": "mean edge lengths",
    "median": "median pairwise distances",
    "mst": "Zhu's spanning-tree widths",
    "edges": "median lengths of links",
    "all": "median lengths over all pairs",
}
