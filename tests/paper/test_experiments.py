"""The paper's experiments: splits, statistics, its printed figures, the journal, killed runs."""

import json
import signal
import subprocess
import sys
import time
from itertools import combinations, product
from math import sqrt

import distributed
import joblib
import numpy as np
import pytest
from scipy import stats

from sugeno.paper.experiments import TARGETS, measurements, reproduce
from sugeno.paper.experiments.columns import COLUMNS, Column
from sugeno.paper.experiments.data import DataSet, draw_split, load_all
from sugeno.paper.experiments.journal import Journal, Key, Record
from sugeno.paper.experiments.paper import DATASETS, METHODS, SHARES, published, regularised, tables
from sugeno.paper.experiments.runner import pending, run
from sugeno.paper.experiments.statistics import compare, critical_difference, ranks, wins

# ------------------------------------------------------------------------------------- splits


def test_a_split_depends_only_on_seed_data_set_share_and_number():
    y = np.tile([0, 1], 50)
    name = {"dataset": "ESL", "share": 20, "index": 3, "seed": 0}
    first = draw_split(y, **name)
    draw_split(y, dataset="ERA", share=50, index=0, seed=9)
    again = draw_split(y, **name)
    assert first.train.tolist() == again.train.tolist()
    assert first.random_state == again.random_state
    for change in ({"dataset": "ERA"}, {"share": 50}, {"index": 4}, {"seed": 1}):
        other = draw_split(y, **{**name, **change})
        assert other.train[:20].tolist() != first.train.tolist()


@pytest.mark.parametrize(("share", "expected"), [(20, 61), (50, 153), (80, 245)])
def test_a_split_has_every_row_once_and_the_right_number_for_training(share, expected):
    y = np.tile([0, 1], 153)
    split = draw_split(y, dataset="HAB", share=share, index=0)
    assert split.train.size == expected
    assert sorted([*split.train, *split.test]) == list(range(306))


def test_a_training_part_has_every_class_even_when_one_is_rare():
    y = np.zeros(50, dtype=np.int64)
    y[7] = 1
    assert all(7 in draw_split(y, dataset="a", share=20, index=i).train for i in range(30))


def test_a_training_part_too_small_for_all_classes_is_refused():
    with pytest.raises(ValueError, match=r"must hold every class.*Got 1 rows for 2 classes"):
        draw_split(np.array([0, 1, 1]), dataset="a", share=20, index=0)


# --------------------------------------------------------------------------------- statistics


def test_tied_methods_share_their_mean_rank():
    errors = [[0.2, 0.1, 0.2, 0.3], [0.1, 0.1, 0.1, 0.1]]
    assert ranks(errors).tolist() == [[2.5, 1.0, 2.5, 4.0], [2.5, 2.5, 2.5, 2.5]]


def test_critical_difference_agrees_with_the_printed_table_of_nemenyis_test():
    # Demšar (2006), Table 5(b): q for 5 and for 2 methods at the level .10.
    assert critical_difference(5, 12) == pytest.approx(2.459 * sqrt(5 * 6 / (6 * 12)), abs=1e-3)
    assert critical_difference(2, 12) == pytest.approx(1.645 * sqrt(2 * 3 / (6 * 12)), abs=1e-3)
    assert critical_difference(5, 12, alpha=0.05) == pytest.approx(2.728 * sqrt(30 / 72), abs=1e-3)


def test_friedmans_statistic_is_that_of_the_textbook_formula():
    errors = np.array([[1, 2, 3, 4], [2, 1, 3, 4], [1, 3, 2, 4], [1, 2, 4, 3], [4, 3, 2, 1]]) / 10
    n, k = errors.shape
    average = ranks(errors).mean(axis=0)
    expected = 12 * n / (k * (k + 1)) * (np.square(average).sum() - k * (k + 1) ** 2 / 4)
    comparison = compare(errors, ("a", "b", "c", "d"))
    assert comparison.statistic == pytest.approx(expected)
    assert comparison.pvalue == pytest.approx(stats.chi2.sf(expected, k - 1))


