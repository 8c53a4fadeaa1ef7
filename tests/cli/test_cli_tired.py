"""Files as tired people write them: the command line reads them, or says what to mend."""

import json
import re
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from running import fine, refused

import sugeno


def rows(n=60, seed=0):
    """Income, age, home and whether the credit was repaid."""
    rng = np.random.default_rng(seed)
    income, age = rng.integers(10, 60, n) * 500, rng.integers(20, 80, n)
    home = rng.choice(["rent", "own"], n)
    repaid = np.where(income / 500 + 10 * (home == "own") + rng.normal(0, 3, n) > 38, "yes", "no")
    return [*zip(income.tolist(), age.tolist(), home.tolist(), repaid.tolist())]


def written(path, lines, **how):
    path.write_bytes("\r\n".join(lines).encode(**how))
    return path


FAST = ("--k", 1, "--levels", 2)


def test_a_line_of_totals_is_left_out_with_its_number(tmp_path):
    lines = ["income,age,repaid", *(f"{i},{a},{y}" for i, a, _, y in rows()), "total,,"]
    data = written(tmp_path / "loans.csv", lines)
    result = fine("fit", data, "-t", "repaid", *FAST)
    assert "1 of 61 rows has no 'repaid' and is left out: line 62." in result.stderr
    assert "60 rows, 2 criteria" in result.stdout


@pytest.mark.parametrize("command", ["look", "fit", "evaluate"])
def test_rows_without_a_class_are_left_out_by_every_command(tmp_path, command):
    cells = [f"{i},{a},{y if j % 12 else ''}" for j, (i, a, _, y) in enumerate(rows())]
    data = written(tmp_path / "loans.csv", ["income,age,repaid", *cells])
    more = [] if command == "look" else [*FAST, *(["--cv", 2] if command == "evaluate" else [])]
    result = fine(command, data, "-t", "repaid", *more)
    assert (
        "5 of 60 rows have no 'repaid' and are left out: lines 2, 14, 26, 38, 50." in result.stderr
    )


def test_a_target_without_any_class_is_refused(tmp_path):
    data = written(tmp_path / "loans.csv", ["income,repaid", "1,", "2,NA"])
    assert "'repaid' is empty in all rows" in refused("fit", data, "-t", "repaid")


def test_a_title_above_the_names_is_skipped(tmp_path):
    cells = [f"{i}\t{a}\t{y}" for i, a, _, y in rows()]
    data = written(
        tmp_path / "loans.csv", ["Loans 2023 (draft)", "", "income\tage\trepaid", *cells]
    )
    assert "60 rows, 2 criteria" in fine("fit", data, "-t", "repaid", *FAST).stdout


def test_a_table_as_a_spreadsheet_saves_it_is_read(tmp_path):
    # A title with empty cells beside it, units, points between thousands, a line of totals.
    above = ["Kredite;;;;", "Stand: 31.12.2023;;;;", ";;;;", "Nr.;Einkommen;Zins;Wohnung;Ja/Nein"]
    cells = [
        f"{j};{i // 1000}.{i % 1000:03},50 €;{a // 10},{a % 10} %;{h};{y}"
        for j, (i, a, h, y) in enumerate(rows())
    ]
    data = written(
        tmp_path / "kredite.csv", [*above, *cells, "Summe;99.000,00 €;;;"], encoding="utf-8-sig"
    )
    result = fine("look", data, "-t", "Ja/Nein")
    assert "is left out: line 65." in result.stderr
    kinds = dict(line.split()[:2] for line in result.stdout.splitlines()[2:])
    assert kinds == {"Einkommen": "number", "Zins": "number", "Wohnung": "two-valued"}


def test_a_name_of_two_lines_is_one_name_and_no_title(tmp_path):
    cells = [f"{i},{a},{y}" for i, a, _, y in rows()]
    data = written(tmp_path / "loans.csv", ['"income\n(EUR)","age, years",repaid', *cells])
    shown = fine("look", data, "-t", "repaid").stdout
    assert "\nincome (EUR) " in shown
    assert "\nage, years " in shown


@pytest.mark.parametrize("written_so", ["({})", "-{}", "−{}", "-${}", "(${})"])
def test_negative_numbers_are_read_however_they_are_written(tmp_path, written_so):
    cells = [f"{written_so.format(i) if a < 50 else i},{y}" for i, a, _, y in rows()]
    data = written(tmp_path / "loans.csv", ["balance,repaid", *cells], encoding="utf-8")
    line = fine("look", data, "-t", "repaid").stdout.splitlines()[1]
    assert line.split()[:2] == ["balance", "number"]


