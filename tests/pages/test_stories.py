"""Every step of every story opens, its question can be answered and its goal is there to reach."""

import pytest
from pages.opening import APP, fine, opened
from streamlit.testing.v1 import AppTest

from sslviz.stories.shelf import built_in, keep_story
from sslviz.ui.state.slots import StoryPlace
from sslviz.ui.stories.panel import number_in, without_images
from sslviz.ui.stories.steps import STORY_PAGES

LONGEST = 56  # words of a step that fit into its panel beside the picture
STORIES = built_in(STORY_PAGES)
STEPS = [
    pytest.param(name, i, step, id=f"{name}-{i}")
    for name, story in STORIES.items()
    for i, step in enumerate(story.steps, 1)
]


@pytest.mark.parametrize(("name", "number", "step"), STEPS)
def test_every_step_opens_with_its_task(name, number, step, monkeypatch):
    if step.goal:  # it is about the last round of a run
        monkeypatch.setattr("sslviz.ui.runs.FIRST_PICTURE", 600.0)
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.query_params.update(step.query | {"story": name, "step": str(number)})
    app.switch_page(f"pages/{step.page}.py").run()
    assert fine(app), [e.value for e in app.error]
    assert any(step.title in m.value for m in app.markdown)
    for key, value in step.settings.items():
        assert key in app.session_state, f"{key} is no setting of the page {step.page}"
        assert str(app.session_state[key]) == str(value), key
    if step.question:
        radio = app.radio(key=f"story.answer:{name}:{number}")
        wrong = step.question.answer % len(step.question.options)
        assert "Not quite" in radio.set_value(radio.options[wrong]).run().warning[0].value
        right = app.radio(key=radio.key).set_value(radio.options[step.question.answer - 1])
        assert right.run().success[0].value.startswith("Right.")
    if step.goal:
        shown = {m.label: m.value for m in app.metric}
        value = number_in(shown[step.goal.number])
        assert value is not None and not step.goal.is_reached(value)
        assert any("not there yet" in c.value for c in app.caption)
        app.button(key="open.story.show").click().run()
        assert fine(app) and any(s.value.startswith("Reached.") for s in app.success)


def test_the_next_step_on_the_same_page_is_no_first_visit():
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.query_params.update(STORIES["harm"].steps[0].query | {"story": "harm", "step": "1"})
    app.switch_page("pages/inductive.py").run()
    app.button(key="open.story.next").click().run()
    assert fine(app) and app.session_state["data"] == "three_rings"


@pytest.mark.parametrize("name", STORIES)
def test_a_step_is_short_and_the_last_one_says_what_is_next(name):
    for step in STORIES[name].steps:
        assert len(f"{step.text} {step.look}".split()) <= LONGEST and (step.question or step.goal)
    assert "**Next**" in STORIES[name].steps[-1].text


def test_home_leads_to_the_tour():
    app = opened("home")
    app.button(key="open.story.tour").click().run()
    assert not app.exception and app.session_state["story.place"] == StoryPlace("start", 1)


def test_the_page_lists_all_stories_and_keeps_a_lecturers(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))
    app = opened("stories")
    assert fine(app) and {b.key for b in app.button} >= {f"open.story.{name}" for name in STORIES}
    app.text_area(key="story.text").set_value("title = 1").run()
    app.button(key="open.story.keep").click().run()
    assert "cannot be kept" in app.error[0].value and not app.exception
    text = 'title = "Mine"\n[[steps]]\npage = "graph"\ntitle = "T"\ntext = "X"\n'
    app.text_area(key="story.text").set_value(text).run()
    app.button(key="open.story.keep").click().run()
    assert fine(app) and "?story=own-" in app.code[-1].value


def followed(settings: str) -> AppTest:
    """A lecturer's story with these settings, opened by its link."""
    step = (
        f'[[steps]]\npage = "propagation"\ntitle = "T"\ntext = "X"\nsettings = {{ {settings} }}\n'
    )
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.query_params.update({"story": keep_story(f'title = "S"\n{step}', STORY_PAGES), "step": "1"})
    return app.switch_page("pages/propagation.py").run()


@pytest.mark.parametrize("settings", ["labels = -4", 'labels = "many"'])
def test_settings_that_a_page_refuses_are_left_out_and_said(settings, tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))
    monkeypatch.delenv("SSLVIZ_ERRORS")
    app = followed(settings)
    assert fine(app) and app.slider(key="labels").value == 3
    assert any("refuses the settings of this step" in c.value for c in app.caption)


def test_a_story_sets_controls_only_and_reads_numbers_as_addresses_write_them(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))
    app = followed(
        'labels = "7", mistakes = "true", shared_values = 3, "story.place" = 3, '
        '"open.reset" = true, "labels.file" = "x", data = "Wine", map = "PCA"'
    )
    assert fine(app) and app.slider(key="labels").value == 7 and app.toggle(key="mistakes").value
    assert app.selectbox(key="data").value == "wine", "by its title, as in an address"
    assert not any("refuses" in c.value for c in app.caption)


def test_numbers_are_read_as_they_are_shown():
    assert number_in("99.3%") == pytest.approx(0.993) and number_in("6 of 2,000") == 6
    assert number_in("−1.5") == -1.5 and number_in("1,518") == 1518 and number_in("all") is None


def test_a_strangers_text_brings_no_image():
    assert "![" not in without_images("![x](http://host/px.png)")
