"""Figures 2 and 3: test error against the threshold β, measured, tabulated and drawn.

matplotlib is loaded only when something is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno.estimators.classifier import SugenoClassifier
from sugeno.paper.experiments.journal import Results
from sugeno.paper.experiments.markdown import decimal, missing, table
from sugeno.paper.experiments.measurements import Part, count_errors, recipe
from sugeno.paper.experiments.paper import SHARES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "FIGURES",
    "THRESHOLDS",
    "Sweep",
    "build",
    "draw",
    "render",
    "require_matplotlib",
    "save",
]

#: For each figure the data set and the thresholds that are drawn as vertical lines.
FIGURES = {
    "figure-threshold": ("LEV", ("learned",)),
    "figure-alternating": ("MMG", ("learned", "alternating")),
}
#: How the learned thresholds are called.
LETTERS = {"learned": "β", "alternating": "β₀"}
#: The paper draws β red and β₀ green.
COLOURS = {"learned": "tab:red", "alternating": "tab:green"}
#: The paper's grid: 0.01, 0.02, ..., 1.
THRESHOLDS = tuple(step / 100 for step in range(1, 101))
BELOW_ONE = math.nextafter(1.0, 0.0)


@dataclass(frozen=True)
class Sweep:
    """Learn the capacity for every threshold of the grid, and for the learned thresholds.

    The capacity is unrestricted and fitted exactly. β is the threshold of the paper's
    program (10), β₀ the one that alternate optimisation ends with.

    Examples
    --------
    >>> from sugeno.paper.experiments.curves import Sweep
    >>> Sweep().name
    'thresholds'
    """

    name: str = "thresholds"

    @cached_property
    def recipe(self) -> str:
        """Fingerprint of how the results came about."""
        return recipe(_exact())

    def measure(self, part: Part) -> dict[str, Any]:
        """Count test errors for every threshold, and at β and β₀."""
        learned = _exact(threshold="mean-median", directions=part.directions)
        alternating = _exact(threshold="alternating", directions=part.directions)
        return {
            "errors": [
                # A threshold is less than 1; between 1 and its left neighbour lies no utility.
                count_errors(_exact(threshold=min(t, BELOW_ONE), directions=part.directions), part)
                for t in THRESHOLDS
            ],
            "learned": {"errors": count_errors(learned, part), "beta": learned.threshold_},
            "alternating": {
                "errors": count_errors(alternating, part),
                "beta": alternating.threshold_,
            },
        }


def _exact(**parameters: Any) -> SugenoClassifier:
    """Make the classifier of the published curves."""
    return SugenoClassifier(extension="nearest", time_limit=None, **parameters)


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
    >>> from sugeno.paper.experiments.journal import Results
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
    >>> from sugeno.paper.experiments.journal import Results
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


def require_matplotlib() -> None:
    """Fail early, with the remedy, when there is no matplotlib.

    Examples
    --------
    >>> from sugeno.paper.experiments.curves import require_matplotlib
    >>> require_matplotlib()
    """
    try:
        import_module("matplotlib.figure")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "The figures must be drawn with matplotlib, which is not installed. "
            "Install the extra 'plot': pip install 'sugeno[plot]'.",
            name=error.name,
        ) from error


def draw(content: dict[str, Any]) -> Figure:
    """Draw test error against the threshold, one panel per share of training data.

    Parameters
    ----------
    content : dict
        What :func:`build` returned.

    Returns
    -------
    matplotlib.figure.Figure
        The figure; it does not belong to pyplot and needs no closing.

    Examples
    --------
    >>> from sugeno.paper.experiments.curves import draw
    >>> line = {"beta": 0.5, "sd": 0.1, "error": 0.3}
    >>> curve = {"mean": [0.4, 0.3], "standard error": [0.01, 0.01], "learned": line}
    >>> content = {
    ...     "dataset": "LEV", "thresholds": [0.5, 1.0], "lines": ["learned"],
    ...     "shares": {"20": curve, "50": curve, "80": curve},
    ... }
    >>> len(draw(content).axes)
    3
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.2), layout="constrained")
    panels: Sequence[Axes] = figure.subplots(1, len(SHARES), sharey=True)
    for axes, share in zip(panels, SHARES):
        _panel(axes, content, str(share))
    panels[0].set_ylabel(f"0/1 loss on test data, {content['dataset']}")
    panels[-1].legend(frameon=False)
    return figure


def _panel(axes: Axes, content: dict[str, Any], share: str) -> None:
    curve = content["shares"][share]
    low = [m - e for m, e in zip(curve["mean"], curve["standard error"])]
    high = [m + e for m, e in zip(curve["mean"], curve["standard error"])]
    axes.fill_between(content["thresholds"], low, high, color="tab:blue", alpha=0.25, linewidth=0)
    axes.plot(content["thresholds"], curve["mean"], color="tab:blue", linewidth=1.3)
    for line in content["lines"]:
        beta, sd = curve[line]["beta"], curve[line]["sd"]
        axes.axvspan(beta - sd, beta + sd, color=COLOURS[line], alpha=0.12, linewidth=0)
        axes.axvline(beta, color=COLOURS[line], linewidth=1.3, label=LETTERS[line])
    axes.set(title=f"{share} % training", xlabel="threshold", xlim=(0, 1))
    axes.spines[["top", "right"]].set_visible(False)


def save(figure: Figure, path: Path) -> list[Path]:
    """Save a figure as PNG and SVG, the same bytes every time.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        What to save.
    path : Path
        Where to, without a suffix.

    Returns
    -------
    list of Path
        The two files.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from matplotlib.figure import Figure
    >>> from sugeno.paper.experiments.curves import save
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [file.name for file in save(Figure(), Path(folder, "empty"))]
    ['empty.png', 'empty.svg']
    """
    from matplotlib import rc_context

    png, svg = path.with_suffix(".png"), path.with_suffix(".svg")
    figure.savefig(png, dpi=150, metadata={"Software": None})
    # Without a salt the ids in an SVG file are random, and a date is written into it.
    with rc_context({"svg.hashsalt": "sugeno"}):
        figure.savefig(svg, metadata={"Date": None})
    return [png, svg]
