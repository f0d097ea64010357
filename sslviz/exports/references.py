"""BibTeX entries of the papers of a method, read from the end of its module docstring.

That paragraph holds references of the form "Author, Author. Title. Venue year." The docstring stays
the only place where a paper is named in full.
"""

import re
import sys
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

WORDS = r"(?:[^.]|\bJ\.|(?<=\d)\.(?=\d))"  # dots end a part, except those in "J." and "3.2"
YEAR = r"\b(?:1[89]|20)\d\d\b"
REFERENCE = re.compile(
    rf"(?P<authors>[^.]+)\. (?P<title>.+?)\. (?P<place>{WORDS}*?{YEAR}{WORDS}*)\.(?: |$)"
)
JOURNALS = re.compile(
    r"\bJ\.|Journal|JMLR|PAMI|TSP|TNNLS|Transactions|Annals|Magazine|Machine Learning|Media|Nature"
)


class Reference(NamedTuple):
    """A paper: last names of the authors, title, where and when it appeared."""

    authors: tuple[str, ...]
    title: str
    venue: str
    year: str

    @property
    def key(self) -> str:
        """Such as wada2019study."""
        word = next(iter(re.findall(r"[A-Za-z]{4,}", self.title)), "")
        return _ascii(f"{self.authors[0].split()[-1]}{self.year}{word}").lower()

    def bibtex(self) -> str:
        """The entry."""
        if not self.venue:
            kind, where = "misc", {}
        elif JOURNALS.search(self.venue):
            kind, where = "article", {"journal": self.venue}
        else:
            kind, where = "inproceedings", {"booktitle": self.venue}
        names = " and ".join(f"{{{a}}}" if " " in a else a for a in self.authors)
        fields = {"author": names, "title": f"{{{self.title}}}"}
        fields |= where | {"year": self.year}
        lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
        return f"@{kind}{{{self.key},\n{lines}}}\n"


def references_of(method: type) -> list[Reference]:
    """The papers of a method."""
    text = (sys.modules[method.__module__].__doc__ or "").strip().split("\n\n")[-1]
    found = []
    for match in REFERENCE.finditer(" ".join(text.split())):
        authors = tuple(re.split(r", | and ", match["authors"].rpartition(": ")[2]))
        year = re.search(YEAR, match["place"])
        assert year is not None
        venue = match["place"][: year.start()].strip(" ,(")
        found.append(Reference(authors, match["title"], venue, year[0]))
    return found


def bibtex_of(methods: Sequence[type]) -> str:
    """The entries of all papers of some methods, each once."""
    entries = {r.key: r.bibtex() for method in methods for r in references_of(method)}
    return "\n".join(entries.values())


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
