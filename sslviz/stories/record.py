"""The record of a story, read from TOML and checked.

    title = "Few labels go far"
    about = "One sentence for its card."

    [[steps]]
    page = "propagation"                  # the address of a page
    title = "Three labels per class"
    text = "What happens here, in Markdown."
    look = "What to look at."             # optional
    settings = { data = "two_moons", "LabelPropagation.n_neighbors" = 5 }   # as in a link

    [steps.question]                      # optional: a question with options,
    text = "Which labels spread?"
    options = ["all", "none"]
    answer = 1                            # the number of the right option
    why = "The reason, shown after an answer."

    [steps.goal]                          # or something to reach on the picture
    text = "Raise k until both moons are blue."
    number = "Accuracy"                   # the title of a number of the page
    at_most = 0.6                         # and/or at_least
    why = "Shown when it is reached."
    solution = { "LabelPropagation.n_neighbors" = 50 }   # optional: for the button "Show me"

Settings are those in the address of a page; what is not named has its default.
"""

import tomllib
from dataclasses import dataclass, field
from typing import Any

MAX_BYTES, MAX_STEPS, MAX_OPTIONS = 100_000, 40, 8
MAX_TITLE, MAX_TEXT = 120, 4000  # characters
MAX_DOTS = 200  # in a line
PLAIN_VALUES = (str, int, float, bool)


class StoryError(ValueError):
    """A story that cannot be read; the message says where and why."""


@dataclass(frozen=True)
class Quiz:
    """A question with options, of which one is right."""

    text: str
    options: tuple[str, ...]
    answer: int  # counted from 1
    why: str = ""

    def is_right(self, option: str) -> bool:
        return self.options[self.answer - 1] == option


@dataclass(frozen=True)
class Goal:
    """A number of the page that is to reach a range."""

    text: str
    number: str
    at_least: float = float("-inf")
    at_most: float = float("inf")
    why: str = ""
    solution: dict[str, Any] = field(default_factory=dict)  # settings with which it is reached

    def is_reached(self, value: float) -> bool:
        return self.at_least <= value <= self.at_most


@dataclass(frozen=True)
class Step:
    """One page of a story with its settings."""

    page: str
    title: str
    text: str
    look: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    question: Quiz | None = None
    goal: Goal | None = None

    @property
    def query(self) -> dict[str, str]:
        """The settings as in the address."""
        return {key: str(value) for key, value in self.settings.items()}


@dataclass(frozen=True)
class Story:
    """A lesson."""

    title: str
    about: str
    steps: tuple[Step, ...]


def parse_story(text: str, pages: frozenset[str]) -> Story:
    """The story of a TOML file; StoryError says what is wrong with it."""
    if len(text.encode()) > MAX_BYTES:
        raise StoryError(f"a story has at most {MAX_BYTES // 1000} kB")
    if any(line.count(".") > MAX_DOTS for line in text.splitlines()):
        # a name of many parts takes the parser a time that grows with the square of their number
        raise StoryError(f"a line has more than {MAX_DOTS} dots")
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise StoryError(f"this is not TOML: {str(error)[:MAX_TITLE]}") from None
    _refuse_unknown(found, {"title", "about", "steps"}, "the story")
    steps = found.get("steps")
    if not isinstance(steps, list) or not 1 <= len(steps) <= MAX_STEPS:
        raise StoryError(f"a story has between 1 and {MAX_STEPS} parts called [[steps]]")
    return Story(
        _text(found, "title", "the story", MAX_TITLE),
        _text(found, "about", "the story", MAX_TEXT, ""),
        tuple(_step(part, f"step {i}", pages) for i, part in enumerate(steps, 1)),
    )


def _step(part: Any, where: str, pages: frozenset[str]) -> Step:
    if not isinstance(part, dict):
        raise StoryError(f"{where} is not a table")
    _refuse_unknown(part, set(Step.__dataclass_fields__), where)
    page = _text(part, "page", where, MAX_TITLE)
    if page not in pages:
        raise StoryError(f"{where}: page = {page!r} is none of {', '.join(sorted(pages))}")
    question, goal = part.get("question"), part.get("goal")
    return Step(
        page,
        _text(part, "title", where, MAX_TITLE),
        _text(part, "text", where, MAX_TEXT),
        _text(part, "look", where, MAX_TEXT, ""),
        _settings(part, "settings", where),
        None if question is None else _question(question, f"the question of {where}"),
        None if goal is None else _goal(goal, f"the goal of {where}"),
    )


def _question(part: Any, where: str) -> Quiz:
    _refuse_unknown(part, set(Quiz.__dataclass_fields__), where)
    options = part.get("options")
    several = isinstance(options, list) and 2 <= len(options) <= MAX_OPTIONS
    if not several or not all(isinstance(o, str) and 0 < len(o) <= MAX_TITLE for o in options):
        raise StoryError(f"{where} has between 2 and {MAX_OPTIONS} options, each a short text")
    answer = part.get("answer")
    if not isinstance(answer, int) or not 1 <= answer <= len(options):
        raise StoryError(f"{where}: answer is the number of the right option, from 1 on")
    texts = _text(part, "text", where, MAX_TEXT), _text(part, "why", where, MAX_TEXT, "")
    return Quiz(texts[0], tuple(options), answer, texts[1])


def _goal(part: Any, where: str) -> Goal:
    _refuse_unknown(part, set(Goal.__dataclass_fields__), where)
    limits = {name: part[name] for name in ("at_least", "at_most") if name in part}
    if not limits or not all(isinstance(v, int | float) for v in limits.values()):
        raise StoryError(f"{where} has a number at_least or at_most, or both")
    text, number = (_text(part, name, where, MAX_TEXT) for name in ("text", "number"))
    why, solution = _text(part, "why", where, MAX_TEXT, ""), _settings(part, "solution", where)
    return Goal(text, number, **limits, why=why, solution=solution)


def _settings(part: Any, name: str, where: str) -> dict[str, Any]:
    settings = part.get(name, {})
    if not isinstance(settings, dict) or not all(
        isinstance(v, PLAIN_VALUES) and len(str(k)) + len(str(v)) < MAX_TEXT
        for k, v in settings.items()
    ):
        raise StoryError(f"{where}: {name} are texts, numbers, true or false, by name")
    return settings


def _text(part: Any, name: str, where: str, longest: int, default: str | None = None) -> str:
    value = part.get(name, default)
    if not isinstance(value, str) or (default is None and not value.strip()):
        raise StoryError(f"{where} has no text called {name}")
    if len(value) > longest:
        raise StoryError(f"{where}: {name} has more than {longest:,} characters")
    return value.strip()


def _refuse_unknown(part: Any, known: set[str], where: str) -> None:
    if not isinstance(part, dict):
        raise StoryError(f"{where} is not a table")
    if unknown := sorted(set(part) - known):
        raise StoryError(f"{where}: {unknown[0]!r} is none of {', '.join(sorted(known))}")
