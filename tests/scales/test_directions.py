"""Directions: the rank statistic, the votes of a model, and what a user reads."""

import itertools
import warnings
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import mannwhitneyu, norm
from sklearn.metrics import roc_auc_score

from sugeno import WeakDirectionWarning, infer_directions
from sugeno._counts.weights import row_weights
from sugeno._scales.directions import given_directions
from sugeno._scales.evidence import WEAK_Z, _exact_dot
from tables import rank_directions


def quietly(*args, **kwargs):
    """Directions without the warning about weak evidence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WeakDirectionWarning)
        return infer_directions(*args, **kwargs)


def table(n=200, seed=0):
    """Two features that speak for the positive class, two that speak against it."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 5, n), rng.random((n, 2))])
    score = X[:, 0] + X[:, 1] / 2 - 3 * X[:, 2] - 3 * X[:, 3]
    return X, score + rng.normal(scale=0.5, size=n) > np.median(score)


def pairs_won(x, y, w):
    """Twice the weight of won pairs, by looking at every pair."""
    return sum(
        w[i] * w[j] * (2 * (x[i] > x[j]) + (x[i] == x[j]))
        for i, j in itertools.product(np.flatnonzero(y), np.flatnonzero(~y))
    )


# Given directions


@pytest.mark.parametrize(
    ("directions", "expected"),
    [
        (None, [1, 1]),
        ("auto", [0, 0]),
        ({"price": -1}, [0, -1]),
        ({"price": -1, "quality": "auto"}, [0, -1]),
        ({"quality": 1, "price": -1}, [1, -1]),
        ([1, "auto"], [1, 0]),
        ([-1.0, 1.0], [-1, 1]),
    ],
)
def test_features_that_nobody_orients_are_to_be_found(directions, expected):
    assert given_directions(directions, 2, ["quality", "price"]).tolist() == expected


def test_directions_that_were_found_can_be_passed_on():
    X, y = table()
    found = infer_directions(X, y)
    np.testing.assert_array_equal(given_directions(found, 4), found.directions)


# The rank statistic


@pytest.mark.parametrize("seed", range(5))
def test_rank_statistic_is_the_share_of_pairs_won(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (25, 3)).astype(float), np.arange(25) % 3 == 0
    w = rng.integers(0, 4, 25)
    directions, auc = rank_directions(X, y, row_weights(w, 25))
    for j in range(3):
        won = pairs_won(X[:, j], y, w)
        assert auc[j] == won / (2 * w[y].sum() * w[~y].sum())
        assert directions[j] == (1 if won >= w[y].sum() * w[~y].sum() else -1)


@pytest.mark.parametrize("fractional", [False, True])
def test_rank_statistic_is_the_area_under_the_roc_curve(fractional):
    X, y = table()
    rng = np.random.default_rng(1)
    w = rng.random(200) if fractional else rng.integers(1, 5, 200)
    found = infer_directions(X, y, sample_weight=w)
    expected = [roc_auc_score(y, column, sample_weight=w) for column in X.T]
    np.testing.assert_allclose(found.statistic, expected, rtol=1e-12)
    assert found.directions.tolist() == [1, 1, -1, -1]


