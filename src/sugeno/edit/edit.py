"""Edits: each gives a new model, and says what it changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from sugeno.edit._assembly import EvaluationRows, as_text, assembled, check_assumed
from sugeno.edit.report import Among, EditReport
from sugeno.model.boundary import Boundary
from sugeno.model.drafts import Draft, Pair
from sugeno.model.model import Model
from sugeno.model.naming import criterion_place
from sugeno.model.per_class import ModelPerClass
from sugeno.model.rules import RuleSet

__all__ = ["Edit"]


@dataclass(frozen=True, eq=False)
class Edit:
    """A model that is being edited; every edit returns a new one, and none changes the original.

    Rules keep their order: an edited rule stays in its place, and added ones come last.

    Attributes
    ----------
    original : Model
        The model that the edits began with.
    place : int
        Which of its boundaries is edited; two classes have one.
    draft : Draft
        The rules as they are now.
    origins : tuple of int or None
        Of each rule the place that it had before all edits; None for added ones.
    gains : dict
        What each literal adds to the score of the probability.
    rows : EvaluationRows or None
        Rows to judge the edits by, and to learn probabilities from.
    steps : tuple of str
        What was done so far.
    finish : callable
        Makes a classifier of a model.
    among : Among or None
        The classes without an order of which one is edited, where rows are given.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> X, y = [[1, 1], [1, 5], [5, 1], [5, 5]], [0, 0, 0, 1]
    >>> clf = SugenoClassifier(directions=None).fit(X, y)
    >>> edit = clf.edit(X, y).add("x0 >= 5")
    >>> print(edit.report)
    added 'x0 >= 5'
    before: class 1 if x0 >= 3 and x1 >= 3
    after: class 1 if x0 >= 3 and x1 >= 3, or x0 >= 5
    1 of 4 rows changes: 1 is class 1 now. Errors: 0 before, 1 after.
    >>> edit.classifier.predict([[5, 1]])
    array([1])
    """

    original: Model
    place: int
    draft: Draft
    origins: tuple[int | None, ...]
    gains: dict[Pair, float]
    rows: EvaluationRows | None
    steps: tuple[str, ...]
    finish: Callable[[Model], Any]
    among: Among | None = None

    @classmethod
    def of(
        cls,
        model: Model,
        rows: EvaluationRows | None = None,
        finish: Callable[[Model], Any] = lambda m: m,
        *,
        boundary: object = None,
    ) -> Edit:
        """Begin to edit a model: of more than two classes, the boundary below the class named."""
        place = 0
        if boundary is not None or len(model.boundaries) > 1:
            place = model.boundary_below(boundary)
        edited = model.boundaries[place]
        draft = edited.rules.draft
        gains = dict(zip(draft.pairs, edited.probability.gains.tolist()))
        return cls(model, place, draft, tuple(range(len(draft.sets))), gains, rows, (), finish)

    @classmethod
    def of_class(
        cls, whole: ModelPerClass, label: object, finish: Callable[[ModelPerClass], Any]
    ) -> Edit:
        """Begin to edit the rules of one of several classes without an order."""
        place = whole.place_of(label)
        return cls.of(whole.models[place], finish=lambda m: finish(whole.with_model(place, m)))

    @cached_property
    def boundary(self) -> Boundary:
        """The boundary as it is now."""
        before = self.original.boundaries[self.place]
        if not self.steps:
            return before
        gains = np.array([self.gains.get(pair, 0.0) for pair in self.draft.pairs])
        chance = replace(before.probability, gains=gains)
        rules = RuleSet.from_draft(self.draft, in_order=True)
        return assembled(rules, before.labels, self.rows, chance, before.missing, before.cut)

    @cached_property
    def model(self) -> Model:
        """The model as it is now; of more than two classes it must be nested."""
        if not self.steps:
            return self.original
        return self.original.with_boundary(self.place, self.boundary)

    @property
    def rules(self) -> RuleSet:
        """The rules as they are now."""
        return self.boundary.rules

    @property
    def classifier(self) -> Any:
        """The classifier as it is now."""
        return self.finish(self.model)

    @cached_property
    def report(self) -> EditReport:
        """What all edits together change."""
        before = self.original.boundaries[self.place]
        found = EditReport.of(self.steps, before, self.boundary, self.rows)
        return found if self.among is None else replace(found, moves=self.among.moves(self.model))

    def add(self, rule: str) -> Edit:
        """Add a rule (or, to a conjunctive form, a clause) such as ``interview >= 6``.

        Parameters
        ----------
        rule : str
            What `RuleSet.parse` reads. Rules that it makes redundant fall away, and the report
            says so.
        """
        read = self.draft.read(rule)
        origins = (*self.origins, *(None for _ in read.sets))
        draft = replace(read, sets=(*self.draft.sets, *read.sets))
        return self._with(f"added {rule!r}", draft, origins)

    def remove(self, rule: int | str) -> Edit:
        """Remove a rule, given by its place in the rules as they are now, or as text."""
        place = self._place(rule)
        text = list(self.rules)[place]
        sets, origins = _without(self.draft.sets, place), _without(self.origins, place)
        return self._with(f"removed {text!r}", replace(self.draft, sets=sets), origins)

    def replace(self, rule: int | str, by: str) -> Edit:
        """Put another rule in the place of one."""
        place = self._place(rule)
        text = list(self.rules)[place]
        read = self.draft.read(by)
        sets = (*self.draft.sets[:place], *read.sets, *self.draft.sets[place + 1 :])
        heirs = [self.origins[place], *(None for _ in read.sets)][: len(read.sets)]
        origins = (*self.origins[:place], *heirs, *self.origins[place + 1 :])
        return self._with(f"replaced {text!r} by {by!r}", replace(read, sets=sets), origins)

    def move_level(self, criterion: str | int, level: Any, *, to: Any) -> Edit:
        """Move a level of a criterion, in all rules that use it.

        Parameters
        ----------
        criterion : str or int
            The criterion, by name or by place.
        level : float or str
            The level as the rules show it, or the number that decides.
        to : float or str
            The new level: a number, or a label.
        """
        draft = self.draft
        j = criterion_place(draft.criteria, criterion)
        old = self._level(j, level)
        known = {pair: around for pair, around in draft.known.items() if pair != old}
        new = replace(draft, sets=(), known=known).pair_at(j, to, "to")
        sets = tuple(
            frozenset(new if pair == old else pair for pair in members) for members in draft.sets
        )
        gains = {pair: gain for pair, gain in self.gains.items() if pair != old}
        gains[new] = gains.get(new, 0.0) + self.gains.get(old, 0.0)
        name = draft.criteria[j].name
        step = f"moved the level of {name} from {as_text(level)} to {as_text(to)}"
        moved = replace(draft, sets=sets, known=known)
        return replace(self, gains=gains)._with(step, moved, self.origins)

    def forbid(self, criterion: str | int, *, assume: Literal["worst", "best"] = "worst") -> Edit:
        """Make decision and probability independent of a criterion.

        Parameters
        ----------
        criterion : str or int
            The criterion, by name or by place. It stays a column of the table.
        assume : {"worst", "best"}, default="worst"
            What every row is taken to have. With "worst", rules that need the criterion fall away,
            and fewer rows are accepted. With "best", rules no longer ask for it, and more rows are.
        """
        check_assumed(assume)
        draft = self.draft
        j = criterion_place(draft.criteria, criterion)
        drop_whole = (assume == "worst") == (draft.form == "dnf")
        kept = [
            (frozenset(pair for pair in members if pair[0] != j), origin)
            for members, origin in zip(draft.sets, self.origins)
            if not (drop_whole and any(pair[0] == j for pair in members))
        ]
        known = {pair: around for pair, around in draft.known.items() if pair[0] != j}
        gains = {pair: gain for pair, gain in self.gains.items() if pair[0] != j}
        step = f"forbade {draft.criteria[j].name}, assuming the {assume}"
        left = replace(draft, sets=tuple(members for members, _ in kept), known=known)
        return replace(self, gains=gains)._with(step, left, tuple(place for _, place in kept))

    def _with(self, step: str, draft: Draft, origins: tuple[int | None, ...]) -> Edit:
        """Go one step further: what is redundant now is left out, and that is said."""
        rules = RuleSet.from_draft(draft, in_order=True)
        kept = dict(reversed([*zip(draft.reduced, origins)]))  # of equal rules the first
        fallen = _fallen(draft, rules)
        steps = (*self.steps, step, *(f"left out {text!r}, which is redundant" for text in fallen))
        sets = rules.draft.sets
        return replace(
            self,
            draft=replace(draft, sets=sets),
            origins=tuple(kept[members] for members in sets),
            steps=steps,
        )

    def _place(self, rule: int | str) -> int:
        """Place of a rule among those shown."""
        sets = self.draft.sets
        if isinstance(rule, str):
            wanted = RuleSet.from_draft(self.draft.read(rule)).draft.sets
            if len(wanted) == 1 and wanted[0] in sets:
                return sets.index(wanted[0])
        elif -len(sets) <= rule < len(sets):
            return int(rule) % len(sets)
        shown = "; ".join(f"{i}: {text}" for i, text in enumerate(self.rules))
        raise ValueError(f"A rule must be one of those there are ({shown}). Got {rule!r} instead.")

    def _level(self, j: int, level: Any) -> Pair:
        """The literal of a criterion whose level was meant."""
        literals = self.rules.literal_set
        used = {pair for members in self.draft.sets for pair in members}
        here = np.flatnonzero(literals.columns == j).tolist()
        shown = {one: literals.parts[one][2] for one in here}
        for exact in (True, False):
            for one in here:
                pair = (j, float(literals.levels[one]))
                same = literals.levels[one] == level if exact else shown[one] == as_text(level)
                if same and pair in used:
                    return pair
        name = literals.criteria[j].name
        asked = [literals.texts[one] for one in here if (j, literals.levels[one]) in used]
        raise ValueError(
            f"level must be one that a rule asks of {name!r} ({', '.join(asked) or 'none'}). "
            f"Got {level!r} instead."
        )

    def __repr__(self) -> str:
        return str(self.report) if self.steps else f"nothing edited yet: {self.rules}"


def _without(items: Sequence[Any], place: int) -> tuple[Any, ...]:
    return (*items[:place], *items[place + 1 :])


def _fallen(draft: Draft, rules: RuleSet) -> list[str]:
    """The rules of a draft, in words, that others of it make redundant."""
    left = list(rules.draft.sets)
    fallen = []
    for members in draft.reduced:
        if members in left:
            left.remove(members)
        else:
            fallen.append(members)
    return [next(iter(RuleSet.from_draft(replace(draft, sets=(one,))))) for one in fallen]
