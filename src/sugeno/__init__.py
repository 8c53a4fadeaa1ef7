"""Monotone classifiers that people can read, learned with the Sugeno integral."""

from sugeno.capacity import Capacity
from sugeno.classifier import SugenoClassifier
from sugeno.classifier_cv import SugenoClassifierCV
from sugeno.directions import Directions, WeakDirectionWarning, infer_directions
from sugeno.integral import sugeno_integral
from sugeno.rules import RuleSet
from sugeno.utility import QuantileUtility

__version__ = "0.1.0"

__all__ = [
    "Capacity",
    "Directions",
    "QuantileUtility",
    "RuleSet",
    "SugenoClassifier",
    "SugenoClassifierCV",
    "WeakDirectionWarning",
    "__version__",
    "infer_directions",
    "sugeno_integral",
]
