"""Results of the page "Networks", for every method, look and kind of data."""

from collections.abc import Iterator
from typing import Any

from views.problems import problem

from sslviz.abilities import Perturbs
from sslviz.memo import Memo
from sslviz.ui import perturbations
from sslviz.ui.network.map_view import map_caption, network_map
from sslviz.ui.network.result import baselines_of, plane_of_problem, recipe, result_of_run
from sslviz.ui.network.sidebar import methods
from sslviz.ui.network.views import INSIDE, NUMBERS, TRAINING
from sslviz.ui.result import Look
from sslviz.ui.views import View

MAP = View("map", "Map", network_map, map_caption)
FEW = {"epochs": 2, "hidden": (16,), "layout": "usps"}


def cases() -> Iterator[tuple]:
    memory = Memo()
    where: dict[str, Any] = {
        "plane": (problem(n_samples=150, outliers=0.1), Look("winner", True)),
        "space": (problem("swiss_roll", n_samples=120), Look("mix")),
        "images": (problem("digits", n_samples=150), Look("truth")),
    }
    for Method in methods().values():
        taken = Method().get_params()
        for name, (data, look) in where.items():
            few = {k: v for k, v in FEW.items() if k in taken}
            model = Method(random_state=0, memory=memory, **few)
            plane, title = plane_of_problem(data), f"{Method.__name__}-{name}"
            make, *arguments = recipe(model, data, plane)
            run = make(*arguments)
            shared = (model, data, look, plane, baselines_of(data, memory))
            yield f"{title}-untrained", NUMBERS, (MAP, TRAINING), result_of_run(run, *shared)
            run.finish()
            result = result_of_run(run, *shared)
            yield title, NUMBERS, (MAP, TRAINING, *INSIDE), result
            if isinstance(model, Perturbs):
                found = perturbations.perturb(result, 0.1)
                yield f"{title}-moved", perturbations.NUMBERS, perturbations.VIEWS, found
