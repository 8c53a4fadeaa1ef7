"""What was learned, finished and frozen: rules, text, probabilities, grades."""

from sugeno.model.card import Card
from sugeno.model.rules import RuleSet

__all__ = ["Card", "RuleSet"]
