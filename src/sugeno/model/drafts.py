"""Rules as sets of pairs (criterion, level), in which form they are easy to write and to change."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

import numpy as np

from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._scales.number import shortest
from sugeno.model.naming import as_value
from sugeno.model.parsing import Statement, level_of, parse

__all__ = ["Draft", "Pair", "drafted"]

#: A literal: the place of its criterion, and its level.
Pair = tuple[int, float]
#: Observed values next to a level: the worse and the better one.
Neighbours = tuple[float, float]

#: What a person wrote is shown as it was written, whatever was observed beside it.
_WRITTEN: Neighbours = (math.nan, math.nan)
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
    >>> sorted(RuleSet([{0, 1}], [3, 5]).draft.sets[0])
    [(0, 3.0), (1, 5.0)]
    """

    criteria: tuple[Criterion, ...]
    sets: tuple[frozenset[Pair], ...]
    known: Mapping[Pair, Neighbours] = field(default_factory=dict)
    form: Literal["dnf", "cnf"] = "dnf"
    label: object = None
    named: bool = True

    @property
    def pairs(self) -> list[Pair]:
        """The literals in their order: by criterion, the easiest to reach first."""
        every = {*self.known, *(pair for members in self.sets for pair in members)}
        return sorted(every, key=lambda pair: (pair[0], pair[1] * self.criteria[pair[0]].direction))

    @property
    def literals(self) -> Literals:
        """The same as literals."""
        pairs = self.pairs
        around = np.array([self.known.get(pair, _WRITTEN) for pair in pairs]).reshape(-1, 2)
        return Literals(
            self.criteria,
            np.array([j for j, _ in pairs], dtype=np.intp),
            np.array([level for _, level in pairs], dtype=np.float64),
            around[:, 0].copy(),
            around[:, 1].copy(),
        )

    @property
    def members(self) -> list[list[int]]:
        """The rules as places of literals."""
        place = {pair: literal for literal, pair in enumerate(self.pairs)}
        return [[place[pair] for pair in one] for one in self.sets]

    @property
    def reduced(self) -> tuple[frozenset[Pair], ...]:
        """The sets without literals that others of the set make redundant."""
        hardest = 1 if self.form == "dnf" else -1
        found = []
        for members in self.sets:
            order = sorted(members, key=lambda p: hardest * p[1] * self.criteria[p[0]].direction)
            found.append(frozenset(dict(order).items()))
        return tuple(found)

    def read(self, text: str) -> Draft:
        """Read rules (clauses, if that is the form) about the same criteria, in place of these."""
        form, sets = parse(text, self.criteria)
        # "a or b" is two rules, and one clause.
        return self.with_statements(sets if form == self.form else _swapped(sets))

    def with_statements(self, sets: Sequence[Sequence[Statement]]) -> Draft:
        """The same with other rules, each a set of statements."""
        shown = self._shown()
        known = dict(self.known)
        written = []
        for members in sets:
            pairs = []
            for one in members:
                # What reads like a literal that is there means that literal.
                pair, around = shown.get((one.name, one.sign, _plain(one.value))), _WRITTEN
                if pair is None:
                    pair, around = self._literal(one)
                known.setdefault(pair, around)
                pairs.append(pair)
            written.append(frozenset(pairs))
        return replace(self, sets=tuple(written), known=known)

    def pair_at(self, j: int, level: object, what: str) -> Pair:
        """Return the literal of a criterion that reads so, or a new one at this level."""
        criterion = self.criteria[j]
        value = as_value(criterion, level, what)
        text = shortest(value) if criterion.labels is None else str(level)
        return self._shown().get((criterion.name, criterion.sign, text), (j, value))

    def _shown(self) -> dict[tuple[str, str, str], Pair]:
        """From the texts of the literals that there are to the literals."""
        there = replace(self, sets=())
        return dict(zip(there.literals.parts, there.pairs))

    def _literal(self, statement: Statement) -> tuple[Pair, Neighbours]:
        """A literal that is not there yet."""
        # A column without a direction is two criteria of one name.
        found = [j for j, one in enumerate(self.criteria) if one.name == statement.name]
        j = next((j for j in found if self.criteria[j].sign[0] == statement.sign[0]), found[0])
        level = level_of(self.criteria[j], statement)
        if len(statement.sign) == 2 or self.criteria[j].labels is not None:
            return (j, level), _WRITTEN
        return (j, level), (float(statement.value), math.inf)  # reads "> 2", as it was written

    def joined(self, other: Draft, joint: Literal["and", "or"]) -> Draft:
        """Join with rules of the same form; criteria are matched by name."""
        criteria, places = _united(self.criteria, other.criteria)
        moved = {(places[j], level): around for (j, level), around in other.known.items()}
        sets = tuple(frozenset((places[j], level) for j, level in one) for one in other.sets)
        if (joint == "or") == (self.form == "dnf"):
            together = (*self.sets, *sets)
        else:
            if len(self.sets) * len(sets) > _MOST_SETS:
                raise OverflowError(
                    f"The joined rules would be {len(self.sets) * len(sets)} sets, more than "
                    "anybody can read. Join smaller rule sets."
                )
            together = tuple(a | b for a in self.sets for b in sets)
        observed = {pair: around for pair, around in self.known.items() if _observed(around)}
        known = {**self.known, **moved, **observed}
        named = self.named and other.named
        return replace(self, criteria=criteria, sets=together, known=known, named=named)


def _plain(value: str) -> str:
    """A number as it is shown, and a label as it is: 5e4 and 50000.0 are 50000."""
    try:
        return shortest(float(value))
    except ValueError:
        return value


def _observed(around: Neighbours) -> bool:
    return not any(map(math.isnan, around))


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
