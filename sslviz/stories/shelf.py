"""The stories that come with the app, and those of lecturers, kept under the hash of their text."""

import hashlib
import os
import re
import tempfile
from importlib import resources
from pathlib import Path

from sslviz.paths import cache_folder
from sslviz.stories.record import Story, StoryError, parse_story

FIRST = "start"  # the tour
OWN = re.compile(r"own-[0-9a-f]{16}")
OWN_STORIES_KEPT = 500  # the newest


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
        return path.read_text(encoding="utf-8") if path.is_file() else None
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
    name = f"own-{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as part:
        part.write(text)
    os.replace(part.name, folder / f"{name}.toml")
    _drop_oldest(folder)
    return name


def _drop_oldest(folder: Path) -> None:
    def age(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except FileNotFoundError:  # dropped by somebody else
            return 0.0

    for path in sorted(folder.glob("own-*.toml"), key=age)[:-OWN_STORIES_KEPT]:
        path.unlink(missing_ok=True)


def _folder() -> Path:
    return cache_folder() / "stories"
