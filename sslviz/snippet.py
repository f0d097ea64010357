"""Code export: Python that reproduces the numbers of a page, one function per kind of page."""

from collections.abc import Sequence
from inspect import signature
from itertools import pairwise
from typing import Any

import numpy as np

from sslviz.abilities import Transforms
from sslviz.setting import Setting as Setting
from sslviz.setting import code_arguments


def model_snippet(model: Any, setting: Setting) -> str:
    """Code that fits the model and prints its accuracy.

    A classifier is scored on the hidden labels, a clustering after the best matching of clusters
    and classes, an embedding by the 1-nearest-neighbour rule on its coordinates.
    """
    from sklearn.base import is_classifier, is_clusterer  # slow to import; pages show code last

    own, foreign = {type(model).__name__, "data", "labels"}, []
    if is_classifier(model):
        scoring = setting.hidden_accuracy()
    elif isinstance(model, Transforms) and not is_clusterer(model):
        scoring = setting.one_nn_accuracy()
        foreign = ["from sklearn.neighbors import KNeighborsClassifier", ""]
    else:
        own, scoring = own | {"clustering_accuracy"}, setting.clustering_accuracy()
    return _lines(
        *foreign,
        f"from sslviz import {', '.join(sorted(own, key=lambda name: (name.islower(), name)))}",
        "",
        *setting.lines(),
        f"model = {_call(model)}.fit(dataset.X, y)",
        *scoring,
    )


def classes_backwards(code: str) -> str:
    """The code of a fit to classes that are numbered backwards."""
    backwards = "last = y.max()\nbackwards = [-1 if c < 0 else last - c for c in y]\nmodel ="
    code = code.replace("model =", backwards)
    code = code.replace("fit(dataset.X, y)", "fit(dataset.X, backwards)")
    return code.replace("(model.transduction_ ==", "(last - model.transduction_ ==")


def clustering_snippet(model: Any, setting: Setting, iterations: int | None) -> str:
    """Code that fits a clustering, or trains it for `iterations`, and prints its accuracy."""
    given = "dataset.X, y" if setting.per_class else "dataset.X"
    training = (
        [f"model.fit({given})"]
        if iterations is None
        else [
            f"run = model.training({given})",
            f"run.advance({iterations})",
            "model.settle(run)",
        ]
    )
    return _lines(
        f"from sslviz import {type(model).__name__}, clustering_accuracy, data"
        + (", labels" if setting.per_class else ""),
        "",
        *setting.lines(),
        f"model = {_call(model)}",
        *training,
        *setting.clustering_accuracy(),
    )


def training_snippet(model: Any, setting: Setting, iterations: int | None) -> str:
    """Code that fits a network, or trains it for `iterations`, and prints its accuracy."""
    if iterations is None:
        return model_snippet(model, setting)
    return _lines(
        f"from sslviz import {type(model).__name__}, data, labels",
        "",
        *setting.lines(),
        f"model = {_call(model)}",
        "run = model.training(dataset.X, y)",
        f"run.advance({iterations})",
        "model.settle(run)",
        *setting.hidden_accuracy(),
    )


def dictionary_snippet(
    method: type,
    settings: Sequence[dict[str, Any]],
    setting: Setting,
    steps: tuple[str, ...],
    noise: float,
) -> str:
    """Code that fits with each of the `settings` in turn, each fit starting from the one before.

    `steps` are those of `sslviz.data.preprocess`, `noise` is relative to the mean of X².
    """
    name = method.__name__
    fits = [f"model = {name}({code_arguments(_changed_parameters(method, settings[0]))}).fit(X, y)"]
    for before, after in pairwise(settings):
        changes = {k: v for k, v in after.items() if v != before[k]} | {"warm_start": True}
        fits.append(f"model.set_params({code_arguments(changes)}).fit(X, y)")
    normal = "np.random.default_rng(0).normal(size=X.shape)"
    return _lines(
        *(["import numpy as np", ""] if noise else []),
        f"from sslviz import {name}, data, labels",
        "from sslviz.data.preprocess import prepared",
        "",
        *setting.lines(),
        f"X = prepared(dataset.X.astype(float), {steps!r})",
        *([f"X = X + {noise!r} * np.square(X).mean() * {normal}"] if noise else []),
        *fits,
        *setting.hidden_accuracy(),
    )


def stream_snippet(
    model: Any,
    source: Sequence[str],
    n_classes: int,
    every: int,
    noise: int,
    arrivals: int,
    *,
    known: str = "all",
) -> str:
    """Code that runs a stream of so many `arrivals` and prints the accuracy of the predictions.

    `source` are lines that make `dataset`, `rows` in order of arrival, and `known`, the number of
    labels before the stream. Every `every`-th arrival has a label, 0 for none; `noise` features of
    random numbers are added. `known` are the true classes of
    arrivals that are known: "all", "some" or "none".
    """
    truth = "truth" if any(line.startswith("truth =") for line in source) else "dataset.y"
    score = (
        [
            "seen = truth[start : start + len(predicted)]",
            "print(np.mean((predicted == seen)[seen >= 0]))",
        ]
        if known == "some"
        else ["print(predicted)"]
        if known == "none"
        else ["print(np.mean(predicted == truth[start : start + len(predicted)]))"]
    )
    noise_lines = [
        "rng, width = np.random.default_rng(0), X.std(axis=0, dtype=float).mean() or 1.0",
        f"extra = [width * rng.standard_normal(len(X)) for _ in range({noise})]",
        "X = np.column_stack([X, *extra])",
    ]
    labelled = f"start + {every - 1} :: {every}"
    return _lines(
        "import numpy as np",
        "",
        f"from sslviz import {type(model).__name__}",
        *source,
        f"X, truth = dataset.X[rows], {truth}[rows]",
        *(noise_lines if noise else []),
        f"start = min(known + {model.capacity}, len(X))",
        "given = np.where(np.arange(len(X)) < known, truth, -1)",
        *([f"given[{labelled}] = truth[{labelled}]"] if every else []),
        f"model = {_call(model)}",
        f"model.partial_fit(X[:start], given[:start], classes=range({n_classes}))",
        "predicted = []",
        f"for x, label in zip(X[start : start + {arrivals}], given[start:]):",
        "    if label < 0:",
        "        predicted.append(model.observe(x))",
        "    else:",
        "        predicted.append(model.predict([x])[0])",
        "        model.partial_fit([x], [label])",
        *score,
    )


