"""The data sets: the right rows from every source, and clear words when there are none."""

import csv
import gzip
import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from sugeno.datasets import available, load, load_raw
from sugeno.datasets._sources import SOURCES
from sugeno.datasets._tasks import TASKS

OWN_COPIES = os.environ.get("SUGENO_DATA")
SHIPPED = ["ESL", "ERA", "LEV", "MPG", "MMG", "BCW", "HAB"]
NOT_SHIPPED = ["DGS1", "DGS2", "DBS", "BCC", "ILP"]
#: Tasks to read from the folder of one's own copies; without one, those that will be skipped.
OWN = [*SHIPPED, *NOT_SHIPPED] if OWN_COPIES else NOT_SHIPPED

#: Rows and share of the positive class.
PUBLISHED = {
    "DGS1": (934, 0.486),
    "DGS2": (935, 0.486),
    "DBS": (119, 0.496),
    "MMG": (830, 0.486),
    "MPG": (392, 0.500),
    "ESL": (488, 0.451),
    "ERA": (1000, 0.585),
    "BCC": (278, 0.295),
    "BCW": (683, 0.350),
    "LEV": (1000, 0.224),
    "HAB": (306, 0.265),
    "ILP": (583, 0.714),
}
#: Criteria, with a minus where lower is better.
CRITERIA = {
    "DGS1": "local_acceptability cogency effectiveness global_relevance emotional_appeal",
    "DGS2": "arrangement cogency global_sufficiency reasonableness credibility sufficiency",
    "DBS": "district surface bedrooms house_type volume storeys garden garage",
    "MMG": "bi_rads age shape margin -density",
    "MPG": "-cylinders -displacement -horsepower -weight acceleration model_year origin",
    "BCC": "menopause tumor_size_folded inv_nodes node_caps deg_malig -breast_right irradiat",
    "BCW": "clump_thickness cell_size_uniformity cell_shape_uniformity marginal_adhesion "
    "single_epithelial_cell_size bare_nuclei bland_chromatin normal_nucleoli mitoses",
    **dict.fromkeys(["ESL", "ERA", "LEV"], "in1 in2 in3 in4"),
    "HAB": "age -operation_year positive_axillary_nodes",
    "ILP": "age gender total_bilirubin direct_bilirubin alkaline_phosphatase sgpt_alamine "
    "sgot_aspartate -total_proteins -albumin",
}
#: The raw target and which of its values are positive.
POSITIVE = {
    **dict.fromkeys(["DGS1", "DGS2"], ("overall_quality", lambda t: t >= 2)),
    "DBS": ("price_class", lambda t: t == 1),
    "MMG": ("severity", lambda t: t == 1),
    "MPG": ("mpg", lambda t: t > 22.75),
    "ESL": ("out", lambda t: t >= 6),
    "ERA": ("out", lambda t: t >= 4),
    "BCC": ("recurrence", lambda t: t == 1),
    "BCW": ("class", lambda t: t == 4),
    "LEV": ("out", lambda t: t >= 3),
    "HAB": ("survival_status", lambda t: t == 2),
    "ILP": ("selector", lambda t: t == 1),
}


@pytest.fixture(
    params=[(name, "shipped") for name in SHIPPED] + [(name, "SUGENO_DATA") for name in OWN],
    ids=lambda param: f"{param[0]}-{param[1]}",
)
def task_and_source(request, monkeypatch):
    """Every task from every source that it can have without a network."""
    name, source = request.param
    if source == "shipped":
        monkeypatch.delenv("SUGENO_DATA", raising=False)
    else:
        request.getfixturevalue("own_copies")
    return name, source


# What is loaded


def test_rows_classes_criteria_and_directions_are_those_of_the_paper(task_and_source):
    name, source = task_and_source
    (rows, share), signed = PUBLISHED[name], CRITERIA[name].split()
    bunch = load(name)
    assert bunch.source == source
    assert bunch.data.shape == (rows, len(signed))
    assert set(bunch.target.tolist()) == {0, 1}
    assert bunch.target.dtype.kind == "i"
    assert round(float(bunch.target.mean()), 3) == pytest.approx(share, abs=5e-4)
    assert bunch.feature_names == [column.lstrip("-") for column in signed]
    assert bunch.directions.tolist() == [-1 if c.startswith("-") else 1 for c in signed]
    assert np.isfinite(bunch.data).all()


def test_checksum_is_that_of_the_loaded_rows(task_and_source):
    name, _ = task_and_source
    X, raw = load_raw(name, return_X_y=True)
    table = np.column_stack([X, raw]).astype("<f8")
    assert (
        hashlib.sha256(table[np.lexsort(table.T[::-1])].tobytes()).hexdigest()
        == TASKS[name].checksum
    )
    assert TASKS[name].checksum in load(name).DESCR


