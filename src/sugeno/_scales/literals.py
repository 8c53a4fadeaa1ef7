"""Literals: statements "criterion j reaches level t", and the rows that satisfy them.

``x_j >= t`` where more is better, ``x_j <= t`` where less is better. One literal per criterion, at
the value whose utility is β, is the paper's model; several per criterion are a richer one. To
compare a table with the levels is the only pass over it that predicting needs, and one of the few
that fitting needs, so it is written for speed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import assert_all_finite

from sugeno._scales.criterion import Criterion
from sugeno._scales.dates import date_text
from sugeno._scales.knots import Knots, levels
from sugeno._scales.missing import check_none_missing
from sugeno._scales.number import separating_number, shortest
from sugeno._sets.chains import Chains

Floats = NDArray[np.float64]

_WORDS = {">=": "at least", "<=": "at most", ">": "above", "<": "below", "is": "is"}
_WORDS["is not"] = "is not"
_OPPOSITE = {">=": "<", "<=": ">", ">": "<=", "<": ">=", "is": "is not", "is not": "is"}
#: Labels with a comma, a comparison or a joint in them are quoted.
_MISTAKABLE = re.compile(r"[,<>=]|\b(and|or|not|if)\b")
#: Longer lists of labels are shortened in sentences, to so many labels, and written out below.
_LISTED, _SHOWN = 8, 3
#: Rows taken at a time: values, truth values and packed bytes of a block stay in the cache.
_BLOCK_ROWS = 8192


@dataclass(frozen=True, eq=False)
class Literals:
    """The literals that rules may use: criterion by criterion, the weakest of each first.

    Attributes
    ----------
    criteria : tuple of Criterion
        All criteria of the table, in the order of its columns.
    columns : ndarray of intp of shape (L,)
        Criterion of each literal, ascending.
    levels : ndarray of float64 of shape (L,)
        Level of each literal in original units: the numbers that decide. Within a criterion they
        get harder to reach.
    worse, better : ndarray of float64 of shape (L,)
        The observed values next to the level: the best one that misses it, and the worst one that
        reaches it; infinite where there is none, NaN where nobody looked.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno._scales.literals import Literals
    >>> criteria = (Criterion("speed"), Criterion("price", -1))
    >>> literals = Literals.of_levels(criteria, [0, 0, 1], [5, 7, 3])
    >>> literals.texts
    ('speed >= 5', 'speed >= 7', 'price <= 3')
    >>> literals.words[2], literals.of_values[2]
    ('price at most 3', ('price <= 3', 'price > 3'))
    >>> literals.satisfied(np.array([[6.0, 2.0], [8.0, 9.0]]))
    array([[5],
           [3]], dtype=uint64)
    """

    criteria: tuple[Criterion, ...]
    columns: NDArray[np.intp]
    levels: Floats
    worse: Floats
    better: Floats

    @classmethod
    def of_levels(
        cls, criteria: Sequence[Criterion], columns: ArrayLike, levels: ArrayLike
    ) -> Literals:
        """Take levels as they are given, with nothing known about observed values."""
        bounds = np.array(levels, dtype=np.float64)
        unknown = np.full(bounds.shape, np.nan)
        return cls(tuple(criteria), np.array(columns, np.intp), bounds, unknown, unknown)

    @classmethod
    def at_utility(cls, criteria: Sequence[Criterion], knots: Knots, beta: float) -> Literals:
        """One literal per criterion, at the worst value whose utility reaches β: the paper's."""
        places = [knots.first_reaching(j, beta) for j in range(len(knots.values))]
        pairs = list(zip(knots.values, places))
        better = [values[i] if i < values.size else np.inf for values, i in pairs]
        worse = [values[i - 1] if i else -np.inf for values, i in pairs]
        directions = knots.directions
        columns = np.arange(len(pairs))
        at = levels(knots, beta, places)
        return cls(tuple(criteria), columns, at, directions * worse, directions * better)

    @property
    def directions(self) -> NDArray[np.int64]:
        """+1 or -1 per criterion."""
        return np.array([criterion.direction for criterion in self.criteria], dtype=np.int64)

    @cached_property
    def chains(self) -> Chains:
        """The order of the literals: those of a criterion imply each other."""
        sizes = np.bincount(self.columns, minlength=len(self.criteria))
        return Chains(tuple(sizes.tolist()))

    @cached_property
    def is_plain(self) -> bool:
        """Whether literal j speaks about criterion j."""
        return len(self.criteria) == self.columns.size and self.chains.is_single

    @property
    def bounds(self) -> tuple[Floats, NDArray[np.bool_]]:
        """What values are compared with, ``x >= bound``, and which literals are the opposite of it.

        See `satisfied`.
        """
        decreasing = self.directions[self.columns] < 0
        return _bounds(self.levels, decreasing), decreasing

    def satisfied(self, X: NDArray[Any], *, check_finite: bool = False) -> NDArray[np.uint64]:
        """Return for each row of a plain array the packed set of the literals it satisfies."""
        directions, columns = self.directions, None if self.is_plain else self.columns
        signs = directions if columns is None else directions[columns]
        try:
            return satisfied(X, self.levels, signs, columns, check_finite=check_finite)
        except ValueError:
            check_none_missing(X, [criterion.name for criterion in self.criteria])
            raise

    def chosen(self, kept: NDArray[np.intp]) -> Literals:
        """Only some of the literals, by number, ascending."""
        return Literals(
            self.criteria,
            self.columns[kept],
            self.levels[kept],
            self.worse[kept],
            self.better[kept],
        )

    @cached_property
    def parts(self) -> tuple[tuple[str, str, str], ...]:
        """Name, sign and number (or label) of each literal, as people write them.

        The number is the shortest one that separates the observed values next to the level, so
        that who reads it decides on every observed value as the level does. Where literals share
        a gap between observed values, the numbers are in the order of the levels.
        """
        worse, better = self._separated()
        return tuple(
            (self.criteria[j].name, *_relation(self.criteria[j], *numbers))
            for j, *numbers in zip(self.columns.tolist(), self.levels.tolist(), worse, better)
        )

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The number (or labels) of each literal, without the kinds of missing cells.

        Of many labels the first few, and how many there are; see `legend`.
        """
        return tuple(
            _shortened(labels) if labels else number.removesuffix(_or(gaps))
            for (_, _, number), gaps, labels in zip(self.parts, self._gaps, self._long_lists)
        )

    @cached_property
    def _long_lists(self) -> list[tuple[str, ...]]:
        """The labels of each literal that names more of them than a sentence can; else none."""
        pairs = zip(self.columns.tolist(), self.levels.tolist())
        criteria = [(self.criteria[j], level) for j, level in pairs]
        named = [() if c.places is None else _named_labels(c, level)[1] for c, level in criteria]
        return [labels if len(labels) > _LISTED else () for labels in named]

    def legend(self, members: Sequence[int]) -> list[str]:
        """Write out the lists of labels that sentences about some literals shorten, one per line.

        Examples
        --------
        >>> from sugeno._scales.criterion import Criterion
        >>> from sugeno._scales.literals import Literals
        >>> letters = tuple("abcdefghij")
        >>> criterion = Criterion("x", labels=letters, kind="unordered", known=letters,
        ...                       places=tuple(map(float, range(10))), unseen=-0.5)
        >>> literals = Literals.of_levels([criterion], [0], [1])
        >>> literals.texts
        ('x is one of 9 labels (j, i, h, …)',)
        >>> literals.legend([0])
        ['x, 9 labels: j, i, h, g, f, e, d, c, b']
        """
        found = [(self.parts[j][0], self._long_lists[j]) for j in members if self._long_lists[j]]
        return [
            f"{name}, {len(labels)} labels: {', '.join(labels)}"
            for name, labels in dict.fromkeys(found)
        ]

    def _separated(self) -> tuple[list[float], list[float]]:
        """What the number of each literal lies between: observed values, and other literals."""
        worse, better = self.worse.tolist(), self.better.tolist()
        levels, columns = self.levels.tolist(), self.columns.tolist()
        for i, (j, level) in enumerate(zip(columns, levels)):
            sign = self.criteria[j].direction
            if self.criteria[j].labels is not None:
                continue
            if i and columns[i - 1] == j:
                beyond = math.isinf(better[i - 1])  # it reads "> worse"
                shown = levels[i - 1] if math.isnan(better[i - 1]) else better[i - 1]
                shown = worse[i - 1] if beyond else shown
                if sign * shown > sign * worse[i] or (beyond and math.isinf(better[i])):
                    worse[i], better[i] = shown, level if math.isinf(better[i]) else better[i]
            last = i + 1 == len(levels) or columns[i + 1] != j
            if not last and math.isfinite(better[i]) and sign * better[i] >= sign * levels[i + 1]:
                better[i] = math.nextafter(levels[i + 1], -sign * math.inf)
        return worse, better

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Text of each literal, such as ``price <= 3``."""
        return tuple(
            f"{name} {sign} {number}{_or(gaps)}"
            for (name, sign, _), number, gaps in zip(self.parts, self.numbers, self._gaps)
        )

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Each literal in words, such as ``price at most 3``."""
        return tuple(
            f"{name} {_WORDS[sign]} {number}{_or(gaps)}"
            for (name, sign, _), number, gaps in zip(self.parts, self.numbers, self._gaps)
        )

    def conditions(self, members: Sequence[int], *, words: bool = False) -> list[str]:
        """Texts of literals that have to hold together, in signs or in words.

        Both sides of a column without a direction are one condition, ``20 <= age <= 60``, of which
        a kind of missing cell satisfies both or it fails.

        Examples
        --------
        >>> from sugeno._scales.criterion import Criterion, Gap
        >>> from sugeno._scales.literals import Literals
        >>> age = (Criterion("age", column=0), Criterion("age", -1, column=0))
        >>> Literals.of_levels(age, [0, 1], [20, 60]).conditions([0, 1])
        ['20 <= age <= 60']
        >>> Literals.of_levels(age, [0, 1], [20, 20]).conditions([0, 1])
        ['age is 20']
        >>> up = Criterion("age", gaps=(Gap(99.0),), column=0)
        >>> down = Criterion("age", -1, gaps=(Gap(1.0),), column=0)
        >>> Literals.of_levels((up, down), [0, 1], [60, 20]).conditions([0, 1])
        ['age is missing']
        """
        texts = self.words if words else self.texts
        found = {j: texts[j] for j in members}
        lower = {self.parts[j][0]: j for j in members if self.parts[j][1] in (">=", ">")}
        gaps = {j: self._gaps[j] for j in members}
        for j in members:
            i = lower.get(self.parts[j][0])
            if i is not None and self.parts[j][1] in ("<=", "<"):
                common = tuple(gap for gap in gaps[i] if gap in gaps[j])
                if self.levels[i] <= self.levels[j]:
                    found[i] = self._between(i, j, common, words=words)
                elif common:  # no value is on both sides
                    found[i] = f"{self.parts[i][0]} is {_either([*common])}"
                    common = ()
                else:
                    continue
                gaps[i] = common
                del found[j], gaps[j]
        if len(found) == 1:
            return [*found.values()]
        return [f"({one})" if self._ends_in_gap(j, gaps[j]) else one for j, one in found.items()]

    def _ends_in_gap(self, literal: int, gaps: tuple[str, ...]) -> bool:
        """Whether a condition ends in "or missing", so that an "and" after it could be misread."""
        criterion = self.criteria[int(self.columns[literal])]
        labels = tuple(_or([_quoted(gap.label)]) for gap in criterion.gaps)
        named = criterion.places is not None and self.texts[literal].endswith(labels)
        return bool(gaps) or named

    @cached_property
    def _gaps(self) -> list[tuple[str, ...]]:
        """The kinds of missing cells that satisfy each literal, and are named after its number."""
        criteria = [self.criteria[j] for j in self.columns.tolist()]
        return [_gaps(one, level) for one, level in zip(criteria, self.levels.tolist())]

    def _between(self, low: int, high: int, gaps: tuple[str, ...], *, words: bool) -> str:
        """Both sides of one column in one condition; what is missing has to satisfy both."""
        name, low_sign, _ = self.parts[low]
        high_sign = self.parts[high][1]
        least, most = self.numbers[low], self.numbers[high]
        if least == most and (low_sign, high_sign) == (">=", "<="):
            return f"{name} is {least}{_or(gaps)}"
        if words:
            return f"{name} {_WORDS[low_sign]} {least} and {_WORDS[high_sign]} {most}{_or(gaps)}"
        below = "<=" if low_sign == ">=" else "<"
        return f"{least} {below} {name} {high_sign} {most}{_or(gaps)}"

    @cached_property
    def of_values(self) -> tuple[tuple[str, str], ...]:
        """Each literal and its opposite, said of a cell that holds a value: ``price <= 3``.

        What cells without a value do is left out: an "or missing" says nothing about a value.
        """
        return tuple(
            (f"{name} {sign} {number}", f"{name} {_OPPOSITE[sign]} {number}")
            for (name, sign, _), number in zip(self.parts, self.numbers)
        )


def _relation(criterion: Criterion, level: float, worse: float, better: float) -> tuple[str, str]:
    """Sign and number of a literal, or "is" and its labels."""
    if criterion.places is not None:
        return _membership(criterion, level)
    sign, number = _comparison(criterion, level, worse, better)
    return sign, number + _or(_gaps(criterion, level))


def _gaps(criterion: Criterion, level: float) -> tuple[str, ...]:
    """The kinds of missing cells that reach a level; those of categories are labels of theirs."""
    if criterion.places is not None:
        return ()
    return tuple(_quoted(g.label) for g in criterion.gaps if criterion.reaches(g.place, level))


def _or(gaps: Sequence[str]) -> str:
    """What is said of kinds of missing cells after a number."""
    return "".join(f" or {gap}" for gap in gaps)


def _comparison(criterion: Criterion, level: float, worse: float, better: float) -> tuple[str, str]:
    """Sign and number of a literal, but for missing values."""
    known_worse, known_better = criterion.values_beside(worse, better)
    # No observed value reaches the level; a missing one may, which stands beyond all of them.
    if math.isinf(known_better):
        return criterion.sign[0], _text(
            criterion, worse if math.isnan(known_worse) else known_worse
        )
    if criterion.labels is not None:
        return criterion.sign, _text(criterion, level)
    if criterion.kind != "date" and math.isfinite(worse) and math.isfinite(better):
        return criterion.sign, separating_number(worse, better, level)
    return criterion.sign, _text(criterion, level)


def _membership(criterion: Criterion, level: float) -> tuple[str, str]:
    """The labels of a literal in a sentence."""
    sign, labels = _named_labels(criterion, level)
    return sign, _either([*labels])


def _named_labels(criterion: Criterion, level: float) -> tuple[str, tuple[str, ...]]:
    """Which labels reach a level, or which do not if labels that nobody has seen do.

    So that the sentence is true of every label, whether training saw it or not.
    """
    sign = "is not" if criterion.reaches(criterion.unseen, level) else "is"
    places = zip(criterion.known or (), criterion.places or ())
    cells = [*places, *((gap.label, gap.place) for gap in criterion.gaps)]
    named = [
        (place, label)
        for label, place in cells
        if criterion.reaches(place, level) == (sign == "is")
    ]
    labels = [_quoted(label) for _, label in sorted(named, key=lambda one: -one[0])]
    return sign, tuple(labels)


def _shortened(labels: Sequence[str]) -> str:
    """The first few of many labels."""
    return f"one of {len(labels)} labels ({', '.join(labels[:_SHOWN])}, …)"


def _either(labels: list[str]) -> str:
    """List labels: "a, b or c"; nothing at all is "anything"."""
    if len(labels) < 2:
        return labels[0] if labels else "anything"
    return f"{', '.join(labels[:-1])} or {labels[-1]}"


def _quoted(label: str) -> str:
    """A label, in quotes where its end could be mistaken for that of a list or a condition."""
    return repr(label) if _MISTAKABLE.search(label) else label


def _text(criterion: Criterion, value: float) -> str:
    """Write a value: a number, a date, or the worst label that is as good."""
    if criterion.labels is None:
        return date_text(value) if criterion.kind == "date" else shortest(value)
    place = min(max(value, 0.0), len(criterion.labels) - 1.0)
    return criterion.labels[math.ceil(place) if criterion.direction > 0 else math.floor(place)]


def satisfied(
    X: NDArray[Any],
    levels: ArrayLike,
    directions: ArrayLike,
    criteria: NDArray[np.intp] | None = None,
    *,
    check_finite: bool = False,
) -> NDArray[np.uint64]:
    """Return for each row the packed set of the literals that it satisfies.

    The values must be finite. A literal ``x <= t`` is read as "not ``x >= t⁺``", where t⁺ is
    the next number above t: so the whole table needs one kind of comparison, and decreasing
    criteria cost one exclusive-or of the packed words. Cost: one comparison per row and literal.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Values in original units.
    levels : array-like of shape (L,)
        Level of each literal in original units.
    directions : array-like of shape (L,)
        +1 where the criterion has to reach the level from below, -1 from above.
    criteria : ndarray of shape (L,), optional
        Column of each literal. By default literal j speaks about column j.
    check_finite : bool, default=False
        Refuse missing and infinite values; cheaper here, while a block is in the cache, than in
        a pass of its own.

    Returns
    -------
    ndarray of uint64 of shape (n, words)
        Literal j is bit ``j % 64`` of word ``j // 64``.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.literals import satisfied
    >>> X = np.array([[6.0, 9.0], [7.0, 3.0], [1.0, 8.0]])
    >>> satisfied(X, [6, 3], [1, -1])
    array([[1],
           [3],
           [0]], dtype=uint64)
    """
    levels = np.asarray(levels, dtype=np.float64)
    decreasing = np.asarray(directions) < 0
    bounds = _bounds(levels, decreasing)
    word = _smallest_word(levels.size)
    words = max(1, -(-levels.size // 64))
    masks = np.zeros((len(X), words), dtype=np.uint64)
    # Several literals read the same column: it is laid out once.
    by_column = criteria is not None or not X.flags.c_contiguous
    places = np.arange(levels.size) if criteria is None else criteria
    # Columns beyond the last literal stay False.
    width = 64 * words if words > 1 else 8 * word.itemsize
    truth = np.zeros((min(len(X), _BLOCK_ROWS), width), dtype=np.bool_)
    for start in range(0, len(X), _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        block = X[rows]
        if by_column:
            packed = _compare_by_column(block, bounds, places.tolist(), width // 8)
        else:
            packed = _compare_by_row(block, bounds, truth[: len(block)])
        masks[rows] = packed.view(word).reshape(len(block), words)
        if check_finite:
            refuse_infinite(X[rows])
    if decreasing.any():
        masks ^= _packed_row(decreasing, words)
    return masks


def _bounds(levels: Floats, decreasing: NDArray[np.bool_]) -> Floats:
    """The levels, and the next number above that of a decreasing criterion."""
    with np.errstate(over="ignore"):  # beyond the largest number there is infinity
        return np.where(decreasing, np.nextafter(levels, np.inf), levels)


def _smallest_word(n_literals: int) -> np.dtype[Any]:
    """Smallest little-endian word that holds so many bits, at most 64."""
    return np.dtype("<u8" if n_literals > 32 else "<u4" if n_literals > 16 else "<u2")


def refuse_infinite(block: NDArray[Any]) -> None:
    """Refuse missing and infinite values; each entry is looked at if the sum of all is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.literals import refuse_infinite
    >>> refuse_infinite(np.array([[1.0, 2.0]]))
    """
    if block.dtype.kind == "f":
        # Near the largest number the sum may overflow, also in the check of scikit-learn, which
        # then looks at each entry.
        with np.errstate(over="ignore", invalid="ignore"):
            if not np.isfinite(block.sum()):
                assert_all_finite(block, input_name="X")


def _compare_by_row(
    block: NDArray[Any], bounds: NDArray[np.float64], truth: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    """Compare a block that lies row by row, and pack eight truth values into each byte."""
    np.greater_equal(block, bounds, out=truth[:, : bounds.size])
    return np.packbits(truth.reshape(-1), bitorder="little")


def _compare_by_column(
    block: NDArray[Any], bounds: NDArray[np.float64], places: list[int], n_bytes: int
) -> NDArray[np.uint8]:
    """Compare column by column, as the block lies (in data frames) or is laid out here."""
    columns = np.ascontiguousarray(block.T)
    packed = np.zeros((n_bytes, len(block)), dtype=np.uint8)
    for number, (place, bound) in enumerate(zip(places, bounds)):  # float64, whatever the block is
        reached = (columns[place] >= bound).view(np.uint8)
        packed[number // 8] |= reached << np.uint8(number % 8)
    return np.ascontiguousarray(packed.T)


def _packed_row(bits: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """Pack one set of literals."""
    padded = np.zeros(64 * words, dtype=np.bool_)
    padded[: bits.size] = bits
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64, copy=False)
