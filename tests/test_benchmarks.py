"""The benchmarks run, say what they measured, and fail when a promise is broken."""

import platform
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from benchmarks import extensions, folding, growth, integral_rows, page, scale
from benchmarks.__main__ import main
from benchmarks.accuracy import kept
from benchmarks.accuracy import page as accuracy
from benchmarks.accuracy.columns import readable_form
from benchmarks.data import noisy_table, splits
from benchmarks.harness import Row, Section, best_of, markdown_table, side_by_side
from benchmarks.mixed import __main__ as mixed
from benchmarks.mixed import tables as mixed_tables

from sugeno import Card, RuleSet
from sugeno.paper.experiments.journal import Journal, Key, Record


@pytest.mark.no_cover
@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(
    ("module", "shown"),
    [
        ("imports", "× import numpy, scipy.sparse, sklearn.base"),
        ("integral_rows", "× np.argsort(U, axis=1)"),
        ("solvers", 'closure against solver="lp"'),
        ("frames", "× a scan with a filter per criterion"),
        ("growth", "noisy labels, k = None"),
        ("maxitive", "gap 0"),
        ("extensions", "nearest 0."),
        ("ranking", "AUC of decision_function"),
        ("exports", "predict by ONNX Runtime, 2,000 × 6"),
        ("selection", "SugenoClassifierCV(levels='shared') over k = 1…4"),
        ("page_size", "× the table as CSV"),
        ("classes", "on 2 classes"),
        ("reading", "s of one core"),
    ],
)
def test_a_smoke_run_prints_what_it_measured_and_no_verdict(module, shown, capsys):
    assert main(["--quick", "--only", module]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["what", "measured", "target", "met?"]
    assert any(shown in line for line in table)
    assert all(line.endswith("–") for line in table[1:-1])


def test_long_tables_are_measured_against_a_sort_a_comparison_and_the_table(monkeypatch):
    monkeypatch.setattr(scale, "noisy_table", lambda n, m, **given: noisy_table(60, m, **given))
    units = [row.measured.split("× ")[1] for row in scale.run(quick=True).rows]
    assert units == ["`np.sort(X, axis=0)`", "`X >= levels`", *["`X`"] * 5]


def test_a_broken_promise_gives_exit_status_1(monkeypatch, capsys):
    for met, status in ((True, 0), (None, 0), (False, 1)):
        section = Section("a", [Row("b", "3 ×", "2 ×", met)])
        monkeypatch.setattr(integral_rows, "run", lambda quick, section=section: section)
        assert main(["--only", "integral_rows"]) == status
    assert capsys.readouterr().out.splitlines()[-1].split() == ["b", "3", "×", "2", "×", "NO"]


def test_the_page_shows_rows_details_and_figures_and_not_whose_machine_it_was(tmp_path):
    points = [growth.Point(n, m, n * m / 1e4, n, 3, 2) for n in (10, 100) for m in (5, 10)]
    section = Section(
        "Some title",
        [Row("some row", "1.5 ×", "at most 2 ×", True)],
        ["some detail"],
        {growth.FIGURE: lambda path: growth.draw(points, path)},
    )
    written = page.write([section], tmp_path)
    words = "$ make bench\n```\n\nSome words by hand.\n"
    written.write_text(written.read_text(encoding="utf-8").replace("$ make bench\n```\n", words))
    page.write([section], tmp_path)
    text = written.read_text(encoding="utf-8")
    assert words in text
    assert text.count("## Some title") == 1
    assert "| some row | 1.5 × | at most 2 × | yes |" in text
    assert "## Some title\n\nsome detail" in text
    assert f"Python {platform.python_version()}" in text
    assert platform.node() not in text
    assert str(Path.home()) not in text
    assert (tmp_path / growth.FIGURE).read_bytes().startswith(b"\x89PNG")


def test_functions_are_timed_in_turns():
    calls = []
    best = best_of(3, lambda: calls.append("a"), lambda: calls.append("b"))
    assert calls == ["a", "b"] * 3
    assert len(best) == 2


def test_a_fast_function_is_called_more_often_and_its_mean_counts():
    calls = {"fast": 0, "slow": 0}

    def slow():
        calls["slow"] += 1
        time.sleep(0.1)  # as long as a turn, also on a busy machine

    def fast():
        calls["fast"] += 1
        time.sleep(0.002)

    fast_seconds, slow_seconds = side_by_side(fast, slow, 1)
    assert calls["fast"] > calls["slow"]
    assert 0 < fast_seconds < slow_seconds


def test_splits_keep_the_classes_and_differ():
    y = np.repeat([0, 1], [30, 10])
    found = list(splits(y, 0.5, 3, seed=0))
    for train, test in found:
        assert (train != test).all()
        assert (y[train].sum(), train.sum()) == (5, 20)
    assert any((found[0][0] != other[0]).any() for other in found[1:])


def test_a_table_in_markdown_has_as_many_cells_in_each_line():
    lines = markdown_table(["a", "b"], [(1, 2), (3, 4)]).splitlines()
    assert lines == ["| a | b |", "|---|---:|", "| 1 | 2 |", "| 3 | 4 |"]


def test_a_task_that_cannot_be_loaded_is_left_out_and_named(monkeypatch, capsys):
    def load(name):
        raise FileNotFoundError(f"{name} is not here")

    monkeypatch.setattr("benchmarks.data.load", load)
    assert list(extensions.tasks(quick=True)) == []
    assert "HAB is not here" in capsys.readouterr().err


def test_rules_recur_as_far_as_two_lists_share_them():
    shares = accuracy.recurring([["a", "b"], ["b", "c"], ["a", "b"]])
    assert shares.tolist() == [0.5, 1.0, 0.5]
    assert np.isnan(accuracy.recurring([["a"]])).all()
    assert np.isnan(accuracy.recurring([["a"], None])).all()


def test_columns_are_compared_on_the_splits_that_both_have():
    errors = {"ours": {0: 1, 1: 2, 2: 3}, "theirs": {0: 3, 1: 3, 3: 9}}
    records = {
        Key(0, "LEV", 50, i): SimpleNamespace(
            rows=(10, 10),
            results={name: {"errors": e[i]} for name, e in errors.items() if i in e},
        )
        for i in range(4)
    }
    names = ["ours", "theirs", "unmeasured"]
    found = accuracy.Results.of(SimpleNamespace(records=records), 0, names)
    assert found.mean("errors", "ours", found.cells) == pytest.approx(0.2)
    mean, error = found.difference("ours", "theirs", found.cells)
    assert mean == pytest.approx(-0.15)
    assert error == pytest.approx(0.05)
    assert found.splits("ours") == (3, 3)
    assert found.splits("theirs") == (3, 3)
    assert list(found.found) == ["ours", "theirs"]


def test_a_column_with_fewer_splits_is_corrected_by_how_hard_these_are():
    errors = {"ours": {0: 1, 1: 2, 2: 6}, "slow": {0: 2, 1: 4}}
    records = {
        Key(0, "LEV", 50, i): SimpleNamespace(
            rows=(10, 10),
            results={name: {"errors": e[i]} for name, e in errors.items() if i in e},
        )
        for i in range(3)
    }
    found = accuracy.Results.of(SimpleNamespace(records=records), 0, ["ours", "slow"])
    assert found.level("errors", "ours", found.cells) == pytest.approx(0.3)
    assert found.level("errors", "slow", found.cells) == pytest.approx(0.3 + 0.3 - 0.15)
    assert np.isnan(found.level("log_loss", "slow", found.cells))


def _measured(split, recipe="now", **errors):
    results = {name: {"errors": count, "recipe": recipe} for name, count in errors.items()}
    return Record(Key(0, "HAB", 20, split), "d0", (61, 245), results)


def test_kept_results_come_back_and_newer_ones_stay(tmp_path):
    path = tmp_path / "results.jsonl.gz"
    old = Journal(tmp_path / "old.jsonl")
    for record in (_measured(1, LR=61, XGB=50), _measured(0, LR=60)):
        old.add(record)
    kept.keep(old, path)
    written = path.read_bytes()
    again = Journal(tmp_path / "again.jsonl")
    again.add(_measured(1, LR=59))
    kept.recall(again, path)
    assert again.records[Key(0, "HAB", 20, 0)] == _measured(0, LR=60)
    assert again.records[Key(0, "HAB", 20, 1)] == _measured(1, LR=59, XGB=50)
    assert Journal(tmp_path / "again.jsonl").records == again.records
    kept.keep(old, path)
    assert path.read_bytes() == written


def test_results_of_other_code_are_forgotten(tmp_path):
    journal = Journal(tmp_path / "splits.jsonl")
    journal.add(_measured(0, LR=60))
    journal.add(_measured(0, "before", CV=70))
    journal.add(_measured(0, gone=1))
    kept.drop_stale(journal, {"LR": "now", "CV": "now"})
    assert journal.records[Key(0, "HAB", 20, 0)] == _measured(0, LR=60)


def test_nothing_is_recalled_where_nothing_was_kept(tmp_path):
    journal = Journal(tmp_path / "splits.jsonl")
    kept.recall(journal, tmp_path / "none.gz")
    assert not journal.records


def test_results_of_other_code_hold_where_the_present_code_gives_the_same(tmp_path):
    journal, again = Journal(tmp_path / "splits.jsonl"), Journal(tmp_path / "again.jsonl")
    for split in range(30):
        journal.add(_measured(split, "before", CV=split, LR=split))
    for split in range(20):
        again.add(_measured(split, CV=split, LR=split + (split == 7)))
    assert kept.adopt(journal, again, fewest=21) == []
    assert kept.adopt(journal, again) == ["CV"]
    kept.drop_stale(journal, {"CV": "now", "LR": "now"})
    assert journal.records[Key(0, "HAB", 20, 29)] == _measured(29, CV=29)


def _pets():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"kind": rng.choice(["cat", "dog", None], 80), "age": rng.integers(1, 15, 80) * 1.0}
    )
    table.loc[:9, "age"] = np.nan
    return table, (table["kind"] == "cat") & (table["age"] > 5)


