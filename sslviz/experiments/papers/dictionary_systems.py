"""The dictionary systems of the papers' tables, and how well the definition of each is known.

Many of them have no public code, and the papers that compare with them print objectives only, some
with errors. *Certain*: checked against public code of the method. *Printed*: the objective is
printed, the algorithm is ours. *Guess*: the part named is neither printed nor in public code.
"""

from collections.abc import Mapping
from typing import Any

from sslviz.experiments.table import Known, TableMethod

# Title in the tables: class, how well its definition is known.
SYSTEMS = {
    "SRC": ("SRC", "certain"),
    "Metaface": ("Metaface", "printed"),
    "D-KSVD": ("DKSVD", "certain"),
    "LC-KSVD1": ("LCKSVD", "certain"),
    "LC-KSVD2": ("LCKSVD", "certain"),
    "FDDL": ("FDDL", "certain"),
    "S2D2": ("S2D2", "guess: weights of unlabelled points"),
    "SSD-LP": ("SSDLP", "printed, a sign corrected; graph a guess"),
    "JDL": ("JDL", "printed"),
    "OSSDL": ("OSSDL", "printed; which points join a guess"),
    "LC-RLSDLA": ("LCRLSDLA", "update of atoms certain, rest printed"),
    "SSR-D": ("SSRD", "printed; classes of atoms a guess"),
    "SSP-DL": ("SSPDL", "printed; classes of atoms a guess"),
    "SupGraphDL": ("SupGraphDL", "two graphs certain; label term a guess"),
    "PSSDL": ("PSSDL", "guess: as printed it has no minimum"),
    "USSDL": ("USSDL", "printed"),
    "SSDL-GA": ("SSDLGA", "printed"),
}
FIXED: dict[str, dict[str, Any]] = {"LC-KSVD1": {"variant": 1}}  # parameters that make a system


def systems(
    settings: Mapping[str, Mapping[str, Any]], titles: tuple[str, ...] = tuple(SYSTEMS)
) -> tuple[TableMethod, ...]:
    """Systems as methods of a table; `settings` holds parameters by title."""
    return tuple(
        TableMethod(
            title,
            f"sslviz:{SYSTEMS[title][0]}",
            FIXED.get(title, {}) | dict(settings.get(title, {})),
            SYSTEMS[title][1],
        )
        for title in titles
    )


def percent(numbers: Mapping[str, tuple[float, ...]]) -> dict[str, Known]:
    """Means and deviations printed in per cent, by title."""
    return {title: Known(*(part / 100 for part in known)) for title, known in numbers.items()}
