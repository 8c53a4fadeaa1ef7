"""Do all engines decide alike? Rows that try to be misread: the tables of ``docs/exports.md``.

``python -m benchmarks.agreement`` takes about half an hour for 100,000 rows. ``--rows 2000`` is a
glance, ``--only "rules per class"`` looks at one shape; both write nothing. It needs PostgreSQL
(pgserver) and Java (PMML4S, by pypmml).
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import onnxruntime
import polars as pl
import sqlglot.expressions as exp

from benchmarks.folding import rewrite_tables
from benchmarks.harness import markdown_table
from sugeno import (
    SugenoClassifier,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)
from sugeno._scales.rows import cells_on_scales
from sugeno.export import to_onnx, to_pmml, to_python, to_sql
from sugeno.export._formula import deciders_of

__all__ = ["Answers", "adversarial_rows", "differences", "engines", "fitted", "main"]

PAGE = Path("docs/exports.md")
ORDER = ["bad", "ok", "good"]
SPECIAL = {"months": {-9: "no record", -8: "file lost"}}
COLUMNS = {"age": "free", "rate": "peak", "grade": ["C", "B", "A"], "serial": "up"}
#: Labels that no row of the training table has.
_UNSEEN = ("tent", "OWN", "own ", "None", "NULL", "nan", "2", "it's", 'a "b"', "Zürich")
_START = datetime(1970, 1, 1)
_LARGEST = sys.float_info.max


@dataclass(frozen=True)
class Answers:
    """What an engine says about rows: labels, and a column of probabilities for each class."""

    labels: list[Any]
    chances: np.ndarray | None


Engine = Callable[[Any, pl.DataFrame], Answers]


def training_table(n: int = 400, seed: int = 0) -> tuple[pl.DataFrame, np.ndarray]:
    """Columns of all kinds, and a merit that depends on each of them."""
    rng = np.random.default_rng(seed)
    income, age = rng.lognormal(3, 0.6, n).round(), rng.integers(18, 80, n).astype(float)
    months, rate = rng.integers(0, 60, n).astype(float), rng.normal(0, 1, n).round(1)
    home, job = rng.choice(["own", "rent", "parents"], n), rng.choice(["yes", "no"], n)
    grade, member = rng.choice(["C", "B", "A"], n), rng.random(n) < 0.5
    # Doubles cannot tell all of these whole numbers apart.
    serial = 2**53 + rng.integers(0, 40, n)
    since = (
        np.datetime64("2015-01-01") + rng.integers(0, 50, n).astype("m8[us]") * 4_100_000_000_001
    )
    merit = np.log(income) + months / 30 - ((age - 48) / 20) ** 2 - np.abs(rate)
    good = [home == "own", job == "yes", grade == "A", grade != "C", member, serial > 2**53 + 20]
    merit += sum([*good, since > np.datetime64("2018-01-01")], 0)
    merit += rng.normal(0, 0.7, n)
    months[: n // 10], months[n // 10 : n // 6] = -9, -8
    columns = {
        "income": _with_gaps(income, rng),
        "months": months,
        "age": age,
        "rate": _with_gaps(rate, rng),
        "serial": serial,
        "home": _with_gaps(home, rng),
        "job": job,
        "grade": grade,
        "member": member,
        "since": _with_gaps(since.astype("M8[us]").tolist(), rng),
    }
    order = rng.permutation(n)
    return pl.DataFrame(columns)[order], merit[order]


def _with_gaps(cells: Sequence[Any] | np.ndarray, rng: np.random.Generator) -> list[Any]:
    plain = cells.tolist() if isinstance(cells, np.ndarray) else cells
    return [None if gap else cell for cell, gap in zip(plain, rng.random(len(plain)) < 0.1)]


def fitted(n: int = 400) -> Iterator[tuple[str, Any]]:
    """A classifier of each shape, learned from columns of all kinds."""
    table, merit = training_table(n)
    said: dict[str, Any] = {"columns": COLUMNS, "special": SPECIAL}
    two = np.where(merit > np.median(merit), "yes", "no")
    thirds = np.searchsorted(np.quantile(merit, [0.33, 0.67]), merit)
    ordered = np.array(ORDER)[thirds]
    kinds = np.where(table["home"].fill_null("own") == "rent", "flat", ordered)
    yield "rules", SugenoClassifier(levels=3, **said).fit(table, two)
    yield "a card of points", SugenoDistiller(form="points", **said).fit(table, two)
    few = {"n_bags": 2, **said}
    yield "an ensemble", SugenoEnsembleClassifier(**few).fit(table, two)
    ranked = {"classes": ORDER, **said}
    yield "ordered rules", SugenoOrdinalClassifier(levels=2, **ranked).fit(table, ordered)
    card = SugenoOrdinalClassifier(levels="distilled", form="points", **ranked)
    yield "an ordered card", card.fit(table, ordered)
    together = SugenoEnsembleClassifier(order=ORDER, **few)
    yield "an ordered ensemble", together.fit(table, ordered)
    yield "rules per class", SugenoClassifier(levels=2, **said).fit(table, kinds)
    yield "cards per class", SugenoDistiller(form="points", **said).fit(table, kinds)
    yield "ensembles per class", SugenoEnsembleClassifier(**few).fit(table, kinds)


def adversarial_rows(clf: Any, n: int, seed: int = 0) -> pl.DataFrame:
    """Cells on the levels of a classifier and next to them, missing, infinite, never seen."""
    rng = np.random.default_rng([seed, 5])
    cells: dict[str, list[Any]] = {}
    for decider in deciders_of(clf.model_):
        literals = decider.literals
        for j, criterion in enumerate(literals.criteria):
            levels = literals.levels[literals.columns == j].tolist()
            cells.setdefault(criterion.name, []).extend(_cells(criterion, levels))
    columns = {
        name: pl.Series(name, [drawn[i] for i in rng.integers(0, len(drawn), n)], _type_of(name))
        for name, found in cells.items()
        for drawn in [_drawn(found)]
    }
    return pl.DataFrame(columns)


def _drawn(cells: list[Any]) -> list[Any]:
    """Each cell once, and an empty one in twenty."""
    each = [*dict.fromkeys(cells)]
    return [*each, *[None] * (1 + len(each) // 20)]


def _type_of(name: str) -> Any:
    kinds = {"serial": pl.Int64, "member": pl.Boolean, "since": pl.Datetime("us")}
    texts = dict.fromkeys(("home", "job", "grade"), pl.String)
    return (kinds | texts).get(name, pl.Float64)


def _cells(criterion: Any, levels: Sequence[float]) -> list[Any]:
    if criterion.kind == "truth":
        return [True, False]
    if criterion.labels is not None:
        known = criterion.known or criterion.labels
        return [*known, *_UNSEEN] if criterion.known else [*known]
    if criterion.kind == "date":
        moments = [_START + timedelta(days=level) for level in [*levels, 0.0, 15000.5]]
        return [one + timedelta(microseconds=step) for one in moments for step in (-1, 0, 1)]
    if criterion.name == "serial":
        whole = [int(level) + step for level in levels for step in range(-3, 4)]
        return [*whole, 0, -1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]
    ends = [end for end in criterion.within or () if math.isfinite(end)]
    exact = [*levels, *ends, *criterion.codes, -9.0, -8.0, 0.0]
    near = [float(np.nextafter(one, way)) for one in exact for way in (math.inf, -math.inf)]
    return [*exact, *near, -0.0, 5e-324, _LARGEST, -_LARGEST, math.inf, -math.inf, math.nan]


def expected(clf: Any, rows: pl.DataFrame) -> Answers:
    """What the model says; `predict` would refuse infinity."""
    model = clf.model_
    X = cells_on_scales(rows, model.criteria)
    chances = model.class_probabilities(X)[:, np.argsort(model.classes)]
    return Answers(model.decide(X).tolist(), chances)


def in_python(clf: Any, rows: pl.DataFrame) -> Answers:
    """The module that is written; a row is a dict."""
    module: dict[str, Any] = {}
    exec(to_python(clf), module)
    found = [
        (module["label"](row), module["probabilities"](row)) for row in rows.iter_rows(named=True)
    ]
    classes = clf.classes_.tolist()
    return Answers([one for one, _ in found], np.array([[p[c] for c in classes] for _, p in found]))


def _expressions(clf: Any, dialect: Any) -> list[str]:
    each = (
        to_sql(clf, dialect=dialect, output="probability", label=c) for c in clf.classes_.tolist()
    )
    return [to_sql(clf, dialect=dialect, output="label"), *each]


def on_duckdb(clf: Any, rows: pl.DataFrame) -> Answers:
    """The expressions of SQL."""
    asked = ", ".join(f"({one}) AS a{i}" for i, one in enumerate(_expressions(clf, "duckdb")))
    with duckdb.connect() as connection:
        connection.register("t", rows.to_arrow())
        found = connection.sql(f"SELECT {asked} FROM t").pl()
    return Answers(found["a0"].to_list(), found[:, 1:].to_numpy())


def in_frame(clf: Any, rows: pl.DataFrame) -> Answers:
    """`predict_frame` of a lazy frame of Polars."""
    outputs = ["prediction", "probability"]
    return _of_frame(clf, clf.predict_frame(rows.lazy(), outputs=outputs).collect())


def in_relation(clf: Any, rows: pl.DataFrame) -> Answers:
    """`predict_frame` of a relation of DuckDB."""
    with duckdb.connect() as connection:
        connection.register("t", rows.to_arrow())
        found = clf.predict_frame(connection.table("t"), outputs=["prediction", "probability"])
        return _of_frame(clf, found.pl())


def _of_frame(clf: Any, found: pl.DataFrame) -> Answers:
    labels = clf.classes_.tolist()
    if "probability" in found.columns:
        (positive,) = (i for i, one in enumerate(labels) if one == clf.positive_)
        accepted = found["probability"].to_numpy()
        chances = np.column_stack([accepted, accepted])
        chances[:, 1 - positive] = 1 - accepted
    else:
        chances = found.select(*(f"probability_{one}" for one in labels)).to_numpy()
    return Answers(found["prediction"].to_list(), chances)


def on_onnx(clf: Any, rows: pl.DataFrame) -> Answers:
    """ONNX Runtime; days for dates, texts for truth values, nothing where one is missing."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        to_onnx(clf).SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    plain = _plain(rows)
    given = {one.name: _tensor(plain[one.name]) for one in session.get_inputs()}
    labels, chances = session.run(None, given)
    return Answers(labels.tolist(), chances)


