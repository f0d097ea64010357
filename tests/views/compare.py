"""Results of the page "Compare": before, during and after the run, with a method that fails."""

from collections.abc import Iterator
from dataclasses import replace

from views.problems import problem

import sslviz
from sslviz.experiments.comparison import MethodSpec
from sslviz.memo import Memo
from sslviz.recordings.comparison import ComparisonRun
from sslviz.ui.compare.result import BASELINE, compare
from sslviz.ui.compare.table import failures, summary_table
from sslviz.ui.compare.views import POINT, draw_views, map_caption, map_views, method_map, verdict
from sslviz.ui.views import View

SPECS = [
    BASELINE,
    MethodSpec("Label propagation", sslviz.LabelPropagation, {}),
    MethodSpec("LapRLS", sslviz.LapRLS, {}),
    MethodSpec("SSRL-PL", sslviz.SSRLPL, {"n_components": 2}),
    MethodSpec("refuses", sslviz.LapRLS, {"lam1": -1.0}),
]
VIEWS = (View("map", "Map", method_map, map_caption), POINT, *draw_views(5), *map_views(5))


def cases() -> Iterator[tuple]:
    memory = Memo()
    for where in (problem("iris"), problem("digits", n_samples=120, point=7)):
        data = where.dataset
        run = ComparisonRun(SPECS, data.X, data.y, 3, 2, memory)
        result = compare(SPECS, where, run, memory)
        assert verdict(result) == "The first fits are running." and set(failures(result)) == {
            "refuses"
        }
        yield f"{data.name}-before", (), [v for v in VIEWS if v.key != "compare_curves"], result
        run.finish()
        result = replace(result)
        table = summary_table(result)
        assert len(table) == len(SPECS) and table[0]["method"] in verdict(result)
        yield f"{data.name}-after", (), VIEWS, result
