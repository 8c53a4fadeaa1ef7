"""Table 7: fully maxitive against k-maxitive, with the average k."""

from __future__ import annotations

from dataclasses import asdict
from statistics import fmean
from typing import Any

from sugeno.paper.experiments.columns import COLUMNS
from sugeno.paper.experiments.compare_with_paper import MARKS, entry, rounded
from sugeno.paper.experiments.journal import Results
from sugeno.paper.experiments.markdown import decimal, legend, pm, table
from sugeno.paper.experiments.paper import SHARES, regularised

__all__ = ["PAIRS", "build", "render"]

#: k-maxitive columns, and the fully maxitive ones that they are compared with.
PAIRS = {"SI-LP": "SI-LP-full", "SI": "SI-full", "SI-fewest": "SI-fewest-full"}


def build(results: Results) -> dict[str, Any]:
    """Collect all that the table shows.

    Parameters
    ----------
    results : Results
        What was measured; of its columns those in :data:`PAIRS` are shown.

    Returns
    -------
    dict
        Content for JSON and for :func:`render`.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Results
    >>> from sugeno.paper.experiments.table7 import build
    >>> build(Results({}, 0, 2, ("ESL",), ("SI",), ("ESL",)))["shares"]["20"]["cells"]
    {}
    """
    pairs = {name: full for name, full in PAIRS.items() if name in results.columns}
    return {
        **results.header("table7"),
        "datasets": list(results.datasets),
        "columns": {
            name: {"about": COLUMNS[name].about} for pair in pairs.items() for name in pair
        },
        "pairs": pairs,
        "shares": {str(share): _share(results, share, pairs) for share in SHARES},
        "means": {
            name: rounded(_means(results, name))
            for pair in pairs.items()
            for name in pair
            if results.present
        },
    }


def _means(results: Results, name: str) -> dict[str, float]:
    """Average over the cells what a column has in each of them."""
    cells = [(dataset, share) for dataset in results.present for share in SHARES]
    return {
        "error": results.mean(name),
        **{
            what: fmean(results.values(*cell, name, what).mean() for cell in cells)
            for what in ("k", "rules")
        },
    }


def _share(results: Results, share: int, pairs: dict[str, str]) -> dict[str, Any]:
    return {
        "cells": {
            dataset: {
                name: _row(results, dataset, share, name, full) for name, full in pairs.items()
            }
            for dataset in results.present
        },
        "paper": {dataset: asdict(regularised(dataset, share)) for dataset in results.datasets},
    }


def _row(results: Results, dataset: str, share: int, name: str, full: str) -> dict[str, Any]:
    theirs = regularised(dataset, share)
    k = results.values(dataset, share, name, "k")
    return {
        "full": entry(results.measured(dataset, share, full), theirs.full),
        "maxitive": entry(results.measured(dataset, share, name), theirs.maxitive),
        **rounded({"average_k": float(k.mean())}),
    }


def render(content: dict[str, Any]) -> str:
    """Write the table in Markdown.

    Parameters
    ----------
    content : dict
        What :func:`build` returned.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Results
    >>> from sugeno.paper.experiments.table7 import build, render
    >>> text = render(build(Results({}, 0, 2, ("ESL",), (), ("ESL",))))
    >>> "| ESL | .105±.012 | .104±.012 | 3.88 |" in text
    True
    """
    parts = [
        "# Table 7: fully maxitive against k-maxitive, k chosen by inner cross-validation",
        legend(content),
    ]
    for share in SHARES:
        parts += [f"## {share} % training", _render_share(content, str(share))]
    if content["means"]:
        parts += ["## Means of all cells", _render_means(content["means"])]
    return "\n\n".join(parts) + "\n"


def _render_share(content: dict[str, Any], share: str) -> str:
    header = ["data set", "paper: full", "k-maxitive", "average k"]
    for name in content["pairs"]:
        header += [f"{name}: full", "k-maxitive", "average k"]
    part = content["shares"][share]
    return table(header, [_render_row(part, name, content) for name in content["datasets"]])


def _render_means(means: dict[str, dict[str, float]]) -> str:
    rows = [
        [name, decimal(mean["error"], 4), decimal(mean["k"], 2), decimal(mean["rules"], 1)]
        for name, mean in means.items()
    ]
    return table(["column", "error", "k", "number of rules"], rows)


def _render_row(part: dict[str, Any], dataset: str, content: dict[str, Any]) -> list[str]:
    printed = part["paper"][dataset]
    row = [dataset]
    row += [pm(printed[kind]["mean"], printed[kind]["sd"]) for kind in ("full", "maxitive")]
    row.append(decimal(printed["average_k"], 2))
    for name in content["pairs"]:
        ours = part["cells"].get(dataset, {}).get(name)
        if ours is None:
            row += ["missing"] * 3
            continue
        row += [
            pm(ours[kind]["mean"], ours[kind]["sd"]) + MARKS[ours[kind].get("differs", 0)]
            for kind in ("full", "maxitive")
        ]
        row.append(decimal(ours["average_k"], 2))
    return row
