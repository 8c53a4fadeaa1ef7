"""The learned classifier: finished when `fit` returns, and small.

Everything that people do with a fitted classifier (predict, explain, plot, report, export) reads a
`Model` and nothing else; no solver runs after `fit`. It holds literals and rules, not rows: its
size does not grow with the training data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.loss import Loss
from sugeno._scales.assumed import Assumed
from sugeno._scales.criterion import Criterion, names_apart
from sugeno._scales.knots import Knots, utilities
from sugeno._sets.masks import Masks
from sugeno.capacity import Capacity, sugeno_integral
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.class_rules import OrdinalRules
from sugeno.model.judged import Judged
from sugeno.model.monotone import MonotoneProof
from sugeno.model.probability import Steps
from sugeno.model.text import Spoken, class_names

__all__ = [
    "MISSED",
    "PASSED",
    "HeldOut",
    "Learned",
    "Model",
    "OrderedModel",
    "exactly",
    "moved_down",
    "moved_up",
    "places_among",
    "settled",
    "shares_above",
]

Floats = NDArray[np.float64]

#: What `Model.decisive` keeps probabilities above, and below, between two boundaries.
PASSED, MISSED = 0.67, 0.33
#: Multiples of this up to 1, times whole multiples of the next one, are exact in double precision,
#: and so are their sums and differences.
_EXACT = 2.0**-40
_SHARE = 2.0**-12


@dataclass(frozen=True)
class HeldOut:
    """What a model errs on rows that it did not learn from.

    Attributes
    ----------
    error : float
        The share of such rows that are wrong; the mean loss where classes are ordered.
    n_folds : int
        Number of folds.
    measured : str
        How, in words: for example "nested choice over 5 folds" where several kinds of models were
        compared, so that the figure does not profit from the choice.
    judged : Judged or None
        The held-out rows by true and decided class, and by probability, where they were counted.

    Examples
    --------
    >>> from sugeno.model.model import HeldOut
    >>> HeldOut(0.12, 5, "nested choice over 5 folds").error
    0.12
    """

    error: float
    n_folds: int
    measured: str
    judged: Judged | None = None

    def at_boundary(self, place: int) -> HeldOut | None:
        """What is known of the two classes below a boundary and above it."""
        if self.judged is None:
            return None
        judged = self.judged.at_boundary(place)
        return HeldOut(judged.error, self.n_folds, self.measured, judged)


@dataclass(frozen=True)
class Learned:
    """How a model was learned, which its rules alone do not tell.

    Attributes
    ----------
    kind : int or str
        "shared", "single", "all", a number of levels per criterion, "distilled", "given" (rules
        that a person wrote) or "edited".
    teacher : str or None
        Of distilled rules the name of the teacher.
    bounded : {"training error", "disagreement with the teacher"} or None
        What objective and bound of the certificate are about; None where nothing is proved.
    held_out : HeldOut or None
        Its error on held-out rows, where that was measured.

    Examples
    --------
    >>> from sugeno.model.model import Learned
    >>> Learned("distilled", "LogisticRegression", "disagreement with the teacher").held_out
    """

    kind: int | str
    teacher: str | None = None
    bounded: str | None = None
    held_out: HeldOut | None = None

    def at_boundary(self, place: int) -> Learned | None:
        """What is known of the two classes below a boundary and above it."""
        held_out = None if self.held_out is None else self.held_out.at_boundary(place)
        return None if held_out is None else Learned(self.kind, held_out=held_out)


class OrderedModel:
    """What a finished model of ordered classes answers, whatever decides at its boundaries.

    Subclasses have ``boundaries``, the lowest first, and ``decisive``, the same with probabilities
    that make the predicted class the likeliest one.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> model.decide(np.array([[2.0], [3.0]])), model.cuts
    (array([0, 1]), array([0.5]))
    """

    #: Whether sums of steps decide, in the place of rules.
    adds_up: ClassVar[bool] = False

    if TYPE_CHECKING:
        classes: Any
        boundaries: Any
        decisive: Any
        learned: Any
        costs: Any
        target: Any
        words: Any

    @property
    def held_out(self) -> HeldOut | None:
        """What it errs on held-out rows, where that was measured."""
        return None if self.learned is None else self.learned.held_out

    @property
    def cuts(self) -> Floats:
        """The probability above which each boundary is passed."""
        return np.array([boundary.cut for boundary in self.boundaries])

    @property
    def names(self) -> tuple[str, ...]:
        """What rows of each class are called, the lowest class first."""
        return class_names(self.classes.tolist(), self.target, self.words)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria, which all boundaries share."""
        found: tuple[Criterion, ...] = self.boundaries[0].literals.criteria
        return found

    @property
    def by_column(self) -> dict[int, list[int]]:
        """The criteria that read each column: two where it counts either way."""
        found: dict[int, list[int]] = {}
        for j, criterion in enumerate(self.criteria):
            found.setdefault(j if criterion.column is None else criterion.column, []).append(j)
        return found

    @property
    def free_columns(self) -> tuple[str, ...]:
        """The names of columns without a direction."""
        free = (own[0] for own in self.by_column.values() if len(own) > 1)
        return tuple(self.criteria[j].name for j in free if self.criteria[j].within is None)

    def places(self, y: ArrayLike) -> NDArray[np.intp]:
        """Return the place of each label among the classes; others are refused."""
        return places_among(self.classes, y)

    def boundary_below(self, label: object) -> int:
        """Return the place of the boundary below a class; the lowest class has none."""
        labels: list[Any] = self.classes.tolist()
        if label not in labels[1:]:
            raise ValueError(
                f"boundary must be the lowest class above a boundary, one of {labels[1:]}. "
                f"Got {label!r} instead."
            )
        return labels.index(label) - 1

    def passed(self, X: NDArray[Any]) -> NDArray[np.intp]:
        """Return how many boundaries each row passes: the place of its class."""
        places: NDArray[np.intp] = self.boundaries[0].accepted(X).astype(np.intp)
        for boundary in self.boundaries[1:]:
            places += boundary.accepted(X)
        return places

    def decide(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the label of each row."""
        labels: NDArray[Any] = self.classes.take(self.passed(X))
        return labels

    @property
    def missing(self) -> str:
        """How a missing value is read, see `Boundary`."""
        found: str = self.boundaries[0].missing
        return found

    def ends(self, X: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return how many boundaries each row passes at least and at most, whatever is missing."""
        each = [model.ends(X) for model in self.boundaries]
        least, most = (np.asarray(np.sum(side, axis=0), dtype=np.intp) for side in zip(*each))
        return least, most

    def open_labels(self, X: NDArray[Any], confidence: float = 0.5) -> NDArray[np.bool_]:
        """Tell which labels are left open, the lowest first: shape (n, C).

        All from the one whose boundaries are surely passed, with so much probability, to the one
        whose boundaries may be.
        """
        each = [boundary.confident(X, confidence) for boundary in self.boundaries]
        lowest, highest = (np.asarray(np.sum(side, axis=0)) for side in zip(*each))
        places = np.arange(self.classes.size)
        within: NDArray[np.bool_] = (lowest[:, None] <= places) & (places <= highest[:, None])
        return within

    def class_probabilities(self, X: NDArray[Any]) -> Floats:
        """Return the probability of each class, the lowest first; the predicted one leads."""
        each = np.column_stack([model.probabilities(X) for model in self.decisive])
        passed = settled(each)
        ends = np.ones((len(passed), 1))
        return -np.diff(np.hstack([ends, passed, 0 * ends]), axis=1) + 0.0  # no negative zero

    def at_least(self, X: NDArray[Any]) -> Floats:
        """Return the probability of passing each boundary: shape (n, C − 1).

        It never rises from a boundary to the next, never falls when a criterion gets better, and
        exceeds 1/2, or its cut of `cuts`, exactly where the boundary is passed.
        """
        each = np.column_stack([model.probabilities(X) for model in self.boundaries])
        if each.shape[1] == 1 or self.adds_up:  # sums never rise from a boundary to the next
            return each
        return settled(exactly(each))


@dataclass(frozen=True, eq=False)
class Model(OrderedModel):
    """A learned classifier of two or more ordered classes; two classes are one boundary.

    Attributes
    ----------
    classes : ndarray of shape (C,)
        The labels, the lowest first.
    boundaries : tuple of Boundary
        What decides between each class and the next. What one boundary accepts, those before it
        accept.
    certificate : Certificate
        What is proved about all boundaries together.
    utility : Knots or None
        The utilities of the one integral, thinned out; None where each boundary has levels of its
        own.
    learned : Learned or None
        How it was learned, where that is known.
    assumed : Assumed or None
        What was assumed about the columns of a table of any kind.
    target : str or None
        Name of what is predicted, where it has one.
    words : tuple of two str or None
        What rows of the positive one of two classes are called, and all others, where a person
        gave words for it.
    costs : Loss or None
        What the two errors of two classes cost, where a person said so.

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> clf = SugenoOrdinalClassifier(levels="shared").fit([[1], [2], [3], [4]], [0, 1, 2, 2])
    >>> print(clf.model_.rules)
    at least 1 if x0 >= 2
    at least 2 if x0 >= 3
    """

    classes: NDArray[Any]
    boundaries: tuple[Boundary, ...]
    certificate: Certificate
    utility: Knots | None = None
    learned: Learned | None = None
    assumed: Assumed | None = None
    target: str | None = None
    words: tuple[str, str] | None = None
    costs: Loss | None = None

    @classmethod
    def of_two_classes(
        cls, boundary: Boundary, learned: Learned | None = None, assumed: Assumed | None = None
    ) -> Model:
        """Return the model of two classes, which one boundary separates."""
        proved, utility = boundary.certificate, boundary.utility
        return cls(boundary.labels, (boundary,), proved, utility, learned, assumed)

    def named(self, target: str | None, words: tuple[str, str] | None = None) -> Model:
        """Return the same model with names for its classes, which its sentences use."""
        named = replace(self, target=target, words=words)
        if len(self.boundaries) > 1:
            return named
        (boundary,), (other, name) = self.boundaries, named.names
        form = boundary.form.relabelled(Spoken(self.classes.tolist()[1], name, other))
        return replace(named, boundaries=(replace(boundary, form=form),))

    def at_boundary(self, place: int) -> Model:
        """Return the model of two classes, below a boundary and above it."""
        learned = None if self.learned is None else self.learned.at_boundary(place)
        return Model.of_two_classes(self.boundaries[place], learned, self.assumed)

    @property
    def has_names(self) -> bool:
        """Whether the criteria have names from the data."""
        return self.boundaries[0].form.named

    def margins(self, X: NDArray[Any]) -> Floats:
        """Return the probability of passing each boundary, less its cut: shape (n, C − 1)."""
        return self.at_least(X) - self.cuts

    @property
    def rules(self) -> OrdinalRules:
        """The rules of each boundary."""
        return OrdinalRules(model.form for model in self.boundaries)

    def counted_rules(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> OrdinalRules:
        """Return the rules with support, precision and unique coverage on other rows."""
        places = self.places(y)
        return OrdinalRules(
            model.form.counted_on(
                X,
                model.labels[(places > b).astype(np.intp)],
                sample_weight,
                missing=self.missing,
            )
            for b, model in enumerate(self.boundaries)
        )

    def with_boundary(self, place: int, model: Boundary) -> Model:
        """Return the same with another model at a boundary; it must stay nested.

        What was proved about all boundaries together is not claimed any more.
        """
        edited = Learned("edited")
        if len(self.boundaries) == 1:
            edited_model = Model.of_two_classes(model, edited, self.assumed)
            return replace(edited_model.named(self.target, self.words), costs=self.costs)
        boundaries = (*self.boundaries[:place], model, *self.boundaries[place + 1 :])
        for lower, higher in pairwise(boundaries):
            wrong = higher.form.beyond(lower.form)
            if wrong is not None:
                raise ValueError(
                    "Whoever passes a boundary must pass those before it. Got a row that is "
                    f"{higher.form.label}, by {wrong!r}, and not {lower.form.label}; edit that "
                    "boundary first."
                )
        found = Model(self.classes, boundaries, Certificate(np.inf, 0.0), learned=edited)
        return replace(found, assumed=self.assumed, target=self.target)

    def verify_monotone(self) -> MonotoneProof:
        """Prove that neither class nor P(class or higher) falls when a criterion gets better."""
        if len(self.boundaries) == 1:
            return self.boundaries[0].form.verify_monotone(self.boundaries[0].probability)
        faults = [
            f"{boundary.form.label}: {fault}"
            for boundary in self.boundaries
            for fault in boundary.form.verify_monotone(boundary.probability).faults
        ]
        faults += [
            f"{higher.form.label} does not imply {lower.form.label}"
            for lower, higher in pairwise(self.boundaries)
            if higher.form.beyond(lower.form) is not None
        ]
        if faults:
            return MonotoneProof(False, f"Not proved monotone: {'; '.join(faults)}.", tuple(faults))
        number, n_boundaries = self.rules.n_rules, len(self.boundaries)
        what = (
            f"{number} literals with points, which stay true when their criterion gets better, and "
            f"{n_boundaries} thresholds"
            if self.rules.cards
            else f"{number} rules for {n_boundaries} class boundaries, of literals that stay true "
            'when their criterion gets better, joined by "and" and "or" alone'
        )
        return MonotoneProof(
            True,
            f"Monotone, proved for all inputs: {what}; whoever passes a boundary passes those "
            "before it, and the probability of a class or a higher one never falls.",
        )

    @property
    def thresholds(self) -> Floats:
        """The thresholds β₁ ≤ … of the integral, where there is one integral.

        Of a card they are shares of its points.
        """
        if len(self.boundaries) > 1 and not self.rules.cards:
            _one_utility(self.utility)
        return np.array([model.threshold for model in self.boundaries])

    @property
    def importances(self) -> Floats:
        """How pivotal each criterion is, in the mean over the boundaries; the sum is 1."""
        found: Floats = np.mean([model.importances for model in self.boundaries], axis=0)
        return found

    @cached_property
    def capacity(self) -> Capacity:
        """The one capacity: μ(A) is the highest threshold that the set A passes.

        Of two classes it is graded by the probabilities, and of a card it is additive, see
        `Boundary.capacity`.
        """
        first = self.boundaries[0]
        if len(self.boundaries) == 1 or self.rules.cards:
            return first.capacity
        families = [model.form.boundary_sets for model in self.boundaries]
        values = np.repeat(self.thresholds, [len(family) for family in families])
        sets: Masks = np.concatenate(families)
        normalized = self.boundaries[-1].normalized  # then all of them are
        if normalized:
            sets = np.concatenate([sets, first.literals.chains.full])
            values = np.append(values, 1.0)
        # A set that passes several thresholds stands there several times: the last is the highest.
        sets, place = np.unique(sets[::-1], axis=0, return_index=True)
        values = values[::-1][place]
        return Capacity.from_masks(
            sets,
            values,
            m=first.literals.chains.n_literals,
            criteria=names_apart(first.literals.criteria),
            normalized=normalized,
        )

    def integral(self, X: NDArray[Any]) -> Floats:
        """Return the Sugeno integral: at least a threshold if and only if it is passed."""
        if len(self.boundaries) == 1 or self.rules.cards:
            return self.boundaries[0].integral(X)
        utility = _one_utility(self.utility)
        rows = self.boundaries[0].read(np.asarray(X, dtype=np.float64))
        return np.asarray(sugeno_integral(utilities(rows, utility), self.capacity))

    @cached_property
    def decisive(self) -> tuple[Boundary, ...]:
        """The boundaries with probabilities that make the predicted class the likeliest one.

        Between two boundaries a class has to be likelier than all that lies on either side: the
        lower one, passed, has at least .67 and the upper one at most .33. What is too near to 1/2
        is moved there at a third of its distances, so that a class between two likely ones keeps
        a third of what they agree on at least. The lowest and the highest class have a single
        boundary, for which 1/2 is enough.
        """
        last = len(self.boundaries) - 1
        if not last:
            return self.boundaries
        return tuple(
            _decisive(model, lowest=b == 0, highest=b == last)
            for b, model in enumerate(self.boundaries)
        )


def _one_utility(utility: Knots | None) -> Knots:
    """The utilities of the one integral; refuse where there is none."""
    if utility is None:
        raise AttributeError(
            "Each boundary has levels of its own, so that there is no single integral. See "
            "rules_, or use levels='shared'."
        )
    return utility


def places_among(classes: NDArray[Any], y: ArrayLike) -> NDArray[np.intp]:
    """Return the place of each label among the classes; others are refused.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.model import places_among
    >>> places_among(np.array(["bad", "good"]), ["good", "bad", "good"])
    array([1, 0, 1])
    """
    labels = np.asarray(y)
    known = {label: place for place, label in enumerate(classes.tolist())}
    strange = sorted({label for label in labels.tolist() if label not in known}, key=str)
    if strange:
        raise ValueError(f"y must hold the labels {list(known)}. Got {strange} instead.")
    return np.array([known[label] for label in labels.tolist()], dtype=np.intp)


def moved_down(missed: Floats) -> Floats:
    """Return probabilities of at most 1/2 below 1/3: near 1/2 they keep a third of the distance.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.model import moved_down
    >>> moved_down(np.array([0.1, 0.5]))
    array([0.1 , 0.33])
    """
    return np.minimum(missed, MISSED - (0.5 - missed) / 3)


def moved_up(passed: Floats) -> Floats:
    """Return probabilities of at least 1/2 above 2/3, likewise.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.model import moved_up
    >>> moved_up(np.array([0.5, 0.9]))
    array([0.67, 0.9 ])
    """
    return np.maximum(passed, PASSED + (passed - 0.5) / 3)


def exactly(chances: Floats) -> Floats:
    """Round probabilities away from 1/2, so that `settled` and all sums of classes are exact.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.model import exactly
    >>> (exactly(np.array([0.3, 0.5, np.nextafter(0.5, 1)])) * 2**40).tolist()
    [329853488332.0, 549755813888.0, 549755813889.0]
    """
    units = chances / _EXACT
    return np.where(chances > 0.5, np.ceil(units), np.floor(units)) * _EXACT


def shares_above(n_boundaries: int) -> Floats:
    """Of what boundaries dispute, the part that lies above each of them, see `settled`.

    Examples
    --------
    >>> from sugeno.model.model import shares_above
    >>> shares_above(3)
    array([0.75, 0.5 , 0.25])
    """
    parts = np.arange(n_boundaries, 0, -1) / (n_boundaries + 1)
    result: Floats = np.rint(parts / _SHARE) * _SHARE
    return result


def settled(each: Floats) -> Floats:
    """Return probabilities of passing each boundary that never rise to the next one.

    Each boundary has found its own. Where a later one is likelier than an earlier one, they
    dispute some probability: by the smallest up to a boundary it lies below, by the largest from
    there on above. It is shared in equal parts by the classes, so that none between two boundaries
    is impossible because these disagree. What nobody disputes stays as it is.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.model import settled
    >>> settled(np.array([[0.75, 0.25], [0.25, 0.5]])).round(3)
    array([[0.75 , 0.25 ],
           [0.417, 0.333]])
    """
    low = np.minimum.accumulate(each, axis=1)
    high = np.maximum.accumulate(each[:, ::-1], axis=1)[:, ::-1]
    return low + (high - low) * shares_above(each.shape[1])


def _decisive(model: Boundary, *, lowest: bool, highest: bool) -> Boundary:
    """Move the probabilities of passing a boundary away from 1/2, on the sides that need it."""
    rejected, accepted = model.probability.rejected, model.probability.accepted
    missed = rejected.values
    if not lowest:
        missed = moved_down(missed)
    passed = accepted.values
    if not highest:
        passed = moved_up(passed)
    # Whoever adds up the probabilities of some classes gets those of the boundaries again.
    missed, passed = exactly(missed), exactly(passed)
    sides = Steps(rejected.starts, missed), Steps(accepted.starts, passed)
    probability = replace(model.probability, rejected=sides[0], accepted=sides[1])
    return replace(model, probability=probability)
