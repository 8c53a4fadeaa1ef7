"""What was tried about the disagreements: the variants, their table, and runs of them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from sugeno.cli.app import app
from sugeno.cli.reproduce import EXTRAS as NAMES
from sugeno.paper.experiments import EXTRAS, TARGETS, Reproduction, reproduce
from sugeno.paper.experiments.data import load_all
from sugeno.paper.experiments.journal import Key, Record, Results
from sugeno.paper.experiments.measurements import Part
from sugeno.paper.experiments.paper import SHARES
from sugeno.paper.experiments.variants import BASE, VARIANTS, build, render

# ----------------------------------------------------------------------------------- learners


def _mirrored(part):
    """Call the other class positive by hand."""
    return replace(
        part, y_train=1 - part.y_train, y_test=1 - part.y_test, directions=-part.directions
    )


def _contradicting(y_test, sign=1):
    """Both criteria agree on every training row, and contradict each other on two test rows."""
    train = np.array([[1.0, 1.0], [2.0, 2.0], [5.0, 5.0], [6.0, 6.0]])
    test = np.array([[1.0, 1.0], [1.0, 6.0], [6.0, 1.0], [6.0, 6.0]])
    directions = np.array([sign, 1])
    return Part(
        train * directions,
        np.array([0, 0, 1, 1]),
        test * directions,
        np.array(y_test),
        directions,
        0,
    )


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    # Utilities are 1/8, 3/8, 5/8, 7/8 and β is 1/2 either way. The base accepts a row as class 1
    # if both criteria speak for it, its mirror image as class 0 if both speak against it: what no
    # training row shows is rejected, as 0 by the one and as 1 by the other.
    ("y_test", "base", "other"),
    [
        ([0, 0, 0, 1], 0, 2),
        ([0, 1, 1, 1], 2, 0),
        ([0, 0, 1, 1], 1, 1),
        ([1, 0, 0, 0], 2, 4),
        ([1, 1, 1, 1], 3, 1),
    ],
)
def test_with_the_other_class_positive_what_no_training_row_shows_changes_sides(
    y_test, base, other, sign
):
    part = _contradicting(y_test, sign)
    assert BASE.measure(part)["errors"] == base
    assert VARIANTS["other class"].measure(part)["errors"] == other


def test_the_other_class_is_learned_with_the_opposite_directions():
    mirrored = VARIANTS["other class"].build(np.array([1, -1]), 0)
    mirrored.fit(np.array([[1.0, 4.0], [2.0, 3.0], [3.0, 2.0]]), np.array([0, 0, 1]))
    assert mirrored.classifier.directions_.tolist() == [-1, 1]


@pytest.mark.parametrize("share", SHARES)
def test_an_error_of_the_other_class_variant_is_an_error_of_the_base_on_exchanged_classes(share):
    found, _ = load_all(["HAB"])
    part = found["HAB"].part(Key(0, "HAB", share, 0))
    other = VARIANTS["other class"]
    assert other.measure(part)["errors"] == BASE.measure(_mirrored(part))["errors"]
    assert other.measure(_mirrored(part))["errors"] == BASE.measure(part)["errors"]


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("lower median", {"threshold": "median"}),
        ("margin .05", {"margin": 0.05}),
        ("auto directions", {"directions": "auto"}),
        ("exact joint", {"solver": "exact", "threshold": "joint", "extension": "nearest"}),
    ],
)
def test_a_variant_changes_nothing_in_the_base_but_what_it_says(name, changes):
    directions = np.array([1, -1])
    base = BASE.build(directions, 7).get_params()
    variant = VARIANTS[name].build(directions, 7).get_params()
    assert {p: v for p, v in variant.items() if v is not base[p]} == changes


def test_all_variants_have_different_recipes():
    assert len({variant.recipe for variant in VARIANTS.values()}) == len(VARIANTS) == 6


def _rare(n):
    """One criterion whose highest value alone is in class 1: 1 − β is 1 / n."""
    X, y = np.arange(n, dtype=np.float64)[:, None], (np.arange(n) == n - 1).astype(np.int64)
    return Part(X, y, X, y, directions=np.array([1]), random_state=0)


def test_a_margin_that_is_too_large_for_the_threshold_is_left_out_and_said_to_be():
    column = VARIANTS["margin .05"]
    assert column.measure(_rare(25)) == {**BASE.measure(_rare(25)), "admissible": False}
    assert column.measure(_rare(10))["admissible"] is True


# -------------------------------------------------------------------------------------- table


def _results(errors, *, admissible=(True, True), missing=()):
    """Two splits with 100 test rows each; errors[dataset] are the counts of all variants."""
    records = {}
    for dataset, counts in errors.items():
        for share in SHARES:
            for split in range(2):
                results = {name: {"errors": n} for name, n in zip(VARIANTS, counts)}
                results["margin .05"]["admissible"] = admissible[split]
                key = Key(0, dataset, share, split)
                records[key] = Record(key, "d0", (50, 100), results)
    return Results(records, 0, 2, ("ESL", "HAB"), (), missing)


def test_the_table_shows_means_differences_agreement_and_the_nearest_variant():
    # The paper's numbers at 20, 50, 80 %: ESL .105 .107 .108, HAB .290 .293 .277.
    errors = {"ESL": (10, 11, 11, 12, 10, 20), "HAB": (29, 28, 30, 29, 40, 29)}
    content = build(_results(errors))
    cell = content["shares"]["50"]["cells"]["HAB"]["other class"]
    assert cell["difference"] == pytest.approx(0.280 - 0.293)
    assert content["nearest"]["ESL"]["nearest"] == ["other class", "lower median"]
    assert content["nearest"]["HAB"]["nearest"] == ["SI-LP-full", "margin .05", "exact joint"]
    distances = content["nearest"]["ESL"]["distances"]
    assert distances["SI-LP-full"] == pytest.approx((0.005 + 0.007 + 0.008) / 3, abs=1e-6)
    assert distances["other class"] == pytest.approx((0.005 + 0.003 + 0.002) / 3, abs=1e-6)
    summary = content["summary"]
    assert {name: row["within"]["0.015"] for name, row in summary.items()} == {
        "SI-LP-full": 6,
        "other class": 6,
        "lower median": 5,
        "margin .05": 6,
        "auto directions": 3,
        "exact joint": 3,
        "nearest for each data set": 6,
    }
    expected = (0.005 + 0.003 + 0.002 + 0 + 0.003 + 0.013) / 6
    nearest = summary["nearest for each data set"]["mean absolute difference"]
    assert nearest == pytest.approx(expected, abs=1e-6)
    text = render(content)
    assert (
        "| HAB | .290±.031 | .290 (.000) | .280 (-.010) ▼ | .300 (+.010) ▲ | .290 (.000) "
        "| .400 (+.110) ▲ | .290 (.000) |"
    ) in text
    assert "| ESL | .007 | .003 | .003 | .013 | .007 | .093 | other class, lower median |" in text


def test_the_table_says_where_the_margin_was_left_out():
    errors = {"ESL": (10,) * 6, "HAB": (29,) * 6}
    left_out = render(build(_results(errors, admissible=(True, False))))
    assert "without margin, on 6 of 12 splits (ESL at 20 %: 1, HAB at 20 %: 1, ESL" in left_out
    assert "without margin, on 0 of 12 splits." in render(build(_results(errors)))


def test_a_missing_data_set_is_named_in_the_table_and_leaves_the_rest():
    text = render(build(_results({"HAB": (29,) * 6}, missing=("ESL",))))
    assert "Missing: ESL" in text
    assert f"| ESL | .105±.012 |{' missing |' * 6}" in text
    assert "| SI-LP-full | 3 |" in text


# --------------------------------------------------------------------------------------- runs

SMALL = {"splits": 2, "datasets": ["HAB", "ESL"]}


def _contents(folder):
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


class _StoppedError(Exception):
    pass


def test_a_stopped_run_of_the_variants_resumes_to_the_same_bytes(tmp_path):
    whole = reproduce(["variants"], out=tmp_path / "whole", **SMALL)
    assert [file.name for file in whole.files] == ["variants.md", "variants.json", "splits.jsonl"]
    assert (whole.measured, set(whole.seconds)) == (12, set(VARIANTS))

    def stop(done, total):
        if done == 5:
            raise _StoppedError

    with pytest.raises(_StoppedError):
        reproduce(["variants"], out=tmp_path / "stopped", progress=stop, **SMALL)
    assert reproduce(["variants"], out=tmp_path / "stopped", **SMALL).measured == 7
    assert _contents(tmp_path / "stopped") == _contents(tmp_path / "whole")
    cells = json.loads((tmp_path / "whole" / "variants.json").read_text("utf-8"))["shares"]
    assert any(
        part["cells"]["HAB"]["other class"]["mean"] != part["cells"]["HAB"][BASE.name]["mean"]
        for part in cells.values()
    )


def test_the_base_is_taken_from_a_run_of_table_7(tmp_path):
    options = {"out": tmp_path, "splits": 1, "datasets": ["HAB"]}
    reproduce(["table7"], columns=["SI-LP"], **options)
    assert set(reproduce(["variants"], **options).seconds) == {*VARIANTS} - {BASE.name}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (["variants"], EXTRAS),
        (["all"], TARGETS),
        (["variants", "all", "table2"], (*TARGETS, *EXTRAS)),
    ],
)
def test_variants_are_made_only_when_they_are_asked_for(asked, expected, monkeypatch, tmp_path):
    targets = []

    def pretend(names, **options):
        targets.extend(names)
        return Reproduction([], {}, 0, {})

    monkeypatch.setattr("sugeno.paper.experiments.reproduce", pretend)
    result = CliRunner().invoke(app, ["reproduce", *asked, "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert tuple(targets) == expected
    assert NAMES == EXTRAS
