"""Results of the page "Embeddings", for every method."""

from collections.abc import Iterator

from views.problems import problem

import sslviz
from sslviz.memo import Memo
from sslviz.ui.embedding.map_view import data_map, dimension_note, embedding_map, map_caption
from sslviz.ui.embedding.result import embed
from sslviz.ui.embedding.views import NUMBERS, POINT_VIEWS, VIEWS
from sslviz.ui.result import Look
from sslviz.ui.views import View

MAPS = (
    View("map", "Map", embedding_map, map_caption),
    View("data", "Data", data_map, dimension_note),
)


def cases() -> Iterator[tuple]:
    memory = Memo()
    places = (problem("iris", point=5), problem(n_samples=150))
    for Method in (m for m in sslviz.METHODS if m.page_name() == "embedding"):
        for where in places:
            for p, colour in ((1, "answer"), (2, "truth")):
                look = Look(colour, mistakes=True)
                result = embed(Method, {"n_components": p}, where, look, memory)
                yield f"{Method.__name__}-{p}", NUMBERS, (*MAPS, *POINT_VIEWS, *VIEWS), result
    for labels in ("soft", "wta", "labelled", "all"):
        for kernel in ("linear", "rbf"):
            settings = {"n_components": 2, "labels": labels, "kernel": kernel}
            result = embed(sslviz.SSRLPL, settings, places[0], Look("soft labels"), memory)
            yield f"{labels}-{kernel}", NUMBERS, (*MAPS, *POINT_VIEWS, *VIEWS), result
