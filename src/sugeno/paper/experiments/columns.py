"""The columns of the tables: which learner, with which settings.

Known directions of the attributes are given to every monotone learner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
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


def _as_in_the_paper(directions: NDArray[np.int64], seed: int) -> Classifier:
    return SugenoClassifierCV(
        **_PROTOCOL,
        solver="lp",
        subsets="random",
        threshold="mean-median",
        directions=directions,
        random_state=seed,
    )


def _exact(directions: NDArray[np.int64], seed: int) -> Classifier:
    return SugenoClassifierCV(
        **_PROTOCOL,
        threshold="joint",
        subsets="all",
        **_AS_PUBLISHED,
        directions=directions,
        random_state=seed,
    )


def _fewest_errors(directions: NDArray[np.int64], seed: int) -> Classifier:
    return SugenoClassifierCV(
        **_PROTOCOL, **_AS_PUBLISHED, directions=directions, random_state=seed
    )


def _as_in_the_paper_free(directions: NDArray[np.int64], seed: int) -> Classifier:
    return SugenoClassifierCV(
        **_PROTOCOL,
        solver="lp",
        subsets="random",
        threshold="mean-median",
        normalized=False,
        directions=directions,
        random_state=seed,
    )


def _as_in_the_paper_full(directions: NDArray[np.int64], seed: int) -> Classifier:
    return SugenoClassifier(
        solver="lp", threshold="mean-median", directions=directions, random_state=seed
    )


def _exact_full(directions: NDArray[np.int64], seed: int) -> Classifier:
    return SugenoClassifier(
        threshold="joint", **_AS_PUBLISHED, directions=directions, random_state=seed
    )


def _fewest_errors_full(directions: NDArray[np.int64], seed: int) -> Classifier:
    return SugenoClassifier(**_AS_PUBLISHED, directions=directions, random_state=seed)


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
            _as_in_the_paper,
            "SI",
            "Sugeno classifier as the paper learns it: linear program, random subsets, median as "
            "the mean of the two middle utilities, k by inner 10-fold cross-validation",
        ),
        Column(
            "SI",
            _exact,
            "SI",
            "Sugeno classifier with the exact engine: threshold and capacity learned together, "
            "the paper's program with all subsets as a minimum cut, k by inner 10-fold "
            "cross-validation",
        ),
        Column(
            "SI-fewest",
            _fewest_errors,
            "SI",
            "Sugeno classifier with the exact engine at its defaults: lower median, fewest "
            "training errors at each k, k by inner 10-fold cross-validation",
        ),
        Column("HGB", _boosting, None, "monotone histogram gradient boosting of scikit-learn"),
        Column("SI-LP-full", _as_in_the_paper_full, None, "SI-LP, fully maxitive"),
        Column("SI-full", _exact_full, None, "SI, fully maxitive"),
        Column("SI-fewest-full", _fewest_errors_full, None, "SI-fewest, fully maxitive"),
        Column(
            "SI-LP-free",
            _as_in_the_paper_free,
            "SI",
            "SI-LP without μ([m]) = 1, so that it may reject everything",
        ),
    )
}
