"""Every page with a visitor's own table, partly labelled or not at all, and the code of each."""

import io
from contextlib import redirect_stdout

import pytest
from own_files import wine_csv, wine_unlabelled_csv
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

from sslviz.data import uploads

# The number of each page that its code prints.
PAGES = {
    "graph": "Edges",
    "propagation": "Accuracy",
    "hubs": "Robust label prediction",
    "embedding": "1-NN in the map",
    "flp": "Accuracy",
    "inductive": "Accuracy",
    "dictionary": "Accuracy",
    "network": "Accuracy",
    "clustering": "Accuracy",
    "active_learning": "After 2 queries",
    "compare": "",
    "stream": "QLP",
}
FAST = {  # settings of a page that keep the test short
    "network": {"network.train": "true", "LadderNetwork.epochs": "5", "VATClassifier.epochs": "10"},
    "dictionary": {"SSDLGA.max_iter": "1", "SSDLGA.n_atoms": "20"},
    "compare": {"compare.draws": "2", "compare.methods": ["Label propagation"]},
    "stream": {"stream.kind": "A data set", "stream.arrivals": "50"},
    "clustering": {"cluster_method": "k-means"},
    "active_learning": {"active_learning.count": "2"},
}
BY_HAND = "0.0_1.0_2.0_60.1_61.1_62.1"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 600.0)  # seconds: runs are finished
    monkeypatch.chdir(tmp_path)


def texts(app: AppTest) -> str:
    parts = (app.caption, app.info, app.markdown, app.warning)
    return " ".join(e.value for kind in parts for e in kind)


def printed(app: AppTest, read: str = "data.read_table('wine.csv'") -> str:
    """What the code of the picture prints; the file is where it is run."""
    code, out = app.code[-1].value, io.StringIO()
    assert read in code
    with redirect_stdout(out):
        exec(code, {})
    return out.getvalue()


@pytest.mark.parametrize("page", PAGES)
def test_a_partly_labelled_table_works_on_every_page(page, tmp_path):
    (tmp_path / "wine.csv").write_bytes(wine_csv(kept=0.1))
    name = uploads.store_upload("wine.csv", wine_csv(kept=0.1))
    scaled = {f"{name}.standardise": "true"}
    app = opened(page, data=name, labels="2", **FAST.get(page, {}), **scaled)
    assert fine(app), [e.value for e in (*app.exception, *app.error)]
    assert not any("nan" in value for value in numbers(app).values())
    assert "The class of 19 of 178 points is known" in texts(app)
    on = "on these" if page == "clustering" else "on the other 13 known ones"
    assert f"accuracy is measured {on}" in texts(app)
    check_printed(app, page, printed(app))


def check_printed(app: AppTest, page: str, found: str) -> None:
    """The code prints what the page shows: a number of the top, or the table of the comparison."""
    if page == "compare":
        table = next(t.value for t in app.dataframe if "mean" in t.value)
        shown = dict(zip(table["method"], table["mean"], strict=True))
        means = {line[:40].strip(): float(line[40:]) for line in found.splitlines()}
        assert means == {title: round(mean / 100, 3) for title, mean in shown.items()}
        return
    shown = numbers(app)[PAGES[page]]
    value = found.split()[-1 if page == "active_learning" else 0]
    assert shown == (f"{float(value):.1%}" if "%" in shown else f"{int(value):,}")


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_built_in_set_prints_the_number_of_its_page(page):
    app = opened(page, data="iris", labels="2", **FAST.get(page, {}))
    assert fine(app), [e.value for e in (*app.exception, *app.error)]
    check_printed(app, page, printed(app, "data.load('iris'"))


@pytest.mark.parametrize(
    ("page", "url"),
    [
        ("propagation", {"versus": "Label spreading", "mistakes": "true"}),
        ("propagation", {"all_labels": "true", "colour": "basin"}),
        ("hubs", {"hubs.grid": "true"}),
        ("embedding", {"embedding.p": "1", "embedding.colour": "truth"}),
        ("embedding", {"embedding.part": "Unseen points"}),
        ("flp", {"FLP.n_components": "1", "flp.part": "The width", "mistakes": "true"}),
        ("inductive", {"inductive.method": "Gaussian mixture", "inductive.colour": "truth"}),
        ("dictionary", FAST["dictionary"] | {"dictionary.method": "OSSDL", "mistakes": "true"}),
        ("clustering", {"cluster_method": "k-means", "clusters.colours": "truth"}),
        ("stream", FAST["stream"] | {"stream.every": "10", "stream.order": "sorted"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("content", [wine_csv(kept=0.2), wine_unlabelled_csv()], ids=["some", "no"])
def test_ways_of_looking_that_use_the_true_classes(page, url, content):
    name = uploads.store_upload("wine.csv", content)
    hand = {} if b"class" in content else {"hand": BY_HAND}
    app = opened(page, data=name, labels="2", **url, **hand, **{f"{name}.standardise": "true"})
    assert fine(app), [e.value for e in (*app.exception, *app.error)]
    assert not any("nan" in value for value in numbers(app).values())
    assert "nan%" not in texts(app)


@pytest.mark.parametrize("page", PAGES)
def test_a_table_without_labels_is_labelled_by_hand_on_every_page(page, tmp_path):
    (tmp_path / "wine.csv").write_bytes(wine_unlabelled_csv())
    name = uploads.store_upload("wine.csv", wine_unlabelled_csv())
    scaled = {f"{name}.standardise": "true"}
    app = opened(page, data=name, **FAST.get(page, {}), **scaled)
    assert fine(app), [e.value for e in (*app.exception, *app.error)]
    waits = any("Label a point of each class to begin" in i.value for i in app.info)
    assert waits == (page not in ("graph", "clustering"))
    app = opened(page, data=name, hand=BY_HAND, **FAST.get(page, {}), **scaled)
    assert fine(app), [e.value for e in (*app.exception, *app.error)]
    assert "No true class is known, so there is no accuracy" in texts(app)
    assert not any("nan" in value for value in numbers(app).values())
    assert app.metric or page == "compare"
    assert printed(app)
