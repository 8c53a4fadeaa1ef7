"""A risk score by FasterRisk 0.1.10, which needs an older scikit-learn than sugeno.

``sugeno datasets MMG -o masses.csv``, then in an environment of its own
``pip install fasterrisk==0.1.10`` and ``python fasterrisk_card.py masses.csv``.
"""

import sys

import numpy as np
import pandas as pd
from fasterrisk.binarization_util import convert_continuous_df_to_binary_df
from fasterrisk.fasterrisk import RiskScoreClassifier, RiskScoreOptimizer

masses = pd.read_csv(sys.argv[1])
X, y = masses.drop(columns="class"), masses["class"]

binary = convert_continuous_df_to_binary_df(X)
optimizer = RiskScoreOptimizer(binary.to_numpy(dtype=float), np.where(y == 1, 1.0, -1.0), k=4)
optimizer.optimize()
multiplier, intercept, points = optimizer.get_models(model_index=0)
card = RiskScoreClassifier(multiplier, intercept, points, featureNames=list(binary.columns))
card.print_model_card()
