"""What was learned, finished and frozen: rules, text, probabilities, grades."""

from sugeno.model.rules import RuleSet

__all__ = ["RuleSet"]
