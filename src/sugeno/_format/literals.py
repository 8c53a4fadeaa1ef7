"""Literals from a model file, and sets of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sugeno._format.fields import Field
from sugeno._format.protocol import MAX_LITERALS
from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._sets.masks import Masks, pack

Floats = NDArray[np.float64]

#: Sums of gains stay exact up to here.
MOST_GAIN = 1 << 53


@dataclass(frozen=True)
class LiteralEntry:
    """What a file says of a literal, before it is believed."""

    criterion: int
    sign: int
    level: float
    worse: float
    better: float
    gain: int

    @property
    def is_consistent(self) -> bool:
        """Whether the level separates the observed values beside it, or nobody looked."""
        if math.isnan(self.worse) and math.isnan(self.better):
            return True
        sign = self.sign
        return sign * self.worse < sign * self.level <= sign * self.better

    def precedes(self, other: LiteralEntry) -> bool:
        """Whether another literal may stand after this one."""
        if self.criterion == other.criterion:
            return self.sign * self.level < self.sign * other.level
        return self.criterion < other.criterion


def read_literals(field: Field, criteria: tuple[Criterion, ...]) -> tuple[Literals, Floats]:
    """Literals of ascending criteria, each harder to reach than the one before; their gains."""
    found: list[LiteralEntry] = []
    for entry in field.array(0, MAX_LITERALS):
        literal = _literal(entry, criteria)
        if found and not found[-1].precedes(literal):
            entry.refuse("of a later criterion or harder to reach than the one before", "neither")
        found.append(literal)
    if sum(literal.gain for literal in found) > MOST_GAIN:
        field.refuse(f"literals with gains that sum up to at most {MOST_GAIN}", "more")
    columns = np.array([literal.criterion for literal in found], np.intp)
    numbers = [(literal.level, literal.worse, literal.better) for literal in found]
    literals = Literals(criteria, columns, *np.array(numbers, np.float64).reshape(-1, 3).T.copy())
    if not literals.is_plain and len(set(literals.texts)) < len(found):
        field.refuse("literals that read differently", "two with the same text")
    return literals, np.array([literal.gain for literal in found], np.float64)


def _literal(field: Field, criteria: tuple[Criterion, ...]) -> LiteralEntry:
    record = field.record("criterion", "level", "worse", "better", "gain")
    criterion = record["criterion"].integer(0, len(criteria) - 1)
    literal = LiteralEntry(
        criterion,
        criteria[criterion].direction,
        record["level"].extended(unknown=False),
        record["worse"].extended(),
        record["better"].extended(),
        record["gain"].integer(0, MOST_GAIN),
    )
    if not literal.is_consistent:
        field.refuse("a level beyond the worse value and not beyond the better one", "another")
    return literal


def read_sets(fields: Sequence[Field], literals: Literals) -> Masks:
    """Sets of literals by their places, ascending."""
    n_literals = literals.levels.size
    members = [_members(field, n_literals) for field in fields]
    bits = np.zeros((len(members), n_literals), dtype=np.bool_)
    for row, rule in zip(bits, members):
        row[rule] = True
    return pack(bits)


def _members(field: Field, n_literals: int) -> list[int]:
    members = [member.integer(0, n_literals - 1) for member in field.array(0, n_literals)]
    if any(later <= earlier for earlier, later in pairwise(members)):
        field.refuse("an array of ascending numbers", "others")
    return members
