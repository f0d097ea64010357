"""A visitor's own file is previewed, corrected and opened; what is none is refused in words."""

import pytest
from links.picture import figures_of
from own_files import (
    book_mat,
    german_csv,
    letters_csv,
    npz_of,
    wine_csv,
    wine_unlabelled_csv,
)
from pages.opening import fine, numbers, opened
from streamlit.testing.v1 import AppTest

from sslviz import data
from sslviz.data import uploads
from sslviz.ui.data.own_sets import OWN_FILE
from sslviz.ui.data.picker import OPENML


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))


def flowers() -> bytes:
    d = data.load("iris")
    rows = [[*x, d.classes[c]] for x, c in zip(d.X, d.y, strict=True)]
    return "\n".join(",".join(map(str, row)) for row in rows).encode()


def brought(app: AppTest, name: str, content: bytes) -> AppTest:
    app.file_uploader(key="own_file").set_value((name, content, "text/csv"))
    return app.run()


def previewed(name: str, content: bytes, page: str = "propagation") -> AppTest:
    app = brought(opened(page, data=OWN_FILE), name, content)
    assert fine(app), [e.value for e in (*app.exception, *app.error)]
    return app


def figures(app: AppTest) -> list[str]:
    return [str(figure) for figure in figures_of(app).values()]


def widget(kind, title):
    return next(w for w in kind if w.label == title)


def understood(app: AppTest) -> str:
    return next(m.value for m in app.markdown if "Understood" in m.value)


def open_it(app: AppTest) -> AppTest:
    app.button(key="open.use_file").click().run()
    assert fine(app), [e.value for e in (*app.exception, *app.error)]
    return app


def test_before_a_file_is_there_the_page_says_what_it_waits_for():
    app = opened("propagation", data=OWN_FILE)
    assert fine(app) and not app.metric
    assert any("One row for each point" in m.value for m in app.markdown)
    app = opened("propagation", data=OPENML)
    assert fine(app) and "Type the name" in app.info[0].value and not app.metric


def test_a_table_is_previewed_and_then_chosen():
    app = previewed("flowers.csv", flowers())
    assert "150 rows and 5 columns, of which 4 are features" in understood(app)
    assert "3 classes: setosa, versicolor, virginica" in understood(app)
    assert list(app.dataframe[0].value.shape) == [8, 5] and not app.metric
    app = open_it(app)
    chosen = app.selectbox(key="data").value
    assert chosen.startswith("flowers-") and app.metric
    assert any("150 points, 4 features, 3 classes" in c.value for c in app.caption)
    plain = opened("propagation", data="iris")
    assert [m.value for m in app.metric] == [m.value for m in plain.metric]
    other = opened("graph", data=chosen)  # by its link
    assert fine(other) and other.selectbox(key="data").value == chosen
    assert not any(name in opened("graph").selectbox(key="data").options for name in (chosen,))


def test_a_partly_labelled_table_is_standardised_and_says_what_is_known():
    app = open_it(previewed("wine.csv", wine_csv(kept=0.1)))
    chosen = app.selectbox(key="data").value
    assert app.toggle(key=f"{chosen}.standardise").value
    assert any("The class of 19 of 178 points is known" in c.value for c in app.caption)
    assert numbers(app)["Labels given"] == "9 of 178"
    app.toggle(key="all_labels").set_value(True).run()
    assert fine(app) and numbers(app)["Accuracy"] == "all given"
    assert numbers(app)["Labels given"] == "19 of 178"


def test_labels_features_and_missing_values_can_be_corrected():
    app = previewed("wine.csv", wine_csv(kept=0.5, missing=0.05))
    assert "missing values in 89 rows replaced by the median" in understood(app)
    widget(app.multiselect, "Features").set_value(["feature 0", "feature 12"]).run()
    widget(app.multiselect, "Values that mean “no label”").set_value(["", "grower 2"]).run()
    next(w for w in app.button_group if w.label == "Missing values").set_value("drop").run()
    assert "2 classes: grower 0, grower 1" in understood(app) and "left out" in understood(app)
    app = open_it(app)
    d = data.load(app.selectbox(key="data").value)
    assert d.n_features == 2 and d.classes == ("grower 0", "grower 1")
    assert "columns=('feature 0', 'feature 12')" in d.source and "missing='drop'" in d.source


def test_what_was_chosen_can_be_changed_afterwards():
    app = open_it(previewed("wine.csv", wine_csv()))
    first = app.selectbox(key="data").value
    app.button(key="open.reading").click().run()
    assert "178 rows" in understood(app) and app.selectbox(key="data").value == OWN_FILE
    widget(app.selectbox, "Labels are in column").set_value("none: label points by hand").run()
    widget(app.text_input, "Names of the classes").set_value("red, white, rosé").run()
    app = open_it(app)
    second = app.selectbox(key="data").value
    assert second != first and data.load(second).classes == ("red", "white", "rosé")
    assert first not in app.selectbox(key="data").options
    assert any("Without a label so far: red, white, rosé" in i.value for i in app.info)


