"""Readable titles of the data sets in the list, and in links, which get what a list shows."""

from collections import Counter

from sslviz import data


def list_titles() -> dict[str, str]:
    """The title of each data set on this machine by its name; two equal titles stay names."""
    titles = {name: data.title(name) for name in data.names()}
    count = Counter(titles.values())
    return {name: title if count[title] == 1 else name for name, title in titles.items()}


def with_title(query: dict[str, str]) -> dict[str, str]:
    """Query parameters in which the data set is called by its title, as a visitor's list does."""
    if "data" not in query:
        return query
    return query | {"data": list_titles().get(query["data"], query["data"])}
