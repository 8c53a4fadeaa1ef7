"""What was tried about the disagreements: variants beside the paper's fully maxitive column."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sugeno.paper.experiments.compare_with_paper import MARKS, agreement, entry
from sugeno.paper.experiments.markdown import decimal, legend, pm, signed, table
from sugeno.paper.experiments.paper import SHARES, regularised
from sugeno.paper.experiments.results import Results
from sugeno.paper.experiments.variants import BASE, VARIANTS, MarginColumn

__all__ = ["build", "render"]

#: Up to this difference a cell is counted as agreeing with the paper's.
TOLERANCE = 0.015
#: How the choice of the nearest variant for each data set is called in the summary.
HINDSIGHT = "nearest for each data set"


def build(results: Results) -> dict[str, Any]:
    """Collect all that the table shows; it always has all variants.

    Parameters
    ----------
    results : Results
        What was measured.

    Returns
    -------
    dict
        Content for JSON and for :func:`render`.

    Examples
    --------
    >>> from sugeno.paper.experiments.results import Results
    >>> from sugeno.paper.experiments.variants_table import build
    >>> build(Results({}, 0, 2, ("ESL",), (), ("ESL",)))["summary"]
    {}
    """
    shares = {str(share): _share(results, share) for share in SHARES}
    nearest = {dataset: _nearest(shares, dataset) for dataset in results.present}
    return {
        "table": "variants",
        "seed": results.seed,
        "splits": results.splits,
        "missing": list(results.missing),
        "datasets": list(results.datasets),
        "columns": {name: {"about": column.about} for name, column in VARIANTS.items()},
        "shares": shares,
        "nearest": nearest,
        "summary": _summary(shares, nearest) if nearest else {},
    }


def _share(results: Results, share: int) -> dict[str, Any]:
    return {
        "cells": {
            dataset: {name: _entry(results, dataset, share, name) for name in VARIANTS}
            for dataset in results.present
        },
        "paper": {
            dataset: asdict(row.full)
            for dataset in results.datasets
            if (row := regularised(dataset, share))
        },
    }


def _entry(results: Results, dataset: str, share: int, name: str) -> dict[str, Any]:
    theirs = regularised(dataset, share)
    described = entry(results.measured(dataset, share, name), theirs.full if theirs else None)
    if isinstance(VARIANTS[name], MarginColumn):
        admissible = results.values(dataset, share, name, "admissible")
        described["inadmissible"] = int((admissible == 0).sum())
    return described


def _nearest(shares: dict[str, Any], dataset: str) -> dict[str, Any]:
    """Mean absolute difference of each variant over all shares, and the nearest of them."""
    distances = {
        name: agreement([part["cells"][dataset][name] for part in shares.values()])[
            "mean absolute difference"
        ]
        for name in VARIANTS
    }
    least = min(distances.values())
    # Variants may well give the same classifier; then none of them is nearer than the others.
    return {"distances": distances, "nearest": [n for n, d in distances.items() if d == least]}


def _summary(shares: dict[str, Any], nearest: dict[str, Any]) -> dict[str, Any]:
    """Agreement of each variant, and of the choice of the nearest one for each data set."""
    cells = [pair for part in shares.values() for pair in part["cells"].items()]
    summary = {name: agreement([cell[name] for _, cell in cells]) for name in VARIANTS}
    chosen = [cell[nearest[dataset]["nearest"][0]] for dataset, cell in cells]
    return {**summary, HINDSIGHT: agreement(chosen)}


def render(content: dict[str, Any]) -> str:
    """Write the table in Markdown.

    Parameters
    ----------
    content : dict
        What :func:`build` returned.

    Examples
    --------
    >>> from sugeno.paper.experiments.results import Results
    >>> from sugeno.paper.experiments.variants_table import build, render
    >>> text = render(build(Results({}, 0, 2, ("ESL",), (), ("ESL",))))
    >>> text.splitlines()[0]
    '# What was tried about the disagreements: variants of the fully maxitive classifier'
    """
    parts = [
        "# What was tried about the disagreements: variants of the fully maxitive classifier",
        "Mean 0/1 loss, and in brackets the difference from the column “full” of the paper's "
        f"Table 7. {BASE.name} is what the paper does, as far as it says: linear program, given "
        "directions, threshold by the mean of the two middle utilities, no margin. Every other "
        "column changes in it what is said below, on the same splits.",
        legend(content),
        _render_inadmissible(content),
    ]
    for share in SHARES:
        parts += [f"## {share} % training", _render_share(content, str(share))]
    if content["summary"]:
        parts += ["## Agreement with the paper", _render_summary(content["summary"])]
        parts += [f"“{HINDSIGHT}” is chosen after looking at the paper's numbers."]
        parts += ["## Mean absolute difference by data set", _render_nearest(content["nearest"])]
    return "\n\n".join(part for part in parts if part) + "\n"


def _render_inadmissible(content: dict[str, Any]) -> str:
    """Say on how many splits a margin was too large for the threshold."""
    lines = []
    for name in (n for n, column in VARIANTS.items() if isinstance(column, MarginColumn)):
        counts = {
            f"{dataset} at {share} %": cells[name]["inadmissible"]
            for share, part in content["shares"].items()
            for dataset, cells in part["cells"].items()
        }
        where = ", ".join(f"{place}: {count}" for place, count in counts.items() if count)
        lines.append(
            f"{name}: not admissible, hence without margin, on {sum(counts.values())} of "
            f"{len(counts) * content['splits']} splits" + (f" ({where})." if where else ".")
        )
    return "\n".join(lines)


def _render_share(content: dict[str, Any], share: str) -> str:
    part = content["shares"][share]
    rows = []
    for dataset in content["datasets"]:
        printed, cells = part["paper"][dataset], part["cells"].get(dataset)
        ours = [_render_cell(cells[name]) if cells else "missing" for name in VARIANTS]
        rows.append([dataset, pm(printed["mean"], printed["sd"]), *ours])
    return table(["data set", "paper: full", *VARIANTS], rows)


def _render_cell(cell: dict[str, Any]) -> str:
    return f"{decimal(cell['mean'])} ({signed(cell['difference'])}){MARKS[cell['differs']]}"


def _render_summary(summary: dict[str, Any]) -> str:
    header = ["variant", "cells", "mean difference", "mean absolute difference"]
    header += [f"within {decimal(TOLERANCE)}", "marked"]
    rows = [
        [
            name,
            str(row["cells"]),
            signed(row["mean difference"], 4),
            decimal(row["mean absolute difference"], 4),
            str(row["within"][str(TOLERANCE)]),
            str(row["marked"]),
        ]
        for name, row in summary.items()
    ]
    return table(header, rows)


def _render_nearest(nearest: dict[str, Any]) -> str:
    rows = [
        [dataset, *(decimal(d) for d in row["distances"].values()), ", ".join(row["nearest"])]
        for dataset, row in nearest.items()
    ]
    return table(["data set", *VARIANTS, "nearest"], rows)
