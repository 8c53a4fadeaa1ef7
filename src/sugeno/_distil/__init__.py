"""From soft verdicts to a handful of monotone rules.

`targets` says what to learn from a teacher, `levels` which literals to use, `path` finds the rule
sets of every size (by `search` over `patterns`, with `pricing` and a `pool`), `selection` chooses
a size by held-out error, and `proof` solves a program over the pool.
"""

from sugeno._distil.levels import choose_levels, weights_of_teacher, weights_of_thresholds
from sugeno._distil.path import PathSet, RulePath, distil_path
from sugeno._distil.proof import best_in_pool
from sugeno._distil.search import Effort
from sugeno._distil.selection import choose_size, held_out_losses
from sugeno._distil.targets import recombined_rows, soft_gains, thinned_rows

__all__ = [
    "Effort",
    "PathSet",
    "RulePath",
    "best_in_pool",
    "choose_levels",
    "choose_size",
    "distil_path",
    "held_out_losses",
    "recombined_rows",
    "soft_gains",
    "thinned_rows",
    "weights_of_teacher",
    "weights_of_thresholds",
]
