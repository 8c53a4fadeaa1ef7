"""A family of sets of literals: what rules accept, whatever they read like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._scales.literals import Literals
from sugeno._scales.verdicts import verdicts
from sugeno._sets.boards import up_set
from sugeno._sets.masks import Masks, contains_any, is_subset, meets_all, minimal, set_sizes, unpack
from sugeno._sets.transversals import minimal_transversals
from sugeno.model.form import Form, Formula, Side
from sugeno.model.given_rules import given_literals, given_sets
from sugeno.model.literal_form import LiteralForm
from sugeno.model.rule_table import texts_of
from sugeno.model.sides import RuleSide
from sugeno.model.support import Support
from sugeno.model.text import heading

__all__ = ["Joint", "RuleFamily"]

#: Rules joined by "or", or clauses joined by "and".
Joint = Literal["dnf", "cnf"]

#: With so many rows for each literal of a rule it pays to put the rules to the rows themselves.
_ROWS_PER_LITERAL = 16


class RuleFamily(LiteralForm):
    """Sets of literals, joined by "or" or by "and", and the rows that they accept.

    `RuleSet`, which has the parameters, adds the words and the tables.

    Examples
    --------
    >>> from sugeno.model.rule_family import RuleFamily
    >>> RuleFamily([{0, 1}], [3, 5]).predict([[3, 5], [9, 4]])
    array([ True, False])
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
        form: Joint = "dnf",
    ) -> None:
        if form not in ("dnf", "cnf"):
            raise ValueError(f"form must be 'dnf' or 'cnf'. Got {form!r} instead.")
        literals = given_literals(levels, criteria, directions, literal_criteria)
        masks = given_sets(sets, literals.levels.size)
        self._assign(_antichain(masks, literals, form), literals, label, None, form)
        self._named = criteria is not None

    @classmethod
    def from_sets(
        cls,
        masks: Masks,
        literals: Literals,
        *,
        named: bool = False,
        label: object = None,
        form: Joint = "dnf",
        in_order: bool = False,
    ) -> Self:
        """Build from any packed sets; what is redundant in them is left out.

        The rules are sorted, or stay in the order in which they are given.
        """
        masks = _antichain(masks, literals, form, in_order=in_order)
        return cls.from_masks(masks, literals, named=named, label=label, form=form)

    @classmethod
    def from_masks(
        cls,
        masks: Masks,
        literals: Literals,
        *,
        named: bool = False,
        label: object = None,
        support: Support | None = None,
        form: Joint = "dnf",
    ) -> Self:
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
        form: Joint,
    ) -> None:
        self._masks = masks
        self._form = form
        self._literals = literals
        self._label = label
        self._support = support
        self._table: NDArray[np.bool_] | None = None

    @property
    def n_literals(self) -> int:
        """Number of literals that rules may use."""
        return self._literals.levels.size

    @property
    def form(self) -> Joint:
        """Whether rules are joined by "or" (dnf) or clauses by "and" (cnf)."""
        return self._form

    @property
    def support(self) -> Support | None:
        """What each rule stands on, if rows were counted."""
        return self._support

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

    @cached_property
    def clauses(self) -> Masks:
        """The minimal clauses, packed, without the literals that imply others of the clause.

        Of a disjunctive form they are the minimal sets that meet every rule; there can be many.
        """
        if self._form == "cnf":
            return self._masks
        if not self._masks.any(axis=1).all():  # a rule without literals: everything satisfies it
            return self._masks[:0]
        chains = self._literals.chains
        found = minimal_transversals(chains.strongest(self._masks))
        return chains.weakest(minimal(chains.raised(found)))

    def dual(self) -> Self:
        """Return the same classifier in the other form: clauses for rules, rules for clauses.

        Returns
        -------
        RuleSet
            Accepts the same rows; of the training rows it knows nothing.

        Raises
        ------
        OverflowError
            If the other form is too long for anybody to read.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> print(RuleSet([{0, 1}, {0, 2}], [6, 4, 7]).dual())
        accept if x0 >= 6 and (x1 >= 4 or x2 >= 7)
        """
        dnf = self._form == "dnf"
        return self.from_masks(
            self.clauses if dnf else self.boundary_sets,
            self._literals,
            named=self._named,
            label=self._label,
            form="cnf" if dnf else "dnf",
        )

    def relabelled(self, label: object) -> Self:
        """Return the same rules, speaking for a class.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> print(RuleSet([{0}], [3]).relabelled("high"))
        class 'high' if x0 >= 3
        """
        return self.from_masks(
            self._masks,
            self._literals,
            named=self._named,
            label=label,
            support=self._support,
            form=self._form,
        )

    @property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The rules as tuples of literal indices, without redundant literals."""
        masks = self._masks
        if self._form == "dnf":
            masks = self._literals.chains.strongest(masks)
        members = unpack(masks, self.n_literals)
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in members)

    @property
    def used(self) -> tuple[int, ...]:
        """Places of the literals that occur in rules, ascending."""
        return tuple(sorted({literal for members in self.sets for literal in members}))

    @property
    def size(self) -> int:
        """How many literals a person reads, each as often as it is written."""
        return sum(map(len, self.sets))

    @property
    def formula(self) -> Formula:
        """The rules for engines: one of them has to hold, or all clauses."""
        sets = self.sets
        once = (1,) * len(sets)
        if self._form == "dnf":
            return Formula(sets, "and", once, 1)
        return Formula(sets, "or", once, len(sets))

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """Reasons and flips of what is refused, and of what is accepted."""
        families: list[Masks | None] = []
        for family in ("boundary_sets", "clauses"):
            try:
                families.append(getattr(self, family))
            except OverflowError:  # the sides search where a family is too long
                families.append(None)
        return RuleSide.both(self._literals.chains, *families)

    def fired(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which rules hold, or which clauses are missed, shape (n, rules).

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}, {1}], [3, 5]).fired(np.array([[1], [3]], np.uint64))
        array([[ True, False],
               [ True,  True]])
        """
        if self._form == "dnf":
            return is_subset(self._masks, masks).T
        missed = [~(masks & clause).any(axis=1) for clause in self._masks]
        return np.array(missed, dtype=np.bool_).reshape(len(self), len(masks)).T

    def held_back(self, masks: Masks) -> NDArray[np.intp]:
        """Count, per set and criterion, the rules that the criterion keeps from holding.

        Of a conjunctive form: the clauses that are not met and speak about the criterion.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> RuleSet([{0, 1}, {0, 2}], [1, 1, 1]).held_back(np.zeros((1, 1), np.uint64))
        array([[2, 1, 1]])
        """
        chains = self._literals.chains
        missing = ~unpack(masks, chains.n_literals)
        counts = np.zeros((len(masks), chains.n_criteria), dtype=np.intp)
        unmet = None if self._form == "dnf" else self.fired(masks)
        for place, members in enumerate(self.sets):
            failing = missing if unmet is None else missing & unmet[:, [place]]
            for literal in members:
                counts[:, chains.criteria[literal]] += failing[:, literal]
        return counts

    def beyond(self, lower: Form) -> str | None:
        """Return a rule that accepts what a lower form about the same criteria refuses, or None.

        A rule accepts the row that just reaches all of its levels, and all better ones; so that
        row decides.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}, {1}], [5, 5]).beyond(RuleSet([{0}], [3, 5]))
        'x1 >= 5'
        """
        rules = self if self._form == "dnf" else self.dual()
        literals = self._literals
        rows = np.tile(-np.inf * literals.directions, (len(rules), 1))
        for row, members in zip(rows, rules.sets):
            chosen = list(members)
            row[literals.columns[chosen]] = literals.levels[chosen]
        accepted = lower.accepts(lower.literal_set.satisfied(rows))
        return next((text for text, inside in zip(rules, accepted.tolist()) if not inside), None)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the rules as texts such as ``interview >= 6 and experience >= 4``."""
        return iter(texts_of(self))

    def __len__(self) -> int:
        return len(self._masks)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleFamily):
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

    def decide(self, values: NDArray[Any], *, check_finite: bool = True) -> NDArray[np.bool_]:
        """Tell which rows of a plain array are accepted.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3, 5]).decide(np.array([[4.0, 6.0], [2.0, 9.0]]))
        array([ True, False])
        """
        most = len(values) // _ROWS_PER_LITERAL
        if not self._is_tabulated and set_sizes(self._masks).sum() <= most:
            clauses = self._form == "cnf"
            return verdicts(
                values, self._literals, self.sets, clauses=clauses, check_finite=check_finite
            )
        return self.accepts(self._literals.satisfied(values, check_finite=check_finite))

    @property
    def _is_tabulated(self) -> bool:
        """Whether the verdicts on all sets of literals fit into a table."""
        literals = self._literals
        return self._form == "dnf" and literals.is_plain and literals.chains.is_small

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
        if self._form == "cnf":
            return meets_all(masks, self._masks)
        if self._is_tabulated and len(masks) >> 4 >= self._literals.chains.n_cells >> 12:
            return self._verdicts().take(masks[:, 0].view(np.int64))
        return contains_any(masks, self._masks)

    def _verdicts(self) -> NDArray[np.bool_]:
        """Verdict on each set of literals, computed once."""
        if self._table is None:
            self._table = up_set(self._masks, self._literals.chains)
        return self._table

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "sides"} | {
            "_table": None
        }


def _antichain(masks: Masks, literals: Literals, form: Joint, *, in_order: bool = False) -> Masks:
    """Leave out rules, or clauses, that others imply."""
    chains = literals.chains
    full = chains.closed(masks) if form == "dnf" else chains.raised(masks)
    kept = minimal(full)
    if in_order:
        given = {one.tobytes(): place for place, one in reversed([*enumerate(full)])}
        kept = full[sorted(given[one.tobytes()] for one in kept)]
    return kept if form == "dnf" else chains.weakest(kept)
