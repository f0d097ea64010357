"""The formula of a method with the values in force: symbols as LaTeX, colours of its terms.

A method states its formula once (`abilities.Method.formula`). Parameters are named in it by the
symbols of their declarations, so that their values can stand beside it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sslviz.params import params_of

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta",
    "η": "eta", "κ": "kappa", "λ": "lambda", "μ": "mu", "ξ": "xi", "ρ": "rho", "σ": "sigma",
    "ψ": "psi",
}  # fmt: skip
INDICES = dict(zip("₀₁₂₃ₛᵥ", "0123sv", strict=True))
TEXTCOLOR = re.compile(r"\\textcolor\{(\w+)\}")


def latex_symbol(symbol: str) -> str:
    """A symbol such as "λ₁", "n_c" or "kᵥ" as LaTeX."""
    head, tail = symbol[0], symbol[1:].removeprefix("_")
    index = "".join(INDICES.get(letter, letter) for letter in tail)
    word = f"\\{GREEK[head]}" if head in GREEK else head
    return f"{word}_{index}" if index else word


def names_symbol(formula: Sequence[str], latex: str) -> bool:
    """Whether a formula has a symbol, not only as a part of another such as k in k_v."""
    command = "[A-Za-z]|" if re.fullmatch(r"\\[a-z]+", latex) else ""  # letters would prolong it
    found = re.compile(rf"(?<![\\A-Za-z]){re.escape(latex)}(?!{command}[0-9]|_[A-Za-z0-9])")
    return any(found.search(_without_commands(row)) for row in formula)


def _without_commands(row: str) -> str:
    """The row without the words of texts, operators and colours; Greek letters stay."""
    row = TEXTCOLOR.sub("", row)
    row = re.sub(
        r"\\(?:text|operatorname|mathrm|mathbb|mathcal|mathbf)\b *(?:\{[^{}]*\}|\w)", " ", row
    )
    kept = "|".join(GREEK.values())
    return re.sub(rf"\\(?!(?:{kept})(?![A-Za-z]))[A-Za-z]+", " ", row)


def values_of(model: Any) -> dict[str, str]:
    """The parameters that the formula names, by their LaTeX: the fitted value where there is one.

    Parameters without a symbol are named by `\\text{…}`. Those without effect are left out.
    """
    formula, found = model.formula_in_force, {}
    for p in params_of(type(model)):
        symbol = latex_symbol(p.spec.symbol) if p.spec.symbol else rf"\text{{{p.name}}}"
        there = (
            names_symbol(formula, symbol)
            if p.spec.symbol
            else any(symbol in row for row in formula)
        )
        if not there or not model.has_effect(p.name):
            continue
        value = getattr(model, f"{p.name}_", getattr(model, p.name))
        if value is not None:
            found[symbol] = format_value(value)
    return found


def format_value(value: Any) -> str:
    """A value in few digits; rules and words as they are."""
    if isinstance(value, tuple | list):
        return "(" + ", ".join(format_value(one) for one in value) + ")"
    if isinstance(value, bool | np.bool_ | str):
        return str(value)
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)


def with_colours(row: str, colours: Mapping[str, str]) -> str:
    """A row of a formula with `\\textcolor` in the given colours, left out where there is none."""
    return TEXTCOLOR.sub(
        lambda match: rf"\textcolor{{{colours[match[1]]}}}" if match[1] in colours else "", row
    )
