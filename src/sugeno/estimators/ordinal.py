"""Classifiers of ordered classes: the same as for two classes, with other defaults."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._learning.folds import USUAL_TIME
from sugeno._learning.labels import Classes, ordered_classes
from sugeno._scales.directions import Directions
from sugeno._sklearn import StrOptions
from sugeno.estimators._base import BaseSugenoClassifier
from sugeno.estimators.classifier import SugenoClassifier
from sugeno.estimators.classifier_cv import SugenoClassifierCV
from sugeno.solvers.budget import DEFAULT_TIME_LIMIT

__all__ = ["SugenoOrdinalClassifier", "SugenoOrdinalClassifierCV"]

#: Parameters that these names do without.
_LEFT_OUT = ("margin", "threshold", "solver", "positive", "words", "order", "subsets")
_LEFT_OUT_OF_CHOICE = (*_LEFT_OUT, "ks", "margins", "rule_cost", "literal_cost")


class _Ordered(BaseSugenoClassifier):
    """Classes that are numbers are in their order; text has to say which one."""

    classes: Any

    def _classes(self, found: NDArray[Any], declared: Sequence[Any] | None) -> Classes:
        return ordered_classes(found, self.classes, declared, name="classes")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # The blobs with which scikit-learn defines a good score have no order.
        tags.classifier_tags.poor_score = True
        return tags


def _constraints(base: type, left_out: Collection[str]) -> dict[str, Any]:
    """What parameters may be, of those that stay."""
    known: dict[str, Any] = base._parameter_constraints  # type: ignore[attr-defined]
    order = {"classes": [StrOptions({"sorted"}), "array-like", None]}
    return {name: known[name] for name in known if name not in left_out} | order


class SugenoOrdinalClassifier(_Ordered, SugenoClassifier):
    """Classifier of ordered classes: monotone rules for "at least this class", nested.

    `SugenoClassifier` with other defaults: classes that are numbers are in their order, and the
    rules are distilled from an ensemble per boundary.

    Parameters
    ----------
    levels : {"distilled", "shared", "all"} or int, default="distilled"
        As for `SugenoClassifier`.
    form : {"rules", "points", "auto"}, default="rules"
        As for `SugenoClassifier`. Points are one card, with a threshold for each class but the
        lowest.
    loss : {"mixed", "zero_one", "absolute"} or array-like of shape (C, C), default="mixed"
        As for `SugenoClassifier`.
    classes : array-like, "sorted" or None, default=None
        The classes, the lowest first. None takes the order of an ordered categorical, or of
        numbers; text is refused, unless "sorted" says that alphabetical order is meant.
    k, max_rules, rule_cost, literal_cost, directions, columns, special, normalized, class_weight, \
costs, extension, missing, abstain, time_limit, n_jobs, random_state
        As for `SugenoClassifier`.

    Attributes
    ----------
    classes_, order_, n_features_in_, feature_names_in_, directions_, rules_, thresholds_, \
