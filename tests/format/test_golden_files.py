"""What was saved once loads for ever, and decides as it did."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

import sugeno

SCHEMA = json.loads(files("sugeno").joinpath("_format/schema.json").read_text(encoding="utf-8"))
GOLDEN = Path(__file__).parent / "golden"
LATEST = 6


def rules_of(clf):
    """The rules of a classifier in lines, those of each class where they have no order.

    Of a sum of steps what it says of itself.
    """
    several = hasattr(clf, "per_class_")
    if clf.model_.adds_up:
        return "\n".join(map(str, clf.model_.models if several else [clf.model_]))
    return "\n".join(map(str, clf.rules_.values())) if several else str(clf.rules_)


def asked(clf, rows):
    """Rows as the classifier takes them: with names where it has names."""
    names = getattr(clf, "feature_names_in_", None)
    if names is None:
        return rows
    frame = pd.DataFrame(rows, columns=names)
    dates = [one.column for one in getattr(clf, "columns_", ()) if one.kind == "date"]
    return frame.assign(**{name: pd.to_datetime(frame[name]) for name in dates})


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "path", sorted(GOLDEN.glob("*/*.json")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_files_of_all_protocols_load_for_ever_and_decide_as_they_did(path):
    text = path.read_text(encoding="utf-8")
    shown = json.loads(path.with_suffix(".expected").read_text(encoding="utf-8"))
    clf = sugeno.load(path)
    rows = asked(clf, shown["rows"])
    chances = clf.predict_proba(rows)
    of_one_class = np.ndim(shown["probabilities"]) == 1
    assert rules_of(clf) == shown["rules"]
    assert clf.predict(rows).tolist() == shown["labels"]
    assert (chances[:, 1] if of_one_class else chances).tolist() == shown["probabilities"]
    if "integrals" in shown:
        assert clf.integral(rows).tolist() == shown["integrals"]
    if "sets" in shown:
        assert clf.predict_set(rows).tolist() == shown["sets"]
    jsonschema.validate(json.loads(text), SCHEMA)
    again = sugeno.dumps(clf)
    jsonschema.validate(json.loads(again), SCHEMA)
    assert json.loads(again)["protocol"] == LATEST
    assert sugeno.dumps(sugeno.loads(again)) == again
    if path.parent.name == f"protocol-{LATEST}":
        assert again == text


def test_there_is_a_golden_file_of_each_kind():
    found = {
        folder.name: {path.stem for path in folder.glob("*.json")} for folder in GOLDEN.iterdir()
    }
    two, ordered = {"shared", "levels", "labels", "clauses"}, {"grades", "thresholds"}
    assert found == {
        "protocol-1": two,
        "protocol-2": ordered,
        "protocol-3": {"open"},
        "protocol-4": {*two, *ordered, "open", "clusters", "distilled", "never", "points", "mixed"},
        "protocol-5": {"costs", "counted", "sum", "sums"},
        "protocol-6": {"coded"},
    }