def test_rows_are_the_sorted_ones_in_a_fixed_random_order(task_and_source):
    name, _ = task_and_source
    X, raw = load_raw(name, return_X_y=True)
    rows = [(*x, t) for x, t in zip(X.tolist(), raw.tolist())]
    order = np.random.default_rng(0).permutation(len(rows))
    assert rows == [sorted(rows)[i] for i in order]


def test_two_classes_follow_from_the_raw_target_row_by_row(task_and_source):
    name, _ = task_and_source
    column, positive = POSITIVE[name]
    X, y = load(name, return_X_y=True)
    raw = load_raw(name)
    assert raw.target_names == [column]
    assert_array_equal(raw.data, X)
    assert_array_equal(positive(raw.target).astype(int), y)


@pytest.mark.parametrize("name", OWN)
def test_task_holds_exactly_the_complete_rows_of_the_file(name, own_copies):
    file = "bcc7" if name == "BCC" else TASKS[name].key
    columns = [*load(name).feature_names, POSITIVE[name][0]]
    frame = pd.read_csv(own_copies / f"{file}.csv")[columns]
    if name == "ILP":
        frame["gender"] = (frame["gender"] == "Male").astype(float)
    X, raw = load_raw(name, return_X_y=True)
    expected = Counter(map(tuple, frame.dropna().to_numpy(dtype=float).tolist()))
    assert Counter(map(tuple, np.column_stack([X, raw]).tolist())) == expected


def test_raw_targets_keep_their_published_coding(shipped_only):
    levels = {name: sorted(set(load_raw(name).target.tolist())) for name in SHIPPED}
    assert levels["ESL"] == levels["ERA"] == list(range(1, 10))
    assert levels["LEV"] == list(range(5))
    assert (levels["BCW"], levels["HAB"], levels["MMG"]) == ([2, 4], [1, 2], [0, 1])
    assert (levels["MPG"][0], levels["MPG"][-1]) == (9.0, 46.6)


def test_names_are_found_in_any_case():
    assert_array_equal(load("hab").data, load("HAB").data)


@pytest.mark.parametrize("function", [load, load_raw])
@pytest.mark.parametrize("name", ["iris", "", None])
def test_unknown_name_is_answered_with_the_known_ones(function, name):
    with pytest.raises(
        ValueError, match=f"'name' parameter of {function.__name__} .*HAB, ILP. Got"
    ):
        function(name)


def test_description_names_source_licence_rule_and_doubts(task_and_source):
    task = TASKS[task_and_source[0]]
    text, source = load(task.name).DESCR, SOURCES[task.key]
    for fact in (source.origin, source.page, source.licence, str(task.rule), task.note):
        assert fact in text
    assert ("Shipped file: none" in text) == (task.name in NOT_SHIPPED)


# Frames


def test_frame_has_real_column_names_and_equals_the_arrays():
    plain, framed = load("HAB"), load("HAB", as_frame=True)
    assert plain.frame is None
    assert framed.data.columns.tolist() == plain.feature_names
    assert framed.frame.columns.tolist() == [*plain.feature_names, "target"]
    assert_array_equal(framed.data.to_numpy(), plain.data)
    assert_array_equal(framed.target.to_numpy(), plain.target)
    raw = load_raw("HAB", as_frame=True)
    assert raw.target.name == "survival_status"
    X, y = load("HAB", as_frame=True, return_X_y=True)
    pd.testing.assert_frame_equal(X, framed.data)
    pd.testing.assert_series_equal(y, framed.target)


def test_frames_without_pandas_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"needs pandas.*pip install pandas"):
        load("ESL", as_frame=True)


def test_arrays_load_where_pandas_is_not_installed(shipped_only):
    program = "import sys; sys.modules['pandas'] = None; import sugeno.datasets as d; d.load('ESL')"
    subprocess.run([sys.executable, "-c", program], check=True)


# Where it comes from


def test_available_lists_all_tasks_without_a_network(shipped_only):
    tasks = available()
    assert [task.name for task in tasks] == list(PUBLISHED)
    sources = {task.name: task.source for task in tasks}
    assert {name for name, source in sources.items() if source == "shipped"} == set(SHIPPED)
    assert sources["DBS"] == "missing"
    assert {sources[name] for name in ("DGS1", "DGS2", "BCC", "ILP")} == {"download"}
    for task in tasks:
        assert task.rows == PUBLISHED[task.name][0]
        assert task.criteria == len(CRITERIA[task.name].split())


def test_available_prints_one_line_for_each_task(shipped_only):
    lines = repr(available()).splitlines()
    assert len(lines) == 13
    assert lines[6].split() == ["ESL", "488", "220", "4", "shipped"]


def test_available_says_what_load_does(task_and_source):
    name, source = task_and_source
    assert {task.name: task.source for task in available()}[name] == source


