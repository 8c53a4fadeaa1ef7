"""Monotone classifiers that people can read, learned with the Sugeno integral."""

from sugeno._exceptions import MarginError, WeakDirectionWarning
from sugeno._scales.directions import Directions
from sugeno.capacity import Capacity, sugeno_integral
from sugeno.classifier import SugenoClassifier
from sugeno.classifier_cv import SugenoClassifierCV
from sugeno.directions import infer_directions
from sugeno.distiller import SugenoDistiller, distill
from sugeno.ensemble import SugenoEnsembleClassifier
from sugeno.model import RuleSet
from sugeno.relabelling import MonotoneLabels, RelabelledClassifier, monotone_labels
from sugeno.rule_classifier import RuleClassifier
from sugeno.utility import QuantileUtility

__version__ = "0.1.0"

__all__ = [
    "Capacity",
    "Directions",
    "MarginError",
    "MonotoneLabels",
    "QuantileUtility",
    "RelabelledClassifier",
    "RuleClassifier",
    "RuleSet",
    "SugenoClassifier",
    "SugenoClassifierCV",
    "SugenoDistiller",
    "SugenoEnsembleClassifier",
    "WeakDirectionWarning",
    "__version__",
    "distill",
    "infer_directions",
    "monotone_labels",
    "sugeno_integral",
]
