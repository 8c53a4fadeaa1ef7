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


def changed(change, at, **parameters):
    """Learn from a table that is changed before a pass."""
    connection = duckdb.connect()
    connection.register("loans", loans())
    connection.execute("CREATE TABLE kept AS SELECT * FROM loans")
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


def test_a_change_before_the_values_of_a_criterion_is_noticed():
    with pytest.raises(ValueError, match="the same rows each time that it is asked"):
        changed("DELETE FROM kept WHERE income = 5", "-- values of 'age'")


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
