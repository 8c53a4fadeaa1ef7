"""The solvers, in the order in which they are asked."""

from __future__ import annotations

from sugeno.solvers.all_subsets_cut import SHARED, all_subsets
from sugeno.solvers.base import Request, Solution, Solver
from sugeno.solvers.closure import CLOSURE
from sugeno.solvers.maxitive import MAXITIVE
from sugeno.solvers.program import SubsetWeights, solve_lp, top_subsets

__all__ = ["ENGINES", "PROGRAM"]

#: Closer to 0 or 1 the linear program cannot tell accepted from rejected sets.
_CLOSEST = 1e-6


def _answer(request: Request) -> Solution:
    _check_threshold(request.beta)
    return solve_lp(
        request.patterns,
        request.k,
        normalized=request.normalized,
        beta=request.beta,
        rho=request.margin or None,
        subsets=_subsets(request),
        random_state=request.random_state,
    )


def _subsets(request: Request) -> str | SubsetWeights:
    if request.subsets == "all" and not request.is_unrestricted:
        return all_subsets(request.patterns, request.k)
    if request.subsets == "top" and not request.is_unrestricted and request.positive_utilities:
        rows = request.positive_utilities()
        return top_subsets(*rows, request.k, request.beta + request.margin)
    return "random"


def _check_threshold(beta: float) -> None:
    if min(beta, 1 - beta) < _CLOSEST:
        raise ValueError(
            f"solver='lp' needs a threshold between {_CLOSEST:g} and 1 - {_CLOSEST:g}: closer to 0 "
            f"or 1 its numbers do not separate accepted from rejected sets. Got threshold={beta!r} "
            "instead; use solver='exact', or another threshold."
        )


PROGRAM = Solver(
    "the linear program (7)",
    _answer,
    frozenset(
        {"k", "margin", "subsets='all'", "subsets='random'", "subsets='top'", "random_state"}
    ),
    several_levels=False,
)

#: By the parameter ``solver``: the first one that uses what was asked for answers.
ENGINES = {"exact": (CLOSURE, MAXITIVE, SHARED), "lp": (PROGRAM,)}
