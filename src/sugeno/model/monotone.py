"""A proof that a classifier is monotone, read off its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sugeno._scales.literals import Literals
from sugeno._sets.masks import unpack
from sugeno.model.probability import Probability, Steps
from sugeno.model.rule_family import RuleFamily

__all__ = ["MonotoneProof", "prove_monotone"]


@dataclass(frozen=True)
class MonotoneProof:
    """Whether the decision never falls when a criterion gets better, for every input there is.

    Attributes
    ----------
    holds : bool
        Whether it is proved; also the truth value of the object.
    statement : str
        One line.
    faults : tuple of str
        The parts that the proof fails on.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> proof = RuleSet([{0, 1}], [3, 5]).verify_monotone()
    >>> bool(proof), proof.faults
    (True, ())
    """

    holds: bool
    statement: str
    faults: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return self.statement


def prove_monotone(rules: RuleFamily, probability: Probability | None = None) -> MonotoneProof:
    """Prove monotonicity from the form of the parts; nothing is sampled.

    A literal ``x >= t`` (``x <= t`` where less is better) stays true when its criterion gets
    better. "And" and "or" of such statements do too. A probability does not fall if no literal
    takes anything from the score, if neither step function falls, and if what is accepted lies
    above 1/2 and what is rejected does not. So it is enough to look at directions, signs and
    orders.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.monotone import prove_monotone
    >>> print(prove_monotone(RuleSet([{0, 1}], [3, 5])))
    Monotone, proved for all inputs: 1 rule of 2 literals, each of which stays true ...
    """
    faults = [*_literal_faults(rules.literal_set), *_rule_faults(rules)]
    if probability is not None:
        faults += _probability_faults(probability, rules.n_literals)
    if faults:
        return MonotoneProof(False, f"Not proved monotone: {'; '.join(faults)}.", tuple(faults))
    n_rules, n_literals = len(rules), len({one for members in rules.sets for one in members})
    noun = "rule" if rules.form == "dnf" else "clause"
    statement = (
        f"Monotone, proved for all inputs: {_count(n_rules, noun)} of "
        f"{_count(n_literals, 'literal')}, each of which stays true when its criterion gets "
        'better, joined by "and" and "or" alone'
    )
    ending = "; the probability never falls either." if probability is not None else "."
    return MonotoneProof(True, statement + ending)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _literal_faults(literals: Literals) -> Iterator[str]:
    """Literals that do not stay true, or do not get harder to reach along their criterion."""
    for criterion in literals.criteria:
        if criterion.direction not in (1, -1):
            yield f"{criterion.name} has the direction {criterion.direction}, not +1 or -1"
    columns, levels = literals.columns, literals.levels
    inside = (columns >= 0) & (columns < len(literals.criteria))
    if not inside.all() or (np.diff(columns) < 0).any():
        yield "the literals are not in the order of the criteria"
        return
    if np.isnan(levels).any():
        yield "a level is NaN"
    harder = np.diff(levels) * literals.directions[columns[1:]] > 0
    for place in np.flatnonzero((columns[1:] == columns[:-1]) & ~harder).tolist():
        name = literals.criteria[int(columns[place])].name
        yield f"the levels of {name} do not get harder to reach"


def _rule_faults(rules: RuleFamily) -> Iterator[str]:
    """Sets that say something about literals that do not exist, or not all that they imply."""
    masks, chains = rules.masks, rules.literal_set.chains
    beyond = unpack(masks, 64 * masks.shape[1])[:, chains.n_literals :]
    if beyond.any():
        yield "a rule has a literal that does not exist"
    elif rules.form == "dnf" and (chains.closed(masks) != masks).any():
        yield "a rule lacks a literal that it implies"


def _probability_faults(probability: Probability, n_literals: int) -> Iterator[str]:
    """Parts of the probability that can make it fall."""
    gains = probability.gains
    if gains.shape != (n_literals,) or not (np.isfinite(gains) & (gains >= 0)).all():
        yield "a literal takes from the score of the probability"
    for name, steps in (("rejected", probability.rejected), ("accepted", probability.accepted)):
        yield from _step_faults(steps, name)
    if not (probability.rejected.values <= 0.5).all():
        yield "a rejected row may have a probability above 1/2"
    if not (probability.accepted.values > 0.5).all():
        yield "an accepted row may have a probability of at most 1/2"


def _step_faults(steps: Steps, name: str) -> Iterator[str]:
    if not (np.diff(steps.starts) > 0).all() or not (np.diff(steps.values) >= 0).all():
        yield f"the probability of {name} rows falls as their score rises"
    if not ((steps.values >= 0) & (steps.values <= 1)).all():
        yield f"the probability of {name} rows leaves the interval from 0 to 1"
