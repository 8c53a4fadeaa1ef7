"""Tables as people have them: what is read, and what is refused with a remedy."""

import io
import sys

import hypothesis.strategies as st
import pandas as pd
import pytest
from hypothesis import given

from sugeno.cli.errors import Refusal, did_you_mean
from sugeno.cli.reading import read_table
from sugeno.cli.tables import Style, Table, number
from sugeno.cli.targets import read_target
from sugeno.cli.writing import write_table


def table_of(tmp_path, content, decimal=None):
    file = tmp_path / "data.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_table(str(file), decimal)


def refusal(tmp_path, content):
    with pytest.raises(Refusal) as error:
        table_of(tmp_path, content)
    assert error.value.exit_code == 2
    assert "\n" not in error.value.message
    return error.value.message


def columns_of(tmp_path, content):
    return dict(table_of(tmp_path, content).columns)


# ------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends_are_found_out(tmp_path, delimiter, end):
    text = end.join(delimiter.join(row) for row in (["a", "b c"], ["1", "yes"], ["2", "no"]))
    assert columns_of(tmp_path, text) == {"a": ["1", "2"], "b c": ["yes", "no"]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_of_programs_and_spreadsheets_are_found_out(tmp_path, encoding):
    found = columns_of(tmp_path, "größe,ja\n1,é\n".encode(encoding))
    assert found == {"größe": ["1"], "ja": ["é"]}


def test_quoted_headers_and_cells_may_hold_delimiters_quotes_and_lines(tmp_path):
    text = '"price, net","says ""yes""\nor no"\n"1,5","a\nb"\n'
    found = columns_of(tmp_path, text)
    assert found == {"price, net": ["1,5"], 'says "yes"\nor no': ["a\nb"]}


def test_the_line_of_spreadsheets_that_names_the_delimiter_is_believed(tmp_path):
    table = table_of(tmp_path, "sep=;\r\na,b;c\r\n1;2\r\n")
    assert dict(table.columns) == {"a,b": ["1"], "c": ["2"]}
    assert table.lines == [3]


def test_blank_lines_and_nameless_empty_columns_are_left_out(tmp_path):
    table = table_of(tmp_path, "a,b,\n\n1,2,\n,,\n3,4,\n")
    assert dict(table.columns) == {"a": ["1", "3"], "b": ["2", "4"]}
    assert table.lines == [3, 5]


def test_rows_know_their_lines_also_after_cells_of_several_lines(tmp_path):
    assert table_of(tmp_path, 'a,b\n"x\ny",1\nz,2\n').lines == [2, 4]


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("", ["data.csv is empty"]),
        (" \n\n", ["data.csv is empty"]),
        ("a,b\n", ["column names but no rows"]),
        ("a,b\n1,2\n3\n", ["line 3", "1 cells", "header has 2"]),
        ("a,b\n\n1,2\n3,4,5\n", ["line 4", "3 cells", "quote cells"]),
        ("a,b,a\n1,2,3\n", ["called 'a'", "rename"]),
        ('a,b\n1,2\n"3,4\n5,6\n', ["line 3", "quotes"]),
        (b"PK\x03\x04...", ["workbook", "save the sheet as CSV"]),
        (b"\x1f\x8b...", ["compressed", "gunzip"]),
        (b"a,b\n1,\x00\n", ["not a text file"]),
        ("a;b\n1,234;5\n2,500;6\n", ["'1,234'", "--decimal , or --decimal ."]),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_line(tmp_path, content, parts):
    message = refusal(tmp_path, content)
    assert all(part in message for part in parts), message


def test_a_column_without_a_name_is_called_as_pandas_calls_it(tmp_path):
    content = ",a,,b,\nx,1,2,3,\ny,4,5,6,\n"
    read = pd.read_csv(io.StringIO(content))
    named = [name for name in read.columns if read[name].notna().any()]
    assert list(table_of(tmp_path, content).columns) == named


def test_the_standard_input_is_read_where_a_dash_is_given(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1,2\n")))
    assert read_table("-").columns == {"a": ["1"], "b": ["2"]}


@pytest.mark.parametrize("without", [None, "pyarrow"])
def test_parquet_is_read_and_written_by_either_library(tmp_path, monkeypatch, without):
    if without:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    file = str(tmp_path / "t.parquet")
    write_table({"x": [1.5, 0.1], "flag": [True, False], "y": ["a", None]}, file, "parquet")
    table = read_table(file)
    assert table.columns == {"x": ["1.5", "0.1"], "flag": ["true", "false"], "y": ["a", ""]}
    assert table.where([1]) == "row 2"


def test_without_either_library_parquet_names_the_remedy(tmp_path, monkeypatch):
    file = str(tmp_path / "t.parquet")
    write_table({"x": [1]}, file, "parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(Refusal, match="pip install pyarrow"):
        read_table(file)
    with pytest.raises(Refusal, match="pip install pyarrow"):
        write_table({"x": [1]}, file, "parquet")


def test_a_parquet_file_without_rows_is_refused(tmp_path):
    file = str(tmp_path / "t.parquet")
    write_table({"x": []}, file, "parquet")
    with pytest.raises(Refusal, match="no rows"):
        read_table(file)


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=1, max_size=5)


@given(
    st.lists(texts.map(str.strip).filter(bool), min_size=1, max_size=4, unique=True),
    st.sampled_from(",;\t|"),
    st.booleans(),
    st.data(),
)
def test_what_is_written_reads_back(tmp_path_factory, names, delimiter, marked, data):
    cell = texts.map(str.strip).filter(bool)
    columns = {name: data.draw(st.lists(cell, min_size=2, max_size=2)) for name in names}
    file = tmp_path_factory.mktemp("csv") / "t.csv"
    write_table(columns, str(file), "csv", Style(delimiter, ".", marked))
    if len(names) == 1 or max(",;\t|", key=_plain_header(file).count) != delimiter:
        return  # names full of other delimiters: no reader could tell
    assert read_table(str(file), ".").columns == columns


def _plain_header(file):
    import re

    text = file.read_bytes().decode("utf-8-sig")
    first = next(line for line in text.splitlines() if line.strip())
    return re.sub(r'"[^"]*"', "", first)


# ------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("3", ".", 3.0),
        ("-0.5", ".", -0.5),
        ("+.5e-3", ".", 0.0005),
        ("1,234", ".", 1234.0),
        ("12,34", ".", None),
        ("1,234,567.5", ".", 1234567.5),
        ("3,5", ",", 3.5),
        ("1.234", ",", 1234.0),
        ("1.234,5", ",", 1234.5),
        ("1\u00a0234,5", ",", 1234.5),
        ("1 234.5", ".", 1234.5),
        ("1'234.5", ".", 1234.5),
        ("12 34", ".", None),
        ("TRUE", ".", 1.0),
        ("False", ",", 0.0),
        ("1_000", ".", None),
        ("inf", ".", None),
        ("1e999", ".", None),
        ("٣", ".", 3.0),
        ("12%", ".", 12.0),
        ("007", ".", None),
        ("0x10", ".", None),
    ],
)
def test_numbers_as_people_write_them(text, decimal, value):
    assert number(text, decimal) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_to_the_same_double(value):
    assert number(repr(value)) == value
    assert number(repr(value).replace(".", ","), ",") == value