@pytest.mark.parametrize("form", ["%d-%b-%Y", "%d %B %y", "%b %d, %Y", "%d.%m.%y", "%d%b%Y"])
def test_dates_with_names_of_months_and_short_years_are_dates(tmp_path, form):
    days = [date(1995, 1, 1) + timedelta(days=200 * j) for j in range(60)]
    cells = [f'"{day.strftime(form)}",{y}' for day, (*_, y) in zip(days, rows())]
    data = written(tmp_path / "loans.csv", ["since,repaid", *cells])
    model = tmp_path / "m.json"
    shown = fine("fit", data, "-t", "repaid", "-o", model, "--column", "since=up", *FAST).stdout
    assert re.search(r"since >= (199|20[0-3])\d-\d\d-\d\d", shown)
    one = written(tmp_path / "one.csv", ["since", f'"{days[-1].strftime(form)}"'])
    fine("predict", model, one)


@pytest.mark.parametrize("empty", ["k.A.", "#N/A", "unknown", "#DIV/0!", "..", "not available"])
def test_words_for_nothing_are_missing_numbers(tmp_path, empty):
    cells = [f"{i},{a if j % 6 else empty},{y}" for j, (i, a, _, y) in enumerate(rows())]
    data = written(tmp_path / "loans.csv", ["income,age,repaid", *cells])
    line = fine("look", data, "-t", "repaid").stdout.splitlines()[2]
    assert line.split()[:2] == ["age", "number"]
    assert "10, " in line


