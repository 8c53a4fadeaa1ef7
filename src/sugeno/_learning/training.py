"""Training data on its way to a solver: scales first, then patterns at a threshold.

`Training` holds everything that does not depend on threshold, margin and k; a `PatternCounts` adds
threshold and margin, and is what solvers see of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.loss import Loss
from sugeno._counts.patterns import Patterns
from sugeno._counts.sample import SAMPLE
from sugeno._counts.source import Source
from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights, class_factors
from sugeno._exceptions import MarginError
from sugeno._learning.median_of_counts import median_threshold_of_counts
from sugeno._learning.scales import Scales, find_scales
from sugeno._learning.threshold import (
    known_median,
    lower_median,
    median_threshold_of_rows,
    threshold_interval,
    threshold_of_scores,
)
from sugeno._scales.assumed import Assumed
from sugeno._scales.criterion import Criterion, criteria_of
from sugeno._scales.directions import Directions, directions_by_rank, given_directions
from sugeno._scales.evidence import RankEvidence, rank_evidence
from sugeno._scales.kinds import Column
from sugeno._scales.knots import Knots, knot_utilities_at, knots_of, utilities
from sugeno._scales.literals import Literals
from sugeno._scales.missing import as_read, has_missing
from sugeno._scales.value_counts import ValueCounts
from sugeno.model.class_rules import boundary_labels

__all__ = [
    "PatternCounts",
    "Training",
    "at_boundary",
    "at_literals",
    "at_threshold",
    "chance_patterns",
    "check_margin",
    "prepare",
]

Floats = NDArray[np.float64]

#: Criteria that have at most so many values together are looked at together.
_FEW_VALUES = 1 << 16


@dataclass(frozen=True)
class Training:
    """Training data with its scales.

    Attributes
    ----------
    source : Source
        The rows, seen through counts.
    knots : Knots
        The utilities, with the directions.
    criteria : tuple of Criterion
        Names and directions of the columns.
    classes : ndarray of shape (2,)
        The negative and the positive label.
    named : bool
        Whether the columns have names of their own.
    found : Directions or None
        Directions that were found from the data, with the evidence.
    places : ndarray of intp of shape (m, n) or None
        Where the entries of a small table are among the knots, which are its values.
    sample : int
        Number of rows of different values that is enough for what looks at rows.
    assumed : Assumed or None
        What was assumed about the columns of a table of any kind.
    costs : Loss or None
        What the two errors of two classes cost, where that was said: errors are priced by it, and
        probabilities are not moved.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.training import prepare
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 1])
    >>> training = prepare(Table.of(X, y, row_weights(None, 3)), np.array([0, 1]))
    >>> round(training.median_threshold, 3)
    0.333
    """

    source: Source
    knots: Knots
    criteria: tuple[Criterion, ...]
    classes: NDArray[Any]
    named: bool = False
    found: Directions | None = None
    places: NDArray[np.intp] | None = None
    sample: int = SAMPLE
    assumed: Assumed | None = None
    costs: Loss | None = None

    @property
    def cut(self) -> float:
        """The probability beyond which a row is accepted."""
        return 0.5 if self.costs is None else self.costs.cut

    def chance_weights(self, table: Table) -> RowWeights:
        """What rows count where probabilities are learned: class weights count, costs do not."""
        return table.costs if self.costs is None else table.weights

    @cached_property
    def table(self) -> Table:
        """The rows themselves, for what cannot be learned from counts."""
        return self.source.rows()

    @cached_property
    def sampled(self) -> Training:
        """The same training data with `sample` of its rows; scales and prices remain.

        All rows if there are no more than that; see `sugeno._counts.sample`.
        """
        if self.sample < 2:
            raise ValueError(
                "sample must be a number of rows with different values, at least 2. "
                f"Got {self.sample!r} instead."
            )
        table = self.source.sample(int(self.sample))
        if table is self.source:
            return self
        for code, label in enumerate(self.classes.tolist()):
            if code not in table.codes:
                raise ValueError(
                    f"A sample must have rows of every class. Got none of class {label!r} among "
                    f"{len(table.codes)} rows instead; leave the class out, or raise sample."
                )
        return replace(self, source=table, places=None, sample=max(self.sample, len(table.codes)))

    @cached_property
    def median_threshold(self) -> float:
        """Solution of program (10); of a row with open values the median of the known ones."""
        if not self.source.in_memory and self.source.missing != "interval":
            return median_threshold_of_counts(self.source, self.criteria, self.knots)
        table = self.table
        if table.missing == "interval" and has_missing(table.X):
            known = np.where(np.isnan(table.X), np.nan, self.utilities)
            return threshold_of_scores(known_median(known), table.positive, table.costs)
        if self.places is not None:
            return threshold_of_scores(lower_median(self.utilities), table.positive, table.costs)
        return median_threshold_of_rows(self._read, table.positive, table.costs, self.knots)

    @cached_property
    def mean_median_threshold(self) -> float:
        """Middle of the solutions of program (10) with numpy's median, whatever the ties."""
        medians = np.median(self.utilities, axis=1)
        low, high = threshold_interval(medians, self.table.positive, self.table.costs.values)
        return low + (high - low) / 2

    @cached_property
    def utilities(self) -> Floats:
        """Utilities of all rows; 0 or 1 where a value is missing."""
        if self.places is not None:
            return knot_utilities_at(self.places, self.knots)
        return utilities(self._read, self.knots)

    @cached_property
    def _read(self) -> Floats:
        """The rows, with missing values as they are read; open ones as the worst."""
        return as_read(self.table.X, self.knots.directions, self.table.missing)

    def positive_utilities(self) -> tuple[Floats, NDArray[np.int64] | None]:
        """Utilities and costs of the positive rows."""
        positive = self.table.positive
        costs = self.table.costs.take(positive)
        return utilities(self._read[positive], self.knots), costs.values