def test_a_comma_is_the_decimal_mark_where_it_is_not_the_delimiter(tmp_path):
    table = table_of(tmp_path, "a;b;c\n1,5;7;1.000\n2;8;2.500,5\n")
    assert table.frame(["a", "b", "c"], {}).rows() == [(1.5, 7, 1000), (2, 8, 2500.5)]


def test_points_stay_points_where_no_number_has_a_comma(tmp_path):
    table = table_of(tmp_path, "a;b\n1.234;red, blue\n2.5;green\n")
    assert table.frame(["a"], {})["a"].to_list() == [1.234, 2.5]


def test_a_doubtful_comma_is_read_as_told(tmp_path):
    content = "a;b\n1,234;5\n2,500;6\n"
    assert table_of(tmp_path, content, ",").frame(["a"], {})["a"].to_list() == [1.234, 2.5]
    assert table_of(tmp_path, content, ".").frame(["a"], {})["a"].to_list() == [1234, 2500]


def test_ordered_labels_become_their_places():
    table = Table("t.csv", {"size": ["L", "S", "M"]}, [2, 3, 4])
    assert table.frame(["size"], {"size": ["S", "M", "L"]})["size"].to_physical().to_list() == [
        2,
        0,
        1,
    ]


@pytest.mark.parametrize(
    ("cells", "orders", "parts"),
    [
        (["small", "large"] * 3, {}, ["'a'", "--order a=small,large", "--drop-column a"]),
        (
            ["2024-01-31", "2023-02-01"],
            {},
            ["dates", "'2024-01-31'", "year first", "--drop-column"],
        ),
        (["31.01.2024", "1.2.2023 10:15"], {}, ["dates"]),
        (["1", "2", "abc", "4"], {}, ["'abc' among its numbers (line 4)"]),
        ([f"name {i}" for i in range(30)], {}, ["text of its own", "--drop-column a"]),
        (["1", "", "NA", "4"], {}, ["missing", "'a' in 2 (lines 3, 4)", "--drop-missing"]),
        (["S", "XL"], {"a": ["S", "L"]}, ["'XL' besides the labels S, L", "--order a=S,L,XL"]),
    ],
)
def test_columns_that_are_no_criteria_are_refused_by_name(cells, orders, parts):
    table = Table("t.csv", {"a": cells}, range(2, len(cells) + 2))
    with pytest.raises(Refusal) as error:
        table.frame(["a"], orders)
    assert all(part in error.value.message for part in parts), error.value.message


