"""Edits: each gives a new model, and says what it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from sugeno._scales.number import shortest
from sugeno.edit._assembly import Rows, assembled
from sugeno.edit.report import EditReport
from sugeno.model.boundary import Boundary
from sugeno.model.drafts import Draft, Pair
from sugeno.model.naming import as_value, criterion_place
from sugeno.model.probability import Probability
from sugeno.model.rules import RuleSet

__all__ = ["Edit"]


@dataclass(frozen=True, eq=False)
class Edit:
    """A model that is being edited; every edit returns a new one, and none changes the original.

    Attributes
    ----------
    original : Boundary
        The model that the edits began with.
    draft : Draft
        The rules as they are now.
    gains : dict
        What each literal adds to the score of the probability.
    rows : Rows or None
        Rows to judge the edits by, and to learn probabilities from.
    steps : tuple of str
        What was done so far.
    finish : callable
        Makes a classifier of a model.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> X, y = [[1, 1], [1, 5], [5, 1], [5, 5]], [0, 0, 0, 1]
    >>> clf = SugenoClassifier(directions=None).fit(X, y)
    >>> edit = clf.edit(X, y).add("x0 >= 5")
    >>> print(edit.report)
    added 'x0 >= 5'
    before: accept if x0 >= 3 and x1 >= 3
    after: accept if x0 >= 5, or x0 >= 3 and x1 >= 3
    1 of 4 rows changes: 1 is accepted now. Errors: 0 before, 1 after.
    >>> edit.classifier.predict([[5, 1]])
    array([1])
    """

    original: Boundary
    draft: Draft
    gains: dict[Pair, float]
    rows: Rows | None
    steps: tuple[str, ...]
    finish: Callable[[Boundary], Any]

    @classmethod
    def of(
        cls,
        model: Boundary,
        rows: Rows | None = None,
        finish: Callable[[Boundary], Any] = lambda m: m,
    ) -> Edit:
        """Begin to edit a model."""
        draft = Draft.of(model.rules)
        pairs = Draft.pairs_of(model.literals)
        gains = dict(zip(pairs, model.probability.gains.tolist()))
        return cls(model, draft, gains, rows, (), finish)

    @cached_property
    def model(self) -> Boundary:
        """The model as it is now."""
        if not self.steps:
            return self.original
        rules = self.draft.finished()
        gains = np.array([self.gains.get(pair, 0.0) for pair in self.draft.pairs])
        kept = self.original.probability
        chance = Probability(gains, kept.rejected, kept.accepted)
        return assembled(rules, self.original.labels, self.rows, chance, self.original.missing)

    @property
    def rules(self) -> RuleSet:
        """The rules as they are now."""
        return self.model.rules

    @property
    def classifier(self) -> Any:
        """The classifier as it is now."""
        return self.finish(self.model)

    @cached_property
    def report(self) -> EditReport:
        """What all edits together change."""
        return EditReport.of(self.steps, self.original, self.model, self.rows)

    def add(self, rule: str) -> Edit:
        """Add a rule (or, to a conjunctive form, a clause) such as ``interview >= 6``.

        Parameters
        ----------
        rule : str
            What `RuleSet.parse` reads. Rules that it makes redundant fall away.
        """
        read = self.draft.read(rule)
        sets = (*self.draft.sets, *read.sets)
        return self._with(f"added {rule!r}", replace(read, sets=sets))

    def remove(self, rule: int | str) -> Edit:
        """Remove a rule, given by its place in the rules as they are now, or as text."""
        place = self._place(rule)
        text = list(self.rules)[place]
        sets = [one for i, one in enumerate(self._current().sets) if i != place]
        return self._with(f"removed {text!r}", replace(self._current(), sets=tuple(sets)))

    def replace(self, rule: int | str, by: str) -> Edit:
        """Put another rule in the place of one."""
        place = self._place(rule)
        text = list(self.rules)[place]
        read = self._current().read(by)
        sets = [one for i, one in enumerate(self._current().sets) if i != place]
        changed = replace(read, sets=(*sets, *read.sets))
        return self._with(f"replaced {text!r} by {by!r}", changed)

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
        current = self._current()
        j = criterion_place(current.criteria, criterion)
        one = current.criteria[j]
        old, new = self._level(j, level), (j, as_value(one, to, "to"))
        sets = tuple(
            frozenset(new if pair == old else pair for pair in members) for members in current.sets
        )
        known = {pair: around for pair, around in current.known.items() if pair != old}
        gains = {pair: gain for pair, gain in self.gains.items() if pair != old}
        gains[new] = gains.get(new, 0.0) + self.gains.get(old, 0.0)
        moved = replace(self, gains=gains)
        step = f"moved the level of {one.name} from {level} to {to}"
        return moved._with(step, replace(current, sets=sets, known=known))

    def forbid(self, criterion: str | int, *, assume: Literal["worst", "best"] = "worst") -> Edit:
        """Make decision and probability independent of a criterion.

        Parameters
        ----------
        criterion : str or int
            The criterion, by name or by place. It stays a column of the table.
        assume : {"worst", "best"}, default="worst"
            What every row is taken to have: with "worst" rules that need the criterion fall away
            (fewer rows are accepted), with "best" they no longer ask for it (more rows are).
        """
        if assume not in ("worst", "best"):
            raise ValueError(f"assume must be 'worst' or 'best'. Got {assume!r} instead.")
        current = self._current()
        j = criterion_place(current.criteria, criterion)
        drop_whole = (assume == "worst") == (current.form == "dnf")
        sets = tuple(
            frozenset(pair for pair in members if pair[0] != j)
            for members in current.sets
            if not (drop_whole and any(pair[0] == j for pair in members))
        )
        known = {pair: around for pair, around in current.known.items() if pair[0] != j}
        gains = {pair: gain for pair, gain in self.gains.items() if pair[0] != j}
        step = f"forbade {current.criteria[j].name}, assuming the {assume}"
        return replace(self, gains=gains)._with(step, replace(current, sets=sets, known=known))

    def _with(self, step: str, draft: Draft) -> Edit:
        return replace(self, draft=draft, steps=(*self.steps, step))

    def _current(self) -> Draft:
        """The draft in the order in which the rules are shown."""
        return replace(Draft.of(self.rules), known=self.draft.known)

    def _place(self, rule: int | str) -> int:
        """Place of a rule among those shown."""
        current = self._current()
        n_rules = len(current.sets)
        if isinstance(rule, str):
            wanted = current.read(rule).finished()
            found = [
                i for i, members in enumerate(current.sets) if members in Draft.of(wanted).sets
            ]
            if len(found) == 1 and len(wanted) == 1:
                return found[0]
        elif -n_rules <= rule < n_rules:
            return int(rule) % n_rules
        shown = "; ".join(f"{i}: {text}" for i, text in enumerate(self.rules))
        raise ValueError(f"A rule must be one of those there are ({shown}). Got {rule!r} instead.")

    def _level(self, j: int, level: Any) -> Pair:
        """The literal of a criterion whose level was meant."""
        literals = self.rules.literal_set
        used = {pair for members in self._current().sets for pair in members}
        here = np.flatnonzero(literals.columns == j).tolist()
        shown = {one: literals.parts[one][2] for one in here}
        for exact in (True, False):
            for one in here:
                pair = (j, float(literals.levels[one]))
                same = literals.levels[one] == level if exact else shown[one] == _as_text(level)
                if same and pair in used:
                    return pair
        name = literals.criteria[j].name
        texts = _listed(literals.texts[one] for one in here if (j, literals.levels[one]) in used)
        raise ValueError(
            f"level must be one that a rule asks of {name!r} ({texts}). Got {level!r} instead."
        )

    def __repr__(self) -> str:
        return str(self.report) if self.steps else f"nothing edited yet: {self.rules}"


def _as_text(level: Any) -> str:
    return level if isinstance(level, str) else shortest(float(level))


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts) or "none"
