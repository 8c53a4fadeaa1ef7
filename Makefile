# `make demo` and `make test` need only Python (>= 3.11) and make: each builds .venv when it is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PIP_INSTALL := python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint bench compat dist dist-test reproduce clean

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
	$(VENV)-$*/bin/python -m pip install --quiet --disable-pip-version-check --group test -e ".[experiments]" \
	  "scikit-learn==$*.*" "pytest<9" "polars<1.30" "pandas<3"
	$(VENV)-$*/bin/python -m pytest -n 2 -q tests/test_sklearn_checks.py tests/test_classifier.py \
	  tests/test_classifier_cv.py tests/test_utility.py tests/test_choquistic.py tests/test_more.py \
	  tests/test_tree_baseline.py

dist: $(STAMP)
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

# What a packager does: the tests of the sdist against the installed wheel, away from src.
dist-test: dist
	rm -rf build/sdist
	mkdir -p build/sdist
	tar -xzf dist/*.tar.gz -C build/sdist --strip-components=1
	find build/sdist/src -name '*.py' -delete
	$(PYTHON) -m venv --clear $(VENV)-dist
	$(VENV)-dist/bin/$(PIP_INSTALL) --upgrade pip
	$(VENV)-dist/bin/$(PIP_INSTALL) --group build/sdist/pyproject.toml:test \
	  "sugeno[experiments] @ file://$$(realpath dist/*.whl)"
	cd build/sdist && ../../$(VENV)-dist/bin/python -m pytest -n 2 -q --pyargs tests sugeno

reproduce: $(STAMP)
	$(BIN)/sugeno reproduce all --jobs 2

clean:
	rm -rf $(VENV) $(VENV)-* build dist reproduction

$(VENV)/.bench-installed: $(STAMP) benchmarks/requirements.txt
	$(BIN)/$(PIP_INSTALL) -r benchmarks/requirements.txt
	touch $@

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(PIP_INSTALL) --upgrade pip
	$(BIN)/$(PIP_INSTALL) --group dev -e ".[experiments]"
	touch $@
