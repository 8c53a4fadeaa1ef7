"""What a counterfactual may change, how far, and what that costs.

A change goes to the observed value next to a level, never to the level itself if a value next to
it is known: nobody is told to rise by 1e-5. Costs are whole multiples of a unit, so that their
sums are exact and the order of counterfactuals is the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno.model.form import IMPOSSIBLE
from sugeno.model.naming import as_value, criterion_place

Floats = NDArray[np.float64]
#: Price per step by criterion, or a function of the criterion, its value, and what it becomes.
Cost = Mapping[Any, float] | Callable[[str, Any, Any], float] | None

#: Prices are multiples of the largest one over this.
_RESOLUTION = 2.0**24
#: A key is a price times this, plus this for each criterion, plus its column, up to `_LAST`: of
#: equally cheap changes the one about fewer and earlier criteria comes first.
_PRICE, _CRITERION, _LAST = 2.0**19, 2.0**12, 63.0


@dataclass(frozen=True, eq=False)
class Prices:
    """What it costs each row to change each literal.

    Attributes
    ----------
    keys : ndarray of float64 of shape (n, L)
        Whole numbers, whose sums over the literals of a change order the changes: by price, then
        by the number of criteria, then by their columns; `IMPOSSIBLE` where limits forbid it.
    unit : float
        What one unit of price is worth to the user.
    takes : ndarray of intp of shape (n, L) or None
        The literal to change instead of each, where going further costs less; None if nowhere.
    """

    keys: Floats
    unit: float
    takes: NDArray[np.intp] | None

    def cost(self, key: Floats) -> Floats:
        """Return the price in a key, in the user's units; NaN for an impossible change."""
        price: Floats = np.where(key < IMPOSSIBLE, key // _PRICE * self.unit, math.nan)
        return price

    def row(self, i: int) -> Prices:
        """Prices of one row."""
        takes = None if self.takes is None else self.takes[i : i + 1]
        return Prices(self.keys[i : i + 1], self.unit, takes)


@dataclass(frozen=True, eq=False)
class Limits:
    """Hard limits on counterfactuals, and the price of each step.

    Attributes
    ----------
    literals : Literals
        What can be gained or given up.
    targets : ndarray of float64 of shape (2, L)
        What the criterion becomes to give up each literal (row 1, for accepted rows) or to gain
        it (row 0, for refused ones); NaN where the limits forbid it.
    prices : ndarray of float64 of shape (m,)
        Price per step of each criterion.
    function : callable or None
        Price of a change, in place of the prices.
    bounded : bool
        Whether anything is forbidden, or could be.
    """

    literals: Literals
    targets: Floats
    prices: Floats
    function: Callable[[str, Any, Any], float] | None
    bounded: bool

    @classmethod
    def of(
        cls,
        literals: Literals,
        immutable: Iterable[Any] = (),
        permitted_range: Mapping[Any, tuple[Any, Any]] | None = None,
        cost: Cost = None,
    ) -> Limits:
        """Check limits as a person gives them."""
        criteria = literals.criteria
        low = np.full(len(criteria), -math.inf)
        high = np.full(len(criteria), math.inf)
        for key, bounds in (permitted_range or {}).items():
            j = criterion_place(criteria, key, "permitted_range")
            low[j], high[j] = _bounds(criteria[j], bounds)
        targets = _targets(literals, low, high)
        fixed = [immutable] if isinstance(immutable, str) else list(immutable)
        bounded = bool(fixed or permitted_range)
        # A column without a direction is two criteria of one name, and neither may change.
        kept = {criteria[criterion_place(criteria, key, "immutable")].name for key in fixed}
        places = [j for j, criterion in enumerate(criteria) if criterion.name in kept]
        targets[:, np.isin(literals.columns, places)] = math.nan
        if callable(cost):
            return cls(literals, targets, np.ones(len(criteria)), cost, True)
        prices = np.ones(len(criteria))
        for key, price in (cost or {}).items():
            j = criterion_place(criteria, key, "cost")
            prices[j] = _checked_price(price, criteria[j].name)
        forbidden = np.isinf(prices)
        targets[:, forbidden[literals.columns]] = math.nan
        bounded |= bool(forbidden.any())
        return cls(literals, targets, np.where(forbidden, 0.0, prices), None, bounded)

    @property
    def by_pattern(self) -> bool:
        """Whether prices depend on the literals that a row satisfies, and on nothing else."""
        return self.function is None

    def prices_of(self, state: NDArray[np.bool_], X: Floats, accepted: bool) -> Prices:
        """Price of changing each literal of each row.

        The state marks the literals that can change: those that an accepted row satisfies, those
        that a refused one does not.
        """
        if self.function is None:
            return self._by_steps(state, accepted)
        prices, takes = self._called(state, X, accepted, self.function)
        unit = _unit(float(prices[np.isfinite(prices)].max(initial=0.0)))
        return Prices(np.where(state, self._keys(prices, unit), 0.0), unit, takes)

    def _keys(self, prices: Floats, unit: float) -> Floats:
        """Keys of prices that have a column per literal; infinite ones are impossible."""
        possible = np.isfinite(prices)
        whole = np.rint(np.where(possible, prices, 0.0) / unit) * _PRICE + self._ranks
        return np.where(possible, whole, IMPOSSIBLE)

    def _by_steps(self, state: NDArray[np.bool_], accepted: bool) -> Prices:
        """Prices by the number of levels crossed: a table of a few keys for each literal."""
        most = max(self.literals.chains.sizes)
        unit = _unit(float(self.prices.max(initial=0.0)) * most)
        rises = np.arange(most + 1.0)[:, None] * self.prices[self.literals.columns]
        allowed = ~np.isnan(self.targets[int(accepted)])
        table = self._keys(np.where(allowed, rises, math.inf), unit).T.copy()
        steps, crossed = self._steps(state, accepted), self._crossed[int(accepted)].tolist()
        keys = np.empty(state.shape[::-1])
        for literal, has in enumerate(np.ascontiguousarray(state.T)):
            np.multiply(table[literal].take(steps[crossed[literal]]), has, out=keys[literal])
        return Prices(np.ascontiguousarray(keys.T), unit, None)

    def _steps(self, state: NDArray[np.bool_], accepted: bool) -> NDArray[np.intp]:
        """Number of levels crossed up to each literal, of shape (L, n)."""
        steps = np.ascontiguousarray(state.T).astype(np.intp)
        ends = np.cumsum(self.literals.chains.sizes).tolist()
        for start, end in zip([0, *ends[:-1]], ends):
            # Of an accepted row from the strongest literal down.
            part = steps[start:end][::-1] if accepted else steps[start:end]
            for here, before in zip(part[1:], part):
                here += before
        return steps

    @cached_property
    def _ranks(self) -> Floats:
        """What a change of each literal adds to a key beside its price."""
        columns = self.literals.columns
        last = max(len(self.literals.criteria) - 1.0, _LAST)
        ranks: Floats = _CRITERION + np.floor(columns * (_LAST / last))
        return ranks

    @cached_property
    def _crossed(self) -> NDArray[np.intp]:
        """The last literal that changes on the way to each target; a range may lie further off."""
        columns = self.literals.columns
        signs = self.literals.directions[columns]
        same = columns[:, None] == columns
        last = np.tile(np.arange(columns.size), (2, 1))
        for accepted, targets in enumerate(self.targets):
            for literal in np.flatnonzero(~np.isnan(targets)).tolist():
                reached = (targets[literal] - self.literals.levels) * signs >= 0
                crossed = np.flatnonzero(same[literal] & (reached != bool(accepted)))
                last[accepted, literal] = crossed[0] if accepted else crossed[-1]
        return last

    def _called(
        self,
        state: NDArray[np.bool_],
        X: Floats,
        accepted: bool,
        function: Callable[[str, Any, Any], float],
    ) -> tuple[Floats, NDArray[np.intp]]:
        """Ask the function of the user, once for each value and literal that occur.

        To go further than a literal asks for may be cheaper, or allowed where the nearer step is
        not; so each literal has the least price of all that go as far.
        """
        prices = np.full(state.shape, math.inf)
        takes = np.tile(np.arange(state.shape[1]), (len(state), 1))
        columns = self.literals.columns.tolist()
        order = range(len(columns)) if accepted else range(len(columns) - 1, -1, -1)
        for literal in order:
            j, target = columns[literal], self.targets[int(accepted), literal]
            rows = np.flatnonzero(state[:, literal])
            if not math.isnan(target):
                prices[rows, literal] = self._asked(X[rows, j], j, target, function)
            further = literal - 1 if accepted else literal + 1
            if 0 <= further < len(columns) and columns[further] == j:
                cheaper = rows[prices[rows, further] < prices[rows, literal]]
                prices[cheaper, literal] = prices[cheaper, further]
                takes[cheaper, literal] = takes[cheaper, further]
        return prices, takes

    def _asked(
        self, values: Floats, j: int, target: float, function: Callable[[str, Any, Any], float]
    ) -> Floats:
        criterion = self.literals.criteria[j]
        after = given_value(criterion, target)
        distinct, place = np.unique(values, return_inverse=True)
        before = [given_value(criterion, value) for value in distinct.tolist()]
        asked = [function(criterion.name, value, after) for value in before]
        checked = [_checked_price(price, criterion.name) for price in asked]
        return np.array(checked, dtype=np.float64)[place]


def given_value(criterion: Criterion, value: float) -> Any:
    """Return a value as the user gave it: a number, a label, a code, or None if it is missing."""
    gap = criterion.gap_at(value)
    if gap is not None or math.isnan(value):
        return None if gap is None else gap.code
    return value if criterion.labels is None else criterion.labels[int(value)]


def _unit(largest: float) -> float:
    """What one unit of price is worth, given the largest price."""
    return 2.0 ** math.frexp(largest)[1] / _RESOLUTION if largest > 0 else 1.0


def _checked_price(price: Any, name: str) -> float:
    number = float(price)
    if not number >= 0:
        raise ValueError(
            f"cost of {name!r} must be a number of at least 0 (infinite to forbid a change). "
            f"Got {price!r} instead."
        )
    return number


def _bounds(criterion: Criterion, bounds: tuple[Any, Any]) -> tuple[float, float]:
    """Read a permitted range; None leaves an end open."""
    try:
        low, high = bounds
    except (TypeError, ValueError):
        raise ValueError(
            f"permitted_range of {criterion.name!r} must be a pair (lowest, highest), None for an "
            f"open end. Got {bounds!r} instead."
        ) from None
    first = -math.inf if low is None else as_value(criterion, low, "permitted_range")
    last = math.inf if high is None else as_value(criterion, high, "permitted_range")
    if first > last:
        raise ValueError(
            f"permitted_range of {criterion.name!r} must begin with its lowest value. "
            f"Got {bounds!r} instead; swap the two."
        )
    return first, last


def _targets(literals: Literals, low: Floats, high: Floats) -> Floats:
    """Value nearest to the observed one that gains or gives up each literal within a range."""
    signs = literals.directions[literals.columns].astype(np.float64)
    # All criteria as if more were better.
    level = signs * literals.levels
    ends = signs * low[literals.columns], signs * high[literals.columns]
    lowest, highest = np.minimum(*ends), np.maximum(*ends)
    labelled = np.array(
        [literals.criteria[j].labels is not None for j in literals.columns.tolist()], dtype=bool
    )
    reach = np.where(labelled, np.ceil(level), level)
    better, worse = (signs * each for each in _values_beside(literals))
    up = np.where(np.isfinite(better) & ~labelled, better, reach)
    below = np.where(labelled, reach - 1.0, np.nextafter(level, -math.inf))
    down = np.where(np.isfinite(worse) & ~labelled, worse, below)
    gained, given_up = np.clip(up, lowest, highest), np.clip(down, lowest, highest)
    gained[~((gained >= level) & np.isfinite(gained))] = math.nan
    given_up[~((given_up < level) & np.isfinite(given_up))] = math.nan
    targets = np.stack([gained, given_up]) * signs
    last = np.array(
        [len(literals.criteria[j].labels or ()) - 1.0 for j in literals.columns.tolist()]
    )
    targets[:, labelled] = np.where(
        (targets[:, labelled] < 0) | (targets[:, labelled] > last[labelled]),
        math.nan,
        targets[:, labelled],
    )
    for literal, j in enumerate(literals.columns.tolist()):
        criterion, sign = literals.criteria[j], float(signs[literal])
        if criterion.gaps and criterion.labels is None:  # nobody is told to have no value
            ways = (sign * math.inf, -sign * math.inf)
            free = [criterion.first_value(x, w) for x, w in zip(targets[:, literal].tolist(), ways)]
            targets[:, literal] = free
        if criterion.places is not None:
            targets[:, literal] = _labels_beside(literals, literal, float(low[j]), float(high[j]))
    return targets + 0.0  # no negative zeros


def _values_beside(literals: Literals) -> tuple[Floats, Floats]:
    """Values on both sides of each level that a cell can have; NaN where none is known.

    The places of cells without a value are nothing that could be reached or fallen to.
    """
    pairs = zip(literals.columns.tolist(), literals.worse.tolist(), literals.better.tolist())
    found = [literals.criteria[j].values_beside(worse, better) for j, worse, better in pairs]
    worse, better = np.array(found, dtype=np.float64).reshape(-1, 2).T
    return better, worse


def _labels_beside(literals: Literals, literal: int, low: float, high: float) -> list[float]:
    """Places of the nearest labels that gain and give up a literal of a category.

    A missing cell and a label that training never saw are not proposed.
    """
    criterion = literals.criteria[int(literals.columns[literal])]
    level, sign = float(literals.levels[literal]), criterion.direction
    places = [place for place in criterion.places or () if low <= place <= high]
    gained = [place for place in places if criterion.reaches(place, level)]
    given_up = [place for place in places if not criterion.reaches(place, level)]
    return [
        sign * min((sign * place for place in gained), default=math.nan),
        sign * max((sign * place for place in given_up), default=math.nan),
    ]
