"""What a visitor may choose about a file, as arguments of `sslviz.data.read_table`."""

from dataclasses import dataclass, fields
from typing import Any

from sslviz.data.uploads.raw_table import Format

FOUND = "found"  # the label column is looked for
MEDIAN, DROP = "median", "drop"  # what happens to missing values


@dataclass(frozen=True)
class Choices:
    """How a file is understood; the defaults leave it to `understand`.

    `label` is the column of classes, None for no labels. `unlabelled` are the values of it that
    mean "no label". `columns` are the features, `words` columns of texts whose words are features,
    too, `hover` the texts shown when a point is hovered.
    `missing` values become the median of their column, or their rows are dropped. `classes` names
    the classes where the file has no labels, or more classes than it has labels for. The others say
    how a text file is written.
    """

    label: str | None = FOUND
    unlabelled: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    words: tuple[str, ...] | None = None
    hover: tuple[str, ...] | None = None
    missing: str = MEDIAN
    classes: tuple[str, ...] | None = None
    delimiter: str | None = None
    decimal: str | None = None
    header: bool | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.missing not in (MEDIAN, DROP):
            raise ValueError(f"missing={self.missing!r} is neither {MEDIAN!r} nor {DROP!r}")
        for name in ("unlabelled", "columns", "words", "hover", "classes"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, tuple(map(str, value)))

    @property
    def format(self) -> Format:
        return Format(self.delimiter, self.decimal, self.header, self.encoding)

    def arguments(self) -> dict[str, Any]:
        """The choices that differ from the defaults."""
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if getattr(self, f.name) != f.default
        }


AS_FOUND = Choices()
