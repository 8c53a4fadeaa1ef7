"""Ten folds, resumable: what is measured stays in a journal, and pages show what it holds."""

from __future__ import annotations

import argparse
import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.model_selection import StratifiedKFold

from benchmarks.harness import markdown_table
from sugeno.paper.experiments.journal import Journal, Key, Record

__all__ = [
    "Measure",
    "complete",
    "folds",
    "folds_measured",
    "main",
    "mean",
    "mean_ranks",
    "means",
    "measure",
    "number",
    "rank_number",
    "ranked_table",
    "rewrite_tables",
]

FOLDS = 10
#: What stands below this line of a page is written by a command.
MARK = "<!-- Below this line everything is written by the command above. -->"

Measure = Callable[[np.ndarray, np.ndarray], dict[str, Any]]


def main(
    page: Path,
    about: str | None,
    load: Callable[[str], tuple[np.ndarray, np.ndarray]],
    names: Sequence[str],
    column: Callable[[np.ndarray, np.ndarray, str], Measure],
    columns: Sequence[str],
    sections: Callable[[dict[str, list[Record]]], list[str]],
) -> None:
    """Measure columns on tables as the command line asks for, and write what the journal holds."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build", page.stem))
    parser.add_argument("--tables", nargs="+", default=names)
    parser.add_argument("--page", action="store_true", help="only write the tables")
    options = parser.parse_args()
    journal = Journal(options.out / "folds.jsonl")
    if not options.page:
        tables = {name: load(name) for name in options.tables}
        measure(
            journal,
            tables,
            lambda name: {each: column(*tables[name], each) for each in columns},
            options.repeats,
        )
    rewrite_tables(page, sections(complete(journal, names, columns)))
    print(page)


def folds(X: np.ndarray, y: np.ndarray, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Split rows into ten stratified folds; a class of fewer rows is in fewer of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from list(StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y))


def measure(
    journal: Journal,
    tables: Mapping[str, tuple[np.ndarray, np.ndarray]],
    columns: Callable[[str], Mapping[str, Measure]],
    repeats: int,
) -> None:
    """Measure each column of each table on each fold, where the journal does not have it yet.

    A column is a function of the training and of the test rows, by their numbers. The same fold of
    all tables comes before the next, so that a run that is stopped has as many of each.
    """
    for seed in range(repeats):
        splits = {name: list(folds(X, y, seed)) for name, (X, y) in tables.items()}
        for fold in range(FOLDS):
            print(f"repeat {seed}, fold {fold}", flush=True)
            for name, (X, y) in tables.items():
                _fold(journal, Key(seed, name, 90, fold), X, y, splits[name][fold], columns(name))


def _fold(
    journal: Journal,
    key: Key,
    X: np.ndarray,
    y: np.ndarray,
    split: tuple[np.ndarray, np.ndarray],
    columns: Mapping[str, Measure],
) -> None:
    data = hashlib.sha256(X.tobytes() + y.tobytes()).hexdigest()[:8]
    known = journal.records.get(key)
    done = known.results if known is not None and known.data == data else {}
    for column in [column for column in columns if column not in done]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the peers', about their own parameters
            result = columns[column](*split)
        journal.add(Record(key, data, (len(split[0]), len(split[1])), {column: result}))


def complete(
    journal: Journal, names: Iterable[str], columns: Iterable[str]
) -> dict[str, list[Record]]:
    """Records of each table that hold all columns; tables without any are left out."""
    wanted = set(columns)
    found: dict[str, list[Record]] = {name: [] for name in names}
    for key, record in sorted(journal.records.items()):
        if key.dataset in found and wanted <= set(record.results):
            found[key.dataset].append(record)
    return {name: records for name, records in found.items() if records}


def folds_measured(known: Mapping[str, list[Record]]) -> str:
    """Say how many folds of each table a page shows."""
    counts = {name: len(found) for name, found in known.items()}
    if len(set(counts.values())) == 1:
        return f"Folds measured: {min(counts.values())} of each table."
    return "Folds measured:\n\n" + markdown_table([*counts], [[*map(str, counts.values())]])


def mean(records: list[Record], column: str, what: str) -> float:
    """Mean over all test rows of something that is summed up by fold."""
    sums = [record.results[column].get(what, np.nan) for record in records]
    return float(np.sum(sums) / sum(record.rows[1] for record in records))


def number(value: float) -> str:
    """Write a number with three digits; a dash for none."""
    return "–" if np.isnan(value) else f"{value:.3f}".removeprefix("0")


def mean_ranks(values: np.ndarray) -> np.ndarray:
    """Mean over the columns of the rank of each row, 1 for the lowest; rows with nan have none."""
    there = ~np.isnan(values).any(axis=1)
    ranks = np.full(len(values), np.nan)
    ranks[there] = rankdata(values[there], axis=0).mean(axis=1)
    return ranks


def means(known: dict[str, list[Record]], columns: Iterable[str], what: str) -> np.ndarray:
    """Mean of each column (first axis) on each table."""
    return np.array([[mean(found, name, what) for found in known.values()] for name in columns])


def rank_number(rank: float) -> str:
    """Write a mean rank with two digits; a dash for none."""
    return f"{rank:.2f}".replace("nan", "–")


def ranked_table(known: dict[str, list[Record]], columns: Iterable[str], what: str) -> str:
    """A row per column, a column per table, with means and mean ranks."""
    names = list(columns)
    values = means(known, names, what)
    rows = [
        [name, *map(number, row), number(float(row.mean())), rank_number(rank)]
        for name, row, rank in zip(names, values, mean_ranks(values).tolist())
    ]
    return markdown_table(["", *known, "mean", "mean rank"], rows)


def rewrite_tables(page: Path, parts: Iterable[str]) -> None:
    """Replace what stands below the mark of a page."""
    text = page.read_text(encoding="utf-8").split(MARK)[0].rstrip()
    page.write_text("\n\n".join([text, MARK, *parts]) + "\n", encoding="utf-8")
