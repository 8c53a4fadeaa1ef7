"""Rooms with walls: imports point one way, and `import sugeno` loads no optional package."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import sugeno

SOURCE = Path(sugeno.__file__).parent

#: A module may import from its own layer and from layers before it.
LAYERS = [
    {"_exceptions", "_sklearn", "_threads"},
    {"_sets"},
    {"capacity"},
    {"_scales"},
    {"_counts"},
    {"solvers"},
    {"model"},
    {"explain", "edit", "plot", "report", "export", "_format"},  # readers: the model, no solver
    {"_ensemble", "_distil"},
    {"_learning"},
    {"estimators"},
    {"sugeno"},  # the package itself, which shows everything above
    {"datasets"},
    {"paper"},
    {"cli", "__main__"},
]
READERS = {"explain", "edit", "plot", "report", "export", "_format"}
#: Walls between rooms that the order of the layers alone would not build.
WALLS = {
    "_scales": {"capacity", "_sklearn"},
    "_counts": {"capacity", "_sklearn"},
    "solvers": {"capacity", "_scales", "_sklearn", "_exceptions"},
    "model": {"solvers", "_sklearn"},
    **{reader: READERS - {reader} | {"solvers", "_sklearn"} for reader in sorted(READERS)},
    "_ensemble": {*READERS, "_distil", "model", "solvers", "capacity"},
    "_distil": {*READERS, "_ensemble", "model", "capacity"},
    "_learning": READERS,
    "capacity": {"_sklearn", "_exceptions"},
    "datasets": {name for layer in LAYERS[:-3] for name in layer},
}
OPTIONAL = (
    "pandas",
    "polars",
    "pyarrow",
    "matplotlib",
    "click",
    "rich",
    "dask",
    "distributed",
    "duckdb",
    "sqlglot",
    "onnx",
    "skl2onnx",
    "pyspark",
    "ibis",
)


def name_of(path):
    """Dotted name of the module in a file."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


def room_of(module):
    """First part of the name after the package's own."""
    return module.split(".")[1] if "." in module else "sugeno"


def layer_of(module):
    found = [i for i, layer in enumerate(LAYERS) if room_of(module) in layer]
    assert found, f"{module} belongs to no layer; give it one in LAYERS"
    return found[0]


