"""The code that reproduces what the page shows."""

from collections.abc import Sequence
from inspect import signature
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np


class Setting(NamedTuple):
    """What a page works on: a data set with its options, and which labels are given."""

    dataset: str
    options: dict[str, Any]
    per_class: int  # 0 where no label is given at all
    seed: int
    by_hand: tuple[tuple[int, int], ...] = ()  # points and their labels, -1 for none

    def lines(self) -> list[str]:
        arguments = "".join(f", {key}={value!r}" for key, value in self.options.items())
        loaded = f"dataset = data.load({self.dataset!r}{arguments})"
        if not self.per_class:
            return [loaded]
        hidden = f"per_class={self.per_class}, random_state={self.seed}"
        return [loaded, f"y = labels.hide(dataset.y, {hidden})", *self._by_hand()]

    def _by_hand(self) -> list[str]:
        if not self.by_hand:
            return []
        points, given = (list(column) for column in zip(*self.by_hand, strict=True))
        line = f"y[{points}] = {given}"
        return wrap(line, 100, subsequent_indent="    ", break_on_hyphens=False)


def model_snippet(model: Any, setting: Setting) -> str:
    """Runnable Python: data, labels, the estimator as configured, and its accuracy."""
    name = type(model).__name__
    imports, judged = _judgement(type(model))
    own = sorted([name, *imports], key=lambda word: (word.islower(), word))
    return _joined(
        *(
            ["from sklearn.neighbors import KNeighborsClassifier", ""]
            if "nearest" in judged
            else []
        ),
        f"from sslviz import {', '.join(own)}",
        "",
        *setting.lines(),
        f"model = {name}({changed(model)}).fit(dataset.X, y)",
        judged,
    )


def _judgement(method: type) -> tuple[list[str], str]:
    """What else of sslviz it takes, and lines that print how right a method is.

    An embedding that answers nothing itself is judged by the nearest labelled point in it, a
    clustering by the best matching of clusters and classes.
    """
    if hasattr(method, "predict_proba") and not hasattr(method, "fit_predict"):
        return ["data", "labels"], _joined(
            "unlabelled = y == -1",
            "print((model.transduction_ == dataset.y)[unlabelled].mean())",
        ).rstrip()
    if hasattr(method, "transform"):
        return ["data", "labels"], _joined(
            "unlabelled = y == -1",
            "nearest = KNeighborsClassifier(1).fit(model.embedding_[~unlabelled], y[~unlabelled])",
            "print((nearest.predict(model.embedding_) == dataset.y)[unlabelled].mean())",
        ).rstrip()
    matched = "print(clustering_accuracy(dataset.y, model.labels_))"
    return ["clustering_accuracy", "data", "labels"], matched


def graph_snippet(setting: Setting, k: int, sigma: float | str, directed: bool) -> str:
    """The same for the neighbour graph: how many edges, the largest in-degree, the islands.

    A matrix holds every undirected edge twice.
    """
    edges, count = ("listed", "W.nnz") if directed else ("graph.undirected(listed)", "W.nnz // 2")
    return _joined(
        "from sslviz import data, graph, labels",
        "",
        *setting.lines(),
        f"listed = graph.knn(dataset.X, {k})",
        f"sigma = graph.width({sigma!r}, graph=listed, X=dataset.X, y=y)",
        f"W = graph.gaussian({edges}, sigma)",
        f"print({count}, graph.in_degree(listed).max(), graph.islands(W).max() + 1)",
    )


def comparison_snippet(specs: Sequence[Any], setting: Setting, draws: int) -> str:
    """The same for methods side by side: their mean accuracy over draws of the labels."""
    names = sorted({e.method.__name__ for e in specs})
    listed = [
        f"    MethodSpec({e.title!r}, {e.method.__name__}, {_differing(e.method, e.params)}),"
        for e in specs
    ]
    return _joined(
        "from sslviz import (",
        *(f"    {name}," for name in [*names, "data"]),
        ")",
        "from sslviz.experiments.comparison import MethodSpec, trial",
        "",
        setting.lines()[0],
        "specs = [",
        '    MethodSpec("1-NN", None, {}),',
        *listed,
        "]",
        "for spec in specs:",
        "    found = [",
        f"        trial(spec, dataset.X, dataset.y, per_class={setting.per_class}, seed=seed)",
        f"        for seed in range({draws})",
        "    ]",
        f'    print(f"{{spec.title:40}} {{sum(t.accuracy for t in found) / {draws}:.3f}}")',
    )


