"""The path from one rule to many: for each number of rules the best set found, DNF or CNF.

A set of rules accepts a row that satisfies all literals of some rule (DNF); a set of clauses
accepts a row that satisfies some literal of every clause (CNF). Both are searched by the same
code, a CNF as the DNF of the dual. For each number of rules the form with the higher gain stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.patterns import SoftPatterns, merge_rows
from sugeno._distil.search import Effort, PathSearch

__all__ = ["Form", "PathSet", "RulePath", "distil_path"]

Form = Literal["dnf", "cnf"]
#: So far the path of the other form is refined as well.
_SHORT_PATH = 5
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
    pools : dict
        For each form, the rules met by the search, for a program over them.
    """

    sets: tuple[PathSet, ...]
    patterns: SoftPatterns
    pools: dict[Form, list[Rule]]

    def best(self, price: float = 0.0, max_rules: int | None = None) -> PathSet:
        """Return the set of highest ``gain − price · rules``, the smaller one of equals."""
        allowed = self.sets if max_rules is None else self.sets[: max_rules + 1]
        return max(allowed, key=lambda s: (s.gain - price * len(s.rules), -len(s.rules)))


def distil_path(
    X: NDArray[np.float64],
    d: NDArray[np.float64],
    criteria: NDArray[np.intp],
    levels: NDArray[np.float64],
    *,
    max_rules: int = 15,
    max_criteria: int = 4,
    forms: Sequence[Form] = ("dnf", "cnf"),
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
        Forms to try; of equals the first.
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
    _run(searches, max_rules)
    pools = {form: _rules_met(search) for form, search in searches.items()}
    paths = [_sets(form, search, pools[form]) for form, search in searches.items()]
    return RulePath(_envelope(paths, max_rules), patterns, pools)


def _run(searches: dict[Form, PathSearch], max_rules: int) -> None:
    """Start all searches, and refine the one that leads at the end of the path."""
    for search in searches.values():
        search.start()
    leader = max(searches.values(), key=lambda s: s.path()[-1][0])
    for search in searches.values():
        # A form that is behind at the end of the path may still be ahead at its beginning.
        search.refine(max_rules if search is leader else _SHORT_PATH)


def _rules_met(search: PathSearch) -> list[Rule]:
    """Return the pool in terms of the caller's literals."""
    literals = search.patterns.literals
    return [tuple(literals[list(rule)].tolist()) for rule in search.pool.rules]


def _sets(form: Form, search: PathSearch, pool: list[Rule]) -> list[PathSet]:
    return [
        PathSet(form, tuple(sorted(pool[i] for i in chosen)), gain / search.patterns.units)
        for gain, chosen in search.path()
    ]


def _envelope(paths: list[list[PathSet]], max_rules: int) -> tuple[PathSet, ...]:
    """Take the best set with at most r rules for every r."""
    best: list[PathSet] = []
    for size in range(max_rules + 1):
        found = best[-1:] + [path[size] for path in paths if size < len(path)]
        best.append(max(found, key=lambda s: s.gain))
    return tuple(best)
