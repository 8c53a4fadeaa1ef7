"""Criteria and literals of a parsed model file."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._format.fields import Field
from sugeno._format.protocol import MAX_LITERALS
from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals

__all__ = ["read_criteria", "read_literals"]

Floats = NDArray[np.float64]
Record = dict[str, Field]

#: Sums of gains stay exact up to here.
_MOST_GAIN = 1 << 53


def read_criteria(field: Field, *more: str) -> tuple[tuple[Criterion, ...], list[Record]]:
    """Criteria with names of their own, and the records of each, which may have more keys."""
    entries = field.array(1, MAX_LITERALS)
    records = [entry.record("name", "direction", "labels", *more) for entry in entries]
    criteria = tuple(map(_criterion, records))
    if len({criterion.name for criterion in criteria}) < len(criteria):
        field.refuse("criteria with names of their own", "a name twice")
    return criteria, records


def _criterion(record: Record) -> Criterion:
    direction = record["direction"].integer(-1, 1)
    if direction == 0:
        record["direction"].refuse("1 or -1")
    labels = None if record["labels"].value is None else record["labels"].texts()
    return Criterion(record["name"].text(), direction, labels)


def read_literals(field: Field, criteria: tuple[Criterion, ...]) -> tuple[Literals, Floats]:
    """Literals of ascending criteria, each harder to reach than the one before; their gains."""
    found: list[_Literal] = []
    for entry in field.array(0, MAX_LITERALS):
        literal = _literal(entry, criteria)
        if found and not found[-1].precedes(literal):
            entry.refuse("of a later criterion or harder to reach than the one before", "neither")
        found.append(literal)
    if sum(literal.gain for literal in found) > _MOST_GAIN:
        field.refuse(f"literals with gains that sum up to at most {_MOST_GAIN}", "more")
    columns = np.array([literal.criterion for literal in found], np.intp)
    numbers = [(literal.level, literal.worse, literal.better) for literal in found]
    literals = Literals(criteria, columns, *np.array(numbers, np.float64).reshape(-1, 3).T.copy())
    if not literals.is_plain and len(set(literals.texts)) < len(found):
        field.refuse("literals that read differently", "two with the same text")
    return literals, np.array([literal.gain for literal in found], np.float64)


@dataclass(frozen=True)
class _Literal:
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

    def precedes(self, other: _Literal) -> bool:
        """Whether another literal may stand after this one."""
        if self.criterion == other.criterion:
            return self.sign * self.level < self.sign * other.level
        return self.criterion < other.criterion


def _literal(field: Field, criteria: tuple[Criterion, ...]) -> _Literal:
    record = field.record("criterion", "level", "worse", "better", "gain")
    criterion = record["criterion"].integer(0, len(criteria) - 1)
    literal = _Literal(
        criterion,
        criteria[criterion].direction,
        record["level"].extended(unknown=False),
        record["worse"].extended(),
        record["better"].extended(),
        record["gain"].integer(0, _MOST_GAIN),
    )
    if not literal.is_consistent:
        field.refuse("a level beyond the worse value and not beyond the better one", "another")
    return literal