def test_a_german_table_is_understood_and_its_format_can_be_corrected():
    app = previewed("deutsch.csv", german_csv())
    assert "semicolon between cells and decimal comma" in understood(app)
    widget(app.selectbox, "Decimal mark").set_value(".").run()
    assert any("no column except the labels holds numbers" in e.value for e in app.error)
    widget(app.selectbox, "Decimal mark").set_value(",").run()
    assert fine(open_it(app)) and numbers(app)["Accuracy"]


def test_a_table_of_texts_is_opened_by_its_words(tmp_path, monkeypatch, capsys):
    (tmp_path / "letters.csv").write_bytes(letters_csv())
    monkeypatch.chdir(tmp_path)
    app = previewed("letters.csv", letters_csv())
    assert "60 rows and 3 columns, written" in understood(app)
    assert widget(app.multiselect, "Texts whose words are features").value == ["letter"]
    app = open_it(app)
    assert any("The class of 40 of 60 points is known" in c.value for c in app.caption)
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["Accuracy"]


def test_what_is_no_table_is_said_and_another_file_may_follow():
    app = brought(opened("propagation", data=OWN_FILE), "notes.csv", b"\x00\x01")
    assert not app.exception and "notes.csv: it is not a text file" in app.error[0].value
    app = brought(app, "notes.docx", b"PK")
    assert "notes.docx: expected a table" in app.error[0].value
    assert fine(open_it(brought(app, "flowers.csv", flowers()))) and app.metric


def test_markup_in_names_stays_text():
    image = "![p](http://evil.example/x.png)"
    X = data.load("iris").X
    content = npz_of(X=X, y=data.load("iris").y, classes=["<b>bold</b>", image, "a_b*c*"])
    name = uploads.store_upload("<i>x</i>.npz", content)
    for page in ("propagation", "graph", "clustering", "compare"):
        options = {"cluster_method": "k-means"} if page == "clustering" else {}
        app = opened(page, data=name, point="100", **options)
        assert fine(app)
        shown = [e.value for kind in (app.markdown, app.caption, app.info) for e in kind]
        assert not any("](http" in text or "<b>" in text for text in shown)
        assert page == "compare" or any("&#91;p&#93;" in text for text in [*shown, *figures(app)])
    app = opened("propagation", data=name, point="100")
    assert "<b>bold</b>" in app.selectbox(key="open.label.100.-1").options, "plain there"


def test_a_name_that_was_never_given_is_no_set():
    gone = f"flowers-{'0' * 12}"
    app = opened("propagation", data=gone, hand="5.1_7.0", point="3")
    assert fine(app) and app.selectbox(key="data").value == "two_moons" and app.metric
    assert "is no longer here" in app.warning[0].value
    assert numbers(app)["Labels given"] == "6 of 316", "labels of another set do not count"


def test_units_that_differ_are_standardised_when_a_set_is_chosen_and_a_click_undoes_it():
    app = opened("propagation")
    app.selectbox(key="data").set_value("wine").run()
    assert fine(app) and app.toggle(key="wine.standardise").value
    assert float(numbers(app)["Accuracy"][:-1]) > 90
    assert "standardise=True" in app.code[-1].value
    app.button(key="open.unscale").click().run()
    assert not app.toggle(key="wine.standardise").value and not app.info
    assert float(numbers(app)["Accuracy"][:-1]) < 50
    app.selectbox(key="data").set_value("iris").run()
    assert not app.toggle(key="iris.standardise").value


def test_an_old_link_without_the_word_stays_unscaled_and_offers_it():
    app = opened("propagation", data="wine")
    assert not app.toggle(key="wine.standardise").value
    assert "times the standard deviation" in app.info[0].value
    app.button(key="open.scale").click().run()
    assert app.toggle(key="wine.standardise").value


def test_an_official_split_is_given_and_in_the_code(tmp_path, monkeypatch, capsys):
    (tmp_path / "book.mat").write_bytes(book_mat())
    monkeypatch.chdir(tmp_path)
    name = uploads.store_upload("book.mat", book_mat())
    app = opened("propagation", data=name, split="official, 10 labels", split_number="3")
    assert fine(app) and numbers(app)["Labels given"] == "10 of 130"
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == numbers(app)["Accuracy"]


def test_an_unlabelled_table_is_labelled_and_labels_can_be_taken_back():
    name = uploads.store_upload("wine.csv", wine_unlabelled_csv())
    app = opened("propagation", data=name, point="3")
    assert not app.metric
    app.selectbox(key="open.label.3.-1").set_value(0).run()
    assert any("Without a label so far: class 2" in i.value for i in app.info)
    app = opened("propagation", data=name, point="3", hand="3.0_90.1")
    assert app.metric
    app.selectbox(key="open.label.3.0").set_value(-1).run()
    assert fine(app) and not app.metric, "back to the first labels"
