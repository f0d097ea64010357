"""Home: what this is, and pictures that lead to the pages."""

import streamlit as st

from sslviz.ui.app import ASSETS, page_header

ACROSS = 3  # cards in a row
LESSONS = [
    (
        "pages/graph.py",
        "graph",
        "The neighbour graph",
        "Every method here starts from one picture of the data: who is close to whom. Move k and "
        "σ, find hubs, islands and bridges.",
    ),
    (
        "pages/propagation.py",
        "propagation",
        "Labels that travel",
        "Three labels per class, two thousand points. Watch label propagation and its kin colour "
        "the rest, sweep by sweep, two of them side by side, and see where they part.",
    ),
    (
        "pages/hubs.py",
        "hubs",
        "Hubs that vote",
        "Ask only points that many others know. Robust label prediction in three pictures: find "
        "hubs, let labels travel among them, let everyone vote.",
    ),
    (
        "pages/embedding.py",
        "embedding",
        "Views that separate",
        "A few coordinates on which the classes lie apart, found with few labels and many points: "
        "SSRL-PL, and discriminant, neighbourhood and principal components beside it.",
    ),
    (
        "pages/flp.py",
        "flp",
        "Features that agree with labels",
        "A map and labels that take turns until the known labels follow from the others. Watch the "
        "map turn, points fall silent, and perfect harmony turn out worthless.",
    ),
    (
        "pages/inductive.py",
        "inductive",
        "Decision fields",
        "An answer at every place of the plane, from labelled and unlabelled points together: "
        "bent kernels, wide margins, moving clouds, and a case in which more data hurt.",
    ),
    (
        "pages/dictionary.py",
        "dictionary",
        "Atoms",
        "What images are made of: a wall of atoms that learns round by round, the recipe of every "
        "point, and a classifier that reads recipes. Take the graph away and see what it was for.",
    ),
    (
        "pages/stream.py",
        "stream",
        "Streams",
        "Points arrive one by one, are answered at once and forgotten; fifty centroids stand for "
        "all of them. Watch balls double, centroids merge, and a turning world leave its labels.",
    ),
    (
        "pages/clustering.py",
        "clustering",
        "Clusters",
        "No label at all. Hubs are grouped by the ways between them, and networks learn regions "
        "while you watch, pause and scrub: SEDC, IMSAT, DEC, SpectralNet, and k-means beside them.",
    ),
    (
        "pages/active_learning.py",
        "active_learning",
        "Which label next",
        "A label costs somebody's time. Watch label propagation ask for the one that is expected "
        "to help most, question by question, and see when asking at random does as well.",
    ),
    (
        "pages/compare.py",
        "compare",
        "Methods compared",
        "Methods of all families on the same points and labels, drawn again and again: who is "
        "right, how surely, with how many labels, and where they differ. Blink between answers.",
    ),
    (
        "pages/failures.py",
        "failures",
        "Where methods fail",
        "Bridges, islands, outliers, too few labels, too many hubs: settings worth seeing, each a "
        "click away.",
    ),
]

page_header("See semi-supervised learning happen")
st.markdown(
    "Labels are dear, data are cheap. **Semi-supervised methods** learn from a few labelled points "
    "and many unlabelled ones, by trusting the shape of the data. Pick a data set, pick a method, "
    "move its parameters, and watch what it concludes, on data where you know the truth."
)


def told(title: str, text: str, page: str) -> None:
    """A lesson in words, with the way to it."""
    st.subheader(title)
    st.markdown(text)
    st.page_link(page, label=f"Open {title.lower()}", icon=":material/arrow_forward:")


for first in range(0, len(LESSONS), ACROSS):
    row = LESSONS[first : first + ACROSS]
    for column, (page, picture, title, text) in zip(st.columns(len(row)), row, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.image(ASSETS / f"{picture}.png", width="stretch")
            told(title, text, page)

left, right = st.columns(2)
with left:
    st.subheader("How to read the pictures")
    st.markdown(
        "- A **diamond** is a point whose label is given. All others are to be found.\n"
        "- A point's **colour** is the mix of what the method believes; muddy means torn, grey "
        "means no opinion.\n"
        "- **Drag** to move; click into a picture and **scroll** to zoom; double-click to see all. "
        "Your view is kept when a slider moves.\n"
        "- **Click** a point to see its neighbours and why it believes what it believes.\n"
        "- **Play** under a picture runs the method step by step; drag the bar to any step. Charts "
        "below mark that moment with a line."
    )
with right:
    st.subheader("Good to know")
    st.markdown(
        "- Every picture has an **address**: copy it from the browser to share what you see.\n"
        "- Every picture has its **code** below it, and the code runs.\n"
        "- Accuracy is measured on the hidden labels only. Where a method fails, you see it fail.\n"
        "- Nothing leaves this machine; only OpenML sets are fetched, when you ask for one."
    )
