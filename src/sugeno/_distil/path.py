"""The path from one rule to many: for each number of rules the best set found, DNF or CNF.

A set of rules accepts a row that satisfies all literals of some rule (DNF); a set of clauses
accepts a row that satisfies some literal of every clause (CNF). Both are searched by the same
code, a CNF as the DNF of the dual. People read rules more easily than clauses, so the path consists
of rules, or of clauses where fewer of them do, or as many do better if a number is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.patterns import SoftPatterns, merge_rows
from sugeno._distil.pruning import pruned_rules
from sugeno._distil.search import Effort, PathSearch

__all__ = ["Form", "PathSet", "RulePath", "distil_path"]

Form = Literal["dnf", "cnf"]

#: Beyond so many clauses, each of which offers a choice, nobody who did not ask for them reads on.
_MOST_CLAUSES = 5
Rule = tuple[int, ...]


@dataclass(frozen=True)
class PathSet:
    """A monotone rule set over literals.

    Attributes
    ----------
    form : {"dnf", "cnf"}
        Whether rules are conjunctions joined by "or", or clauses joined by "and".
    rules : tuple of tuple of int
        Literals of each rule, at most one per criterion.
    gain : float
        Sum of the signed gains of the accepted rows.
    """

    form: Form
    rules: tuple[Rule, ...]
    gain: float

    @property
    def n_literals(self) -> int:
        """How many literals a person reads, each as often as it is written."""
        return sum(map(len, self.rules))

    def accepts(
        self, X: NDArray[np.float64], criteria: NDArray[np.intp], levels: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Tell which rows are accepted."""
        is_dnf = self.form == "dnf"
        accepted = np.full(len(X), not is_dnf)
        for rule in self.rules:
            literals = list(rule)
            reached = X[:, criteria[literals]] >= levels[literals]
            if is_dnf:
                accepted |= reached.all(axis=1)
            else:
                accepted &= reached.any(axis=1)
        return accepted


@dataclass(frozen=True)
class RulePath:
    """Rule sets by their number of rules.

    Attributes
    ----------
    sets : tuple of PathSet
        Entry r is the best set found with at most r rules; entry 0 is the better constant.
    patterns : SoftPatterns
        What was searched, for a proof.
    pool : list of tuple of int
        The rules, or clauses, met by the search, for a program over them.
    """

    sets: tuple[PathSet, ...]
    patterns: SoftPatterns
    pool: list[Rule]

    def best(self, price: float = 0.0, max_rules: int | None = None) -> PathSet:
        """Return the set of highest ``gain − price · rules``, the smaller one of equals."""
        allowed = self.sets if max_rules is None else self.sets[: max_rules + 1]
        return max(allowed, key=lambda s: (s.gain - price * len(s.rules), -len(s.rules)))

    def pruned(
        self,
        price: float,
        max_criteria: int,
        only: int | None = None,
        out_of_time: Callable[[], bool] = lambda: False,
    ) -> RulePath:
        """Return the path without what is not worth the price of its literals.

        Parameters
        ----------
        price : float
            What a literal has to gain.
        max_criteria : int
            Largest number of criteria of a rule that stands in the place of two.
        only : int, optional
            The size of the only set that is pruned; by default all are.
        out_of_time : callable, optional
            When it says so, what has not been pruned stays as it is.
        """
        sets = [
            self._pruned(one, price, max_criteria, out_of_time) if only in (None, size) else one
            for size, one in enumerate(self.sets)
        ]
        return replace(self, sets=tuple(sets))

    def _pruned(
        self, known: PathSet, price: float, max_criteria: int, out_of_time: Callable[[], bool]
    ) -> PathSet:
        if not known.rules or out_of_time():
            return known
        patterns = self.patterns if known.form == "dnf" else self.patterns.dual()
        places = np.searchsorted(self.patterns.literals, np.arange(self.patterns.literals[-1] + 1))
        rules = [tuple(places[list(rule)].tolist()) for rule in known.rules]
        kept = pruned_rules(
            patterns, rules, price=price, max_criteria=max_criteria, out_of_time=out_of_time
        )
        covered = np.any([patterns.reached[list(rule)].all(axis=0) for rule in kept], axis=0)
        gain = patterns.gains.sum(where=covered, dtype=np.float64)
        if known.form == "cnf":  # the dual counts what is rejected, as a loss
            gain += self.patterns.gains.sum(dtype=np.float64)
        literals = self.patterns.literals
        named = sorted(tuple(literals[list(rule)].tolist()) for rule in kept)
        return PathSet(known.form, tuple(named), float(gain) / self.patterns.units)


