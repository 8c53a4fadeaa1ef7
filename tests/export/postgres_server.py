"""A PostgreSQL server of its own for a test: that of pgserver, or the one of the machine."""

import csv
import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pytest
from sqlglot import exp


@contextmanager
def postgres_server(folder):
    """Run a server, and give a function that runs a script of psql on it."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_RUNTIME_DIR", str(folder))  # else a package that it uses warns
            import pgserver
    except ImportError:  # it has no wheel for this Python
        with _server_of_the_machine() as psql:
            yield psql
        return
    with pgserver.get_server(folder / "data", cleanup_mode="delete") as server:
        yield server.psql


@contextmanager
def _server_of_the_machine():
    places = os.pathsep.join(map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"))[::-1]))
    initdb, postgres, psql = (
        shutil.which(name, path=places) or shutil.which(name)
        for name in ("initdb", "postgres", "psql")
    )
    if not (initdb and postgres and psql):
        pytest.skip("needs PostgreSQL: pip install pgserver, or apt install postgresql")
    # PostgreSQL refuses to run as root, and the path of its socket must be short.
    user = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True) as folder:
        if user:
            account = pwd.getpwnam("postgres")
            os.chown(folder, account.pw_uid, account.pw_gid)
        data = Path(folder) / "data"
        command = [initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(command, check=True, capture_output=True, cwd=folder, **user)
        options = ["-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"]
        with subprocess.Popen(
            [postgres, *options], cwd=folder, stderr=subprocess.PIPE, text=True, **user
        ) as server:
            for line in server.stderr:
                if "ready to accept connections" in line:
                    break
            yield lambda script: _run(psql, folder, script)
            server.terminate()


def _run(psql, folder, script):
    command = [psql, "-h", folder, "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-q"]
    subprocess.run(command, check=True, input=script, text=True, encoding="utf-8")


def on_postgres(psql, table, expressions, folder):
    """Answers to all expressions, by way of files, which psql copies to and from the server."""
    names = [exp.to_identifier(n, quoted=True).sql("postgres") for n in table.column_names]
    kinds = ["text" if pa.types.is_string(kind) else "float8" for kind in table.schema.types]
    source, target = folder / "rows.csv", folder / "answers.csv"
    columns = [["" if v is None else v for v in column.to_pylist()] for column in table.columns]
    with source.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(zip(range(len(table)), *columns))
    asked = ", ".join(f"({expression})" for expression in expressions)
    psql(
        "DROP TABLE IF EXISTS t;\n"
        f"CREATE TABLE t (number int, {', '.join(map(' '.join, zip(names, kinds)))});\n"
        f"\\copy t FROM '{source}' CSV\n"
        f"\\copy (SELECT {asked} FROM t ORDER BY number) TO '{target}' CSV\n"
    )
    with target.open(newline="", encoding="utf-8") as stream:
        return list(zip(*csv.reader(stream)))