def test_a_file_without_names_of_its_columns_is_recognised():
    with pytest.raises(Refusal, match=r"first line, 1, 3\.5, seems to be a row"):
        Table("t.csv", {"1": ["2"], "3.5": ["4"]}, [2]).column("y")


def test_all_columns_that_are_no_criteria_are_named_at_once():
    table = Table("t.csv", {"a b": ["x", "y"], "n": ["1", "2"], "c": ["u", "u"]}, [2, 3])
    with pytest.raises(Refusal) as error:
        table.frame(["a b", "n", "c"], {})
    assert '--drop-column "a b" --drop-column c' in error.value.message
    assert "'n'" not in error.value.message


def test_rows_with_gaps_are_left_out_with_their_lines():
    table = Table("t.csv", {"a": ["1", "?", "3"], "b": ["", "2", "3"]}, [2, 3, 4])
    assert table.complete(["a"]).lines == [2, 4]
    assert table.complete(["a", "b"]).columns == {"a": ["3"], "b": ["3"]}
    with pytest.raises(Refusal, match="no complete row"):
        Table("t.csv", {"a": ["?"]}, [2]).complete(["a"])


def test_long_lists_of_lines_are_cut():
    table = Table("t.csv", {"a": ["x"] * 9}, range(2, 11))
    assert table.where(range(9)) == "lines 2, 3, 4, 5, 6 and 4 more"


def test_cells_are_typed_for_formats_that_have_types():
    table = Table("t.csv", {"i": ["1", ""], "f": ["1.5", "2"], "t": ["a", "NA"]}, [2, 3])
    assert [table.typed(name) for name in "ift"] == [[1, None], [1.5, 2.0], ["a", None]]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("ACCEPTED", "'accepted'"), ("acepted", "'accepted'"), ("zzz", "there are: id, accepted.")],
)
def test_wrong_names_get_the_right_one_suggested(name, hint):
    assert hint in did_you_mean(name, ["id", "accepted"])


# ------------------------------------------------------------------------------------- targets


def target(cells, positive=None):
    labels, chosen = read_target(
        Table("t.csv", {"y": cells}, range(2, 2 + len(cells))), "y", positive
    )
    return labels.tolist(), chosen


def test_labels_are_whole_numbers_where_all_are_and_texts_otherwise():
    assert target(["0", "1"]) == ([0, 1], None)
    assert target(["0", "1.0"], "1.0") == ([0, 1], 1)
    assert target(["yes", "no"], "no") == (["yes", "no"], "no")
    assert target(["true", "false"]) == (["true", "false"], None)
    assert target(["0.5", "1.5"]) == (["0.5", "1.5"], None)


def test_many_classes_become_two_by_a_comparison_or_by_name():
    assert target(["1", "2", "3"], ">= 2") == (["y < 2", "y >= 2", "y >= 2"], "y >= 2")
    assert target(["1", "2", "3"], "<2") == (["y < 2", "y >= 2", "y >= 2"], "y < 2")
    assert target(["a", "b", "c"], "a, c") == (["a or c", "other", "a or c"], "a or c")
    assert target(["1", "2", "3"], ">2")[0] == target(["1", "2", "3"], "<=2")[0]


def test_one_of_several_labels_can_be_the_positive_class():
    labels, positive = target(["setosa", "virginica", "versicolor"], "virginica")
    assert labels == ["other", "virginica", "other"]
    assert positive == "virginica"


@pytest.mark.parametrize(
    ("cells", "positive", "parts"),
    [
        (list(map(str, range(30))), None, ["30 different numbers, 0, 1, 2", "--positive '>=15'"]),
        (
            [chr(97 + i) * 2 for i in range(26)],
            None,
            ["26 classes, aa, bb", "--positive 'aa,bb,cc'"],
        ),
        (["a", "a"], None, ["one class only, a"]),
        (["1", "2"], ">5", ["one class only, y <= 5"]),
        (["Yes", "No"], "yes", ["Got 'yes'", "did you mean 'Yes'?"]),
        (["a", "b"], ">=3", ["compares numbers", "'a'"]),
        (["1", "2"], ">=x", ["compares numbers", "'x'"]),
    ],
)
def test_targets_that_are_no_few_classes_are_refused(cells, positive, parts):
    with pytest.raises(Refusal) as error:
        target(cells, positive)
    assert all(part in error.value.message for part in parts), error.value.message