def _plain_copy(name, folder):
    """Write the shipped file of a task into a folder, uncompressed."""
    key = TASKS[name].key
    shipped = Path(sys.modules["sugeno.datasets"].__file__).parent / "data" / f"{key}.csv.gz"
    folder.mkdir(exist_ok=True)
    (folder / f"{key}.csv").write_bytes(gzip.decompress(shipped.read_bytes()))
    return folder / f"{key}.csv"


def test_data_home_comes_before_the_environment_variable_and_both_before_shipped_files(
    tmp_path, monkeypatch
):
    home, variable = tmp_path / "home", tmp_path / "variable"
    own_file, other_file = _plain_copy("HAB", home), _plain_copy("HAB", variable)
    monkeypatch.setenv("SUGENO_DATA", str(variable))
    assert load("HAB", data_home=home).source == "data_home"
    own_file.unlink()
    assert load("HAB", data_home=home).source == "SUGENO_DATA"
    other_file.unlink()
    assert load("HAB", data_home=home).source == "shipped"


def test_compressed_own_copy_is_read(tmp_path, shipped_only):
    plain = _plain_copy("LEV", tmp_path)
    (tmp_path / "lev.csv.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    assert load("LEV", data_home=str(tmp_path)).source == "data_home"


def test_order_of_rows_and_columns_and_delimiter_of_a_copy_do_not_matter(tmp_path, shipped_only):
    expected = load_raw("ERA")
    frame = pd.read_csv(_plain_copy("ERA", tmp_path)).sample(frac=1, random_state=0)
    frame[["out", "in4", "in1", "in3", "in2"]].to_csv(tmp_path / "era.csv", sep=";", index=False)
    found = load_raw("ERA", data_home=tmp_path)
    assert found.source == "data_home"
    assert_array_equal(found.data, expected.data)
    assert_array_equal(found.target, expected.target)


def test_copy_with_one_changed_value_is_refused(tmp_path, shipped_only):
    file = _plain_copy("ESL", tmp_path)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], "9,9,9,9,1", *lines[2:]]) + "\n")
    with pytest.raises(
        ValueError, match=r"data of ESL must be 488 complete rows.*esl\.csv"
    ) as info:
        load("ESL", data_home=tmp_path)
    assert TASKS["ESL"].checksum in str(info.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("in1,in2,in3\n1,2,3\n", "header that names the columns in1, in2, in3, in4, out"),
        ("in1,in2,in3,in4,out\n1,2,3\n", "must have 5 values like its header. Got 3 in row 1"),
        ("in1,in2,in3,in4,out\n1,2,3,4,good\n", "column 'out' .* must be a number. Got 'good'"),
    ],
)
def test_damaged_file_is_refused_with_the_reason(tmp_path, text, complaint):
    (tmp_path / "esl.csv").write_text(text)
    with pytest.raises(ValueError, match=complaint):
        load("ESL", data_home=tmp_path)


def test_den_bosch_is_read_from_the_layout_in_which_it_is_public(own_copies, tmp_path):
    with (own_copies / "dbs.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    lines = ["criterion;direction" + ";" * 8, *(f"c{j};" + ";" * 8 for j in range(1, 9))]
    lines += ["pt;" + ";".join(f"c{j}" for j in range(1, 9)) + ";assignment"]
    lines += [";".join([f"a{i}", *row[:-1], f"cat{row[-1]}"]) for i, row in enumerate(rows)]
    (tmp_path / "dbs.csv").write_text("\n".join(lines) + "\n")
    assert load("DBS", data_home=tmp_path).source == "data_home"


def test_den_bosch_without_a_file_says_what_it_is_where_it_is_public_and_where_to_put_it(
    shipped_only, tmp_path
):
    with pytest.raises(FileNotFoundError) as info:
        load("DBS", data_home=tmp_path)
    message = str(info.value)
    for fact in (
        "Den Bosch house prices",
        "https://github.com/oso/pymcda",
        str(tmp_path / "dbs.csv"),
        "SUGENO_DATA",
        "Licence: not stated",
        "garage, price_class",
    ):
        assert fact in message


# What is shipped


def test_every_shipped_file_is_small_attributed_and_without_a_time_stamp():
    folder = Path(sys.modules["sugeno.datasets"].__file__).parent / "data"
    files = sorted(folder.glob("*.csv.gz"))
    assert [file.name for file in files] == sorted(f"{name.lower()}.csv.gz" for name in SHIPPED)
    notice = (folder / "README.md").read_text(encoding="utf-8")
    for file in files:
        source = SOURCES[file.name.removesuffix(".csv.gz")]
        assert file.stat().st_size < 5000
        assert file.read_bytes()[4:8] == bytes(4)  # where gzip keeps the time
        assert source.package
        row = next(line for line in notice.splitlines() if f"`{file.name}`" in line)
        assert source.licence.split()[0] in row
        assert source.page.rpartition("/")[2] in row or source.origin.rpartition("doi:")[2] in row