@cache
def tree_of(module):
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def shown_by_the_package():
    """Where the names come from that ``from sugeno import ...`` can give."""
    return {
        alias.asname or alias.name: node.module
        for node in ast.walk(tree_of("sugeno"))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def base_of(module, node):
    """Module after ``from``, with leading dots resolved."""
    if node.level == 0:
        return node.module
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    for _ in range(node.level - 1):
        package = package.rpartition(".")[0]
    return f"{package}.{node.module}" if node.module else package


def targets(module, node):
    """Modules of ours that one import statement asks for."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
        return [name for name in names if name.split(".")[0] == "sugeno"]
    base = base_of(module, node)
    if base.split(".")[0] != "sugeno":
        return []
    found = []
    for alias in node.names:
        inside = f"{base}.{alias.name}"
        if inside in MODULES:
            found.append(inside)
        elif base == "sugeno":
            found.append(shown_by_the_package().get(alias.name, "sugeno"))
        else:
            found.append(base)
    return found


def imports(nodes, module):
    statements = (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    return {target for node in statements for target in targets(module, node)} - {module}


def anywhere(module):
    """What a module imports, inside functions and for type checking as well."""
    return imports(ast.walk(tree_of(module)), module)


def test_every_kind_of_import_is_seen(tmp_path, monkeypatch):
    here = tmp_path / "sugeno" / "paper" / "somewhere.py"
    here.parent.mkdir(parents=True)
    here.write_text(
        "from __future__ import annotations\n"
        "import numpy, sugeno.datasets\n"
        "from sugeno import __version__, MarginError, plot\n"
        "from sugeno.solvers import closure\n"
        "from .experiments.paper import Cell\n"
        "if TYPE_CHECKING:\n"
        "    import sugeno.capacity\n"
        "def later():\n"
        "    import sugeno.cli.app\n"
    )
    monkeypatch.setitem(MODULES, "sugeno.paper.somewhere", here)
    assert anywhere("sugeno.paper.somewhere") == {
        "sugeno",
        "sugeno.datasets",
        "sugeno._exceptions",
        "sugeno.plot",
        "sugeno.solvers.closure",
        "sugeno.paper.experiments.paper",
        "sugeno.capacity",
        "sugeno.cli.app",
    }


def test_every_imported_module_of_ours_exists():
    for module in MODULES:
        assert anywhere(module) <= set(MODULES), module


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_its_own_layer_or_earlier_ones(module):
    for other in anywhere(module):
        assert layer_of(other) <= layer_of(module), f"{module} imports {other}"


@pytest.mark.parametrize("room", WALLS)
def test_walls_have_no_holes(room):
    for module in MODULES:
        if room_of(module) == room:
            beyond = [other for other in anywhere(module) if room_of(other) in WALLS[room]]
            assert not beyond, f"{module} imports {beyond}"


def test_modules_do_not_import_each_other_in_a_circle_not_even_later_or_for_type_checking():
    order = TopologicalSorter({module: anywhere(module) for module in MODULES})
    try:
        order.prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_the_room_of_the_estimators_shows_nothing_itself():
    # Whoever loads a module loads its room first, and no import statement says so.
    assert not anywhere("sugeno.estimators")


def private_names_of_scikit_learn(module):
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "sklearn" and any(part.startswith("_") for part in parts):
                yield name


def test_one_module_imports_the_private_names_of_scikit_learn():
    users = {module for module in MODULES if [*private_names_of_scikit_learn(module)]}
    assert users == {"sugeno._sklearn"}


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_importing_the_package_loads_no_neural_network_and_asks_for_no_optional_package():
    # scikit-learn loads some of these itself where they are installed; who asks is what counts.
    run(
        "import builtins, sys\n"
        "asked, real = [], builtins.__import__\n"
        "def notice(name, globals=None, *args):\n"
        "    ours = (globals or {}).get('__name__', '').split('.')[0] == 'sugeno'\n"
        f"    if ours and name.split('.')[0] in {OPTIONAL}:\n"
        "        asked.append((globals['__name__'], name))\n"
        "    return real(name, globals, *args)\n"
        "builtins.__import__ = notice\n"
        "import sugeno\n"
        "assert 'sklearn.neural_network' not in sys.modules\n"
        "import sugeno.datasets, sugeno.paper.baselines\n"
        "assert not asked, asked\n"
    )


def test_the_package_loads_no_optional_package_beyond_those_of_scikit_learn():
    beside = "[m for m in sys.modules if m.split('.')[0] in optional]"
    run(
        "import importlib, subprocess, sys\n"
        f"optional = {OPTIONAL}\n"
        "code = 'import sys, sugeno; print(*(m for m in sys.modules if m[:8] == \"sklearn.\"))'\n"
        "done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)\n"
        "for name in done.stdout.split():\n"
        "    importlib.import_module(name)\n"
        f"before = set({beside})\n"
        "import sugeno, sugeno.datasets, sugeno.paper.baselines, sugeno.paper.experiments\n"
        f"more = set({beside}) - before\n"
        "assert not more, more\n"
    )


def test_what_reads_models_is_loaded_when_it_is_asked_for():
    run(
        "import sys, sugeno\n"
        "early = [m for m in sys.modules if m.startswith(('sugeno.export', 'sugeno.plot', "
        "'sugeno.report', 'sugeno.edit'))]\n"
        "assert not early, early\n"
        "assert sugeno.export.to_sql.__module__ == 'sugeno.export.sql'\n"
        "assert not hasattr(sugeno, 'exports')\n"
    )
