"""Fixtures of tests in a browser: servers, pages that must stay clean, screenshots.

The servers and the browser last for all tests of a worker: sessions share what a server has
computed and loaded, nothing else. A test of a server's first moments starts its own.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browser.server import FLAGS, ROOT, chromium, clean_page, serve


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app."""
    with serve(ROOT / "app.py", {"SSLVIZ_CACHE": str(tmp_path_factory.mktemp("cache"))}) as address:
        yield address


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of live_figure_demo.py."""
    script = Path(__file__).with_name("live_figure_demo.py")
    with serve(script, {"SSLVIZ_CACHE": str(tmp_path_factory.mktemp("cache"))}) as address:
        yield address


def missing(reason: str) -> None:
    """Skip, or fail where a browser is required."""
    if os.environ.get("SSLVIZ_BROWSER") == "required":
        pytest.fail(f"{reason}, and SSLVIZ_BROWSER=required")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed")
    program = chromium()
    if program is None:
        missing("no Chromium or Chrome on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def new_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """`new_page(color_scheme="dark", …)`: pages that last for all tests of a file."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(clean_page(browser, **options))


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page for one test."""
    with clean_page(browser) as page:
        yield page


@pytest.fixture(scope="session")
def snap() -> Callable[[Any, str], Path]:
    """`snap(page, name)`: a screenshot in artifacts/, for people to look at."""

    def take(page: Any, name: str) -> Path:
        path = ROOT / "artifacts" / f"{name}.png"
        path.parent.mkdir(exist_ok=True)
        page.screenshot(path=path)
        return path

    return take
