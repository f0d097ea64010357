"""An uploaded file between its upload and its opening."""

from typing import NamedTuple

from sslviz.data.uploads import Choices, Format, RawTable


class Upload(NamedTuple):
    """A file that has been read, and what was chosen about it so far."""

    number: int  # of the session's uploads: keys of its widgets
    filename: str
    content: bytes
    choices: Choices
    raw: RawTable
    found: Format  # how a text file is written, before anything was chosen
    name: str = ""  # of the data set it replaces
