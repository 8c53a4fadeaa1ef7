"""Ours beside the paper's: which column stands for which method, and which cells differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from sugeno.paper.experiments.columns import COLUMNS
from sugeno.paper.experiments.journal import Results
from sugeno.paper.experiments.paper import METHODS, Cell
from sugeno.paper.experiments.statistics import compare, ranks

__all__ = [
    "MARKS",
    "about_columns",
    "agreement",
    "differs",
    "entry",
    "ranking",
    "rounded",
    "stand_ins",
]

#: A cell is marked when it differs by more than this many times both standard errors together.
FACTOR = 3
#: How a cell is marked: ours is higher, lower, or neither.
MARKS = {1: " ▲", -1: " ▼", 0: ""}
#: Differences up to which cells are counted as agreeing.
TOLERANCES = (0.012, 0.015, 0.020)


def differs(ours: Cell, theirs: Cell) -> int:
    """Say whether a cell differs from the paper's: 1 when ours is higher, -1 lower, else 0.

    It does when the means lie further apart than three times the sum of both standard errors.

    Parameters
    ----------
    ours, theirs : Cell
        What is compared.

    Examples
    --------
    >>> from sugeno.paper.experiments.paper import Cell
    >>> from sugeno.paper.experiments.compare_with_paper import differs
    >>> differs(Cell(0.110, 0.02, 100), Cell(0.1, 0.01, 100))
    1
    >>> differs(Cell(0.108, 0.02, 100), Cell(0.1, 0.01, 100))
    0
    """
    if ours.splits < 2:
        return 0  # one split has no standard error
    limit = FACTOR * (ours.standard_error + theirs.standard_error)
    return (ours.mean - theirs.mean > limit) - (theirs.mean - ours.mean > limit)


def about_columns(columns: Iterable[str]) -> dict[str, dict[str, str | None]]:
    """Say what columns are, and which of the paper's methods they stand beside.

    Examples
    --------
    >>> from sugeno.paper.experiments.compare_with_paper import about_columns
    >>> about_columns(["LR"])
    {'LR': {'about': 'logistic regression without penalty', 'paper': 'LR'}}
    """
    return {name: {"about": COLUMNS[name].about, "paper": COLUMNS[name].paper} for name in columns}


def stand_ins(columns: Sequence[str]) -> dict[str, str]:
    """Find for each of the paper's methods the first of the columns that stands for it.

    Parameters
    ----------
    columns : sequence of str
        Columns that were measured.

    Examples
    --------
    >>> from sugeno.paper.experiments.compare_with_paper import stand_ins
    >>> stand_ins(["LR", "SI-LP", "SI", "HGB"])
    {'LR': 'LR', 'SI': 'SI-LP'}
    """
    found: dict[str, str] = {}
    for method in METHODS:
        for column in columns:
            if COLUMNS[column].paper == method:
                found.setdefault(method, column)
    return found


def entry(ours: Cell, theirs: Cell | None) -> dict[str, Any]:
    """Describe a cell for JSON, with the difference from the paper's where there is one.

    Parameters
    ----------
    ours : Cell
        What was measured.
    theirs : Cell or None
        What the paper prints.

    Examples
    --------
    >>> from sugeno.paper.experiments.compare_with_paper import entry
    >>> from sugeno.paper.experiments.paper import Cell
    >>> entry(Cell(0.11, 0.02, 100), Cell(0.1, 0.01, 100))
    {'mean': 0.11, 'sd': 0.02, 'splits': 100, 'difference': 0.01, 'differs': 1}
    """
    described = {"mean": ours.mean, "sd": ours.sd, "splits": ours.splits}
    if theirs is not None:
        described["difference"] = ours.mean - theirs.mean
        described["differs"] = differs(ours, theirs)
    return rounded(described)


def agreement(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Summarise how far cells are from the paper's.

    Parameters
    ----------
    entries : sequence of dict
        What :func:`entry` returned; at least one has a number of the paper beside it.

    Examples
    --------
    >>> from sugeno.paper.experiments.compare_with_paper import agreement, entry
    >>> from sugeno.paper.experiments.paper import Cell
    >>> cells = [entry(Cell(mean, 0.02, 100), Cell(0.1, 0.01, 100)) for mean in (0.114, 0.096)]
    >>> agreement(cells)["within"]
    {'0.012': 1, '0.015': 2, '0.02': 2}
    """
    differences = [entry["difference"] for entry in entries if "difference" in entry]
    return {
        "cells": len(differences),
        "mean difference": round(sum(differences) / len(differences), 6),
        "mean absolute difference": round(sum(map(abs, differences)) / len(differences), 6),
        "within": {
            str(tolerance): sum(abs(d) <= tolerance for d in differences)
            for tolerance in TOLERANCES
        },
        "marked": sum(abs(entry.get("differs", 0)) for entry in entries),
    }


def ranking(
    results: Results, share: int, columns: tuple[str, ...], reference: str | None
) -> dict[str, Any] | None:
    """Rank columns on all data sets that are there; None when there is nothing to compare.

    Parameters
    ----------
    results : Results
        What was measured.
    share : int
        Percentage of the rows used for training.
    columns : tuple of str
        What is compared.
    reference : str or None
        The column for which those that are significantly worse are named.

    Examples
    --------
    >>> from sugeno.paper.experiments.compare_with_paper import ranking
    >>> from sugeno.paper.experiments.journal import Results
    >>> ranking(Results({}, 0, 2, (), ()), 20, ("LR",), None) is None
    True
    """
    if len(columns) < 2 or not results.present:
        return None
    errors = results.means(results.present, share, columns)
    comparison = compare(errors, columns)
    by_dataset = {
        dataset: dict(zip(columns, row.tolist()))
        for dataset, row in zip(results.present, ranks(errors))
    }
    return {
        **rounded(asdict(comparison)),
        "ranks": by_dataset,
        "reference": reference,
        "worse": list(comparison.worse_than(reference)) if reference else [],
    }


def rounded(content: dict[str, Any]) -> dict[str, Any]:
    """Round every number: the last bits of a mean may depend on the machine.

    Parameters
    ----------
    content : dict
        Numbers, dictionaries of numbers and other things, which stay as they are.

    Examples
    --------
    >>> from sugeno.paper.experiments.compare_with_paper import rounded
    >>> rounded({"mean": {"LR": 0.1 + 0.2}, "splits": 100})
    {'mean': {'LR': 0.3}, 'splits': 100}
    """
    plain: dict[str, Any] = {}
    for name, value in content.items():
        if isinstance(value, dict):
            plain[name] = rounded(value)
        else:
            plain[name] = round(value, 6) if isinstance(value, float) else value
    return plain
