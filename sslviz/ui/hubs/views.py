"""Numbers and views of the page "Hubs"."""

from sslviz.figures.charts.basic import share_by_tenth
from sslviz.ui.hubs.result import HubResult
from sslviz.ui.propagation import vote_view
from sslviz.ui.views import Number, View

NUMBERS = (
    Number("Robust label prediction", HubResult.accuracy,
           "Accuracy on the hidden labels; undetermined points count as wrong. With h and k₂ as "
           "set here; the page “Label propagation” chooses both by cross-validation unless set.",
           course=HubResult.accuracy_course),
    Number("Label propagation", lambda r: r.propagation,
           lambda r: f"The plain method on the undirected graph of the same {r.k} neighbours."),
    Number("Without hubs", lambda r: r.no_hubs,
           "Geodesic kNN: a vote by the given labels alone (h = 0)."),
    Number("Outliers among the hubs",
           lambda r: f"{(r.is_hub & r.problem.outliers).sum()} of {r.problem.outliers.sum()}",
           lambda r: f"{r.is_hub[r.hidden].mean():.0%} of all hidden points are hubs. Fewer "
           "outliers than that: good.",
           when=lambda r: r.problem.outliers.any()),
    Number("Hubs no label reaches", lambda r: f"{r.unreached_hubs:,}",
           "Hubs without a label in their part of the hub graph: they do not vote, and are "
           "predicted like other points.",
           when=lambda r: r.unreached_hubs > 0),
)  # fmt: skip

POINT_VIEWS = (
    View("hubs_votes", lambda r: f"Votes for point {r.point}", vote_view.vote_bars,
         lambda r: vote_view.vote_caption(r)
         + ("" if r.problem.point is not None else " Click another point to see its votes."),
         height=200, table=vote_view.vote_table),
)  # fmt: skip
VIEWS = (
    View("hubs_density", "Are hubs where the data are dense?",
         lambda r: share_by_tenth(r.density[r.hidden], r.is_hub[r.hidden],
                                  "tenths of the points, sparse → dense"),
         lambda r: "Rising bars: hubs lie where the data are dense. Flat or falling bars: being "
         "the neighbour of many says little about density, as in sets of images. Dotted: equal "
         f"shares. Density is {r.density_text}.",
         height=260),
)  # fmt: skip
