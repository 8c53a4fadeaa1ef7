"""Ten-fold studies go on where they stopped, and write below the mark of a page only."""

import numpy as np
import pandas as pd
from benchmarks import abstention, costs, missing, relabelling
from benchmarks.folding import (
    MARK,
    complete,
    folds,
    folds_measured,
    mean,
    mean_ranks,
    measure,
    ranked_table,
    rewrite_tables,
)
from benchmarks.missing import _hidden
from benchmarks.ordinal.columns import COLUMNS, PEERS
from benchmarks.ordinal.page import write_page
from benchmarks.ordinal.tables import load_table

from sugeno.paper.experiments.journal import Journal, Key, Record


def test_a_study_that_was_stopped_goes_on(tmp_path):
    X, y = np.arange(40.0)[:, None], np.tile([0, 1], 20)
    calls = []

    def column(train, test):
        calls.append(len(test))
        return {"errors": int(y[test].sum())}

    def study(columns):
        journal = Journal(tmp_path / "folds.jsonl")
        measure(journal, {"small": (X, y)}, lambda name: columns, 1)
        return journal

    study({"one": column})
    assert calls == [4] * 10
    journal = study({"one": column, "two": column})
    assert len(calls) == 20
    known = complete(journal, ["small", "absent"], ["one", "two"])
    assert list(known) == ["small"]
    assert mean(known["small"], "two", "errors") == 0.5
    assert "| one | .500 | .500 | 1.50 |" in ranked_table(known, ["one", "two"], "errors")
    assert complete(journal, ["small"], ["three"]) == {}


def test_folds_part_the_rows():
    y = np.r_[np.zeros(30), np.ones(12), 2]
    tested = np.concatenate([test for _, test in folds(y[:, None], y, 0)])
    np.testing.assert_array_equal(np.sort(tested), np.arange(43))


def test_a_page_says_how_many_folds_it_shows():
    assert (
        folds_measured({"A": [None] * 10, "B": [None] * 10}) == "Folds measured: 10 of each table."
    )
    unequal = folds_measured({"A": [None] * 10, "B": [None] * 3})
    assert "| A | B |" in unequal
    assert "| 10 | 3 |" in unequal


def test_tables_are_written_below_the_mark(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("words\n")
    for content in ("first", "second"):
        rewrite_tables(page, [content])
        assert page.read_text() == f"words\n\n{MARK}\n\n{content}\n"


def test_the_page_of_ordered_classes_shows_each_column(tmp_path):
    table = load_table("LEV")
    few = np.r_[0:1000:25]
    journal = Journal(tmp_path / "folds.jsonl")
    quick = {name: COLUMNS[name] for name in ("shared", "LR")}
    found = {
        name: column.measure(table.part(few), table.part(few)) for name, column in quick.items()
    }
    assert 0 < found["shared"]["errors"] <= found["shared"]["distance"]
    assert len(found["shared"]["rules"]) == 4
    results = dict.fromkeys(COLUMNS, found["shared"])
    measure(
        journal,
        {"LEV": (table.X, table.y)},
        lambda name: {c: lambda train, test, c=c: results[c] for c in COLUMNS},
        1,
    )
    page = tmp_path / "ordinal.md"
    page.write_text("words")
    write_page(page, journal)
    written = page.read_text()
    assert all(f"**{name}**" in written for name in COLUMNS)
    # Equal figures share the ranks from 1 to the number of peers and ours.
    equal = f"{(len(PEERS) + 2) / 2:.2f}"
    among = written.split("### Beside the peers")[1].split("###")[0]
    assert f"| distilled | {equal} | {equal} | {equal} |" in among
    assert all(f"| {name} | {equal}" in among for name in PEERS)


def test_ranks_leave_out_what_has_no_figures():
    values = np.array([[1.0, 3.0], [2.0, 3.0], [np.nan, 0.0]])
    np.testing.assert_array_equal(mean_ranks(values), [1.25, 1.75, np.nan])


def test_only_bad_values_are_hidden_where_that_is_asked_for():
    X = np.random.default_rng(0).normal(size=(400, 3))
    hidden = _hidden(X, "bad", share=0.2)
    assert not hidden[np.median(X, axis=0) < X].any()
    assert 0.15 < hidden.mean() < 0.25
    assert not _hidden(X, "random", share=0.9).all(axis=1).any()
    by_other = _hidden(X, "other", share=0.2)
    assert not by_other[X[:, 0] > np.median(X[:, 0])].any()
    assert not by_other[:, 0].any()
    assert 0.15 < by_other.mean() < 0.25
    assert set(missing.COLUMNS) >= {"interval", "HGB"}
    assert len(relabelling.COLUMNS) == 2 * len(relabelling.LEARNERS)


def test_rows_that_are_open_are_answered_last():
    found = {"chance": [0.9, 0.8, 0.7, 0.6], "wrong": [True, False, False, True]}
    results = {"SI": {**found, "open": [True, False, False, False]}, "LR": found}
    records = [Record(Key(0, "LEV", 90, 0), "", (9, 4), results)]
    half = abstention.COVERAGES.index(0.5)
    assert abstention._errors(records, "SI")[half] == 0
    assert abstention._errors(records, "SI, by probability")[half] == 0.5
    assert abstention._errors(records, "LR")[[0, half]].tolist() == [0.5, 0.5]


def test_costs_of_rare_classes_are_measured_once_and_tabulated(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=200), "kind": rng.choice(["a", "b"], 200)})
    y = (table["x"] + rng.normal(size=200) > 1.8).to_numpy().astype(int)
    monkeypatch.setattr(costs, "TABLES", {"small": ()})
    monkeypatch.setattr(costs, "load_table", lambda name: (table, y))
    monkeypatch.setattr(
        costs, "COLUMNS", {name: costs.COLUMNS[name] for name in ("LR", "LR, cut-off tuned")}
    )
    journal = Journal(tmp_path / "splits.jsonl")
    costs.run(journal, 2)
    monkeypatch.setattr(costs, "measured", None)
    costs.run(journal, 2)  # nothing is left to do
    plain, tuned = (journal.records[Key(0, "small", 60, 0)].results[name] for name in costs.COLUMNS)
    assert tuned["recall"] >= plain["recall"]
    assert tuned["AUC"] == plain["AUC"]
    by_table, others = costs.pages(complete(journal, costs.TABLES, costs.COLUMNS))
    assert "mean of 2 splits" in by_table
    assert "| LR, cut-off tuned |" in others
