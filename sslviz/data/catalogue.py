"""Titles, descriptions and class names of well-known data files, by name.

Names of files are short, and their classes are often numbers. What a file states itself (`about`,
`classes`) takes precedence.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

UPLOADED = re.compile(r"(\w{1,30})-[0-9a-f]{12}", re.ASCII)  # names that uploads.py gives


class Facts(NamedTuple):
    """What users read about a file."""

    title: str
    about: str
    classes: str | dict[str, str] = "{}"  # a format for all names, or new names by the old


BOOK = "(Chapelle, Schölkopf, Zien. Semi-Supervised Learning, 2006)."
FACES = "grey images of 32 × 32 pixels."
SIGNS = {"-1": "class −1", "1": "class +1"}

FACTS = {
    "bci": Facts(
        "BCI, brain signals",
        f"117 features of EEG while a person imagines moving the left or the right hand {BOOK}",
        SIGNS,
    ),
    "coil20": Facts(
        "COIL-20, 20 objects",
        "20 objects photographed from 72 angles each, grey images of 32 × 32 pixels.",
        "object {}",
    ),
    "coil_chapelle": Facts(
        "COIL, 6 classes",
        f"Photographs of 24 objects in 6 classes, 241 features {BOOK}",
        "class {}",
    ),
    "diabetes": Facts(
        "Diabetes",
        "Eight medical measurements of 768 women, with diabetes or without; their units differ, "
        "so standardise.",
        {"neg": "no diabetes", "pos": "diabetes"},
    ),
    "digit1": Facts(
        "Digit1",
        f"Artificial images of the digit 1; the class depends on its tilt, 241 features {BOOK}",
        SIGNS,
    ),
    "g241c": Facts(
        "g241c, two Gaussians",
        f"Two Gaussians in 241 dimensions, one for each class {BOOK}",
        SIGNS,
    ),
    "g241n": Facts(
        "g241n, misleading clusters",
        f"Four Gaussians in 241 dimensions, two for each class, so placed that clusters mislead; "
        f"also called g241d {BOOK}",
        SIGNS,
    ),
    "ionosphere": Facts(
        "Ionosphere, radar echoes",
        "34 features of radar echoes: good ones show structure in the ionosphere, bad ones do not.",
    ),
    "mnist": Facts("MNIST, 70,000 images", "Handwritten digits, grey images of 28 × 28 pixels."),
    "optdigits_odds": Facts(
        "Optdigits, outliers",
        "Handwritten digits of 8 × 8 pixels: 1 to 9 are one class, 150 zeros are the other.",
        {"0": "1 to 9", "1": "zero (outlier)"},
    ),
    "orl": Facts(
        "ORL, faces of 40 people", f"Ten photographs of each of 40 people, {FACES}", "person {}"
    ),
    "reuters_r8": Facts(
        "Reuters R8, news texts", "Word counts of 7,674 news texts about eight topics."
    ),
    "umist": Facts(
        "UMIST, faces of 20 people", f"20 people photographed from many sides, {FACES}", "person {}"
    ),
    "usps": Facts(
        "USPS, 9,298 images", "Handwritten digits of postcodes, grey images of 16 × 16 pixels."
    ),
    "usps_11000": Facts(
        "USPS, 11,000 images",
        "Handwritten digits of postcodes, 1,100 of each, grey images of 16 × 16 pixels.",
        {"10": "0"},
    ),
    "usps_chapelle": Facts(
        "USPS, 2 and 5 against the rest",
        f"150 images of each digit; 2 and 5 are one class, 241 features {BOOK}",
        {"-1": "other digits", "1": "2 or 5"},
    ),
    "vowels_odds": Facts(
        "Vowels, outliers",
        "Features of spoken vowels: 50 points of one speaker are outliers among 1,406 of others.",
        {"0": "other speakers", "1": "one speaker (outlier)"},
    ),
    "yale": Facts(
        "Yale, faces of 15 people", f"Eleven photographs of each of 15 people, {FACES}", "person {}"
    ),
    "yaleb": Facts(
        "Extended Yale B, faces of 38 people",
        f"38 people under many directions of light, {FACES}",
        "person {}",
    ),
    "yeast": Facts(
        "Yeast, proteins",
        "Eight features of 1,484 proteins of yeast; the class is where in the cell they are found.",
    ),
}


def title_of(name: str) -> str:
    """A readable title: "Two moons" for two_moons; an uploaded file without its random digits."""
    if name in FACTS:
        return FACTS[name].title
    if uploaded := UPLOADED.fullmatch(name):
        return f"{uploaded[1].replace('_', ' ')} (your own)"
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def readable(name: str, classes: Sequence[str]) -> tuple[str, ...]:
    """Class names of a file as users should read them."""
    words = FACTS[name].classes if name in FACTS else "{}"
    if isinstance(words, dict):
        return tuple(words.get(c, c) for c in classes)
    return tuple(words.format(c) for c in classes)
