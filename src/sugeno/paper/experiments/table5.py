"""Table 5: on how many data sets one method beats another, for 20 | 50 | 80 % training."""

from __future__ import annotations

from typing import Any

from scipy.stats import rankdata

from sugeno.paper.experiments.compare_with_paper import about_columns, stand_ins
from sugeno.paper.experiments.journal import Results
from sugeno.paper.experiments.markdown import missing, table
from sugeno.paper.experiments.paper import SHARES, tables
from sugeno.paper.experiments.statistics import wins

__all__ = ["build", "render"]


def build(results: Results) -> dict[str, Any]:
    """Count wins among the stand-ins of the paper's methods, and among all columns.

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
    >>> from sugeno.paper.experiments.journal import Results
    >>> from sugeno.paper.experiments.table5 import build
    >>> build(Results({}, 0, 2, ("ESL",), ("LR",), ("ESL",)))["splits"]
    2
    """
    found = stand_ins(results.columns)
    return {
        **results.header("table5"),
        "n_datasets": len(results.present),
        "columns": about_columns(results.columns),
        "stand_ins": found,
        "paper's methods": _counts(results, tuple(found.values())),
        "all columns": _counts(results, results.columns),
        "paper": tables()["table5"],
    }


def _counts(results: Results, columns: tuple[str, ...]) -> dict[str, Any]:
    """Wins, total wins and rank of the total for every share."""
    if not results.present or len(columns) < 2:
        return {}
    return {str(share): _share(results, share, columns) for share in SHARES}


def _share(results: Results, share: int, columns: tuple[str, ...]) -> dict[str, Any]:
    counts = wins(results.means(results.present, share, columns))
    totals = counts.sum(axis=1)
    # As in the paper, equal totals share the better rank and the next rank is not left out.
    places = rankdata(-totals, method="dense")
    return {
        name: {
            "wins": {other: int(n) for other, n in zip(columns, row) if other != name},
            "total": int(total),
            "rank": int(place),
        }
        for name, row, total, place in zip(columns, counts, totals, places)
    }


def render(content: dict[str, Any]) -> str:
    """Write the table in Markdown, with the paper's counts in brackets.

    Parameters
    ----------
    content : dict
        What :func:`build` returned.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Results
    >>> from sugeno.paper.experiments.table5 import build, render
    >>> text = render(build(Results({}, 0, 2, ("ESL",), ("LR",), ("ESL",))))
    >>> text.splitlines()[0]
    '# Table 5: number of data sets on which the row beats the column'
    """
    parts = [
        "# Table 5: number of data sets on which the row beats the column",
        f"20 | 50 | 80 % training; {content['splits']} random splits, seed {content['seed']}, "
        f"{content['n_datasets']} data sets. A tie is a win for neither. "
        "In brackets what the paper prints, on 12 data sets.",
        missing(content),
    ]
    if content["paper's methods"]:
        parts += ["## The paper's methods", _render_counts(content, "paper's methods")]
    if content["all columns"]:
        parts += ["## All columns", _render_counts(content, "all columns")]
    return "\n\n".join(part for part in parts if part) + "\n"


def _render_counts(content: dict[str, Any], label: str) -> str:
    counts = content[label]
    names = list(counts["20"])
    methods = {column: method for method, column in content["stand_ins"].items()}
    beside = label == "paper's methods"
    rows = []
    for name in names:
        ours = [counts[str(share)][name] for share in SHARES]
        theirs = [content["paper"][str(share)][methods[name]] for share in SHARES] if beside else []
        cells = [
            "–" if other == name else _triple(ours, theirs, "wins", other, methods.get(other, ""))
            for other in names
        ]
        rows.append([name, *cells, _triple(ours, theirs, "total"), _triple(ours, theirs, "rank")])
    return table(["", *names, "total wins", "total rank"], rows)


def _triple(
    ours: list[dict[str, Any]],
    theirs: list[dict[str, Any]],
    what: str,
    other: str = "",
    method: str = "",
) -> str:
    """Write a number for each share, and the paper's in brackets."""
    text = "|".join(str(entry[what][other] if other else entry[what]) for entry in ours)
    if not theirs:
        return text
    printed = "|".join(str(entry[what][method] if method else entry[what]) for entry in theirs)
    return f"{text} [{printed}]"