def test_only_methods_beyond_the_critical_difference_are_called_worse():
    errors = [[0.1, 0.2, 0.3]] * 6
    comparison = compare(errors, ("a", "b", "c"))
    assert 1 < comparison.critical_difference < 2
    assert comparison.worse_than("a") == ("c",)


@pytest.mark.parametrize("errors", [[[0.1, 0.2]], [[0.1, 0.2, 0.3]], [[0.1] * 3, [0.2] * 3]])
def test_friedmans_test_is_left_out_where_it_is_not_defined(errors):
    comparison = compare(errors, ("a", "b", "c")[: len(errors[0])])
    assert comparison.statistic is None
    assert comparison.pvalue is None


def test_a_tie_is_a_win_for_neither():
    assert wins([[0.1, 0.1], [0.1, 0.2]]).tolist() == [[0, 1], [0, 0]]


# ---------------------------------------------------------------------------------- the paper


def _printed_ranks(share):
    return {
        name: {m: row[m][2] for m in METHODS} for name, row in tables()["table2"][share].items()
    }


@pytest.mark.parametrize("share", ["20", "50", "80"])
def test_the_papers_average_ranks_are_the_means_of_its_ranks(share):
    printed = _printed_ranks(share)
    assert tuple(printed) == DATASETS
    for method in METHODS:
        mean = sum(row[method] for row in printed.values()) / 12
        assert tables()["average_rank"][share][method] == pytest.approx(mean, abs=0.005)


@pytest.mark.parametrize("share", ["20", "50", "80"])
def test_the_papers_ranks_agree_with_its_means_up_to_rounding(share):
    for row in tables()["table2"][share].values():
        for one, two in combinations(METHODS, 2):
            if row[one][2] < row[two][2]:
                assert row[one][0] < row[two][0] + 0.001
            else:
                assert row[two][0] < row[one][0] + 0.001


def test_the_papers_win_counts_follow_from_its_ranks_with_one_exception():
    differing = []
    for share, rows in tables()["table5"].items():
        printed = _printed_ranks(share)
        for one in METHODS:
            for two, count in rows[one]["wins"].items():
                expected = sum(row[one] < row[two] for row in printed.values())
                if count != expected:
                    differing.append((share, one, two, count, expected))
    # LR and MORE are said to beat each other on 6 + 7 of 12 data sets.
    assert differing == [("50", "LR", "MORE", 6, 5)]


def test_the_papers_totals_are_the_sums_of_its_win_counts_with_one_exception():
    differing = [
        (share, method, row["total"], sum(row["wins"].values()))
        for share, rows in tables()["table5"].items()
        for method, row in rows.items()
        if row["total"] != sum(row["wins"].values())
    ]
    assert differing == [("50", "MORE", 29, 30)]


def test_the_papers_tables_2_and_7_agree_with_two_exceptions():
    differing = [
        (share, name, row["SI"][:2], tables()["table7"][share][name]["kmax"])
        for share, rows in tables()["table2"].items()
        for name, row in rows.items()
        if row["SI"][:2] != tables()["table7"][share][name]["kmax"]
    ]
    assert differing == [
        ("50", "MMG", [0.162, 0.019], [0.162, 0.013]),
        ("80", "DBS", [0.155, 0.066], [0.156, 0.066]),
    ]


def test_the_paper_prints_every_method_on_every_data_set():
    for dataset, share in product(DATASETS, SHARES):
        assert all(0 < published(dataset, share, method).mean < 1 for method in METHODS)
        assert regularised(dataset, share).average_k >= 1


# -------------------------------------------------------------------------------- the journal


def _record(split=0, share=20, dataset="HAB", data="d0", seed=0, **errors):
    results = {name: {"errors": count, "recipe": "r"} for name, count in errors.items()}
    return Record(Key(seed, dataset, share, split), data, (61, 245), results)


def test_a_torn_last_line_is_removed_and_its_split_counts_as_not_done(tmp_path):
    path = tmp_path / "splits.jsonl"
    journal = Journal(path)
    journal.add(_record(0, LR=60))
    journal.add(_record(1, LR=61))
    whole = path.read_bytes()
    path.write_bytes(whole + _record(2, LR=62).to_line().encode()[:-9])
    assert list(Journal(path).records) == [_record(0).key, _record(1).key]
    assert path.read_bytes() == whole


