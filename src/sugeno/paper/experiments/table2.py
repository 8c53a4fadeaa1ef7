"""Table 2: mean and standard deviation of the 0/1 loss, beside the paper's."""

from __future__ import annotations

from typing import Any

from sugeno.paper.experiments.columns import COLUMNS
from sugeno.paper.experiments.compare_with_paper import (
    MARKS,
    about_columns,
    agreement,
    entry,
    ranking,
    rounded,
    stand_ins,
)
from sugeno.paper.experiments.journal import Results
from sugeno.paper.experiments.markdown import decimal, legend, pm, table
from sugeno.paper.experiments.paper import METHODS, SHARES, published, tables

__all__ = ["build", "render"]


def build(results: Results) -> dict[str, Any]:
    """Collect all that the table shows.

    Parameters
    ----------
    results : Results
        What was measured.

    Returns
    -------
    dict
        Content for JSON and for :func:`~sugeno.paper.experiments.table2.render`.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Results
    >>> from sugeno.paper.experiments.table2 import build
    >>> build(Results({}, 0, 2, ("ESL",), ("LR",), ("ESL",)))["missing"]
    ['ESL']
    """
    return {
        **results.header("table2"),
        "columns": about_columns(results.columns),
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
    found, printed = stand_ins(results.columns), tables()["table2"][str(share)]
    sugeno = "SI" if "SI" in results.columns else found.get("SI")
    return {
        "cells": {
            dataset: {column: _entry(results, dataset, share, column) for column in results.columns}
            for dataset in results.present
        },
        "paper": {
            dataset: {method: printed[dataset][method][:2] for method in METHODS}
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


def render(content: dict[str, Any]) -> str:
    """Write the table in Markdown.

    Parameters
    ----------
    content : dict
        What :func:`build` returned.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Results
    >>> from sugeno.paper.experiments.table2 import build
    >>> from sugeno.paper.experiments.table2 import render
    >>> text = render(build(Results({}, 0, 2, ("ESL",), ("LR",), ("ESL",))))
    >>> "| ESL | missing | .077±.013 |" in text
    True
    """
    parts = ["# Table 2: mean ± standard deviation of the 0/1 loss", legend(content)]
    for share in SHARES:
        parts += [f"## {share} % training", _render_share(content, str(share))]
        parts += [_render_tests(content["shares"][str(share)]["average_rank"])]
    if content["agreement"]:
        parts += ["## Agreement with the paper", _render_agreement(content)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _heads(content: dict[str, Any]) -> list[tuple[str, bool]]:
    """Columns in the order of show, each of the paper's methods behind its last stand-in."""
    heads: list[tuple[str, bool]] = []
    names = list(content["columns"])
    methods = [content["columns"][name]["paper"] for name in names]
    for position, (name, method) in enumerate(zip(names, methods)):
        heads.append((name, False))
        if method and method not in methods[position + 1 :]:
            heads.append((method, True))
    return heads


def _render_share(content: dict[str, Any], share: str) -> str:
    part = content["shares"][share]
    heads = _heads(content)
    header = ["data set", *(f"paper's {name}" if paper else name for name, paper in heads)]
    rows = [[d, *(_render_cell(part, d, *head) for head in heads)] for d in content["datasets"]]
    rows += [
        [f"average rank, {label}", *_render_ranks(part, label, heads)]
        for label in ("paper's methods", "all columns")
        if part["average_rank"][label]
    ]
    return table(header, rows)


def _render_cell(part: dict[str, Any], dataset: str, name: str, paper: bool) -> str:
    if paper:
        return pm(*part["paper"][dataset][name])
    if dataset not in part["cells"]:
        return "missing"
    entry = part["cells"][dataset][name]
    return pm(entry["mean"], entry["sd"]) + MARKS[entry.get("differs", 0)]


def _render_ranks(part: dict[str, Any], label: str, heads: list[tuple[str, bool]]) -> list[str]:
    """Average ranks; those significantly worse than the Sugeno classifier's are bold."""
    ours = part["average_rank"][label]["average_rank"]
    worse = part["average_rank"][label]["worse"]
    cells = []
    for name, paper in heads:
        if paper:
            theirs = part["average_rank"]["paper"].get(name)
            cells.append(decimal(theirs, 2) if label == "paper's methods" else "")
        elif name in ours:
            text = decimal(ours[name], 2)
            cells.append(f"**{text}**" if name in worse else text)
        else:
            cells.append("")
    return cells


def _render_tests(average_rank: dict[str, Any]) -> str:
    lines = []
    for label in ("paper's methods", "all columns"):
        ranking = average_rank[label]
        if ranking and ranking["pvalue"] is not None:
            lines.append(
                f"- {label}: Friedman χ² = {ranking['statistic']:.2f}, p = {ranking['pvalue']:.2g}"
                f"; Nemenyi's critical difference at 90 % is "
                f"{ranking['critical_difference']:.2f} ({ranking['n_datasets']} data sets)"
            )
    return "\n".join(lines)


def _render_agreement(content: dict[str, Any]) -> str:
    tolerances = [float(t) for t in next(iter(content["agreement"].values()))["within"]]
    header = ["column", "cells", "mean difference", "mean absolute difference"]
    header += [*(f"within {decimal(t)}" for t in tolerances), "marked", "mean of all cells"]
    rows = []
    for name, summary in content["agreement"].items():
        rows.append(
            [
                name,
                str(summary["cells"]),
                decimal(summary["mean difference"], 4),
                decimal(summary["mean absolute difference"], 4),
                *(str(summary["within"][str(t)]) for t in tolerances),
                str(summary["marked"]),
                decimal(content["mean"][name], 4),
            ]
        )
    rows += [
        [name, *[""] * 7, decimal(mean, 4)]
        for name, mean in content["mean"].items()
        if name not in content["agreement"]
    ]
    return table(header, rows)
