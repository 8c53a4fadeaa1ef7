"""A random state is drawn from: it is not read as one seed that is always the same."""

import numpy as np
import pytest
from numpy.random import RandomState

from sugeno import (
    ConformalClassifier,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3))
SCORE = X[:, 0] + rng.normal(0, 0.5, 60)

CLASSIFIERS = [
    lambda state: SugenoEnsembleClassifier(n_bags=4, directions=None, random_state=state),
    lambda state: SugenoDistiller(directions=None, random_state=state),
    lambda state: SugenoClassifierCV(levels="distilled", cv=2, directions=None, random_state=state),
    lambda state: SugenoOrdinalClassifier(directions=None, random_state=state),
    lambda state: ConformalClassifier(SugenoClassifier(directions=None), random_state=state),
]


@pytest.mark.no_cover
@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("make", CLASSIFIERS)
def test_a_random_state_is_drawn_from(make):
    y = np.digitize(SCORE, [0.0])

    def chances(state):
        return make(state).fit(X, y).predict_proba(X).tolist()

    assert chances(RandomState(5)) == chances(RandomState(5))
    seeds = [chances(RandomState(seed)) for seed in range(4)]
    assert any(one != seeds[0] for one in seeds)
    state = RandomState(5)
    assert len({str(chances(state)) for _ in range(4)}) > 1
