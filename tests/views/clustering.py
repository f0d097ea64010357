"""Results of the page "Clustering", for every method, look and kind of data."""

from collections.abc import Iterator
from dataclasses import replace

from views.problems import problem

from sslviz.abilities import Perturbs, Trains
from sslviz.memo import Memo
from sslviz.recordings.clustering import ClusteringRun
from sslviz.ui import perturbations
from sslviz.ui.clustering.map_view import clustering_map, map_caption
from sslviz.ui.clustering.result import ClusteringResult, ClusterLook, cluster
from sslviz.ui.clustering.sidebar import methods
from sslviz.ui.clustering.training import result_of_run, settled_result
from sslviz.ui.clustering.views import HUB_VIEWS, IMAGES, NUMBERS, SPACE, TRAINING
from sslviz.ui.views import View

MAP = View("map", "Map", clustering_map, map_caption)


def run_of(r: ClusteringResult) -> ClusteringRun:
    data, places = r.problem.dataset, None if r.plane is None else r.plane.places
    return ClusteringRun(r.model, data.X, data.y, data.n_classes, r.moment.order, places)


def cases() -> Iterator[tuple]:
    memory = Memo()
    where = {
        "plane": (problem(n_samples=150, outliers=0.1), ClusterLook("winner", True, hubs=True), 2),
        "space": (problem("swiss_roll", n_samples=120), ClusterLook("mix"), 5),
        "images": (problem("digits", n_samples=120), ClusterLook("truth", hubs=True), 10),
    }
    for Method in methods().values():
        for name, (data, look, clusters) in where.items():
            few = {"epochs": 1, "hidden": (16,)} if issubclass(Method, Trains) else {}
            few |= {"n_hubs": 50} if "n_hubs" in Method().get_params() else {}
            model = Method(n_clusters=clusters, random_state=0, memory=memory, **few)
            result = cluster(model, data, look, memory)
            views = (MAP, SPACE, IMAGES, *(HUB_VIEWS if result.hubs is not None else ()))
            title = f"{Method.__name__}-{name}"
            if isinstance(model, Trains):
                run = run_of(result)
                yield f"{title}-untrained", NUMBERS, (MAP, TRAINING), result_of_run(result, run)
                run.finish()
                result = settled_result(result_of_run(result, run))
                views = (*views, TRAINING)
            yield title, NUMBERS, views, result
            if isinstance(model, Perturbs) and result.run is not None:
                found = perturbations.perturb(result, 0.1)
                yield f"{title}-perturbed", perturbations.NUMBERS, perturbations.VIEWS, found
    truth = replace(result, look=ClusterLook("winner"))
    yield "another look", NUMBERS, (MAP,), truth
