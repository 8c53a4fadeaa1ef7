"""Table 2: mean and standard deviation of the 0/1 loss, beside the paper's."""

from __future__ import annotations

from typing import Any

from sugeno.paper.experiments.columns import COLUMNS
from sugeno.paper.experiments.compare_with_paper import (
    agreement,
    entry,
    ranking,
    rounded,
    stand_ins,
)
from sugeno.paper.experiments.paper import METHODS, SHARES, published, tables
from sugeno.paper.experiments.results import Results

__all__ = ["build"]


def build(results: Results) -> dict[str, Any]:
    """Collect all that the table shows.

    Parameters
    ----------
    results : Results
        What was measured.

    Returns
    -------
    dict
        Content for JSON and for :func:`~sugeno.paper.experiments.table2_text.render`.

    Examples
    --------
    >>> from sugeno.paper.experiments.results import Results
    >>> from sugeno.paper.experiments.table2 import build
    >>> build(Results({}, 0, 2, ("ESL",), ("LR",), ("ESL",)))["missing"]
    ['ESL']
    """
    return {
        "table": "table2",
        "seed": results.seed,
        "splits": results.splits,
        "missing": list(results.missing),
        "columns": {
            name: {"about": COLUMNS[name].about, "paper": COLUMNS[name].paper}
            for name in results.columns
        },
        "datasets": list(results.datasets),
        "shares": {str(share): _share(results, share) for share in SHARES},
        "agreement": {
            name: agreement([_entry(results, d, s, name) for d in results.present for s in SHARES])
            for name in results.columns
            if COLUMNS[name].paper and results.present
        },
        "mean": rounded({name: results.mean(name) for name in results.columns if results.present}),
    }


def _share(results: Results, share: int) -> dict[str, Any]:
    """Collect the part of the table for one share of training data."""
    found = stand_ins(results.columns)
    sugeno = "SI" if "SI" in results.columns else found.get("SI")
    return {
        "cells": {
            dataset: {column: _entry(results, dataset, share, column) for column in results.columns}
            for dataset in results.present
        },
        "paper": {
            dataset: {
                method: [cell.mean, cell.sd]
                for method in METHODS
                if (cell := published(dataset, share, method))
            }
            for dataset in results.datasets
        },
        "average_rank": {
            "paper's methods": ranking(results, share, tuple(found.values()), found.get("SI")),
            "all columns": ranking(results, share, results.columns, sugeno),
            "paper": tables()["average_rank"][str(share)],
        },
    }


def _entry(results: Results, dataset: str, share: int, column: str) -> dict[str, Any]:
    method = COLUMNS[column].paper
    theirs = published(dataset, share, method) if method else None
    return entry(results.measured(dataset, share, column), theirs)
