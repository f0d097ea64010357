"""Every method has a formula that names its parameters; values in force stand beside it."""

import re

import numpy as np
import pytest

from sslviz import IMSAT, METHODS, LabelPropagation, SemiKSC, VATClassifier, data
from sslviz.figures.theme import OKABE_ITO, contrast, readable
from sslviz.formulas import latex_symbol, names_symbol, values_of, with_colours
from sslviz.labels import hide
from sslviz.params import params_of


@pytest.mark.parametrize("Method", METHODS)
def test_a_formula_names_every_symbol_that_always_has_an_effect(Method):
    assert Method.formula and all(row.strip() for row in Method.formula)
    for p in params_of(Method):
        if p.spec.symbol and not p.spec.advanced and p.name not in Method.only_with:
            assert names_symbol(Method.formula, latex_symbol(p.spec.symbol)), p.spec.symbol


@pytest.mark.parametrize("Method", METHODS)
def test_braces_are_balanced_and_colours_are_known(Method):
    for row in Method.formula:
        depth = np.cumsum([{"{": 1, "}": -1}.get(c, 0) for c in re.sub(r"\\[{}]", "", row)])
        assert depth.min() >= 0 and depth[-1] == 0, row
        for name in re.findall(r"\\textcolor\{(\w+)\}", row):
            assert name in {"labelled", "unlabelled", "hub"} or 1 <= int(name) <= 5, name


def test_values_are_those_of_the_fit_and_only_of_parameters_with_an_effect():
    d = data.load("iris")
    model = LabelPropagation(7).fit(d.X, hide(d.y, per_class=2, random_state=0))
    assert values_of(model) == {"k": "7", r"\sigma": f"{model.sigma_:.4g}"}
    assert values_of(LabelPropagation(weights="linear")) == {"k": "5"}
    assert values_of(LabelPropagation())[r"\sigma"] == "mean"
    assert values_of(SemiKSC(pull=0.5))[r"\text{pull}"] == "0.5"


def test_a_formula_has_no_term_that_is_switched_off():
    assert "VAT" in IMSAT().formula_in_force[0] and len(IMSAT().formula_in_force) == 3
    (rim,) = IMSAT(perturbation="none", decay=0.001).formula_in_force
    assert "VAT" not in rim and r"\text{decay}" in rim
    (plain,) = VATClassifier(perturbation="none").formula_in_force
    assert "KL" not in plain and plain.endswith(VATClassifier.formula[0][-20:])
    assert "random" in VATClassifier(perturbation="random").formula_in_force[2]
    assert "e^" not in LabelPropagation(weights="linear").formula_in_force[2]


def test_a_symbol_is_not_found_in_longer_ones_or_in_words():
    assert [latex_symbol(s) for s in ("λ₁", "n_c", "kᵥ", "λ_V")] == [
        r"\lambda_1", "n_c", "k_v", r"\lambda_V",
    ]  # fmt: skip
    assert not names_symbol((r"k_v + \text{k means} + \mathbb R^k_v",), "k")
    assert names_symbol((r"\mathcal N_k(i)",), "k") and names_symbol((r"\sum_\ell w_\ell",), "w")
    assert not names_symbol((r"\lambda_1",), r"\lambda")


@pytest.mark.parametrize("paper", ["#FFFFFF", "#12161D"])
@pytest.mark.parametrize("colour", OKABE_ITO)
def test_colours_of_terms_can_be_read(colour, paper):
    assert contrast(readable(colour, paper), paper) >= 4.5
    row = with_colours(r"\textcolor{1}{a}+\textcolor{2}{b}", {"1": colour})
    assert row == rf"\textcolor{{{colour}}}{{a}}+{{b}}"
