"""Names say what things are: nouns of the field, each used once."""

import ast
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted([*ROOT.glob("sslviz/**/*.py"), *ROOT.glob("pages/*.py")])
QUANTITY_WORDS = set(
    "BIG CLOSE COARSE ENOUGH FAINT FAR FAST FEW FINE FREE FULL GONE HUGE LARGE LEAST LONG LOUD "
    "MANY MOST NARROW NEAR NOBODY NOISY NOTICEABLE PALE PLAIN QUIET ROUGH SEVERAL SHORT SLOW SMALL "
    "SMOOTH SOFT STEEP STRONG THICK THIN TINY USUAL WEAK WIDE".split()
)
# An array or data set may be named by what was done to it.
RESULTS = set(
    "bounded centred frozen iterated normalised padded prepared projected rounded scaled signed "
    "standardised undirected".split()
)
# Participles that do not end in -ed or -ing.
PARTICIPLES = set("begun built drawn given kept known left made seen shown told said".split())
NOUNS = {"embed", "ring", "computing", "reading"}  # … and context managers
# A record of a page is called Number, and so is a declared parameter: no file uses both.
SHARED = {"Number"}


def names_of(path: Path, *kinds: type[ast.AST]) -> list[str]:
    """Module-level functions, classes or constants of a file."""
    found = []
    for node in ast.parse(path.read_text()).body:
        if not isinstance(node, kinds):
            continue
        targets: list[ast.AST] = [node]
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = [*node.targets] if isinstance(node, ast.Assign) else [node.target]
        found += [getattr(target, "name", getattr(target, "id", "")) for target in targets]
    return found


def shared_names(places: Mapping[Any, list[Path]]) -> dict[Any, list[str]]:
    """Names in more than one file, private ones apart."""
    return {
        name: [str(path.relative_to(ROOT)) for path in paths]
        for name, paths in places.items()
        if len(paths) > 1 and not str(name[-1] if isinstance(name, tuple) else name).startswith("_")
    }


def test_no_function_is_named_by_what_is_said_or_by_a_bare_participle() -> None:
    wrong = []
    for path in FILES:
        for name in names_of(path, ast.FunctionDef):
            word = name.strip("_")
            participle = word.endswith(("ed", "ing")) and "_" not in word
            allowed = not participle or word in RESULTS | NOUNS
            if word.endswith("_said") or word in PARTICIPLES or not allowed:
                wrong.append((path.relative_to(ROOT).as_posix(), name))
    assert not wrong


def test_constants_say_their_meaning_and_not_how_much() -> None:
    assert not [
        (path.relative_to(ROOT).as_posix(), name)
        for path in FILES
        for name in names_of(path, ast.Assign, ast.AnnAssign)
        if name.strip("_") in QUANTITY_WORDS
    ]


def test_no_two_classes_share_a_name() -> None:
    places = defaultdict(list)
    for path in FILES:
        for name in names_of(path, ast.ClassDef):
            if name not in SHARED:
                places[name].append(path)
    assert not shared_names(places)


def test_no_two_functions_of_a_folder_share_a_name() -> None:
    places = defaultdict(list)
    for path in FILES:
        if path.name != "__init__.py":  # public names of a folder may stand for one of a file
            for name in names_of(path, ast.FunctionDef):
                places[path.parent, name].append(path)
    assert not shared_names(places)


def test_a_page_can_be_read_in_one_go() -> None:
    for path in ROOT.glob("pages/*.py"):
        assert len(path.read_text().splitlines()) <= 120, path.name