@pytest.mark.no_cover
@pytest.mark.usefixtures("brief")
def test_tables_as_they_come_are_measured_once_and_shown(monkeypatch, tmp_path):
    monkeypatch.setitem(mixed_tables.TABLES, "pets", ("old cats", _pets))
    monkeypatch.setattr(mixed, "PAGE", tmp_path / "tables.md")
    mixed.PAGE.write_text(f"By hand.\n\n{folding.MARK}\nold\n", encoding="utf-8")
    columns = ["CV, rules", "LR", "HGB", "larger class"]
    asked = ["--tables", "pets", "--splits", "2", "--out", str(tmp_path), "--columns", *columns]
    monkeypatch.setattr("sys.argv", ["mixed", *asked])
    mixed.main()
    text, journal = mixed.PAGE.read_text(encoding="utf-8"), (tmp_path / "splits.jsonl").read_text()
    assert text.startswith("By hand.")
    assert "old\n" not in text.replace("old cats", "")
    assert "| pets | old cats | 80 | 2 | 1 |" in text
    assert all(f"| {name} | ." in text for name in columns)
    assert "Splits of each table: 2." in text
    assert (
        "Not measured this time: CV, CV, points, ensemble, ensemble, votes, XGB, EBM, german, "
        in text
    )
    todo = []
    monkeypatch.setattr(mixed, "run", lambda items, *rest, **options: todo.extend(items))
    mixed.main()
    assert not todo
    assert (tmp_path / "splits.jsonl").read_text() == journal