def test_a_damaged_line_in_the_middle_is_named_with_the_remedy(tmp_path):
    path = tmp_path / "splits.jsonl"
    path.write_text(_record(0).to_line() + "\n{}\n" + _record(1).to_line() + "\n")
    with pytest.raises(ValueError, match=r"Line 2 of .*must be a record.*remove the line"):
        Journal(path)


def test_the_canonical_journal_does_not_depend_on_the_order_of_the_splits(tmp_path):
    records = [_record(s, share, LR=s, HGB=s) for s in range(3) for share in SHARES]
    contents = []
    for order in (records, records[::-1]):
        journal = Journal(tmp_path / f"{len(contents)}.jsonl")
        for record in order:
            journal.add(record)
        journal.rewrite()
        contents.append(journal.path.read_bytes())
    assert contents[0] == contents[1]


def test_columns_measured_at_different_times_are_merged_into_one_line(tmp_path):
    journal = Journal(tmp_path / "splits.jsonl")
    journal.add(_record(LR=60))
    journal.add(_record(HGB=50))
    journal.rewrite()
    (record,) = Journal(journal.path).records.values()
    assert {name: result["errors"] for name, result in record.results.items()} == {
        "LR": 60,
        "HGB": 50,
    }


def test_results_on_other_data_are_not_merged(tmp_path):
    journal = Journal(tmp_path / "splits.jsonl")
    journal.add(_record(LR=60, data="d0"))
    journal.add(_record(HGB=50, data="d1"))
    (record,) = journal.records.values()
    assert list(record.results) == ["HGB"]


