"""Results of the page "Decision boundaries", for every method and look."""

from collections.abc import Iterator

import numpy as np
from views.problems import problem

import sslviz
from sslviz.abilities import GaussianComponents
from sslviz.data.plane_grid import plane_of
from sslviz.graph.spanning_tree import kruskal_until_conflict
from sslviz.memo import Memo
from sslviz.recordings.mixture import MixtureRun
from sslviz.ui.inductive.kernel_width_view import spanning_tree_caption, spanning_tree_map
from sslviz.ui.inductive.map_view import decision_map, map_caption
from sslviz.ui.inductive.result import (
    InductiveLook,
    InductiveResult,
    class_order,
    fitted_result,
    mixture_result,
    relabel,
)
from sslviz.ui.inductive.views import NUMBERS, VIEWS, WIDE_VIEWS
from sslviz.ui.problem import Problem
from sslviz.ui.views import View

MEMORY = Memo()


def tree(r: InductiveResult):
    return kruskal_until_conflict(r.problem.dataset.X, r.y)


ALL = (
    View("map", "Map", decision_map, map_caption),
    View("tree", "Spanning tree", lambda r: spanning_tree_map(tree(r), r.problem),
         lambda r: spanning_tree_caption(tree(r), r), when=lambda r: r.sigma is not None),
    *VIEWS,
    *WIDE_VIEWS,
)  # fmt: skip


def result_of(
    Method: type, where: Problem, look: InductiveLook, backwards: bool = False, **settings: object
) -> InductiveResult:
    model = Method(**settings, memory=MEMORY)
    plane, order = plane_of(where.points, where.dataset.n_features), class_order(where, backwards)
    X, y = where.dataset.X, relabel(where.y, order)
    if isinstance(model, GaussianComponents):
        places = plane.places if plane is not None and plane.exact else None
        run = MixtureRun(model, X, y, where.points, places)
        run.finish()
        return mixture_result(model, run.recording(), where, plane, look, MEMORY)
    return fitted_result(model.fit(X, y), where, plane, order, look, MEMORY)


def cases() -> Iterator[tuple]:
    moons = problem(n_samples=120)
    clicked = problem("three_rings", n_samples=120, point=7)
    iris = problem("iris", point=3)
    space = iris._replace(points=np.asarray(iris.dataset.X[:, :3], float))
    for Method in (m for m in sslviz.METHODS if m.family == "inductive"):
        for name, where, look in (
            ("moons", moons, InductiveLook("winner")),
            ("rings", clicked, InductiveLook("mix", rings="margin", part_of=1)),
            ("iris", iris, InductiveLook("truth", rings="none")),
            ("space", space, InductiveLook("mix")),
        ):
            yield f"{Method.__name__}-{name}", NUMBERS, ALL, result_of(Method, where, look)
    look = InductiveLook()
    for settings in ({"pairing": "diagonal"}, {"pairing": "diagonal", "centre": False}):
        for where in (moons, clicked):
            result = result_of(sslviz.SDSC, where, look, backwards=True, **settings)
            yield f"SDSC-{settings}", NUMBERS, ALL, result
    digits = problem("digits", n_samples=150)
    yield "many classes", NUMBERS, ALL, result_of(sslviz.SDSC, digits, look)
    yield "as printed", NUMBERS, ALL, result_of(sslviz.SSDR, moons, look, as_printed=True)
    yield "linear", NUMBERS, ALL, result_of(sslviz.LapSVM, moons, look, kernel="linear")
    yield "past the pole", NUMBERS, ALL, result_of(sslviz.SemiKSC, moons, look, pull=1.2)
    yield "still", NUMBERS, ALL, result_of(sslviz.SemiSupervisedGMM, moons, look, weight=0.0)
