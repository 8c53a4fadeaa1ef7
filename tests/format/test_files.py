"""A saved classifier is loaded to the last bit; the file is canonical, and replaced in one step."""

import io
import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sugeno
from classifier_tables import grades, measurements, off_the_grid
from costly import costly
from random_models import random_card, random_model, rows_for, without_literals
from small_rules import classifier_of
from sugeno import (
    ModelFileError,
    RuleClassifier,
    SugenoClassifier,
    SugenoDistiller,
)
from sugeno.model.boundary import SettledPatterns
from sugeno.model.model import HeldOut, Learned, Model

SCHEMA = json.loads(files("sugeno").joinpath("_format/schema.json").read_text(encoding="utf-8"))


def assert_same_bits(a, b):
    a, b = np.asarray(a), np.asarray(b)
    assert a.dtype == b.dtype
    assert a.tobytes() == b.tobytes()


def assert_same_classifier(clf, loaded, X, numbers):
    (model,), (again,) = clf.model_.boundaries, loaded.model_.boundaries
    assert isinstance(loaded, RuleClassifier)
    assert str(again.rules) == str(model.rules)
    assert again.rules == model.rules
    assert repr(again.rules.to_records()) == repr(model.rules.to_records())
    assert again.rules.named == model.rules.named
    assert clf.model_.classes.dtype == loaded.model_.classes.dtype
    assert loaded.model_.classes.tolist() == clf.model_.classes.tolist()
    assert repr(again.certificate) == repr(model.certificate)
    for one, other in (
        (model.importances, again.importances),
        (model.probabilities(numbers), again.probabilities(numbers)),
        (model.accepted(numbers), again.accepted(numbers)),
        (model.literals.worse, again.literals.worse),
        (model.literals.better, again.literals.better),
    ):
        assert_same_bits(one, other)
    assert (loaded.predict(X) == clf.predict(X)).all()
    assert_same_bits(loaded.predict_proba(X), clf.predict_proba(X))
    assert_same_bits(loaded.integral(X), clf.integral(X))
    assert loaded.capacity_ == clf.capacity_
    text = sugeno.dumps(clf)
    assert sugeno.dumps(loaded) == text
    jsonschema.validate(json.loads(text), SCHEMA)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"k": 2},
        {"directions": [-1, 1, -1, 1]},
        {"levels": "single"},
        {"levels": 3},
        {"levels": "all"},
        {"normalized": False, "threshold": 0.3, "margin": 0.1},
    ],
    ids=str,
)
@pytest.mark.parametrize("table", [grades, measurements])
def test_a_learned_classifier_comes_back_to_the_last_bit(settings, table):
    X, y = table()
    clf = SugenoClassifier(**settings).fit(X, y)
    rows = off_the_grid(X)
    assert_same_classifier(clf, sugeno.loads(sugeno.dumps(clf)), rows, rows)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["reject", "accept"]),
        np.array(["reject", "accept"], dtype="U20"),
        np.array(["reject", "accept"], dtype=object),
        np.array([False, True]),
        np.array([3, -7], dtype=np.int8),
        np.array([0, 2**64 - 1], dtype=np.uint64),
        np.array([0.0, 2.0], dtype=np.float32),
        np.array([1.0, 2.0]),
    ],
    ids=lambda labels: f"{labels.dtype}",
)
def test_class_labels_keep_their_type_and_which_of_them_is_positive(labels):
    X, y = grades(n=40)
    clf = SugenoClassifier(positive=labels[1]).fit(X, labels[y])
    loaded = sugeno.loads(sugeno.dumps(clf))
    assert loaded.predict(X).dtype == labels.dtype
    assert loaded.positive_ == clf.positive_
    assert_same_classifier(clf, loaded, X, X)


def test_a_frame_with_ordered_labels_is_read_by_name():
    X, y = grades(m=3)
    sizes = pd.CategoricalDtype(["tiny", "small", "medium", "large", "huge"], ordered=True)
    frame = pd.DataFrame({"größe": X[:, 0], "<b>": X[:, 1]})
    frame["size"] = pd.Categorical.from_codes(X[:, 2].astype(int), dtype=sizes)
    clf = SugenoClassifier(levels=2).fit(frame, y)
    loaded = sugeno.loads(sugeno.dumps(clf))
    assert_same_classifier(clf, loaded, frame, X)
    assert loaded.feature_names_in_.tolist() == ["größe", "<b>", "size"]
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(frame[["size", "<b>", "größe"]])


@pytest.mark.parametrize("missing", ["pessimistic", "optimistic", "interval"])
@pytest.mark.parametrize("levels", ["shared", 2])
def test_missing_values_are_read_as_before(missing, levels):
    X, y = grades()
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    X[:, 0] = np.nan_to_num(X[:, 0])
    clf = SugenoClassifier(levels=levels, missing=missing).fit(X, y)
    loaded = sugeno.loads(sugeno.dumps(clf))
    assert loaded.model_.missing == missing
    assert_same_classifier(clf, loaded, X, X)


