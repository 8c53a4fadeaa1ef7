"""MORE: monotone rule ensembles (Dembczyński, Kotłowski, Słowiński 2009).

Its learner boosts cone rules. A *cone* is a set of rows that contains with a row every better one
(an upper cone) or every worse one (a lower cone), given by at most one cut per column. Rules on
upper cones add to the score, rules on lower cones take from it, hence the sum is monotone. Each
stage weights the rows by the exponential loss, grows one cone of either kind cut by cut, and keeps
the better one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from sugeno._scales.knots import Knots
from sugeno._sklearn import Interval, StrOptions, fit_context
from sugeno.paper.baselines.base import BinaryBaseline
from sugeno.solvers.flow import optimal_closures
from sugeno.solvers.order import dominance_pairs

__all__ = [
    "Condition",
    "Cone",
    "ConeRule",
    "ConeRules",
    "Cuts",
    "MonotoneRuleEnsemble",
    "boost_cones",
    "grow_cone",
    "monotone_labels",
]


#: Scores are sums of weights that add up to 1; a smaller gain is rounding.
_NO_GAIN = 1e-12


@dataclass(frozen=True)
class Cone:
    """An upper or a lower cone.

    Attributes
    ----------
    sign : {1, -1}
        +1 for an upper cone, -1 for a lower one.
    cuts : tuple of (column, place)
        In an upper cone the rows reach the place in the column, in a lower one do not exceed it.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.more import Cone
    >>> Cone(1, ((0, 2),)).covers(np.array([[1, 5], [2, 0]]))
    array([False,  True])
    """

    sign: int
    cuts: tuple[tuple[int, int], ...]

    def covers(self, places: Places) -> Bools:
        """Tell which rows lie in the cone."""
        inside = np.ones(len(places), dtype=np.bool_)
        for column, place in self.cuts:
            inside &= _reaches(places[:, column], place, self.sign)
        return inside


@dataclass(frozen=True)
class Cuts:
    """All cuts of all columns, numbered in one range.

    Cut number ``offsets[j] + p`` is place p of column j.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.more import Cuts
    >>> cuts = Cuts(np.array([2, 3]))
    >>> cuts.column, cuts.first, cuts.last
    (array([0, 0, 1, 1, 1]), array([0, 0, 2, 2, 2]), array([1, 1, 4, 4, 4]))
    """

    sizes: Places

    @cached_property
    def offsets(self) -> Places:
        """Number of the first cut of each column."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def column(self) -> Places:
        """Column of each cut."""
        return np.repeat(np.arange(self.sizes.size), self.sizes)

    @cached_property
    def first(self) -> Places:
        """Number of the first cut in the column of each cut."""
        return self.offsets[self.column]

    @cached_property
    def last(self) -> Places:
        """Number of the last cut in the column of each cut."""
        return self.first + self.sizes[self.column] - 1

    def gains(self, numbers: Places, gain: Floats, sign: int) -> Floats:
        """Total gain of the rows that remain after each cut.

        One histogram over all columns and one cumulative sum.
        """
        spread = np.repeat(gain, numbers.shape[1])
        cuts = self.column.size
        at = np.asarray(np.bincount(numbers.ravel(), spread, cuts), dtype=np.float64)
        up_to = np.cumsum(at)
        if sign > 0:
            return up_to[self.last] - up_to + at
        return up_to - up_to[self.first] + at[self.first]


