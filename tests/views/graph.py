"""Results of the page "Neighbour graph"."""

from collections.abc import Iterator

from views.problems import problem

from sslviz.memo import Memo
from sslviz.ui.graph.map_view import edge_map, map_caption
from sslviz.ui.graph.result import neighbour_graph
from sslviz.ui.graph.views import NUMBERS, POINT_VIEWS, VIEWS
from sslviz.ui.views import View

MAP = View("map", "Map", edge_map, map_caption)


def cases() -> Iterator[tuple]:
    for edges in ("undirected", "directed"):
        for k, colour in ((1, "island"), (5, "class"), (500, "class")):
            for where in (problem(n_samples=100), problem("iris", point=3)):
                result = neighbour_graph(k, "mean", edges, where, colour, Memo())
                yield f"{edges}-{k}", NUMBERS, (MAP, *VIEWS, *POINT_VIEWS), result
