"""Workers keep to their draws; none waits while cells are left."""

from experiments.majority import IRIS, WINE, always, tiny

from sslviz.experiments.shards import Shards
from sslviz.experiments.table import Cell

METHODS = [always(says) for says in range(4)]


def of_draw(cells: list[Cell]) -> set[tuple[str, int]]:
    return {(cell.row.title, cell.seed) for cell in cells}


def test_every_cell_is_given_out_once():
    cells = list(tiny(*METHODS, rows=(WINE, IRIS)).cells(3))
    shards, found, last = Shards(cells), [], [None, None, None]
    while cell := shards.next(last[len(found) % 3]):
        found.append(cell)
        last[len(found) % 3 - 1] = cell
    assert len(found) == len(cells) and all(cell in found for cell in cells)
    assert shards.next() is None and shards.next(cells[0]) is None


def test_a_worker_stays_with_its_draw_then_begins_a_new_one():
    shards = Shards(tiny(*METHODS).cells(3))
    one, two = [shards.next()], [shards.next()]
    for _ in range(3):
        one.append(shards.next(one[-1]))
        two.append(shards.next(two[-1]))
    assert of_draw(one) == {(WINE.title, 0)} and of_draw(two) == {(WINE.title, 1)}
    assert shards.next(one[-1]).seed == 2


def test_a_worker_without_a_draw_helps_where_most_cells_are_left():
    shards = Shards(tiny(*METHODS).cells(2))
    slow, quick = shards.next(), shards.next()
    for _ in range(3):
        quick = shards.next(quick)
    helped = shards.next(quick)
    assert helped.seed == slow.seed == 0 and helped.method == METHODS[-1], "from the far end"
