"""Packages to install. All else about the package is in pyproject.toml.

app.py, pages/, assets/ and .streamlit/ stand at the top of the repository. Installed, they are the
folder sslviz/_app, which `sslviz app` runs; sslviz.paths.app_folder finds them in both places.
"""

from setuptools import find_packages, setup

setup(
    script_name="setup.py",  # keeps this file itself out of sslviz._app
    packages=[*find_packages(include=["sslviz", "sslviz.*"]), "sslviz._app"],
    package_dir={"sslviz._app": "."},
    package_data={
        "": ["*.js", "*.css", "*.html", "*.toml"],
        "sslviz._app": ["pages/*.py", "assets/*", "assets/*/*", ".streamlit/config.toml"],
    },
)
