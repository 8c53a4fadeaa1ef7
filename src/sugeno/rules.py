"""The readable model: rules in original units, equation (6) of the paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array

from sugeno.lattice import spread_up
from sugeno.literals import satisfied
from sugeno.patterns import (
    TABLE_LITERALS,
    Masks,
    Patterns,
    contains_any,
    is_subset,
    minimal,
    pack,
    unpack,
)

__all__ = ["RuleSet"]

#: Longer texts are broken into one rule per line.
_LINE = 88
#: A representation (not a text) shows so many rules.
_SHOWN = 20
#: Rules times patterns that are compared in one go.
_BLOCK = 1 << 22


def literal_text(name: str, level: float, direction: int, whole: bool) -> str:
    """Write a literal such as ``price <= 3``.

    A level that lies just beyond a short number is written with a strict sign, because rounding
    it would say the opposite. Where all values are whole numbers, the whole bound is written.

    Examples
    --------
    >>> from sugeno.rules import literal_text
    >>> literal_text("price", 3.4, -1, whole=True), literal_text("speed", 7.25, 1, whole=False)
    ('price <= 3', 'speed >= 7.25')
    """
    sign = ">" if direction > 0 else "<"
    if whole and math.isfinite(level):
        return f"{name} {sign}= {math.ceil(level) if direction > 0 else math.floor(level)}"
    before = math.nextafter(level, -direction * math.inf)
    if not _is_short(level) and _is_short(before):
        return f"{name} {sign} {before:.6g}"
    return f"{name} {sign}= {level:.6g}"


def _is_short(number: float) -> bool:
    return float(f"{number:.6g}") == number


class RuleSet:
    """An "or" of rules, each an "and" of literals ``criterion reaches level``.

    Equation (6): a Sugeno classifier accepts a row if and only if the row satisfies all literals
    of at least one boundary set. Rule sets are immutable.

    Parameters
    ----------
    sets : iterable of iterables of int
        The boundary sets: indices of literals. Supersets of other sets are redundant and left
        out.
    levels : array-like of shape (L,)
        Level of each literal in original units.
    criteria : sequence of str, optional
        Names of the m criteria. Default: as many as there are literals, called x0, x1, ….
    directions : array-like of shape (m,), optional
        -1 for criteria of which less is better; default all +1.
    literal_criteria : array-like of shape (L,), optional
        Criterion of each literal; by default literal j speaks about criterion j.
    whole : array-like of bool of shape (m,), optional
        Criteria whose values are whole numbers; only used to print whole bounds.
    training : Patterns, optional
        Patterns of the training rows, from which the table takes support and precision.

    Examples
    --------
    >>> from sugeno.rules import RuleSet
    >>> names = ["interview", "experience", "references"]
    >>> rules = RuleSet([{0, 1}, {2}], [6, 4, 7], criteria=names)
    >>> print(rules)
    accept if references >= 7, or interview >= 6 and experience >= 4
    >>> rules.predict([[6, 4, 1], [5, 4, 6], [1, 1, 8]])
    array([ True, False,  True])
    """

    def __init__(
        self,
        sets: Iterable[Iterable[int]],
        levels: ArrayLike,
        *,
        criteria: Sequence[str] | None = None,
        directions: ArrayLike | None = None,
        literal_criteria: ArrayLike | None = None,
        whole: ArrayLike | None = None,
        training: Patterns | None = None,
    ) -> None:
        bounds = np.array(levels, dtype=np.float64)
        self._assign(
            _pack_sets(sets, bounds.size),
            bounds,
            None if criteria is None else tuple(criteria),
            directions,
            literal_criteria,
            whole,
            training,
        )

    @classmethod
    def from_masks(
        cls,
        masks: Masks,
        levels: NDArray[np.float64],
        *,
        criteria: Sequence[str] | None = None,
        directions: ArrayLike | None = None,
        literal_criteria: ArrayLike | None = None,
        whole: ArrayLike | None = None,
        training: Patterns | None = None,
    ) -> RuleSet:
        """Build from packed boundary sets that are known to be an antichain.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno.rules import RuleSet
        >>> print(RuleSet.from_masks(np.array([[3]], np.uint64), np.array([0.5, 2.0])))
        accept if x0 >= 0.5 and x1 >= 2
        """
        self = cls.__new__(cls)
        names = None if criteria is None else tuple(criteria)
        self._assign(masks, levels, names, directions, literal_criteria, whole, training)
        return self

    def _assign(
        self,
        masks: Masks,
        levels: NDArray[np.float64],
        criteria: tuple[str, ...] | None,
        directions: ArrayLike | None,
        literal_criteria: ArrayLike | None,
        whole: ArrayLike | None,
        training: Patterns | None,
    ) -> None:
        m = levels.size if criteria is None else len(criteria)
        self._columns = None if literal_criteria is None else np.array(literal_criteria, np.intp)
        if self._columns is None and m != levels.size:
            raise ValueError(
                f"levels must hold one level for each of the {m} criteria. Got {levels.size} "
                "instead; name the criterion of each literal in literal_criteria."
            )
        self._masks = masks
        self._levels = levels
        self._named = criteria is not None
        self._criteria = tuple(f"x{j}" for j in range(m)) if criteria is None else criteria
        self._directions = np.ones(m, np.int8) if directions is None else np.array(directions)
        self._whole = np.zeros(m, np.bool_) if whole is None else np.array(whole)
        self._training = training
        self._table: NDArray[np.bool_] | None = None

    @property
    def criteria(self) -> tuple[str, ...]:
        """Names of the criteria."""
        return self._criteria

    @property
    def directions(self) -> NDArray[Any]:
        """+1 where more is better, -1 where less is; one per criterion."""
        return self._directions.copy()

    @property
    def levels(self) -> NDArray[np.float64]:
        """Level of each literal, in original units: the numbers that predict."""
        return self._levels.copy()

    @property
    def literal_criteria(self) -> NDArray[np.intp]:
        """Index of the criterion of each literal."""
        if self._columns is None:
            return np.arange(self.n_literals)
        return self._columns.copy()

    @property
    def n_literals(self) -> int:
        """Number of literals that rules may use."""
        return self._levels.size

    @property
    def masks(self) -> Masks:
        """The boundary sets, packed; one row per rule."""
        return self._masks.copy()

    @property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The boundary sets as tuples of literal indices."""
        members = unpack(self._masks, self.n_literals)
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in members)

    @property
    def literals(self) -> tuple[str, ...]:
        """Text of each literal."""
        return tuple(
            literal_text(
                self._criteria[j], float(level), int(self._directions[j]), bool(self._whole[j])
            )
            for j, level in zip(self.literal_criteria, self._levels)
        )

    def __len__(self) -> int:
        return len(self._masks)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the rules as texts such as ``interview >= 6 and experience >= 4``."""
        literals = self.literals
        for members in self.sets:
            yield " and ".join(literals[j] for j in members) or "always"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleSet):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        """Everything that decides what a rule set accepts and how it reads."""
        return (
            self._criteria,
            tuple(self._directions.tolist()),
            tuple(self._levels.tolist()),
            tuple(self.literal_criteria.tolist()),
            tuple(self._whole.tolist()),
            tuple(map(tuple, self._masks.tolist())),
        )

    def __str__(self) -> str:
        return _sentence(list(self))

    def __repr__(self) -> str:
        rules = list(self)
        hidden = len(rules) - _SHOWN
        text = _sentence(rules[:_SHOWN])
        return text if hidden <= 0 else f"{text}, or\n  … {hidden} more rules"

    def _repr_html_(self) -> str:
        records = self.to_records()[:_SHOWN]
        head = "".join(f"<th>{escape(name)}</th>" for name in (records or [{"rule": 0}])[0])
        rows = "".join(
            "<tr>" + "".join(f"<td>{_html_cell(value)}</td>" for value in record.values()) + "</tr>"
            for record in records or [{"rule": "accept never"}]
        )
        hidden = len(self) - len(records)
        caption = f"<caption>… {hidden} more rules</caption>" if hidden else ""
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def predict(self, X: Any) -> NDArray[np.bool_]:
        """Tell which rows are accepted, from values in original units.

        Parameters
        ----------
        X : array-like, pandas or polars frame of shape (n, m)
            Finite numbers. From a frame the criteria are taken by name.

        Returns
        -------
        ndarray of bool of shape (n,)
            True where at least one rule holds.

        Examples
        --------
        >>> from sugeno.rules import RuleSet
        >>> RuleSet([{0}], [3], criteria=["price"], directions=[-1]).predict([[3], [3.5]])
        array([ True, False])
        """
        if self._named and hasattr(X, "columns"):
            X = self._select(X)
        values = check_array(X, input_name="X", ensure_all_finite=False)
        if values.shape[1] != len(self._criteria):
            raise ValueError(
                f"X must have {len(self._criteria)} columns, one per criterion "
                f"({', '.join(self._criteria)}). Got {values.shape[1]} instead."
            )
        return self.accepts(self.satisfied(values))

    def _select(self, X: Any) -> Any:
        missing = [name for name in self._criteria if name not in list(X.columns)]
        if missing:
            raise ValueError(
                f"X must have a column for each criterion. Got none for {missing} instead; "
                f"the columns are {list(X.columns)}."
            )
        return X[list(self._criteria)]

    def satisfied(self, values: NDArray[Any]) -> Masks:
        """Return the packed set of literals that each row of a plain array satisfies.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno.rules import RuleSet
        >>> RuleSet([{0}], [3, 5]).satisfied(np.array([[4.0, 6.0]]))
        array([[3]], dtype=uint64)
        """
        directions = self._directions
        if self._columns is not None:
            directions = directions[self._columns]
        return satisfied(values, self._levels, directions, self._columns, check_finite=True)

    def accepts(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which packed sets of literals contain a boundary set.

        Up to 20 literals the verdicts on all sets are tabulated as soon as that pays.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno.rules import RuleSet
        >>> RuleSet([{0, 1}], [3, 5]).accepts(np.array([[3], [2]], np.uint64))
        array([ True, False])
        """
        if self.n_literals <= TABLE_LITERALS and len(masks) >> 4 >= (1 << self.n_literals) >> 12:
            return self._verdicts().take(masks[:, 0].view(np.int64))
        return contains_any(masks, self._masks)

    def _verdicts(self) -> NDArray[np.bool_]:
        """Verdict on each set of literals, computed once."""
        if self._table is None:
            table = np.zeros(1 << self.n_literals, dtype=np.bool_)
            table[self._masks[:, 0].astype(np.intp)] = True
            self._table = spread_up(table, np.logical_or)
        return self._table

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_table": None}

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per rule.

        Keys: ``rule`` (text), ``size`` (number of literals) and, when the training patterns are
        known, ``support`` (weight of the training rows that satisfy the rule) and ``precision``
        (share of that weight which is positive; NaN without support).

        Examples
        --------
        >>> from sugeno.rules import RuleSet
        >>> RuleSet([{0}], [3]).to_records()
        [{'rule': 'x0 >= 3', 'size': 1}]
        """
        records: list[dict[str, Any]] = [
            {"rule": text, "size": len(members)} for text, members in zip(self, self.sets)
        ]
        if self._training is not None:
            positive, negative = self._coverage(self._training)
            for record, right, wrong in zip(records, positive, negative):
                record["support"] = (right + wrong) * self._training.unit
                record["precision"] = right / (right + wrong) if right + wrong else math.nan
        return records

    def _coverage(self, training: Patterns) -> tuple[list[int], list[int]]:
        """Positive and negative weight of the training rows that each rule covers."""
        positive: list[int] = []
        negative: list[int] = []
        step = max(1, _BLOCK // max(1, len(training.masks)))
        for start in range(0, len(self), step):
            covered = is_subset(self._masks[start : start + step], training.masks)
            positive += [int(training.positive[row].sum()) for row in covered]
            negative += [int(training.negative[row].sum()) for row in covered]
        return positive, negative

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """Return the table of rules as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Which library's frame; it must be installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row per rule with the columns of `to_records`.

        Examples
        --------
        >>> from sugeno.rules import RuleSet
        >>> RuleSet([{0, 1}], [3, 5]).to_frame()
                            rule  size
        0  x0 >= 3 and x1 >= 5     2
        """
        import narwhals

        records = self.to_records()
        names = ["rule", "size"] + ["support", "precision"] * (self._training is not None)
        columns = {name: [record[name] for record in records] for name in names}
        return narwhals.from_dict(columns, backend=backend).to_native()


def _pack_sets(sets: Iterable[Iterable[int]], n_literals: int) -> Masks:
    """Pack sets of literal indices, and keep the minimal ones."""
    members = [list(rule) for rule in sets]
    bits = np.zeros((len(members), n_literals), dtype=np.bool_)
    for row, rule in zip(bits, members):
        outside = [j for j in rule if not 0 <= j < n_literals]
        if outside:
            raise ValueError(
                f"A rule must consist of literals 0 to {n_literals - 1}. Got {outside} instead."
            )
        row[rule] = True
    return minimal(pack(bits))


def _sentence(rules: list[str]) -> str:
    """Join rules into one sentence, over several lines if it is long."""
    if not rules:
        return "accept never"
    if rules == ["always"]:
        return "accept always"
    line = "accept if " + ", or ".join(rules)
    if len(line) <= _LINE:
        return line
    return "accept if\n  " + ", or\n  ".join(rules)


def _html_cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else escape(str(value))
