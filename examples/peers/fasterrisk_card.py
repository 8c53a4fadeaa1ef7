"""A risk score by FasterRisk, which needs an older scikit-learn than sugeno."""

# /// script
# dependencies = ["fasterrisk==0.1.10"]
# ///

from pathlib import Path

import numpy as np
import pandas as pd
from fasterrisk.binarization_util import convert_continuous_df_to_binary_df
from fasterrisk.fasterrisk import RiskScoreClassifier, RiskScoreOptimizer

DATA = Path(__file__).parents[2] / "src" / "sugeno" / "datasets" / "data"
masses = pd.read_csv(DATA / "mmg.csv.gz")
X, y = masses.drop(columns="severity"), masses["severity"]

binary = convert_continuous_df_to_binary_df(X)
optimizer = RiskScoreOptimizer(binary.to_numpy(dtype=float), np.where(y == 1, 1.0, -1.0), k=4)
optimizer.optimize()
multiplier, intercept, points = optimizer.get_models(model_index=0)
card = RiskScoreClassifier(multiplier, intercept, points, featureNames=list(binary.columns))
card.print_model_card()