def _plain(rows: pl.DataFrame) -> pl.DataFrame:
    """Dates as days since 1970, and truth values as texts.

    numpy divides, since Polars multiplies by the reciprocal of a constant, which rounds twice.
    """
    dates = rows.select(pl.selectors.datetime().dt.timestamp("us").cast(pl.Float64))
    days = [pl.Series(one.name, one.to_numpy() / 86_400_000_000, nan_to_null=True) for one in dates]
    return rows.with_columns(pl.selectors.boolean().cast(pl.String), *days)


def _tensor(cells: pl.Series) -> np.ndarray:
    if cells.dtype == pl.String:
        return cells.fill_null("").to_numpy().astype(object)[:, None]
    return cells.cast(pl.Float64).fill_null(math.nan).to_numpy()[:, None]


def on_pmml(read: Callable[[str], Any], clf: Any, rows: pl.DataFrame) -> Answers:
    """PMML4S, by JSON; a number that is too large for a double is infinite."""
    text, found = to_pmml(clf), []
    model = read(text)
    label = "class" if "<Scorecard" in text else "predicted_class"
    for part in _plain(rows).iter_slices(10_000):
        cells = [{k: _without_nan(v) for k, v in row.items()} for row in part.iter_rows(named=True)]
        written = json.dumps(cells).replace("Infinity", "1e999")
        found += [row[label] for row in json.loads(model.predict(written))]
    return Answers(found, None)