def prepare(
    source: Source,
    classes: NDArray[Any],
    *,
    directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
    class_weight: Mapping[Any, float] | str | None = None,
    feature_names: Sequence[str] | NDArray[np.object_] | None = None,
    labels: Sequence[tuple[str, ...] | None] | None = None,
    columns: Sequence[Column] | None = None,
    scales: Scales | None = None,
    positive: str = "",
    costs: Loss | None = None,
) -> Training:
    """Orient the criteria, count their values and price the errors.

    Parameters
    ----------
    source : Source
        Rows of positive weight; both classes occur.
    classes : ndarray of shape (2,)
        The negative and the positive label, for weights by label.
    directions : "auto", "model", Directions, array-like, mapping or None, default="auto"
        See `sugeno._scales.directions.given_directions`; "model" asks a neural network.
    class_weight : mapping, "balanced" or None, default=None
        Price of an error by class.
    feature_names : sequence of str, optional
        Names of the columns.
    labels : sequence of tuple of str or None, optional
        The ordered labels of categorical columns.
    columns : sequence of Column, optional
        What the columns of a table of any kind hold. Then criteria, their directions and orders
        are found by `sugeno._learning.scales.find_scales`.
    scales : Scales, optional
        What was found of these columns, if somebody has looked before.
    positive : str, default=""
        What rows of the higher one of two classes are called, in what is said of columns.
    costs : Loss, optional
        What the two errors of two classes cost, in the place of class weights.

    Returns
    -------
    Training
        What all thresholds, margins and k have in common.

    Notes
    -----
    Costs one sort of each column, which gives its utility and its direction.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.training import prepare
    >>> X, y = np.array([[1.0, 4.0], [2.0, 3.0]]), np.array([0, 1])
    >>> prepare(Table.of(X, y, row_weights(None, 2)), np.array([0, 1])).knots.directions
    array([ 1, -1])
    """
    if isinstance(directions, str) and directions == "model":
        from sugeno._learning.directions_by_network import voted_directions

        voted = voted_directions(source, columns, feature_names)
        training = prepare(
            source,
            classes,
            directions=voted,
            class_weight=class_weight,
            feature_names=feature_names,
            labels=labels,
            columns=columns,
            positive=positive,
            costs=costs,
        )
        if training.assumed is None:
            return replace(training, found=voted)
        return replace(training, found=voted, assumed=training.assumed.voted(voted))
    given = given_directions(directions, source.n_criteria, feature_names)
    if columns is not None:
        said = {c.name: int(sign) for c, sign in zip(columns, given) if sign}
        scales = scales or find_scales(source, columns, said, positive)
        return _on_scales(source, classes, class_weight, scales, costs)
    signs = given.copy()
    evidence: dict[int, RankEvidence] = {}

    def oriented_counts() -> Iterator[ValueCounts]:
        for group in _together(source, given.tolist()):
            asked = [j for j in group if given[j] == 0]
            found = rank_evidence([group[j] for j in asked], source.unit)
            evidence.update(zip(asked, found))
            signs[asked] = [one.direction for one in found]
            yield from group.values()

    knots = knots_of(oriented_counts(), source.total, signs)
    criteria = criteria_of(feature_names, signs, labels)
    priced = _priced(source, classes, class_weight, costs)
    found = _found(evidence, criteria)
    named = feature_names is not None
    return Training(priced, knots, criteria, classes, named, found, source.places, costs=costs)


