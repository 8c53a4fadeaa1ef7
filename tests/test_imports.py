"""Imports point one way, and `import sugeno` loads no optional package."""

import ast
import subprocess
import sys
from pathlib import Path

import sugeno

SOURCE = Path(sugeno.__file__).parent

#: A module may import from modules of its own layer and of layers before it.
LAYERS = [
    {"measure"},
    {"patterns", "lattice"},
    {"transversals", "ground", "focal", "focal_sets", "entries", "importance", "quantiles"},
    {"literals", "directions", "utility", "threshold"},
    {"capacity", "integral", "rules", "probability", "class_weights", "stages"},
    {"solvers"},
    {"grading", "learning"},
    {"classifier", "classifier_cv"},
    {"datasets", "baselines"},
    {"experiments"},
    {"cli", "__main__"},
]


def layer_of(module):
    name = module.split(".")[1]
    return next(i for i, layer in enumerate(LAYERS) if name in layer)


def imported_by(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("sugeno."):
            yield node.module
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("sugeno."))


def test_every_module_imports_only_from_its_own_layer_or_earlier_ones():
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts == ("__init__",):
            continue
        here = ".".join(["sugeno", *parts])
        for other in imported_by(path):
            assert layer_of(other) <= layer_of(here), f"{here} imports {other}"


def test_solvers_know_nothing_of_tables_and_estimators():
    for path in (SOURCE / "solvers").glob("*.py"):
        for other in imported_by(path):
            assert other.split(".")[1] not in {"rules", "utility", "directions", "literals"}


def test_importing_the_package_loads_no_optional_package():
    code = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in optional:\n"
        "            asked.append(name)\n"
        "asked = []\n"
        "optional = {'pandas', 'polars', 'matplotlib', 'click', 'rich', 'dask'}\n"
        "import sklearn, sklearn.base, sklearn.utils.validation, sklearn.neural_network\n"
        "sys.meta_path.insert(0, Refuse())\n"
        "import sugeno, sugeno.datasets, sugeno.baselines\n"
        "assert not asked, asked\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
