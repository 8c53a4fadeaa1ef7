"""Test error against the threshold β: the curves of the paper's Figures 2 and 3."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sugeno.estimators.classifier import SugenoClassifier
from sugeno.paper.experiments.measurements import Part, count_errors, recipe

__all__ = ["THRESHOLDS", "Sweep"]

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
    >>> from sugeno.paper.experiments.sweep import Sweep
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