def graph_snippet(setting: Setting, k: int, sigma: float | str, directed: bool) -> str:
    """Code that prints the edges of the neighbour graph, its largest in-degree and its components.

    The matrix of an undirected graph holds every edge twice.
    """
    edges, count = ("listed", "W.nnz") if directed else ("graph.undirected(listed)", "W.nnz // 2")
    lines = setting.lines()
    given = "y" if any(line.startswith("y =") for line in lines) else "dataset.y"
    return _lines(
        "from sslviz import data, graph, labels",
        "",
        *lines,
        f"listed = graph.knn(dataset.X, {k})",
        f"sigma = graph.width({sigma!r}, graph=listed, X=dataset.X, y={given})",
        f"W = graph.gaussian({edges}, sigma)",
        f"print({count}, graph.in_degree(listed).max(), graph.islands(W).max() + 1)",
    )


def comparison_snippet(specs: Sequence[Any], setting: Setting, draws: int) -> str:
    """Code that prints the mean accuracy of each method over random draws of the labels."""
    names = sorted({spec.method.__name__ for spec in specs})
    if setting.known == "none":
        return _prediction_snippet(specs, setting, names)
    return _lines(
        "from sslviz import (",
        *(f"    {name}," for name in [*names, "data"]),
        ")",
        "from sslviz.experiments.comparison import MethodSpec, trial",
        "",
        *setting._replace(per_class=0, by_hand=(), split=None).lines(),
        *_spec_lines(specs),
        "for spec in specs:",
        "    trials = [",
        f"        trial(spec, dataset.X, dataset.y, per_class={setting.per_class}, seed=seed)",
        f"        for seed in range({draws})",
        "    ]",
        f'    print(f"{{spec.title:40}} {{sum(t.accuracy for t in trials) / {draws}:.3f}}")',
    )


def _prediction_snippet(specs: Sequence[Any], setting: Setting, names: list[str]) -> str:
    """Code that prints the predictions of each method: no true class is known."""
    return _lines(
        "from sslviz import (",
        *(f"    {name}," for name in [*names, "data"]),
        ")",
        "from sslviz.experiments.comparison import MethodSpec",
        "",
        *setting.lines(),
        *_spec_lines(specs),
        "for spec in specs:",
        "    print(spec.title, spec.answer(dataset.X, y))",
    )


def _spec_lines(specs: Sequence[Any]) -> list[str]:
    return [
        "specs = [",
        '    MethodSpec("1-NN", None, {}),',
        *(
            f"    MethodSpec({spec.title!r}, {spec.method.__name__}, "
            f"{_changed_parameters(spec.method, spec.params)}),"
            for spec in specs
        ),
        "]",
    ]


def queries_snippet(parameters: dict[str, Any], setting: Setting, strategy: str, count: int) -> str:
    """Code that asks for `count` labels, one after the other, and prints each question.

    At the end it prints the accuracy on the points that were neither given nor asked for.
    """
    accuracy = [
        "    if step.point >= 0:",
        "        y[step.point] = dataset.y[step.point]",
        "right = (step.F.argmax(axis=1) == dataset.y) & step.F.any(axis=1)",
        f"print(right[{setting.scored}].mean())",
    ]
    return _lines(
        "from sslviz import LabelPropagation, data, labels",
        "from sslviz.propagation.active_learning import questions",
        "",
        *setting.lines(),
        f"model = LabelPropagation({code_arguments(parameters)}).fit(dataset.X, y)",
        f"for step in questions(model, dataset.y, {strategy!r}, {count}, random_state=0):",
        "    print(step.iteration, step.point, step.risk)",
        *([] if setting.known == "none" else accuracy),
    )


def _call(model: Any) -> str:
    """The constructor call with the arguments that differ from the defaults, without memory."""
    params = {k: v for k, v in model.get_params(deep=False).items() if k != "memory"}
    return f"{type(model).__name__}({code_arguments(_changed_parameters(type(model), params))})"


def _changed_parameters(method: type, params: dict[str, Any]) -> dict[str, Any]:
    defaults = {p.name: p.default for p in signature(method).parameters.values()}
    plain = {k: v.item() if isinstance(v, np.generic) else v for k, v in params.items()}
    return {name: value for name, value in plain.items() if repr(value) != repr(defaults[name])}


def _lines(*lines: str) -> str:
    return "\n".join([*lines, ""])
