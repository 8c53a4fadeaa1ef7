"""From rules to a whole model: probabilities, support, importances and what is known of errors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import RowWeights
from sugeno._scales.literals import Literals
from sugeno._scales.number import shortest
from sugeno._sets.masks import pack
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.card import Card
from sugeno.model.grading import binary_threshold
from sugeno.model.pivotality import pivotality
from sugeno.model.probability import Probability, Steps, just_above, split_at
from sugeno.model.rules import RuleSet

Floats = NDArray[np.float64]

#: Up to this many patterns all count for the importances where there are no rows.
_MOST_PATTERNS = 1 << 14


@dataclass(frozen=True, eq=False)
class EvaluationRows:
    """Rows to judge a model by.

    Attributes
    ----------
    X : ndarray of float64 of shape (n, m)
        Values in original units, infinite where the model reads a missing one so.
    positive : ndarray of bool of shape (n,)
        Whether they belong to the positive class.
    weights : RowWeights
        Their weights.
    """

    X: Floats
    positive: NDArray[np.bool_]
    weights: RowWeights

    def patterns(self, literals: Literals) -> Patterns:
        """Return how much weight each class has on each pattern."""
        masks = literals.satisfied(self.X)
        return Patterns.from_rows(masks, self.positive, self.weights, literals.chains)

    def errors(self, accepted: NDArray[np.bool_]) -> float:
        """Weight of the rows that a decision gets wrong."""
        return self.weight_of(accepted != self.positive)

    def weight_of(self, chosen: NDArray[np.bool_]) -> float:
        """Weight of some of the rows."""
        values = self.weights.values
        total = int(chosen.sum()) if values is None else int(values[chosen].sum())
        return total * self.weights.unit


def assembled(
    rules: RuleSet,
    classes: NDArray[Any],
    rows: EvaluationRows | None = None,
    probability: Probability | None = None,
    missing: str = "error",
    cut: float = 0.5,
) -> Boundary:
    """Complete rules to a model.

    With rows, probabilities, support and importances are those of the rows, and the objective is
    their weight of errors. Without, the probability given is kept; it must have a gain for each
    literal. All patterns then count alike for the importances, and the objective is unknown:
    infinite. The bound is 0, so that nothing is claimed to be proved that was not.

    Parameters
    ----------
    rules : RuleSet
        What decides.
    classes : ndarray of shape (2,)
        The negative and the positive label.
    rows : EvaluationRows, optional
        Rows to learn the rest from.
    probability : Probability, optional
        Used without rows; by default every row is as likely as not.
    missing : {"error", "pessimistic", "optimistic", "interval"}, default="error"
        How the model reads missing values.
    cut : float, default=0.5
        The probability above which rows are accepted.

    Returns
    -------
    Boundary
        The whole model.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import RuleSet
    >>> from sugeno.edit import assembled
    >>> model = assembled(RuleSet.parse("speed >= 5"), np.array(["no", "yes"]))
    >>> model.accepted(np.array([[6.0]])), model.certificate.gap
    (array([ True]), inf)
    """
    literals = rules.literal_set
    whole = RuleSet.from_masks(
        rules.masks,
        literals,
        named=rules.named,
        label=rules.spoken if rules.label == classes[1] else classes[1],
        form=rules.form,
    )
    if rows is None:
        patterns = _all_patterns(literals)
        chance = probability or _no_idea(literals.levels.size, cut)
        objective = math.inf
    else:
        patterns = rows.patterns(literals)
        chance = Probability.fitted(patterns, rules.accepts(patterns.masks), cut)
        objective = rows.errors(rules.accepts(literals.satisfied(rows.X)))
        whole = whole.with_support(patterns)
    sizes = [len(members) for members in whole.sets]
    return Boundary(
        labels=classes,
        form=whole,
        probability=chance,
        certificate=Certificate(objective, 0.0),
        threshold=binary_threshold(whole),
        k=max([1, *sizes]) if rules.form == "dnf" else len(literals.criteria),
        normalized=bool(whole.accepts(literals.chains.full)[0]),
        utility=None,
        importances=pivotality(whole, patterns),
        missing=missing,
    )


def assembled_card(card: Card, before: Boundary, rows: EvaluationRows | None = None) -> Boundary:
    """Complete a card to a boundary, in the place of one that had other points.

    With rows, probabilities, support and importances are those of the rows. Without, a score keeps
    the probability that it had, on the side of the cut where it is now.

    Examples
    --------
    >>> from sugeno import SugenoDistiller
    >>> from sugeno.edit import assembled_card
    >>> X, y = [[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9
    >>> clf = SugenoDistiller(form="points", directions=[1]).fit(X, y)
    >>> (boundary,) = clf.model_.boundaries
    >>> assembled_card(boundary.form.with_needed(0), boundary).accepted(np.array([[1.0]]))
    array([ True])
    """
    literals, cut = card.literal_set, before.cut
    scores = np.arange(card.total + 1, dtype=np.float64)
    passed = scores >= card.needed
    if rows is None:
        patterns = _all_patterns(literals)
        objective = math.inf
        chances = split_at(cut, _known_chances(before, scores.size), passed)
    else:
        patterns = rows.patterns(literals)
        objective = rows.errors(card.accepts(literals.satisfied(rows.X)))
        gains = np.array(card.points, dtype=np.float64)
        fitted = Probability.over(gains, patterns, card.accepts(patterns.masks), cut)
        chances = np.where(passed, fitted.accepted(scores), fitted.rejected(scores))
    whole = Card.of(
        literals,
        card.points,
        card.needed,
        named=card.named,
        label=card.spoken,
        chances=chances.tolist(),
    )
    return Boundary(
        labels=before.labels,
        form=whole if rows is None else whole.with_support(patterns),
        probability=Probability.of_points(card.points, chances, card.needed, cut),
        certificate=Certificate(objective, 0.0),
        threshold=card.needed / max(card.total, 1),
        k=max(1, len({*card.literal_criteria.tolist()})),
        normalized=False,
        utility=None,
        importances=pivotality(whole, patterns),
        missing=before.missing,
    )


def _known_chances(before: Boundary, n_scores: int) -> Floats:
    """The probability that each score had, as far as that is known; else it is the cut."""
    chances = getattr(before.form, "chances", None)
    if chances is None:
        return np.full(n_scores, before.cut)
    known = np.array(chances)
    result: Floats = known[np.minimum(np.arange(n_scores), known.size - 1)]
    return result


def _no_idea(n_literals: int, cut: float) -> Probability:
    """Probabilities that only say on which side of the cut a row is."""
    nothing = np.zeros(0)
    rejected, accepted = (
        Steps.calibrated(nothing, nothing, nothing, low, high)
        for low, high in ((0.0, cut), (just_above(cut), 1.0))
    )
    return Probability(np.zeros(n_literals), rejected, accepted, cut)


def _all_patterns(literals: Literals) -> Patterns:
    """Every pattern once; of too many, some that are always the same."""
    chains = literals.chains
    if chains.n_cells <= _MOST_PATTERNS:
        masks = chains.masks_of(np.arange(chains.n_cells))
    else:
        rng = np.random.default_rng(0)
        sizes = np.array(chains.sizes)
        places = rng.integers(0, sizes + 1, size=(_MOST_PATTERNS, sizes.size))
        starts = np.cumsum(sizes) - sizes
        inside = np.arange(chains.n_literals) - starts[chains.criteria]
        masks = np.unique(pack(inside < places[:, chains.criteria]), axis=0)
    once = np.ones(len(masks), dtype=np.int64)
    return Patterns.of_two_classes(masks, once, once, chains)


def as_text(level: Any) -> str:
    """Return a level as people write it.

    Examples
    --------
    >>> from sugeno.edit._assembly import as_text
    >>> as_text(2.0), as_text("good")
    ('2', 'good')
    """
    return level if isinstance(level, str) else shortest(float(level))


def check_assumed(assume: object) -> None:
    """Refuse what a criterion that is forbidden cannot be taken to be.

    Examples
    --------
    >>> from sugeno.edit._assembly import check_assumed
    >>> check_assumed("worst")
    """
    if assume not in ("worst", "best"):
        raise ValueError(f"assume must be 'worst' or 'best'. Got {assume!r} instead.")
