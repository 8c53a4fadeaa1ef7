"""What a model says about rows, from the command line."""

import base64
import html
import json
import re
import shlex
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import sugeno
import sugeno.report
from cli.running import fine, refused
from sugeno import SugenoClassifier


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    n = 90
    size = rng.choice(["small", "medium", "large"], n)
    price, speed = rng.integers(1, 10, n), rng.integers(1, 10, n)
    good = (size == "large") & (price <= 6) | (speed >= 7) & (price <= 4)
    return pd.DataFrame({"size": size, "price": price, "top, speed": speed, "sold": good * 1})


@pytest.fixture
def files(frame, tmp_path):
    data, model = tmp_path / "cars.csv", tmp_path / "model.json"
    frame.to_csv(data, index=False)
    order = ("--order", "size=small,medium,large", "--direction", "price=-")
    fine("fit", data, "-t", "sold", "--k", "all", "--levels", 3, *order, "-o", model)
    return model, data


def criteria(frame):
    return frame.drop(columns="sold")


# -------------------------------------------------------------------------------------- explain


def test_rows_are_explained_as_the_classifier_explains_them(files, frame):
    model, data = files
    found = sugeno.load(model).explain(criteria(frame))
    lines = fine("explain", model, data).output.splitlines()
    assert lines == [f"{i}: {text}" for i, text in enumerate(found.sentences(), 1)]
    assert any("sold = 1 if" in line for line in lines)
    assert any("sold = 0 if" in line for line in lines)


def test_one_row_is_explained_in_full(files, frame):
    model, data = files
    clf = sugeno.load(model)
    for number in (1, 17):
        one = clf.explain(criteria(frame)[number - 1 : number])[0]
        lines = fine("explain", model, data, "--row", number).output.splitlines()
        assert lines[:2] == [f"Row {number}: {one.text}", f"  because {one.because}"]
        fired = [line for line in lines if line.startswith("  rule ")]
        assert fired == [f"  rule {i + 1}: {list(clf.rules_)[i]}" for i in one.rules]
        assert [line for line in lines if line.startswith("  or: ")] == [
            f"  or: {way}" for way in one.counterfactuals[1:]
        ]


def test_only_the_rows_asked_for_must_suit_the_model(files, frame):
    model, data = files
    frame.astype({"price": object}).replace({"price": {9: "much"}}).to_csv(data, index=False)
    strange = int(np.flatnonzero(frame["price"] == 9)[0]) + 1
    fit = int(np.flatnonzero(frame["price"] < 9)[0]) + 1
    assert f"Row {fit}: " in fine("explain", model, data, "--row", fit).output
    message = refused("explain", model, data, "--row", strange)
    assert f"must hold numbers, as the model has it. Got 'much' (line {strange + 1})" in message


def test_limits_are_kept(files, frame):
    model, data = files
    given = ("explain", model, data, "--format", "json")
    limits = ("--immutable", "size", "--immutable", "top, speed", "--range", "price=5..")
    for record in json.loads(fine(*given, *limits, "--ways", 1).output):
        assert len(record["counterfactuals"]) <= 1
        for way in record["counterfactuals"]:
            assert [change["criterion"] for change in way["changes"]] == ["price"]
            assert way["changes"][0]["after"] >= 5
    clf = sugeno.load(model)
    wanted = clf.explain(
        criteria(frame), permitted_range={"size": (None, "medium"), "price": (None, 7)}
    )
    limits = ("--range", "size=..medium", "--range", "price=..7")
    records = json.loads(fine(*given, *limits).output)
    assert [record["text"] for record in records] == wanted.sentences()
    assert [record["label"] for record in records] == [one.label for one in wanted]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--row", "91"], ["--row must be at most 90", "Got 91"]),
        (["--row", "0"], ["--row", "--help"]),
        (["--immutable", "Price"], ["no criterion 'Price'", "did you mean 'price'?"]),
        (["--range", "prise=1..2"], ["no criterion 'prise'", "did you mean 'price'?"]),
        (["--range", "price=3"], ["price=3..9", "'price=3'"]),
        (["--range", "price=low..9"], ["numbers as its ends", "'low'"]),
        (["--range", "size=tiny..large"], ["tiny"]),
    ],
)
def test_wrong_questions_are_explained(files, arguments, parts):
    message = refused("explain", *files, *arguments)
    assert all(part in message for part in parts), message


# --------------------------------------------------------------------------------------- report


