"""Time: one budget for a whole fit, handed down to everything that may take long."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

__all__ = ["DEFAULT_TIME_LIMIT", "MOST_NODES", "Budget"]

#: Seconds that a fit may take unless the user says otherwise.
DEFAULT_TIME_LIMIT = 30.0
#: Without time for a proof a search may take so many seconds ...
SEARCH_TIME = 2.0
#: ... and with hardly any time still so many: without a search there is no classifier.
_LEAST_SEARCH_TIME = 0.25
#: The search tree of a proof has at most so many nodes, unless more than the default time is
#: given. Unlike a deadline, this does not depend on the speed of the machine.
MOST_NODES = 500
#: A local search shakes its best family so often.
_ROUNDS = 40


@dataclass(frozen=True)
class Budget:
    """What is left of the time for a fit.

    Attributes
    ----------
    deadline : float or None
        When proofs have to end, on the given clock; None if time is not limited.
    search_deadline : float or None
        When searches have to end: half of the time is for proofs, if there is time for them.
    nodes : int or None
        Largest number of nodes of a search tree.
    rounds : int
        How often a local search shakes its best family.
    clock : callable
        The time in seconds.

    Examples
    --------
    >>> from sugeno.solvers.budget import Budget
    >>> now = [100.0]
    >>> budget = Budget.of(10, clock=lambda: now[0])
    >>> now[0] += 7
    >>> budget.left(), budget.is_over()
    (3.0, False)
    """

    deadline: float | None
    search_deadline: float | None
    nodes: int | None = MOST_NODES
    rounds: int = _ROUNDS
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def of(
        cls,
        limit: float | Budget | None,
        clock: Callable[[], float] = time.monotonic,
        usual: float = DEFAULT_TIME_LIMIT,
    ) -> Budget:
        """Start a budget of so many seconds; one that runs already goes on.

        Who gives more than is usual wants larger search trees.
        """
        if isinstance(limit, Budget):
            return limit
        if limit is None:
            return cls(None, None, clock=clock)
        now = clock()
        nodes = MOST_NODES if limit <= usual else None
        search = max(_LEAST_SEARCH_TIME, limit / 2) if limit > 0 else SEARCH_TIME
        return cls(now + limit, now + search, nodes, clock=clock)

    def left(self) -> float | None:
        """Seconds that are left for a proof, at least 0; None if time is not limited."""
        return None if self.deadline is None else max(0.0, self.deadline - self.clock())

    def is_over(self) -> bool:
        """Whether no time is left for a proof."""
        return self.left() == 0.0

    def search_is_over(self) -> bool:
        """Whether a search has to end with what it has."""
        return self.search_deadline is not None and self.clock() >= self.search_deadline

    def for_a_glance(self) -> Budget:
        """No proof and no shaking: for a first look at one of many tasks."""
        return replace(self, deadline=self.clock(), rounds=0)

    def without_proof(self) -> Budget:
        """No proof, and a search of two seconds, or of what is left if that is less."""
        now = self.clock()
        end = now + SEARCH_TIME
        return replace(
            self,
            deadline=now,
            search_deadline=end if self.deadline is None else min(end, self.deadline),
        )

    def part(self, share: float) -> Budget:
        """A share of what is left, for one of several tasks."""
        left = self.left()
        if not left:
            return self
        now = self.clock()
        return replace(self, deadline=now + share * left, search_deadline=now + share * left / 2)
