"""The wheel holds the app, and an installed sslviz runs it from any folder."""

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("sslviz", "pages", "assets", ".streamlit")
FILES = ("app.py", "setup.py", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The package as `pip install .` leaves it, without its dependencies."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for folder in FOLDERS:
        shutil.copytree(
            ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in FILES:
        shutil.copy(ROOT / name, source)
    build = "-m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir wheels ."
    subprocess.run([sys.executable, *build.split()], cwd=source, check=True)
    (wheel,) = (source / "wheels").glob("*.whl")
    ZipFile(wheel).extractall(target)
    return target


def test_the_wheel_holds_every_file_of_package_and_app(installed):
    for folder in FOLDERS:
        place = "" if folder == "sslviz" else "sslviz/_app"
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert (installed / place / path.relative_to(ROOT)).is_file()
    assert (installed / "sslviz/_app/app.py").is_file()
    assert not (installed / "sslviz/_app/setup.py").exists()


def test_the_wheel_brings_the_command(installed):
    (info,) = installed.glob("*.dist-info")
    assert "sslviz = sslviz.__main__:main" in (info / "entry_points.txt").read_text()


def test_the_installed_app_opens_from_any_folder(installed, tmp_path):
    code = (
        "import sslviz; from sslviz.paths import app_folder\n"
        "from streamlit.testing.v1 import AppTest\n"
        "app = AppTest.from_file(str(app_folder() / 'app.py'), default_timeout=120).run()\n"
        "assert app.title and not app.exception, app.exception\n"
        "print(app_folder())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(installed / "sslviz" / "_app")