def grow_cone(numbers: Places, gain: Floats, sign: int, cuts: Cuts) -> tuple[float, Cone]:
    """Grow a cone greedily: take the cut with the largest gain until none helps.

    Parameters
    ----------
    numbers : ndarray of shape (n, m)
        Number of the cut at which each entry lies.
    gain : ndarray of shape (n,)
        What it is worth to cover each row; scaled to about 1 in total.
    sign : {1, -1}
        +1 for an upper cone, -1 for a lower one.
    cuts : Cuts
        The numbering.

    Returns
    -------
    score : float
        Gain of all covered rows.
    cone : Cone
        The cone; without cuts when covering everything is best.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.more import Cuts, grow_cone
    >>> numbers = np.array([[0, 2], [1, 3], [1, 2]])
    >>> grow_cone(numbers, np.array([-0.3, 0.5, -0.2]), 1, Cuts(np.array([2, 2])))
    (0.5, Cone(sign=1, cuts=((1, 1),)))
    """
    score = float(gain.sum())
    chosen: dict[int, int] = {}
    while True:
        gains = cuts.gains(numbers, gain, sign)
        best = int(np.argmax(gains))
        if gains[best] <= score + _NO_GAIN:
            break
        score, column = float(gains[best]), int(cuts.column[best])
        chosen[column] = best - int(cuts.offsets[column])
        inside = _reaches(numbers[:, column], best, sign)
        numbers, gain = numbers[inside], gain[inside]
    return score, Cone(sign, tuple(sorted(chosen.items())))


def boost_cones(
    places: Places,
    accepted: Bools,
    weight: Floats,
    samples: Iterator[Places],
    *,
    learning_rate: float,
    coverage_penalty: float,
) -> tuple[float, dict[Cone, float]]:
    """Fit an additive score of cone rules by stagewise minimisation of the exponential loss.

    Stage t has weights ``v_i ∝ w_i exp(-y_i F(x_i))``. On a sample of the rows it grows the cone
    of largest ``V+ - V- - coverage_penalty * (V+ + V-)``, where V+ and V- are the weights of the
    covered rows of its own and of the other class. On all rows the rule then gets the weight
    ``learning_rate / 2 * log((V+ + e) / (V- + e))`` with e = 1 / D.

    Parameters
    ----------
    places : ndarray of shape (D, m)
        Distinct rows; more is better.
    accepted : ndarray of bool of shape (D,)
        Their monotone labels.
    weight : ndarray of shape (D,)
        Their weights, which add up to 1.
    samples : iterator over ndarray of intp
        The rows to grow the cone of each stage on.
    learning_rate : float
        Share of the optimal step that is taken.
    coverage_penalty : float
        What it costs to cover a unit of weight.

    Returns
    -------
    intercept : float
        Score of a row that no rule covers.
    rules : dict from Cone to float
        Weight of each cone: positive for upper, negative for lower ones.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.more import boost_cones
    >>> places = np.array([[0], [1], [2]])
    >>> weight = np.full(3, 1 / 3)
    >>> _, rules = boost_cones(places, np.array([False, False, True]), weight,
    ...     iter([np.arange(3)]), learning_rate=1.0, coverage_penalty=0.1)
    >>> [cone.cuts for cone in rules]
    [((0, 1),)]
    """
    label = np.where(accepted, 1.0, -1.0)
    cuts = Cuts(places.max(axis=0) + 1)
    numbers = places + cuts.offsets
    smooth = 1 / len(places)
    share = float(weight[accepted].sum())
    intercept = 0.5 * float(np.log((share + smooth) / (1 - share + smooth)))
    score = np.full(len(places), intercept)
    rules: dict[Cone, float] = {}
    for sample in samples:
        pull = _pull(label, weight, score)
        cone = _best_cone(numbers[sample], label[sample], pull[sample], coverage_penalty, cuts)
        if cone is None:
            continue
        inside = cone.covers(places)
        step = learning_rate * _half_log_odds(pull[inside], label[inside] * cone.sign, smooth)
        # A cone that fits its sample may be wrong on all rows; it must not break monotonicity.
        if step > 0:
            rules[cone] = rules.get(cone, 0.0) + cone.sign * step
            score[inside] += cone.sign * step
    return intercept, rules


def _reaches(column: Places, place: int, sign: int) -> Bools:
    """Tell which entries lie on the side of a place that a cone takes."""
    inside: Bools = column >= place if sign > 0 else column <= place
    return inside


