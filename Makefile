# make run: the app in the browser. make test: all tests. Both set up .venv themselves.
PYTHON ?= python3
BIN := .venv/bin
# One thread per process: small linear algebra is many times slower with more.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1
# A browser on a busy machine may lose a click: who has waited in vain tries once more, and is
# counted as "rerun". A wrong value is not tried again.
PATIENT := --reruns 1 --only-rerun TimeoutError

.PHONY: run test lint format bench tables clean

run: .venv/runs
	$(BIN)/streamlit run app.py

test: .venv/tests
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2 --dist loadfile --ignore tests/browser
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2 --dist loadfile $(PATIENT) tests/browser

lint: .venv/tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/tests
	$(BIN)/python -m benchmarks

tables: .venv/runs
	$(BIN)/python -m sslviz table all || [ $$? -eq 3 ]  # 3: some data sets are not here

.venv/runs: requirements.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/tests: requirements-dev.txt .venv/runs
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

clean:
	rm -rf .venv artifacts .pytest_cache .mypy_cache .ruff_cache
