"""A page of the app, opened at an address and read."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[2] / "app.py"


def opened(page: str, **url: str) -> AppTest:
    """The page as its URL says, with two moons of few points unless it says otherwise."""
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.query_params.update({"two_moons.n_samples": "316"} | url)
    return app.switch_page(f"pages/{page}.py").run()


def numbers(app: AppTest) -> dict[str, str]:
    return {m.label: m.value for m in app.metric}


def fine(app: AppTest) -> bool:
    return not app.exception and not app.error
