"""The page of dictionaries for every method: numbers, code, baselines, sentences."""

import numpy as np
import pytest
from pages.opening import fine, numbers, opened
from pages.test_dictionary import digits, share, words
from streamlit.testing.v1 import AppTest

import sslviz
from sslviz.data.preprocess import prepared
from sslviz.params import params_of
from sslviz.ui.dictionary.sidebar import dictionary_methods, shared_settings

METHODS = dictionary_methods()
SMALL = {"digits.n_samples.few": "145"}
ROUNDS = 2


@pytest.fixture(autouse=True)
def all_rounds_before_the_first_picture(monkeypatch):
    monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 600.0)


def small(Method: type) -> tuple[dict[str, str], dict[str, int]]:
    """A method with few atoms and rounds: in the URL, and as arguments."""
    names = {p.name for p in params_of(Method)}
    wanted = {"n_atoms": 30, "max_iter": ROUNDS}
    values = {name: value for name, value in wanted.items() if name in names}
    keys = {"n_atoms": "n_atoms.images"}
    url = {f"{Method.__name__}.{keys.get(n, n)}": str(v) for n, v in values.items()}
    return SMALL | {"dictionary.method": Method.title} | url, values


def page_of(title: str, **more: str) -> AppTest:
    return opened("dictionary", **small(METHODS[title])[0] | more)


def test_methods_without_unlabelled_points_come_first_and_the_page_opens_with_ssdl_ga():
    app = opened("dictionary", **SMALL | {"SSDLGA.max_iter": "1"})
    control = app.selectbox(key="dictionary.method")
    labelled = [title for title, m in METHODS.items() if m.labelled_only]
    assert control.value == "SSDL-GA" and control.options == list(METHODS)
    assert control.options[: len(labelled)] == labelled and {"SRC", "Metaface"} <= set(labelled)
    assert len(METHODS) == len([m for m in sslviz.METHODS if m.family == "dictionary"])


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("title", METHODS)
def test_every_method_shows_its_accuracy_and_its_code_reproduces_it(title, capsys):
    app = page_of(title)
    assert fine(app), [e.value for e in (*app.exception, *app.error)]
    X, y, _ = digits()
    model = METHODS[title](**small(METHODS[title])[1]).fit(X, y)
    now = numbers(app)
    assert now["Accuracy"] == share(model.transduction_)
    assert set(now) >= {"SRC", "Metaface", "1-NN", "Label propagation"} - {title}
    exec(app.code[-1].value, {})
    assert f"{float(capsys.readouterr().out):.1%}" == now["Accuracy"]


def test_any_other_method_stands_beside_with_its_defaults():
    url = {"dictionary.versus": "true", "dictionary.other": "SRC"}
    app = page_of("S2D2", **url)
    X, y, _ = digits()
    assert fine(app) and "S2D2" not in app.selectbox(key="dictionary.other").options
    assert numbers(app)["SRC"] == share(sslviz.SRC().fit(X, y).transduction_)
    assert list(numbers(app)).count("SRC") == 1 and "They differ on" in words(app)


def test_only_parameters_of_the_same_meaning_are_shared():
    settings = {"n_atoms": 50, "lam": 0.7, "fisher": 0.2, "max_iter": 3}
    assert shared_settings(sslviz.FDDL, settings, sslviz.S2D2, 80) == settings
    beside = shared_settings(sslviz.FDDL, settings, sslviz.Metaface, 80)
    assert beside == {"n_atoms": 50, "max_iter": 3}, "λ of FDDL counts twice"
    assert shared_settings(sslviz.SRC, {"lam": 0.7}, sslviz.SSDLP, 80) == {
        "n_atoms": 80,
        "lam": 0.7,
    }


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_baselines_are_the_methods_with_their_defaults():
    app = page_of("D-KSVD")
    X, y, _ = digits()
    for Method in (sslviz.SRC, sslviz.Metaface):
        expected = share(Method().fit(X, y).transduction_)
        assert numbers(app)[Method.title] == expected


def test_the_page_says_where_labelled_points_alone_do_better():
    lost = page_of("SSR-D", **{"SSRD.n_atoms.images": "120"})
    won = opened("dictionary", **SMALL | {"SSDLGA.n_atoms.images": "30", "SSDLGA.max_iter": "8"})
    for app, Title in ((lost, "SSR-D"), (won, "SSDL-GA")):
        now = {name: float(value.rstrip("%")) for name, value in numbers(app).items()}
        behind = now["Accuracy"] < max(now["SRC"], now["Metaface"])
        assert ("no unlabelled point" in words(app)) == behind == (Title == "SSR-D")
    assert f"than SSR-D ({numbers(lost)['Accuracy']})" in words(lost)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_learning_that_stops_early_says_why():
    app = page_of("PSSDL", **{"PSSDL.as_printed": "true", "PSSDL.max_iter": "10"})
    assert fine(app) and "PSSDL has stopped before its last round" in words(app)
    assert any(h.value == "Objective and size of the codes" for h in app.subheader)
    plain = page_of("PSSDL")
    assert "has stopped before" not in words(plain)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_fewer_labelled_points_than_atoms_are_mentioned():
    app = page_of("FDDL", **{"FDDL.n_atoms.images": "90"})
    assert "90 atoms are asked for, but FDDL can start from 30 points only" in words(app)


def test_what_a_method_refuses_is_a_sentence_on_the_page(folder):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(4, 5)) + 6 * rng.normal(size=5) for _ in range(25)])
    np.savez(folder / "many.npz", X=X, y=np.repeat(np.arange(25), 4))
    url = {"data": "many", "dictionary.method": "FDDL", "FDDL.n_atoms.table": "20"}
    app = opened("dictionary", labels="2", **url)
    assert not app.exception
    (error,) = app.error
    assert "atoms=20 is less than one for each of the 25 classes" in error.value


def test_a_warm_start_is_offered_where_the_method_has_one():
    keys = {t.key for t in page_of("SRC").toggle}
    assert "dictionary.go_on" not in keys and "dictionary.versus" in keys
    assert "dictionary.go_on" in {t.key for t in page_of("USSDL").toggle}


def test_points_are_reconstructed_in_the_scale_of_the_method():
    app = page_of("JDL", **{"dictionary.scale.images": "as they are"})
    X, y, _ = digits()
    model = sslviz.JDL(30, max_iter=ROUNDS).fit(X, y)
    unit = prepared(X, ("length 1",))
    error = np.square(unit - model.codes_ @ model.components_).sum() / len(X)
    assert numbers(app)["Reconstruction error"] == f"{error:.1%}", "lengths do not matter"


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_explains_a_method_stands_beside_the_atoms_until_an_atom_is_clicked():
    app = page_of("LC-KSVD")
    assert app.subheader[0].value == "Codes and ideal codes"
    app.session_state["clicked.atom"] = 3
    app.run()
    heads = [h.value for h in app.subheader]
    assert heads[0] == "Atom 3" and heads.count("Codes and ideal codes") == 1


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_method_that_copies_its_points_says_so_and_offers_fewer_atoms():
    app = page_of("D-KSVD", **{"DKSVD.max_iter": "5"})
    assert "each of them one of the points, and the objective falls to 0" in words(app)
    app.button(key="fewer.atoms").click().run()
    assert fine(app) and app.slider(key="DKSVD.n_atoms.images").value == 20
    assert "falls to 0" not in words(app)
