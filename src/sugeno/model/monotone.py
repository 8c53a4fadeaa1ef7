"""A proof that a classifier is monotone, read off its parts; nothing is sampled.

A literal ``x >= t`` (``x <= t`` where less is better) stays true when its criterion gets better.
"And", "or" and sums of points of such statements do too. A probability does not fall if no literal
takes anything from the score, if neither step function falls, and if what is accepted lies above
1/2 and what is rejected does not. So it is enough to look at directions, signs and orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sugeno._scales.literals import Literals
from sugeno.model.probability import Probability, Steps

__all__ = ["MonotoneProof", "proof_of"]


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

    def where_these_stay(self, columns: Sequence[str]) -> MonotoneProof:
        """The same, with the columns named that no value is better of: they stay as they are."""
        if not columns or not self.holds:
            return self
        said = f" Columns without a direction have to stay as they are: {', '.join(columns)}."
        return replace(self, statement=self.statement + said)


def proof_of(
    statement: str,
    literals: Literals,
    faults: Iterable[str] = (),
    probability: Probability | None = None,
) -> MonotoneProof:
    """Prove that a form is monotone, unless its literals, the probability or the form have faults.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.monotone import proof_of
    >>> print(proof_of("2 literals are all it has", RuleSet([{0}], [3]).literal_set))
    Monotone, proved for all inputs: 2 literals are all it has.
    """
    found = [*_literal_faults(literals), *faults]
    if probability is not None:
        found += _probability_faults(probability, literals.levels.size)
    if found:
        return MonotoneProof(False, f"Not proved monotone: {'; '.join(found)}.", tuple(found))
    ending = "; the probability never falls either." if probability is not None else "."
    return MonotoneProof(True, f"Monotone, proved for all inputs: {statement}{ending}")


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


def _probability_faults(probability: Probability, n_literals: int) -> Iterator[str]:
    """Parts of the probability that can make it fall."""
    gains = probability.gains
    if gains.shape != (n_literals,) or not (np.isfinite(gains) & (gains >= 0)).all():
        yield "a literal takes from the score of the probability"
    for name, steps in (("rejected", probability.rejected), ("accepted", probability.accepted)):
        yield from _step_faults(steps, name)
    cut = probability.cut
    shown = "1/2" if cut == 0.5 else f"{cut:.3g}"
    if not (probability.rejected.values <= cut).all():
        yield f"a rejected row may have a probability above {shown}"
    if not (probability.accepted.values > cut).all():
        yield f"an accepted row may have a probability of at most {shown}"


def _step_faults(steps: Steps, name: str) -> Iterator[str]:
    if not (np.diff(steps.starts) > 0).all() or not (np.diff(steps.values) >= 0).all():
        yield f"the probability of {name} rows falls as their score rises"
    if not ((steps.values >= 0) & (steps.values <= 1)).all():
        yield f"the probability of {name} rows leaves the interval from 0 to 1"
