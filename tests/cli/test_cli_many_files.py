"""Patterns of files on the command line: learned from by counts, decided on by the engine."""

import duckdb
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import sugeno
from sugeno import SugenoClassifier
from sugeno.cli.app import app


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 6, (240, 3)), columns=["price", "speed", "id"])
    frame["sold"] = (frame["speed"] - frame["price"] + rng.normal(size=240) > 0).astype(int)
    for i in range(3):
        frame[i::3].to_parquet(tmp_path / f"part{i}.parquet")
        frame[i::3].to_csv(tmp_path / f"part{i}.csv", index=False)
    return tmp_path, frame


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_many_files_give_the_rules_of_their_rows(folder, kind):
    path, frame = folder
    model = path / "model.json"
    done = run("fit", path / f"part*.{kind}", "-t", "sold", "--drop-column", "id", "-o", model)
    assert done.exit_code == 0, done.output
    assert "--k sets it" in done.stderr
    X, y = frame[["price", "speed"]], frame["sold"].to_numpy()
    reference = SugenoClassifier().fit(X, y)
    assert sugeno.load(model).rules_ == reference.rules_
    assert f"Errors on these rows: {reference.objective_:.0f}." in done.stdout


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_decisions_are_written_to_one_file(folder, kind):
    path, frame = folder
    clf = SugenoClassifier().fit(frame[["price", "speed"]], frame["sold"].to_numpy())
    sugeno.save(clf, path / "model.json")
    out = path / f"decided.{kind}"
    done = run("predict", path / "model.json", path / "part*.parquet", "-o", out, "--only")
    assert done.exit_code == 0, done.output
    decided = pd.read_parquet(out) if kind == "parquet" else pd.read_csv(out)
    assert list(decided) == ["prediction", "probability"]
    assert decided["prediction"].sum() == clf.predict(frame[["price", "speed"]]).sum()


def test_memory_is_limited_and_passes_are_counted(folder, monkeypatch):
    path, _ = folder
    limits, connect = [], duckdb.connect

    def connected(*arguments, **options):
        connection = connect(*arguments, **options)
        limits.append(connection.sql("SELECT current_setting('memory_limit')").fetchall()[0][0])
        return connection

    monkeypatch.setattr(duckdb, "connect", connected)
    model, data = path / "model.json", path / "part*.parquet"
    done = run("fit", data, "-t", "sold", "--k", "1", "--memory", "200MiB", "-o", model)
    assert done.exit_code == 0, done.output
    assert "The files were read 2 times." in done.stdout
    done = run("predict", model, data, "-o", path / "decided.parquet", "--memory", "300MiB")
    assert done.exit_code == 0, done.output
    assert limits == ["200.0 MiB", "300.0 MiB"]


def test_a_size_that_is_none_is_refused(folder):
    done = run("fit", folder[0] / "part*.parquet", "-t", "sold", "--memory", "much")
    assert done.exit_code == 2
    assert "--memory must be a size such as 1GB or 500MB. Got 'much' instead." in done.stderr


def test_a_positive_label_is_found_by_its_text(folder):
    path, _ = folder
    data = path / "part*.parquet"
    done = run("fit", data, "-t", "sold", "--positive", "0", "--features", "price", "--k", "1")
    assert done.exit_code == 0, done.output
    assert "price >=" in done.stdout
    assert "1 criterion" in done.stdout
    done = run("fit", data, "-t", "sold", "--positive", "maybe")
    assert done.exit_code == 2
    assert "'maybe'" in done.stderr


def test_what_needs_a_single_file_says_so(folder):
    path, _ = folder
    done = run("fit", path / "part*.parquet", "-t", "sold", "--drop-missing")
    assert done.exit_code == 2
    assert "need a single file" in done.stderr
    done = run("fit", path / "none*.parquet", "-t", "sold")
    assert done.exit_code == 2
    assert "No file matches" in done.stderr
    sugeno.save(SugenoClassifier().fit([[1], [2]], [0, 1]), path / "model.json")
    done = run("predict", path / "model.json", path / "part*.parquet")
    assert done.exit_code == 2
    assert "-o decided.parquet" in done.stderr
