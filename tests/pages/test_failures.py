"""Presets: each opens its page with every parameter as named, and shows what it says."""

import pytest
from pages.opening import APP, fine, numbers, opened
from streamlit.testing.v1 import AppTest

from sslviz.ui.presets.apply import ALL_PRESETS
from sslviz.ui.presets.cards import preset_picture
from sslviz.ui.presets.catalogue import PRESETS, Preset
from sslviz.ui.presets.openings import OPENINGS
from sslviz.ui.presets.successes import SUCCESSES

HERE = [p for p in PRESETS if p.parameters["data"] not in ("mnist", "mnist_5k")]


def widget(app: AppTest, key: str):
    """The widget with a key, whatever its kind."""
    for kind in (
        app.slider,
        app.select_slider,
        app.selectbox,
        app.toggle,
        *[app.get("button_group")],
    ):
        found = [w for w in kind if w.key == key]
        if found:
            return found[0]
    raise KeyError(key)


def by(key: str) -> Preset:
    return next(p for p in PRESETS if p.key == key)


def shown(preset: Preset) -> AppTest:
    page = preset.page.removeprefix("pages/").removesuffix(".py")
    return opened(page, **{"two_moons.n_samples": "2000"} | preset.query)


def test_there_is_a_button_for_every_preset_and_a_sentence_for_missing_data():
    app = opened("failures")
    assert fine(app)
    buttons = {b.key: b for b in app.button}
    assert set(buttons) == {f"open.{p.key}" for p in ALL_PRESETS}
    assert buttons["open.mnist"].disabled and not buttons["open.bridge"].disabled
    assert any("`mnist`, which is not available" in c.value for c in app.caption)


def test_keys_and_pictures_are_there_once():
    assert len({p.key for p in PRESETS}) == len(PRESETS)
    for preset in PRESETS:
        assert (APP.parent / "assets" / "failures" / f"{preset.key}.png").is_file()
        assert (APP.parent / preset.page).is_file()


def test_what_works_is_what_a_page_opens_with():
    """So that its percentages are those that the first pictures are tested for."""
    for preset in SUCCESSES:
        opening = OPENINGS.get(preset.page.removeprefix("pages/").removesuffix(".py"), {})
        assert opening.items() <= preset.parameters.items(), preset.key
        assert preset_picture(preset).is_file()


@pytest.mark.parametrize("preset", HERE, ids=lambda p: p.key)
def test_every_parameter_is_taken_as_it_is_named(preset):
    app = shown(preset)
    assert fine(app)
    for key, value in preset.parameters.items():
        assert widget(app, key).value == value, key


def test_a_button_opens_its_page_with_everything_set():
    app = opened("propagation", method="Label spreading", mistakes="true", labels="9")
    app.switch_page("pages/failures.py").run()
    app.button(key="open.too_many_hubs").click().run()
    assert fine(app) and app.title[0].value == "Hubs"
    assert app.slider(key="hubs.h").value == 1200
    assert app.slider(key="labels").value == 3, "what a preset does not name is at its default"
    assert not app.toggle(key="mistakes").value


def lesson(app: AppTest) -> bool:
    return any(b.key == "open.lesson" for b in app.button)


def island() -> AppTest:
    """The page that a card leads to; AppTest itself would go back to the gallery."""
    app = opened("failures").button(key="open.island").click().run()
    return app.switch_page("pages/propagation.py").run()


def test_a_preset_repeats_its_lesson_until_it_is_dismissed():
    app = island()
    assert fine(app) and lesson(app)
    assert any(by("island").look in m.value for m in app.markdown)
    app.slider(key="LabelPropagation.n_neighbors").set_value(7).run()
    assert lesson(app), "what it says to try does not end it"
    app.button(key="open.lesson").click().run()
    assert fine(app) and not lesson(app)


def test_another_method_ends_a_lesson_for_good():
    app = island()
    app.selectbox(key="method").select("Label spreading").run()
    assert fine(app) and not lesson(app)
    app.selectbox(key="method").select("Label propagation").run()
    assert not lesson(app)


def test_a_link_to_a_preset_shows_its_lesson_and_another_data_set_ends_it():
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.query_params.update(by("halved").query)
    app.switch_page("pages/clustering.py").run()
    assert fine(app) and any(by("halved").sentence in m.value for m in app.markdown)
    app.selectbox(key="data").select("two_moons").run()
    assert fine(app) and not lesson(app)
    assert not lesson(opened("clustering", data="four_clusters"))


def accuracies(preset: Preset) -> list[float]:
    table = shown(preset).dataframe[0].value
    return [float(text.rstrip("%")) for text in table["accuracy"]]


def test_what_the_presets_say_is_so():
    few, many = accuracies(by("bridge"))
    assert few == 100 and many < 85
    walk, vote = accuracies(by("two_labels"))
    assert walk < 60 and vote > 80
    directed, hubs = accuracies(by("outliers"))
    assert directed < 85 and hubs > 95
    plain, tuned = accuracies(by("rings"))
    assert plain > 95 and tuned < 85
    assert float(numbers(shown(by("island")))["Undetermined"].rstrip("%")) > 15
    many = numbers(shown(by("too_many_hubs")))
    assert float(many["Robust label prediction"].rstrip("%")) < 85
    assert float(many["Label propagation"].rstrip("%")) > 90
