"""The readable model: rules in original units, equation (6) of the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array

from sugeno._scales.columns import place_columns, select_columns
from sugeno._scales.criterion import criteria_of
from sugeno._scales.directions import given_directions
from sugeno._scales.literals import Literals
from sugeno._sets.chains import spread_up
from sugeno._sets.masks import Masks, contains_any, meets_all, minimal, pack, unpack
from sugeno._sets.transversals import minimal_transversals
from sugeno.model.support import Support
from sugeno.model.text import heading, html_table, sentence

__all__ = ["RuleSet"]

Form = Literal["dnf", "cnf"]

#: A representation (not a text) shows so many rules.
_SHOWN = 20


class RuleSet:
    """An "or" of rules, each an "and" of literals ``criterion reaches level``; or the reverse.

    Equation (6): a Sugeno classifier accepts a row if and only if the row satisfies all literals
    of at least one boundary set. That is the disjunctive form. The conjunctive form says the same
    the other way round, sometimes in fewer words: a row is accepted if it satisfies at least one
    literal of every clause. Rule sets are immutable.

    Parameters
    ----------
    sets : iterable of iterables of int
        The rules: indices of literals. Literals that others of the rule imply, and rules that
        others imply, are redundant and left out.
    levels : array-like of shape (L,)
        Level of each literal in original units.
    criteria : sequence of str, optional
        Names of the m criteria. Default: as many as there are literals, called x0, x1, ….
    directions : array-like of shape (m,), optional
        -1 for criteria of which less is better; default all +1.
    literal_criteria : array-like of shape (L,), optional
        Criterion of each literal, ascending; by default literal j speaks about criterion j. The
        levels of a criterion must get harder to reach.
    label : object, optional
        The label that accepted rows get. The text names it, unless it means yes.
    form : {"dnf", "cnf"}, default="dnf"
        Whether a row has to satisfy all literals of one set, or one literal of all sets.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> names = ["interview", "experience", "references"]
    >>> rules = RuleSet([{0, 1}, {2}], [6, 4, 7], criteria=names)
    >>> print(rules)
    accept if references >= 7, or interview >= 6 and experience >= 4
    >>> rules.predict([[6, 4, 1], [5, 4, 6], [1, 1, 8]])
    array([ True, False,  True])
    >>> print(RuleSet([{0, 1}, {2}], [6, 4, 7], criteria=names, form="cnf"))
    accept if references >= 7 and (interview >= 6 or experience >= 4)
    """

    def __init__(
        self,
        sets: Iterable[Iterable[int]],
        levels: ArrayLike,
        *,
        criteria: Sequence[str] | None = None,
        directions: ArrayLike | None = None,
        literal_criteria: ArrayLike | None = None,
        label: object = None,
        form: Form = "dnf",
    ) -> None:
        if form not in ("dnf", "cnf"):
            raise ValueError(f"form must be 'dnf' or 'cnf'. Got {form!r} instead.")
        literals = _literals(levels, criteria, directions, literal_criteria)
        masks = _pack_sets(sets, literals.levels.size)
        if form == "dnf":
            masks = minimal(literals.chains.closed(masks))
        else:
            masks = literals.chains.weakest(minimal(literals.chains.raised(masks)))
        self._assign(masks, literals, label, None, form)
        self._named = criteria is not None

    @classmethod
    def from_masks(
        cls,
        masks: Masks,
        literals: Literals,
        *,
        named: bool = False,
        label: object = None,
        support: Support | None = None,
        form: Form = "dnf",
    ) -> RuleSet:
        """Build from packed sets that are known to be an antichain.

        Boundary sets with all literals that they imply, or clauses without those that imply
        others of the clause.
        """
        self = cls.__new__(cls)
        self._assign(masks, literals, label, support, form)
        self._named = named
        return self

    def _assign(
        self,
        masks: Masks,
        literals: Literals,
        label: object,
        support: Support | None,
        form: Form,
    ) -> None:
        self._masks = masks
        self._form = form
        self._literals = literals
        self._label = label
        self._support = support
        self._table: NDArray[np.bool_] | None = None

    @property
    def criteria(self) -> tuple[str, ...]:
        """Names of the criteria."""
        return tuple(criterion.name for criterion in self._literals.criteria)

    @property
    def directions(self) -> NDArray[np.int64]:
        """+1 where more is better, -1 where less is; one per criterion."""
        return self._literals.directions

    @property
    def levels(self) -> NDArray[np.float64]:
        """Level of each literal, in original units: the numbers that predict."""
        return self._literals.levels.copy()

    @property
    def literal_criteria(self) -> NDArray[np.intp]:
        """Index of the criterion of each literal."""
        return self._literals.columns.copy()

    @property
    def literal_set(self) -> Literals:
        """The literals that rules may use."""
        return self._literals

    @property
    def n_literals(self) -> int:
        """Number of literals that rules may use."""
        return self._literals.levels.size

    @property
    def label(self) -> object:
        """The label that accepted rows get, if it is known."""
        return self._label

    @property
    def form(self) -> Form:
        """Whether rules are joined by "or" (dnf) or clauses by "and" (cnf)."""
        return self._form

    @property
    def named(self) -> bool:
        """Whether the criteria have names from the data, not only x0, x1, …."""
        return self._named

    @property
    def masks(self) -> Masks:
        """The rules, packed: boundary sets with all literals that they imply, or clauses."""
        return self._masks.copy()

    @cached_property
    def boundary_sets(self) -> Masks:
        """The minimal accepted sets, packed, with all literals that they imply.

        Of a conjunctive form they are the minimal sets that meet every clause; there can be many.
        """
        if self._form == "dnf":
            return self._masks
        if not self._masks.any(axis=1).all():  # a clause without literals: nothing satisfies it
            return self._masks[:0]
        return minimal(self._literals.chains.closed(minimal_transversals(self._masks)))

    @property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The rules as tuples of literal indices, without redundant literals."""
        masks = self._masks
        if self._form == "dnf":
            masks = self._literals.chains.strongest(masks)
        members = unpack(masks, self.n_literals)
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in members)

    @property
    def literals(self) -> tuple[str, ...]:
        """Text of each literal."""
        return self._literals.texts

    def __len__(self) -> int:
        return len(self._masks)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the rules as texts such as ``interview >= 6 and experience >= 4``."""
        literals = self.literals
        joint, nothing = (" and ", "always") if self._form == "dnf" else (" or ", "never")
        for members in self.sets:
            yield joint.join(literals[j] for j in members) or nothing

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleSet):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        """Everything that decides what a rule set accepts and how it reads."""
        return (
            self._literals.criteria,
            tuple(self._literals.levels.tolist()),
            self.literals,
            tuple(map(tuple, self._masks.tolist())),
            self._form,
            heading(self._label),
        )

    def __str__(self) -> str:
        return sentence(list(self), heading(self._label), self._form)

    def __repr__(self) -> str:
        rules = list(self)
        hidden = len(rules) - _SHOWN
        text = sentence(rules[:_SHOWN], heading(self._label), self._form)
        return text if hidden <= 0 else f"{text}, …\n  and {hidden} more rules"

    def _repr_html_(self) -> str:
        records = self.to_records()[:_SHOWN] or [{"rule": str(self)}]
        hidden = max(0, len(self) - _SHOWN)
        return html_table(records, f"… {hidden} more rules" if hidden else "")

    def predict(self, X: Any) -> NDArray[np.bool_]:
        """Tell which rows are accepted, from values in original units.

        Parameters
        ----------
        X : array-like, or frame of pandas, Polars or PyArrow, of shape (n, m)
            Finite numbers, and labels where a criterion has them. From a frame the criteria are
            taken by name.

        Returns
        -------
        ndarray of bool of shape (n,)
            True where at least one rule holds.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3], criteria=["price"], directions=[-1]).predict([[3], [3.5]])
        array([ True, False])
        """
        values = check_array(self._numbers(X), input_name="X", ensure_all_finite=False)
        if values.shape[1] != len(self.criteria):
            raise ValueError(
                f"X must have {len(self.criteria)} columns, one per criterion "
                f"({', '.join(self.criteria)}). Got {values.shape[1]} instead."
            )
        return self.accepts(self.satisfied(values))

    def _numbers(self, X: Any) -> Any:
        """Take the columns of the criteria, and labels by their places."""
        labels = tuple(criterion.labels for criterion in self._literals.criteria)
        known = labels if any(labels) else None
        if not self._named:
            return place_columns(X, known)
        return place_columns(select_columns(X, self.criteria), known, self.criteria)

    def satisfied(self, values: NDArray[Any]) -> Masks:
        """Return the packed set of literals that each row of a plain array satisfies.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3, 5]).satisfied(np.array([[4.0, 6.0]]))
        array([[3]], dtype=uint64)
        """
        return self._literals.satisfied(values, check_finite=True)

    def accepts(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which packed sets of literals contain a boundary set.

        With one literal per criterion, up to 20 of them, the verdicts on all sets are tabulated
        as soon as that pays.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> RuleSet([{0, 1}], [3, 5]).accepts(np.array([[3], [2]], np.uint64))
        array([ True, False])
        """
        chains = self._literals.chains
        if self._form == "cnf":
            return meets_all(masks, self._masks)
        tabulated = chains.is_small and self._literals.is_plain
        if tabulated and len(masks) >> 4 >= chains.n_cells >> 12:
            return self._verdicts().take(masks[:, 0].view(np.int64))
        return contains_any(masks, self._masks)

    def _verdicts(self) -> NDArray[np.bool_]:
        """Verdict on each set of literals, computed once."""
        if self._table is None:
            chains = self._literals.chains
            self._table = spread_up(chains.table_of(self._masks), chains, np.logical_or)
        return self._table

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_table": None}

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per rule.

        Keys: ``rule`` (text), ``size`` (number of criteria) and, when the training rows were
        counted, ``support`` (weight of the training rows that satisfy the rule) and ``precision``
        (share of that weight which has the label; NaN without support). Of a clause: the rows
        that it rejects, and the share of them that do not have the label.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3]).to_records()
        [{'rule': 'x0 >= 3', 'size': 1}]
        """
        records: list[dict[str, Any]] = [
            {"rule": text, "size": len(members)} for text, members in zip(self, self.sets)
        ]
        if self._support is not None:
            support, precision = self._support.weight, self._support.precision
            for record, weight, share in zip(records, support.tolist(), precision.tolist()):
                record["support"], record["precision"] = weight, share
        return records

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
        >>> from sugeno import RuleSet
        >>> RuleSet([{0, 1}], [3, 5]).to_frame()
                            rule  size
        0  x0 >= 3 and x1 >= 5     2
        """
        import narwhals

        records = self.to_records()
        names = ["rule", "size"] + ["support", "precision"] * (self._support is not None)
        columns = {name: [record[name] for record in records] for name in names}
        return narwhals.from_dict(columns, backend=backend).to_native()


