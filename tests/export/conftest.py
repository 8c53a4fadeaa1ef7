"""Other engines that exports are run on: a PostgreSQL server, and PMML4S in Java."""

import shutil

import pytest

from export.postgres_server import postgres_server


@pytest.fixture(scope="package")
def psql(tmp_path_factory):
    """Run a server for all tests of exports; the fixture is the way to ask it."""
    with postgres_server(tmp_path_factory.mktemp("postgres")) as psql:
        yield psql


@pytest.fixture(scope="package")
def engine():
    """PMML4S, by way of Java."""
    if shutil.which("java") is None:
        pytest.skip("needs Java: apt install default-jre-headless")
    import pypmml

    yield pypmml.Model.fromString
    pypmml.PMMLContext.shutdown()
