"""The document follows the schema, and an engine of others decides as the classifier does."""

import json
import zipfile
from functools import cache
from importlib.resources import files
from xml.etree import ElementTree

import lxml.etree
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier_tables import grades
from export.export_frames import SEEDS, arrow_table, classifier, expected, rows_with_gaps
from sugeno import SugenoClassifier
from sugeno.export import to_pmml

SPACE = {"p": "http://www.dmg.org/PMML-4_4"}


@cache
def schema():
    """The schema of PMML 4.4, which comes with JPMML's library for reading it."""
    folder = files("jpmml_evaluator").joinpath("dependencies")
    for path in folder.iterdir():
        if path.name.startswith("pmml-model"):
            with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
                if "pmml.xsd" in archive.namelist():
                    return lxml.etree.XMLSchema(lxml.etree.fromstring(archive.read("pmml.xsd")))
    raise FileNotFoundError("pmml.xsd")


def assert_follows_the_schema(text):
    schema().assertValid(lxml.etree.fromstring(text.encode()))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.filterwarnings("ignore")  # of pypmml and what it imports
def test_another_engine_decides_alike(seed, engine):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_.boundaries[0], seed, 500)
    infinite = np.isinf(X).any(axis=1)  # which JSON, the way to the engine, cannot say
    X, missing = X[~infinite], missing[~infinite] | np.isnan(X[~infinite])
    rows = arrow_table(clf.model_.boundaries[0], X, missing).to_pylist()
    model = engine(to_pmml(clf))
    found = json.loads(model.predict(json.dumps(rows)))
    assert [row["predicted_class"] for row in found] == expected(
        clf.model_.boundaries[0], X, "label"
    )


@given(seed=st.integers(0, 2**32))
def test_any_document_follows_the_schema(seed):
    clf = classifier(seed)
    text = to_pmml(clf)
    assert_follows_the_schema(text)
    root = ElementTree.fromstring(text)
    names = [field.get("name") for field in root.iterfind("p:DataDictionary/p:DataField", SPACE)]
    assert names == [*clf.rules_.criteria, "class"]


def test_rules_have_counts_and_confidence():
    X, y = grades()
    clf = SugenoClassifier(levels=2).fit(X, y)
    text = to_pmml(clf)
    assert_follows_the_schema(text)
    root = ElementTree.fromstring(text)
    (rule_set,) = root.iterfind(".//p:RuleSet", SPACE)
    assert rule_set.get("defaultScore") == "0"
    records = clf.rules_.to_records()
    found = list(root.iterfind(".//p:SimpleRule", SPACE))
    assert len(found) == len(records)
    for rule, record in zip(found, records):
        assert rule.get("score") == "1"
        assert float(rule.get("recordCount")) == record["support"]
        assert float(rule.get("confidence")) == record["precision"]
        share = float(rule.get("nbCorrect")) / float(rule.get("recordCount"))
        assert share == pytest.approx(record["precision"])


@pytest.mark.parametrize(
    ("classes", "kind", "values"),
    [
        (np.array([False, True]), "boolean", ["false", "true"]),
        (np.array([-1, 1]), "integer", ["-1", "1"]),
        (np.array([0.5, 1.5]), "double", ["0.5", "1.5"]),
        (np.array(["<no>", 'y"es']), "string", ["<no>", 'y"es']),
    ],
)
def test_class_labels_have_their_type(classes, kind, values):
    text = to_pmml(classifier(2, classes=classes))
    assert_follows_the_schema(text)
    field = ElementTree.fromstring(text).find("p:DataDictionary/p:DataField[@name='class']", SPACE)
    assert field.get("dataType") == kind
    assert [value.get("value") for value in field] == values


def test_what_xml_cannot_hold_is_refused():
    with pytest.raises(ValueError, match="XML cannot hold the character"):
        to_pmml(classifier(2, classes=np.array(["no", "y\x01es"])))
