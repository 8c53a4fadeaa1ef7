"""Reasons: why a row has its label, and what would give it the other one. Exact, no sampling."""

from sugeno.explain.explanation import Change, Counterfactual, Explanation, Factor, Margin
from sugeno.explain.explanations import Explanations, explain

__all__ = [
    "Change",
    "Counterfactual",
    "Explanation",
    "Explanations",
    "Factor",
    "Margin",
    "explain",
]
