"""The readable model: rules in original units, equation (6) of the paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.patterns import Patterns
from sugeno._scales.criterion import both_sides
from sugeno._scales.literals import Literals
from sugeno._scales.verdicts import verdicts
from sugeno._sets.bit_tables import up_set
from sugeno._sets.masks import Masks, contains_any, is_subset, meets_all, minimal, set_sizes, unpack
from sugeno._sets.transversals import minimal_transversals
from sugeno.model.drafts import Draft, drafted
from sugeno.model.form import Form, Formula, Side
from sugeno.model.given_rules import given_literals, given_sets
from sugeno.model.monotone import MonotoneProof, proof_of
from sugeno.model.probability import Probability
from sugeno.model.sides import RuleSide
from sugeno.model.support import Support
from sugeno.model.text import counted, html_table, markdown_table, sentence, unless

__all__ = ["Joint", "RuleSet"]

#: Rules joined by "or", or clauses joined by "and".
Joint = Literal["dnf", "cnf"]

#: With so many rows for each literal of a rule it pays to put the rules to the rows themselves.
_ROWS_PER_LITERAL = 16
#: A representation (not a text) shows so many rules.
_SHOWN = 20


class RuleSet(Form):
    """An "or" of rules, each an "and" of literals ``criterion reaches level``; or the reverse.

    Equation (6): a Sugeno classifier accepts a row if and only if the row satisfies all literals of
    at least one boundary set. That is the disjunctive form. The conjunctive form says the same the
    other way round, sometimes in fewer words. A row is accepted if it satisfies at least one
    literal of every clause. Rule sets are immutable.

    Parameters
    ----------
    sets : iterable of iterables of int
        The rules: indices of literals. Literals that others of the rule imply, and rules that
        others imply, are redundant and left out.
    levels : array-like of shape (L,)
        Level of each literal in original units.
    criteria : sequence of str, optional
        Names of the m criteria. Default: as many as there are literals, called x0, x1, ….
    directions : array-like of shape (m,), optional
        -1 for criteria of which less is better; default all +1.
    literal_criteria : array-like of shape (L,), optional
        Criterion of each literal, ascending; by default literal j speaks about criterion j. The
        levels of a criterion must get harder to reach.
    label : object, optional
        The label that accepted rows get, which the text names.
    form : {"dnf", "cnf"}, default="dnf"
        Whether a row has to satisfy all literals of one set, or one literal of all sets.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> names = ["interview", "experience", "references"]
    >>> rules = RuleSet([{0, 1}, {2}], [6, 4, 7], criteria=names)
    >>> print(rules)
    accept if references >= 7, or interview >= 6 and experience >= 4
    >>> rules.predict([[6, 4, 1], [5, 4, 6], [1, 1, 8]])
    array([ True, False,  True])
    >>> print(RuleSet([{0, 1}, {2}], [6, 4, 7], criteria=names, form="cnf"))
    accept if references >= 7 and (interview >= 6 or experience >= 4)
    """

    def __init__(
        self,
        sets: Iterable[Iterable[int]],
        levels: ArrayLike,
        *,
        criteria: Sequence[str] | None = None,
        directions: ArrayLike | None = None,
        literal_criteria: ArrayLike | None = None,
        label: object = None,
        form: Joint = "dnf",
    ) -> None:
        if form not in ("dnf", "cnf"):
            raise ValueError(f"form must be 'dnf' or 'cnf'. Got {form!r} instead.")
        literals = given_literals(levels, criteria, directions, literal_criteria)
        masks = given_sets(sets, literals.levels.size)
        self._assign(_antichain(masks, literals, form), literals, label, None, form)
        self._named = criteria is not None

    @classmethod
    def from_sets(
        cls,
        masks: Masks,
        literals: Literals,
        *,
        named: bool = False,
        label: object = None,
        form: Joint = "dnf",
        in_order: bool = False,
    ) -> Self:
        """Build from any packed sets; what is redundant in them is left out.

        The rules are sorted, or stay in the order in which they are given.
        """
        masks = _antichain(masks, literals, form, in_order=in_order)
        return cls.from_masks(masks, literals, named=named, label=label, form=form)

    @classmethod
    def from_masks(
        cls,
        masks: Masks,
        literals: Literals,
        *,
        named: bool = False,
        label: object = None,
        support: Support | None = None,
        form: Joint = "dnf",
    ) -> Self:
        """Build from packed sets that are known to be an antichain.

        Boundary sets with all literals that they imply, or clauses without those that imply
        others of the clause.
        """
        self = cls.__new__(cls)
        self._assign(masks, literals, label, support, form)
        self._named = named
        return self

    def _assign(
        self,
        masks: Masks,
        literals: Literals,
        label: object,
        support: Support | None,
        form: Joint,
    ) -> None:
        self._masks = masks
        self._form = form
        self._literals = literals
        self._label = label
        self._support = support
        self._table: NDArray[np.bool_] | None = None

    @property
    def form(self) -> Joint:
        """Whether rules are joined by "or" (dnf) or clauses by "and" (cnf)."""
        return self._form

    @property
    def masks(self) -> Masks:
        """The rules, packed: boundary sets with all literals that they imply, or clauses."""
        return self._masks.copy()

    @cached_property
    def boundary_sets(self) -> Masks:
        """The minimal accepted sets, packed, with all literals that they imply.

        Of a conjunctive form they are the minimal sets that meet every clause; there can be many.
        """
        if self._form == "dnf":
            return self._masks
        if not self._masks.any(axis=1).all():  # a clause without literals: nothing satisfies it
            return self._masks[:0]
        return minimal(self._literals.chains.closed(minimal_transversals(self._masks)))

    @cached_property
    def clauses(self) -> Masks:
        """The minimal clauses, packed, without the literals that imply others of the clause.

        Of a disjunctive form they are the minimal sets that meet every rule; there can be many.
        """
        if self._form == "cnf":
            return self._masks
        if not self._masks.any(axis=1).all():  # a rule without literals: everything satisfies it
            return self._masks[:0]
        chains = self._literals.chains
        found = minimal_transversals(chains.strongest(self._masks))
        return chains.weakest(minimal(chains.raised(found)))

    def possible(self) -> Self:
        """Return the same without rules that no row can satisfy.

        They ask for both sides of a column, so far apart that no value reaches both. Nor does a
        missing one where it has places on them.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> from sugeno._scales.criterion import Criterion
        >>> from sugeno._scales.literals import Literals
        >>> from sugeno._sets.masks import pack
        >>> age = [Criterion("age", sign, column=0) for sign in (1, -1)]
        >>> levels = np.array([4.0, 6.0, 2.0])
        >>> literals = Literals(tuple(age), np.array([0, 1, 1]), levels, levels, levels)
        >>> asked = pack(np.array([[True, True, False], [True, True, True]]))
        >>> print(RuleSet.from_masks(asked, literals, named=True).possible())
        accept if 4 <= age <= 6
        """
        kept = np.ones(len(self), dtype=np.bool_)
        if self._form == "dnf":
            for pair in both_sides(self._literals.criteria):
                kept &= self._within_reach(pair)
        if kept.all():
            return self
        rules, label = self._masks[kept], self._label
        return self.from_masks(rules, self._literals, named=self._named, label=label)

    def _within_reach(self, pair: tuple[int, int]) -> NDArray[np.bool_]:
        """Tell of which rules a value of a column reaches all that they ask on its two sides."""
        literals = self._literals
        mine = np.flatnonzero(np.isin(literals.columns, pair))
        # Where two sides overlap, an end of one of them lies in the other.
        levels, codes = literals.levels[mine], literals.criteria[pair[0]].codes
        around = [np.nextafter(levels, way) for way in (np.inf, -np.inf)] if codes else []
        ends = np.concatenate([levels, literals.better[mine], *around, codes, [np.nan]])
        reached = np.empty((ends.size, mine.size), dtype=np.bool_)
        for place, j in enumerate(mine.tolist()):
            criterion = literals.criteria[int(literals.columns[j])]
            values = criterion.direction * criterion.read(ends)
            reached[:, place] = values >= criterion.direction * literals.levels[j]
        out_of_reach = self._members[:, mine].astype(np.intp) @ ~reached.T
        found: NDArray[np.bool_] = np.any(out_of_reach == 0, axis=1)
        return found

    def dual(self) -> Self:
        """Return the same classifier in the other form: clauses for rules, rules for clauses.

        Returns
        -------
        RuleSet
            Accepts the same rows; of the training rows it knows nothing.

        Raises
        ------
        OverflowError
            If the other form is too long for anybody to read.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> print(RuleSet([{0, 1}, {0, 2}], [6, 4, 7]).dual())
        accept if x0 >= 6 and (x1 >= 4 or x2 >= 7)
        """
        dnf = self._form == "dnf"
        return self.from_masks(
            self.clauses if dnf else self.boundary_sets,
            self._literals,
            named=self._named,
            label=self._label,
            form="cnf" if dnf else "dnf",
        )

    def relabelled(self, label: object) -> Self:
        """Return the same rules, speaking for a class.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> print(RuleSet([{0}], [3]).relabelled("high"))
        high if x0 >= 3
        """
        return self.from_masks(
            self._masks,
            self._literals,
            named=self._named,
            label=label,
            support=self._support,
            form=self._form,
        )

    @property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The rules as tuples of literal indices, without redundant literals."""
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in self._members)

    @property
    def _members(self) -> NDArray[np.bool_]:
        """Which literals each rule has, without redundant ones."""
        masks = self._masks
        if self._form == "dnf":
            masks = self._literals.chains.strongest(masks)
        return unpack(masks, self.n_literals)

    @property
    def used(self) -> tuple[int, ...]:
        """Places of the literals that occur in rules, ascending."""
        return tuple(np.flatnonzero(self._members.any(axis=0)).tolist())

    @property
    def size(self) -> int:
        """How many literals a person reads, each as often as it is written."""
        return int(np.count_nonzero(self._members))

    @property
    def formula(self) -> Formula:
        """The rules for engines: one of them has to hold, or all clauses."""
        sets = self.sets
        once = (1,) * len(sets)
        if self._form == "dnf":
            return Formula(sets, "and", once, 1)
        return Formula(sets, "or", once, len(sets))

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """Reasons and flips of what is refused, and of what is accepted."""
        families: list[Masks | None] = []
        for family in ("boundary_sets", "clauses"):
            try:
                families.append(getattr(self, family))
            except OverflowError:  # the sides search where a family is too long
                families.append(None)
        return RuleSide.both(self._literals.chains, *families)

    def fired(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which rules hold, or which clauses are missed, shape (n, rules).

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}, {1}], [3, 5]).fired(np.array([[1], [3]], np.uint64))
        array([[ True, False],
               [ True,  True]])
        """
        if self._form == "dnf":
            return is_subset(self._masks, masks).T
        missed = [~(masks & clause).any(axis=1) for clause in self._masks]
        return np.array(missed, dtype=np.bool_).reshape(len(self), len(masks)).T

    def account(self, fired: Sequence[int]) -> list[str]:
        """Number the rules that hold, or the clauses that are missed.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}, {1}], [3, 5]).account([1])
        ['rule 2: x1 >= 5']
        """
        word, texts = "rule" if self._form == "dnf" else "unmet clause", [*self]
        return [f"{word} {place + 1}: {texts[place]}" for place in fired]

    def speaking_for(self, masks: Masks, accepted: bool) -> NDArray[np.intp]:
        """Count, per set and criterion, the rules that the criterion keeps from holding.

        Of a verdict of acceptance those that hold and speak about the criterion. Of a conjunctive
        form: the clauses that are not met, or that the criterion helps to meet.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> rules = RuleSet([{0, 1}, {0, 2}], [1, 1, 1])
        >>> rules.speaking_for(np.array([[0], [3]], np.uint64), False)
        array([[2, 1, 1],
               [0, 0, 1]])
        >>> rules.speaking_for(np.array([[3]], np.uint64), True)
        array([[1, 1, 0]])
        """
        chains = self._literals.chains
        held = unpack(masks, chains.n_literals)
        state = held if accepted else ~held
        counts = np.zeros((len(masks), chains.n_criteria), dtype=np.intp)
        # What holds is accepted, and so is what meets all clauses: one of each is enough.
        fired = self.fired(masks) if (self._form == "dnf") == accepted else None
        for place, members in enumerate(self.sets):
            spoken = state if fired is None else state & fired[:, [place]]
            for literal in members:
                counts[:, chains.criteria[literal]] += spoken[:, literal]
        return counts

    def beyond(self, lower: Form) -> str | None:
        """Return a rule that accepts what a lower form about the same criteria refuses, or None.

        A rule accepts the row that just reaches all of its levels, and all better ones; so that
        row decides.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}, {1}], [5, 5]).beyond(RuleSet([{0}], [3, 5]))
        'x1 >= 5'
        """
        rules = self if self._form == "dnf" else self.dual()
        literals = self._literals
        rows = np.tile(-np.inf * literals.directions, (len(rules), 1))
        for row, members in zip(rows, rules.sets):
            chosen = list(members)
            row[literals.columns[chosen]] = literals.levels[chosen]
        accepted = lower.accepts(lower.literal_set.satisfied(rows))
        return next((text for text, inside in zip(rules, accepted.tolist()) if not inside), None)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the rules as texts such as ``interview >= 6 and experience >= 4``."""
        return iter(self._texts())

    def __len__(self) -> int:
        return len(self._masks)

    def _identity(self) -> tuple[object, ...]:
        return (
            self._literals.criteria,
            tuple(self._literals.levels.tolist()),
            self.literals,
            tuple(map(tuple, self._masks.tolist())),
            self._form,
            self.head,
        )

    def decide(self, values: NDArray[Any], *, check_finite: bool = True) -> NDArray[np.bool_]:
        """Tell which rows of a plain array are accepted.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3, 5]).decide(np.array([[4.0, 6.0], [2.0, 9.0]]))
        array([ True, False])
        """
        most = len(values) // _ROWS_PER_LITERAL
        if not self._is_tabulated and set_sizes(self._masks).sum() <= most:
            clauses = self._form == "cnf"
            return verdicts(
                values, self._literals, self.sets, clauses=clauses, check_finite=check_finite
            )
        return self.accepts(self._literals.satisfied(values, check_finite=check_finite))

    @property
    def _is_tabulated(self) -> bool:
        """Whether the verdicts on all sets of literals fit into a table."""
        literals = self._literals
        return self._form == "dnf" and literals.is_plain and literals.chains.is_small

    def accepts(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which packed sets of literals contain a boundary set.

        With one literal per criterion, up to 20 of them, the verdicts on all sets are tabulated
        as soon as that pays.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> RuleSet([{0, 1}], [3, 5]).accepts(np.array([[3], [2]], np.uint64))
        array([ True, False])
        """
        if self._form == "cnf":
            return meets_all(masks, self._masks)
        if self._is_tabulated and len(masks) >> 4 >= self._literals.chains.n_cells >> 12:
            return self._verdicts().take(masks[:, 0].view(np.int64))
        return contains_any(masks, self._masks)

    def _verdicts(self) -> NDArray[np.bool_]:
        """Verdict on each set of literals, computed once."""
        if self._table is None:
            self._table = up_set(self._masks, self._literals.chains)
        return self._table

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "sides"} | {
            "_table": None
        }

    def __str__(self) -> str:
        used = sorted({literal for members in self.sets for literal in members})
        return "\n".join([sentence([*self], self.head, self._form), *self._literals.legend(used)])

    def __repr__(self) -> str:
        rules = list(self)
        hidden = len(rules) - _SHOWN
        text = sentence(rules[:_SHOWN], self.head, self._form)
        return text if hidden <= 0 else f"{text}, …\n  and {hidden} more rules"

    def _repr_html_(self) -> str:
        records = self.to_records()[:_SHOWN] or [{"rule": str(self)}]
        hidden = max(0, len(self) - _SHOWN)
        return html_table(records, f"… {hidden} more rules" if hidden else "")

    def with_support(self, patterns: Patterns) -> Self:
        """Return the same rules with support, precision and unique coverage by patterns."""
        count = Support.of_clauses if self._form == "cnf" else Support.counted
        return self.from_masks(
            self._masks,
            self._literals,
            named=self._named,
            label=self._label,
            support=count(self._masks, patterns),
            form=self._form,
        )

    @classmethod
    def parse(
        cls,
        text: str,
        criteria: Sequence[str] | None = None,
        *,
        directions: Sequence[int] | None = None,
        label: object = None,
    ) -> RuleSet:
        """Read rules as people write them, and as `to_text` does.

        Parameters
        ----------
        text : str
            Such as ``interview >= 6 and price <= 3, or references at least 7``. An "and" of
            brackets with "or" in them gives clauses. Names with odd characters may be quoted.
        criteria : sequence of str, optional
            Names of all criteria, in the order of the columns. By default those of the text.
        directions : sequence of int, optional
            +1 or -1 per criterion. By default what the signs in the text say, else +1.
        label : object, optional
            The label that accepted rows get.

        Returns
        -------
        RuleSet
            The rules.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> print(RuleSet.parse("price at most 3 and (speed >= 5 or comfort > 2)"))
        accept if price <= 3 and (speed >= 5 or comfort > 2)
        """
        return cls.from_draft(drafted(text, criteria, directions, label))

    def __and__(self, other: object) -> RuleSet:
        """Accept what both accept; criteria are matched by name."""
        return self._joined(other, "and") if isinstance(other, RuleSet) else NotImplemented

    def __or__(self, other: object) -> RuleSet:
        """Accept what at least one accepts; criteria are matched by name."""
        return self._joined(other, "or") if isinstance(other, RuleSet) else NotImplemented

    def _joined(self, other: RuleSet, joint: Literal["and", "or"]) -> RuleSet:
        if self.head != other.head:
            raise ValueError(
                f"Rules that are joined must speak for the same class. Got {self.label!r} and "
                f"{other.label!r} instead."
            )
        first, second = self, other
        if first.form != second.form:
            first, second = (one if one.form == "dnf" else one.dual() for one in (first, second))
        return self.from_draft(first.draft.joined(second.draft, joint))

    @property
    def draft(self) -> Draft:
        """The rules taken apart, to be changed."""
        literals = self._literals
        pairs = list(zip(literals.columns.tolist(), literals.levels.tolist()))
        neighbours = zip(literals.worse.tolist(), literals.better.tolist())
        return Draft(
            literals.criteria,
            tuple(frozenset(pairs[one] for one in members) for members in self.sets),
            dict(zip(pairs, neighbours)),
            self._form,
            self._label,
            self._named,
        )

    @classmethod
    def from_draft(cls, draft: Draft, *, in_order: bool = False) -> Self:
        """Put rules together: redundant literals and rules fall away.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> rules = RuleSet.parse("x0 >= 3 and x1 >= 5, or x0 >= 7")
        >>> print(RuleSet.from_draft(rules.draft.read("x1 >= 8, or x0 >= 7")))
        accept if x0 >= 7, or x1 >= 8
        """
        literals = draft.literals
        return cls.from_sets(
            given_sets(draft.members, literals.levels.size),
            literals,
            named=draft.named,
            label=draft.label,
            form=draft.form,
            in_order=in_order,
        )

    def verify_monotone(self, probability: Probability | None = None) -> MonotoneProof:
        """Prove that no row loses its acceptance when a criterion gets better.

        Parameters
        ----------
        probability : Probability, optional
            Probabilities that must not fall either.

        Returns
        -------
        MonotoneProof
            True if it is proved; as text one line that says so, or what is wrong.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> print(RuleSet([{0}], [3]).verify_monotone())
        Monotone, proved for all inputs: 1 rule of 1 literal, each of which stays true when its
        criterion gets better, joined by "and" and "or" alone.
        """
        used, noun = len(self.used), "rule" if self._form == "dnf" else "clause"
        statement = (
            f"{counted(len(self), noun)} of {counted(used, 'literal')}, each of which stays true "
            'when its criterion gets better, joined by "and" and "or" alone'
        )
        return proof_of(statement, self._literals, self._faults(), probability)

    def _faults(self) -> Iterator[str]:
        """Sets that say something about literals that do not exist, or not all that they imply."""
        masks, chains = self._masks, self._literals.chains
        beyond = unpack(masks, 64 * masks.shape[1])[:, chains.n_literals :]
        if beyond.any():
            yield "a rule has a literal that does not exist"
        elif self._form == "dnf" and (chains.closed(masks) != masks).any():
            yield "a rule lacks a literal that it implies"

    def to_text(
        self, form: Literal["dnf", "cnf", "shorter"] | None = None, *, words: bool = False
    ) -> str:
        """Return the rules as a sentence, in the form and with the words asked for.

        Parameters
        ----------
        form : {"dnf", "cnf", "shorter"}, optional
            "dnf" says when to accept, "cnf" is the dual reading: reject unless every clause is
            met. "shorter" is whichever has fewer literals. By default the form of the rules.
        words : bool, default=False
            Whether to write "at least 6" for ``>= 6``.

        Returns
        -------
        str
            One sentence, over several lines if it is long.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> rules = RuleSet([{0, 1}, {0, 2}], [6, 4, 7], criteria=["price", "speed", "comfort"])
        >>> rules.to_text("shorter")
        'reject unless price >= 6 and (speed >= 4 or comfort >= 7)'
        """
        rules = self
        if form == "shorter":
            rules = min(self, self.dual(), key=lambda one: sum(map(len, one.sets)))
        elif form not in (None, self._form):
            rules = self.dual()
        texts = rules._texts(words=words)
        return unless(texts, self._label) if rules.form == "cnf" else sentence(texts, self.head)

    def to_markdown(self, *, words: bool = False) -> str:
        """Return the table of rules in Markdown.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> print(RuleSet([{0}], [3]).to_markdown(words=True))
        | rule | size |
        |:---|---:|
        | x0 at least 3 | 1 |
        """
        return markdown_table(self.to_records(words=words) or [{"rule": str(self)}])

    def _texts(self, *, words: bool = False) -> list[str]:
        """Write each rule, in signs or in words."""
        literals = self._literals
        if self._form == "dnf":
            rules = (literals.conditions(members, words=words) for members in self.sets)
            return [" and ".join(rule) or "always" for rule in rules]
        texts = literals.words if words else literals.texts
        return [" or ".join(texts[j] for j in members) or "never" for members in self.sets]

    def _columns(self, *, words: bool) -> dict[str, list[Any]]:
        """The table of the rules: texts, sizes, and what they stand on where rows were counted."""
        sizes = [len(members) for members in self.sets]
        columns: dict[str, list[Any]] = {"rule": self._texts(words=words), "size": sizes}
        support = self._support
        if support is not None:
            columns["support"] = support.weight.tolist()
            columns["precision"] = support.precision.tolist()
            if support.unique is not None:
                columns["unique"] = support.unique.tolist()
        return columns


def _antichain(masks: Masks, literals: Literals, form: Joint, *, in_order: bool = False) -> Masks:
    """Leave out rules, or clauses, that others imply."""
    chains = literals.chains
    full = chains.closed(masks) if form == "dnf" else chains.raised(masks)
    kept = minimal(full)
    if in_order:
        given = {one.tobytes(): place for place, one in reversed([*enumerate(full)])}
        kept = full[sorted(given[one.tobytes()] for one in kept)]
    return kept if form == "dnf" else chains.weakest(kept)
