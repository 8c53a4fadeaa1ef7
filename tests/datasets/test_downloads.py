"""Downloads: checked, kept once, and clear words when there is no network."""

import csv
import hashlib
import http.server
import io
import json
import sys
import threading
import urllib.request
import zipfile
from urllib.error import URLError
from urllib.parse import urlparse

import pytest
from numpy.testing import assert_array_equal

from sugeno.datasets import available, load, load_raw
from sugeno.datasets._sources import SOURCES
from sugeno.datasets._tasks import TASKS

SHIPPED = ["ESL", "ERA", "LEV", "MPG", "MMG", "BCW", "HAB"]


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
