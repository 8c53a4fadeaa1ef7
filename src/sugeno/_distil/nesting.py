"""Nested rules for all class boundaries: who passes a boundary passes those before it.

Each boundary comes with rules of its own. One boundary is settled first; from there upwards, rules
that would let rows pass which do not pass the boundary before are joined to the rules there that
suit them best; downwards, rules are weakened or added until all that passes the boundary after
passes. Of several boundaries to begin with, the one with which all gain most stays.

Then all boundaries are polished: one rule at a time is moved, exchanged, added or dropped, within
what the rules before and after allow. Along one criterion all levels are looked at in one go, and
those that keep the rules nested are an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sugeno._distil.boundary_gains import BoundaryGains, Floats, Ints

__all__ = ["Nest", "are_nested"]

#: Boundaries to begin with, at most.
_STARTS = 8
#: Other rules that polishing starts from in place of one, and rounds over all of them, at most.
_OTHERS, _ROUNDS = 3, 8


@dataclass(frozen=True, eq=False)
class Nest:
    """The search for nested rules.

    Attributes
    ----------
    gains : sequence of BoundaryGains
        What each boundary is taught, the lowest first.
    max_rules, k : int
        Largest number of rules of a boundary, and of criteria in a rule.
    price : float
        What each rule of a boundary but the first has to gain, in the units of the gains: a
        class that gains anything is predicted.
    out_of_time : callable
        Asked between two steps; ends the search with what it has, which is nested.
    """

    gains: Sequence[BoundaryGains]
    max_rules: int
    k: int
    price: float
    out_of_time: Callable[[], bool] = lambda: False

    def worth(self, families: Sequence[Ints]) -> float:
        """Gain of all boundaries together, less the price of their rules."""
        gains = [boundary.gain(rules) for boundary, rules in zip(self.gains, families, strict=True)]
        return sum(gains) - sum(self._cost(len(rules)) for rules in families)

    def _cost(self, n_rules: int) -> float:
        """The price of so many rules of a boundary."""
        return self.price * max(n_rules - 1, 0)

    def best(self, found: Sequence[Ints], order: Sequence[int]) -> list[Ints]:
        """Make the rules found for each boundary nested, and polish them.

        Parameters
        ----------
        found : sequence of ndarray of shape (rules, m)
            Codes of the rules of each boundary.
        order : sequence of int
            The boundaries, in the order in which they are tried as the first to be settled.

        Returns
        -------
        list of ndarray
            Nested rules, at most ``max_rules`` per boundary and ``k`` criteria per rule.

        Notes
        -----
        O(m n) for each look at a rule, with n distinct rows.
        """
        first, *others = order[:_STARTS]
        settled = [self.settled(found, first)]
        settled += [self.settled(found, other) for other in others if not self.out_of_time()]
        return self.polished(max(settled, key=self.worth), found)

    def settled(self, found: Sequence[Ints], first: int) -> list[Ints]:
        """Settle one boundary, then those above it and those below it."""
        result = list(found)
        for b in range(first + 1, len(found)):
            result[b] = self._within(b, found[b], result[b - 1])
        for b in range(first - 1, -1, -1):
            result[b] = self._around(b, found[b], result[b + 1])
        return result

    def _within(self, b: int, rules: Ints, before: Ints) -> Ints:
        """Make rules imply one of the rules before: join them to those with which they gain most.

        Where none gains, all that passed before passes, or nothing does, whichever gains more.
        """
        boundary, kept = self.gains[b], rules[:0]
        inside = [bool((rule >= before).all(axis=1).any()) for rule in rules]
        for place in np.argsort(np.logical_not(inside), kind="stable"):
            rule = rules[place : place + 1]
            choices = rule if inside[place] else self._joined(rule, before)
            worth = boundary.covers(choices) @ boundary.open_gains(kept)
            if len(worth) and (inside[place] or worth.max() > 0):
                kept = np.vstack([kept, choices[worth.argmax()]])
        if len(kept):
            return kept
        return before if boundary.gain(before) > 0 else before[:0]

    def _around(self, b: int, rules: Ints, after: Ints) -> Ints:
        """Let all that passes the boundary after pass: add its rules, or weaken those there are."""
        for rule in after:
            if (rule >= rules).all(axis=1).any():
                continue
            weaker = np.minimum(rules, rule)
            choices = [_exchanged(rules, place, weaker[place]) for place in range(len(rules))]
            if len(rules) < self.max_rules:
                choices.append(np.vstack([rules, rule]))
            rules = max(choices, key=self.gains[b].gain)
        return rules

    def _joined(self, rules: Ints, before: Ints) -> Ints:
        """Each rule together with each rule before, where that does not ask too many criteria."""
        both = np.maximum(rules[:, None], before).reshape(-1, before.shape[1])
        joined: Ints = both[np.count_nonzero(both, axis=1) <= self.k]
        return joined

    def polished(self, families: Sequence[Ints], found: Sequence[Ints]) -> list[Ints]:
        """Improve one rule after the other, until none can be improved alone.

        Neither what all are worth falls, nor are they less nested than before.
        """
        result = list(families)
        for others in (0, _OTHERS):
            moved, rounds = True, 0
            while moved and rounds < _ROUNDS and not self.out_of_time():
                changes = [self._round(result, b, found[b], others) for b in range(len(result))]
                moved, rounds = any(changes), rounds + 1
        return result

    def _round(self, families: list[Ints], b: int, found: Ints, others: int) -> bool:
        """Improve the rules of a boundary, and try one more; tell whether anything changed."""
        moved, place = False, 0
        most = self.max_rules
        while place <= len(families[b]) and place < most and not self.out_of_time():
            rules = families[b]
            changed = self._improved(families, b, place, found, others)
            families[b] = changed
            moved |= changed is not rules
            place += len(changed) >= len(rules)
        return moved

    def _improved(self, families: list[Ints], b: int, place: int, found: Ints, others: int) -> Ints:
        """The rules of a boundary with a better one, or none, in one place; the same if none is."""
        rules, boundary = families[b], self.gains[b]
        now, rest = rules[place : place + 1], np.vstack([rules[:place], rules[place + 1 :]])
        before = families[b - 1] if b else np.zeros((1, rules.shape[1]), dtype=np.intp)
        after = families[b + 1] if b + 1 < len(families) else rules[:0]
        line = _Line(boundary, boundary.open_gains(rest), before, _waiting(after, rest), self.k)
        price = self._cost(len(rest) + 1) - self._cost(len(rest))
        best, worth = rules, float(line.gains(now).sum()) - price * len(now)
        if len(now) and not len(line.after) and worth < 0:
            best, worth = rest, 0.0
        for start in np.vstack([now, self._starts(line, found, others)]):
            rule = line.climbed(start)
            gain = float(line.gains(rule[None])[0]) - price
            if gain > worth:
                best, worth = _exchanged(rules, place, rule), gain
        return best

    def _starts(self, line: _Line, found: Ints, others: int) -> Ints:
        """Rules that could stand in a place: those before, or joined to them; the best few."""
        if others == 0:
            return found[:0]
        choices = np.vstack([line.before, self._joined(found, line.before)])
        if len(line.after):
            choices = np.minimum(choices, line.after.min(axis=0))
            choices = choices[[(rule >= line.before).all(axis=1).any() for rule in choices]]
        choices = np.unique(choices, axis=0)
        return choices[np.argsort(-line.gains(choices), kind="stable")[:others]]


@dataclass(frozen=True, eq=False)
class _Line:
    """One rule among others: what it gains, and how far it may move along each criterion.

    Attributes
    ----------
    boundary : BoundaryGains
        What its boundary is taught.
    open : ndarray of shape (n,)
        Gains of the rows that no other rule of the boundary covers.
    before, after : ndarray of shape (rules, m)
        It must imply one of the former, and all of the latter must imply it.
    k : int
        Largest number of criteria.
    """

    boundary: BoundaryGains
    open: Floats
    before: Ints
    after: Ints
    k: int

    def gains(self, rules: Ints) -> Floats:
        """What each of several rules would gain here."""
        found: Floats = self.boundary.covers(rules) @ self.open
        return found

    def climbed(self, rule: Ints) -> Ints:
        """Move a rule to the best level of one criterion after the other, while it gains."""
        rule, m = rule.copy(), len(rule)
        idle = criterion = 0
        while idle < m:
            level = self._best_level(rule, criterion)
            idle = idle + 1 if level == rule[criterion] else 1
            rule[criterion] = level
            criterion = (criterion + 1) % m
        return rule

    def _best_level(self, rule: Ints, j: int) -> int:
        """The allowed level of one criterion that gains most; the present one if none is better."""
        low, high = self._limits(rule, j)
        now = int(rule[j])
        if low >= high:
            return now
        others = self.open
        for i in np.flatnonzero(rule).tolist():
            if i != j:
                others = others * self.boundary.reached[i][rule[i]]
        counted = np.bincount(self.boundary.codes[:, j], others, self.boundary.sizes[j] + 1)
        gains = counted[::-1].cumsum()[::-1]
        best = low + int(gains[low : high + 1].argmax())
        return best if gains[best] > gains[now] else now

    def _limits(self, rule: Ints, j: int) -> tuple[int, int]:
        """The lowest and the highest level of a criterion that keep a nested rule nested."""
        fits = rule >= self.before
        fits[:, j] = True
        low = int(self.before[fits.all(axis=1), j].min())
        if not rule[j] and np.count_nonzero(rule) >= self.k:
            return low, low
        return low, int(self.after[:, j].min(initial=self.boundary.sizes[j]))


def _waiting(after: Ints, rest: Ints) -> Ints:
    """Rules after a boundary that imply none of these: the others in it have to let them pass."""
    passed = [bool((rule >= rest).all(axis=1).any()) for rule in after]
    return after[np.logical_not(passed)]


def _exchanged(rules: Ints, place: int, rule: Ints) -> Ints:
    """The rules with another one in a place, or behind them."""
    return np.vstack([rules[:place], rule, rules[place + 1 :]])


def are_nested(families: Sequence[Ints]) -> bool:
    """Tell whether each rule of each boundary implies some rule of the boundary before."""
    return all(not len(_waiting(after, before)) for before, after in pairwise(families))
