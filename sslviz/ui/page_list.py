"""The pages of the app: address, title, section, and a description for the card on Home.

Navigation, the cards of Home, the page of methods and links between pages use this list.
"""

from typing import NamedTuple


class PageEntry(NamedTuple):
    """A page; its name is its address, its file in pages/ and its picture in assets/."""

    name: str
    title: str
    section: str
    icon: str
    sentence: str = ""  # on its card
    method_key: str = ""  # the widget that chooses a method by its title

    @property
    def path(self) -> str:
        return f"pages/{self.name}.py"


START, METHODS, CHOOSE = "", "Methods", "Choose and compare"

PAGES = (
    PageEntry("home", "Home", START, ":material/home:"),
    PageEntry(
        "stories", "Stories", START, ":material/menu_book:",
        "Lessons of a few steps that set the pages, tell what to look at, and ask a question now "
        "and then. The first is a tour; you can write your own.",
    ),
    PageEntry(
        "methods", "All methods", START, ":material/list:",
        "Every method with a picture, its idea in one sentence, its paper, parameters and cost. "
        "Search by any of their words.",
    ),
    PageEntry(
        "graph", "Neighbour graph", METHODS, ":material/hub:",
        "Most methods start from a graph that links each point to its nearest neighbours. Change "
        "k and σ; find hubs, separate parts and edges that connect two classes.",
    ),
    PageEntry(
        "propagation", "Label propagation", METHODS, ":material/water_drop:",
        "Three labels per class, two thousand points. Watch the labels spread along the graph, "
        "sweep by sweep, and compare two methods side by side.",
        "method",
    ),
    PageEntry(
        "hubs", "Hubs", METHODS, ":material/star:",
        "Robust label prediction trusts hubs: points that are a near neighbour of many others. "
        "Find the hubs, propagate labels among them, let them vote.",
    ),
    PageEntry(
        "embedding", "Embeddings", METHODS, ":material/visibility:",
        "A few coordinates in which the classes are apart, learned from few labels and many "
        "unlabelled points: SSRL-PL beside discriminant analysis, NCA and PCA.",
        "embedding.method",
    ),
    PageEntry(
        "flp", "FLP", METHODS, ":material/hearing:",
        "Learning by propagability (FLP) learns a projection and the labels in turns. Watch the "
        "projection change, and see why a perfect objective can come with worthless labels.",
    ),
    PageEntry(
        "inductive", "Decision boundaries", METHODS, ":material/blur_on:",
        "Classifiers that predict everywhere, not only at the given points: manifold "
        "regularisation, large margins, Gaussian mixtures, and a case where more data hurt.",
        "inductive.method",
    ),
    PageEntry(
        "dictionary", "Dictionaries", METHODS, ":material/grain:",
        "Each image is written as a weighted sum of a few learned patterns (atoms); a classifier "
        "uses the weights. Watch the atoms change, with and without the neighbour graph.",
        "dictionary.method",
    ),
    PageEntry(
        "network", "Networks", METHODS, ":material/lan:",
        "Networks that learn from few labels and many unlabelled points: watch noisy images being "
        "rebuilt and borders move into gaps, beside the same network without unlabelled points.",
        "network.method",
    ),
    PageEntry(
        "stream", "Streams", METHODS, ":material/stream:",
        "Points arrive one by one and are predicted at once; fifty centroids summarise the past. "
        "Watch centroids merge, and labels go stale when the data drift.",
        "stream.shown",
    ),
    PageEntry(
        "clustering", "Clustering", METHODS, ":material/bubble_chart:",
        "No labels at all: spectral clustering of hubs, and networks that learn clusters while "
        "you watch, with k-means and spectral clustering beside them.",
        "cluster_method",
    ),
    PageEntry(
        "active_learning", "Active learning", CHOOSE, ":material/contact_support:",
        "Each label costs somebody's time. Watch label propagation ask for the label that is "
        "expected to help most, and see when random labels do as well.",
    ),
    PageEntry(
        "compare", "Compare", CHOOSE, ":material/compare_arrows:",
        "Methods of all families on the same points and the same labels, chosen at random again "
        "and again: accuracy, its spread, learning curves, and where the methods differ.",
    ),
    PageEntry(
        "failures", "Failures", CHOOSE, ":material/broken_image:",
        "Too many neighbours, separate parts, outliers, too few labels, too many hubs: settings in "
        "which a method fails, beside some in which it works, one click each.",
    ),
)  # fmt: skip

PAGE_BY_NAME = {page.name: page for page in PAGES}


def sections() -> dict[str, list[PageEntry]]:
    """The pages by section, in order."""
    found: dict[str, list[PageEntry]] = {}
    for page in PAGES:
        found.setdefault(page.section, []).append(page)
    return found