@pytest.mark.parametrize("weight", [1, 0.1, 0.7, 1e-9, 1e9])
def test_a_tie_between_up_and_down_is_up_whatever_the_unit_of_the_weights(weight):
    X = np.array([[1.0, 5.0], [2.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    y = np.array([True, False, False, True])
    directions, auc = rank_directions(X, y, row_weights(np.full(4, weight), 4))
    assert directions.tolist() == [1, 1]
    assert auc.tolist() == [0.5, 0.5]


def test_pairs_are_counted_exactly_beyond_64_bits():
    w = np.array([2**33 + 1, 2**33, 2**33, 2**33 - 1])
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    y = np.array([False, True, True, False])
    directions, _ = rank_directions(X, y, row_weights(w, 4))
    assert directions.tolist() == [1]
    directions, _ = rank_directions(-X, y, row_weights(w, 4))
    assert directions.tolist() == [-1]


def test_pairs_beyond_64_bits_are_counted_by_criterion():
    w = np.array([2**33 + 1, 2**33, 2**33, 2**33 - 1])
    X = np.array([[1.0, -1.0, 7.0], [2.0, -2.0, 7.0], [3.0, -3.0, 7.0], [4.0, -4.0, 7.0]])
    directions, auc = rank_directions(X, np.array([False, True, True, False]), row_weights(w, 4))
    assert directions.tolist() == [1, -1, 1]
    assert auc[0] + auc[1] == 1
    assert auc[2] == 0.5


def test_long_products_are_exact_for_more_values_than_fit_into_one_sum():
    n = 2**20 + 5
    a, b = np.full(n, 2**62 - 1), np.full(n, 2**63 - 1)
    assert _exact_dot(a, b) == n * (2**62 - 1) * (2**63 - 1)
    assert _exact_dot(a[:7], b[:7]) == 7 * (2**62 - 1) * (2**63 - 1)


def test_columns_do_not_touch_each_other():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (3000, 30)).astype(float), rng.random(3000) > 0.3
    weights = row_weights(rng.random(3000), 3000)
    for kind in (row_weights(None, 3000), weights):
        alone = [rank_directions(X[:, [j]], y, kind)[1][0] for j in range(30)]
        assert rank_directions(X, y, kind)[1].tolist() == alone


def test_only_the_order_of_values_matters_to_the_rank_statistic():
    X, y = table()
    found, same = infer_directions(X, y), infer_directions(np.exp(X) * 1e9, y)
    np.testing.assert_array_equal(found.statistic, same.statistic)


@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_weak_means_a_small_score_in_the_mann_whitney_test(decimals):
    rng = np.random.default_rng(2)
    y = np.arange(60) % 3 == 0
    X = np.round(rng.normal(size=(60, 300)) / 2 + 0.2 * y[:, None], decimals)
    found = quietly(X, y)
    test = mannwhitneyu(X[y], X[~y], method="asymptotic", use_continuity=False)
    np.testing.assert_array_equal(found.weak, test.pvalue > 2 * norm.sf(WEAK_Z))


def test_more_weight_is_more_evidence():
    X, y = np.array([[1.0], [2.0], [3.0], [2.5]]), [0, 0, 1, 1]
    assert quietly(X, y).weak.tolist() == [True]
    assert infer_directions(X, y, sample_weight=np.full(4, 10)).weak.tolist() == [False]
    assert quietly(X, y, sample_weight=np.full(4, 0.1)).weak.tolist() == [True]


def test_evidence_survives_weights_of_any_size():
    X, y = table()
    assert not infer_directions(X, y, sample_weight=np.full(200, 1e150)).weak.any()


# The votes of a model


def test_the_model_finds_the_directions_of_a_monotone_function():
    X, y = table()
    found = infer_directions(X, y, method="model", random_state=0)
    assert found.directions.tolist() == [1, 1, -1, -1]
    assert not found.weak.any()


def test_the_model_sees_through_a_confounder_that_misleads_the_ranks():
    # Given a, larger b is better; but b goes with small a, which matters more.
    a = np.repeat(np.arange(6.0), 40)
    b = np.tile(np.arange(4.0), 60) - 2 * a
    y = 3 * a + b > 6.5
    X = np.column_stack([a, b])
    assert infer_directions(X, y, method="rank").directions.tolist() == [1, -1]
    assert infer_directions(X, y, method="model", random_state=0).directions.tolist() == [1, 1]


def test_every_row_below_the_maximum_votes_once():
    X = np.array([[1.0, 7.0], [2.0, 7.0], [2.0, 7.0], [5.0, 7.0]])
    y = [0, 0, 1, 1]
    found = quietly(X, y, method="model", sample_weight=[1, 2, 1, 4], random_state=0)
    assert found.votes_up.tolist() == [4, 0]
    assert found.votes_down.tolist() == [0, 0]
    assert found.statistic.tolist() == [1.0, 0.5]
    assert found.weak.tolist() == [False, True]


def test_votes_are_in_the_unit_of_the_weights():
    X, y = [[1.0], [2.0], [5.0]], [0, 0, 1]
    found = quietly(X, y, method="model", sample_weight=[0.5, 0.25, 1], random_state=0)
    assert found.votes_up.tolist() == [0.75]


def test_a_step_leads_to_the_next_observed_value_on_any_scale():
    X, y = table()
    steep = np.column_stack([np.exp(X[:, 0]), X[:, 1] ** 3, X[:, 2], X[:, 3] * 1e300])
    plain = infer_directions(X, y, method="model", random_state=0)
    scaled = infer_directions(steep, y, method="model", random_state=0)
    np.testing.assert_array_equal(plain.votes_up, scaled.votes_up)
    np.testing.assert_array_equal(plain.votes_down, scaled.votes_down)


def test_a_seed_makes_the_votes_reproducible():
    X, y = table(60)
    one, two = (quietly(X, y, method="model", random_state=7) for _ in range(2))
    np.testing.assert_array_equal(one.votes_up, two.votes_up)


def test_the_convergence_of_the_network_is_no_concern_of_the_user():
    # Warnings are errors in these tests, and this network would need more steps than it has.
    rng = np.random.default_rng(1)
    quietly(rng.normal(size=(400, 20)), rng.random(400) > 0.5, method="model", random_state=0)


def test_the_votes_do_not_depend_on_how_the_rows_are_listed():
    rng = np.random.default_rng(0)
    X, y = np.round(rng.normal(size=(200, 5)), 1), rng.random(200) > 0.5
    rows = rng.permutation(np.repeat(np.arange(200), 2))
    listed = quietly(X[rows], y[rows], method="model", random_state=0)
    weighted = quietly(X, y, method="model", sample_weight=np.full(200, 2), random_state=0)
    np.testing.assert_array_equal(listed.votes_up, weighted.votes_up)


# What a user reads


def test_weak_evidence_warns_once_and_names_the_features():
    X, y = table()
    X = pd.DataFrame(X, columns=["skill", "rank", "age", "price"])
    X["noise"] = np.random.default_rng(3).random(200)
    X["constant"] = 1.0
    with pytest.warns(WeakDirectionWarning) as caught:
        found = infer_directions(X, y)
    assert len(caught) == 1
    message = str(caught[0].message)
    assert "'noise' (AUC " in message
    assert "'constant' (AUC 0.500)" in message
    assert "skill" not in message
    assert caught[0].filename == __file__
    assert found.weak.tolist() == [False] * 4 + [True] * 2


def test_of_many_features_with_weak_evidence_twenty_are_named():
    X, y = table()
    noise = np.random.default_rng(0).random((len(X), 1)).repeat(300, axis=1)
    with pytest.warns(WeakDirectionWarning, match=r"'x0' .*'x19' .* and of 280 more is weak"):
        infer_directions(noise, y)


def test_the_table_can_be_read():
    X, y = table()
    X = pd.DataFrame(X, columns=["skill", "rank", "age", "price"])
    X["constant"] = 1.0
    lines = [line.split() for line in repr(quietly(X, y)).splitlines()]
    assert lines[1] == ["feature", "direction", "AUC", "evidence"]
    assert lines[2][:2] == ["skill", "+1"]
    assert lines[4][:2] == ["age", "-1"]
    assert lines[6] == ["constant", "+1", "0.500", "weak"]
    model = repr(quietly(X, y, method="model", random_state=0)).splitlines()
    assert model[1].split() == ["feature", "direction", "up", "down", "up", "share", "evidence"]
    assert model[6].split() == ["constant", "+1", "0", "0", "0.500", "weak"]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_names_come_from_the_table(frame):
    X, y = table()
    X = frame({name: X[:, j] for j, name in enumerate("abcd")})
    assert infer_directions(X, y).to_dict() == {"a": 1, "b": 1, "c": -1, "d": -1}


def test_unnamed_features_are_numbered():
    X, y = table()
    assert infer_directions(X, y).names == ("x0", "x1", "x2", "x3")


@pytest.mark.parametrize("method", ["rank", "model"])
@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), ("bad", "good"), (False, True), (3.0, 4.0)])
def test_the_larger_label_is_the_positive_class(labels, method):
    X, y = table(100)
    y = np.where(y, labels[1], labels[0])
    found = quietly(X, y, method=method, random_state=0)
    assert found.directions.tolist() == [1, 1, -1, -1]


