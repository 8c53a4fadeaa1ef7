"""A model as formulas about columns: what every export says in its own language.

An engine has to know how to write a dozen small things (`Language`); `Decisions` puts them
together: whether a row passes a boundary, how likely that is, its label, the probability of a
class. So a new form, or a new way to decide between classes, is written here and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Generic, Literal, Protocol, TypeVar, get_args

import numpy as np

from sugeno._scales.criterion import Criterion
from sugeno._scales.surfaces import Index, Ints
from sugeno.model.boundary import Boundary
from sugeno.model.fitted import AnyModel, any_model_of, ruled_model_of
from sugeno.model.model import MISSED, PASSED, Model, shares_above
from sugeno.model.per_class import ModelPerClass
from sugeno.model.probability import Steps
from sugeno.model.score_model import ScoreModel, Sum

#: What an exported classifier says about a row.
Output = Literal["accepted", "label", "probability"]

#: Terms that are added up at once.
_TERMS = 32
#: Kinds of labels that are texts and nothing else.
_WORDS = ("two-valued", "unordered")
_EPOCH = datetime(1970, 1, 1)
_MICROSECONDS = 86_400_000_000
#: What an engine writes, such as a text or an expression.
E = TypeVar("E")


@dataclass(frozen=True)
class Condition:
    """A literal as a condition on a column: "at least 3", "one of these labels", "or missing".

    Attributes
    ----------
    column : str
        Name of the column.
    sign : {">=", "<="}
        How the column compares with the level.
    level : float
        The level, in original units; infinite where every number meets it, or none.
    labels : tuple of str or bool, or None
        For a column of labels, or of truth values: those that meet it, or with ``others`` those
        that do not.
    others : bool
        Whether labels that nobody has seen meet it.
    missing : bool
        Whether a missing value meets it.
    exact : bool
        Whether labels are texts, written exactly so; else an engine may have them as numbers.
    dated : bool
        Whether the level is a date, in days since 1970.
    codes : tuple of float
        Numbers that meet it although they do not compare so: they are no values.
    other_codes : tuple of float
        Numbers that do not meet it although they compare so.
    """

    column: str
    sign: str
    level: float
    labels: tuple[str | bool, ...] | None
    others: bool = False
    missing: bool = False
    exact: bool = False
    dated: bool = False
    codes: tuple[float, ...] = ()
    other_codes: tuple[float, ...] = ()

    @property
    def everything(self) -> bool | None:
        """Whether every number meets it, or none; None where that depends on the number."""
        if math.isfinite(self.level):
            return None
        return (self.level < 0) == (self.sign == ">=")

    @property
    def moment(self) -> datetime:
        """The first date that meets it, or the last one, to the microsecond."""
        step = 1 if self.sign == ">=" else -1
        found = round(self.level * _MICROSECONDS)
        while step * found / _MICROSECONDS >= step * self.level:
            found -= step
        while step * found / _MICROSECONDS < step * self.level:
            found += step
        return _EPOCH + timedelta(microseconds=found)


def exported_model(classifier: Any) -> AnyModel:
    """Return the model of a classifier, unless it reads missing values as exports do not.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export._formula import exported_model
    >>> clf = SugenoClassifier(missing="optimistic").fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> exported_model(clf)
    Traceback (most recent call last):
    ValueError: Exports read a missing value as the worst. Got a classifier with \
