"""The readable model: rules in original units, equation (6) of the paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self

from numpy.typing import ArrayLike

from sugeno._sets.masks import unpack
from sugeno.model.drafts import Draft, drafted
from sugeno.model.given_rules import given_sets
from sugeno.model.monotone import MonotoneProof, proof_of
from sugeno.model.probability import Probability
from sugeno.model.rule_family import RuleFamily
from sugeno.model.rule_table import frame_of, records_of, texts_of
from sugeno.model.support import Support
from sugeno.model.text import heading, html_table, markdown_table, sentence, unless

__all__ = ["RuleSet"]

#: A representation (not a text) shows so many rules.
_SHOWN = 20


class RuleSet(RuleFamily):
    """An "or" of rules, each an "and" of literals ``criterion reaches level``; or the reverse.

    Equation (6): a Sugeno classifier accepts a row if and only if the row satisfies all literals
    of at least one boundary set. That is the disjunctive form. The conjunctive form says the same
    the other way round, sometimes in fewer words: a row is accepted if it satisfies at least one
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
        The label that accepted rows get. The text names it, unless it means yes.
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

    def __str__(self) -> str:
        return sentence(list(self), heading(self._label), self._form)

    def __repr__(self) -> str:
        rules = list(self)
        hidden = len(rules) - _SHOWN
        text = sentence(rules[:_SHOWN], heading(self._label), self._form)
        return text if hidden <= 0 else f"{text}, …\n  and {hidden} more rules"

    def _repr_html_(self) -> str:
        records = self.to_records()[:_SHOWN] or [{"rule": str(self)}]
        hidden = max(0, len(self) - _SHOWN)
        return html_table(records, f"… {hidden} more rules" if hidden else "")

    def counted_on(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        missing: str = "error",
    ) -> Self:
        """Return the same rules with their support, precision and unique coverage on other rows.

        Parameters
        ----------
        X : array-like, or frame of pandas, Polars or PyArrow, of shape (n, m)
            Rows in original units, as for `predict`.
        y : array-like of shape (n,)
            Their labels. Rows with the label of the rules are right; where rules have no label,
            rows whose label is true.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows.
        missing : {"error", "pessimistic", "optimistic", "interval"}, default="error"
            How missing values are read: refused; as if they reached no level; as if they reached
            all; and "interval", of which a decision is certain only where none is reached, like
            "pessimistic".

        Returns
        -------
        RuleSet
            An equal rule set; its tables show the new numbers.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3]).counted_on([[2], [3], [4]], [0, 0, 1]).to_records()
        [{'rule': 'x0 >= 3', 'size': 1, 'support': 2.0, 'precision': 0.5, 'unique': 2.0}]
        """
        patterns = self._patterns(X, y, sample_weight, missing)
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
        if heading(self.label) != heading(other.label):
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
            f"{_count(len(self), noun)} of {_count(used, 'literal')}, each of which stays true "
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
        texts, head = texts_of(rules, words=words), heading(self._label)
        return unless(texts, head) if rules.form == "cnf" else sentence(texts, head)

    def to_records(self, *, words: bool = False) -> list[dict[str, Any]]:
        """Return one dictionary per rule.

        Keys: ``rule`` (text), ``size`` (number of criteria) and, when rows were counted (training
        rows, or those of `counted_on`), ``support`` (weight of the rows that satisfy the rule),
        ``precision`` (share of that weight which has the label; NaN without support) and
        ``unique`` (weight of the rows that satisfy no other rule). Of a clause: the rows that it
        rejects, the share of them that do not have the label, and those that it alone rejects.

        Parameters
        ----------
        words : bool, default=False
            Whether to write "at least 6" for ``>= 6``.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3]).to_records()
        [{'rule': 'x0 >= 3', 'size': 1}]
        """
        return records_of(self, words=words)

    def to_frame(
        self,
        backend: Literal["pandas", "polars", "pyarrow"] = "pandas",
        *,
        words: bool = False,
    ) -> Any:
        """Return the table of rules as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Which library's frame; it must be installed.
        words : bool, default=False
            Whether to write "at least 6" for ``>= 6``.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row per rule with the columns of `to_records`.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0, 1}], [3, 5]).to_frame()
                            rule  size
        0  x0 >= 3 and x1 >= 5     2
        """
        return frame_of(self, backend, words=words)

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


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