@pytest.mark.usefixtures("brief")
def test_distilled_rules_come_back():
    X, y = grades(n=80, m=3)
    clf = SugenoDistiller(SugenoClassifier(levels=2)).fit(X, y)
    assert_same_classifier(clf, sugeno.loads(sugeno.dumps(clf)), X, X)


@costly
@given(seed=st.integers(0, 2**32))
def test_any_model_comes_back(seed):
    clf = RuleClassifier.of(
        Model.of_two_classes(random_model(seed, labelled=False, m=1 + seed % 4))
    )
    rows = rows_for(clf.model_.boundaries[0], seed, 30)
    named = pd.DataFrame(rows, columns=clf.rules_.criteria) if clf.rules_.named else rows
    assert_same_classifier(clf, sugeno.loads(sugeno.dumps(clf)), named, rows)


@costly
@given(seed=st.integers(0, 2**32))
def test_any_model_with_ordered_labels_comes_back(seed):
    model = random_model(seed)
    loaded = sugeno.loads(sugeno.dumps(classifier_of(model)))
    rows = rows_for(model, seed, 30)
    assert_same_bits(loaded.model_.boundaries[0].probabilities(rows), model.probabilities(rows))
    assert loaded.rules_ == model.rules
    assert sugeno.dumps(loaded) == sugeno.dumps(classifier_of(model))


def test_paths_and_streams_hold_the_same(tmp_path):
    clf = SugenoClassifier().fit(*grades())
    text = sugeno.dumps(clf)
    stream = io.StringIO()
    sugeno.save(clf, stream)
    assert stream.getvalue() == text
    for path in (tmp_path / "model.json", str(tmp_path / "other.json")):
        sugeno.save(clf, path)
        assert Path(path).read_bytes() == text.encode()
        assert sugeno.dumps(sugeno.load(path)) == text
    assert sugeno.dumps(sugeno.load(io.StringIO(text))) == text
    assert sugeno.dumps(sugeno.load(io.BytesIO(text.encode()))) == text
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model.json", "other.json"]


def test_what_is_not_fitted_is_refused():
    with pytest.raises(TypeError, match="fit it, or distill it"):
        sugeno.dumps(SugenoClassifier())


@pytest.mark.parametrize(
    "labels", [np.array([b"no", b"yes"]), np.array([1j, 2j]), np.array([(), (1,)], dtype=object)]
)
def test_labels_that_no_file_can_hold_are_refused(labels):
    clf = classifier_of(random_model(0))
    object.__setattr__(clf.model_, "classes", labels)
    with pytest.raises(ModelFileError, match="Class labels of a model file must be"):
        sugeno.dumps(clf)


@pytest.mark.parametrize(("name", "value"), [("importances", math.nan), ("threshold", 2.0)])
def test_what_could_not_be_read_is_not_written(name, value, tmp_path):
    clf = classifier_of(random_model(0, m=1))
    held = np.array([value]) if name == "importances" else value
    object.__setattr__(clf.model_.boundaries[0], name, held)
    with pytest.raises(ModelFileError):
        sugeno.save(clf, tmp_path / "model.json")
    assert not [*tmp_path.iterdir()]


def test_a_longer_file_than_allowed_is_refused(tmp_path):
    path = tmp_path / "model.json"
    sugeno.save(classifier_of(random_model(0)), path)
    size = path.stat().st_size
    assert sugeno.load(path, max_bytes=size)
    with pytest.raises(ModelFileError, match=f"at most {size - 1} bytes"):
        sugeno.load(path, max_bytes=size - 1)


