"""Sums of steps from a model file: tables of whole numbers that never fall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._format.columns import read_columns, read_criteria
from sugeno._format.fields import Field, Record
from sugeno._format.learned import read_costs, read_learned
from sugeno._format.literals import LiteralEntry
from sugeno._format.protocol import MAX_CELLS, MAX_LITERALS
from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._scales.missing import MISSING_POLICIES
from sugeno._scales.surfaces import Pair, Surfaces
from sugeno.model.score_model import ScoreModel, Sum

Floats = NDArray[np.float64]

#: Totals of a sum of steps, exact as doubles with all that is added on the way.
_MOST_TOTAL = 1 << 52
#: The least slope of log odds.
_LEAST_SLOPE = 2.0**-20


def read_sum(field: Field, classes: NDArray[Any], cells: int) -> ScoreModel:
    """A sum of steps, which must never fall when a criterion gets better."""
    higher = ("higher",) if classes.size > 2 else ()
    fields = field.record(
        *("named", "criteria", "missing", "slope", "units", "constant", "steps", "pairs"),
        *("importances", "learned", "columns", *higher),
        optional=("costs",),
    )
    assumed = fields["columns"].optional(read_columns)
    criteria = read_criteria(fields["criteria"], assumed)
    m = len(criteria)
    steps = [
        _added(entry, criterion) for entry, criterion in zip(fields["steps"].array(m, m), criteria)
    ]
    literals = _joined_literals(criteria, [levels for levels, _ in steps])
    signs = zip(literals.directions.tolist(), steps)
    tables = Surfaces(
        fields["constant"].integer(-_MOST_TOTAL, _MOST_TOTAL),
        [sign * levels[0] + 0.0 for sign, (levels, _) in signs],
        [_cumulated(adds) for _, adds in steps],
        _pairs(fields["pairs"], literals.chains.sizes, cells),
    )
    each = [tables]
    if higher:
        n = classes.size - 2
        each += [_higher(entry, tables) for entry in fields["higher"].array(n, n)]
    for one in each:
        _check_sum(field, one)
    costs = fields["costs"].optional(lambda field: read_costs(field, classes.size))
    first = Sum(
        literals,
        tables,
        fields["slope"].number(_LEAST_SLOPE, 1 / _LEAST_SLOPE),
        fields["units"].number(1.0, _MOST_TOTAL),
        fields["missing"].choice(*MISSING_POLICIES),
        0.5 if costs is None else costs.cut,
    )
    boundaries = tuple(replace(first, tables=one) for one in each)
    if any(one.beyond(lower) for lower, one in pairwise(boundaries)):
        fields["higher"].refuse("sums that never exceed those of the boundary below", "others")
    return ScoreModel(
        classes,
        boundaries,
        np.array([share.number(0.0, 1.0) for share in fields["importances"].array(m, m)]),
        fields["named"].boolean(),
        fields["learned"].optional(lambda field: read_learned(field, classes.size)),
        assumed,
        costs=costs,
    )


def _cumulated(adds: Sequence[int]) -> NDArray[np.int64]:
    """What so many levels add together."""
    return np.concatenate([[0], np.cumsum(adds)]).astype(np.int64)


def _higher(field: Field, lowest: Surfaces) -> Surfaces:
    """The tables of a higher boundary: the same levels and pairs, other numbers."""
    record, m = field.record("constant", "adds"), len(lowest.levels)
    single = []
    for entry, levels in zip(record["adds"].array(m, m), lowest.levels):
        adds = [
            add.integer(-_MOST_TOTAL, _MOST_TOTAL) for add in entry.array(levels.size, levels.size)
        ]
        _check_total(entry, adds)
        single.append(_cumulated(adds))
    constant = record["constant"].integer(-_MOST_TOTAL, _MOST_TOTAL)
    return Surfaces(constant, lowest.levels, single, lowest.pairs)


def _added(field: Field, criterion: Criterion) -> tuple[Floats, list[int]]:
    """Levels of a criterion with the observed values beside them, and what each of them adds."""
    record = field.record("levels", "worse", "better", "adds")
    entries = record["levels"].array(0, MAX_LITERALS)
    n = len(entries)
    numbers = np.array(
        [
            [level.extended(unknown=False) for level in entries],
            *([end.extended() for end in record[key].array(n, n)] for key in ("worse", "better")),
        ]
    ).reshape(3, n)
    sign = criterion.direction
    found = [LiteralEntry(0, sign, level, low, high, 0) for level, low, high in numbers.T.tolist()]
    for literal in found:
        if not literal.is_consistent:
            field.refuse("levels beyond the worse values and not beyond the better ones", "others")
    if any(not one.precedes(other) for one, other in pairwise(found)):
        record["levels"].refuse("harder and harder to reach", "other numbers")
    adds = [add.integer(-_MOST_TOTAL, _MOST_TOTAL) for add in record["adds"].array(n, n)]
    _check_total(record["adds"], adds)
    return numbers, adds


def _check_total(field: Field, adds: Sequence[int]) -> None:
    """Numbers can be added up in any order without an overflow."""
    if sum(map(abs, adds)) > _MOST_TOTAL:
        field.refuse(f"numbers that sum up to at most {_MOST_TOTAL}", "more")


def _joined_literals(criteria: tuple[Criterion, ...], each: Sequence[Floats]) -> Literals:
    """The levels of all criteria, one criterion after the other."""
    columns = np.repeat(np.arange(len(criteria)), [levels.shape[1] for levels in each])
    return Literals(criteria, columns.astype(np.intp), *np.concatenate(each, axis=1))


def _pairs(field: Field, sizes: Sequence[int], cells: int) -> list[Pair]:
    """The tables of pairs of criteria, each pair once."""
    m = len(sizes)
    found: list[Pair] = []
    for entry in field.array(0, m * (m - 1) // 2):
        record = entry.record("criteria", "first", "second", "adds")
        first, second = (one.integer(0, m - 1) for one in record["criteria"].array(2, 2))
        if first >= second or (found and (first, second) <= (found[-1].first, found[-1].second)):
            record["criteria"].refuse("a later pair of ascending criteria", f"{first}, {second}")
        joint = _joint(record, (sizes[first], sizes[second]))
        cells -= (len(set(joint[0])) + 1) * (len(set(joint[1])) + 1)
        if cells < 0:
            field.refuse(f"tables with at most {MAX_CELLS} entries in all", "more")
        found.append(Pair.of(first, second, (sizes[first], sizes[second]), joint))
    return found


def _joint(record: Record, sizes: tuple[int, int]) -> tuple[list[int], list[int], list[int]]:
    """Places of two levels, and what they add together; ascending."""
    adds = record["adds"].integers(-_MOST_TOTAL, _MOST_TOTAL)
    _check_total(record["adds"], adds)
    first, second = (
        record[key].integers(0, size - 1) for key, size in zip(("first", "second"), sizes)
    )
    if not len(first) == len(second) == len(adds):
        record["adds"].refuse("as many numbers as places", f"{len(adds)}")
    places = [*zip(first, second)]
    if any(later <= earlier for earlier, later in pairwise(places)) or 0 in adds:
        record["adds"].refuse("numbers other than 0 at ascending places", "others")
    return first, second, adds


def _check_sum(field: Field, tables: Surfaces) -> None:
    """The sum never falls, and stays so small that it is exact as a double too."""
    largest = abs(tables.constant) + sum(int(np.abs(table).max()) for table in tables.single)
    largest += sum(int(np.abs(pair.table).max()) for pair in tables.pairs)
    if largest > _MOST_TOTAL:
        field.refuse(f"a sum of at most {_MOST_TOTAL}", "more")
    if tables.falls():
        field.refuse("a sum that never falls when a criterion gets better", "another")
