"""Results of the page "Dictionaries": images, a table and places, every method of the family."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from views.problems import problem

from sslviz.data.preprocess import prepared
from sslviz.memo import Memo
from sslviz.params import params_of
from sslviz.recordings.dictionary import DictionaryRun
from sslviz.ui.dictionary.ability_views import ABILITY_VIEWS
from sslviz.ui.dictionary.atom_panel import ATOM_VIEWS
from sslviz.ui.dictionary.beside import BESIDE_VIEWS, beside_text
from sslviz.ui.dictionary.main_view import MIXTURE_VIEW
from sslviz.ui.dictionary.map_view import PICTURES
from sslviz.ui.dictionary.point_panel import NEIGHBOUR_VIEWS, POINT_VIEWS
from sslviz.ui.dictionary.remarks import baselines_of, remarks_of
from sslviz.ui.dictionary.result import dictionary_result
from sslviz.ui.dictionary.sidebar import dictionary_methods
from sslviz.ui.dictionary.views import CODE_VIEWS, COURSE_VIEWS, NUMBERS
from sslviz.ui.result import Look
from sslviz.ui.views import View

SELECTED = (*PICTURES, *ATOM_VIEWS, *POINT_VIEWS)
VIEWS = (*CODE_VIEWS, *ABILITY_VIEWS, *COURSE_VIEWS, MIXTURE_VIEW)
METHODS = list(dictionary_methods().values())


def small(Method: type, rounds: int, **more: Any) -> Any:
    """A method with few atoms and rounds, where it has such parameters."""
    wanted = {"n_atoms": 20, "max_iter": max(rounds, 1), "n_nonzero": 3}
    names = {p.name for p in params_of(Method)}
    return Method(**{k: v for k, v in wanted.items() if k in names}, **more)


def cases() -> Iterator[tuple]:
    """Every method on images and where all labels are given; tables and places in turn."""
    memory = Memo()
    images = problem("digits", n_samples=60, point=40)
    others = (problem("iris"), 1), (problem(n_samples=100), 0)
    every = problem("iris", per_class=50)
    for number, Method in enumerate(METHODS):
        for where, rounds in ((images, 2), (every, 1), others[number % 2]):
            X = prepared(where.dataset.X, ("standardise",))
            more = {"X": X, "look": Look(mistakes=True)}
            run = DictionaryRun(small(Method, rounds, memory=memory), X, where.y)
            if rounds:
                run.finish()
            beside = small(METHODS[Method is METHODS[0]], 1, memory=memory)
            other = dictionary_result(DictionaryRun(beside, X, where.y), where, beside=True, **more)
            baselines = baselines_of(X, where.y, memory)
            found = dictionary_result(run, where, baselines=baselines, other=other, **more)
            views: tuple[View, ...] = (*SELECTED, *VIEWS)
            if where is images:
                views += (*BESIDE_VIEWS, *(NEIGHBOUR_VIEWS if len(found.neighbours[0]) else ()))
            assert all(remarks_of(found, 20)) and "None" not in beside_text(found)
            yield f"{Method.__name__}-{where.dataset.name}-{rounds}", NUMBERS, views, found
            if where is images and number % 4 == 0:
                unused = int(np.abs(found.model.codes_).sum(axis=0).argmin())
                alone = dictionary_result(run, where, clicked_atom=unused, **more)
                yield f"{Method.__name__}-alone", NUMBERS, (*SELECTED, *VIEWS), alone
