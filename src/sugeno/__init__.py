"""Monotone classifiers that people can read, learned with the Sugeno integral."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sugeno._exceptions import MarginError, ModelFileError, WeakDirectionWarning
from sugeno._scales.directions import Directions
from sugeno.capacity import Capacity, sugeno_integral
from sugeno.estimators._reading import OrdinalRuleClassifier, RuleClassifier
from sugeno.estimators.classifier import SugenoClassifier
from sugeno.estimators.classifier_cv import SugenoClassifierCV
from sugeno.estimators.conformal import ConformalClassifier
from sugeno.estimators.directions import infer_directions
from sugeno.estimators.distiller import SugenoDistiller, distill
from sugeno.estimators.ensemble import SugenoEnsembleClassifier
from sugeno.estimators.nominal import SugenoNominalClassifier
from sugeno.estimators.ordinal import SugenoOrdinalClassifier, SugenoOrdinalClassifierCV
from sugeno.estimators.persistence import dumps, load, loads, save
from sugeno.estimators.relabelling import MonotoneLabels, RelabelledClassifier, monotone_labels
from sugeno.estimators.stability import rule_stability
from sugeno.estimators.utility import QuantileUtility
from sugeno.model import Card, RuleSet

if TYPE_CHECKING:
    from sugeno import export

__version__ = "0.1.0"

__all__ = [
    "Capacity",
    "Card",
    "ConformalClassifier",
    "Directions",
    "MarginError",
    "ModelFileError",
    "MonotoneLabels",
    "OrdinalRuleClassifier",
    "QuantileUtility",
    "RelabelledClassifier",
    "RuleClassifier",
    "RuleSet",
    "SugenoClassifier",
    "SugenoClassifierCV",
    "SugenoDistiller",
    "SugenoEnsembleClassifier",
    "SugenoNominalClassifier",
    "SugenoOrdinalClassifier",
    "SugenoOrdinalClassifierCV",
    "WeakDirectionWarning",
    "__version__",
    "distill",
    "dumps",
    "export",
    "infer_directions",
    "load",
    "loads",
    "monotone_labels",
    "rule_stability",
    "save",
    "sugeno_integral",
]


def __getattr__(name: str) -> Any:
    """Load the exports when they are first asked for."""
    if name == "export":
        return import_module("sugeno.export")
    raise AttributeError(f"module 'sugeno' has no attribute {name!r}")
