"""Session state in declared slots: everything a session remembers besides the values of widgets.

A slot has a name, a default, a scope and, where the address of the page holds it as well, the name
of that query parameter. The list at the end of this file is the complete catalogue; no other file
reads or writes `st.session_state` directly, except for the values of widgets (page_state.py).

Scopes: a slot of "session" lasts as long as the browser tab. A slot of "page" or "data set"
belongs to what `where` names and has its default again when that changes.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar, cast

import streamlit as st

T = TypeVar("T")


class StoryPlace(NamedTuple):
    """A story by its name, and one of its steps, counted from 1; "" without a story."""

    name: str
    step: int


@dataclass(frozen=True)
class Slot(Generic[T]):
    """A named value of the session.

    `default` is a value, or a function without arguments that makes one (list, dict, set); a value
    made is kept, so that it may be changed in place.
    """

    name: str
    default: T | Callable[[], T]
    scope: Literal["session", "page", "data set"] = "session"
    in_url: str = ""  # the query parameter that holds it, too
    kept_by_presets: bool = True  # else cleared when a preset sets all widgets
    part: str = ""  # of a family of slots

    def of(self, part: str) -> "Slot[T]":
        """The slot of one page, figure, … where each has its own."""
        return replace(self, part=part)

    @property
    def key(self) -> str:
        """The key in `st.session_state`."""
        return f"{self.name}:{self.part}" if self.part else self.name

    @property
    def _place(self) -> str:
        return f"{self.key}:where"

    def is_set(self, where: Hashable = None) -> bool:
        """Whether there is a value, for `where` if that is given."""
        if self.key not in st.session_state:
            return False
        return where is None or st.session_state.get(self._place, where) == where

    def get(self, where: Hashable = None) -> T:
        """The value; the default if there is none, or only one that belongs elsewhere."""
        if not self.is_set(where):
            value = cast(T, self.default() if callable(self.default) else self.default)
            if not callable(self.default):
                return value
            self.set(value, where)
        return cast(T, st.session_state[self.key])

    def set(self, value: T, where: Hashable = None) -> None:
        """Remember a value; it belongs to `where`, if not given to where the last one belonged."""
        st.session_state[self.key] = value
        if where is not None:
            st.session_state[self._place] = where

    def clear(self) -> None:
        """Back to the default."""
        for key in (self.key, self._place):
            st.session_state.pop(key, None)

    def pop(self, where: Hashable = None) -> T:
        """The value, which is then cleared."""
        value = self.get(where)
        self.clear()
        return value


def slot_of(key: str) -> Slot[Any] | None:
    """The slot that a key of `st.session_state` belongs to; None for the key of a widget."""
    return next((slot for slot in catalogue() if slot.name == key.split(":")[0]), None)


def catalogue() -> Iterator[Slot[Any]]:
    """All slots declared in this file, in its order."""
    return (value for value in globals().values() if isinstance(value, Slot))


# ---- the frame: app.py, page_state.py
ENTERED = Slot("entered", False)  # whether app.py has drawn the frame around the page
OPENED_BARE = Slot("opened_bare", "")  # the page that shows its first picture
OPENED_PLAYING = Slot("opened_playing", "")  # the page whose animation has been started
LAST_PAGE = Slot("last_page", "")  # the page that ran last
SAME_PAGE = Slot("same_page", False)  # whether the run before was of the same page
SHARED_VALUES = Slot[dict[str, Any]]("shared_values", dict)  # of widgets, given to the next page
LINK_READ = Slot("link_read", False)  # the address that the session was opened with
IGNORED_IN_LINK = Slot[tuple[str, ...]]("ignored_in_link", ())  # its names without a control
SETTINGS_FORGOTTEN = Slot("settings_forgotten", False)  # in this run: widgets have their defaults
URL_OUTDATED = Slot("url_outdated", False)  # it names defaults, and is to be written once more

# ---- clicks and labels: clicks.py, manual_labels.py, class_styles.py
CLICKED_POINT = Slot[int | None](
    "clicked.point", None, "data set", in_url="point", kept_by_presets=False
)
CLICKED_ATOM = Slot[int | None](
    "clicked.atom", None, "data set", in_url="atom", kept_by_presets=False
)
CLICKED_ARRIVAL = Slot[int | None](
    "clicked.arrival", None, "data set", in_url="arrival", kept_by_presets=False
)
SELECTED_GROUP = Slot[tuple[int, ...]](  # by a lasso or a box
    "clicked.group", (), "data set", kept_by_presets=False
)
NEXT_POINT = Slot[int | None](  # proposed by a rule, ringed on the maps
    "next_label.point", None, "data set", kept_by_presets=False
)
LABEL_FILE = Slot("by_hand.file", "")  # the file of labels that was taken last
MANUAL_LABELS = Slot[dict[str, dict[int, int]]](  # data set and options -> point -> class
    "by_hand.held", dict, in_url="hand", kept_by_presets=False
)
LABEL_CONTEXT = Slot[Any]("by_hand.context", None, kept_by_presets=False)  # what is on the page
PAGE_OUTDATED = Slot("clicked.newer", False)  # a part of the page has heard of a click alone
LABELS_CHANGED = Slot("by_hand.changed", False, kept_by_presets=False)  # since it was computed
CLASS_STYLES = Slot[dict[str, dict[int, Any]]](  # data set -> class -> name and colour
    "class_styles.held", dict, in_url="classes", kept_by_presets=False
)
CLASS_COLOURS = Slot[dict[int, str]](
    "class_styles.colours", dict
)  # chosen, of the data on the page

# ---- figures: components/live_figure.py
SHAPES = Slot("look.shapes", False)  # points have the shape of their class beside its colour
FIGURE_EVENTS = Slot[dict[str, Any]]("figure_events", dict)  # of each figure, by its key

# ---- data: data/canvas.py, data/own_sets.py
CANVAS_OPEN = Slot("canvas.open", False)
CANVAS_DATASET = Slot[Any]("canvas.dataset", None)  # the set on the page, to start a drawing from
CANVAS_ERROR = Slot[str | None]("canvas.error", None)
LAST_DRAWING = Slot[str | None]("canvas.last", None)  # its name as a data set
OWN_SETS = Slot[list[str]]("own_sets.names", list)  # uploaded or drawn by this visitor
OWN_SET_ADDED = Slot("own_sets.added", False)  # in this run: the URL still names the set before
DATA_CHOSEN = Slot("own_sets.chosen", False)  # by the visitor, in this run
OPENML_ASKED = Slot("openml.asked", "")  # the set the visitor wants to be downloaded
RAW_CHOSEN = Slot[frozenset[str]]("scaling.raw", frozenset())  # sets not to be standardised
UPLOAD = Slot[Any]("own_sets.upload", None)  # a file that is previewed
UPLOAD_COUNT = Slot("own_sets.uploads", 0)
UPLOAD_ERROR = Slot[str | None]("own_sets.error", None)

# ---- stories/
STORY = Slot("story.place", StoryPlace("", 0))  # the story that is followed
STEP_APPLIED = Slot("story.applied", False)  # a step whose page is to be opened
SETTINGS_TRIED = Slot("story.tried", False)  # a step has just set the controls of the page
SETTINGS_REFUSED = Slot("story.refused", False)  # the page could not be drawn with them
SHOWN_NUMBERS = Slot[dict[str, str]]("story.numbers", dict)  # of the page, by their titles
OWN_STORY = Slot("story.own", "")  # the name of the story brought last
RUN_GOES_ON = Slot("story.run_goes_on", False)  # numbers of the page are not the last ones
GOAL_PLACE = Slot[Any]("story.goal_place", None)  # of texts: until a goal is reached, and then

# ---- presets/apply.py, runs.py
LESSON = Slot("lesson", "")  # the preset explained on its page; "" once it is dismissed
RUN_TRAILS = Slot[tuple[Any, ...]]("run_trails", ())  # of each page: the last runs, to go on from

# ---- pages of one family
CLUSTER_PATH_ENDS = Slot[list[int]]("clustering.path_ends", list, "data set")  # points clicked
S3VM_RUN = Slot[Any]("inductive.s3vm_run", None, "data set")  # the last continuation, to go on from
STREAM_CONTINUED_AT = Slot[int | None]("stream.continued_at", None, "page")  # arrivals before
