"""Results of the page "Clustering", for every method, look and kind of data."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from views.problems import problem

from sslviz.abilities import Decodes, Perturbs, Trains
from sslviz.memo import Memo
from sslviz.recordings.clustering import ClusteringRun
from sslviz.recordings.linkage import LinkageRun
from sslviz.ui import perturbations
from sslviz.ui.clustering import decoded_view
from sslviz.ui.clustering.learning_views import MERGES, WATCHED
from sslviz.ui.clustering.map_view import clustering_map, map_caption
from sslviz.ui.clustering.result import (
    ClusteringResult,
    ClusterLook,
    cluster,
    given_labels,
    is_watched,
)
from sslviz.ui.clustering.sidebar import methods
from sslviz.ui.clustering.training import result_of_run, settled_result
from sslviz.ui.clustering.views import HUB_VIEWS, IMAGES, NUMBERS, SPACE, TRAINING
from sslviz.ui.views import View

MAP = View("map", "Map", clustering_map, map_caption)


def run_of(r: ClusteringResult) -> ClusteringRun | LinkageRun:
    data, places = r.problem.dataset, None if r.plane is None else r.plane.places
    shared = (r.model, data.X, data.y, data.n_classes)
    if not isinstance(r.model, Trains):
        return LinkageRun(*shared, places)
    return ClusteringRun(*shared, r.moment.order, places, given=r.given)


def labelled_case(model: Any, data: Any, look: ClusterLook, memory: Any, title: str) -> tuple:
    result = cluster(model, data, look, memory, given_labels(data, 2)[0])
    run = run_of(result)
    run.finish()
    result = settled_result(result_of_run(result, run))
    return f"{title}-labelled", NUMBERS, (MAP, TRAINING, *WATCHED), result


def cases() -> Iterator[tuple]:
    memory = Memo()
    where = {
        "plane": (problem(n_samples=150, outliers=0.1), ClusterLook("winner", True, hubs=True), 2),
        "space": (problem("swiss_roll", n_samples=120), ClusterLook("mix"), 5),
        "images": (problem("digits", n_samples=120), ClusterLook("truth", hubs=True), 10),
    }
    for Method in methods().values():
        for name, (data, look, clusters) in where.items():
            few = {"epochs": 1, "pretraining_epochs": 1, "hidden": (16,), "n_hubs": 50}
            few |= {"n_codes": 3} if name == "plane" else {}
            taken = Method().get_params()
            few = {key: value for key, value in few.items() if key in taken}
            model = Method(n_clusters=clusters, random_state=0, memory=memory, **few)
            result = cluster(model, data, look, memory)
            views = (MAP, SPACE, IMAGES, *(HUB_VIEWS if result.hubs is not None else ()))
            title = f"{Method.__name__}-{name}"
            if is_watched(model):
                run = run_of(result)
                watched = (MAP, TRAINING, MERGES, *WATCHED)
                yield f"{title}-untrained", NUMBERS, watched, result_of_run(result, run)
                run.advance(1e-9)
                yield f"{title}-running", NUMBERS, watched, result_of_run(result, run)
                while isinstance(run, LinkageRun) and len(run.frames.frames) < 2:
                    run.take_for(1e-9)  # a step
                run.pause()
                yield f"{title}-stopped", NUMBERS, watched, result_of_run(result, run)
                run.resume()
                run.finish()
                result = settled_result(result_of_run(result, run))
                views = (*views, *watched)
            yield title, NUMBERS, views, result
            if isinstance(model, Decodes):
                chosen = decoded_view.DecodedResult(result, 0, 1)
                yield f"{title}-decoded", (), decoded_view.VIEWS, chosen
            if model.takes_labels:
                yield labelled_case(model, data, look, memory, title)
            if isinstance(model, Perturbs) and result.run is not None:
                found = perturbations.perturb(result, 0.1)
                yield f"{title}-perturbed", perturbations.NUMBERS, perturbations.VIEWS, found
    truth = replace(result, look=ClusterLook("winner"))
    yield "another look", NUMBERS, (MAP,), truth
