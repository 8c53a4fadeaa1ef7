"""The command line: what a user types and sees."""

import io
import json
import runpy
import subprocess
import sys

import pytest
from click.testing import CliRunner
from rich.console import Console

import sugeno
from sugeno.cli import main
from sugeno.cli.app import app
from sugeno.cli.waiting import PlainProgress, show_progress


def _invoke(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def _python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_help_names_all_commands():
    result = _invoke("--help")
    assert result.exit_code == 0
    assert "datasets" in result.output
    assert "reproduce" in result.output


def test_version_is_that_of_the_package():
    assert sugeno.__version__ in _invoke("--version").output


def test_the_entry_point_runs_the_command(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sugeno", "--version"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert sugeno.__version__ in capsys.readouterr().out


@pytest.mark.parametrize("module", ["sugeno", "sugeno.cli"])
def test_python_m_runs_the_command(module, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sugeno", "--version"])
    with pytest.raises(SystemExit) as end:
        runpy.run_module(module, run_name="__main__")
    assert end.value.code == 0
    assert sugeno.__version__ in capsys.readouterr().out


def test_datasets_lists_the_twelve_tasks():
    lines = _invoke("datasets").output.splitlines()
    assert len(lines) == 13
    assert lines[6].split()[:4] == ["ESL", "488", "220", "4"]


def test_reproduce_writes_the_table_and_says_where(tmp_path):
    result = _invoke(
        *("reproduce", "table2", "--splits", 1, "--jobs", 1, "--out", tmp_path),
        *("--datasets", "HAB,ESL", "--columns", "LR", "--columns", "DT"),
    )
    assert result.exit_code == 0, result.output
    assert "6 splits measured" in result.output
    assert "Core seconds: " in result.output
    assert str(tmp_path / "table2.md") in result.output
    content = json.loads((tmp_path / "table2.json").read_text("utf-8"))
    assert list(content["columns"]) == ["DT", "LR"]
    assert content["datasets"] == ["ESL", "HAB"]


def test_reproduce_names_a_missing_data_set_and_succeeds(tmp_path, monkeypatch):
    monkeypatch.delenv("SUGENO_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "nothing"))
    result = _invoke(
        *("reproduce", "table2", "--splits", 1, "--jobs", 1, "--out", tmp_path),
        *("--datasets", "HAB,DBS", "--columns", "LR"),
    )
    assert result.exit_code == 0, result.output
    assert "Missing data set DBS: " in result.output
    assert (tmp_path / "table2.md").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table9"], "'table9' is not one of"),
        (["table2", "--columns", "SVM"], "Got SVM instead"),
        (["table2", "--datasets", "IRIS"], "Got IRIS instead"),
        (["table2", "--splits", "0"], "0 is not in the range"),
        ([], "Missing argument"),
    ],
)
def test_wrong_arguments_are_explained_without_a_traceback(arguments, message, tmp_path):
    result = _invoke("reproduce", *arguments, "--out", tmp_path)
    assert result.exit_code != 0
    assert message in result.output
    assert "Traceback" not in result.output


def test_all_stands_for_every_target(tmp_path, monkeypatch):
    asked = {}

    def pretend(targets, **options):
        from sugeno.paper.experiments import Reproduction

        asked["targets"] = targets
        return Reproduction([], {}, 0, {})

    monkeypatch.setattr("sugeno.paper.experiments.reproduce", pretend)
    assert _invoke("reproduce", "all", "--out", tmp_path).exit_code == 0
    assert asked["targets"] == sugeno.paper.experiments.TARGETS


def test_an_interrupted_run_says_how_to_go_on(tmp_path, monkeypatch):
    def interrupted(targets, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("sugeno.paper.experiments.reproduce", interrupted)
    result = _invoke("reproduce", "table2", "--out", tmp_path)
    assert result.exit_code == 1
    assert "the same command goes on from there" in result.output


# ----------------------------------------------------------------------------------- progress


def test_plain_progress_prints_tenths_and_the_time_left():
    lines = []
    now = [0.0]
    report = PlainProgress(lines.append, clock=lambda: now[0])
    for done in range(1, 101):
        now[0] += 0.5
        report(done, 100)
    assert len(lines) == 10
    assert lines[0] == "10 of 100 splits, 0:00:45 left"
    assert lines[-1] == "100 of 100 splits, 0:00:00 left"


def test_plain_progress_prints_at_least_every_half_minute():
    lines = []
    now = [0.0]
    report = PlainProgress(lines.append, clock=lambda: now[0])
    for done in (1, 2):
        now[0] += 31
        report(done, 1000)
    assert lines == ["1 of 1000 splits, 8:36:09 left", "2 of 1000 splits, 8:35:38 left"]


def test_on_a_terminal_a_bar_shows_the_count_and_the_time_left():
    text = io.StringIO()
    with show_progress(Console(file=text, force_terminal=True, width=100)) as report:
        report(1, 3)
        report(3, 3)
    assert "3/3" in text.getvalue()
    assert "left" in text.getvalue()


# ------------------------------------------------------------------------------------- extras


def test_experiments_need_no_package_of_the_command_line():
    blocked = "import sys; sys.modules.update(dict.fromkeys(['click', 'rich', 'matplotlib']))"
    assert _python(f"{blocked}; import sugeno.paper.experiments").returncode == 0


@pytest.mark.parametrize(
    ("package", "start"),
    [
        ("click", "from sugeno.cli import main; main()"),
        ("rich", "import runpy; runpy.run_module('sugeno', run_name='__main__')"),
    ],
)
def test_without_its_packages_the_command_line_names_the_extra(start, package):
    result = _python(f"import sys; sys.modules[{package!r}] = None; {start}")
    assert result.returncode == 1
    assert f"The command line needs {package}" in result.stderr
    assert "pip install 'sugeno[cli]'" in result.stderr
    assert "Traceback" not in result.stderr


def test_without_matplotlib_a_figure_names_the_extra_before_anything_is_run(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = _invoke("reproduce", "figure-threshold", "--out", tmp_path)
    assert result.exit_code == 2
    assert "pip install 'sugeno[plot]'" in result.output
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_tables_are_still_written(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = _invoke(
        *("reproduce", "table2", "--splits", 1, "--jobs", 1, "--out", tmp_path),
        *("--datasets", "HAB", "--columns", "LR"),
    )
    assert result.exit_code == 0, result.output
