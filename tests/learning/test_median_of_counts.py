"""The threshold from counts is the threshold from rows, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sugeno._counts.weights import row_weights, scale_of_weights
from sugeno._learning import median_of_counts
from sugeno._learning.median_of_counts import median_threshold_of_counts
from sugeno._learning.training import prepare
from tables import table_of


@given(
    st.integers(0, 10**6),
    st.integers(2, 40),
    st.integers(1, 5),
    st.sampled_from([None, "balanced", {0: 2.5}]),
    st.booleans(),
    st.sampled_from([1, 3, 64]),
)
def test_bisection_finds_the_threshold_of_the_rows(seed, n, m, class_weight, weighted, comparisons):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, rng.integers(1, 9), (n, m)).astype(float)
    y = rng.integers(0, 2, n)
    y[:2] = [0, 1]
    weights = rng.integers(1, 9, n) / 4 if weighted else None
    training = prepare(table_of(X, y, weights), np.array([0, 1]), class_weight=class_weight)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(median_of_counts, "_COMPARISONS", comparisons)
        found = median_threshold_of_counts(training.source, training.criteria, training.knots)
    assert found == training.median_threshold


def test_many_different_values_take_few_passes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2_000, 4))
    training = prepare(table_of(X, X.sum(axis=1) > 0), np.array([0, 1]))
    asked = []

    class Counting:
        n_criteria, missing = 4, "error"

        def reaching(self, ladder, quorum):
            asked.append(len(ladder))
            return training.source.reaching(ladder, quorum)

    found = median_threshold_of_counts(Counting(), training.criteria, training.knots)
    assert found == training.median_threshold
    assert len(asked) <= 5  # 8,000 levels, 16 in each pass
    assert max(asked) <= 17


@given(
    st.lists(st.tuples(st.floats(0, 1e6), st.integers(1, 5)), min_size=1).filter(
        lambda pairs: max(pairs)[0] > 1e-6
    )
)
def test_the_scale_of_repeated_weights_is_that_of_the_rows(pairs):
    weights = np.array([weight for weight, _ in pairs])
    repeats = np.array([count for _, count in pairs])
    rows = np.repeat(weights, repeats)
    assert 2.0 ** -scale_of_weights(weights, repeats) == row_weights(rows, rows.size).unit
