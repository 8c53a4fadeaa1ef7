"""The mathematics of the paper: capacities and the Sugeno integral. Knows nothing of data."""

from sugeno.capacity._capacity import Capacity
from sugeno.capacity._integral import sugeno_integral

__all__ = ["Capacity", "sugeno_integral"]
