"""Install each extra alone, beside nothing, and use what it is for.

    python tools/extras.py dist/sugeno-0.1.0-py3-none-any.whl build/extras

The second argument is a folder for the environments. Further arguments choose extras; by default
all of ``pyproject.toml`` and ``core``, the package without any. A program that fails ends the run.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"

_FIT = """
import numpy as np
import sugeno
from sugeno import SugenoClassifier, export

X = np.array([[1, 5], [2, 4], [3, 3], [4, 2], [5, 1], [4, 4]], dtype=float)
y = np.array([0, 0, 0, 1, 1, 1])
clf = SugenoClassifier(levels="single", directions=[1, -1]).fit(X, y)
"""

_MISSING = """
def refused(call, package):
    try:
        call()
    except ImportError as error:
        assert package in str(error).lower() and "pip install" in str(error), error
    else:
        raise SystemExit(f"{package} should be missing here")

"""

#: What an extra is for, as a program that uses it.
PROGRAMS = {
    "core": _FIT
    + _MISSING
    + """
assert (clf.predict(X) == y).all(), clf.rules_.to_text()
assert sugeno.loads(sugeno.dumps(clf)).rules_.to_text() == clf.rules_.to_text()
assert len(clf.explain(X)) == 6
clf.report(X, y, path="report.html")
for language in ("python", "pmml", "dmn"):
    assert getattr(export, f"to_{language}")(clf)
from sugeno.plot import RulesDisplay
refused(lambda: RulesDisplay.from_estimator(clf), "matplotlib")
refused(lambda: export.to_sql(clf), "sqlglot")
refused(lambda: export.to_onnx(clf), "onnx")
refused(lambda: SugenoClassifier().fit_frame("*.parquet", "y"), "duckdb")
""",
    "plot": _FIT
    + """
import matplotlib
matplotlib.use("agg")
from sugeno.plot import RulesDisplay
RulesDisplay.from_estimator(clf).figure_.savefig("rules.png")
""",
    "cli": """
import subprocess, sys
def sugeno(*arguments):
    done = subprocess.run(["sugeno", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
sugeno("datasets", "ESL", "-o", "esl.csv")
target = open("esl.csv").readline().strip().split(",")[-1]
sugeno("fit", "esl.csv", "--target", target, "--k", "2", "-o", "model.json")
assert " if" in sugeno("rules", "model.json")
sugeno("predict", "model.json", "esl.csv", "-o", "out.csv")
assert sugeno("explain", "model.json", "esl.csv", "--row", "1")
sugeno("report", "model.json", "esl.csv", "-o", "report.html")
assert sugeno("export", "model.json", "--to", "python")
""",
    "sql": _FIT
    + """
import duckdb
duckdb.sql("CREATE TABLE t AS SELECT 1.0 AS x0, 5.0 AS x1 UNION ALL SELECT 4.0, 2.0")
decided = duckdb.sql(f"SELECT ({export.to_sql(clf)}) FROM t").fetchall()
assert [bool(value) for (value,) in decided] == [False, True], decided
duckdb.sql("COPY (SELECT i AS x, i >= 7 AS y FROM range(10) AS r(i)) TO 't.parquet'")
print(SugenoClassifier().fit_frame("t.parquet", "y").rules_.to_text())
""",
    "dask": """
import dask.dataframe as dd
import pandas as pd
from sugeno import SugenoClassifier
frame = dd.from_pandas(pd.DataFrame({"x": range(10), "y": [0] * 7 + [1] * 3}), npartitions=3)
print(SugenoClassifier().fit_frame(frame, "y").rules_.to_text())
""",
    "spark": """
from pyspark.sql import SparkSession
from sugeno import SugenoClassifier
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
frame = spark.createDataFrame([(float(i), int(i >= 7)) for i in range(10)], "x double, y int")
print(SugenoClassifier().fit_frame(frame, "y").rules_.to_text())
""",
    "onnx": _FIT
    + """
assert "TreeEnsembleClassifier" in {node.op_type for node in export.to_onnx(clf).graph.node}
""",
    "experiments": """
import subprocess
command = ["sugeno", "reproduce", "table5", "--datasets", "HAB", "--splits", "1", "--out", "out"]
subprocess.run(command, check=True)
""",
}


def try_extra(extra: str, wheel: Path, folder: Path) -> None:
    """Make an environment with one extra, and run its program away from the sources."""
    environment = folder / extra
    subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
    bin_folder = environment / "bin"
    name = "sugeno" if extra == "core" else f"sugeno[{extra}]"
    pip = [bin_folder / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"{name} @ {wheel.as_uri()}"], check=True)
    with tempfile.TemporaryDirectory() as away:
        done = subprocess.run(
            [bin_folder / "python", "-I", "-c", PROGRAMS[extra]],
            cwd=away,
            env={"PATH": f"{bin_folder}:/usr/bin:/bin", "SPARK_LOCAL_IP": "127.0.0.1"},
        )
    if done.returncode:
        sys.exit(f"The extra {extra!r} does not work alone.")


def main(arguments: Sequence[str]) -> None:
    """Try the extras that were asked for, or all."""
    wheel, folder = (Path(argument).resolve() for argument in arguments[:2])
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    for extra in arguments[2:] or ["core", *project["optional-dependencies"]]:
        print(f"{extra} …", flush=True)
        try_extra(extra, wheel, folder)


if __name__ == "__main__":
    main(sys.argv[1:])