feature_importances_, model_, objective_, bound_, gap_
        As for `SugenoClassifier`.

    See Also
    --------
    monotone_labels : The cheapest monotone labels of a table.

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> X, y = [[1, 2], [2, 1], [3, 3], [4, 2], [5, 5], [6, 4]], ["C", "C", "B", "B", "A", "A"]
    >>> clf = SugenoOrdinalClassifier(levels=1, classes=["C", "B", "A"]).fit(X, y)
    >>> print(clf.rules_)
    at least B if x0 >= 3, or x1 >= 4
    at least A if x0 >= 5 and x1 >= 4
    >>> clf.predict([[2, 3], [5, 3], [5, 4]])
    array(['C', 'B', 'A'], dtype='<U1')
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = _constraints(SugenoClassifier, _LEFT_OUT)

    def __init__(
        self,
        *,
        levels: int | str = "distilled",
        form: str = "rules",
        loss: str | ArrayLike = "mixed",
        classes: Sequence[Any] | str | None = None,
        k: int | None = None,
        max_rules: int | None = None,
        rule_cost: float = 0.0,
        literal_cost: float = 0.0,
        directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
        columns: Mapping[str, Any] | None = None,
        special: Mapping[str, Mapping[Any, Any]] | None = None,
        normalized: bool = True,
        class_weight: Mapping[Any, float] | str | None = None,
        costs: Mapping[str, float] | ArrayLike | None = None,
        extension: str = "auto",
        missing: str = "error",
        abstain: bool = False,
        time_limit: float | None = DEFAULT_TIME_LIMIT,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        super().__init__(
            levels=levels,
            form=form,
            loss=loss,
            k=k,
            max_rules=max_rules,
            rule_cost=rule_cost,
            literal_cost=literal_cost,
            directions=directions,
            columns=columns,
            special=special,
            normalized=normalized,
            class_weight=class_weight,
            costs=costs,
            extension=extension,
            missing=missing,
            abstain=abstain,
            time_limit=time_limit,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.classes = classes


class SugenoOrdinalClassifierCV(_Ordered, SugenoClassifierCV):
    """Classifier of ordered classes that chooses its kind by held-out rows.

    `SugenoClassifierCV` with other defaults: classes that are numbers are in their order.

    Parameters
    ----------
    levels, form, max_rules, cv, refit, scoring, n_jobs, callback, time_limit, directions, \
columns, special, normalized, class_weight, costs, extension, missing, abstain, random_state
        As for `SugenoClassifierCV`.
    loss, classes
        As for `SugenoOrdinalClassifier`.
    k : int or None, default=None
        Largest number of criteria in a rule. None for no limit; of distilled rules for 4.

    Attributes
    ----------
    levels_, max_rules_, best_score_, cv_results_, n_splits_
        As for `SugenoClassifierCV`.
    classes_, order_, n_features_in_, feature_names_in_, directions_, rules_, thresholds_, \
feature_importances_, model_, objective_, bound_, gap_
        As for `SugenoOrdinalClassifier`, of the classifier fitted to all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoOrdinalClassifierCV
    >>> X = np.random.default_rng(0).integers(0, 6, (150, 2))
    >>> y = np.minimum(X[:, 0], X[:, 1]) // 2
    >>> clf = SugenoOrdinalClassifierCV(levels=[1, 2], refit="simplest").fit(X, y)
    >>> print(clf.rules_)
    at least 1 if x0 >= 2 and x1 >= 2
    at least 2 if x0 >= 4 and x1 >= 4
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **_constraints(SugenoClassifierCV, _LEFT_OUT_OF_CHOICE),
        "k": [Integral, None],
    }

    def __init__(
        self,
        *,
        levels: int | str | Sequence[int | str] = "auto",
        form: str = "rules",
        max_rules: int | Sequence[int] | None = None,
        loss: str | ArrayLike = "mixed",
        classes: Sequence[Any] | str | None = None,
        k: int | None = None,
        cv: Any = 5,
        refit: str = "best",
        scoring: str | Callable[..., float] | None = None,
        n_jobs: int | None = None,
        callback: Callable[[int, int], None] | None = None,
        directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
        columns: Mapping[str, Any] | None = None,
        special: Mapping[str, Mapping[Any, Any]] | None = None,
        normalized: bool = True,
        class_weight: Mapping[Any, float] | str | None = None,
        costs: Mapping[str, float] | ArrayLike | None = None,
        extension: str = "auto",
        missing: str = "error",
        abstain: bool = False,
        time_limit: float | None = USUAL_TIME,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        super().__init__(
            levels=levels,
            form=form,
            max_rules=max_rules,
            loss=loss,
            cv=cv,
            refit=refit,
            scoring=scoring,
            n_jobs=n_jobs,
            callback=callback,
            directions=directions,
            columns=columns,
            special=special,
            normalized=normalized,
            class_weight=class_weight,
            costs=costs,
            extension=extension,
            missing=missing,
            abstain=abstain,
            time_limit=time_limit,
            random_state=random_state,
        )
        self.classes = classes
        self.k = k

    def _given_ks(self) -> Sequence[int] | None:
        return None if self.k is None else [self.k]
