"""The choice among kinds of models by held-out rows.

Learning once is noisy, and so is choosing: the more candidates, the more the best of them owes to
chance. So there is a favourite, the distilled ensemble, and few challengers. A challenger wins if
it is better than the favourite by more standard errors of their paired difference than chance
allows the best of so many challengers. Where some lose nothing at all, there is nothing to doubt,
and the one of them with the fewest rules wins. Where the simplest model is wanted, the fewest
conditions win whose loss is within one standard error of the least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

Floats = NDArray[np.float64]

#: Chance that any challenger wins which is as good as the favourite: two standard errors of a
#: single one, of which the spread is known.
_CHANCE = 0.0228


@dataclass(frozen=True, eq=False)
class Trial:
    """How one candidate did on the held-out rows.

    Attributes
    ----------
    loss : ndarray of shape (n,)
        What it lost on each row, or on each fold; 0 where nothing could be better.
    rules : float
        Mean number of rules over the folds.
    conditions : float
        Mean number of conditions in them.
    """

    loss: Floats
    rules: float
    conditions: float = 0.0


def choose(trials: Sequence[Trial], favourite: int, *, simplest: bool = False) -> int:
    """Choose a candidate: the favourite, unless a challenger is clearly better (or simpler).

    Parameters
    ----------
    trials : sequence of Trial
        One per candidate, on the same rows.
    favourite : int
        The candidate that stays in doubt.
    simplest : bool, default=False
        Whether the candidate with the fewest conditions wins whose loss is within one standard
        error of the least: of the mean loss of the best one, as people prune trees.

    Returns
    -------
    int
        The chosen candidate.

    Notes
    -----
    With δ_i the difference of the losses of two candidates on row i, the standard error of the
    sum of all δ_i is √(n · Var δ). Where only the scores of a few folds are known, it is little
    known itself: the difference in standard errors has Student's distribution with n − 1 degrees of
    freedom, and its quantile is taken at a chance that is divided among the challengers. The score
    of a single fold has no standard error: there the lower loss is the better one.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.selection import Trial, choose
    >>> wrong = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    >>> choose([Trial(wrong, 7.0), Trial(0 * wrong, 9.0), Trial(wrong, 1.0)], favourite=0)
    1
    """
    if simplest:
        best = min(trials, key=lambda trial: float(trial.loss.sum()))
        most = best.loss.sum() + _error_of_sum(best.loss)
        good = [i for i, trial in enumerate(trials) if trial.loss.sum() <= most]
        return min(good, key=lambda i: (trials[i].conditions, trials[i].loss.sum()))
    faultless = [i for i, trial in enumerate(trials) if not trial.loss.any()]
    if faultless:
        return min(faultless, key=lambda i: trials[i].rules)
    enough = _clearly(len(trials) - 1, trials[favourite].loss.size)
    better = [i for i, trial in enumerate(trials) if _excess(trial, trials[favourite]) < -enough]
    return min(better, key=lambda i: trials[i].loss.sum(), default=favourite)


def _clearly(n_challengers: int, n: int) -> float:
    """Standard errors by which the best of so many challengers has to be better."""
    return float(stdtrit(max(n - 1, 1), 1 - _CHANCE / max(n_challengers, 1)))


def _excess(trial: Trial, other: Trial) -> float:
    """Difference of two losses in standard errors of it."""
    difference = trial.loss - other.loss
    total = float(difference.sum())
    if total == 0:
        return 0.0
    spread = _error_of_sum(difference)
    return total / spread if spread > 0 else float(np.sign(total)) * np.inf


def _error_of_sum(losses: Floats) -> float:
    """Standard error of a sum; 0 where there is nothing to tell it from."""
    n = losses.size
    return float(np.sqrt(n * losses.var(ddof=1))) if n > 1 else 0.0
