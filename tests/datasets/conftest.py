"""Where the tests of the data sets may read and write."""

import os
from pathlib import Path

import pytest

OWN_COPIES = os.environ.get("SUGENO_DATA")


@pytest.fixture(autouse=True)
def empty_home(tmp_path, monkeypatch):
    """No test may read or write the data folder of the person who runs it."""
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "scikit_learn_data"))
    return tmp_path / "scikit_learn_data" / "sugeno"


@pytest.fixture
def shipped_only(monkeypatch):
    monkeypatch.delenv("SUGENO_DATA", raising=False)


@pytest.fixture
def own_copies():
    if not OWN_COPIES:
        pytest.skip("needs the data sets that cannot be shipped: set SUGENO_DATA to their folder")
    return Path(OWN_COPIES)
