# make run: the app in the browser. make test: all tests. Both set up .venv themselves, with sslviz
# installed in it from this folder, so that code copied from a page and Dask workers find it.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# One thread per process: small linear algebra is many times slower with more.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1
# Numerical kernels, kept beside their sources: no visitor and no worker waits for a compiler.
COMPILE := $(ONE_THREAD) $(BIN)/python -m sslviz.ui.warm_up
# Each worker has one half of the tests, in order, so that only one of them starts a browser; who is
# done first takes over tests of the other. A browser on a busy machine may lose a click: a test that
# timed out runs once more and is counted as "rerun". A test that found a wrong value does not.
RERUN := --reruns 1 --only-rerun TimeoutError

.PHONY: run test lint format bench soak tables clean

run: .venv/runs
	$(BIN)/python -m sslviz app

test: .venv/tests
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2 --dist worksteal $(RERUN)

lint: .venv/tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/tests
	$(BIN)/python -m benchmarks

# A class on a server of its own: make soak SESSIONS=10 MINUTES=2
SESSIONS ?= 30
MINUTES ?= 5

soak: .venv/tests
	$(BIN)/python -m soak --sessions $(SESSIONS) --minutes $(MINUTES)

tables: .venv/runs
	$(BIN)/python -m sslviz table all || [ $$? -eq 3 ]  # 3: some data sets are missing

.venv/runs: requirements.txt pyproject.toml setup.py
	$(PYTHON) -m venv .venv
	$(INSTALL) -r requirements.txt
	$(INSTALL) --no-deps --no-build-isolation --editable .
	$(COMPILE) || echo "The kernels are compiled when they are first used instead."
	touch $@

.venv/tests: requirements-dev.txt .venv/runs
	$(INSTALL) -r requirements-dev.txt
	touch $@

clean:
	rm -rf .venv artifacts build *.egg-info .pytest_cache .mypy_cache .ruff_cache