def test_the_page_is_that_of_the_classifier(files, frame, tmp_path):
    model, data = files
    out = tmp_path / "page.html"
    given = ("report", model, data, "--target", "sold", "--title", "Used <cars>", "-o")
    assert "90 rows" in fine(*given, out).stderr
    clf = sugeno.load(model)
    wanted = sugeno.report.report_html(
        clf,
        criteria(frame),
        frame["sold"],
        title="Used <cars>",
        command=f"sugeno report {model} {data} --target sold --title 'Used <cars>' -o {out}",
        source="cars.csv",
        model_json=sugeno.dumps(clf),
    )
    assert out.read_text(encoding="utf-8") == wanted
    assert fine(*given, "-").stdout.startswith("<!doctype html>")


def test_the_page_offers_the_very_file_that_it_was_made_from(files, tmp_path):
    model, data = files
    model.write_text(json.dumps(json.loads(model.read_text()), indent=3))  # not as we write it
    out = tmp_path / "page.html"
    fine("report", model, data, "-t", "sold", "-o", out)
    link = re.search(r'href="data:application/json;base64,([^"]*)"', out.read_text())
    assert base64.b64decode(link[1]) == model.read_bytes()


def test_a_distilled_model_from_a_file_is_not_called_the_best_in_errors(frame, tmp_path):
    data, model, out = tmp_path / "cars.csv", tmp_path / "model.json", tmp_path / "page.html"
    frame.drop(columns="size").to_csv(data, index=False)
    fine("fit", data, "-t", "sold", "--levels", "distilled", "-o", model)
    fine("report", model, data, "-t", "sold", "-o", out)
    page = out.read_text(encoding="utf-8")
    assert "best there is" not in page
    assert "The training error is" not in page
    proved = re.search(r"<dt>What is proved</dt><dd>(.*?)</dd>", page)
    assert proved is None or "Nothing is proved about errors" in proved[1]


def test_classes_without_an_order_have_a_page_of_all_and_one_of_each(frame, tmp_path):
    data, model, out = tmp_path / "cars.csv", tmp_path / "model.json", tmp_path / "page.html"
    kinds = np.where(frame["price"] < 4, "cheap", np.where(frame["top, speed"] > 6, "fast", "dull"))
    frame.drop(columns=["size", "sold"]).assign(kind=kinds).to_csv(data, index=False)
    fine("fit", data, "-t", "kind", "--levels", 1, "-o", model)
    fine("report", model, data, "-t", "kind", "-o", out)
    pages = sorted(path.name for path in tmp_path.glob("page*.html"))
    assert pages == ["page-1.html", "page-2.html", "page-3.html", "page.html"]
    alone = tmp_path / "fast.html"
    fine("report", model, data, "-t", "kind", "--boundary", "fast", "-o", alone)
    assert "<h1>Fast or not fast?</h1>" in alone.read_text()


def test_rows_of_one_class_and_gaps_are_reported_on(files, frame, tmp_path):
    model, data = files
    new = frame[frame["sold"] == 1].astype({"price": object})
    new.iloc[0, 1] = None
    new.to_csv(data, index=False)
    given = ("report", model, data, "-t", "sold", "-o", tmp_path / "page.html")
    assert "Got nothing (line 2) instead; mend those rows, or leave them out" in refused(*given)
    assert f"{len(new) - 1} rows" in fine(*given, "--drop-missing", "--new-rows").stderr


def test_labels_that_are_no_classes_of_the_model_are_refused(files, frame, tmp_path):
    model, data = files
    frame.assign(sold=frame["sold"] * 2).to_csv(data, index=False)
    given = ("report", model, data, "-t", "sold", "-o", tmp_path / "page.html")
    message = refused(*given)
    assert "has '2', which is no class of the model, '0' or '1'" in message
    assert "--positive" in message


# --------------------------------------------------------------------------------------- export


def test_the_sql_decides_on_the_file_as_the_model_does(files, frame, tmp_path):
    import duckdb

    model, data = files
    expression = fine("export", model, "--to", "sql", "--output", "label").stdout
    found = duckdb.sql(f"SELECT ({expression}) AS label FROM '{data}'").fetchall()
    assert [label for (label,) in found] == sugeno.load(model).predict(criteria(frame)).tolist()
    out = tmp_path / "model.sql"
    assert (
        f"Wrote {out}"
        in fine(*("export", model, "--to", "sql", "--dialect", "postgres", "-o", out)).stderr
    )
    assert out.read_text().strip() == sugeno.export.to_sql(sugeno.load(model), dialect="postgres")


def test_an_unknown_dialect_is_refused(files):
    assert "dialect must be one of" in refused("export", files[0], "--to", "sql", "--dialect", "c")


def test_the_python_source_decides_as_the_model_does(files, frame, tmp_path):
    out = tmp_path / "decide.py"
    fine("export", files[0], "--to", "python", "-o", out)
    names = {}
    exec(out.read_text(), names)
    found = [names["label"](row) for row in criteria(frame).to_dict("records")]
    assert found == sugeno.load(files[0]).predict(criteria(frame)).tolist()
    assert "leave it out" in refused("export", files[0], "--to", "python", "--dialect", "spark")


