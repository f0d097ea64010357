"""Codes beside the ideal codes Q: what the label map U makes of them is what ψ acts on."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.code_blocks import CodePanel, code_panels
from sslviz.recordings.dictionary_measures import block_share
from sslviz.ui.dictionary.result import DictionaryResult

IDEAL = 1.0  # an entry of Q, where it is not zero


def ideal_codes(r: DictionaryResult) -> go.Figure:
    """Codes A, ideal codes Q and AU of the labelled points; AU of the unlabelled ones."""
    given, A = r.y >= 0, r.model.codes_
    order = np.lexsort((np.arange(r.n_atoms), r.atom_classes))
    mapped, ideal = A @ r.model.label_map_, np.nan_to_num(r.model.ideal_codes()[given])
    group, names = r.problem.true_groups()
    panels = [
        CodePanel("A, labelled points", A[given], r.y[given]),
        CodePanel("Q, ideal codes", ideal, r.y[given], IDEAL),
        CodePanel("AU, labelled points", mapped[given], r.y[given], IDEAL),
    ]
    if r.hidden.any():
        free = r.hidden
        panels.append(CodePanel("AU, unlabelled points", mapped[free], group[free], IDEAL))
    return code_panels(tuple(panels), names, order)


def ideal_caption(r: DictionaryResult) -> str:
    given, A = r.y >= 0, r.model.codes_
    mapped = A @ r.model.label_map_

    def inside(codes: np.ndarray, which: np.ndarray) -> str:
        group = np.where(given, r.y, r.truth)[which]
        return f"**{block_share(codes[which], group, r.atom_classes):.0%}**"

    shares = f"{inside(mapped, given)} of AU for labelled points ({inside(A, given)} of A)"
    if r.held_out.any():
        shares += f", {inside(mapped, r.held_out)} for unlabelled ones"
    return (
        "A column is a point, a row an atom, both sorted by class. Q has a block for each class; "
        f"codes should look like it after the linear map U. Inside the blocks are {shares}; by "
        f"chance it would be {1 / len(r.classes):.0%}. {_psi_text(r)}"
    )


def _psi_text(r: DictionaryResult) -> str:
    """What ψ changes: nothing, if labels are not in the code, or if each point is an atom."""
    if not r.model.labels_in_code:
        return (
            "Labels are not in the code here: ψ changes nothing. Labelled and unlabelled points "
            "differ only because U is fitted to the labelled ones."
        )
    if r.n_atoms >= (r.y >= 0).sum():
        return (
            "Each labelled point has an atom of its own here, and AU is Q at any ψ: ask for half "
            "as many atoms to see ψ at work."
        )
    return (
        "**Raise ψ:** AU of labelled points turns block-diagonal, since their labels take part in "
        "their codes. That of unlabelled points follows in part: they are coded without a label. A "
        "itself need not: one atom of the class in each code is enough for U."
    )
