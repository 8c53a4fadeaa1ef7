"""A PostgreSQL server for the exports that are run on one."""

import pytest

from export.postgres_server import postgres_server


@pytest.fixture(scope="package")
def psql(tmp_path_factory):
    """Run a server for all tests of exports; the fixture is the way to ask it."""
    with postgres_server(tmp_path_factory.mktemp("postgres")) as psql:
        yield psql
