"""Rules as sets of pairs (criterion, level), in which form they are easy to write and to change."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Literal

import numpy as np

from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno.model.given_rules import given_sets
from sugeno.model.parsing import Statement, level_of, parse
from sugeno.model.text import heading

if TYPE_CHECKING:
    from sugeno.model.rules import RuleSet

__all__ = ["Draft", "Pair", "drafted", "joined"]

#: A literal: the place of its criterion, and its level.
Pair = tuple[int, float]
#: Observed values next to a level: the worse and the better one.
Neighbours = tuple[float, float]

_UNKNOWN: Neighbours = (math.nan, math.nan)
#: Rules that "and" (or clauses that "or") may multiply out to.
_MOST_SETS = 1 << 20


@dataclass(frozen=True)
class Draft:
    """Rules that are being written.

    Attributes
    ----------
    criteria : tuple of Criterion
        All criteria.
    sets : tuple of frozensets of pairs
        The rules, or the clauses.
    known : mapping from pairs to neighbours
        The literals that there are, used or not.
    form : {"dnf", "cnf"}
        How the sets are joined.
    label : object
        The label that accepted rows get.
    named : bool
        Whether the names of the criteria come from the data.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.drafts import Draft
    >>> sorted(Draft.of(RuleSet([{0, 1}], [3, 5])).sets[0])
    [(0, 3.0), (1, 5.0)]
    """

    criteria: tuple[Criterion, ...]
    sets: tuple[frozenset[Pair], ...]
    known: Mapping[Pair, Neighbours] = field(default_factory=dict)
    form: Literal["dnf", "cnf"] = "dnf"
    label: object = None
    named: bool = True

    @classmethod
    def of(cls, rules: RuleSet) -> Draft:
        """Take rules apart."""
        literals = rules.literal_set
        pairs = cls.pairs_of(literals)
        neighbours = zip(literals.worse.tolist(), literals.better.tolist())
        return cls(
            literals.criteria,
            tuple(frozenset(pairs[one] for one in members) for members in rules.sets),
            dict(zip(pairs, neighbours)),
            rules.form,
            rules.label,
            rules.named,
        )

    @property
    def pairs(self) -> list[Pair]:
        """The literals in their order: by criterion, the easiest to reach first."""
        every = {*self.known, *(pair for members in self.sets for pair in members)}
        return sorted(every, key=lambda pair: (pair[0], pair[1] * self.criteria[pair[0]].direction))

    def finished(self) -> RuleSet:
        """Put the rules together: redundant literals and rules fall away."""
        from sugeno.model.rules import RuleSet

        pairs = self.pairs
        place = {pair: literal for literal, pair in enumerate(pairs)}
        around = np.array([self.known.get(pair, _UNKNOWN) for pair in pairs]).reshape(-1, 2)
        literals = Literals(
            self.criteria,
            np.array([j for j, _ in pairs], dtype=np.intp),
            np.array([level for _, level in pairs], dtype=np.float64),
            around[:, 0].copy(),
            around[:, 1].copy(),
        )
        masks = given_sets([[place[pair] for pair in one] for one in self.sets], len(pairs))
        return RuleSet.from_sets(
            masks, literals, named=self.named, label=self.label, form=self.form
        )

    def read(self, text: str) -> Draft:
        """Read rules (clauses, if that is the form) about the same criteria, in place of these."""
        form, sets = parse(text, self.criteria)
        # "a or b" is two rules, and one clause.
        return self.with_statements(sets if form == self.form else _swapped(sets))

    def with_statements(self, sets: Sequence[Sequence[Statement]]) -> Draft:
        """The same with other rules, each a set of statements."""
        literals = replace(self, sets=()).finished().literal_set
        shown = dict(zip(literals.parts, self.pairs_of(literals)))
        known = dict(self.known)
        written = []
        for members in sets:
            pairs = []
            for one in members:
                # What reads like a literal that is there means that literal.
                pair, around = shown.get((one.name, one.sign, one.value)), _UNKNOWN
                if pair is None:
                    pair, around = self._literal(one)
                known.setdefault(pair, around)
                pairs.append(pair)
            written.append(frozenset(pairs))
        return replace(self, sets=tuple(written), known=known)

    def _literal(self, statement: Statement) -> tuple[Pair, Neighbours]:
        """A literal that is not there yet."""
        j = next(j for j, one in enumerate(self.criteria) if one.name == statement.name)
        level = level_of(self.criteria[j], statement)
        if len(statement.sign) == 2 or self.criteria[j].labels is not None:
            return (j, level), _UNKNOWN
        return (j, level), (float(statement.value), math.inf)  # reads "> 2", as it was written

    @staticmethod
    def pairs_of(literals: Literals) -> list[Pair]:
        """Literals as pairs."""
        return list(zip(literals.columns.tolist(), literals.levels.tolist()))


def _swapped(sets: Sequence[Sequence[Statement]]) -> list[list[Statement]]:
    """Multiply rules out to clauses, or clauses to rules."""
    if math.prod(map(len, sets)) > _MOST_SETS:
        raise OverflowError("The other form of these rules is too long; write them plainer.")
    return [list(dict.fromkeys(choice)) for choice in product(*sets)]


def drafted(
    text: str,
    criteria: Sequence[str | Criterion] | None,
    directions: Sequence[int] | None,
    label: object,
) -> Draft:
    """Read rules as text; directions that are not given follow from the signs.

    Examples
    --------
    >>> from sugeno.model.drafts import drafted
    >>> drafted("price <= 3", None, None, None).criteria
    (Criterion(name='price', direction=-1, labels=None),)
    """
    full = tuple(one for one in criteria or () if isinstance(one, Criterion))
    if criteria is not None and len(full) == len(criteria):
        form, sets = parse(text, full)
    else:
        names = None if criteria is None else [Criterion(str(one)) for one in criteria]
        form, sets = parse(text, names)
        full = _criteria(sets, criteria, directions)
    return Draft(full, (), form=form, label=label).with_statements(sets)


def _criteria(
    sets: Sequence[Sequence[Statement]],
    names: Sequence[str | Criterion] | None,
    directions: Sequence[int] | None,
) -> tuple[Criterion, ...]:
    """Find the direction of each criterion from the signs, unless it is given."""
    said = {one.name: 1 if one.sign[0] == ">" else -1 for members in sets for one in members}
    order = list(said) if names is None else [str(name) for name in names]
    if directions is not None and len(directions) != len(order):
        raise ValueError(
            f"directions must hold one of +1 and -1 for each of the {len(order)} criteria. "
            f"Got {len(directions)} instead."
        )
    signs = [said.get(name, 1) for name in order] if directions is None else directions
    return tuple(Criterion(name, int(sign)) for name, sign in zip(order, signs))


def joined(first: RuleSet, second: RuleSet, joint: Literal["and", "or"]) -> RuleSet:
    """Join two rule sets exactly; criteria are matched by name.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.drafts import joined
    >>> print(joined(RuleSet([{0}], [3]), RuleSet([{0}], [5]), "or"))
    accept if x0 >= 3
    """
    if heading(first.label) != heading(second.label):
        raise ValueError(
            f"Rules that are joined must speak for the same class. Got {first.label!r} and "
            f"{second.label!r} instead."
        )
    if first.form != second.form:
        first, second = (one if one.form == "dnf" else one.dual() for one in (first, second))
    one, other = Draft.of(first), Draft.of(second)
    criteria, places = _united(one.criteria, other.criteria)
    moved = {(places[j], level): around for (j, level), around in other.known.items()}
    sets = tuple(frozenset((places[j], level) for j, level in members) for members in other.sets)
    if (joint == "or") == (one.form == "dnf"):
        together = (*one.sets, *sets)
    else:
        if len(one.sets) * len(sets) > _MOST_SETS:
            raise OverflowError(
                f"The joined rules would be {len(one.sets) * len(sets)} sets, more than anybody "
                "can read. Join smaller rule sets."
            )
        together = tuple(a | b for a in one.sets for b in sets)
    known = {**moved, **{pair: around for pair, around in one.known.items() if _known(around)}}
    known = {**one.known, **known}
    named = one.named and other.named
    return replace(one, criteria=criteria, sets=together, known=known, named=named).finished()


def _known(around: Neighbours) -> bool:
    return not any(map(math.isnan, around))


def _united(
    first: tuple[Criterion, ...], second: tuple[Criterion, ...]
) -> tuple[tuple[Criterion, ...], list[int]]:
    """All criteria of both, and the places of the second ones among them."""
    names = {criterion.name: criterion for criterion in first}
    for criterion in second:
        if names.setdefault(criterion.name, criterion) != criterion:
            raise ValueError(
                f"Rules that are joined must agree about {criterion.name!r}. Got "
                f"{names[criterion.name]} and {criterion} instead."
            )
    order = list(names)
    return tuple(names.values()), [order.index(criterion.name) for criterion in second]
