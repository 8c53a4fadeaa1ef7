"""Correctness never hangs on `assert`, which ``python -O`` leaves out."""

import ast
from pathlib import Path

import sugeno


def test_the_package_has_no_assert_statement():
    for path in Path(sugeno.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.Assert), f"{path.name}:{node.lineno}"
