"""What a page works on, and the Python code that makes it: data set, options, given labels."""

import ast
from textwrap import wrap
from typing import Any, NamedTuple

LINE_LENGTH = 100


class Setting(NamedTuple):
    """What a page works on: a data set with its options, and the labels that are given."""

    dataset: str
    options: dict[str, Any]
    per_class: int  # 0 where no label is given at all
    seed: int
    by_hand: tuple[tuple[int, int], ...] = ()  # points and their labels, -1 for none
    source: str = ""  # arguments of read_table, where it is a visitor's own file
    known: str = "all"  # true classes: "all", "some" or "none"
    split: tuple[str, int] | None = None  # an official split instead of random labels

    def lines(self) -> list[str]:
        """Code that makes `dataset`, and `y` with -1 for hidden labels."""
        options = f", {code_arguments(self.options)}" if self.options else ""
        call = f"read_table({self.source}" if self.source else f"load({self.dataset!r}"
        load = _one_argument_per_line(f"dataset = data.{call}{options})")
        if self.split is not None:
            name, number = self.split
            hide = f"y = labels.reveal(dataset.y, dataset.splits[{name!r}][{number}])"
        elif self.per_class:
            given = f"per_class={self.per_class}, random_state={self.seed}"
            hide = f"y = labels.hide(dataset.y, {given})"
        elif self.by_hand:
            hide = "y = dataset.y.copy()"
        else:
            return load
        return [*load, hide, *self._by_hand()]

    @property
    def scored(self) -> str:
        """Code of the points that accuracy is measured on."""
        return "y == -1" if self.known == "all" else "(y == -1) & dataset.known"

    def hidden_accuracy(self) -> list[str]:
        """Code that prints the accuracy on hidden labels, or predictions where none is known."""
        if self.known == "none":
            return ["print(model.transduction_)"]
        return [
            f"unlabelled = {self.scored}",
            "print((model.transduction_ == dataset.y)[unlabelled].mean())",
        ]

    def one_nn_accuracy(self) -> list[str]:
        """Code that prints the accuracy of the nearest label in an embedding."""
        near = "nearest = KNeighborsClassifier(1).fit(model.embedding_[y != -1], y[y != -1])"
        if self.known == "none":
            return [near, "print(nearest.predict(model.embedding_))"]
        return [
            near,
            f"unlabelled = {self.scored}",
            "print((nearest.predict(model.embedding_) == dataset.y)[unlabelled].mean())",
        ]

    def clustering_accuracy(self) -> list[str]:
        """Code that prints the accuracy of clusters, or the clusters where no class is known."""
        if self.known == "none":
            return ["print(model.labels_)"]
        among = "" if self.known == "all" else "[dataset.known]"
        return [f"print(clustering_accuracy(dataset.y{among}, model.labels_{among}))"]

    def _by_hand(self) -> list[str]:
        if not self.by_hand:
            return []
        points, given = (list(column) for column in zip(*self.by_hand, strict=True))
        line = f"y[{points}] = {given}"
        return wrap(line, LINE_LENGTH, subsequent_indent="    ", break_on_hyphens=False)


def code_arguments(values: dict[str, Any]) -> str:
    """Keyword arguments as code."""
    return ", ".join(f"{name}={value!r}" for name, value in values.items())


def _one_argument_per_line(line: str) -> list[str]:
    """A call as it is, or with one line for each argument if it is long."""
    if len(line) <= LINE_LENGTH:
        return [line]
    call = ast.parse(line).body[0].value  # type: ignore[attr-defined]
    arguments = [*map(ast.unparse, call.args), *map(ast.unparse, call.keywords)]
    start = line[: line.index("(") + 1]
    return [start, *(f"    {argument}," for argument in arguments), ")"]
