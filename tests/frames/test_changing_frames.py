"""A table that changes between two passes is noticed, also where no class gains or loses a row."""

import duckdb
import numpy as np
import pytest

from frames.engines import CRITERIA, loans
from sugeno import SugenoClassifier

CHANGES = {
    "DELETE FROM kept WHERE income = 5 AND paid = 'yes'": "by class first",
    # As many rows of each class as before.
    "UPDATE kept SET income = 9 - income": r"that reach income",
    "UPDATE kept SET debt = debt + 1 WHERE paid = 'no'": r"that reach debt",
    "UPDATE kept SET paid = CASE paid WHEN 'no' THEN 'yes' ELSE 'no' END": "by class first",
}


ROUNDED = "SELECT * REPLACE (greatest(-2, least(2, round(debt))) AS debt) FROM loans"


def changed(change, at, rows="FROM loans", **parameters):
    """Learn from a table that is changed before a pass."""
    connection = duckdb.connect()
    connection.register("loans", loans())
    connection.execute(f"CREATE TABLE kept AS {rows}")
    passes = []

    def tell(text):
        passes.append(text)
        if at in text and change is not None:
            connection.execute(change)

    clf = SugenoClassifier(**parameters)
    return clf.fit_frame(connection.table("kept"), "paid", features=CRITERIA, explain=tell)


@pytest.mark.parametrize("parameters", [{}, {"levels": 2}, {"margin": 0.01}], ids=str)
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_before_the_patterns_is_noticed(change, parameters):
    said = f"the same rows each time that it is asked.*{CHANGES[change]}"
    with pytest.raises(ValueError, match=said):
        changed(change, "-- patterns", **parameters)


@pytest.mark.parametrize("at", ["-- values of 'income', 'owner', 'age'", "-- values of 'debt'"])
def test_a_change_before_the_values_of_a_criterion_is_noticed(at):
    with pytest.raises(ValueError, match="the same rows each time that it is asked"):
        changed("DELETE FROM kept WHERE income = 5", at)


#: As many rows of each class as before, but no longer the values that were seen with the labels.
MOVES = {
    "UPDATE kept SET income = 9 - income": "'income' from 0 to 5 first",
    "UPDATE kept SET age = age + 1 WHERE age = 8": "'age' from 0 to 8 first",
    "UPDATE kept SET age = age - 1 WHERE age = 0": "'age' from 0 to 8 first",
    "UPDATE kept SET age = NULL WHERE age = 3": "'age' from 0 to 8 first",
}
#: Of a criterion of doubles, where rows are fetched.
MOVES_OF_DOUBLES = {
    "UPDATE kept SET debt = 0.5 WHERE debt = 0": "'debt' from -2 to 2 first",
    "UPDATE kept SET debt = 'nan' WHERE debt = 0": "'debt' from -2 to 2 first",
    "UPDATE kept SET debt = 'inf' WHERE debt = 0": "'debt' from -2 to 2 first",
    "UPDATE kept SET debt = 0 WHERE debt = 2": "'debt' from -2 to 2 first",
}


@pytest.mark.parametrize("change", MOVES)
def test_values_that_move_before_several_criteria_are_counted_are_noticed(change):
    with pytest.raises(ValueError, match=f"same rows each time.* values of {MOVES[change]}"):
        changed(change, "-- values of 'income'")


@pytest.mark.parametrize("missing", ["error", "pessimistic"])
@pytest.mark.parametrize("change", MOVES | MOVES_OF_DOUBLES)
def test_values_that_move_before_the_rows_are_fetched_are_noticed(change, missing):
    said = (MOVES | MOVES_OF_DOUBLES)[change]
    with pytest.raises(ValueError, match=f"same rows each time.* values of {said}"):
        changed(change, "-- distinct rows, packed", rows=ROUNDED, missing=missing)


@pytest.mark.parametrize("change", [change for change in CHANGES if "by class" in CHANGES[change]])
def test_rows_that_come_or_go_before_they_are_fetched_are_noticed(change):
    with pytest.raises(ValueError, match="by class first"):
        changed(change, "-- distinct rows, packed", rows=ROUNDED)


def test_a_change_of_distinct_rows_is_noticed():
    with pytest.raises(ValueError, match="other values of 'debt' than were counted"):
        changed("UPDATE kept SET debt = debt + 1", "-- distinct rows", threshold="joint")


@pytest.mark.parametrize("missing", ["pessimistic", "optimistic", "interval"])
@pytest.mark.parametrize("weight", [None, "importance"])
def test_missing_values_and_weights_are_no_change(missing, weight):
    connection = duckdb.connect()
    connection.register("loans", loans())
    kept = "SELECT * REPLACE (CASE WHEN income < 5 THEN debt END AS debt) FROM loans"
    clf = SugenoClassifier(missing=missing).fit_frame(
        connection.sql(kept), "paid", features=CRITERIA, weight=weight
    )
    assert np.isfinite(clf.objective_)