def test_of_a_long_table_rows_are_drawn(monkeypatch):
    monkeypatch.setitem(mixed_tables.TABLES, "pets", ("old cats", _pets))
    whole = mixed_tables.load_table("pets")
    monkeypatch.setattr(mixed_tables, "_MOST_ROWS", 30)
    drawn = mixed_tables.load_table("pets")
    assert (len(whole.y), len(drawn.y), whole.n_text) == (80, 30, 1)
    assert whole.fingerprint != drawn.fingerprint
    assert drawn.fingerprint == mixed_tables.load_table("pets").fingerprint


def test_a_form_is_described_by_its_conditions():
    card = Card([2, 1], [3, 5], needed=2)
    assert readable_form(card)["conditions"] == 2
    assert readable_form(card)["form"] == "points"
    rules = readable_form(RuleSet([{0, 1}, {2}], [3, 5, 7]))
    assert (rules["conditions"], rules["rules"], rules["form"]) == (3, 2, "dnf")
    assert len(rules["literals"]) == 3
    assert readable_form(None) == {}


def test_forms_are_compared_by_their_conditions_whatever_they_are():
    cells = [("ESL", 50)]
    found = {
        "CV": {
            i: {
                "errors": 0.1,
                "auc": 0.9,
                "conditions": 4 + i,
                "form": form,
                "literals": ["a", "b"],
            }
            for i, form in enumerate(["points", "dnf"])
        },
        "LR": {i: {"errors": 0.2, "auc": 0.8} for i in range(2)},
    }
    results = accuracy.Results({name: {cells[0]: one} for name, one in found.items()})
    groups = {"paper, 36 cells": cells, "11 further": []}
    auc, conditions, _ = accuracy._once_measured(results, groups)
    assert "| LR | .800 | – |" in auc
    assert conditions.splitlines()[-1] == "| CV, paper, 36 cells | 4.5 | 4 | 5 | 50% | 1.00 |"
    del found["CV"][0]["auc"], found["CV"][1]["auc"], found["LR"][0]["auc"], found["LR"][1]["auc"]
    parts = accuracy._once_measured(results, groups)
    assert [part.split("\n")[0] for part in parts] == [
        "## Conditions",
        "## At equal numbers of conditions",
    ]


def test_readable_classifiers_are_compared_at_equal_numbers_of_conditions():
    cells = [("ESL", 50), ("LEV", 50)]
    errors = {"points ≤ 5": (0.1, 0.2), "FIGS ≤ 5": (0.2, 0.34), "points ≤ 10": (0.1, 0.1)}
    found = {
        name: {
            cell: {0: {"errors": e, "auc": 0.9, "conditions": 4, "form": "points"}}
            for cell, e in zip(cells, each)
        }
        for name, each in errors.items()
    }
    groups = {"paper, 36 cells": cells, "11 further": cells[:1]}
    table = accuracy._equal_lengths(accuracy.Results(found), groups).splitlines()
    assert "| points ≤ 5 | .1500 | .1000 | .900 | .900 | 4.0 |" in table
    assert "| FIGS ≤ 5 | .2700 | .2000 | .900 | .900 | 4.0 |" in table
    assert table[-1] == "| points ≤ 5 − FIGS ≤ 5 | -12.00 ± 2.00 | -10.00 ± – |"
