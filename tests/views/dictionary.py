"""Results of the page "Dictionaries": images, a table and places, every method of the family."""

from collections.abc import Iterator

import numpy as np
from views.problems import problem

import sslviz
from sslviz.abilities import Steps
from sslviz.data.preprocess import prepared
from sslviz.memo import Memo
from sslviz.recordings.dictionary import DictionaryRun
from sslviz.ui.dictionary.map_view import PICTURES
from sslviz.ui.dictionary.panels import ATOM_VIEWS, NEIGHBOUR_VIEWS, POINT_VIEWS
from sslviz.ui.dictionary.result import baselines_of, dictionary_result
from sslviz.ui.dictionary.views import BESIDE_VIEWS, NUMBERS, VIEWS
from sslviz.ui.result import Look
from sslviz.ui.views import View

SELECTED = (*PICTURES, *ATOM_VIEWS, *POINT_VIEWS)
METHODS = [m for m in sslviz.METHODS if m.family == "dictionary" and issubclass(m, Steps)]


def cases() -> Iterator[tuple]:
    memory = Memo()
    images = problem("digits", n_samples=60, point=40)
    table, places = problem("iris"), problem(n_samples=100)
    every = problem("iris", per_class=50)
    for Method in METHODS:
        for where, rounds in ((images, 2), (table, 1), (places, 0), (every, 1)):
            X = prepared(where.dataset.X, ("standardise",))
            more = {"X": X, "look": Look(mistakes=True)}
            run = DictionaryRun(Method(8, max_iter=max(rounds, 1), memory=memory), X, where.y)
            if rounds:
                run.finish()
            beside = METHODS[Method is METHODS[0]](8, max_iter=1, memory=memory)
            other = dictionary_result(DictionaryRun(beside, X, where.y), where, beside=True, **more)
            baselines = baselines_of(X, where.y, memory)
            found = dictionary_result(run, where, baselines=baselines, other=other, **more)
            views: tuple[View, ...] = (*SELECTED, *VIEWS, *BESIDE_VIEWS)
            if found.weights is not None and where is images:
                views += NEIGHBOUR_VIEWS
            yield f"{Method.__name__}-{where.dataset.name}-{rounds}", NUMBERS, views, found
            if rounds == 2:
                unused = int(np.abs(found.model.codes_).sum(axis=0).argmin())
                alone = dictionary_result(run, where, clicked_atom=unused, **more)
                yield f"{Method.__name__}-alone", NUMBERS, (*SELECTED, *VIEWS), alone