def _without_nan(cell: Any) -> Any:
    return None if cell != cell else cell


def on_postgres(psql: Callable[[str], object], clf: Any, rows: pl.DataFrame) -> Answers:
    """The expressions of SQL, by way of files."""
    types = {pl.String: "text", pl.Boolean: "boolean", pl.Int64: "bigint", pl.Float64: "float8"}
    kinds = [types.get(kind.base_type(), "timestamp") for kind in rows.dtypes]
    names = [exp.to_identifier(name, quoted=True).sql("postgres") for name in rows.columns]
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "rows.csv"), Path(folder, "answers.csv")
        with source.open("w", newline="", encoding="utf-8") as stream:
            for number, row in enumerate(rows.iter_rows()):
                cells = ("\\N" if cell is None else cell for cell in row)
                csv.writer(stream).writerow([number, *cells])
        asked = ", ".join(f"({one})" for one in _expressions(clf, "postgres"))
        psql(
            "SET client_min_messages = warning;\nDROP TABLE IF EXISTS t;\n"
            f"CREATE TABLE t (number int, {', '.join(map(' '.join, zip(names, kinds)))});\n"
            f"\\copy t FROM '{source}' WITH (FORMAT csv, NULL '\\N')\n"
            # Not one line of \\copy, which psql reads in quadratic time.
            f"\\o '{target}'\nCOPY (SELECT {asked} FROM t ORDER BY number) TO STDOUT CSV;\n\\o\n"
        )
        with target.open(newline="", encoding="utf-8") as stream:
            found = [*csv.reader(stream)]
    chances = np.array([[*map(float, row[1:])] for row in found])
    return Answers([row[0] for row in found], chances)


