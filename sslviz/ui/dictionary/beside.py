"""A second method beside the first: what differs, its atoms and its codes."""

from sslviz.abilities import CodeGraph
from sslviz.recordings.dictionary_measures import unlike_neighbours
from sslviz.ui.dictionary.map_view import PICTURE_HEIGHT, atom_grid, grid_options
from sslviz.ui.dictionary.result import DictionaryResult
from sslviz.ui.dictionary.views import TALL_HEIGHT, code_heat_map, codes_caption
from sslviz.ui.result import difference_text
from sslviz.ui.state.clicks import on_click_remember
from sslviz.ui.views import View


def beside_text(r: DictionaryResult) -> str:
    """The accuracies of both, and on which points they differ."""
    assert r.other is not None
    if not r.hidden.any():
        return ""
    return (
        f"Accuracy: {r.title} **{r.shown_accuracy}**, {r.other.title} "
        f"**{r.other.shown_accuracy}**. {difference_text(r, r.other)}"
    )


def beside_caption(r: DictionaryResult) -> str:
    """The codes of the method beside, and how much they differ from their neighbours'."""
    assert r.other is not None
    text = codes_caption(r.other).partition(" Click")[0]
    graphs = [m.laplacian_ for m in (r.model, r.other.model) if isinstance(m, CodeGraph)]
    graph = next((L for L in graphs if L is not None), None)
    if graph is None:
        return text
    ours, theirs = (unlike_neighbours(m.codes_, graph) for m in (r.model, r.other.model))
    return (
        f"{text} Difference between a code and those of the graph neighbours, tr(AᵀLA)/‖A‖²: "
        f"**{ours:.3f}** for {r.title}, **{theirs:.3f}** for {r.other.title}. Without a graph two "
        "near-equal points may use quite different atoms, and the classifier sees only codes."
    )


BESIDE_VIEWS = (
    View("dictionary_wall_plain", "", lambda r: atom_grid(r.other), height=PICTURE_HEIGHT,
         options=lambda r: grid_options(r.other), tiles=True),
    View("dictionary_codes_plain", "", lambda r: code_heat_map(r.other), beside_caption,
         height=TALL_HEIGHT, options={"on_event": on_click_remember(), "film": None}),
)  # fmt: skip