def queries_snippet(parameters: dict[str, Any], setting: Setting, strategy: str, count: int) -> str:
    """The same for labels asked one after the other."""
    told = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    return _joined(
        "from sslviz import LabelPropagation, data, labels",
        "from sslviz.propagation.active_learning import questions",
        "",
        *setting.lines(),
        f"model = LabelPropagation({told}).fit(dataset.X, y)",
        f"for step in questions(model, dataset.y, {strategy!r}, {count}, random_state=0):",
        "    print(step.iteration, step.point, step.risk)",
    )


def dictionary_snippet(
    method: type,
    settings: Sequence[dict[str, Any]],
    setting: Setting,
    steps: tuple[str, ...],
    noise: float,
) -> str:
    """Python for a dictionary on scaled points; later settings continue by warm starts."""
    first, *later = settings
    called = method.__name__
    lines = [
        *(["import numpy as np", ""] if noise else []),
        f"from sslviz import {called}, data, labels",
        "from sslviz.data.preprocess import prepared",
        "",
        *setting.lines(),
        f"X = prepared(dataset.X.astype(float), {steps!r})",
    ]
    if noise:
        normal = "np.random.default_rng(0).normal(size=X.shape)"
        lines.append(f"X = X + {noise!r} * np.square(X).mean() * {normal}")
    lines.append(f"model = {called}({_arguments(_differing(method, first))}).fit(X, y)")
    for before, after in zip(settings, later, strict=False):
        changes = {k: v for k, v in after.items() if v != before[k]} | {"warm_start": True}
        lines.append(f"model.set_params({_arguments(changes)}).fit(X, y)")
    judged = "print((model.transduction_ == dataset.y)[unlabelled].mean())"
    return _joined(*lines, "unlabelled = y == -1", judged)


def stream_snippet(
    model: Any, source: Sequence[str], n_classes: int, every: int, noise: int, arrivals: int
) -> str:
    """Python that observes a stream and prints the accuracy; `source` lines make its points."""
    name = type(model).__name__
    lines = ["import numpy as np", "", f"from sslviz import {name}", *source]
    lines.append("X, truth = dataset.X[rows], dataset.y[rows]")
    if noise:
        lines += [
            "rng, width = np.random.default_rng(0), X.std(axis=0, dtype=float).mean() or 1.0",
            f"extra = [width * rng.standard_normal(len(X)) for _ in range({noise})]",
            "X = np.column_stack([X, *extra])",
        ]
    lines += [
        f"start = min(known + {model.capacity}, len(X))",
        "given = np.where(np.arange(len(X)) < known, truth, -1)",
    ]
    if every:
        labelled = f"start + {every - 1} :: {every}"
        lines.append(f"given[{labelled}] = truth[{labelled}]")
    lines += [
        f"model = {name}({changed(model)})",
        f"model.partial_fit(X[:start], given[:start], classes=range({n_classes}))",
        "predicted = []",
        f"for x, label in zip(X[start : start + {arrivals}], given[start:]):",
        "    if label < 0:",
        "        predicted.append(model.observe(x))",
        "    else:",
        "        predicted.append(model.predict([x])[0])",
        "        model.partial_fit([x], [label])",
        "print(np.mean(predicted == truth[start : start + len(predicted)]))",
    ]
    return _joined(*lines)


def _arguments(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values.items())


def _differing(method: type, params: dict[str, Any]) -> dict[str, Any]:
    defaults = {p.name: p.default for p in signature(method).parameters.values()}
    return {name: value for name, value in params.items() if repr(value) != repr(defaults[name])}


def _joined(*lines: str) -> str:
    return "\n".join([*lines, ""])


def changed(model: Any) -> str:
    """The arguments that differ from the defaults; a memory changes no answer."""
    defaults = {p.name: p.default for p in signature(type(model)).parameters.values()}
    plain = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in model.get_params(deep=False).items()
        if name != "memory"
    }
    return ", ".join(
        f"{name}={value!r}" for name, value in plain.items() if repr(value) != repr(defaults[name])
    )


def classes_backwards(code: str) -> str:
    """The code of a fit to classes that are numbered backwards."""
    backwards = "last = y.max()\nbackwards = [-1 if c < 0 else last - c for c in y]\nmodel ="
    code = code.replace("model =", backwards).replace(
        "fit(dataset.X, y)", "fit(dataset.X, backwards)"
    )
    return code.replace("(model.transduction_ ==", "(last - model.transduction_ ==")
