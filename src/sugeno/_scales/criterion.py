"""A criterion: what a column of a table means to the person who reads the rules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.value_counts import ValueCounts

Floats = NDArray[np.float64]

#: How rare categories that share a place are called.
OTHER = "other"


@dataclass(frozen=True)
class Gap:
    """A kind of cell that holds no value: an empty one, or one whose code says why there is none.

    Attributes
    ----------
    place : float
        The value that such a cell is as good as.
    label : str
        How sentences call it.
    code : float or None
        The number that stands in the cell; None for an empty one.
    worse, better : float
        The observed values next to it on either side; infinite where there is none, NaN where
        nobody looked.

    Examples
    --------
    >>> from sugeno._scales.criterion import Gap
    >>> Gap(12.0, "no record", -9.0).cells([3, -9])
    array([False,  True])
    """

    place: float
    label: str = "missing"
    code: float | None = None
    worse: float = field(default=math.nan, repr=False, compare=False)
    better: float = field(default=math.nan, repr=False, compare=False)

    def cells(self, numbers: Floats | Sequence[float]) -> NDArray[np.bool_]:
        """Tell which numbers of a column are such cells."""
        found = np.asarray(numbers, dtype=np.float64)
        return np.isnan(found) if self.code is None else found == self.code


@dataclass(frozen=True)
class Criterion:
    """A scale on which the values of one column are compared.

    Most columns are read by one criterion, as they are. The labels of an unordered category are
    read as their places in an order that was found; a column without a direction is read by two
    criteria, one upwards and one downwards; a missing value can have a place of its own.

    Attributes
    ----------
    name : str
        Name of the column.
    direction : int
        +1 where higher values are better, -1 where lower ones are.
    labels : tuple of str or None
        What stands at the places 0, 1, … of a scale of labels; None for numbers.
    kind : {"number", "date", "ordered", "truth", "two-valued", "unordered"}
        What the column holds; see `sugeno._scales.kinds`.
    column : int or None
        Which column of the table it reads; None if there is one criterion per column, in order.
    known : tuple of str or None
        The labels of an unordered category, as `sugeno._scales.kinds.Column` numbers them.
    places : tuple of float or None
        The place of each of them.
    unseen : float or None
        The place of any other label.
    gaps : tuple of Gap
        Kinds of cells that hold no value, each with a place of its own; an empty cell is among them
        if training saw any.
    within : tuple of two floats or None
        Values beyond these two are as good as the nearer one: a criterion that turns.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> Criterion("price", -1).sign
    '<='
    >>> home = Criterion("home", labels=("rent", "own"), kind="two-valued", known=("own", "rent"),
    ...                  places=(1.0, 0.0), unseen=0.5)
    >>> home.read([0, 1, -1])
    array([1. , 0. , 0.5])
    """

    name: str
    direction: int = 1
    labels: tuple[str, ...] | None = None
    kind: str = field(default="number", repr=False)
    column: int | None = field(default=None, repr=False)
    known: tuple[str, ...] | None = field(default=None, repr=False)
    places: tuple[float, ...] | None = field(default=None, repr=False)
    unseen: float | None = field(default=None, repr=False)
    gaps: tuple[Gap, ...] = field(default=(), repr=False)
    within: tuple[float, float] | None = field(default=None, repr=False)

    @property
    def sign(self) -> str:
        """How a value that reaches a level compares with it."""
        return ">=" if self.direction > 0 else "<="

    @property
    def reads_as_it_is(self) -> bool:
        """Whether values of the column are values of the criterion."""
        return self.places is None and not self.gaps and self.within is None

    @property
    def missing(self) -> float | None:
        """The value that an empty cell is as good as; None if that is not known."""
        return next((gap.place for gap in self.gaps if gap.code is None), None)

    @property
    def codes(self) -> tuple[float, ...]:
        """The numbers that are no values but say why there is none."""
        return tuple(gap.code for gap in self.gaps if gap.code is not None)

    def reaches(self, value: float | None, level: float) -> bool:
        """Whether a value, or the place of a kind of value that may not exist, reaches a level."""
        return value is not None and self.direction * value >= self.direction * level

    def gap_at(self, value: float) -> Gap | None:
        """The kind of cell without a value that stands at a value of the criterion, if any does.

        A category has none: there such a cell is a label like others.
        """
        if self.places is not None:
            return None
        empty = Gap(math.nan) if math.isnan(value) else None
        return next((gap for gap in self.gaps if gap.place == value), empty)

    def first_value(self, value: float, way: float) -> float:
        """The first number from one on towards an infinity that a cell with a value may hold."""
        taken = {*(gap.place for gap in self.gaps), *self.codes}
        while value in taken:
            value = math.nextafter(value, way)
        return value

    def values_beside(self, worse: float, better: float) -> tuple[float, float]:
        """Values on both sides of a level that a cell can have, from values of the criterion.

        The places of cells without a value are left out; NaN where no value is known.
        """
        of_place = {gap.place: gap for gap in self.gaps}
        if better in of_place:
            gap, beyond = of_place[better], math.nextafter(worse, self.direction * math.inf)
            better = gap.better
            if math.isnan(better):  # files of old know the last value by its place
                better = math.inf if gap.place == beyond else gap.place
        return (of_place[worse].worse if worse in of_place else worse), better

    def read(self, numbers: Floats | Sequence[float]) -> Floats:
        """Values of the criterion, from the numbers that the column holds.

        These are NaN where a value is missing, and numbers of labels: -1 where one is not known.
        """
        cells: Floats = np.asarray(numbers, dtype=np.float64)
        found = cells
        if self.places is not None:
            known = np.array([*self.places, self.unseen])  # -1, an unknown label, is the last
            found = known[np.where(np.isnan(cells), -1, cells).astype(np.intp)]
        if self.within is not None:
            found = np.clip(found, *self.within)
        for gap in self.gaps:
            found = np.where(gap.cells(cells), gap.place, found)
        return found

    def unread(self, values: Floats) -> Floats:
        """Numbers that the column may hold where the criterion has these values.

        Of labels that share a place the first known one; -1 where only unknown labels stand, and
        NaN where nothing but a missing value does.
        """
        if self.places is None:
            return values
        of_place = {self.missing: math.nan, self.unseen: -1.0}
        of_place |= {at: float(j) for j, at in reversed([*enumerate(self.places)])}
        return np.array([of_place.get(value, math.nan) for value in values.tolist()])


def names_apart(criteria: Sequence[Criterion]) -> list[str]:
    """Return the names of criteria, and of both sides of a column which of them it is.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion, names_apart
    >>> names_apart([Criterion("age", 1), Criterion("age", -1), Criterion("debt", -1)])
    ['age, more', 'age, less', 'debt']
    """
    names = [criterion.name for criterion in criteria]
    sides = {1: "more", -1: "less"}
    return [
        f"{one.name}, {sides[one.direction]}" if names.count(one.name) > 1 else one.name
        for one in criteria
    ]


def both_sides(criteria: Sequence[Criterion]) -> list[tuple[int, int]]:
    """Return the places of criteria that read the two sides of one column.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion, both_sides
    >>> both_sides([Criterion("debt", -1), Criterion("age", 1), Criterion("age", -1)])
    [(1, 2)]
    """
    names = [criterion.name for criterion in criteria]
    last = {name: place for place, name in enumerate(names)}
    return [(place, last[name]) for place, name in enumerate(names) if place < last[name]]


def criteria_of(
    names: Sequence[str] | NDArray[np.object_] | None,
    directions: NDArray[np.integer],
    labels: Sequence[tuple[str, ...] | None] | None = None,
) -> tuple[Criterion, ...]:
    """Put together names (x0, x1, … by default), directions and ordered labels.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.criterion import criteria_of
    >>> criteria_of(None, np.array([-1]))
    (Criterion(name='x0', direction=-1, labels=None),)
    """
    given = [f"x{j}" for j in range(directions.size)] if names is None else [str(n) for n in names]
    ordered = [None] * directions.size if labels is None else labels
    return tuple(
        Criterion(name, int(direction), label, "number" if label is None else "ordered")
        for name, direction, label in zip(given, directions, ordered, strict=True)
    )


def on_scales(X: Floats, criteria: Sequence[Criterion]) -> Floats:
    """Read the columns of a table by criteria: one column for each criterion.

    The table itself where every criterion reads its column as it is, in order.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.criterion import Criterion, Gap, on_scales
    >>> age = [Criterion("age", sign, column=0, gaps=(Gap(40.0),)) for sign in (1, -1)]
    >>> on_scales(np.array([[31.0], [np.nan]]), age)
    array([[31., 31.],
           [40., 40.]])
    """
    columns = [j if one.column is None else one.column for j, one in enumerate(criteria)]
    if columns == [*range(X.shape[1])] and all(one.reads_as_it_is for one in criteria):
        return X
    return np.column_stack([one.read(X[:, j]) for one, j in zip(criteria, columns)])


def counts_on_scale(
    counts: ValueCounts, totals: NDArray[np.int64], criterion: Criterion
) -> ValueCounts:
    """Counts of the values of a criterion, from those of its column.

    Parameters
    ----------
    counts : ValueCounts
        Weight of each known value by class.
    totals : ndarray of int64 of shape (C,)
        Weight of each class, rows with a missing value included.
    criterion : Criterion
        It reads the column.

    Returns
    -------
    ValueCounts
        Missing values among them, if they have a place.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.criterion import Criterion, Gap, counts_on_scale
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> ages = ValueCounts(np.array([31.0, 77.0]), np.array([[1, 0], [0, 2]]))
    >>> counts_on_scale(ages, np.array([4, 2]), Criterion("age", gaps=(Gap(40.0),))).total
    array([1, 3, 2])
    """
    absent = totals - counts.weights.sum(axis=0)
    values = criterion.read(np.append(counts.values, np.nan))
    weights = np.vstack([counts.weights, absent])
    there = ~np.isnan(values) & (weights.sum(axis=1) > 0)
    found, place = np.unique(values[there], return_inverse=True)
    summed = np.zeros((found.size, totals.size), dtype=np.int64)
    np.add.at(summed, place, weights[there])
    return ValueCounts(found, summed)
