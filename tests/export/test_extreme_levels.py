"""Levels that every value reaches, or none: infinite ones, and places beyond all labels."""

import dataclasses
import json
import re
from xml.etree import ElementTree

import duckdb
import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from random_models import LABELS, random_model
from small_rules import classifier_of
from sugeno import RuleSet, export
from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno.export import to_dmn, to_expression, to_pmml, to_python, to_sql

CRITERIA = (Criterion("up"), Criterion("down", -1), Criterion("label", 1, LABELS))
ROW = {"up": 3.0, "down": 3.0, "label": LABELS[-1]}


def classifier(column, level):
    """A classifier with one rule of one literal."""
    literals = Literals.of_levels(CRITERIA, [column], [level])
    masks = np.array([[1]], np.uint64)
    rules = RuleSet.from_masks(masks, literals, named=True, label="yes")
    probability = random_model(0, m=1, most_levels=1).probability
    model = dataclasses.replace(random_model(0), form=rules, probability=probability)
    return classifier_of(model)


CASES = [
    (0, -np.inf, True),
    (0, np.inf, False),
    (1, np.inf, True),
    (1, -np.inf, False),
    (2, 4.5, False),
    (2, 4.0, True),
]


@pytest.mark.parametrize(("column", "level", "reached"), CASES)
def test_sql_and_python(column, level, reached):
    clf = classifier(column, level)
    with duckdb.connect() as connection:
        for row in (ROW, dict.fromkeys(ROW)):
            values = "(SELECT ?::DOUBLE AS up, ?::DOUBLE AS down, ?::VARCHAR AS label)"
            query = f"SELECT {to_sql(clf)} FROM {values}"
            wanted = reached and row is ROW
            assert connection.execute(query, [*row.values()]).fetchone() == (wanted,)
            module = {}
            exec(to_python(clf), module)
            assert module["accepted"](row) is wanted


@pytest.mark.parametrize(("column", "level"), [(0, np.inf), (1, -np.inf)])
def test_what_no_number_reaches_infinity_does_not_reach(column, level):
    clf, beyond = classifier(column, level), {"up": np.inf, "down": -np.inf, "label": LABELS[0]}
    with duckdb.connect() as connection:
        rows = connection.from_arrow(pa.table({name: [cell] for name, cell in beyond.items()}))
        assert rows.select(to_sql(clf)).fetchall() == [(False,)]
    module = {}
    exec(to_python(clf), module)
    assert module["accepted"](beyond) is False
    frame = nw.from_native(pl.DataFrame([beyond]))
    assert frame.select(to_expression(clf))["accepted"].to_list() == [False]


@pytest.mark.parametrize(("column", "level", "reached"), CASES)
def test_pmml(column, level, reached):
    root = ElementTree.fromstring(to_pmml(classifier(column, level)))
    (rule,) = root.iterfind(".//{*}SimpleRule")
    (predicate,) = rule
    if not reached:
        assert predicate.tag.endswith("False")
    else:
        assert predicate.get("operator") == ("equal" if column == 2 else "isNotMissing")


@pytest.mark.parametrize(("column", "level", "reached"), CASES)
def test_dmn(column, level, reached):
    root = ElementTree.fromstring(to_dmn(classifier(column, level)))
    *rules, _ = root.iterfind(".//{*}rule")
    assert bool(rules) is reached
    if reached:
        cells = [node.text for node in rules[0].iterfind("{*}inputEntry/{*}text")]
        wanted = json.dumps(LABELS[-1]) if column == 2 else "not(null)"
        assert cells[column] == wanted
        assert re.sub(re.escape(wanted), "", "".join(cells)) == "--"


@pytest.mark.parametrize("name", [name for name in export.__all__ if name.startswith("to_")])
def test_a_classifier_that_reads_missing_values_as_the_best_is_refused(name):
    clf = classifier(0, 3.0)
    object.__setattr__(clf.model_.boundaries[0], "missing", "optimistic")
    with pytest.raises(ValueError, match="train it with missing='pessimistic'"):
        getattr(export, name)(clf)
