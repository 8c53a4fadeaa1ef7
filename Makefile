# `make demo` and `make test` need only Python (>= 3.11) and make: each builds .venv when it is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test lint bench compat reproduce clean

demo: $(STAMP)
	$(BIN)/python examples/demo.py

test: lint
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench-installed
	$(BIN)/python -m benchmarks

# The estimator contract and all other tests of the package on older scikit-learn.
compat: compat-1.7 compat-1.8

compat-%: pyproject.toml
	$(PYTHON) -m venv $(VENV)-$*
	$(VENV)-$*/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(VENV)-$*/bin/python -m pip install --quiet --disable-pip-version-check -e ".[dev]" \
	  "scikit-learn==$*.*" "pytest<9" "polars<1.30" "pandas<3"
	$(VENV)-$*/bin/python -m pytest -n 2 -q tests/test_sklearn_checks.py tests/test_classifier.py \
	  tests/test_classifier_cv.py tests/test_utility.py tests/test_choquistic.py tests/test_more.py \
	  tests/test_tree_baseline.py

reproduce: $(STAMP)
	$(BIN)/sugeno reproduce all --jobs 2

clean:
	rm -rf $(VENV) $(VENV)-1.7 $(VENV)-1.8 build reproduction

$(VENV)/.bench-installed: $(STAMP) benchmarks/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	touch $@

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@
