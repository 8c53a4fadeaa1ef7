"""Stability: how often each rule comes back when the fit is repeated on resampled data."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from sugeno._counts.weights import row_weights
from sugeno._exceptions import WeakDirectionWarning
from sugeno._scales.rows import numbers_of
from sugeno._sets.masks import unpack
from sugeno.model.card import Card
from sugeno.model.class_rules import OrdinalRules
from sugeno.model.fitted import model_of
from sugeno.model.form import Form
from sugeno.model.model import Model
from sugeno.model.rules import RuleSet
from sugeno.model.text import Backend, markdown_table

__all__ = ["RuleStability", "rule_stability"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RuleStability:
    """How often rules, their conditions and their criteria recur.

    Attributes
    ----------
    rules : RuleSet, Card or OrdinalRules
        The rules in question; of more than two ordered classes those of all boundaries, the
        lowest first, and each is looked for at its own boundary. Of a card its conditions.
    same_rule : ndarray of shape (R,)
        Share of the repetitions with the same rule: the same criteria, each of which parts the
        observed values in the same place.
    same_criteria : ndarray of shape (R,)
        Share of the repetitions with a rule about the same criteria, in the same directions, at
        whatever levels.
    n_rules : ndarray of int of shape (n_resamples,)
        Number of rules of each repetition.
    conditions : list of dict
        Of each condition that is read here: ``condition``, and ``stability``, the share of the
        repetitions in which the same condition stands anywhere.
    criteria : list of dict
        Of each criterion that is asked for here or in a repetition, the most frequent first:
        ``criterion``, ``direction``, ``stability`` (share of the repetitions that ask for it),
        ``levels`` (between which four fifths of the levels in the repetitions lie), ``here``.

    Examples
    --------
    >>> from sugeno import SugenoClassifier, rule_stability
    >>> X, y = [[1], [2], [3], [4]] * 5, [0, 0, 1, 1] * 5
    >>> clf = SugenoClassifier().fit(X, y)
    >>> rule_stability(clf, X, y, n_resamples=5, random_state=0).same_criteria
    array([1.])
    """

    rules: RuleSet | Card | OrdinalRules
    same_rule: Floats
    same_criteria: Floats
    n_rules: NDArray[np.intp]
    conditions: list[dict[str, Any]]
    criteria: list[dict[str, Any]]

    @property
    def recurring(self) -> float:
        """Share of the conditions that recur, in the mean over conditions and repetitions."""
        return float(np.mean([one["stability"] for one in self.conditions] or [1.0]))

    def to_records(self, *, words: bool = False) -> list[dict[str, Any]]:
        """Return the table of the rules with ``stability`` and ``criteria_stability`` in it."""
        shares = zip(self.same_rule.tolist(), self.same_criteria.tolist())
        return [
            {**record, "stability": rule, "criteria_stability": criteria}
            for record, (rule, criteria) in zip(self.rules.to_records(words=words), shares)
        ]

    def to_frame(self, backend: Backend = "pandas", *, words: bool = False) -> Any:
        """Return the same as a data frame of the library asked for."""
        import narwhals as nw

        frame = nw.from_native(self.rules.to_frame(backend, words=words), eager_only=True)
        shares = {"stability": self.same_rule, "criteria_stability": self.same_criteria}
        columns = [
            nw.new_series(name, share.tolist(), nw.Float64, backend=backend)
            for name, share in shares.items()
        ]
        return frame.with_columns(*columns).to_native()

    def to_markdown(self, *, words: bool = False) -> str:
        """Return the same in Markdown."""
        return markdown_table(self.to_records(words=words) or [{"rule": str(self.rules)}])

    def __repr__(self) -> str:
        lines = [
            f"{record['stability']:4.0%} {record['criteria_stability']:4.0%}  "
            + ": ".join(
                record[name] for name in ("boundary", "rule", "condition") if name in record
            )
            for record in self.to_records()
        ]
        head = f"same rule, same criteria in {self.n_rules.size} repetitions"
        return "\n".join([head, *lines])


def rule_stability(
    clf: Any,
    X: Any,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    n_resamples: int = 20,
    random_state: int | np.random.RandomState | None = None,
) -> RuleStability:
    """Repeat a fit on resampled rows, and count how often each rule comes back.

    Rows are drawn with replacement, as many of each class as there are. To draw a row twice is to
    give it twice its weight, so no table is copied. Costs n_resamples fits.

    Parameters
    ----------
    clf : classifier
        A fitted classifier that has learned rules for two classes or for ordered ones; it stays as
        it is.
    X : array-like of shape (n_samples, n_features)
        The training data.
    y : array-like of shape (n_samples,)
        Its labels.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows.
    n_resamples : int, default=20
        Number of repetitions.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws.

    Returns
    -------
    RuleStability
        Two shares per rule, and tables with them.

    Examples
    --------
    >>> from sugeno import SugenoClassifier, rule_stability
    >>> X, y = [[1], [2], [3], [4]] * 5, [0, 0, 1, 1] * 5
    >>> clf = SugenoClassifier().fit(X, y)
    >>> print(rule_stability(clf, X, y, n_resamples=5, random_state=0))
    same rule, same criteria in 5 repetitions
    100% 100%  x0 >= 3
    """
    check_is_fitted(clf)
    if "model" in clf.get_params(deep=False):  # it was given one
        raise TypeError(
            f"clf must be a classifier that learns. Got {type(clf).__name__} instead, whose fit "
            "learns nothing; give the classifier that learned the rules."
        )
    if n_resamples < 1:
        raise ValueError(f"n_resamples must be at least 1. Got {n_resamples} instead.")
    labels = np.asarray(y)
    row_weights(sample_weight, labels.size)  # refuses what cannot be added up
    weights = np.ones(labels.size) if sample_weight is None else np.asarray(sample_weight, float)
    here = _read(clf, X)
    together, forms = len(here.forms) < len(model_of(clf).boundaries), [of[0] for of in here.forms]
    wanted = [
        (b, frozenset(here.parts[id(form)][i] for i in members))
        for b, form in enumerate(forms)
        for members in _members(form)
    ]
    rng = check_random_state(random_state)
    same_rule, same_criteria = np.zeros(len(wanted)), np.zeros(len(wanted))
    n_rules = np.zeros(n_resamples, dtype=np.intp)
    every: list[_Read] = []
    for repetition in range(n_resamples):
        model = _refitted(clf, X, y, weights * _drawn(labels, rng))
        n_rules[repetition] = model.rules.n_rules
        every.append(_Read.of(model, X, together=together))
        found = [every[-1].signatures(b, form) for b, form in enumerate(forms)]
        about = [{_criteria(one) for one in each} for each in found]
        same_rule += [one in found[b] for b, one in wanted]
        same_criteria += [_criteria(one) in about[b] for b, one in wanted]
    shares = same_rule / n_resamples, same_criteria / n_resamples
    return RuleStability(clf.rules_, *shares, n_rules, *_tabulated(here, every))


#: A literal that can be compared between fits: name, direction, and the rows that satisfy it.
_Part = tuple[str, int, bytes]


@dataclass(frozen=True, eq=False)
class _Read:
    """The forms that a person reads of a model, and their literals among the rows.

    Attributes
    ----------
    forms : list of lists of Form
        At each place what is read there; of ordered classes with one card that is one place.
    parts : dict
        Of the literals of each form, by its identity: what can be compared.
    """

    forms: list[list[Form]]
    parts: dict[int, list[_Part]]
    texts: dict[_Part, tuple[float, str]]

    @classmethod
    def of(cls, model: Model, X: Any, *, together: bool) -> _Read:
        """Read a model; ``together`` puts all of its boundaries in one place."""
        values = numbers_of(X, model.criteria, named=model.rules[0].named)
        parts: dict[int, list[_Part]] = {}
        texts: dict[_Part, tuple[float, str]] = {}
        for boundary in model.boundaries:
            literals = boundary.literals
            masks = literals.satisfied(boundary.read(values), check_finite=False)
            reached = np.packbits(unpack(masks, literals.levels.size), axis=0).T
            parts[id(boundary.form)] = own = []
            for j, level, rows, (_, sign, number) in zip(
                literals.columns.tolist(), literals.levels.tolist(), reached, literals.parts
            ):
                criterion = literals.criteria[j]
                # The places of categories are of each fit's own making, and so is their order.
                direction = 0 if criterion.kind == "unordered" else criterion.direction
                own.append((criterion.name, direction, rows.tobytes()))
                texts[own[-1]] = level * criterion.direction, f"{sign} {number}"
        shown = list(model.rules)
        return cls([shown] if together else [[form] for form in shown], parts, texts)

    def conditions(self) -> set[_Part]:
        """The literals that some form uses."""
        every = (form for place in self.forms for form in place)
        return {self.parts[id(form)][i] for form in every for i in form.used}

    def signatures(self, place: int, like: Form) -> set[frozenset[_Part]]:
        """What can be compared at a place with a form: its rules, its clauses or its literals."""
        return {one for form in self.forms[place] for one in self._signatures(form, like)}

    def _signatures(self, form: Form, like: Form) -> list[frozenset[_Part]]:
        parts = self.parts[id(form)]
        if isinstance(like, Card):
            return [frozenset([parts[i]]) for i in form.used]
        try:
            rules = form.to_rules() if isinstance(form, Card) else form
            other = rules.formula.joint != like.formula.joint
            same = rules.dual() if other and isinstance(rules, RuleSet) else rules
        except OverflowError:  # too long to be read, hence no rule that anybody knows
            return []
        return [frozenset(parts[i] for i in members) for members in _members(same)]


def _members(form: Form) -> Sequence[Iterable[int]]:
    """Places of the literals of each rule, clause or line."""
    return form.sets if isinstance(form, RuleSet) else form.formula.parts


def _read(clf: Any, X: Any) -> _Read:
    """What a person reads of a fitted classifier, at each place of it."""
    model = model_of(clf)  # of classes without an order it says where to look
    return _Read.of(model, X, together=bool(model.rules.cards))


def _criteria(signature: frozenset[_Part]) -> frozenset[tuple[str, int]]:
    return frozenset((name, direction) for name, direction, _ in signature)


def _tabulated(
    here: _Read, again: Sequence[_Read]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """How often conditions recur, and criteria, with the range of their levels."""
    found = [one.conditions() for one in again]
    known = here.conditions()
    order = sorted(known, key=lambda part: (part[0], here.texts[part]))
    conditions = [
        {
            "condition": f"{part[0]} {here.texts[part][1]}",
            "stability": float(np.mean([part in one for one in found])),
        }
        for part in order
    ]
    criteria: list[dict[str, Any]] = []
    for name, direction in {part[:2] for one in (known, *found) for part in one}:
        about = [[p for p in one if p[:2] == (name, direction)] for one in found]
        levels = sorted(read.texts[part] for read, one in zip(again, about) for part in one)
        criteria.append(
            {
                "criterion": name,
                "direction": _DIRECTIONS[direction],
                "stability": float(np.mean([bool(one) for one in about])),
                "levels": _range([text for _, text in levels]),
                "here": any(part[:2] == (name, direction) for part in known),
            }
        )
    criteria.sort(key=lambda one: (-one["stability"], one["criterion"], one["direction"]))
    return conditions, criteria


_DIRECTIONS = {1: "more is better", -1: "less is better", 0: "categories"}


def _range(texts: Sequence[str]) -> str:
    """The levels between which four fifths of all lie."""
    if not texts:
        return ""
    ends = texts[(len(texts) - 1) // 10], texts[-1 - (len(texts) - 1) // 10]
    return " to ".join(dict.fromkeys(ends))


def _drawn(labels: NDArray[Any], rng: np.random.RandomState) -> NDArray[np.intp]:
    """How often each row is drawn, class by class, with replacement."""
    times = np.zeros(labels.size, dtype=np.intp)
    for label in np.unique(labels):
        rows = np.flatnonzero(labels == label)
        np.add.at(times, rng.choice(rows, rows.size), 1)
    return times


def _refitted(clf: Any, X: Any, y: ArrayLike, weights: Floats) -> Model:
    with warnings.catch_warnings():
        # Whoever fitted the classifier has been warned.
        warnings.simplefilter("ignore", WeakDirectionWarning)
        return model_of(clone(clf).fit(X, y, sample_weight=weights))
