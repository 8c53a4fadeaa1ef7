"""The source runs in a bare interpreter, and answers as the model does."""

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from export.export_frames import SEEDS, arrow_table, classifier, expected, rows_with_gaps
from sugeno.export import to_python

#: Imports the module by itself: no site packages, no environment.
RUN = """
import json, sys
sys.path.insert(0, sys.argv[1])
import exported
rows = json.load(open(sys.argv[2], encoding="utf-8"))
answers = [[exported.accepted(r), exported.label(r), exported.probability(r)] for r in rows]
foreign = [name for name in ("numpy", "sugeno") if name in sys.modules]
print(json.dumps([answers, foreign]))
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_bare_interpreter_answers_alike(seed, tmp_path):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_.boundaries[0], seed, 2000)
    rows = arrow_table(clf.model_.boundaries[0], X, missing).to_pylist()
    (tmp_path / "exported.py").write_text(to_python(clf), encoding="utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    command = [sys.executable, "-I", "-S", "-c", RUN, tmp_path, tmp_path / "rows.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answers, foreign = json.loads(done.stdout)
    assert not foreign
    columns = [list(column) for column in zip(*answers)]
    assert columns == [
        expected(clf.model_.boundaries[0], X, o) for o in ("accepted", "label", "probability")
    ]


@given(seed=st.integers(0, 2**32))
def test_any_model_is_answered_alike(seed):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_.boundaries[0], seed, 40)
    rows = arrow_table(clf.model_.boundaries[0], X, missing).to_pylist()
    module = {}
    exec(to_python(clf), module)
    for output in ("accepted", "label", "probability"):
        assert [module[output](row) for row in rows] == expected(
            clf.model_.boundaries[0], X, output
        )


def test_a_name_cannot_become_code():
    clf = classifier(2, classes=np.array(["'; 1/0 #", '"""\n1/0\n"""']))
    object.__setattr__(clf.model_.boundaries[0].literals.criteria[0], "name", '"""\n1/0\n"""')
    module = {}
    exec(to_python(clf), module)
    assert module["label"]({}) in clf.model_.boundaries[0].labels.tolist()


def test_a_missing_key_reaches_no_level():
    clf = classifier(1)
    module = {}
    exec(to_python(clf), module)
    nothing = np.full((1, len(clf.rules_.criteria)), np.nan)
    assert [module["accepted"]({})] == expected(clf.model_.boundaries[0], nothing, "accepted")