def _on_scales(
    source: Source,
    classes: NDArray[Any],
    class_weight: Mapping[Any, float] | str | None,
    scales: Scales,
    costs: Loss | None,
) -> Training:
    """Training data of a table of any kind, read by the criteria that were found."""
    read = source.on_scales(scales.criteria)
    signs = np.array([one.direction for one in scales.criteria], dtype=np.int64)
    counts = (read.value_counts(j) for j in range(read.n_criteria))
    knots = knots_of(counts, read.total, signs)
    return Training(
        _priced(read, classes, class_weight, costs),
        knots,
        scales.criteria,
        classes,
        True,
        None,
        read.places,
        assumed=scales.assumed,
        costs=costs,
    )


def at_boundary(training: Training, boundary: int) -> Training:
    """Return the same rows with two classes: below the boundary, and at least above it."""
    if training.classes.size == 2:
        return training
    return replace(
        training,
        source=training.source.at_boundary(boundary),
        classes=boundary_labels(training.classes, boundary),
    )


def _together(source: Source, given: list[int]) -> Iterator[dict[int, ValueCounts]]:
    """Counts of several criteria that have few values together, or of one that has many."""
    group: dict[int, ValueCounts] = {}
    size = 0
    for j, sign in enumerate(given):
        group[j] = source.value_counts(j, by_class=sign == 0)
        size += group[j].values.size
        if size > _FEW_VALUES:
            yield group
            group, size = {}, 0
    yield group


def _priced(
    source: Source,
    classes: NDArray[Any],
    class_weight: Mapping[Any, float] | str | None,
    costs: Loss | None,
) -> Source:
    """Price an error on each row by its class."""
    if costs is not None:
        missed, alarm = costs.errors.values()
        class_weight = dict(zip(classes.tolist(), (alarm, missed)))
    if class_weight is None:
        return source
    lost, won = source.totals.tolist()
    return source.priced(class_factors(class_weight, classes, lost, won))


def _found(evidence: dict[int, RankEvidence], criteria: tuple[Criterion, ...]) -> Directions | None:
    """Directions that were found, with what speaks for them."""
    if not evidence:
        return None
    return directions_by_rank(list(evidence.values()), [criteria[j].name for j in evidence])


@dataclass(frozen=True)
class PatternCounts:
    """Patterns of the training rows at one threshold and margin.

    Attributes
    ----------
    beta, margin : float
        Threshold and margin.
    literals : Literals
        What the patterns are sets of.
    patterns : Patterns
        What the solver sees, priced by costs: rows as intervals if there is a margin, from
        {u ≥ β + margin} to {u ≥ β − margin}.
    priced : Patterns
        All rows with {u ≥ β}, priced by costs.
    counted : Patterns
        All rows with {u ≥ β}, by sample weight.
    """

    beta: float
    margin: float
    literals: Literals
    patterns: Patterns
    priced: Patterns
    counted: Patterns


def at_threshold(training: Training, beta: float, margin: float = 0.0) -> PatternCounts:
    """Count the patterns of the rows; one comparison per entry, three with a margin.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.training import at_threshold, prepare
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 1])
    >>> training = prepare(Table.of(X, y, row_weights(None, 3)), np.array([0, 1]))
    >>> at_threshold(training, 0.5).patterns.positive
    array([0, 2])
    """
    check_margin(margin, beta)

    def at(level: float) -> Literals:
        return Literals.at_utility(training.criteria, training.knots, level)

    counts = at_literals(training, at(beta), beta)
    if margin == 0:
        return counts
    patterns = training.source.patterns(at(beta + margin), at(beta - margin), priced=True)
    return replace(counts, margin=margin, patterns=patterns)


def chance_patterns(training: Training, counts: PatternCounts) -> Patterns:
    """Return the patterns from which probabilities are learned, see `Training.chance_weights`."""
    return counts.priced if training.costs is None else counts.counted


def at_literals(training: Training, literals: Literals, beta: float = 0.5) -> PatternCounts:
    """Count the patterns of the rows for given literals.

    Each literal is a binary utility of its own: then every β in (0, 1) gives the same patterns.
    """
    source = training.source
    counted = source.patterns(literals)
    priced = source.patterns(literals, priced=True) if source.is_priced else counted
    return PatternCounts(beta, 0.0, literals, priced, priced, counted)


def check_margin(margin: float, beta: float) -> None:
    """Refuse a margin that no utility could keep.

    Examples
    --------
    >>> from sugeno._learning.training import check_margin
    >>> check_margin(0.1, 0.5)
    """
    largest = min(beta, 1 - beta)
    if margin >= largest:
        raise MarginError(
            "The 'margin' parameter must be less than min(β, 1 − β), which is "
            f"{largest:.6g} at the threshold {beta:.6g}. Got {margin:g} instead; beyond it no "
            "row can be on the right side."
        )
