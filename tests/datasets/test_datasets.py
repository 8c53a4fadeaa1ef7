"""The data sets: the right rows from every source, and clear words when there are none."""

import csv
import gzip
import hashlib
import http.server
import io
import json
import os
import subprocess
import sys
import threading
import urllib.request
import zipfile
from collections import Counter
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlparse

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


@pytest.fixture(autouse=True)
def empty_home(tmp_path, monkeypatch):
    """No test may read or write the data folder of the person who runs it."""
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "scikit_learn_data"))
    return tmp_path / "scikit_learn_data" / "sugeno"


@pytest.fixture
def shipped_only(monkeypatch):
    monkeypatch.delenv("SUGENO_DATA", raising=False)


@pytest.fixture
def own_copies():
    if not OWN_COPIES:
        pytest.skip("needs the data sets that cannot be shipped: set SUGENO_DATA to their folder")
    return Path(OWN_COPIES)


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


# Downloads


@pytest.fixture
def mirror(monkeypatch):
    """A local web server that answers in place of OpenML and Zenodo; ``mirror[path] = bytes``."""
    pages = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            content = pages.get(self.path)
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *args):
            """Keep the output of the tests clean."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    real = urllib.request.urlopen

    def from_mirror(request, **kwargs):
        path = urlparse(request.full_url).path
        return real(f"http://127.0.0.1:{server.server_port}{path}", **kwargs)

    monkeypatch.setattr("urllib.request.urlopen", from_mirror)
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", from_mirror)
    monkeypatch.delenv("SUGENO_DATA", raising=False)
    yield pages
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def no_network(monkeypatch):
    def unreachable(*args, **kwargs):
        raise URLError("no route")

    monkeypatch.setattr("urllib.request.urlopen", unreachable)
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", unreachable)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    monkeypatch.delenv("SUGENO_DATA", raising=False)


def _serve_openml(pages, number, attributes, rows):
    """Serve an ARFF file with the answers of the OpenML interface that describe it."""
    arff = "@relation test\n"
    arff += "".join(f"@attribute '{name}' {kind}\n" for name, kind in attributes.items())
    arff += "@data\n" + "\n".join(",".join(row) for row in rows) + "\n"
    target = list(attributes)[-1]
    description = {
        "id": str(number),
        "name": "test",
        "version": "1",
        "description": "test",
        "format": "ARFF",
        "status": "active",
        "file_id": "7",
        "url": "https://api.openml.org/data/v1/download/7/test.arff",
        "default_target_attribute": target,
        "md5_checksum": hashlib.md5(arff.encode()).hexdigest(),
    }
    features = [
        {
            "index": str(index),
            "name": name,
            "data_type": "numeric" if kind == "numeric" else "nominal",
            "is_target": str(name == target).lower(),
            "number_of_missing_values": "0",
            **dict.fromkeys(("is_ignore", "is_row_identifier"), "false"),
        }
        for index, (name, kind) in enumerate(attributes.items())
    ]
    qualities = [{"name": "NumberOfInstances", "value": str(len(rows))}]
    api = "/api/v1/json/data"
    answers = {
        f"{api}/{number}": {"data_set_description": description},
        f"{api}/features/{number}": {"data_features": {"feature": features}},
        f"{api}/qualities/{number}": {"data_qualities": {"quality": qualities}},
    }
    pages.update({path: json.dumps(answer).encode() for path, answer in answers.items()})
    for path in ("/data/v1/download/7/test.arff", "/data/v1/download/7"):
        pages[path] = arff.encode()


def _nominal(values):
    return "{" + ",".join(f"'{value}'" for value in sorted(set(values) - {""})) + "}"


def _rows_of(file):
    with file.open() as opened:
        header, *rows = csv.reader(opened)
    return header, rows


def _serve_bcc(pages, rows):
    names = "age menopause tumor-size inv-nodes node-caps deg-malig breast breast-quad irradiat"
    attributes = {
        name: _nominal(column) for name, column in zip([*names.split(), "Class"], zip(*rows))
    }
    quoted = [["?" if value == "" else f"'{value}'" for value in row] for row in rows]
    _serve_openml(pages, 13, attributes, quoted)


def _serve_ilp(pages, rows):
    attributes = {f"V{j}": "numeric" for j in range(1, 11)}
    attributes |= {"V2": "{Female,Male}", "Class": "{1,2}"}
    _serve_openml(pages, 1480, attributes, [[value or "?" for value in row] for row in rows])


def _serve_dgs(pages, header, rows, member):
    """Serve the corpus: tab-separated, labelled scores, texts with tabs, quotes and accents."""
    labels = {"": "", "1": "1 (Low)", "2": "2 (Average)", "3": "3 (High)"}
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t")
    writer.writerow([*(name.replace("_", " ") for name in header[1:]), "argument", "#id"])
    for name, annotator, *scores in rows:
        text = 'a "caf\xe9",\tof\nsorts'
        writer.writerow([annotator, *(labels[score] for score in scores), text, name])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("corpus-v2/README.txt", "about")
        archive.writestr(f"corpus-v2/{member}", out.getvalue().encode("latin-1"))
    pages[urlparse(SOURCES["dgs"].archive.url).path] = packed.getvalue()


def _assert_downloaded_once(name, expected, mirror, home):
    first = load_raw(name, data_home=home)
    mirror.clear()  # a second download would fail
    second = load_raw(name, data_home=home)
    assert (first.source, second.source) == ("download", "data_home")
    for bunch in (first, second):
        assert_array_equal(bunch.data, expected.data)
        assert_array_equal(bunch.target, expected.target)
    assert [file.name for file in home.iterdir()] == [f"{TASKS[name].key}.csv"]


def test_bcc_is_downloaded_from_openml_checked_and_kept(own_copies, mirror, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)  # downloads do without it too
    expected = load_raw("BCC", data_home=own_copies)
    _serve_bcc(mirror, _rows_of(own_copies / "bcc.csv")[1])
    _assert_downloaded_once("BCC", expected, mirror, tmp_path / "home")


def test_ilp_is_downloaded_from_openml_checked_and_kept(own_copies, mirror, tmp_path):
    expected = load_raw("ILP", data_home=own_copies)
    _serve_ilp(mirror, _rows_of(own_copies / "ilp.csv")[1])
    _assert_downloaded_once("ILP", expected, mirror, tmp_path / "home")


def test_dgs_is_downloaded_from_zenodo_once_for_both_tasks(own_copies, mirror, tmp_path):
    expected, other = (load_raw(name, data_home=own_copies) for name in ("DGS1", "DGS2"))
    header, rows = _rows_of(own_copies / "dgs.csv")
    _serve_dgs(mirror, header, rows, SOURCES["dgs"].archive.member)
    _assert_downloaded_once("DGS1", expected, mirror, tmp_path / "home")
    assert_array_equal(load_raw("DGS2", data_home=tmp_path / "home").data, other.data)
    # The texts of the arguments are not kept.
    assert "sorts" not in (tmp_path / "home" / "dgs.csv").read_text()


def test_downloads_go_to_the_data_folder_of_scikit_learn_by_default(own_copies, mirror, empty_home):
    _serve_bcc(mirror, _rows_of(own_copies / "bcc.csv")[1])
    assert load("BCC").source == "download"
    assert [file.name for file in empty_home.iterdir()] == ["bcc.csv"]
    assert {task.name: task.source for task in available()}["BCC"] == "data_home"


ILP_ROWS = [
    ["65", "Female", "0.7", "0.1", "187", "16", "18", "6.8", "3.3", "0.9", "1"],
    ["17", "Male", "0.9", "0.3", "202", "22", "19", "7.4", "4.1", "1.2", "2"],
]
BCC_ROWS = [
    row.split(",")
    for row in (
        "30-39,premeno,30-34,0-2,no,3,left,left_low,no,no-recurrence-events",
        "40-49,ge40,20-24,0-2,,2,right,right_up,no,recurrence-events",
    )
]


@pytest.mark.parametrize(
    ("name", "serve", "rows", "complete"),
    [("ILP", _serve_ilp, ILP_ROWS, 2), ("BCC", _serve_bcc, BCC_ROWS, 1)],
    ids=["ILP", "BCC"],
)
def test_download_with_a_wrong_checksum_is_refused_and_not_kept(
    name, serve, rows, complete, mirror, tmp_path
):
    serve(mirror, rows)
    home = tmp_path / "home"
    with pytest.raises(ValueError, match=rf"Got {complete} complete rows .*openml\.org") as info:
        load(name, data_home=home)
    assert str(home / f"{name.lower()}.csv") in str(info.value)
    assert not home.exists()


def test_download_with_other_columns_is_refused(mirror, tmp_path):
    _serve_openml(mirror, 1480, {"V1": "numeric", "Class": "{1,2}"}, [["65", "1"]])
    with pytest.raises(ValueError, match=r"must have the column\(s\) gender, .* Got V1, Class"):
        load("ILP", data_home=tmp_path)


def test_archive_without_the_table_is_refused(mirror, tmp_path):
    _serve_dgs(mirror, ["argument_id", "annotator"], [], "other.csv")
    with pytest.raises(ValueError, match=r"must hold a file dagstuhl-15512.* Got 2 other files"):
        load("DGS1", data_home=tmp_path)


@pytest.mark.parametrize("name", ["DGS1", "ILP"])
def test_page_that_is_not_the_file_counts_as_a_failed_download(name, mirror, tmp_path):
    login = b"<html>Please log in</html>"
    mirror["/api/v1/json/data/1480"] = mirror[urlparse(SOURCES["dgs"].archive.url).path] = login
    with pytest.raises(FileNotFoundError, match="The download failed"):
        load(name, data_home=tmp_path)


@pytest.mark.parametrize("name", ["DGS1", "DGS2", "BCC", "ILP"])
def test_without_network_the_error_says_what_to_get_and_where_to_put_it(name, no_network, tmp_path):
    source = SOURCES[TASKS[name].key]
    with pytest.raises(FileNotFoundError) as info:
        load(name, data_home=tmp_path)
    for fact in (
        source.title,
        source.page,
        "no route",
        str(tmp_path / f"{source.key}.csv"),
        "SUGENO_DATA",
        TASKS[name].rule.column,
    ):
        assert fact in str(info.value)


def test_without_network_shipped_tasks_still_load(no_network):
    assert [load(name).source for name in SHIPPED] == ["shipped"] * len(SHIPPED)


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
