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
from sugeno.explain.per_class import ExplanationsPerClass, explain
from sugeno.explain.refusals import GivenReason, Letter, RefusalReasons, reasons
from sugeno.explain.sums import SumExplanations

# Names from when ordered classes had rooms of their own.
Letters = RefusalReasons
OrdinalLetters = RefusalReasons
OrdinalExplanation = Explanation
OrdinalExplanations = Explanations
explain_ordinal = explain
ordinal_reasons = reasons

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
    "OrdinalExplanation",
    "OrdinalExplanations",
    "OrdinalLetters",
    "RefusalReasons",
    "SumExplanation",
    "SumExplanations",
    "explain",
    "explain_ordinal",
    "ordinal_reasons",
    "reasons",
]