def _literals(
    levels: ArrayLike,
    names: Sequence[str] | None,
    directions: ArrayLike | None,
    literal_criteria: ArrayLike | None,
) -> Literals:
    """Check what describes the literals, and put it together."""
    bounds = np.array(levels, dtype=np.float64)
    if bounds.ndim != 1 or np.isnan(bounds).any():
        raise ValueError(
            f"levels must be a list of numbers, one per literal, none of them NaN. Got {levels!r} "
            "instead."
        )
    m = bounds.size if names is None else len(names)
    repeated = [name for name, times in Counter(names or ()).items() if times > 1]
    if repeated:
        raise ValueError(f"criteria must have names of their own. Got {repeated} more than once.")
    columns = np.arange(bounds.size)
    if literal_criteria is not None:
        columns = _columns(literal_criteria, bounds.size, m)
    elif m != bounds.size:
        raise ValueError(
            f"levels must hold one level for each of the {m} criteria. Got {bounds.size} "
            "instead; name the criterion of each literal in literal_criteria."
        )
    signs = given_directions(directions, m, names)
    if not signs.all():
        raise ValueError(f"directions must be +1 or -1. Got {directions!r} instead.")
    same = columns[1:] == columns[:-1]
    harder = np.diff(bounds) * signs[columns[1:]] > 0
    if (same & ~harder).any():
        raise ValueError(
            "levels of one criterion must get harder to reach. "
            f"Got {bounds.tolist()} for the criteria {columns.tolist()} instead; sort them."
        )
    return Literals.of_levels(criteria_of(names, signs), columns, bounds)


def _columns(literal_criteria: ArrayLike, n_literals: int, m: int) -> NDArray[np.intp]:
    columns = np.array(literal_criteria)
    valid = columns.shape == (n_literals,) and columns.dtype.kind in "iu"
    inside = valid and bool(((columns >= 0) & (columns < m)).all())
    if not inside or (np.diff(columns) < 0).any():
        raise ValueError(
            f"literal_criteria must hold the index of a criterion, 0 to {m - 1}, for each of the "
            f"{n_literals} literals, in ascending order. Got {literal_criteria!r} instead."
        )
    return columns.astype(np.intp)


def _pack_sets(sets: Iterable[Iterable[int]], n_literals: int) -> Masks:
    """Pack sets of literal indices."""
    members = [list(rule) for rule in sets]
    bits = np.zeros((len(members), n_literals), dtype=np.bool_)
    for row, rule in zip(bits, members):
        outside = [j for j in rule if not 0 <= j < n_literals]
        if outside:
            raise ValueError(
                f"A rule must consist of literals 0 to {n_literals - 1}. Got {outside} instead."
            )
        row[rule] = True
    return pack(bits)
