"""Patterns of files on the command line: learned from by counts, decided on by the engine."""

import duckdb
import numpy as np
import pandas as pd
import pytest

import sugeno
from cli.running import run
from sugeno import SugenoClassifier, SugenoClassifierCV, SugenoOrdinalClassifier

#: No folds, which take their time.
KIND = ["--k", "all", "--levels", "2", "--max-rules", "3"]


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 6, (240, 3)), columns=["price", "speed", "id"])
    frame["sold"] = (frame["speed"] - frame["price"] + rng.normal(size=240) > 0).astype(int)
    for i in range(3):
        frame[i::3].to_parquet(tmp_path / f"part{i}.parquet")
        frame[i::3].to_csv(tmp_path / f"part{i}.csv", index=False)
    return tmp_path, frame


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_many_files_give_the_rules_of_their_rows(folder, kind):
    path, frame = folder
    model = path / "model.json"
    done = run(
        "fit", path / f"part*.{kind}", "-t", "sold", "--drop-column", "id", "-o", model, *KIND
    )
    assert done.exit_code == 0, done.output
    X, y = frame[["price", "speed"]], frame["sold"]
    reference = SugenoClassifier(levels=2, max_rules=3).fit(X, y)
    assert sugeno.load(model).rules_ == reference.rules_
    assert f"Errors on these rows: {reference.objective_:.0f} of 240 (" in done.stdout
    assert f"240 rows, 2 criteria; {y.sum()} rows" in done.stdout
    assert "sold = 1, the others sold = 0." in done.stdout


def test_kind_and_k_are_chosen_as_with_one_file(folder):
    path, frame = folder
    model = path / "model.json"
    done = run("fit", path / "part*.csv", "-t", "sold", "--features", "price,speed", "-o", model)
    assert done.exit_code == 0, done.output
    X, y = frame[["price", "speed"]], frame["sold"]
    files = str(path / "part*.csv")
    reference = SugenoClassifierCV().fit_frame(files, "sold", features=["price", "speed"])
    clf = sugeno.load(model)
    assert clf.rules_ == reference.rules_
    wrong = (clf.predict(X) != y).sum()
    assert f"Errors on these rows: {wrong} of 240 ({wrong / 240:.1%})." in done.stdout
    held_out = f"{reference.held_out_error_:.1%}, in 5 folds of a sample of"
    assert f"Errors on held-out rows: {held_out} {reference.n_sampled_} distinct" in done.stdout
    assert "AUC  " in done.stdout


def graded(path, frame, labels):
    grade = np.digitize(frame["speed"] - frame["price"], [-1, 2])
    graded = frame.drop(columns="sold").assign(grade=np.array(labels)[grade])
    graded.to_parquet(path / "graded0.parquet")
    graded[:9].to_parquet(path / "graded1.parquet")
    rows = pd.concat([graded, graded[:9]])
    y = np.array(rows["grade"].tolist())
    return path / "graded*.parquet", rows[["price", "speed", "id"]], y


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        ([1, 2, 10], ["--ordered"]),
        ([7, 5, 3], ["--order", "grade=7,5,3"]),
        (["bad", "ok", "good"], ["--order", "grade=bad,ok,good"]),
    ],
    ids=["numbers", "numbers in another order", "texts"],
)
def test_ordered_classes(folder, labels, options):
    files, X, y = graded(*folder, labels)
    model, out = folder[0] / "model.json", folder[0] / "decided.parquet"
    done = run("fit", files, "-t", "grade", "--levels", "2", "-o", model, *options)
    assert done.exit_code == 0, done.output
    reference = SugenoOrdinalClassifier(levels=2, classes=labels).fit(X, y)
    clf = sugeno.load(model)
    assert str(clf.rules_) == str(reference.rules_)
    assert (clf.predict_proba(X) == reference.predict_proba(X)).all()
    wrong = (clf.predict(X) != y).sum()
    assert f"Errors on these rows: {wrong} of 249 (" in done.stdout
    shares = ", ".join(f"{label} ({(y == label).sum()} rows)" for label in labels)
    assert f"classes, the lowest first: {shares}." in done.stdout
    assert "classes off in the mean" in done.stdout
    done = run("predict", model, files, "-o", out)
    assert done.exit_code == 0, done.output
    assert pd.read_parquet(out)["prediction"].tolist() == clf.predict(X).tolist()
    done = run("predict", model, files, "-o", out, "--only")
    assert list(pd.read_parquet(out)) == ["prediction"]


