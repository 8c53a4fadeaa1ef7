"""The paper's tables and figures: what they show, and how they are written."""

import json
from math import sqrt

import pytest

from sugeno.paper.experiments import data, reproduce
from sugeno.paper.experiments.compare_with_paper import differs, ranking, stand_ins
from sugeno.paper.experiments.curves import build as build_curves
from sugeno.paper.experiments.curves import draw, save
from sugeno.paper.experiments.curves import render as render_curves
from sugeno.paper.experiments.journal import Key, Record, Results
from sugeno.paper.experiments.paper import SHARES, Cell
from sugeno.paper.experiments.reproduction import MAIN
from sugeno.paper.experiments.table2 import build as build_table2
from sugeno.paper.experiments.table2 import render as render_table2
from sugeno.paper.experiments.table5 import build as build_table5
from sugeno.paper.experiments.table5 import render as render_table5
from sugeno.paper.experiments.table7 import build as build_table7
from sugeno.paper.experiments.table7 import render as render_table7

# ------------------------------------------------------------------------------------- tables


def test_a_cell_differs_beyond_three_times_both_standard_errors():
    paper = Cell(0.100, 0.010, 100)
    # 3 * (.02 / 10 + .01 / 10) = .009
    assert differs(Cell(0.1091, 0.020, 100), paper) == 1
    assert differs(Cell(0.1089, 0.020, 100), paper) == 0
    assert differs(Cell(0.0909, 0.020, 100), paper) == -1


def test_a_single_split_is_never_said_to_differ():
    assert differs(Cell(0.9, 0.0, 1), Cell(0.1, 0.01, 100)) == 0


def test_the_papers_sugeno_classifier_stands_beside_the_one_learned_its_way():
    assert stand_ins(MAIN) == {"DT": "DT", "LR": "LR", "CR": "CR", "MORE": "MORE", "SI": "SI-LP"}
    assert stand_ins(("LR", "SI", "HGB"))["SI"] == "SI"


def _results(columns, errors, *, datasets=("ESL", "HAB"), missing=None, extra=None):
    """Two splits with 100 test rows each; errors[dataset][column] are the two counts."""
    records = {}
    for dataset in errors:
        for share in SHARES:
            for split in range(2):
                results = {
                    column: {
                        "errors": errors[dataset][column][split],
                        **(extra or {}).get(column, {}),
                    }
                    for column in errors[dataset]
                }
                key = Key(0, dataset, share, split)
                records[key] = Record(key, "d0", (50, 100), results)
    return Results(records, 0, 2, tuple(datasets), tuple(columns), missing or ())


def test_table_2_shows_means_deviations_marks_and_ranks():
    errors = {
        "ESL": {"DT": (10, 14), "LR": (20, 20), "HGB": (30, 30)},
        "HAB": {"DT": (32, 32), "LR": (27, 27), "HGB": (26, 26)},
    }
    content = build_table2(_results(("DT", "LR", "HGB"), errors))
    cell = content["shares"]["20"]["cells"]["ESL"]["DT"]
    assert cell["mean"] == pytest.approx(0.12)
    assert cell["sd"] == pytest.approx(sqrt(2 * 0.02**2), abs=1e-6)
    assert content["shares"]["20"]["cells"]["ESL"]["LR"]["differs"] == 1
    ranked = content["shares"]["20"]["average_rank"]
    assert ranked["all columns"]["average_rank"] == {"DT": 2.0, "LR": 2.0, "HGB": 2.0}
    assert ranked["paper's methods"]["average_rank"] == {"DT": 1.5, "LR": 1.5}
    assert content["agreement"]["LR"]["cells"] == 6
    assert content["mean"]["HGB"] == pytest.approx(0.28)
    text = render_table2(content)
    assert "| ESL | .120±.028 | .122±.016 | .200±.000 ▲ | .077±.013 | .300±.000 |" in text
    assert "| average rank, paper's methods | 1.50 | 5.00 | 1.50 | 2.75 |  |" in text
    assert "Friedman" in text


def test_table_2_shows_the_papers_number_once_behind_both_of_its_stand_ins():
    errors = {"ESL": {"SI-LP": (10, 10), "SI": (9, 9)}}
    text = render_table2(build_table2(_results(("SI-LP", "SI"), errors, datasets=("ESL",))))
    assert "| data set | SI-LP | SI | paper's SI |" in text
    assert "| ESL | .100±.000 ▼ | .090±.000 ▼ | .104±.012 |" in text


def test_average_ranks_significantly_worse_than_the_sugeno_classifiers_are_bold():
    errors = {
        name: {"DT": (40, 40), "LR": (30, 30), "SI": (10, 10)} for name in ("ESL", "HAB", "LEV")
    }
    errors |= dict.fromkeys(("ERA", "MPG", "MMG"), errors["ESL"])
    results = _results(("DT", "LR", "SI"), errors, datasets=tuple(errors))
    assert ranking(results, 20, ("DT", "LR", "SI"), "SI")["worse"] == ["DT"]
    assert "| average rank, all columns | **3.00** |  | 2.00 |" in render_table2(
        build_table2(results)
    )


def test_table_5_counts_wins_and_shows_the_papers_in_brackets():
    errors = {
        "ESL": {"DT": (10, 10), "LR": (20, 20)},
        "HAB": {"DT": (30, 30), "LR": (27, 27)},
        "LEV": {"DT": (15, 15), "LR": (14, 16)},
    }
    content = build_table5(_results(("DT", "LR"), errors, datasets=tuple(errors)))
    assert content["all columns"]["20"]["DT"] == {"wins": {"LR": 1}, "total": 1, "rank": 1}
    assert content["all columns"]["20"]["LR"] == {"wins": {"DT": 1}, "total": 1, "rank": 1}
    text = render_table5(content).replace("\\|", "|")
    assert "| DT | – | 1|1|1 [0|1|3] | 1|1|1 [0|6|11] | 1|1|1 [5|5|4] |" in text


