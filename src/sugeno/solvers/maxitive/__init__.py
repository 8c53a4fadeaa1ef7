"""The best k-maxitive capacity: candidates, a search among them, a proof."""

from sugeno.solvers.maxitive._solver import solve_maxitive

__all__ = ["solve_maxitive"]
