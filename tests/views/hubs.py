"""Results of the page "Hubs"."""

from collections.abc import Iterator

from views.problems import problem

from sslviz.memo import Memo
from sslviz.ui.hubs.map_view import MAPS
from sslviz.ui.hubs.result import predict_by_hubs
from sslviz.ui.hubs.views import NUMBERS, POINT_VIEWS, VIEWS
from sslviz.ui.result import Look
from sslviz.ui.views import View

THREE = tuple(View(m.option, m.title, m.draw, m.caption) for m in MAPS)


def cases() -> Iterator[tuple]:
    memory, look = Memo(), Look(mistakes=True)
    moons, digits = problem(n_samples=200, outliers=0.1), problem("digits", n_samples=274, point=9)
    for n_hubs in (0, 40, 190):
        for edges in ("undirected", "directed"):
            for where in (moons, digits):
                result = predict_by_hubs({"graph": edges}, n_hubs, where, look, memory)
                yield f"{n_hubs}-{edges}", NUMBERS, (*THREE, *POINT_VIEWS, *VIEWS), result
