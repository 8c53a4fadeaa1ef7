"""Variants of the fully maxitive classifier as the paper learns it.

The paper leaves open which class is the positive one, the directions of some attributes, the median
of an even number of utilities and the margin. Each variant decides one of these in another way, or
takes the exact engine, and leaves the rest as in the column SI-LP-full. A table shows them beside
the paper's fully maxitive column: what was tried about the disagreements.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sugeno import MarginError
from sugeno.estimators.classifier import SugenoClassifier
from sugeno.paper.experiments.columns import COLUMNS, Column
from sugeno.paper.experiments.compare_with_paper import MARKS, agreement, entry
from sugeno.paper.experiments.journal import Results
from sugeno.paper.experiments.markdown import decimal, legend, pm, signed, table
from sugeno.paper.experiments.measurements import Classifier, Part
from sugeno.paper.experiments.paper import SHARES, regularised

__all__ = ["BASE", "MARGIN", "VARIANTS", "MarginColumn", "Mirrored", "build", "render"]

#: What the variants are variants of.
BASE = COLUMNS["SI-LP-full"]
#: The margin of the variant that has one.
MARGIN = 0.05


@dataclass(frozen=True, eq=False)
class Mirrored:
    """A classifier that learns the other class as the positive one.

    It learns when to accept a row into class 0, and says 0 there. Classes go in and come out as
    they are, so that an error is the same error as without the mirror.

    Attributes
    ----------
    classifier : Classifier
        What learns; directions that it was given must point to class 0.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.paper.experiments.variants import Mirrored
    >>> mirrored = Mirrored(SugenoClassifier(directions=[-1]))
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([0, 0, 1])
    >>> mirrored.fit(X, y).predict(X)
    array([0, 0, 1])
    >>> print(mirrored.classifier.rules_)
    class 1 if x0 <= 2
    """

    classifier: Classifier

    def fit(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> Self:
        """Learn class 0 as the positive class."""
        self.classifier.fit(X, 1 - y)
        return self

    def predict(self, X: NDArray[np.float64]) -> NDArray[np.int64]:
        """Predict 0 where the classifier accepts, else 1."""
        return 1 - self.classifier.predict(X)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Give all parameters of the classifier."""
        return self.classifier.get_params(deep)


@dataclass(frozen=True)
class MarginColumn(Column):
    """A column with a margin where the learned threshold admits it, else :data:`BASE`.

    Its results say for every split under ``admissible`` which of both it was.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.experiments.measurements import Part
    >>> from sugeno.paper.experiments.variants import VARIANTS
    >>> X, y = np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> VARIANTS["margin .05"].measure(Part(X, y, X, y, np.array([1]), 0))
    {'errors': 0, 'k': 1, 'rules': 1, 'admissible': True}
    """

    def measure(self, part: Part) -> dict[str, Any]:
        """Count the errors on the test part, and say whether the margin was admissible."""
        try:
            return {**super().measure(part), "admissible": True}
        except MarginError:
            return {**BASE.measure(part), "admissible": False}


def _other_class(directions: NDArray[np.int64], seed: int) -> Classifier:
    return Mirrored(BASE.build(-directions, seed))


def _changed(changes: dict[str, Any], directions: NDArray[np.int64], seed: int) -> Classifier:
    """Make the base with some of its parameters changed."""
    return SugenoClassifier(**{**BASE.build(directions, seed).get_params(), **changes})


#: The base and all variants by name, in the order in which they are shown.
VARIANTS = {
    column.name: column
    for column in (
        BASE,
        Column(
            "other class",
            _other_class,
            None,
            "the other class is the positive one: classes and directions are turned round before "
            "learning, and predictions back after it",
        ),
        Column(
            "lower median",
            partial(_changed, {"threshold": "median"}),
            None,
            "threshold by the lower median, not the mean of the two middle utilities",
        ),
        MarginColumn(
            "margin .05",
            partial(_changed, {"margin": MARGIN}),
            None,
            "margin ρ = .05; no margin on splits where it is not less than min(β, 1 − β)",
        ),
        Column(
            "auto directions",
            partial(_changed, {"directions": "auto"}),
            None,
            "directions found in the training rows, not given",
        ),
        Column(
            "exact joint",
            partial(_changed, {"solver": "exact", "threshold": "joint", "extension": "nearest"}),
            None,
            "exact engine, threshold and capacity learned together",
        ),
    )
}

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
    >>> from sugeno.paper.experiments.journal import Results
    >>> from sugeno.paper.experiments.variants import build
    >>> build(Results({}, 0, 2, ("ESL",), (), ("ESL",)))["summary"]
    {}
    """
    shares = {str(share): _share(results, share) for share in SHARES}
    nearest = {dataset: _nearest(shares, dataset) for dataset in results.present}
    return {
        **results.header("variants"),
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
            dataset: asdict(regularised(dataset, share).full) for dataset in results.datasets
        },
    }


def _entry(results: Results, dataset: str, share: int, name: str) -> dict[str, Any]:
    described = entry(results.measured(dataset, share, name), regularised(dataset, share).full)
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
    >>> from sugeno.paper.experiments.journal import Results
    >>> from sugeno.paper.experiments.variants import build, render
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
