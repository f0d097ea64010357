"""Labels for a clusterer that uses some: drawn, then changed by hand, with the label lab."""

import numpy as np
import streamlit as st

from sslviz.snippet import Setting
from sslviz.ui.clustering.result import given_labels
from sslviz.ui.labels.group import show_group
from sslviz.ui.labels.lab import show_label_lab
from sslviz.ui.problem import Problem
from sslviz.ui.state import manual_labels
from sslviz.ui.state.clicks import clicked_point


def choose_hand_labels(problem: Problem, per_class: int) -> tuple[np.ndarray | None, Setting]:
    """(n,) labels that the method uses, None for no label, and the setting with them.

    Labels by hand belong to the data: they are those of the other pages.
    """
    given, setting = given_labels(problem, per_class)
    if given is None:
        return None, setting
    y, by_hand = manual_labels.apply_manual_labels(problem.dataset, setting.options, given)
    setting = setting._replace(by_hand=tuple(sorted(by_hand.items())))
    with st.sidebar:
        problem = problem._replace(y=y, setting=setting)
        manual_labels.show_hint(problem.dataset.classes, by_hand)
        if (point := clicked_point(setting, len(y))) is not None:
            manual_labels.choose_label(problem.dataset.classes, point)
        show_group(problem)
        show_label_lab(problem)
    return y, setting
