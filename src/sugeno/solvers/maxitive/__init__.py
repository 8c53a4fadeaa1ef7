"""The best k-maxitive capacity: candidates, a search among them, a proof."""

from sugeno.solvers.maxitive._solver import MAXITIVE, solve_maxitive

__all__ = ["MAXITIVE", "solve_maxitive"]