def test_units_in_cells_are_read_over(tmp_path):
    cells = [f"{i} EUR;{a} yrs;{h};{y}" for i, a, h, y in rows()]
    data = written(tmp_path / "loans.csv", ["income;age;home;repaid", *cells], encoding="utf-8-sig")
    model = tmp_path / "m.json"
    shown = fine("fit", data, "-t", "repaid", "-o", model, *FAST).stdout
    assert "income >= " in shown
    one = written(tmp_path / "one.csv", ["income;age;home", "29500 EUR;34 yrs;own"])
    fine("predict", model, one, "-o", tmp_path / "out.csv")
    assert (
        (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()[1].startswith("29500 EUR;")
    )
    # Labels that begin with a number stay labels.
    wheels = [f"{i},{1 + j % 2}wd,{y}" for j, (i, _, _, y) in enumerate(rows())]
    cars = written(tmp_path / "cars.csv", ["price,drive,sold", *wheels])
    assert "two-valued" in fine("look", cars).stdout


def test_misspelt_classes_are_named_with_their_lines(tmp_path):
    cells = [f"{i},{a},{y}" for i, a, _, y in rows()]
    cells[7] = "900,30,yess"
    data = written(tmp_path / "loans.csv", ["income,age,repaid", *cells])
    message = refused("fit", data, "-t", "repaid")
    assert "classes of one row: 'yess' (line 9)" in message
    assert "--positive" in message


def test_counts_with_rare_values_are_refused_with_the_ways_to_read_them(tmp_path):
    cells = [f"{i},{j % 3 if j else 9}" for j, (i, *_) in enumerate(rows())]
    data = written(tmp_path / "visits.csv", ["income,visits", *cells])
    for command in ("look", "fit", "evaluate"):
        message = refused(command, data, "-t", "visits")
        assert "classes of one row: 9 (line 2). Say --ordered if" in message


def test_a_card_says_which_points_a_row_has(tmp_path):
    cells = [f"{i},{a},{h},{y}" for i, a, h, y in rows(200)]
    data = written(tmp_path / "loans.csv", ["income,age,home,repaid", *cells])
    model = tmp_path / "m.json"
    fine("fit", data, "-t", "repaid", "--form", "points", "-o", model)
    shown = fine("explain", model, data, "--row", 1).stdout
    assert " needed" in shown
    points = json.loads(fine("rules", model, "--format", "json").stdout)
    assert all(one["points"] > 0 for one in points)
    assert (
        "conditions" in fine("evaluate", data, "-t", "repaid", "--form", "points", "--cv", 2).stdout
    )


def test_classes_without_an_order_are_told_apart_in_words(tmp_path):
    plans = ["4" if a > 60 else "f" if h == "own" else "r" for _, a, h, _ in rows(120)]
    cells = [f"{i},{a},{h},{p}" for (i, a, h, _), p in zip(rows(120), plans)]
    data = written(tmp_path / "cars.csv", ["price,age,home,drv", *cells])
    model = tmp_path / "m.json"
    shown = fine("fit", data, "-t", "drv", "--form", "points", "-o", model).stdout
    # One class is named as the others are, and what decides among them is said.
    assert all(f"drv = {one} " in shown for one in "4fr")
    assert "A row gets the likeliest class" in shown
    table = fine("rules", model).stdout
    assert "clauses hold" not in table


def test_the_usual_number_of_folds_suits_the_rarest_class(tmp_path):
    cells = [f"{i},{'rare' if i % 10 == 0 else 'usual'}" for i in range(1, 41)]
    data = written(tmp_path / "few.csv", ["x,kind", *cells])
    assert "deviation of 4 folds" in fine("evaluate", data, "-t", "kind", *FAST).stdout
    assert "Got 4 of rare; use --cv 4" in refused("evaluate", data, "-t", "kind", "--cv", 5, *FAST)


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    """A model of three classes without an order, and its table."""
    folder = tmp_path_factory.mktemp("plans")
    many = rows(150)
    found = ["lease" if a > 60 else "buy" if h == "own" else "rent" for _, a, h, _ in many]
    cells = [f"{i},{a},{h},{plan}" for (i, a, h, _), plan in zip(many, found)]
    data = written(folder / "plans.csv", ["price,age,home,plan", *cells])
    fine("fit", data, "-t", "plan", "-o", folder / "m.json", "--levels", "distilled")
    return folder / "m.json", data


def test_a_row_is_explained_in_full_where_classes_have_no_order(plans):
    shown = fine("explain", *plans, "--row", 1).stdout
    assert shown.startswith("Row 1: rent. ")
    assert "\n  because " in shown
    # Each further change says which of the classes it leads to.
    ways = [line for line in shown.splitlines() if line.startswith("  or ")]
    assert ways
    assert all(line.startswith(("  or buy: ", "  or lease: ")) for line in ways)
    record = json.loads(fine("explain", *plans, "--row", 1, "--format", "json").stdout)[0]
    assert {way["label"] for way in record["counterfactuals"]} <= {"buy", "lease"}


def test_an_ensemble_of_classes_without_an_order_says_that_it_has_no_reasons(plans):
    model = plans[0].with_name("sum.json")
    fine("fit", plans[1], "-t", "plan", "-o", model, "--levels", "ensemble")
    assert "an ensemble of classes without an order" in refused("explain", model, plans[1])


@pytest.fixture(scope="module")
def mixed(plans):
    """A model with rules for one class, and cards for the others."""
    models = []
    for form in ("rules", "points"):
        file = plans[0].with_name(f"{form}.json")
        fine("fit", plans[1], "-t", "plan", "-o", file, "--form", form)
        models.append(sugeno.load(file).model_)
    rules, points = models
    both = replace(rules, models=(rules.models[0], *points.models[1:]))
    file = plans[0].with_name("mixed.json")
    sugeno.save(sugeno.RuleClassifier.of(both), file)
    return file


@pytest.mark.parametrize("kind", ["markdown", "csv", "table", "words", "json"])
def test_rules_of_one_class_and_cards_of_others_are_shown_in_every_format(mixed, kind):
    shown = fine("rules", mixed, "--format", kind).stdout
    assert "buy" in shown
    assert "lease" in shown
    if kind == "markdown":
        assert "buy if" in shown
        assert re.search(r"lease from \d+ of \d+ points\n\n\| condition", shown)


def test_the_target_is_the_column_that_was_learned_where_several_have_its_labels(tmp_path):
    cells = [f"{i},{a},{h},{y},{'yes' if a > 50 else 'no'}" for i, a, h, y in rows()]
    data = written(tmp_path / "loans.csv", ["income,age,home,repaid,old", *cells])
    model = tmp_path / "m.json"
    fine("fit", data, "-t", "repaid", "-o", model, "--features", "income,age", *FAST)
    said = fine("report", model, data, "-o", tmp_path / "page.html").stderr
    assert "60 rows" in said
    # Classes that were made of its cells are made of them again.
    fine("fit", data, "-t", "repaid", "--positive", "no", "-o", model, "--features", "age", *FAST)
    fine("report", model, data, "--positive", "no", "-o", tmp_path / "page.html")
    several = ("-t", "income", "--positive", ">=20000", "--features", "age")
    fine("fit", data, *several, "-o", model, *FAST)
    assert "say --positive" in refused("report", model, data, "-o", tmp_path / "page.html")
    fine("report", model, data, "--positive", ">=20000", "-o", tmp_path / "page.html")
    fine("fit", data, "-t", "repaid", "-o", model, "--features", "income,age", *FAST)
    # Of others nobody knows which one is meant.
    other = written(tmp_path / "new.csv", ["income,age,home,paid,old", *cells])
    assert "name the target" in refused("report", model, other, "-o", tmp_path / "page.html")


@pytest.mark.filterwarnings("default::sklearn.exceptions.ConvergenceWarning")
def test_time_that_was_too_short_is_said_in_words_of_the_command_line(tmp_path):
    cells = [f"{i},{a},{h},{y}" for i, a, h, y in rows()]
    data = written(tmp_path / "loans.csv", ["income,age,home,repaid", *cells])
    said = fine("fit", data, "-t", "repaid", "--time-limit", "1e-9").stderr
    assert "--time-limit 1e-09 cut the comparison" in said
    assert "(--levels, --k)" in said
    assert "time_limit=" not in said
