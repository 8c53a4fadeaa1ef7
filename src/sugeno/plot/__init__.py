"""Pictures of a model, in scikit-learn's manner; they need the extra ``plot`` (matplotlib).

Every display is made with ``from_estimator(clf, ax=None)``, reads the fitted model only, keeps
what it shows in attributes, and can be drawn again with ``plot(ax=None)``.

Examples
--------
>>> import matplotlib
>>> matplotlib.use("agg")
>>> from sugeno import SugenoClassifier
>>> from sugeno.plot import RulesDisplay
>>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
>>> RulesDisplay.from_estimator(clf).cells
[['≥ 3']]
"""

from sugeno.plot.capacity import CapacityDisplay
from sugeno.plot.errors import CoverageErrorDisplay, ErrorCurveDisplay
from sugeno.plot.importance import ImportanceDisplay
from sugeno.plot.regions import ClassRegionsDisplay, DecisionRegionsDisplay
from sugeno.plot.rules import RulesDisplay
from sugeno.plot.utility import UtilityDisplay

__all__ = [
    "CapacityDisplay",
    "ClassRegionsDisplay",
    "CoverageErrorDisplay",
    "DecisionRegionsDisplay",
    "ErrorCurveDisplay",
    "ImportanceDisplay",
    "RulesDisplay",
    "UtilityDisplay",
]
