"""What the Sugeno classifier is compared with, each a scikit-learn estimator.

`ChoquisticRegression` and `MonotoneRuleEnsemble` (MORE) are monotone by construction, as is what
`monotone_boosting` makes; `GiniTree` and what `logistic` makes are not.
"""

from sugeno.paper.baselines.choquistic import ChoquisticRegression
from sugeno.paper.baselines.factories import logistic, monotone_boosting
from sugeno.paper.baselines.gini_tree import GiniTree
from sugeno.paper.baselines.more import MonotoneRuleEnsemble

__all__ = [
    "ChoquisticRegression",
    "GiniTree",
    "MonotoneRuleEnsemble",
    "logistic",
    "monotone_boosting",
]