def test_the_onnx_model_decides_as_the_model_does(files, frame, tmp_path):
    import onnxruntime

    out = tmp_path / "model.onnx"
    fine("export", files[0], "--to", "onnx", "-o", out)
    session = onnxruntime.InferenceSession(str(out))
    places = criteria(frame).replace({"size": {"small": 0, "medium": 1, "large": 2}})
    rows = places.to_numpy(dtype=np.float64)
    label = session.run(["label"], {session.get_inputs()[0].name: rows})[0]
    assert label.tolist() == sugeno.load(files[0]).predict(criteria(frame)).tolist()


@pytest.mark.parametrize("language", ["pmml", "dmn"])
def test_documents_are_those_of_the_classifier(files, language, tmp_path):
    out = tmp_path / f"model.{language}"
    fine("export", files[0], "--to", language, "-o", out)
    wanted = getattr(sugeno.export, f"to_{language}")(sugeno.load(files[0]))
    assert out.read_text(encoding="utf-8").strip() == wanted.strip()
    root = ElementTree.parse(out).getroot()
    assert language in root.tag.lower() or "definitions" in root.tag
    assert fine("export", files[0], "--to", language).stdout_bytes == out.read_bytes()


# ------------------------------------------------------------------------------ rules on data


def test_rules_are_counted_on_other_rows(files, frame):
    model, data = files
    half = frame[:40]
    half.to_csv(data, index=False)
    given = ("rules", model, "--data", data, "--target", "sold", "--format", "json")
    wanted = sugeno.load(model).rules_.counted_on(criteria(half), half["sold"]).to_records()
    for record, other in zip(json.loads(fine(*given).output), wanted, strict=True):
        assert record["support"] == other["support"]
        assert record["precision"] == pytest.approx(other["precision"], nan_ok=True)
    assert "give that file too" in refused("rules", model, "--target", "sold")


def test_the_target_is_the_only_column_with_the_classes_of_the_model(files, frame, tmp_path):
    model, data = files
    page = tmp_path / "page.html"
    for command in (
        ("rules", model, "--data"),
        ("report", model),
        ("edit", model, "--drop", 1, "--data"),
    ):
        extra = ("-o", page) if command[0] == "report" else ()
        alone = fine(*command, data, *extra).output
        assert alone == fine(*command, data, "--target", "sold", *extra).output
    both = frame.assign(seen=1, sold=frame["sold"].astype(float))
    both.to_csv(data, index=False)
    assert fine("report", model, data, "-o", page).output  # it is called as in training
    both.rename(columns={"sold": "paid"}).to_csv(data, index=False)
    message = refused("report", model, data, "-o", page)
    assert "2 columns ('paid', 'seen') with the classes of the model, '0' and '1'" in message
    assert "--target" in message
    criteria(frame).to_csv(data, index=False)
    assert "has no column with the classes" in refused("report", model, data, "-o", page)


def test_the_page_has_the_command_that_writes_it_again(files, tmp_path):
    model, data = files
    page = tmp_path / "a page.html"
    frame = pd.read_csv(data)
    frame.loc[3, "price"] = np.nan
    frame.to_csv(data, index=False)
    given = ("--target", "sold", "--positive", "1", "--drop-missing", "--title", "Cars we sell")
    fine("report", model, data, *given, "--out", page)
    written = page.read_text(encoding="utf-8")
    command = re.search(r"sugeno report [^<]*", html.unescape(written))[0]
    page.unlink()
    fine(*shlex.split(command)[1:])
    assert page.read_text(encoding="utf-8") == written


def test_a_model_without_rules_is_shown(tmp_path):
    file = tmp_path / "never.json"
    clf = SugenoClassifier(normalized=False, directions=None).fit([[3], [2], [1]], [0, 0, 1])
    sugeno.save(clf, file)
    assert fine("rules", file).output == "class 1 never\n"
    assert fine("rules", file, "--format", "csv").output == "number\n"
    assert json.loads(fine("rules", file, "--format", "json").output) == []


def test_rules_in_words_and_in_markdown(files):
    rules = sugeno.load(files[0]).rules_
    assert "at least" in fine("rules", files[0], "--format", "words").output
    assert fine("rules", files[0], "--format", "markdown").output == f"{rules.to_markdown()}\n"


def test_letters_are_those_of_the_classifier(files, frame):
    model, data = files
    letters = sugeno.load(model).reasons(criteria(frame))
    shown = [f"{i}: {letter}" for i, letter in enumerate(letters, 1)]
    assert fine("explain", model, data, "--letter").output == "\n".join(shown) + "\n"


