"""Results of the page "Streams": drifting points and data sets, from no arrival to the last."""

from collections.abc import Iterator
from dataclasses import replace

from views.problems import problem

from sslviz.memo import Memo
from sslviz.params import params_of
from sslviz.recordings.stream import StreamRun
from sslviz.ui.stream.map_view import arrival_map, map_caption
from sslviz.ui.stream.result import StreamResult, centroids_by_features, labels_in_hindsight
from sslviz.ui.stream.sidebar import StreamChoice, stream_methods
from sslviz.ui.stream.source import drifting_source, set_source
from sslviz.ui.stream.views import BESIDE_MAP, NUMBERS, VIEWS
from sslviz.ui.views import View

MAP = View("map", "Map", arrival_map, map_caption)


def cases() -> Iterator[tuple]:
    memory, methods = Memo(), stream_methods()
    widest = max(methods.values(), key=lambda m: len(params_of(m)))
    usual = {p.name: p.default for p in params_of(widest)} | {"capacity": 12}
    moons = drifting_source("turning_moons", {"n_samples": 200}, 2, memory)
    iris = set_source(problem("iris"), "sorted", memory)
    first = StreamChoice(0, 0, 60, usual, "QLP", ("2R", "R"), True, 4, 50)
    for source, choice in (
        (moons, first),
        (moons, replace(first, every=10, noise=5, balls=(), shown="QRLP", window=None)),
        (moons, replace(first, every=10, shown="TLP")),
        (iris, replace(first, balls=(), shown="TLP")),
        (iris, replace(first, balls=(), parameters=usual | {"merge": "lazy"})),
    ):
        stream = source.stream(12, choice.every, choice.noise, memory)
        settings = {name: (m.__name__, choice.settings(m)) for name, m in methods.items()}
        run = StreamRun(settings, stream, choice.arrivals, memory.cache)
        by_dimension = centroids_by_features(source, 12, memory)
        for finished in (False, True):
            if finished:
                run.finish()
            hindsight = labels_in_hindsight(stream, run.arrivals, memory) if finished else None
            for point in (None, *source.names[[20, 140]].tolist()):
                result = StreamResult(
                    source, stream, choice, run.recordings(), hindsight, by_dimension, point
                )
                name = f"{source.name}-{choice.shown}-{finished}-{point}"
                yield name, NUMBERS, (MAP, *BESIDE_MAP, *VIEWS), result
