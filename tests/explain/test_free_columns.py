"""Columns without a direction: what must not change is not proposed."""

import numpy as np
import pandas as pd

from sugeno import SugenoClassifierCV


def test_a_column_that_counts_either_way_is_kept_where_it_is_immutable():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(18, 75, 400), "home": rng.choice(["own", "rent"], 400)})
    y = np.where(X.age.between(30, 50) & (X.home == "own"), "yes", "no")
    clf = SugenoClassifierCV().fit(X, y)
    refused = X[clf.predict(X) == "no"]
    assert any("if age " in str(one) for one in clf.explain(refused))
    kept = [str(one) for one in clf.explain(refused, immutable=["age"])]
    assert not any("age " in one for one in kept)
