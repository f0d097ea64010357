"""What a preset is: a page and the values of its widgets, with what happens there and why."""

from typing import Any, NamedTuple

from sslviz import data


class Preset(NamedTuple):
    """One card of the page "Failures"."""

    key: str  # of its picture in assets/failures/ and its button
    name: str
    sentence: str  # what happens and why
    look: str  # what to try
    page: str
    parameters: dict[str, Any]

    @property
    def missing(self) -> str | None:
        """The data set that it needs and that is not available."""
        needed = self.parameters.get("data")
        return None if needed is None or needed in data.names() else needed

    @property
    def query(self) -> dict[str, str]:
        """Its parameters as in the URL."""
        return {key: str(value) for key, value in self.parameters.items()}