K = {"SI": {"k": 2, "rules": 4}, "SI-full": {"k": 3, "rules": 7}}


def test_table_7_shows_the_average_k_beside_the_papers():
    errors = {"HAB": {"SI": (26, 28), "SI-full": (29, 29)}}
    results = _results(("SI",), errors, extra=K, missing=("ESL",))
    content = build_table7(results)
    row = content["shares"]["20"]["cells"]["HAB"]["SI"]
    assert row["average_k"] == 2
    assert row["full"]["mean"] == pytest.approx(0.29)
    text = render_table7(content)
    assert "| HAB | .290±.031 | .265±.022 | 1.82 | .290±.000 | .270±.014 | 2.00 |" in text
    assert "| ESL | .105±.012 | .104±.012 | 3.88 | missing | missing | missing |" in text
    assert "| SI | .2700 | 2.00 | 4.0 |" in text
    assert "| SI-full | .2900 | 3.00 | 7.0 |" in text


def test_table_7_is_measured_with_the_fully_maxitive_columns_too(tmp_path):
    done = reproduce(["table7"], out=tmp_path, splits=1, datasets=["HAB"], columns=["SI", "LR"])
    assert sorted(done.seconds) == ["SI", "SI-full"]
    content = json.loads((tmp_path / "table7.json").read_text("utf-8"))
    assert list(content["pairs"]) == ["SI"]
    assert 1 <= content["shares"]["80"]["cells"]["HAB"]["SI"]["average_k"] <= 3


def test_a_table_of_results_that_were_not_measured_says_so():
    with pytest.raises(ValueError, match=r"must hold column LR of HAB at 20 % .*run the measure"):
        build_table2(_results(("LR",), {"HAB": {"DT": (1, 1)}}, datasets=("HAB",)))
    with pytest.raises(ValueError, match=r"must hold column SI-full of HAB at 20 %"):
        build_table7(_results(("SI",), {"HAB": {"SI": (1, 1)}}, datasets=("HAB",), extra=K))


# ------------------------------------------------------------------------------------ figures


def _sweep_results():
    records = {}
    for share in SHARES:
        for split in range(2):
            errors = [50 - abs(step - 40) // 4 for step in range(1, 101)]
            errors[29] = 20 + split
            line = {"beta": 0.3 + 0.02 * split, "errors": 21 + split}
            key = Key(0, "MMG", share, split)
            result = {"errors": errors, "learned": line, "alternating": line}
            records[key] = Record(key, "d0", (50, 100), {"thresholds": result})
    return Results(records, 0, 2, ("MMG",), ())


def test_a_figure_holds_the_mean_curve_and_the_learned_thresholds():
    content = build_curves(_sweep_results(), "figure-alternating")
    curve = content["shares"]["50"]
    assert content["thresholds"][0] == 0.01
    assert content["thresholds"][-1] == 1.0
    assert curve["best"] == {"beta": 0.3, "error": 0.205}
    assert curve["learned"] == {"beta": 0.31, "sd": 0.014142, "error": 0.215}
    assert curve["standard error"][29] == pytest.approx(0.005)
    assert "| 50 % | .205 | .30 | .310 ± .014 | .215 | .310 ± .014 | .215 |" in render_curves(
        content
    )


def test_a_figure_has_a_vertical_line_for_each_learned_threshold(tmp_path):
    content = build_curves(_sweep_results(), "figure-alternating")
    figure = draw(content)
    for axes in figure.axes:
        curve, *vertical = axes.get_lines()
        assert len(curve.get_xdata()) == 100
        assert [line.get_xdata()[0] for line in vertical] == [0.31, 0.31]
    first = [file.read_bytes() for file in save(figure, tmp_path / "one")]
    again = [file.read_bytes() for file in save(draw(content), tmp_path / "two")]
    assert first == again


def test_figures_are_drawn_from_the_classifier_with_fixed_and_learned_thresholds(tmp_path):
    done = reproduce(["figure-threshold"], out=tmp_path, splits=1, datasets=["LEV"])
    assert sorted(file.suffix for file in done.files) == [".json", ".jsonl", ".md", ".png", ".svg"]
    content = json.loads((tmp_path / "figure-threshold.json").read_text("utf-8"))
    for curve in content["shares"].values():
        assert len(curve["mean"]) == 100
        assert 0 < curve["learned"]["beta"] < 1
        assert curve["best"]["error"] <= 0.25


def test_a_figure_whose_data_set_is_missing_says_so_and_is_not_drawn(tmp_path, monkeypatch):
    def all_but_one(name, load=data.load):
        if name == "LEV":
            raise FileNotFoundError(f"get {name} by hand")
        return load(name)

    monkeypatch.setattr(data, "load", all_but_one)
    done = reproduce(["figure-threshold"], out=tmp_path, splits=1, datasets=["LEV", "HAB"])
    assert [file.name for file in done.files] == [
        "figure-threshold.md",
        "figure-threshold.json",
        "splits.jsonl",
    ]
    assert "Missing: LEV" in (tmp_path / "figure-threshold.md").read_text("utf-8")


def test_without_any_data_set_there_is_nothing_to_do(tmp_path, monkeypatch):
    def nothing(name):
        raise FileNotFoundError(f"get {name} by hand")

    monkeypatch.setattr(data, "load", nothing)
    with pytest.raises(ValueError, match=r"None of the data sets is there.* get LEV by hand"):
        reproduce(["figure-threshold"], out=tmp_path, splits=1, datasets=["LEV"])