missing='optimistic' instead; train it with missing='pessimistic'.
    """
    model = any_model_of(classifier)
    if model.missing == "optimistic":
        raise ValueError(
            "Exports read a missing value as the worst. Got a classifier with "
            "missing='optimistic' instead; train it with missing='pessimistic'."
        )
    return model


def exported_rules(classifier: Any) -> Model | ModelPerClass:
    """The same for languages of rules and cards, which have no place for a sum of steps.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export._formula import exported_rules
    >>> len(exported_rules(SugenoClassifier().fit([[1], [2], [3]], [0, 1, 1])).boundaries)
    1
    """
    exported_model(classifier)
    return ruled_model_of(classifier)


def boundaries_of(model: Model | ModelPerClass) -> tuple[Boundary, ...]:
    """Return what decides where rules or cards do, see `deciders_of`.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export._formula import boundaries_of
    >>> clf = SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"])
    >>> len(boundaries_of(clf.model_))
    3
    """
    found: tuple[Any, ...] = deciders_of(model)
    return found


def deciders_of(model: AnyModel) -> tuple[Boundary | Sum, ...]:
    """Return what decides: the boundaries in their order, or for each class that against the rest.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> from sugeno.export._formula import deciders_of
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3]] * 9, [0, 1, 1] * 9)
    >>> len(deciders_of(clf.model_))
    1
    """
    if isinstance(model, ModelPerClass):
        return tuple(one.boundaries[0] for one in model.models)
    return model.decisive


def columns_of(model: AnyModel) -> tuple[Criterion, ...]:
    """Return a criterion for each column that is read, whichever reads it first.

    A column without a direction is read twice, and by each of several classes without an order.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export._formula import columns_of
    >>> clf = SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"])
    >>> [criterion.name for criterion in columns_of(clf.model_)]
    ['x0']
    """
    found: dict[str, Criterion] = {}
    for decider in deciders_of(model):
        for criterion in decider.criteria:
            found.setdefault(criterion.name, criterion)
    return tuple(found.values())


def titled(criterion: Criterion) -> str:
    """Return the name of a column, and the unit where it is told by a number that needs one.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno.export._formula import titled
    >>> titled(Criterion("since", kind="date")), titled(Criterion("age"))
    ('since, in days since 1970', 'age')
    """
    return f"{criterion.name}, in days since 1970" if criterion.kind == "date" else criterion.name


def text_of(model: AnyModel) -> str:
    """Return what decides, a sentence for each boundary or class.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export._formula import text_of
    >>> X = [[1, 1], [2, 1], [1, 8], [2, 9], [8, 2], [9, 1]]
    >>> clf = SugenoClassifier().fit(X, ["low", "low", "tall", "tall", "wide", "wide"])
    >>> print(text_of(clf.model_))
    low if x0 <= 5 and x1 <= 4
    tall if x0 <= 5 and x1 >= 2
    wide if x0 >= 2
    """
    if isinstance(model, ModelPerClass):
        return "\n".join(map(str, model.models if model.adds_up else model.rules.values()))
    return str(model) if isinstance(model, ScoreModel) else str(model.rules)


def chosen_output(model: AnyModel, output: Output | None, label: Any) -> tuple[Output, Any]:
    """Return what an export is to say, and the class whose probability is meant.

    Examples
    --------
    >>> from sugeno import SugenoClassifier, SugenoOrdinalClassifier
    >>> from sugeno.export._formula import chosen_output
    >>> two = SugenoClassifier().fit([[1], [2], [3]], [0, 1, 1])
    >>> chosen_output(two.model_, None, None), chosen_output(two.model_, "probability", None)
    (('accepted', None), ('probability', 1))
    >>> three = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
    >>> chosen_output(three.model_, "probability", None)
    Traceback (most recent call last):
    ValueError: The probability of which class? label must be one of [1, 2, 3]. Got None instead.
    """
    classes = model.classes.tolist()
    two = not isinstance(model, ModelPerClass) and len(classes) == 2
    known = [name for name in get_args(Output) if two or name != "accepted"]
    chosen = output or ("accepted" if two else "label")
    if chosen not in known:
        raise ValueError(f"output must be one of {', '.join(known)}. Got {chosen!r}.")
    if chosen != "probability":
        if label is not None:
            raise ValueError(
                f"label is for the probability of a class; leave it out. Got {label!r}."
            )
        return chosen, None
    meant = classes[-1] if two and label is None else label
    if meant not in classes:
        raise ValueError(
            f"The probability of which class? label must be one of {classes}. Got {label!r} "
            "instead."
        )
    return chosen, meant


def conditions(decider: Boundary | Sum) -> list[Condition]:
    """The literals of a boundary, or of a sum, as conditions, in their order.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export._formula import conditions
    >>> clf = SugenoClassifier(levels="single").fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> [(one.column, one.sign, one.level) for one in conditions(clf.model_.boundaries[0])]
    [('x0', '>=', 3.0)]
    """
    literals = decider.literals
    return [
        condition_on(literals.criteria[j], level)
        for j, level in zip(literals.columns.tolist(), literals.levels.tolist())
    ]


def condition_on(criterion: Criterion, level: float) -> Condition:
    """The condition that a criterion reaches a level.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno.export._formula import condition_on
    >>> condition_on(Criterion("size", -1, ("S", "M", "L")), 1.0).labels
    ('S', 'M')
    >>> home = Criterion("home", labels=("rent", "own"), kind="two-valued", known=("own", "rent"),
    ...                  places=(1.0, 0.0), unseen=0.5)
    >>> meets = condition_on(home, 0.5)
    >>> meets.labels, meets.others  # anything but
    (('rent',), True)
    """
    gap = criterion.missing
    if criterion.labels is None:
        numbers = _unfolded(criterion, level)
        meets = {g.code: criterion.reaches(g.place, level) for g in criterion.gaps}
        codes = criterion.codes
        compare = [criterion.reaches(code, numbers) for code in codes]
        return Condition(
            criterion.name,
            criterion.sign,
            numbers,
            None,
            missing=criterion.reaches(gap, level),
            dated=criterion.kind == "date",
            codes=tuple(c for c, met in zip(codes, compare) if meets[c] and not met),
            other_codes=tuple(c for c, met in zip(codes, compare) if met and not meets[c]),
        )
    known: Sequence[str | bool] = criterion.known or criterion.labels
    if criterion.kind == "truth":
        known = [label == "true" for label in known]
    places = criterion.read([*map(float, range(len(known)))]).tolist()
    others = criterion.reaches(criterion.unseen, level)
    return Condition(
        criterion.name,
        criterion.sign,
        level,
        tuple(x for x, at in zip(known, places) if criterion.reaches(at, level) != others),
        others,
        criterion.reaches(criterion.unseen if gap is None else gap, level),
        criterion.kind in _WORDS,
    )


def _unfolded(criterion: Criterion, level: float) -> float:
    """The level as it is asked of raw numbers, which are not clipped to the ends of a criterion."""
    low, high = criterion.within or (-math.inf, math.inf)
    first, last = (low, high) if criterion.direction > 0 else (high, low)
    if criterion.within is None or not criterion.reaches(first, level):
        return level if criterion.reaches(last, level) else criterion.direction * math.inf
    return -criterion.direction * math.inf


def scores(boundary: Boundary) -> list[list[tuple[Condition, int]]]:
    """What each criterion adds to the score, the hardest condition first.

    A row that meets a condition meets all easier ones of the criterion too. So the first condition
    that is met, from the hardest on, stands for the sum of all gains up to it. Criteria that add
    nothing are left out.
    """
    gains = [int(gain) for gain in boundary.probability.gains.tolist()]
    pairs = zip(boundary.literals.columns.tolist(), conditions(boundary), gains)
    found = []
    for _, group in groupby(pairs, key=lambda pair: pair[0]):
        total, steps = 0, []
        for _, condition, gain in group:
            total += gain
            if gain:
                steps.append((condition, total))
        if steps:
            found.append(steps[::-1])
    return found


class Language(Protocol[E]):
    """How an engine writes what decisions are made of."""

    def condition(self, condition: Condition) -> E:
        """Whether a row meets a condition.

        Where its value is missing and does not meet it, false or unknown.
        """

    def joined(self, how: Literal["and", "or"], parts: Sequence[E]) -> E:
        """Join truth values; none of them are true by "and", false by "or"."""

    def case(self, branches: Sequence[tuple[E, E]], otherwise: E) -> E:
        """Value of the first branch whose condition is true; at least one branch."""

    def number(self, number: float) -> E:
        """A number to compare with, or to add up."""

    def chance(self, probability: float) -> E:
        """A probability, in double precision."""

    def total(self, parts: Sequence[E]) -> E:
        """Sum from left to right, of at least one number."""

    def reaches(self, one: E, other: E) -> E:
        """Whether a number is at least another one."""


class AnswerLanguage(Language[E], Protocol[E]):
    """How an engine writes labels and probabilities of classes."""

    def label(self, label: Any) -> E:
        """A class label."""

    def least(self, parts: Sequence[E]) -> E:
        """The smallest of at least one number."""

    def greatest(self, parts: Sequence[E]) -> E:
        """The largest of at least one number."""

    def times(self, one: E, other: E) -> E:
        """The product of two numbers."""

    def minus(self, one: E, other: E) -> E:
        """The difference of two numbers."""

    def over(self, one: E, other: E) -> E:
        """The quotient of two numbers."""

    def looked_up(
        self, met: Mapping[Condition, E], reached: Sequence[Sequence[Condition]], table: Ints
    ) -> Sequence[E]:
        """Terms that add up to an entry of a table of whole numbers.

        Its place along each axis is the number of conditions of a list that are met; they are
        about one column, and ever harder to meet.
        """

    def logistic(self, total: E, slope: float, units: float) -> E:
        """The probability 1 / (1 + exp(−x)) of log odds x = slope · (total / units)."""


@dataclass(frozen=True)
class Decisions(Generic[E]):
    """What a model says about a row, in the language of an engine.

    The steps can be asked for one by one, so that an engine can keep what it has computed.

    Attributes
    ----------
    language : Language
        How to write it.
    """

    language: Language[E]

    def parts(self, boundary: Boundary, met: Mapping[Condition, E]) -> list[E]:
        """Whether each part of the form holds: a rule, a clause, a line of a card."""
        literals = [met[condition] for condition in conditions(boundary)]
        formula = boundary.form.formula
        return [
            self.language.joined(formula.joint, [literals[j] for j in part])
            for part in formula.parts
        ]

    def passed(self, boundary: Boundary, met: Mapping[Condition, E]) -> E:
        """Whether a row passes a boundary."""
        formula = boundary.form.formula
        if formula.outer is not None:
            return self.language.joined(formula.outer, self.parts(boundary, met))
        return self.language.reaches(
            self.points(boundary, met), self.language.number(formula.needed)
        )

    def points(self, boundary: Boundary, met: Mapping[Condition, E]) -> E:
        """The points of all parts that hold."""
        language = self.language
        return language.total(
            [
                language.case([(part, language.number(points))], language.number(0))
                for part, points in zip(self.parts(boundary, met), boundary.form.formula.points)
            ]
        )

    def score(self, boundary: Boundary, met: Mapping[Condition, E]) -> E:
        """Sum of the gains of all conditions that are met: whole numbers."""
        language = self.language
        terms = [
            language.case(
                [(met[condition], language.number(gain)) for condition, gain in steps],
                language.number(0),
            )
            for steps in scores(boundary)
        ]
        return language.total(terms) if terms else language.number(0)

    def chance(self, boundary: Boundary, passed: E, score: E) -> E:
        """The probability of what lies above a boundary."""
        probability = boundary.probability
        above, below = (
            self._stepped(side, score) for side in (probability.accepted, probability.rejected)
        )
        return self.language.case([(passed, above)], below)

    def _stepped(self, steps: Steps, score: E) -> E:
        """A probability by score; the first value holds below the first start too."""
        language = self.language
        first, *values = (language.chance(value) for value in steps.values.tolist())
        branches = [
            (language.reaches(score, language.number(start)), value)
            for start, value in zip(steps.starts[1:].tolist(), values)
        ]
        return language.case(branches[::-1], first) if branches else first

    def chosen(
        self,
        model: AnyModel,
        passed: Sequence[E],
        chances: Sequence[E],
        values: Sequence[E],
    ) -> E:
        """Of a value for each class, that of the class that is decided for.

        It is the class above the highest boundary that is passed. Without an order it is the
        likeliest one, and of equally likely ones the first.
        """
        if not isinstance(model, ModelPerClass):
            return self.language.case([*zip(passed, values[1:])][::-1], values[0])
        leads = [
            self.language.joined(
                "and", [self.language.reaches(one, other) for other in chances[place + 1 :]]
            )
            for place, one in enumerate(chances[:-1])
        ]
        return self.language.case([*zip(leads, values)], values[-1])


@dataclass(frozen=True)
class Answers(Decisions[E]):
    """Labels and probabilities of classes, in the language of an engine."""

    language: AnswerLanguage[E]

    def answer(self, model: AnyModel, output: Output, label: Any) -> E:
        """Return what was asked for, in one piece."""
        deciders = deciders_of(model)
        each = [
            {one: self.language.condition(one) for one in conditions(decider)}
            for decider in deciders
        ]
        passed = [self.decided(decider, met) for decider, met in zip(deciders, each)]
        if output == "accepted":
            return passed[0]
        chances = [
            self.likely(decider, accepted, self.scored(decider, met))
            for decider, accepted, met in zip(deciders, passed, each)
            if output == "probability" or isinstance(model, ModelPerClass)
        ]
        if output == "probability":
            return self.probability(model, chances, label)
        return self.chosen(model, passed, chances, self.labels(model))

    def scored(self, decider: Boundary | Sum, met: Mapping[Condition, E]) -> E:
        """What conditions that are met add up to: whole numbers."""
        if isinstance(decider, Sum):
            return self._summed(_terms(self, decider, met), float(decider.tables.constant))
        return self.score(decider, met)

    def decided(
        self, decider: Boundary | Sum, met: Mapping[Condition, E], score: E | None = None
    ) -> E:
        """Whether a row passes a boundary, or has the sum that is needed; scored if need be."""
        if not isinstance(decider, Sum):
            return self.passed(decider, met)
        total = self.scored(decider, met) if score is None else score
        return self.language.reaches(total, self.language.number(decider.needed))

    def likely(self, decider: Boundary | Sum, passed: E, score: E) -> E:
        """The probability of what lies above a boundary, or of the positive class of a sum."""
        if not isinstance(decider, Sum):
            return self.chance(decider, passed, score)
        language = self.language
        found = language.logistic(score, decider.slope, decider.units)
        if not any(decider.moved):
            return found
        near = language.minus(found, language.chance(0.5))
        third = language.over(near, language.chance(3.0))
        up = language.total([language.chance(PASSED), third])
        down = language.total([language.chance(MISSED), third])
        refused, accepted = decider.moved
        above = language.case([(language.reaches(up, found), up)], found) if accepted else found
        below = language.case([(language.reaches(found, down), down)], found) if refused else found
        return language.case([(passed, above)], below)

    def _summed(self, terms: Sequence[E], constant: float = 0.0) -> E:
        """A sum of a few terms at a time, so that no engine has to look deep.

        Each begins with a double: engines add up whole numbers in as few bits as each of them has.
        """
        most = _TERMS
        while len(terms) > most:
            parts = [terms[i : i + most] for i in range(0, len(terms), most)]
            terms = [self._summed(part) for part in parts]
        return self.language.total([self.language.chance(constant), *terms])

    def labels(self, model: AnyModel) -> list[E]:
        """The labels of the classes."""
        return [self.language.label(label) for label in model.classes.tolist()]

    def probability(self, model: AnyModel, chances: Sequence[E], label: Any) -> E:
        """The probability of a class."""
        place = model.classes.tolist().index(label)
        language = self.language
        if isinstance(model, ModelPerClass):
            total, share = language.total(chances), language.chance(1 / len(chances))
            nothing = language.reaches(language.number(0), total)
            return language.case([(nothing, share)], language.over(chances[place], total))

        def passed(boundary: int) -> E:
            """What boundaries dispute is shared; those of sums never do, see `settled`."""
            if model.adds_up or len(chances) == 1:
                return chances[boundary]
            share = float(shares_above(len(chances))[boundary])
            low, high = chances[: boundary + 1], chances[boundary:]
            return language.total(
                [
                    language.times(language.least(low), language.chance(1 - share)),
                    language.times(language.greatest(high), language.chance(share)),
                ]
            )

        from_here = passed(place - 1) if place else language.number(1)
        if place == len(chances):
            return from_here
        return language.minus(from_here, passed(place))


def _terms(answers: Answers[E], model: Sum, met: Mapping[Condition, E]) -> list[E]:
    """What the levels of a sum add: alone, and together with those of another criterion."""
    language, tables, asked = answers.language, model.tables, conditions(model)
    first = np.cumsum([0, *model.literals.chains.sizes]).tolist()

    def reached(j: int, places: Index) -> list[Condition]:
        return [asked[first[j] + place] for place in places.tolist()]

    terms: list[E] = []
    for j, table in enumerate(tables.single):
        used = np.flatnonzero(np.diff(table))
        if used.size:
            terms += language.looked_up(met, [reached(j, used)], table[[0, *(used + 1)]])
    for pair in tables.pairs:
        used, other = (np.flatnonzero(np.diff(i)) for i in (pair.first_index, pair.second_index))
        both = [reached(pair.first, used), reached(pair.second, other)]
        terms += language.looked_up(met, both, pair.cells)
    return terms


def by_cases(
    language: Language[E],
    met: Mapping[Condition, E],
    reached: Sequence[Sequence[Condition]],
    table: Ints,
) -> list[E]:
    """Terms that add up to the entry of a table, see `AnswerLanguage.looked_up`.

    Of one list of conditions the hardest one that is met is found by halving. Of two lists each
    condition of the first adds what it does together with those of the second.
    """
    if len(reached) == 1:
        return [_by_halving(language, [met[one] for one in reached[0]], table.tolist())]
    terms, nothing = [], language.number(0)
    adds = np.diff(np.diff(table, axis=0), axis=1)
    for condition, line in zip(reached[0], adds):
        used = np.flatnonzero(line)
        if used.size:
            sums = [0, *np.cumsum(line[used]).tolist()]
            inner = _by_halving(language, [met[reached[1][i]] for i in used.tolist()], sums)
            terms.append(language.case([(met[condition], inner)], nothing))
    return terms


def _by_halving(language: Language[E], asked: Sequence[E], sums: Sequence[int]) -> E:
    """The entry whose place is the number of conditions that are met."""
    entries = [language.number(entry) for entry in sums]

    def among(low: int, high: int) -> E:
        if low == high:
            return entries[low]
        middle = (low + high) // 2
        harder, easier = among(middle + 1, high), among(low, middle)
        return language.case([(asked[middle], harder)], easier)

    return among(0, len(asked))