def distil_path(
    X: NDArray[np.float64],
    d: NDArray[np.float64],
    criteria: NDArray[np.intp],
    levels: NDArray[np.float64],
    *,
    max_rules: int = 15,
    max_criteria: int = 4,
    forms: Sequence[Form] = ("dnf", "cnf"),
    price: float = 0.0,
    n_rules: int | None = None,
    effort: Effort | None = None,
    seed: int = 0,
    out_of_time: Callable[[], bool] = lambda: False,
) -> RulePath:
    """Find rule sets of high gain for every number of rules.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Oriented rows: higher is better.
    d : ndarray of shape (n,)
        Signed gain of accepting each row.
    criteria, levels : ndarray of shape (n_literals,)
        The literals, sorted by criterion, then level.
    max_rules, max_criteria : int
        Limits on rules, and on criteria in a rule.
    forms : sequence of {"dnf", "cnf"}
        Forms to try: the first, or another one where it is shorter.
    price : float, default=0.0
        What a rule has to gain, when the forms are compared.
    n_rules : int, optional
        The number of rules that is asked for: the forms are compared there, by their gains.
    effort : Effort, optional
        How long to search.
    seed : int, default=0
        Of the draws in the search.
    out_of_time : callable, optional
        Asked between two steps; ends the search with what it has.

    Returns
    -------
    RulePath
        With ``max_rules + 1`` entries of non-decreasing gain.
    """
    patterns = merge_rows(X, d, criteria, levels)
    # The dual counts what is rejected, as a loss: all gains together are the difference.
    total = float(patterns.gains.sum())
    searches = {
        form: PathSearch(
            patterns if form == "dnf" else patterns.dual(),
            max_rules,
            max_criteria,
            effort or Effort(),
            seed,
            constant=0.0 if form == "dnf" else total,
            out_of_time=out_of_time,
        )
        for form in forms
    }
    begun: dict[Form, PathSearch] = {}
    for form, search in searches.items():
        if not begun or not out_of_time():
            search.start()
            begun[form] = search
    form = _shortest(begun, price * patterns.units) if n_rules is None else _best_at(n_rules, begun)
    asked = n_rules is not None or len(forms) == 1
    most = max_rules if form == "dnf" or asked else min(max_rules, _MOST_CLAUSES)
    searches[form].refine(most)
    pool = _rules_met(searches[form])
    # Without rules a DNF rejects all rows, a CNF accepts them.
    constants = [PathSet(f, (), s.constant / patterns.units) for f, s in searches.items()]
    sets = _envelope(constants, _sets(form, searches[form], pool)[: most + 1], max_rules)
    return RulePath(sets, patterns, pool)


def _best_at(n_rules: int, searches: dict[Form, PathSearch]) -> Form:
    """Choose the form that gains most with so many rules, of equals the first."""
    return max(searches, key=lambda form: searches[form].path()[: n_rules + 1][-1][0])


def _shortest(searches: dict[Form, PathSearch], price: float) -> Form:
    """Choose the first form, or another one that is worth no less with fewer rules, and few."""
    chosen, *others = searches
    worth, size = _best(searches[chosen], price)
    for form in others:
        value, length = _best(searches[form], price)
        if value >= worth and length < min(size, _MOST_CLAUSES + 1):
            chosen, worth, size = form, value, length
    return chosen


def _best(search: PathSearch, price: float) -> tuple[float, int]:
    """Gain less the price of the rules, and their number, where the former is largest."""
    worth, size = max((gain - price * len(chosen), -len(chosen)) for gain, chosen in search.path())
    return worth, -size


def _rules_met(search: PathSearch) -> list[Rule]:
    """Return the pool in terms of the caller's literals."""
    literals = search.patterns.literals
    return [tuple(literals[list(rule)].tolist()) for rule in search.pool.rules]


def _sets(form: Form, search: PathSearch, pool: list[Rule]) -> list[PathSet]:
    return [
        PathSet(form, tuple(sorted(pool[i] for i in chosen)), gain / search.patterns.units)
        for gain, chosen in search.path()
    ]


def _envelope(constants: list[PathSet], path: list[PathSet], max_rules: int) -> tuple[PathSet, ...]:
    """Take the best set with at most r rules for every r."""
    best = [max(constants, key=lambda s: s.gain)]
    for size in range(1, max_rules + 1):
        best.append(max([best[-1], *path[size : size + 1]], key=lambda s: s.gain))
    return tuple(best)
