"""The address of a page as a step of a story, in TOML, to set it up by hand and copy it."""

import json
import re
from urllib.parse import parse_qs, urlsplit

from sslviz.stories.record import MAX_BYTES, StoryError

NO_SETTINGS = ("story", "step", "embed", "embed_options")
NUMBER_OR_FLAG = re.compile(
    r"-?(0|[1-9]\d{0,17})(\.\d{1,17})?|true|false", re.ASCII
)  # in TOML, too


def step_of_link(link: str, pages: frozenset[str]) -> str:
    """A step on the page of this address with its settings; StoryError if no step can show it."""
    if len(link) > MAX_BYTES:
        raise StoryError("the address is too long")
    try:
        parts = urlsplit(link.strip())
        found = parse_qs(parts.query, keep_blank_values=True)
    except ValueError as error:
        raise StoryError("this is no address") from error
    page = parts.path.rstrip("/").rpartition("/")[2]
    if page not in pages:
        raise StoryError("this is not the address of a page with a picture")
    several = [name for name, values in found.items() if len(values) > 1]
    if several:
        raise StoryError(f"a story cannot set {several[0][:40]}, which has several values")
    settings = [
        f"{_toml_string(name)} = {text if NUMBER_OR_FLAG.fullmatch(text) else _toml_string(text)}"
        for name, (text,) in found.items()
        if name not in NO_SETTINGS
    ]
    return "\n".join(
        [
            "[[steps]]",
            f"page = {_toml_string(page)}",
            'title = "A title"',
            'text = "What happens here."',
            f"settings = {{ {', '.join(settings)} }}",
            "",
        ]
    )


def _toml_string(text: str) -> str:
    """A string of TOML, written as JSON writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
