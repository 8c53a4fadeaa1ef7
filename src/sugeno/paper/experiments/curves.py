"""Figures 2 and 3 as data: test error against the threshold, with the learned thresholds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno.paper.experiments.markdown import decimal, missing, table
from sugeno.paper.experiments.paper import SHARES
from sugeno.paper.experiments.results import Results
from sugeno.paper.experiments.sweep import THRESHOLDS, Sweep

__all__ = ["FIGURES", "build", "render"]

#: For each figure the data set and the thresholds that are drawn as vertical lines.
FIGURES = {
    "figure-threshold": ("LEV", ("learned",)),
    "figure-alternating": ("MMG", ("learned", "alternating")),
}
#: How the learned thresholds are called.
LETTERS = {"learned": "β", "alternating": "β₀"}


def build(results: Results, figure: str) -> dict[str, Any]:
    """Collect all that the figure shows.

    Parameters
    ----------
    results : Results
        What was measured.
    figure : {"figure-threshold", "figure-alternating"}
        Which figure.

    Returns
    -------
    dict
        Content for JSON, for :func:`render` and for drawing.

    Examples
    --------
    >>> from sugeno.paper.experiments.curves import build
    >>> from sugeno.paper.experiments.results import Results
    >>> build(Results({}, 0, 2, ("LEV",), (), ("LEV",)), "figure-threshold")["dataset"]
    'LEV'
    """
    dataset, lines = FIGURES[figure]
    there = dataset in results.present
    return {
        "figure": figure,
        "dataset": dataset,
        "seed": results.seed,
        "splits": results.splits,
        "missing": [name for name in results.missing if name == dataset],
        "thresholds": list(THRESHOLDS),
        "lines": list(lines),
        "shares": {str(s): _curve(results, dataset, s, lines) for s in SHARES} if there else {},
    }


def _curve(results: Results, dataset: str, share: int, lines: tuple[str, ...]) -> dict[str, Any]:
    name = Sweep().name
    errors = results.errors(dataset, share, name)
    mean = errors.mean(axis=0)
    best = int(np.argmin(mean))
    return {
        "mean": np.round(mean, 6).tolist(),
        "standard error": np.round(_standard_error(errors), 6).tolist(),
        "best": {"beta": THRESHOLDS[best], "error": round(float(mean[best]), 6)},
        **{line: _line(results, dataset, share, line) for line in lines},
    }


def _standard_error(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    if len(errors) < 2:
        return np.zeros(errors.shape[1])
    deviation: NDArray[np.float64] = errors.std(axis=0, ddof=1)
    return deviation / math.sqrt(len(errors))


def _line(results: Results, dataset: str, share: int, line: str) -> dict[str, float]:
    name = Sweep().name
    beta = results.values(dataset, share, name, line, "beta")
    error = results.errors(dataset, share, name, line)
    return {
        "beta": round(float(beta.mean()), 6),
        "sd": round(float(beta.std(ddof=1)) if beta.size > 1 else 0.0, 6),
        "error": round(float(error.mean()), 6),
    }


def render(content: dict[str, Any]) -> str:
    """Write the figure's page in Markdown: the picture, and its main numbers as a table.

    Parameters
    ----------
    content : dict
        What :func:`build` returned.

    Examples
    --------
    >>> from sugeno.paper.experiments.curves import build, render
    >>> from sugeno.paper.experiments.results import Results
    >>> results = Results({}, 0, 2, ("LEV",), (), ("LEV",))
    >>> render(build(results, "figure-threshold")).splitlines()[-1]
    'Missing: LEV (`sugeno.datasets.load("LEV")` says where to get it).'
    """
    dataset, lines = content["dataset"], content["lines"]
    number = 2 + list(FIGURES).index(content["figure"])
    title = f"# Figure {number}: test error against the threshold on {dataset}"
    if content["missing"]:
        return f"{title}\n\n{missing(content)}\n"
    header = ["training", "lowest error", "at threshold"]
    for line in lines:
        header += [f"{LETTERS[line]} (mean ± sd)", f"error with {LETTERS[line]}"]
    rows = [_render_row(share, content["shares"][str(share)], lines) for share in SHARES]
    return "\n\n".join(
        [
            title,
            f"{content['splits']} random splits, seed {content['seed']}. {_explanation(lines)}",
            f"![Test error against the threshold on {dataset}]({content['figure']}.png)",
            table(header, rows) + "\n",
        ]
    )


def _explanation(lines: list[str]) -> str:
    text = "β is learned in every split by the median program (10)"
    if "alternating" in lines:
        text += ", β₀ by alternate optimisation"
    return text + "; vertical lines show the mean over the splits, bands one standard deviation."


def _render_row(share: int, curve: dict[str, Any], lines: list[str]) -> list[str]:
    row = [f"{share} %", decimal(curve["best"]["error"]), decimal(curve["best"]["beta"], 2)]
    for line in lines:
        row += [f"{decimal(curve[line]['beta'])} ± {decimal(curve[line]['sd'])}"]
        row += [decimal(curve[line]["error"])]
    return row
