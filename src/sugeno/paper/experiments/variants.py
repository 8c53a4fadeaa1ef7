"""Variants of the fully maxitive classifier as the paper learns it.

The paper leaves open which class is the positive one, the directions of some attributes, the
median of an even number of utilities and the margin. Each variant decides one of these in another
way, or takes the exact engine, and leaves the rest as in the column SI-LP-full.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sugeno import MarginError
from sugeno.estimators.classifier import SugenoClassifier
from sugeno.paper.experiments.columns import COLUMNS, Column
from sugeno.paper.experiments.measurements import Classifier, Part

__all__ = ["BASE", "MARGIN", "VARIANTS", "MarginColumn", "Mirrored"]

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
