"""Stories are read from TOML; what is wrong with one is said in a sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sslviz.stories.record import Goal, Quiz, StoryError, parse_story

PAGES = frozenset({"graph", "propagation"})
STEP = '[[steps]]\npage = "graph"\ntitle = "One"\ntext = "Text"\n'
HEAD = 'title = "A"\nabout = "B"\n'


def test_a_story_is_read_as_written():
    text = f"""{HEAD}{STEP}look = "there"
settings = {{ data = "iris", labels = 3, "LabelPropagation.n_neighbors" = 7 }}
[steps.question]
text = "Why?"
options = ["so", "not so"]
answer = 2
why = "since"
{STEP}[steps.goal]
text = "Reach it"
number = "Accuracy"
at_least = 0.9
"""
    story = parse_story(text, PAGES)
    first, second = story.steps
    assert (story.title, story.about, first.look) == ("A", "B", "there")
    query = {"data": "iris", "labels": "3", "LabelPropagation.n_neighbors": "7"}
    assert first.query == query
    assert first.question == Quiz("Why?", ("so", "not so"), 2, "since")
    assert first.question.is_right("not so") and not first.question.is_right("so")
    assert second.goal == Goal("Reach it", "Accuracy", at_least=0.9) and second.settings == {}
    assert second.goal.is_reached(0.9) and not second.goal.is_reached(0.89)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "parts called"),
        ("title = ", "not TOML"),
        (f"{HEAD}", "parts called"),
        (f"{HEAD}steps = 3", "parts called"),
        (STEP, "no text called title"),
        (HEAD + STEP.replace("graph", "../etc"), "is none of"),
        (HEAD + STEP + "colour = 3", "'colour' is none of"),
        (HEAD + STEP + "settings = { a = [1] }", "settings are texts"),
        (HEAD + STEP + '[steps.question]\ntext = "?"\noptions = ["a"]\nanswer = 1', "between 2"),
        (
            HEAD + STEP + '[steps.question]\ntext = "?"\noptions = ["a", "b"]\nanswer = 3',
            "number of the right option",
        ),
        (HEAD + STEP + '[steps.goal]\ntext = "?"\nnumber = "x"', "at_least or at_most"),
        (HEAD + STEP * 41, "between 1 and 40"),
        (HEAD + STEP.replace("One", "x" * 200), "more than 120"),
        ("#" * 200_000, "at most 100 kB"),
    ],
)
def test_what_is_wrong_is_said(text, said):
    with pytest.raises(StoryError, match=said):
        parse_story(text, PAGES)


@settings(max_examples=200)
@given(st.text(max_size=200), st.integers(0, 60))
def test_no_text_breaks_the_reader(noise, cut):
    whole = HEAD + STEP
    for text in (noise, whole[:cut] + noise + whole[cut:]):
        try:
            parse_story(text, PAGES)
        except StoryError as error:
            assert str(error)
