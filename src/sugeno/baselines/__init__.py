"""What the Sugeno classifier is compared with, each a scikit-learn estimator.

`ChoquisticRegression` and `MonotoneRuleEnsemble` (MORE) are monotone by construction, as is what
`monotone_boosting` makes; `GiniTree` and what `logistic` makes are not.
"""

from sugeno.baselines.choquistic import ChoquisticRegression
from sugeno.baselines.factories import logistic, monotone_boosting
from sugeno.baselines.gini_tree import GiniTree
from sugeno.baselines.more import MonotoneRuleEnsemble

__all__ = [
    "ChoquisticRegression",
    "GiniTree",
    "MonotoneRuleEnsemble",
    "logistic",
    "monotone_boosting",
]
