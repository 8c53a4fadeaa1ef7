"""Probabilities of patterns that occur and of those that do not."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from oracles import patterns_of
from sugeno import SugenoClassifier
from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._sets.chains import Chains, spread_up
from sugeno._sets.masks import contains_any, is_subset, minimal, pack
from sugeno.model.probability import Probability, Steps, just_above

SHAPES = st.sampled_from([(1,), (1, 1, 1), (3, 2), (2, 1, 2), (1, 1, 1, 1, 1), (0, 2, 1)])
WEIGHTS = st.one_of(st.integers(0, 5), st.sampled_from([0, 1, 10**6, 2**40, 2**57]))


@st.composite
def labelled_patterns(draw):
    """Some patterns with class weights, and a monotone labelling of all patterns."""
    chains = Chains(draw(SHAPES))
    cells = draw(st.lists(st.integers(0, chains.n_cells - 1), unique=True, min_size=1))
    weights = st.lists(WEIGHTS, min_size=len(cells), max_size=len(cells)).map(np.array)
    unit = draw(st.sampled_from([1.0, 0.1, 2.0**-55]))
    masks = chains.masks_of(np.array(sorted(cells)))
    patterns = Patterns.of_two_classes(masks, draw(weights), draw(weights), chains, unit)
    family = np.zeros(chains.n_cells, dtype=bool)
    family[draw(st.lists(st.integers(0, chains.n_cells - 1), max_size=4))] = True
    return patterns, spread_up(family, chains, np.logical_or)


@given(labelled_patterns())
def test_probabilities_never_fall_not_even_in_the_last_bit_and_are_on_the_side_of_the_label(case):
    patterns, family = case
    chains = patterns.chains
    labels = family[chains.cells_of(patterns.masks)]
    every = chains.masks_of(np.arange(chains.n_cells))
    found = Probability.fitted(patterns, labels).of(every, family)
    np.testing.assert_array_equal(found > 0.5, family)
    lower, upper = np.nonzero(is_subset(every, every))
    assert (found[lower] <= found[upper]).all()
    assert ((found >= 0) & (found <= 1)).all()


@given(labelled_patterns())
def test_patterns_without_weight_are_as_good_as_absent(case):
    patterns, family = case
    chains, weight = patterns.chains, patterns.positive + patterns.negative
    labels = family[chains.cells_of(patterns.masks)]
    kept = weight > 0
    few = Patterns.of_two_classes(
        patterns.masks[kept],
        patterns.positive[kept],
        patterns.negative[kept],
        chains,
        patterns.unit,
    )
    every = chains.masks_of(np.arange(chains.n_cells))
    np.testing.assert_array_equal(
        Probability.fitted(patterns, labels).of(every, family),
        Probability.fitted(few, labels[kept]).of(every, family),
    )


@pytest.mark.parametrize("small", [1, 3])
def test_weights_of_very_different_size_do_not_cancel(small):
    # In floating point the weights of the last three places add up to more than all.
    chains = Chains((3, 2))
    masks = chains.masks_of(np.arange(12))
    negative = np.array([0] * 9 + [small, small, 2**40])
    patterns = Patterns.of_two_classes(masks, np.zeros(12, np.int64), negative, chains, 0.1)
    nowhere = np.zeros(12, dtype=bool)
    found = Probability.fitted(patterns, nowhere).of(masks, nowhere)
    assert found[-1] == found[0] == pytest.approx(1 / (2 + 0.1 * negative.sum()))
    assert len(set(found.tolist())) == 1


def test_gains_are_whole_numbers_and_never_negative():
    rng = np.random.default_rng(0)
    bits = np.sort(rng.random((200, 3)) < 0.5, axis=1)[:, ::-1]
    rows = pack(np.hstack([bits, rng.random((200, 4)) < 0.5]))
    y = rng.random(200) < 0.3 + 0.4 * bits[:, 0]
    chains = Chains((3, 1, 1, 1, 1))
    patterns = Patterns.from_rows(rows, y, row_weights(None, 200), chains)
    gains = Probability.fitted(patterns, np.zeros(len(patterns.masks), bool)).gains
    assert (gains == np.rint(gains)).all()
    assert (gains >= 0).all()
    assert gains.any()


def test_one_criterion_has_its_frequencies_by_the_rule_of_succession():
    masks = np.array([[0], [1]], dtype=np.uint64)
    patterns = patterns_of(masks, np.array([1, 3]), np.array([3, 1]), 1)
    labels = np.array([False, True])
    assert Probability.fitted(patterns, labels).of(masks, labels).tolist() == [2 / 6, 4 / 6]


def test_frequencies_on_the_wrong_side_stop_at_one_half():
    masks = np.array([[0], [1]], dtype=np.uint64)
    patterns = patterns_of(masks, np.array([3, 1]), np.array([1, 3]), 1)
    labels = np.array([False, True])
    found = Probability.fitted(patterns, labels).of(masks, labels)
    assert found.tolist() == [0.5, just_above(0.5)]


@pytest.mark.parametrize("m", [5, 70])
def test_equal_rows_get_equal_probabilities(m):
    rng = np.random.default_rng(m)
    rows = pack(np.repeat(rng.random((30, m)) < 0.5, 4, axis=0))
    patterns = Patterns.from_rows(
        rows, rng.random(120) < 0.5, row_weights(None, 120), Chains.single(m)
    )
    family = minimal(rows[::40])
    fitted = Probability.fitted(patterns, contains_any(patterns.masks, family))
    found = fitted.of(rows, contains_any(rows, family)).reshape(30, 4)
    assert (found == found[:, :1]).all()


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4), st.integers(1, 4)), max_size=12))
def test_steps_are_an_isotonic_regression_within_bounds(rows):
    scores = np.array([row[0] for row in rows], dtype=float)
    positive = np.array([row[1] for row in rows], dtype=float)
    negative = np.array([row[2] for row in rows], dtype=float)
    steps = Steps.calibrated(scores, positive, negative, 0.1, 0.4)
    values = steps(np.arange(-2.0, 10.0))
    assert (np.diff(values) >= 0).all()
    assert ((values >= 0.1) & (values <= 0.4)).all()
    if rows:
        weight = positive + negative
        oracle = IsotonicRegression().fit(scores, positive / weight, sample_weight=weight)
        steps_of_oracle, step = np.unique(oracle.predict(scores).round(9), return_inverse=True)
        won, all_ = (np.bincount(step, sums) for sums in (positive, weight))
        again = IsotonicRegression().fit(
            steps_of_oracle, (won + 1) / (all_ + 2), sample_weight=all_ + 2
        )
        expected = again.predict(steps_of_oracle)[step].clip(0.1, 0.4)
        np.testing.assert_allclose(steps(scores), expected, atol=1e-12)


def test_steps_that_smoothing_puts_out_of_order_are_joined():
    # 9 of 10 rows below, 1 of 1 above: 10/12 and 2/3 once a row of either class is added.
    counts = np.array([9.0, 1.0]), np.array([1.0, 0.0])
    steps = Steps.calibrated(np.array([0.0, 1.0]), *counts, 0.0, 1.0)
    assert steps.values.tolist() == [12 / 15]


# The case that the lattice's own ranks got wrong: a score that fell as a criterion improved.

X = np.array([[1, 0, 0, 0]] * 2 + [[0, 1, 0, 0]] * 2 + [[1, 1, 1, 1]] * 2 + [[0, 0, 0, 0]], float)
Y = np.array([1, 0, 1, 0, 1, 0, 0])
PRICES = [3.2, 19.2, 3.9, 23.4, 6.6, 2.3, 1]


@pytest.mark.parametrize("k", [1, 2, 3, None])
def test_no_output_falls_as_a_criterion_improves_over_all_sixteen_patterns(k):
    clf = SugenoClassifier(k=k, threshold=0.5, directions=None).fit(X, Y, sample_weight=PRICES)
    rows = np.array(list(product([0.0, 1.0], repeat=4)))
    below = (rows[:, None, :] <= rows[None, :, :]).all(axis=2)
    lower, upper = np.nonzero(below)
    for output in (clf.decision_function(rows), clf.predict_proba(rows)[:, 1], clf.integral(rows)):
        assert (output[lower] <= output[upper]).all()
    accepted = clf.predict(rows) == 1
    np.testing.assert_array_equal(clf.decision_function(rows) > 0, accepted)
    np.testing.assert_array_equal(clf.predict_proba(rows)[:, 1] > 0.5, accepted)
    np.testing.assert_array_equal(clf.integral(rows) >= clf.threshold_, accepted)
    np.testing.assert_array_equal(clf.decision_function(rows), clf.predict_proba(rows)[:, 1] - 0.5)
