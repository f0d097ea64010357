"""Results of the page "FLP", for every mode."""

from collections.abc import Iterator

from views.problems import problem

from sslviz.memo import Memo
from sslviz.ui.flp.map_view import data_map, map_caption, projection_map
from sslviz.ui.flp.result import learn_features
from sslviz.ui.flp.views import NUMBERS, POINT_VIEWS, VIEWS
from sslviz.ui.result import Look
from sslviz.ui.views import View

MAPS = (View("map", "Map", projection_map, map_caption), View("data", "Data", data_map))


def cases() -> Iterator[tuple]:
    memory, look = Memo(), Look(mistakes=True)
    where = (problem("iris", point=5), problem(n_samples=100), problem("iris", per_class=50))
    for one in where:
        for mode in ("recipe", "printed", "fixed"):
            for p in (None, 3):
                settings = {"mode": mode, "n_components": p, "outer": 3, "random_state": 0}
                result = learn_features(settings, one, look, memory, space=p == 3)
                yield f"{mode}-{p}", NUMBERS, (*MAPS, *POINT_VIEWS, *VIEWS), result
