"""The address of a page becomes a step of a story."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sslviz.stories.page_links import step_of_link
from sslviz.stories.record import StoryError, parse_story

PAGES = frozenset({"graph", "propagation"})


def step_of(link: str):
    return parse_story(f'title = "A"\n{step_of_link(link, PAGES)}', PAGES).steps[0]


def test_page_and_settings_are_those_of_the_address():
    step = step_of(
        "https://school.example/ssl/propagation?data=Two+moons&two_moons.noise=0.20"
        "&LabelPropagation.n_neighbors=7&mistakes=true&hand=3.0_90.1&story=start&step=2"
    )
    assert step.page == "propagation" and step.settings == {
        "data": "Two moons",
        "two_moons.noise": 0.2,
        "LabelPropagation.n_neighbors": 7,
        "mistakes": True,
        "hand": "3.0_90.1",
    }
    assert step_of("/graph").settings == {}


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("http://x/home?a=1", "not the address of a page"),
        ("http://[x/graph", "no address"),
        ("graph?a=1&a=2", "several values"),
        ("x" * 200_000, "too long"),
    ],
)
def test_other_addresses_are_refused_in_words(link, words):
    with pytest.raises(StoryError, match=words):
        step_of_link(link, PAGES)


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_an_address_holds_the_step_can_be_read(name, value):
    link = f"graph?{name}={value}"
    try:
        step = step_of(link)
    except StoryError:
        return
    assert step.page == "graph"
