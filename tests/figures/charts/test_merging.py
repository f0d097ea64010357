"""Charts of merges and shares."""

import numpy as np

from sslviz.figures.charts.merging import merge_chart, share_bars, stretches


def test_epochs_of_learning_are_shaded() -> None:
    mask = np.array([0, 1, 1, 0, 0, 1], bool)
    assert stretches(mask) == [(1, 2), (5, 5)] and stretches(mask[:1]) == []
    x = np.arange(6)
    fig = merge_chart(x, 9 - x, x / 6, mask, 4)
    assert len(fig.data) == 2 and sum(s.type == "rect" for s in fig.layout.shapes) == 2


def test_shares_stand_beside_the_true_ones_and_equal_shares() -> None:
    fig = share_bars(np.array([0.7, 0.3]), np.array([0.5, 0.5]), ("a", "b"))
    assert [t.type for t in fig.data] == ["bar", "scatter"] and fig.layout.shapes[0].y0 == 0.5
    assert len(share_bars(np.array([0.7, 0.3]), None, ("a", "b")).data) == 1
