"""Stability: how often each rule comes back when the fit is repeated on resampled data."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from sugeno._exceptions import WeakDirectionWarning
from sugeno._scales.rows import numbers_of
from sugeno.model.class_rules import OrdinalRules
from sugeno.model.fitted import model_of
from sugeno.model.rules import RuleSet
from sugeno.model.text import markdown_table

__all__ = ["RuleStability", "rule_stability"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RuleStability:
    """How often rules recur.

    Attributes
    ----------
    rules : RuleSet or OrdinalRules
        The rules in question; of more than two ordered classes those of all boundaries, the
        lowest first, and each is looked for at its own boundary.
    same_rule : ndarray of shape (R,)
        Share of the repetitions with the same rule: the same criteria, each of which parts the
        observed values in the same place.
    same_criteria : ndarray of shape (R,)
        Share of the repetitions with a rule about the same criteria, in the same directions, at
        whatever levels.
    n_rules : ndarray of int of shape (n_resamples,)
        Number of rules of each repetition.

    Examples
    --------
    >>> from sugeno import SugenoClassifier, rule_stability
    >>> X, y = [[1], [2], [3], [4]] * 5, [0, 0, 1, 1] * 5
    >>> clf = SugenoClassifier().fit(X, y)
    >>> rule_stability(clf, X, y, n_resamples=5, random_state=0).same_criteria
    array([1.])
    """

    rules: RuleSet | OrdinalRules
    same_rule: Floats
    same_criteria: Floats
    n_rules: NDArray[np.intp]

    def to_records(self, *, words: bool = False) -> list[dict[str, Any]]:
        """Return the table of the rules with ``stability`` and ``criteria_stability`` in it."""
        shares = zip(self.same_rule.tolist(), self.same_criteria.tolist())
        return [
            {**record, "stability": rule, "criteria_stability": criteria}
            for record, (rule, criteria) in zip(self.rules.to_records(words=words), shares)
        ]

    def to_frame(
        self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas", *, words: bool = False
    ) -> Any:
        """Return the same as a data frame of the library asked for."""
        import narwhals as nw

        frame = nw.from_native(self.rules.to_frame(backend, words=words), eager_only=True)
        shares = {"stability": self.same_rule, "criteria_stability": self.same_criteria}
        columns = [
            nw.new_series(name, share.tolist(), nw.Float64, backend=backend)
            for name, share in shares.items()
        ]
        return frame.with_columns(*columns).to_native()

    def to_markdown(self, *, words: bool = False) -> str:
        """Return the same in Markdown."""
        return markdown_table(self.to_records(words=words) or [{"rule": str(self.rules)}])

    def __repr__(self) -> str:
        lines = [
            f"{record['stability']:4.0%} {record['criteria_stability']:4.0%}  "
            + ": ".join(record[name] for name in ("boundary", "rule") if name in record)
            for record in self.to_records()
        ]
        head = f"same rule, same criteria in {self.n_rules.size} repetitions"
        return "\n".join([head, *lines])


def rule_stability(
    clf: Any,
    X: Any,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    n_resamples: int = 20,
    random_state: int | np.random.RandomState | None = None,
) -> RuleStability:
    """Repeat a fit on resampled rows, and count how often each rule comes back.

    Rows are drawn with replacement, as many of each class as there are. To draw a row twice is to
    give it twice its weight, so no table is copied. Costs n_resamples fits.

    Parameters
    ----------
    clf : classifier
        A fitted classifier that has learned rules for two classes or for ordered ones; it stays as
        it is.
    X : array-like of shape (n_samples, n_features)
        The training data.
    y : array-like of shape (n_samples,)
        Its labels.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows.
    n_resamples : int, default=20
        Number of repetitions.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws.

    Returns
    -------
    RuleStability
        Two shares per rule, and tables with them.

    Examples
    --------
    >>> from sugeno import SugenoClassifier, rule_stability
    >>> X, y = [[1], [2], [3], [4]] * 5, [0, 0, 1, 1] * 5
    >>> clf = SugenoClassifier().fit(X, y)
    >>> print(rule_stability(clf, X, y, n_resamples=5, random_state=0))
    same rule, same criteria in 5 repetitions
    100% 100%  x0 >= 3
    """
    check_is_fitted(clf)
    if "model" in clf.get_params(deep=False):  # it was given one
        raise TypeError(
            f"clf must be a classifier that learns. Got {type(clf).__name__} instead, whose fit "
            "learns nothing; give the classifier that learned the rules."
        )
    if n_resamples < 1:
        raise ValueError(f"n_resamples must be at least 1. Got {n_resamples} instead.")
    labels = np.asarray(y)
    weights = np.ones(labels.size) if sample_weight is None else np.asarray(sample_weight, float)
    boundaries = _boundaries(clf)
    place = _places(boundaries[0], X)
    wanted = [
        (b, _signature(rules, members, place))
        for b, rules in enumerate(boundaries)
        for members in rules.sets
    ]
    rng = check_random_state(random_state)
    same_rule, same_criteria = np.zeros(len(wanted)), np.zeros(len(wanted))
    n_rules = np.zeros(n_resamples, dtype=np.intp)
    for repetition in range(n_resamples):
        again = _refitted(clf, X, y, weights * _drawn(labels, rng))
        n_rules[repetition] = sum(map(len, again))
        found = [_signatures(new, old.form, place) for new, old in zip(again, boundaries)]
        about = [{_criteria(one) for one in each} for each in found]
        same_rule += [one in found[b] for b, one in wanted]
        same_criteria += [_criteria(one) in about[b] for b, one in wanted]
    return RuleStability(clf.rules_, same_rule / n_resamples, same_criteria / n_resamples, n_rules)


def _boundaries(clf: Any) -> tuple[RuleSet, ...]:
    """The rules of each class boundary, the lowest first."""
    model_of(clf)  # of classes without an order it says where to look
    rules: Any = clf.rules_
    return (rules,) if isinstance(rules, RuleSet) else tuple(rules)


#: A literal that can be compared between fits: name, direction, and where it parts the values.
_Part = tuple[str, int, int]
_Places = Callable[[int, float, int], int]


def _places(rules: RuleSet, X: Any) -> _Places:
    """Return how many observed values of a criterion reach a level in a direction."""
    numbers = numbers_of(X, rules.literal_set.criteria, named=rules.named)
    distinct = [np.unique(column) for column in numbers.T]

    def place(j: int, level: float, direction: int) -> int:
        return int(((distinct[j] - level) * direction >= 0).sum())

    return place


def _signature(rules: RuleSet, members: tuple[int, ...], place: _Places) -> frozenset[_Part]:
    literals = rules.literal_set
    parts = []
    for one in members:
        j = int(literals.columns[one])
        criterion = literals.criteria[j]
        reaching = place(j, float(literals.levels[one]), criterion.direction)
        parts.append((criterion.name, criterion.direction, reaching))
    return frozenset(parts)


def _signatures(rules: RuleSet, form: str, place: _Places) -> set[frozenset[_Part]]:
    """What can be compared of all rules, in the form that is asked for."""
    try:
        same = rules if rules.form == form else rules.dual()
    except OverflowError:  # too long to be read, hence no rule that anybody knows
        return set()
    return {_signature(same, members, place) for members in same.sets}


def _criteria(signature: frozenset[_Part]) -> frozenset[tuple[str, int]]:
    return frozenset((name, direction) for name, direction, _ in signature)


def _drawn(labels: NDArray[Any], rng: np.random.RandomState) -> NDArray[np.intp]:
    """How often each row is drawn, class by class, with replacement."""
    times = np.zeros(labels.size, dtype=np.intp)
    for label in np.unique(labels):
        rows = np.flatnonzero(labels == label)
        np.add.at(times, rng.choice(rows, rows.size), 1)
    return times


def _refitted(clf: Any, X: Any, y: ArrayLike, weights: Floats) -> tuple[RuleSet, ...]:
    with warnings.catch_warnings():
        # Whoever fitted the classifier has been warned.
        warnings.simplefilter("ignore", WeakDirectionWarning)
        return _boundaries(clone(clf).fit(X, y, sample_weight=weights))
