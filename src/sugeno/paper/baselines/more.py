"""MORE: monotone rule ensembles (Dembczyński, Kotłowski, Słowiński 2009)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.utils import check_random_state

from sugeno._scales.knots import Knots
from sugeno._sklearn import Interval, StrOptions, fit_context
from sugeno.paper.baselines.base import BinaryBaseline
from sugeno.paper.baselines.cone_boosting import Cone, boost_cones
from sugeno.paper.baselines.monotone_labels import monotone_labels

__all__ = ["Condition", "ConeRule", "ConeRules", "MonotoneRuleEnsemble"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Condition:
    """One condition of a rule, in original units.

    Attributes
    ----------
    criterion : int
        Column of the criterion.
    name : str
        Its name.
    at_least : bool
        Whether the value must be at least the level, else at most.
    level : float
        An observed value.

    Examples
    --------
    >>> from sugeno.paper.baselines.more import Condition
    >>> print(Condition(0, "in1", True, 5.0))
    in1 >= 5
    """

    criterion: int
    name: str
    at_least: bool
    level: float

    def holds(self, X: Floats) -> Bools:
        """Tell for which rows the condition holds."""
        column = X[:, self.criterion]
        result: Bools = column >= self.level if self.at_least else column <= self.level
        return result

    def __str__(self) -> str:
        return f"{self.name} {'>=' if self.at_least else '<='} {self.level:.12g}"


@dataclass(frozen=True)
class ConeRule:
    """A rule: rows that meet all conditions get the weight added to their score.

    Attributes
    ----------
    weight : float
        Positive if the conditions ask for good values, negative if they ask for bad ones.
    conditions : tuple of Condition
        At most one per criterion.

    Examples
    --------
    >>> from sugeno.paper.baselines.more import Condition, ConeRule
    >>> print(ConeRule(0.31, (Condition(0, "in1", True, 5.0), Condition(2, "in3", True, 4.0))))
    +0.31 if in1 >= 5 and in3 >= 4
    """

    weight: float
    conditions: tuple[Condition, ...]

    def covers(self, X: Floats) -> Bools:
        """Tell which rows meet all conditions."""
        inside = np.ones(len(X), dtype=np.bool_)
        for condition in self.conditions:
            inside &= condition.holds(X)
        return inside

    def __str__(self) -> str:
        return f"{self.weight:+.2f} if {' and '.join(map(str, self.conditions))}"


class ConeRules(tuple[ConeRule, ...]):
    """The rules of an ensemble; prints as one rule per line.

    Examples
    --------
    >>> from sugeno.paper.baselines.more import Condition, ConeRule, ConeRules
    >>> print(ConeRules([ConeRule(0.5, (Condition(0, "a", True, 2.0),)),
    ...                  ConeRule(-0.5, (Condition(1, "b", False, 1.0),))]))
    +0.50 if a >= 2
    -0.50 if b <= 1
    """

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self))


class MonotoneRuleEnsemble(BinaryBaseline):
    """MORE, an additive ensemble of rules that respects monotonicity [1]_.

    First the labels are made monotone with as little change as possible, by a minimum cut over
    the dominance order of the rows. Then rules are added one at a time to a score: positive ones
    with conditions "at least as good as", negative ones with "at most as good as". Any sum of
    such rules is monotone, so a better row never gets a lower score.

    Parameters
    ----------
    n_rules : int, default=100
        Number of boosting stages. Stages that find the same conditions are merged into one rule.
    learning_rate : float, default=0.5
        Share of the optimal step that each stage takes.
    subsample : float, default=0.5
        Share of the distinct rows that the conditions of a stage are searched on. With 1 nothing
        is random.
    coverage_penalty : float, default=0.1
        Cost of covering a unit of weight. A larger value gives rules that cover less and err
        less often.
    directions : "auto", array-like of shape (n_features,), dict or None, default="auto"
        +1 where higher values speak for the second class, -1 where lower ones do; a dict goes
        from feature names to directions (+1 for others), None is +1 everywhere. "auto" takes the
        sign of a rank statistic per feature, see `sugeno._scales.directions.rank_evidence`.
    random_state : int, RandomState instance or None, default=None
        Draws the subsamples. They are drawn from the distinct rows, so that a repeated row
        equals a row of weight 2.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; the second is the positive one.
    rules_ : ConeRules
        The rules in the order in which they were found; ``print(model.rules_)`` lists them.
    intercept_ : float
        Score of a row that no rule covers.
    relabelled_ : float
        Share of the training weight whose label was changed to make the labels monotone.
    directions_ : ndarray of int of shape (n_features_in_,)
        +1 or -1 per criterion.
    n_features_in_ : int
        Number of criteria seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, when the table had names.

    Notes
    -----
    Making the labels monotone compares all pairs of distinct rows; a stage costs a few passes
    over the table. The settings of the original could not be looked up; these defaults reproduce
    the error rates that the paper on the Sugeno classifier reports for MORE.

    References
    ----------
    .. [1] K. Dembczyński, W. Kotłowski, R. Słowiński: Learning rule ensembles for ordinal
       classification with monotonicity constraints. Fundamenta Informaticae 94 (2009) 163-178.

    Examples
    --------
    >>> from sugeno.paper.baselines import MonotoneRuleEnsemble
    >>> X = [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3], [4, 1]]
    >>> y = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]
    >>> model = MonotoneRuleEnsemble(n_rules=10, subsample=1.0).fit(X, y)
    >>> print(model.rules_)
    -1.87 if x0 <= 2
    +0.31 if x0 >= 3
    +0.73 if x0 >= 3 and x1 >= 2
    +0.62 if x0 >= 4
    >>> model.predict([[2, 9], [5, 1]])
    array([0, 1])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_rules": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "subsample": [Interval(Real, 0, 1, closed="right")],
        "coverage_penalty": [Interval(Real, 0, 1, closed="left")],
        "directions": [StrOptions({"auto"}), "array-like", dict, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        n_rules: int = 100,
        learning_rate: float = 0.5,
        subsample: float = 0.5,
        coverage_penalty: float = 0.1,
        directions: ArrayLike | Mapping[str, int] | str | None = "auto",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_rules = n_rules
        self.learning_rate = learning_rate
        self.subsample = subsample
        self.coverage_penalty = coverage_penalty
        self.directions = directions
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Make the labels monotone, then learn rules.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table of numbers.
        y : array-like of shape (n_samples,)
            Two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows; a weight of 2 equals a row that stands there twice.

        Returns
        -------
        MonotoneRuleEnsemble
            The fitted classifier.
        """
        rows = self._fit_rows(X, y, sample_weight)
        accepted = monotone_labels(rows.places, rows.positive, rows.negative)
        changed = int(np.where(accepted, rows.negative, rows.positive).sum())
        self.relabelled_ = changed / rows.knots.total
        self.intercept_, cones = boost_cones(
            rows.places,
            accepted,
            (rows.positive + rows.negative) / rows.knots.total,
            self._samples(len(rows.places)),
            learning_rate=self.learning_rate,
            coverage_penalty=self.coverage_penalty,
        )
        names = _criterion_names(self)
        self.rules_ = ConeRules(
            _to_rule(cone, weight, rows.knots, names) for cone, weight in cones.items()
        )
        return self

    def _samples(self, n: int) -> Iterator[Places]:
        """Rows to search on at each stage, in canonical order."""
        random = check_random_state(self.random_state)
        size = max(1, round(self.subsample * n))
        for _ in range(self.n_rules):
            yield np.arange(n) if size == n else np.sort(random.permutation(n)[:size])

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the score: intercept plus the weights of the rules that cover a row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the fitted one.

        Returns
        -------
        ndarray of shape (n_samples,)
            Never lower, not even in the last bit, for a row that is better.
        """
        table = self._new_rows(X)
        score = np.full(len(table), self.intercept_)
        for rule in self.rules_:
            score[rule.covers(table)] += rule.weight
        return score

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probabilities of both classes.

        The exponential loss estimates half the log-odds, so these are sigmoids of twice the
        score. They refer to the monotone labels and are more confident than the raw ones allow.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the fitted one.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            One column per entry of ``classes_``.
        """
        log_odds = 2 * self.decision_function(X)
        return np.column_stack([expit(-log_odds), expit(log_odds)])


def _criterion_names(estimator: BinaryBaseline) -> list[str]:
    """Names of the columns, or x0, x1, … when the table had none."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        return [f"x{j}" for j in range(estimator.n_features_in_)]
    return [str(name) for name in names]


def _to_rule(cone: Cone, weight: float, knots: Knots, names: list[str]) -> ConeRule:
    """Write a cone in original units."""
    conditions = []
    for column, place in cone.cuts:
        direction = int(knots.directions[column])
        level = direction * float(knots.values[column][place])
        # Adding zero turns the -0.0 of a decreasing criterion into 0.0.
        conditions.append(Condition(column, names[column], cone.sign * direction > 0, level + 0.0))
    return ConeRule(weight, tuple(conditions))
