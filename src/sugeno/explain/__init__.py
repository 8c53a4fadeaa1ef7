"""Reasons: why a row has its label, and what would give it the other one. Exact, no sampling."""

from sugeno.explain.explanation import Change, Counterfactual, Explanation, Factor, Margin
from sugeno.explain.explanations import Explanations, explain
from sugeno.explain.letters import GivenReason, Letter, Letters, reasons

__all__ = [
    "Change",
    "Counterfactual",
    "Explanation",
    "Explanations",
    "Factor",
    "GivenReason",
    "Letter",
    "Letters",
    "Margin",
    "explain",
    "reasons",
]
