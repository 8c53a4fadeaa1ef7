"""Reasons: why a row has its label, and what would give it another one. Exact, no sampling."""

from sugeno.explain.explanation import (
    Change,
    Contribution,
    Counterfactual,
    Explanation,
    Factor,
    Margin,
    SumExplanation,
)
from sugeno.explain.explanations import Explanations
from sugeno.explain.letters import GivenReason, Letter, Letters, reasons
from sugeno.explain.per_class import ExplanationsPerClass, explain
from sugeno.explain.sums import SumExplanations

__all__ = [
    "Change",
    "Contribution",
    "Counterfactual",
    "Explanation",
    "Explanations",
    "ExplanationsPerClass",
    "Factor",
    "GivenReason",
    "Letter",
    "Letters",
    "Margin",
    "SumExplanation",
    "SumExplanations",
    "explain",
    "reasons",
]
