"""The text of a run: published numbers, ours and the differences, in aligned columns."""

from dataclasses import replace

import numpy as np
from experiments.majority import WINE, always, quietly, tiny

from sslviz.experiments.report import text


def test_paper_ours_and_difference_stand_in_aligned_columns(tmp_path):
    done = quietly(tiny(), tmp_path)
    ours = np.array([r.accuracy for r in done.found[WINE.title, "all 1"]])
    lines = text(done).splitlines()
    assert lines[:2] == ["tiny: two constants", "nobody, 2020"]
    head = next(line for line in lines if line.endswith("draws"))
    line = next(line for line in lines if line.startswith(WINE.title))
    for title, value in (
        (" paper", "0.350 ± 0.020"),
        (" ours", f"{ours.mean():.3f} ± {ours.std(ddof=1):.3f}"),
        (" - paper", f"{ours.mean() - 0.35:+.3f}"),
        (" draws", "3"),
    ):
        assert line[: head.index(title) + len(title)].endswith(value), title
    assert "reference" not in head, "a column without numbers is left out"
    assert "seconds" not in head, "they say little where methods share a graph"


def test_how_well_a_definition_is_known_stands_beside_its_numbers(tmp_path):
    table = tiny(replace(always(1), definition="printed; the rest a guess"), always(0))
    lines = text(quietly(table, tmp_path)).splitlines()
    assert "definition" in next(line for line in lines if " ours" in line)
    assert [line.endswith("a guess") for line in lines if "all " in line] == [True, False]
