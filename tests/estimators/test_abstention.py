"""The right to abstain: which labels are left open, and what stays true of them."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costly import costly
from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)
from tables import rows_with_holes

table = partial(rows_with_holes, n=60, share=0.15, levels=5)


def classifiers():
    return [
        SugenoClassifier(abstain=True, missing="interval"),
        SugenoClassifier(abstain=True, missing="optimistic", levels=2),
        SugenoClassifierCV(levels=["shared", 2], ks=[2], cv=2, abstain=True, missing="pessimistic"),
        SugenoEnsembleClassifier(n_bags=2, max_rounds=20, missing="interval"),
    ]


@costly
@given(st.integers(0, 2**32 - 1), st.floats(0.5, 1))
def test_what_stays_true_of_open_labels(seed, confidence):
    rng = np.random.default_rng(seed)
    X, y = table(seed)
    for clf in classifiers():
        clf.set_params(directions=None, positive=rng.integers(2)).fit(X, y)
        place = int(clf.positive_ == clf.classes_[1])
        sets = clf.predict_set(X, confidence=confidence)
        assert sets[clf.predict(X)[:, None] == clf.classes_].all()
        assert (clf.predict_set(X) <= sets).all()
        # A label alone is at least so likely, whatever is missing.
        whole = np.where(np.isnan(X), rng.integers(-1, 7, X.shape), X)
        after = clf.predict_set(whole, confidence=confidence)
        assert (after <= sets).all()
        alone = after.sum(axis=1) == 1
        assert (clf.predict_proba(whole)[alone].max(axis=1) >= confidence).all()
        better = clf.predict_set(X + rng.integers(0, 3, X.shape), confidence=confidence)
        assert (sets[:, place] <= better[:, place]).all()
        assert (sets[:, 1 - place] >= better[:, 1 - place]).all()


def test_what_no_training_row_speaks_of_is_open():
    X, y = [[1, 1], [1, 2], [2, 2]] * 3, [0, 0, 1] * 3
    clf = SugenoClassifier(abstain=True, directions=None).fit(X, y)
    np.testing.assert_array_equal(clf.predict_set([[2, 1]]), [[True, True]])
    plain = SugenoClassifier(directions=None).fit(X, y)
    np.testing.assert_array_equal(plain.predict_set([[2, 1]]).sum(), 1)
    assert plain.model_.boundaries[0].extent is None
    np.testing.assert_array_equal(clf.predict_proba(X), plain.predict_proba(X))


def test_patterns_with_as_much_for_as_against_are_open():
    X, y = [[1], [2], [2], [3]], [0, 0, 1, 1]
    clf = SugenoClassifier(abstain=True, directions=None, levels="all").fit(X, y)
    np.testing.assert_array_equal(clf.predict_set([[1], [2], [3]]).sum(axis=1), [1, 2, 1])


def test_distilled_rules_abstain_and_several_classes_do():
    X, y = table(3, n=90, share=0, n_classes=3)
    for clf in (
        SugenoDistiller(max_rules=3, abstain=True),
        SugenoClassifier(levels=3, abstain=True),
    ):
        clf.fit(X, y)
        each = [one.predict_set(X, confidence=0.7)[:, 1] for one in clf.per_class_.values()]
        np.testing.assert_array_equal(clf.predict_set(X, confidence=0.7), np.transpose(each))
        assert (clf.predict_set(X) <= clf.predict_set(X, confidence=0.9)).all()


def test_of_ordered_classes_all_from_the_lowest_to_the_highest_are_open():
    X, y = table(5, n=80, share=0.3, n_classes=4)
    words = np.array(["d", "a", "c", "b"])  # the lowest first
    clf = SugenoOrdinalClassifier(
        levels=2, missing="interval", classes=list(words), directions=None
    )
    clf.fit(X, words[y])
    ends = clf.predict_interval(X)
    rank = {word: place for place, word in enumerate(words.tolist())}
    low, high = np.vectorize(rank.get)(ends).T
    sets = clf.predict_set(X)
    assert sets.sum(axis=1).max() > 1
    for column, label in enumerate(clf.classes_.tolist()):
        inside = (low <= rank[label]) & (rank[label] <= high)
        np.testing.assert_array_equal(sets[:, column], inside)


@costly
@given(st.integers(0, 2**32 - 1), st.floats(0.5, 1))
def test_open_labels_of_ordered_classes_grow_with_the_confidence_and_never_fall(seed, confidence):
    rng = np.random.default_rng(seed)
    X, y = table(seed, n_classes=3)
    clf = SugenoOrdinalClassifier(levels=2, directions=None, missing="interval").fit(X, y)
    sets = clf.predict_set(X, confidence=confidence)
    assert (clf.predict_set(X) <= sets).all()
    lowest, highest = sets.argmax(axis=1), 2 - sets[:, ::-1].argmax(axis=1)
    assert (sets.sum(axis=1) == highest - lowest + 1).all()
    better = clf.predict_set(X + rng.integers(0, 3, X.shape), confidence=confidence)
    assert (better.argmax(axis=1) >= lowest).all()
    assert (2 - better[:, ::-1].argmax(axis=1) >= highest).all()
    # A label alone has passed the boundary below it with so much probability, and no other.
    alone = sets.sum(axis=1) == 1
    sure = clf.model_.at_least(X)[alone]
    passed = np.arange(2) < lowest[alone][:, None]
    assert (np.where(passed, sure, 1 - sure) >= confidence).all()


def test_errors_are_more_frequent_where_the_answer_is_open():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 6))
    y = (X.sum(axis=1) + rng.normal(0, 1, 2000) > 0).astype(int)
    clf = SugenoClassifier(levels=3, abstain=True, directions=None).fit(X[:300], y[:300])
    is_open = clf.predict_set(X[300:]).all(axis=1)
    wrong = clf.predict(X[300:]) != y[300:]
    assert 0.02 < is_open.mean() < 0.5
    assert wrong[is_open].mean() > 1.5 * wrong[~is_open].mean()


@pytest.mark.parametrize("confidence", [0.4, 1.1, np.nan])
@pytest.mark.parametrize("clf", [SugenoClassifier(), SugenoEnsembleClassifier(n_bags=2)])
def test_a_confidence_that_means_nothing_is_refused(clf, confidence):
    X, y = table(0, share=0)
    with pytest.raises(ValueError, match=r"between 0\.5 and 1\. Got .* instead"):
        clf.fit(X, y).predict_set(X, confidence=confidence)
