"""Edits of a card of points: points, levels and thresholds, as people read them in its table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from sugeno.edit._assembly import EvaluationRows, as_text, assembled_card, check_assumed
from sugeno.edit.report import EditReport
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.card import Card
from sugeno.model.drafts import Draft, Pair
from sugeno.model.model import Learned, Model
from sugeno.model.naming import criterion_place
from sugeno.model.text import counted

__all__ = ["CardEdit"]


@dataclass(frozen=True, eq=False)
class CardEdit:
    """A card that is being edited; every edit returns a new one, and none changes the original.

    The points of a level are those that the table shows: what the criterion has from it on. Of
    ordered classes points and levels are those of all boundaries, which differ in what is needed.

    Attributes
    ----------
    original : Model
        The model that the edits began with.
    draft : Draft
        Criteria, and the levels that there are.
    points : dict
        The points that a criterion has from each of its levels on.
    needed : tuple of int
        From how many points on each boundary is passed.
    rows : tuple of EvaluationRows or None
        Rows to judge the edits by, parted by each boundary.
    steps : tuple of str
        What was done so far.
    finish : callable
        Makes a classifier of a model.

    Examples
    --------
    >>> from sugeno import SugenoDistiller
    >>> X, y = [[1, 1], [1, 5], [5, 1], [5, 5]] * 9, [0, 0, 0, 1] * 9
    >>> clf = SugenoDistiller(form="points", directions=[1, 1]).fit(X, y)
    >>> print(clf.edit(X, y).set_needed(1).report)
    class 1 needs 1 point instead of 2
    before: class 1 from 2 of 2 points
      x0  >= 3: 1
      x1  >= 3: 1
    probability  0: < 1 %   1: 1 %   2: 99 %
    after: class 1 from 1 of 2 points
      x0  >= 3: 1
      x1  >= 3: 1
    probability  0: 9 %   1: 50 %   2: 91 %
    18 of 36 rows change: 18 are class 1 now. Errors: 0 before, 18 after.
    """

    original: Model
    draft: Draft
    points: dict[Pair, int]
    needed: tuple[int, ...]
    rows: tuple[EvaluationRows, ...] | None
    steps: tuple[str, ...]
    finish: Callable[[Model], Any]

    @classmethod
    def of(
        cls,
        model: Model,
        rows: Sequence[EvaluationRows] | None = None,
        finish: Callable[[Model], Any] = lambda m: m,
    ) -> CardEdit:
        """Begin to edit the card of a model."""
        cards = model.rules.cards
        literals = cards[0].literal_set
        pairs = [*zip(literals.columns.tolist(), literals.levels.tolist())]
        around = zip(literals.worse.tolist(), literals.better.tolist())
        draft = Draft(literals.criteria, (), dict(zip(pairs, around)), named=cards[0].named)
        shown = [record["points"] for record in cards[0].to_records()]
        needed = tuple(card.needed for card in cards)
        given = None if rows is None else tuple(rows)
        return cls(model, draft, dict(zip(pairs, shown)), needed, given, (), finish)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The card of each boundary as it is now."""
        kept, added = [], []
        last: dict[int, int] = {}
        for pair in self.draft.pairs:
            more = self.points[pair] - last.get(pair[0], 0)
            if more < 0:
                self._refuse_fall(pair, last[pair[0]])
            last[pair[0]] = self.points[pair]
            if more:
                kept.append(pair)
                added.append(more)
        known = {pair: around for pair, around in self.draft.known.items() if pair in kept}
        literals = replace(self.draft, known=known).literals
        return tuple(
            Card.of(literals, added, needed, named=card.named, label=card.spoken)
            for needed, card in zip(self.needed, self.original.rules.cards)
        )

    def _refuse_fall(self, pair: Pair, before: int) -> None:
        (text,) = replace(self.draft, known={pair: self.draft.known[pair]}).literals.texts
        raise ValueError(
            f"Points must not fall when a criterion gets better: a weaker level has {before}. Got "
            f"{self.points[pair]} for {text!r} instead; change the weaker level first."
        )

    @cached_property
    def boundaries(self) -> tuple[Boundary, ...]:
        """The boundaries as they are now."""
        if not self.steps:
            return self.original.boundaries
        rows = self.rows or (None,) * len(self.cards)
        return tuple(map(assembled_card, self.cards, self.original.boundaries, rows))

    @cached_property
    def model(self) -> Model:
        """The model as it is now; nothing is claimed to be proved about it."""
        if not self.steps:
            return self.original
        certificate = self.boundaries[0].certificate
        if len(self.boundaries) > 1:
            certificate = Certificate(float("inf"), 0.0)
        changed: dict[str, Any] = {"boundaries": self.boundaries, "utility": None}
        return replace(self.original, **changed, certificate=certificate, learned=Learned("edited"))

    @property
    def classifier(self) -> Any:
        """The classifier as it is now."""
        return self.finish(self.model)

    @cached_property
    def report(self) -> EditReport:
        """What all edits together change."""
        return EditReport.of_card(self.steps, self.original, self.model, self.rows)

    def set_points(self, condition: int | str, points: int) -> CardEdit:
        """Say how many points a criterion has from a level on.

        Parameters
        ----------
        condition : str or int
            A condition of the card, or its place among them; or one that is not there yet, such as
            ``age >= 61``.
        points : int
            What is shown there. The other levels keep what is shown at them. A level that adds
            nothing to the one before it is left out, so that 0 takes a first level out.
        """
        _check_whole(points)
        condition = self._said(condition)
        pair, draft = self._read(condition)
        before = self.points.get(pair)
        instead = "" if before is None else f" instead of {before}"
        step = f"gave {condition!r} {counted(points, 'point')}{instead}"
        return self._with(step, draft=draft, points={**self.points, pair: points})

    def _said(self, condition: int | str) -> str:
        """A condition as text, where its place in the card may be given."""
        there = self.cards[0].literals
        if isinstance(condition, str):
            return condition
        if -len(there) <= condition < len(there):
            return there[condition]
        raise ValueError(f"{self._known_conditions} Got {condition!r} instead.")

    @property
    def _known_conditions(self) -> str:
        shown = "; ".join(f"{i}: {text}" for i, text in enumerate(self.cards[0].literals))
        return f"A condition must be one of those there are ({shown})."

    def _read(self, condition: str) -> tuple[Pair, Draft]:
        """The level that a condition speaks about, as it is shown or a new one."""
        literals = self.draft.literals
        for texts in (literals.texts, literals.words):
            if condition in texts:
                return self.draft.pairs[texts.index(condition)], self.draft
        read = self.draft.read(condition)
        if len(read.sets) != 1 or len(read.sets[0]) != 1:
            raise ValueError(f"Points are for one condition. Got {condition!r} instead.")
        return next(iter(read.sets[0])), replace(read, sets=())

    def remove(self, condition: int | str) -> CardEdit:
        """Leave out a level, given by its place or as text; the others keep what is shown there."""
        condition = self._said(condition)
        pair, _ = self._read(condition)
        if pair not in self.points:
            raise ValueError(f"{self._known_conditions} Got {condition!r} instead.")
        points = {one: shown for one, shown in self.points.items() if one != pair}
        known = {one: self.draft.known[one] for one in points}
        draft = replace(self.draft, known=known)
        return self._with(f"removed {condition!r}", draft=draft, points=points)

    def move_level(self, criterion: str | int, level: Any, *, to: Any) -> CardEdit:
        """Move a level of a criterion; its points stay.

        Parameters
        ----------
        criterion : str or int
            The criterion, by name or by place.
        level : float or str
            The level as the table shows it, or the number that decides.
        to : float or str
            The new level: a number, or a label.
        """
        j = criterion_place(self.draft.criteria, criterion)
        name = self.draft.criteria[j].name
        old = self.draft.pair_at(j, level, "level")
        if old not in self.points:
            shown = replace(self.draft, known={p: self.draft.known[p] for p in self.points})
            texts = [text for pair, text in zip(shown.pairs, shown.literals.texts) if pair[0] == j]
            raise ValueError(
                f"level must be one that has points of {name!r} ({', '.join(texts) or 'none'}). "
                f"Got {level!r} instead."
            )
        new = self.draft.pair_at(j, to, "to")
        known = {pair: around for pair, around in self.draft.known.items() if pair != old}
        points = {pair: shown for pair, shown in self.points.items() if pair != old}
        known.setdefault(new, (float("nan"), float("nan")))
        points[new] = self.points[old]
        step = f"moved the level of {name} from {as_text(level)} to {as_text(to)}"
        return self._with(step, draft=replace(self.draft, known=known), points=points)

    def set_needed(self, points: int, *, boundary: object = None) -> CardEdit:
        """Say from how many points on a boundary is passed.

        Parameters
        ----------
        points : int
            0 for always, more than there are for never.
        boundary : object, optional
            The lowest class above the boundary; two classes have one boundary, which needs no
            name.
        """
        several = boundary is not None or len(self.needed) > 1
        place = self.original.boundary_below(boundary) if several else 0
        _check_whole(points)
        needed = (*self.needed[:place], points, *self.needed[place + 1 :])
        if list(needed) != sorted(needed):
            raise ValueError(
                "Thresholds must not fall from class to class. Got "
                f"{list(needed)} instead; change those of the other classes first."
            )
        head = self.original.rules.cards[place].head
        step = f"{head} needs {counted(points, 'point')} instead of {self.needed[place]}"
        return self._with(step, needed=needed)

    def forbid(
        self, criterion: str | int, *, assume: Literal["worst", "best"] = "worst"
    ) -> CardEdit:
        """Make decision and probability independent of a criterion.

        Parameters
        ----------
        criterion : str or int
            The criterion, by name or by place. It stays a column of the table.
        assume : {"worst", "best"}, default="worst"
            What every row is taken to have. "worst" is none of the points of the criterion. "best"
            is all of them, so that less is needed of the others.
        """
        check_assumed(assume)
        j = criterion_place(self.draft.criteria, criterion)
        most = max((shown for pair, shown in self.points.items() if pair[0] == j), default=0)
        spare = most if assume == "best" else 0
        known = {pair: around for pair, around in self.draft.known.items() if pair[0] != j}
        points = {pair: shown for pair, shown in self.points.items() if pair[0] != j}
        needed = tuple(max(0, one - spare) for one in self.needed)
        step = f"forbade {self.draft.criteria[j].name}, assuming the {assume}"
        draft = replace(self.draft, known=known)
        return self._with(step, draft=draft, points=points, needed=needed)

    def _with(self, step: str, **changed: Any) -> CardEdit:
        """Go one step further; what is no card is refused at once."""
        edit = replace(self, **changed, steps=(*self.steps, step))
        left_out = len(edit.points) - len(edit.cards[0])
        if left_out:
            literals = edit.cards[0].literal_set
            kept = {*zip(literals.columns.tolist(), literals.levels.tolist())}
            known = {pair: edit.draft.known[pair] for pair in kept}
            points = {pair: shown for pair, shown in edit.points.items() if pair in kept}
            edit = replace(edit, draft=replace(edit.draft, known=known), points=points)
        return edit

    def __repr__(self) -> str:
        return str(self.report) if self.steps else f"nothing edited yet: {self.original.rules}"


def _check_whole(points: object) -> None:
    if isinstance(points, bool) or not isinstance(points, int) or points < 0:
        raise ValueError(f"points must be a whole number, at least 0. Got {points!r} instead.")