def test_work_is_pending_unless_data_and_recipe_are_the_same(tmp_path):
    journal = Journal(tmp_path / "splits.jsonl")
    column = COLUMNS["LR"]
    key = Key(0, "HAB", 20, 0)
    done = Record(key, "d0", (61, 245), {"LR": {"errors": 1, "recipe": column.recipe}})
    journal.add(done)
    assert pending([key], {"HAB": "d0"}, {"HAB": [column]}, journal) == []
    assert len(pending([key], {"HAB": "d1"}, {"HAB": [column]}, journal)) == 1
    assert len(pending([key._replace(seed=1)], {"HAB": "d0"}, {"HAB": [column]}, journal)) == 1
    journal.add(Record(key, "d0", (61, 245), {"LR": {"errors": 1, "recipe": "old"}}))
    assert len(pending([key], {"HAB": "d0"}, {"HAB": [column]}, journal)) == 1


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A small package in place of ours, with a learner that uses one of two rooms."""
    (tmp_path / "sugeno").mkdir()
    texts = {
        "learner": "from sugeno.used import f\n\n\ndef g():\n    'Say.'\n    return f(1)\n",
        "used": "def f(x):\n    return x + 1  # one more\n",
        "unused": "def f(x):\n    return x\n",
    }
    for name, text in texts.items():
        (tmp_path / "sugeno" / f"{name}.py").write_text(text)
    monkeypatch.setattr(measurements, "_PACKAGE", tmp_path / "sugeno")
    caches = (measurements.code_fingerprint, measurements._parsed, measurements._meaning)

    def fingerprint(name="", old="", new=""):
        if name:
            place = tmp_path / "sugeno" / f"{name}.py"
            assert old in place.read_text()
            place.write_text(place.read_text().replace(old, new))
        for cached in caches:
            cached.cache_clear()
        return measurements.code_fingerprint("sugeno.learner")

    yield fingerprint
    for cached in caches:
        cached.cache_clear()


def test_the_recipe_changes_with_the_code_that_a_learner_uses(package):
    before = package()
    assert package("used", "x + 1", "x + 2") != before
    assert package("used", "x + 2", "x + 1") == before
    assert package("learner", "f(1)", "f(2)") != before


def test_words_and_other_rooms_do_not_change_the_recipe(package):
    before = package()
    assert package("learner", "Say.", "Say it.") == before
    assert package("used", "# one more", "") == before
    assert package("unused", "return x", "return 2 * x") == before


def test_a_learner_of_another_package_is_known_by_its_version(monkeypatch):
    measurements.code_fingerprint.cache_clear()
    before = measurements.code_fingerprint("joblib.memory")
    monkeypatch.setattr(measurements, "version", lambda name: "0" if name == "joblib" else "1")
    measurements.code_fingerprint.cache_clear()
    assert measurements.code_fingerprint("joblib.memory") != before
    measurements.code_fingerprint.cache_clear()


def test_an_unknown_module_has_no_fingerprint():
    with pytest.raises(ModuleNotFoundError, match=r"no module 'sugeno\.nowhere'"):
        measurements.code_fingerprint("sugeno.nowhere")


def test_the_fingerprint_of_a_data_set_changes_with_its_data():
    X, y, directions = np.eye(3), np.array([0, 1, 1]), np.array([1, 1, 1])
    base = DataSet("a", X, y, directions).fingerprint
    assert DataSet("a", X.copy(), y, directions).fingerprint == base
    for changed in (
        DataSet("a", X + 1, y, directions),
        DataSet("a", X, 1 - y, directions),
        DataSet("a", X, y, -directions),
    ):
        assert changed.fingerprint != base


# --------------------------------------------------------------------------------------- runs

SMALL = {"splits": 3, "datasets": ["HAB", "ESL"], "columns": ["LR", "DT"]}


def _contents(folder):
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    done = reproduce(["table2", "table5"], out=folder, **SMALL)
    assert done.measured == 18
    return _contents(folder)


def test_a_finished_run_has_nothing_left_to_do(tmp_path, undisturbed):
    for name, content in undisturbed.items():
        (tmp_path / name).write_bytes(content)
    assert reproduce(["table2", "table5"], out=tmp_path, **SMALL).measured == 0
    assert _contents(tmp_path) == undisturbed


class _StoppedError(Exception):
    pass


@pytest.mark.parametrize("after", [1, 7, 17])
def test_a_stopped_run_with_a_torn_line_resumes_to_the_same_bytes(tmp_path, undisturbed, after):
    def stop(done, total):
        if done == after:
            raise _StoppedError

    with pytest.raises(_StoppedError):
        reproduce(["table2", "table5"], out=tmp_path, progress=stop, **SMALL)
    journal = tmp_path / "splits.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) == after
    journal.write_bytes(b"".join(lines) + lines[0][:40])
    done = reproduce(["table2", "table5"], out=tmp_path, **SMALL)
    assert done.measured == 18 - after
    assert _contents(tmp_path) == undisturbed


def test_the_number_of_jobs_does_not_change_a_byte(tmp_path, undisturbed):
    reproduce(["table2", "table5"], out=tmp_path, jobs=2, **SMALL)
    assert _contents(tmp_path) == undisturbed


def test_columns_asked_for_one_after_the_other_end_in_the_same_bytes(tmp_path, undisturbed):
    reproduce(["table2"], out=tmp_path, **{**SMALL, "columns": ["DT"]})
    done = reproduce(["table2", "table5"], out=tmp_path, **SMALL)
    assert list(done.seconds) == ["LR"]
    assert _contents(tmp_path) == undisturbed


def test_a_run_that_is_killed_resumes_to_the_same_bytes(tmp_path, undisturbed):
    command = [sys.executable, "-m", "sugeno.cli", "reproduce", "table2", "table5"]
    command += ["--splits=3", "--datasets=HAB,ESL", "--columns=LR,DT", f"--out={tmp_path}"]
    journal = tmp_path / "splits.jsonl"
    process = subprocess.Popen([*command, "--jobs=1"], stdout=subprocess.DEVNULL)
    while process.poll() is None and not (journal.exists() and journal.stat().st_size):
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert journal.read_bytes().count(b"\n") >= 1
    subprocess.run([*command, "--jobs=1"], check=True, stdout=subprocess.DEVNULL)
    assert _contents(tmp_path) == undisturbed


def test_another_seed_gives_other_splits_and_does_not_disturb_the_first(tmp_path, undisturbed):
    reproduce(["table2"], out=tmp_path, seed=1, **SMALL)
    assert (tmp_path / "table2.json").read_bytes() != undisturbed["table2.json"]
    reproduce(["table2", "table5"], out=tmp_path, **SMALL)
    assert (tmp_path / "table2.json").read_bytes() == undisturbed["table2.json"]


def test_a_missing_data_set_is_named_and_the_rest_still_runs(tmp_path, monkeypatch):
    monkeypatch.delenv("SUGENO_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "nothing"))
    done = reproduce(
        ["table2", "table5"], out=tmp_path, splits=1, datasets=["DBS", "HAB"], columns=["LR", "DT"]
    )
    assert list(done.missing) == ["DBS"]
    text = (tmp_path / "table2.md").read_text("utf-8")
    assert 'Missing: DBS (`sugeno.datasets.load("DBS")` says' in text
    assert "| DBS | missing | .206±.052 | missing | .199±.060 |" in text
    assert (
        "HAB" in json.loads((tmp_path / "table2.json").read_text("utf-8"))["shares"]["20"]["cells"]
    )
    assert "Missing: DBS" in (tmp_path / "table5.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"targets": ["table3"]}, r"'targets' must be among table2, .*Got table3 instead"),
        ({"datasets": ["IRIS"]}, r"'datasets' must be among DGS1, .*Got IRIS instead"),
        ({"columns": ["SVM"]}, r"'columns' must be among DT, .*Got SVM instead"),
        ({"columns": []}, r"'columns' must be among DT, .*Got nothing instead"),
    ],
)
def test_unknown_names_are_refused_before_anything_is_run(tmp_path, choice, message):
    with pytest.raises(ValueError, match=message):
        reproduce(out=tmp_path, **choice)
    assert not list(tmp_path.iterdir())


def test_a_learner_that_fails_is_named_with_its_split(tmp_path):
    def broken(directions, seed):
        class Broken:
            def get_params(self):
                return {}

            def fit(self, X, y):
                raise ZeroDivisionError("too bad")

        return Broken()

    found, _ = load_all(["HAB"])
    column = Column("XX", broken, None, "fails")
    journal = Journal(tmp_path / "splits.jsonl")
    items = pending([Key(0, "HAB", 20, 5)], {"HAB": "d"}, {"HAB": [column]}, journal)
    with pytest.raises(RuntimeError, match=r"XX failed on split 5 of HAB at 20 % .*too bad"):
        run(items, found, journal)


def test_a_run_on_a_dask_cluster_gives_the_same_bytes(tmp_path, undisturbed):
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        reproduce(["table2", "table5"], out=tmp_path, **SMALL)
    assert _contents(tmp_path) == undisturbed


# ------------------------------------------------------------------------------------ columns


def _measured(name, dataset, share, folder):
    """Measure a column on a first split, as a run does."""
    found, _ = load_all([dataset])
    journal = Journal(folder / "splits.jsonl")
    key = Key(0, dataset, share, 0)
    run(pending([key], {dataset: "d0"}, {dataset: [COLUMNS[name]]}, journal), found, journal)
    return journal.records[key].rows[1], journal.records[key].results[name]


@pytest.mark.parametrize("name", COLUMNS)
def test_every_column_learns_without_warnings_and_always_the_same(name, tmp_path):
    n_test, result = _measured(name, "ESL", 50, tmp_path / "one")
    assert result["errors"] / n_test < 0.2
    assert _measured(name, "ESL", 50, tmp_path / "two") == (n_test, result)


@pytest.mark.parametrize("name", ["SI", "SI-LP", "SI-fewest"])
def test_the_sugeno_columns_report_the_degree_of_maxitivity_and_the_rules(name, tmp_path):
    _, result = _measured(name, "HAB", 20, tmp_path)
    assert 1 <= result["k"] <= 3
    assert 1 <= result["rules"] <= 3


def test_all_targets_are_known_to_the_command_line():
    from sugeno.cli.reproduce import TARGETS as NAMES

    assert NAMES == TARGETS