def test_labels_of_a_criterion_have_an_order(folder):
    path, frame = folder
    sizes = np.array(["S", "M", "L's"])
    data = frame.assign(price=sizes[frame["price"] // 2])
    data.to_parquet(path / "sizes0.parquet")
    files, model, out = path / "sizes*.parquet", path / "model.json", path / "decided.parquet"
    done = run("fit", files, "-t", "sold", "--order", "price=S,M,L's", "-o", model, *KIND)
    assert done.exit_code == 0, done.output
    ordered = data.assign(price=pd.Categorical(data["price"], sizes, ordered=True))
    X, y = ordered.drop(columns="sold"), data["sold"]
    reference = SugenoClassifier(levels=2, max_rules=3).fit(X, y)
    clf = sugeno.load(model)
    assert str(clf.rules_) == str(reference.rules_)
    assert "price <= M" in str(clf.rules_)
    assert f"Errors on these rows: {reference.objective_:.0f} of 240 (" in done.stdout
    assert run("predict", model, files, "-o", out).exit_code == 0
    assert pd.read_parquet(out)["prediction"].tolist() == clf.predict(X).tolist()
    done = run("fit", files, "-t", "sold", "--order", "price=S,M", *KIND)
    assert done.exit_code == 2
    assert "must list all labels of a column. Could not convert string 'L's'" in done.stderr


def test_classes_without_an_order_are_each_learned_against_the_rest(folder):
    files, X, y = graded(*folder, ["bad", "ok", "good"])
    model = folder[0] / "model.json"
    done = run("fit", files, "-t", "grade", *KIND, "-o", model)
    assert done.exit_code == 0, done.output
    clf, reference = sugeno.load(model), SugenoClassifier(levels=2, max_rules=3).fit(X, y)
    assert (clf.predict(X) == reference.predict(X)).all()
    assert f"Errors on these rows: {(clf.predict(X) != y).sum()} of 249 (" in done.stdout


def test_text_and_gaps_are_read_as_in_one_file(folder):
    path, frame = folder
    homes = np.array(["rent", "own", "none"])
    data = frame.drop(columns="id").assign(home=homes[(frame["speed"] + frame["id"]) % 3])
    data["price"] = data["price"].where(frame["id"] != 2)
    data[::2].to_parquet(path / "homes0.parquet")
    data[1::2].to_parquet(path / "homes1.parquet")
    model = path / "model.json"
    done = run("fit", path / "homes*.parquet", "-t", "sold", *KIND, "-o", model)
    assert done.exit_code == 0, done.output
    clf, X = sugeno.load(model), data.drop(columns="sold")
    reference = SugenoClassifier(levels=2, max_rules=3, columns={}).fit(X, data["sold"])
    assert clf.predict(X).tolist() == reference.predict(X).tolist()
    assert f"Errors on these rows: {(clf.predict(X) != data['sold']).sum()} of 240" in done.stdout
    assert "home    unordered" in done.stdout


def test_classes_that_do_not_fit_are_refused_with_a_remedy(folder):
    files, _, _ = graded(*folder, ["bad", "ok", "good"])
    for options, said in [
        (["--positive", "ok"], "'grade' has 3 classes, bad, good, ok; --positive is for two."),
        (["--ordered"], "--ordered needs whole numbers in 'grade'. Got bad, good, ok; name"),
        (["--order", "grade=bad,ok"], "has the class 'good', which --order grade= leaves out"),
        (["--order", "grade=bad,ok,best"], "--order grade= must name labels of 'grade'"),
        (["--order", "grade=bad,ok,good", "--positive", "ok"], "have no --positive"),
    ]:
        done = run("fit", files, "-t", "grade", *options)
        assert done.exit_code == 2, options
        assert said in " ".join(done.stderr.split()), done.stderr
    done = run("fit", files, "-t", "grades")
    assert done.exit_code == 2
    assert "has no column 'grades'; did you mean 'grade'" in done.stderr


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
    assert "The files were read 4 times." in done.stdout
    done = run("predict", model, data, "-o", path / "decided.parquet", "--memory", "300MiB")
    assert done.exit_code == 0, done.output
    assert limits == ["200.0 MiB", "300.0 MiB"]


def test_a_size_that_is_none_is_refused(folder):
    done = run("fit", folder[0] / "part*.parquet", "-t", "sold", "--memory", "much")
    assert done.exit_code == 2
    assert "--memory must be a size such as 1GB or 500MB. Got 'much' instead." in done.stderr


def test_files_that_cannot_be_read_are_not_blamed_on_the_memory(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 nothing PAR1")
    done = run("fit", tmp_path / "*.parquet", "-t", "sold")
    assert done.exit_code == 2
    assert "cannot be read" in done.stderr
    assert "--memory" not in done.stderr


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
    assert "--drop-missing needs a single file" in done.stderr
    done = run("fit", path / "none*.parquet", "-t", "sold")
    assert done.exit_code == 2
    assert "No file matches" in done.stderr
    sugeno.save(SugenoClassifier().fit([[1], [2]], [0, 1]), path / "model.json")
    done = run("predict", path / "model.json", path / "part*.parquet")
    assert done.exit_code == 2
    assert "-o decided.parquet" in done.stderr
