"""Results of the page "Label propagation", for every method and look."""

from collections.abc import Iterator

from views.problems import problem

import sslviz
from sslviz.memo import Memo
from sslviz.ui.propagation.map_view import map_caption, prediction_map
from sslviz.ui.propagation.result import pair, propagate
from sslviz.ui.propagation.views import NUMBERS, POINT_VIEWS, VIEWS
from sslviz.ui.result import Look, titles_of
from sslviz.ui.views import View

MAP = View("map", "Map", prediction_map, map_caption)


def cases() -> Iterator[tuple]:
    memory = Memo()
    moons = problem(n_samples=200, outliers=0.1)
    iris = problem("iris", point=7)
    for Method in (m for m in sslviz.METHODS if m.family == "propagation"):
        for colour, where in (("mix", moons), ("winner", iris), ("basin", moons)):
            look = Look(colour, mistakes=True, record=True)
            settings = {"graph": "undirected"} if "graph" in Method().get_params() else {}
            result = propagate(Method, settings, where, look, memory)
            yield f"{Method.__name__}-{colour}", NUMBERS, (MAP, *POINT_VIEWS, *VIEWS), result
        versus = propagate(sslviz.LabelPropagation, {}, iris, Look(), memory)
        two = propagate(Method, {}, iris, Look(), memory)
        for result in pair([versus, two], titles_of([versus.model, two.model])):
            yield f"{Method.__name__}-beside", NUMBERS, (MAP, *POINT_VIEWS, *VIEWS), result
