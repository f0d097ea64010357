"""Open a page of the app at an address, and read its numbers."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[2] / "app.py"


def opened(page: str, **url: str) -> AppTest:
    """The page at this URL; two moons have 316 points unless the URL says otherwise."""
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.query_params.update({"two_moons.n_samples": "316"} | url)
    return app.switch_page(f"pages/{page}.py").run()


def numbers(app: AppTest) -> dict[str, str]:
    """The numbers on top of the page, by title."""
    return {m.label: m.value for m in app.metric}


def fine(app: AppTest) -> bool:
    """Whether the page has neither an exception nor an error message."""
    return not app.exception and not app.error
