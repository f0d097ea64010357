"""The stories that come with the app, and those of lecturers, kept under the hash of their text."""

import hashlib
import re
from importlib import resources
from pathlib import Path

from sslviz import kept_files
from sslviz.stories.record import Story, StoryError, parse_story

FIRST = "start"  # the tour
OWN = re.compile(r"own-[0-9a-f]{16}")


def built_in(pages: frozenset[str]) -> dict[str, Story]:
    """The stories of the app by name, the tour first."""
    files = [f for f in resources.files(__package__).iterdir() if f.name.endswith(".toml")]
    names = sorted((f.name.removesuffix(".toml") for f in files), key=lambda n: (n != FIRST, n))
    return {name: parse_story(_built_in_text(name), pages) for name in names}


def _built_in_text(name: str) -> str:
    return (resources.files(__package__) / f"{name}.toml").read_text(encoding="utf-8")


def story_text(name: str) -> str | None:
    """The file of a story; None if there is none of this name."""
    if OWN.fullmatch(name):
        path = _folder() / f"{name}.toml"
        text = path.read_bytes().decode() if path.is_file() else None
        if text is None or _name_of(text) != name:  # gone or damaged
            return None
        kept_files.mark_used(path)
        return text
    known = re.fullmatch(r"[a-z0-9_]{1,40}", name)
    exists = known and (resources.files(__package__) / f"{name}.toml").is_file()
    return _built_in_text(name) if exists else None


def find_story(name: str, pages: frozenset[str]) -> Story | None:
    """The story of a name, as in a link; None if it is not there or cannot be read."""
    try:
        text = story_text(name)
        return None if text is None else parse_story(text, pages)
    except (StoryError, OSError, UnicodeDecodeError):
        return None


def keep_story(text: str, pages: frozenset[str]) -> str:
    """Keep a lecturer's story; its name, for a link. StoryError says what is wrong with it."""
    parse_story(text, pages)
    name = _name_of(text)
    kept_files.write_file(_folder() / f"{name}.toml", text.encode())
    return name


def _name_of(text: str) -> str:
    return f"own-{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"


def _folder() -> Path:
    return kept_files.folder_of("stories")