# ----------------------------------------------------------------------------------------- edit


def test_rules_are_dropped_by_the_numbers_that_are_shown(files, tmp_path):
    model, out = files[0], tmp_path / "new.json"
    rules = list(sugeno.load(model).rules_)
    assert len(rules) == 3
    for numbers in ([1], [2], [3], [1, 3], [2, 3]):
        options = [part for number in numbers for part in ("--drop", number)]
        fine("edit", model, *options, "-o", out)
        kept = {rule for i, rule in enumerate(rules, 1) if i not in numbers}
        assert set(sugeno.load(out).rules_) == kept


def test_an_edit_says_what_it_changes_on_rows(files, frame, tmp_path):
    model, data = files
    out = tmp_path / "new.json"
    result = fine(
        *("edit", model, "--add", "price <= 1", "--forbid", "top, speed", "-o", out),
        *("--data", data, "--target", "sold"),
    )
    old, new = sugeno.load(model), sugeno.load(out)
    changed = int((old.predict(criteria(frame)) != new.predict(criteria(frame))).sum())
    assert f"{changed} of 90 rows" in result.stdout
    before, after = (int((c.predict(criteria(frame)) != frame["sold"]).sum()) for c in (old, new))
    assert f"Errors: {before} before, {after} after." in result.stdout
    assert "price <= 1" in list(new.rules_)
    assert not any("top, speed" in rule for rule in new.rules_)
    without = fine("edit", model, "--add", "price <= 1")
    assert without.stdout.endswith("--data FILE --target COLUMN.\n")
    assert "Nothing was kept" in without.stderr
    piped = fine("edit", model, "--add", "price <= 1", "-o", "-")
    assert "price <= 1" in list(sugeno.loads(piped.stdout).rules_)


def test_a_level_is_set_in_one_rule_or_in_all(tmp_path):
    data, model, out = (tmp_path / name for name in ("d.csv", "m.json", "n.json"))
    rows = [(a, b, int(a >= 3 and b >= 3)) for a in range(1, 6) for b in range(1, 6)]
    data.write_text("a,b,y\n" + "".join(f"{a},{b},{y}\n" for a, b, y in rows))
    fine("fit", data, "-t", "y", "--k", "all", "-o", model)
    assert list(sugeno.load(model).rules_) == ["a >= 3 and b >= 3"]
    fine("edit", model, "--set", "a>=4", "--set", "b ≥ 2", "-o", out)
    assert list(sugeno.load(out).rules_) == ["a >= 4 and b >= 2"]
    fine("edit", model, "--add", "a >= 5", "-o", out)
    assert list(sugeno.load(out).rules_) == ["a >= 3 and b >= 3", "a >= 5"]
    assert "Got 3, 5 instead" in refused("edit", out, "--set", "a>=2")
    fine("edit", out, "--set", "2: a>=4", "--set", "1: b>=5", "--set", "1: a>=2", "-o", model)
    assert list(sugeno.load(model).rules_) == ["a >= 2 and b >= 5", "a >= 4"]
    fine("edit", out, "--set", "2: b >= 2", "-o", model)
    assert list(sugeno.load(model).rules_) == ["a >= 3 and b >= 3", "a >= 5 and b >= 2"]
    fine("edit", out, "--drop", "1", "--set", "2: a>=4", "-o", model)
    assert list(sugeno.load(model).rules_) == ["a >= 4"]
    message = refused("edit", out, "--set", "2: a>=3", "--set", "1: b>=1")
    assert "--set must be a rule that is still there. Got 1 instead." in message


def test_a_label_is_set_as_a_level(files, tmp_path):
    out = tmp_path / "new.json"
    fine("edit", files[0], "--add", "size >= large", "-o", out)
    assert "size >= large" in list(sugeno.load(out).rules_)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ([], ["Nothing to change"]),
        (["--drop", "99"], ["--drop must be a rule from 1 to"]),
        (["--set", "99: price<=3"], ["--set must be a rule from 1 to"]),
        (["--set", "price"], ['"age>=62"', "'price'"]),
        (["--set", "price>=3"], ["compared by <="]),
        (["--set", "Price<=3"], ["no criterion 'Price'", "'price'"]),
        (["--forbid", "cost"], ["no criterion 'cost'"]),
        (["--add", "prise <= 3"], ["'prise'", "did you mean 'price'"]),
        (["--add", "whatever"], ["must read like"]),
    ],
)
def test_edits_that_cannot_be_made_are_explained(files, arguments, parts):
    message = refused("edit", files[0], *arguments)
    assert all(part in message for part in parts), message
