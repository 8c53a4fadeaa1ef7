"""How much work is put into a distilled model: all of it is said here, and read from here alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sugeno._distil.path import Form
from sugeno._distil.points import PointEffort
from sugeno._distil.search import Effort
from sugeno._ensemble.boosting_run import EnsembleParams

__all__ = ["EFFORTS", "LearningEffort", "Purpose", "effort_for"]

Purpose = Literal["model", "comparison"]


def _short_search() -> Effort:
    return Effort(loss_multipliers=(1, 3), restarts=2, beam=30)


@dataclass(frozen=True)
class LearningEffort:
    """How large ensembles are, how often they are asked, and how long forms are searched.

    Attributes
    ----------
    bags, max_rounds : int
        Of an ensemble.
    n_varied : int
        Rows near the training rows that it is asked about.
    n_recombined : int
        The same for ordered classes: rows that are recombined from two training rows each.
    forms : tuple of {"dnf", "cnf"}
        In which forms rules are searched.
    rules : Effort
        How long they are searched.
    rules_of_boundary : Effort
        The same for each boundary of ordered classes. It is less, since all boundaries are
        improved together afterwards.
    points : PointEffort
        How long points are searched, for two classes.
    """

    bags: int = EnsembleParams.bags
    max_rounds: int = EnsembleParams.max_rounds
    n_varied: int = 3000
    n_recombined: int = 3000
    forms: tuple[Form, ...] = ("dnf", "cnf")
    rules: Effort = field(default_factory=Effort)
    rules_of_boundary: Effort = field(default_factory=_short_search)
    points: PointEffort = field(default_factory=PointEffort)

    def plan(self, seed: int, n_jobs: int | None = None) -> EnsembleParams:
        """Parameters of the ensemble."""
        return EnsembleParams(bags=self.bags, max_rounds=self.max_rounds, seed=seed, n_jobs=n_jobs)


#: Folds only compare: half of the bags, half of the rows and a shorter search do.
EFFORTS: dict[Purpose, LearningEffort] = {
    "model": LearningEffort(),
    "comparison": LearningEffort(
        bags=10,
        n_varied=1500,
        forms=("dnf",),
        rules=Effort(loss_multipliers=(1, 2, 4), restarts=2),
        points=PointEffort(every=4),
    ),
}


def effort_for(purpose: Purpose) -> LearningEffort:
    """Effort for a model that is kept, or for one that is only compared with others."""
    return EFFORTS[purpose]
