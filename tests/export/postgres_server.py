"""A PostgreSQL server of its own for a test: that of pgserver, or the one of the machine."""

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest


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
