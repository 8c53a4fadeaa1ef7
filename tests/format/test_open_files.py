"""A saved classifier that knows what is open comes back with it."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import sugeno
from sugeno import ModelFileError, SugenoClassifier, SugenoDistiller

SCHEMA = json.loads(files("sugeno").joinpath("_format/schema.json").read_text(encoding="utf-8"))
GOLDEN = Path(__file__).parent / "golden" / "protocol-3" / "open.json"


def table(seed=0, n=40):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(n, 4)).astype(float)
    return X, (X.sum(axis=1) + rng.normal(0, 2, n) > 8).astype(int)


@pytest.mark.parametrize(
    "clf",
    [
        SugenoClassifier(abstain=True),
        SugenoClassifier(abstain=True, levels=3),
        SugenoClassifier(abstain=True, k=2, max_rules=2),
        SugenoDistiller(abstain=True, max_rules=4),
    ],
    ids=["shared", "levels", "few", "distilled"],
)
def test_it_comes_back_to_the_last_bit(clf):
    clf.fit(*table())
    text = sugeno.dumps(clf)
    jsonschema.validate(json.loads(text), SCHEMA)
    again, rows = sugeno.loads(text), table(1, 200)[0]
    np.testing.assert_array_equal(again.predict_set(rows), clf.predict_set(rows))
    assert sugeno.dumps(again) == text


def _swapped(extent):
    extent["accepted"], extent["rejected"] = extent["rejected"], extent["accepted"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda whole: whole.pop("extent"), "an object with the key 'extent'"),
        (lambda whole: whole.update(protocol=1), "'extent'"),
        (lambda whole: _swapped(whole["extent"]), "sets that are accepted by the rules"),
        (lambda whole: whole["extent"]["rejected"].append([]), "a redundant literal or set"),
        (lambda whole: whole["extent"]["accepted"].append([99]), "extent.accepted"),
        (lambda whole: whole["extent"]["rejected"].clear(), None),
    ],
    ids=["without", "protocol", "swapped", "redundant", "strange", "more open"],
)
def test_what_contradicts_itself_is_refused(change, message):
    whole = json.loads(GOLDEN.read_text(encoding="utf-8"))
    change(whole)
    if message is None:  # nothing is settled: a model as well
        assert (
            sugeno.loads(json.dumps(whole)).model_.boundaries[0].limits(np.zeros((1, 4)))[1].all()
        )
        return
    with pytest.raises(ModelFileError, match=message):
        sugeno.loads(json.dumps(whole))