def test_a_file_keeps_its_permissions_and_a_link_its_target(tmp_path):
    clf = classifier_of(random_model(0))
    path, link = tmp_path / "model.json", tmp_path / "link.json"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    sugeno.save(clf, link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert sugeno.dumps(sugeno.load(path)) == sugeno.dumps(clf)


def test_what_is_no_regular_file_is_written_to_and_not_replaced(tmp_path):
    sugeno.save(classifier_of(random_model(0)), os.devnull)
    assert not Path(os.devnull).is_file()
    assert not [*Path(os.devnull).parent.glob(".null.*")]


def test_a_failing_save_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    path.write_text("old")

    def no_disk(number):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", no_disk)
    with pytest.raises(OSError, match="disk full"):
        sugeno.save(classifier_of(random_model(0)), path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["model.json"]


#: Saves two models in turns, in a child for each line that comes in, until the child is killed.
SAVING = """
import os, sys
import sugeno
one, other = (sugeno.load(path) for path in sys.argv[2:])
for number, _ in enumerate(sys.stdin):
    child = os.fork()
    if not child:
        print(os.getpid(), flush=True)
        while True:
            sugeno.save(one if number % 2 else other, sys.argv[1])
            number += 1
    os.waitpid(child, 0)
    print("killed", flush=True)
"""


def test_a_save_that_is_killed_leaves_a_whole_file(tmp_path):
    X, y = measurements(n=2000, m=6)  # thousands of knots: a file that takes a while to write
    texts = []
    for number, levels in enumerate(["shared", 5]):
        clf = SugenoClassifier(levels=levels, time_limit=1).fit(X, y)
        sugeno.save(clf, tmp_path / f"{number}.json")
        texts.append(sugeno.dumps(clf))
    path = tmp_path / "model.json"
    path.write_text(texts[0], encoding="utf-8")
    rng = np.random.default_rng(0)
    found = []
    command = [sys.executable, "-c", SAVING, path, tmp_path / "0.json", tmp_path / "1.json"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        # On a busy machine a child may be killed before it writes: later ones get more time.
        while len(found) < 40 or (set(found) != {0, 1} and len(found) < 400):
            process.stdin.write("\n")
            child = int(process.stdout.readline())
            time.sleep(rng.uniform(0, 0.1 + 0.0025 * len(found)))
            os.kill(child, signal.SIGKILL)
            assert process.stdout.readline() == "killed\n"
            found.append(texts.index(path.read_text(encoding="utf-8")))
        process.stdin.close()
    assert set(found) == {0, 1}  # they were killed at work, not before


@pytest.mark.filterwarnings("ignore::sugeno.WeakDirectionWarning")
@pytest.mark.parametrize("settings", [{}, {"levels": 2}, {"missing": "interval"}], ids=str)
def test_classes_without_an_order_come_back_to_the_last_bit(settings):
    X, _ = grades()
    kinds = np.array(["low", "tall", "wide"])[(X @ [1, -1, 2, 0] % 3).astype(int)]
    if "missing" in settings:
        X[0, 1] = np.nan
    clf = SugenoClassifier(**settings).fit(X, kinds)
    text = sugeno.dumps(clf)
    loaded = sugeno.loads(text)
    assert {label: str(rules) for label, rules in loaded.rules_.items()} == {
        label: str(rules) for label, rules in clf.rules_.items()
    }
    assert (loaded.predict(X) == clf.predict(X)).all()
    assert_same_bits(loaded.predict_proba(X), clf.predict_proba(X))
    assert (loaded.predict_set(X) == clf.predict_set(X)).all()
    assert loaded.directions_.tolist() == clf.directions_.tolist()
    assert sugeno.dumps(loaded) == text
    jsonschema.validate(json.loads(text), SCHEMA)


@pytest.mark.parametrize(
    "learned",
    [
        Learned("shared", None, "training error"),
        Learned(3, None, "training error", HeldOut(0.25, 5, "the 5 folds of the choice")),
        Learned("distilled", "LogisticRegression", "disagreement with the teacher"),
        Learned("given"),
    ],
    ids=lambda learned: f"{learned.kind}",
)
def test_a_file_tells_how_the_model_was_learned(learned):
    clf = SugenoClassifier().fit(*grades())
    given = RuleClassifier.of(replace(clf.model_, learned=learned))
    assert sugeno.loads(sugeno.dumps(given)).model_.learned == learned


@pytest.mark.parametrize("accepted", [False, True])
def test_a_model_without_literals_comes_back_with_what_is_open(accepted):
    everything, nothing = np.zeros((1, 1), np.uint64), np.zeros((0, 1), np.uint64)
    sides = (everything, nothing) if accepted else (nothing, everything)
    boundary = replace(without_literals(accepted), extent=SettledPatterns(*sides))
    clf = classifier_of(boundary)
    loaded = sugeno.loads(sugeno.dumps(clf))
    rows = pd.DataFrame({"x": [1.0]})
    assert loaded.predict_set(rows).tolist() == [[not accepted, accepted]]
    assert sugeno.dumps(loaded) == sugeno.dumps(clf)


@pytest.mark.parametrize("levels", [2, "single", "all"])
def test_constant_columns_are_saved_with_what_is_open(levels):
    clf = SugenoClassifier(levels=levels, abstain=True).fit([[2.0]] * 5, [1, 1, 1, 1, 0])
    loaded = sugeno.loads(sugeno.dumps(clf))
    assert (loaded.predict_set([[2.0]]) == clf.predict_set([[2.0]])).all()


@costly
@given(seed=st.integers(0, 2**32))
def test_any_card_of_points_comes_back(seed):
    boundary = random_card(seed)
    clf = classifier_of(boundary)
    text = sugeno.dumps(clf)
    (again,) = sugeno.loads(text).model_.boundaries
    rows = rows_for(boundary, seed, 30)
    assert again.form == boundary.form
    assert again.form.chances == boundary.form.chances
    assert repr(again.form.to_records()) == repr(boundary.form.to_records())
    assert_same_bits(again.accepted(rows), boundary.accepted(rows))
    assert_same_bits(again.probabilities(rows), boundary.probabilities(rows))
    assert again.threshold == boundary.threshold
    assert sugeno.dumps(sugeno.loads(text)) == text
    jsonschema.validate(json.loads(text), SCHEMA)