def _pull(label: Floats, weight: Floats, score: Floats) -> Floats:
    """Weights of the rows under the exponential loss, adding up to 1."""
    exponent = -label * score
    # Only ratios matter, and the largest exponent must not overflow.
    pull = weight * np.exp(exponent - exponent.max())
    normalised: Floats = pull / pull.sum()
    return normalised


def _best_cone(
    numbers: Places, label: Floats, pull: Floats, coverage_penalty: float, cuts: Cuts
) -> Cone | None:
    """Grow an upper and a lower cone, keep the one that scores higher; None if neither has cuts."""
    pull = pull / pull.sum()
    best, best_score = None, -np.inf
    for sign in (1, -1):
        score, cone = grow_cone(numbers, pull * (sign * label - coverage_penalty), sign, cuts)
        if cone.cuts and score > best_score:
            best, best_score = cone, score
    return best


def _half_log_odds(pull: Floats, agreement: Floats, smooth: float) -> float:
    """Best step of a rule under the exponential loss, smoothed."""
    right, wrong = pull[agreement > 0].sum(), pull[agreement < 0].sum()
    return 0.5 * float(np.log((right + smooth) / (wrong + smooth)))


Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
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

    First the labels are made monotone with as little change as possible, by a minimum cut over the
    dominance order of the rows. Then rules are added to a score, one at a time. Positive ones have
    conditions "at least as good as", negative ones "at most as good as". Any sum of such rules is
    monotone, so a better row never gets a lower score.

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
        +1 where higher values speak for the second class, -1 where lower ones do. A dict goes from
        feature names to directions (+1 for others), None is +1 everywhere. "auto" takes the sign of
        a rank statistic per feature, see `sugeno._scales.directions.rank_evidence`.
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
    Making the labels monotone compares all pairs of distinct rows; a stage costs a few passes over
    the table. The settings of the original could not be looked up. These defaults reproduce the
    error rates that the paper on the Sugeno classifier reports for MORE.

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

    _log_odds_of_score = 2.0
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

        The exponential loss estimates half the log-odds. They are those of the monotone labels,
        and more confident than the raw ones allow.

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


def monotone_labels(places: Places, positive: Ints, negative: Ints) -> Bools:
    """Return the monotone labels with the smallest weight of rows that get the other class.

    A row dominates another when it is at least as good in every column. Labels are monotone when no
    rejected row dominates an accepted one. Those of least change are a maximum closure, found by
    one minimum cut.

    Of several solutions the one that accepts fewest rows is taken: they form a lattice, so there
    is a smallest. Only rows in conflict enter the cut; the others keep their majority.

    Parameters
    ----------
    places : ndarray of shape (D, m)
        Distinct rows; more is better in every column.
    positive, negative : ndarray of int64 of shape (D,)
        Weight of either class at each row.

    Returns
    -------
    ndarray of bool of shape (D,)
        Whether a row is accepted.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.more import monotone_labels
    >>> rows = np.array([[0], [1], [2]])
    >>> monotone_labels(rows, np.array([3, 0, 4]), np.array([0, 2, 0]))
    array([ True,  True,  True])
    """
    net = positive - negative
    accepted = net > 0
    wanted, unwanted = np.flatnonzero(net > 0), np.flatnonzero(net < 0)
    i, j = dominance_pairs(places[wanted], places[unwanted])
    if i.size:
        tails, heads = wanted[i], unwanted[j]
        nodes = np.unique(np.concatenate([tails, heads]))
        arcs = np.searchsorted(nodes, tails), np.searchsorted(nodes, heads)
        accepted[nodes] = optimal_closures(net[nodes], *arcs).minimal
    # A row without net weight is accepted only if it must be.
    idle = np.flatnonzero(net == 0)
    accepted[idle[dominance_pairs(places[accepted], places[idle])[1]]] = True
    return accepted
