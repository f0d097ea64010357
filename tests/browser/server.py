"""A Streamlit server and a Chromium, for tests and benchmarks of what a user sees."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

ROOT = Path(__file__).parents[2]
# The address bar nobody sees fetches two pages of its own into every new window: a second of a
# core each. The last --disable-features counts, so that what Playwright asks for is in it, too.
FEATURES = """WebUIOmniboxPopup WebUIOmniboxAimPopup WebUIOmniboxFullPopup
    AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades LensOverlay
    MediaRouter OptimizationHints PaintHolding""".split()
FLAGS = """--no-sandbox --disable-gpu --enable-unsafe-swiftshader --use-gl=angle
    --use-angle=swiftshader --disable-background-networking --disable-component-update
    --disable-sync --no-first-run""".split()
FLAGS += [f"--disable-features={','.join(FEATURES)}"]
STREAMLIT = """--server.headless true --server.fileWatcherType none --server.address 127.0.0.1
    --browser.gatherUsageStats false --global.developmentMode false""".split()


@contextmanager
def serve(script: Path, env: dict[str, str] | None = None, base: str = "") -> Iterator[str]:
    """Run a Streamlit script on a free port, below a base path, while the block lasts: its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(script), *STREAMLIT]
    command += ["--server.port", str(port), "--server.baseUrlPath", base]
    address = f"http://127.0.0.1:{port}/{base}".rstrip("/")
    surroundings = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **(env or {})}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | surroundings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(address, process)
        yield address
    finally:
        process.kill()  # it has nothing to save, and may be busy warming up for long
        process.wait()


def _wait(address: str, process: subprocess.Popen, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"streamlit ended with code {process.returncode}")
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"streamlit did not answer at {address} within {seconds:.0f} s")


def chromium() -> str | None:
    """The path of an installed Chromium or Chrome."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def clean_page(browser: Any, **options: Any) -> Iterator[Any]:
    """A page of a fresh profile that, at its end, must have asked nobody else for anything and
    must not have logged an error."""
    context = browser.new_context(**{"viewport": {"width": 1000, "height": 900}} | options)
    page = context.new_page()
    page.set_default_timeout(60_000)  # for machines that are busy
    errors: list[str] = []
    asked: list[str] = []
    page.on("console", lambda m: errors.append(m.text) if _is_ours(m) else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.asked = asked
    yield page
    abroad = {urlparse(url).hostname for url in asked} - {"127.0.0.1", "localhost", "", None}
    context.close()
    assert not abroad, f"the page asked {abroad}"
    assert not errors, f"the page logged {errors}"


def _is_ours(message: Any) -> bool:
    """An error, but not of Streamlit's search for its own base path below a deep link."""
    return message.type == "error" and "/_stcore/" not in message.location.get("url", "")
