"""Reasons: why a row has its label, and what would give it the other one. Exact, no sampling."""

from sugeno.explain.explanation import Change, Counterfactual, Explanation, Factor, Margin
from sugeno.explain.explanations import Explanations, explain
from sugeno.explain.letters import GivenReason, Letter, Letters, reasons
from sugeno.explain.ordinal import OrdinalExplanation, OrdinalExplanations, explain_ordinal
from sugeno.explain.ordinal_letters import OrdinalLetters, ordinal_reasons

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
    "OrdinalExplanation",
    "OrdinalExplanations",
    "OrdinalLetters",
    "explain",
    "explain_ordinal",
    "ordinal_reasons",
    "reasons",
]
