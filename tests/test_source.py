"""What holds for every file of the package."""

import ast
from pathlib import Path

import pytest

import sugeno

PACKAGE = Path(sugeno.__file__).parent


def test_correctness_never_hangs_on_assert_which_python_can_leave_out():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.Assert), f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("kind", ["py", "js", "css", "html"])
def test_no_file_is_too_long_to_be_one_idea(kind):
    lengths = {
        path.name: len(path.read_text(encoding="utf-8").splitlines())
        for path in PACKAGE.rglob(f"*.{kind}")
    }
    assert lengths
    assert max(lengths.values()) <= 1500, max(lengths, key=lengths.__getitem__)