def test_the_result_cannot_be_reassigned():
    X, y = table()
    with pytest.raises(FrozenInstanceError):
        infer_directions(X, y).method = "model"


# Bad input


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 1, 1], r"two classes with positive weight. Got 1 class instead: 1"),
        ([0, 1, 2], r"Only binary .* Got 3 classes instead of 2; merge them"),
        ([0, 1], "inconsistent numbers of samples"),
        ([0.5, 1.5, 2.5], "Unknown label type: continuous"),
        ([0, 1, np.nan], "Input y contains NaN"),
    ],
)
def test_bad_labels_give_one_clear_error(y, message):
    with pytest.raises(ValueError, match=message):
        infer_directions([[1.0], [2.0], [3.0]], y)


def test_many_classes_are_not_all_listed():
    X = np.arange(10.0)[:, None]
    with pytest.raises(
        ValueError, match=r"Got 10 classes instead of 2; merge them as in y >= level\.$"
    ):
        infer_directions(X, np.arange(10))


def test_a_class_whose_rows_have_no_weight_is_absent():
    with pytest.raises(ValueError, match=r"Got 1 class instead: 0"):
        infer_directions([[1.0], [2.0], [3.0]], [0, 0, 1], sample_weight=[1, 1, 0])


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1.0], [np.nan]], "contains NaN"),
        ([[1.0], [np.inf]], "contains infinity"),
        ([["good"], ["bad"]], "could not convert string to float"),
        ([1.0, 2.0], "Expected 2D array, got 1D array"),
        (np.empty((0, 2)), r"0 sample\(s\)"),
    ],
)
def test_bad_tables_give_one_clear_error(X, message):
    with pytest.raises(ValueError, match=message):
        infer_directions(X, [0, 1][: len(X)])


def test_an_unknown_method_is_an_error_that_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"must be one of \['rank', 'model'\]. Got 'votes'"):
        infer_directions([[1.0], [2.0]], [0, 1], method="votes")
