"""Results of the page "Active learning", for every strategy and colour."""

from collections.abc import Iterator

from views.problems import problem

from sslviz.experiments.active_learning import STRATEGIES
from sslviz.memo import Memo
from sslviz.ui.active_learning.result import QueryResult, queries_recipe, query_result
from sslviz.ui.active_learning.sidebar import QueryChoice
from sslviz.ui.active_learning.views import NUMBERS, VIEWS, map_caption, queries_map
from sslviz.ui.problem import Problem
from sslviz.ui.views import View

MAP = View("map", "Map", queries_map, map_caption)


def ask(choice: QueryChoice, where: Problem, memory: Memo) -> QueryResult:
    make, *arguments = queries_recipe(choice, where, memory)
    run = make(*arguments)
    run.finish()
    return query_result(choice, where, run)


def cases() -> Iterator[tuple]:
    memory = Memo()
    spaces = {"iris": problem("iris"), "space": problem("swiss_roll", n_samples=100)}
    for name, where in spaces.items():
        for strategy in STRATEGIES:
            for colour in ("answers", "help"):
                result = ask(QueryChoice(strategy, 3, {}, colour), where, memory)
                yield f"{name}-{strategy}-{colour}", NUMBERS, (MAP, *VIEWS), result
    few = problem("iris", per_class=49)
    result = ask(QueryChoice("expected risk", 5, {}, "answers"), few, memory)
    yield "every label asked for", NUMBERS, (MAP, *VIEWS), result