def engines(psql: Callable[[str], object], pmml: Callable[[str], Any]) -> dict[str, Engine]:
    """Each engine by its name; PostgreSQL by a function that runs scripts, PMML by a reader."""
    return {
        "Python": in_python,
        "Polars, `predict_frame`": in_frame,
        "DuckDB, `predict_frame`": in_relation,
        "DuckDB, SQL": on_duckdb,
        "PostgreSQL, SQL": lambda clf, rows: on_postgres(psql, clf, rows),
        "ONNX Runtime": on_onnx,
        "PMML4S": lambda clf, rows: on_pmml(pmml, clf, rows),
    }


def differences(found: Answers, sure: Answers) -> tuple[int, int, float]:
    """How many labels differ, how many rows have another probability, and by how much at most."""
    labels = sum(one != other for one, other in zip(found.labels, sure.labels, strict=True))
    if found.chances is None or sure.chances is None:
        return labels, 0, 0.0
    apart = np.abs(found.chances - sure.chances)
    return labels, int((apart != 0).any(axis=1).sum()), float(apart.max())


def measured(
    ask: Mapping[str, Engine], n: int, classifiers: Iterator[tuple[str, Any]]
) -> Iterator[list[str]]:
    """A line for each shape and engine: rows decided otherwise, and other probabilities."""
    for shape, clf in classifiers:
        rows = adversarial_rows(clf, n)
        sure = expected(clf, rows)
        for name, engine in ask.items():
            if name == "PMML4S" and clf.model_.adds_up:
                continue  # it has no place for a sum of steps
            labels, chances, apart = differences(engine(clf, rows), sure)
            far = f"{chances:,} by at most {apart:.0e}" if chances else "0"
            told = "–" if name == "PMML4S" else far
            print(shape, name, labels, told, sep=" | ", flush=True)
            yield [shape, name, f"{labels:,}", told]


@contextmanager
def servers() -> Iterator[dict[str, Engine]]:
    """Start PostgreSQL and Java."""
    import pgserver
    import pypmml

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(pgserver.get_server(folder / "data", cleanup_mode="delete"))
        stack.callback(pypmml.PMMLContext.shutdown)
        yield engines(server.psql, pypmml.Model.fromString)


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask all engines; the exit status is 1 if one decides otherwise."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agreement", description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--only", action="append", help="only classifiers of this shape")
    options = parser.parse_args(arguments)
    wanted = (pair for pair in fitted() if pair[0] in (options.only or [pair[0]]))
    with servers() as ask:
        lines = [*measured(ask, options.rows, wanted)]
    if options.rows >= 100_000 and not options.only:
        head = ["classifier", "engine", "other decisions", "other probabilities"]
        rewrite_tables(PAGE, [markdown_table(head, lines)])
    return int(any(line[2] != "0" for line in lines))


if __name__ == "__main__":
    sys.exit(main())
