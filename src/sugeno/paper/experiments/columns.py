"""The columns of the tables: which learner, with which settings.

Known directions of the attributes are given to every monotone learner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno.estimators._reading import ReadsModel
from sugeno.estimators.classifier import SugenoClassifier
from sugeno.estimators.classifier_cv import SugenoClassifierCV
from sugeno.paper.baselines import (
    ChoquisticRegression,
    GiniTree,
    MonotoneRuleEnsemble,
    logistic,
    monotone_boosting,
)
from sugeno.paper.experiments.measurements import Classifier, Part, count_errors, recipe

__all__ = ["COLUMNS", "Column"]

Builder = Callable[[NDArray[np.int64], int], Classifier]

#: What the published results were measured with; the defaults of the classifier look at the
#: number of rules and at the clock too.
_AS_PUBLISHED: dict[str, Any] = {"extension": "nearest", "time_limit": None}
#: The protocol of section 6.2: one level for all criteria, k by 10-fold cross-validation.
_PROTOCOL: dict[str, Any] = {"levels": "shared", "cv": 10}
#: The paper's program, and how the paper limits it where there are many criteria.
_AS_IN_THE_PAPER: dict[str, Any] = {"solver": "lp", "threshold": "mean-median"}
_RANDOM_SUBSETS = {"subsets": "random"}
#: Threshold and capacity learned together.
_JOINT: dict[str, Any] = {"threshold": "joint", **_AS_PUBLISHED}


@dataclass(frozen=True)
class Column:
    """A learner with its settings, and the paper's method that it stands beside.

    Attributes
    ----------
    name : str
        Head of the column.
    build : callable
        Makes the learner from the directions of the attributes and a seed.
    paper : str or None
        The paper's method with which the column is compared.
    about : str
        What the learner is, in a few words.

    Examples
    --------
    >>> from sugeno.paper.experiments.columns import COLUMNS
    >>> COLUMNS["SI-LP"].paper
    'SI'
    """

    name: str
    build: Builder
    paper: str | None
    about: str

    @cached_property
    def recipe(self) -> str:
        """Fingerprint of how the results came about."""
        return recipe(self.build(np.ones(1, dtype=np.int64), 0))

    def measure(self, part: Part) -> dict[str, Any]:
        """Count the errors on the test part; of a Sugeno classifier add k and count the rules."""
        classifier = self.build(part.directions, part.random_state)
        result = {"errors": count_errors(classifier, part)}
        if isinstance(classifier, ReadsModel):
            result |= {"k": int(classifier.k_), "rules": len(classifier.rules_)}
        return result


def _tree(directions: NDArray[np.int64], seed: int) -> Classifier:
    return GiniTree(random_state=seed)


def _logistic(directions: NDArray[np.int64], seed: int) -> Classifier:
    model: Classifier = logistic()
    return model


def _choquistic(directions: NDArray[np.int64], seed: int) -> Classifier:
    return ChoquisticRegression(directions=directions)


def _more(directions: NDArray[np.int64], seed: int) -> Classifier:
    return MonotoneRuleEnsemble(directions=directions, random_state=seed)


def _by_cross_validation(
    parameters: dict[str, Any], directions: NDArray[np.int64], seed: int
) -> Classifier:
    return SugenoClassifierCV(**_PROTOCOL, **parameters, directions=directions, random_state=seed)


def _fully_maxitive(
    parameters: dict[str, Any], directions: NDArray[np.int64], seed: int
) -> Classifier:
    return SugenoClassifier(**parameters, directions=directions, random_state=seed)


def _boosting(directions: NDArray[np.int64], seed: int) -> Classifier:
    model: Classifier = monotone_boosting(directions, random_state=seed)
    return model


#: All columns by name, in the order in which they are shown.
COLUMNS = {
    column.name: column
    for column in (
        Column("DT", _tree, "DT", "decision tree grown and merged as MATLAB's fitctree does"),
        Column("LR", _logistic, "LR", "logistic regression without penalty"),
        Column("CR", _choquistic, "CR", "2-additive choquistic regression"),
        Column("MORE", _more, "MORE", "monotone rule ensemble"),
        Column(
            "SI-LP",
            partial(_by_cross_validation, _AS_IN_THE_PAPER | _RANDOM_SUBSETS),
            "SI",
            "Sugeno classifier as the paper learns it: linear program, random subsets, median as "
            "the mean of the two middle utilities, k by inner 10-fold cross-validation",
        ),
        Column(
            "SI",
            partial(_by_cross_validation, _JOINT | {"subsets": "all"}),
            "SI",
            "Sugeno classifier with the exact engine: threshold and capacity learned together, "
            "the paper's program with all subsets as a minimum cut, k by inner 10-fold "
            "cross-validation",
        ),
        Column(
            "SI-fewest",
            partial(_by_cross_validation, _AS_PUBLISHED),
            "SI",
            "Sugeno classifier with the exact engine at its defaults: lower median, fewest "
            "training errors at each k, k by inner 10-fold cross-validation",
        ),
        Column("HGB", _boosting, None, "monotone histogram gradient boosting of scikit-learn"),
        Column(
            "SI-LP-full", partial(_fully_maxitive, _AS_IN_THE_PAPER), None, "SI-LP, fully maxitive"
        ),
        Column("SI-full", partial(_fully_maxitive, _JOINT), None, "SI, fully maxitive"),
        Column(
            "SI-fewest-full",
            partial(_fully_maxitive, _AS_PUBLISHED),
            None,
            "SI-fewest, fully maxitive",
        ),
        Column(
            "SI-LP-free",
            partial(
                _by_cross_validation,
                _AS_IN_THE_PAPER | _RANDOM_SUBSETS | {"normalized": False},
            ),
            "SI",
            "SI-LP without μ([m]) = 1, so that it may reject everything",
        ),
    )
}
