"""The error on held-out rows does not profit from the choice; a model says how it was learned."""

import numpy as np
import pytest

from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoOrdinalClassifier,
    SugenoOrdinalClassifierCV,
)

KINDS = ["shared", "single", 1, 2]


def coins(seed, n=80, m=4):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 6, (n, m)), rng.permutation(np.arange(n) % 2)


def graded(n=120, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, 3))
    score = X.sum(axis=1) + rng.normal(0, 2, n)
    return X, np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)


@pytest.mark.no_cover
def test_on_coin_flips_it_is_a_half_where_the_winner_seems_better():
    fits = [
        SugenoClassifierCV(levels=KINDS, ks=[1, 2], directions=None).fit(*coins(seed))
        for seed in range(40)
    ]
    honest = np.array([clf.held_out_error_ for clf in fits])
    noise = honest.std() / np.sqrt(honest.size)
    assert abs(honest.mean() - 0.5) < 3 * noise
    assert np.mean([1 - clf.best_score_ for clf in fits]) < 0.5 - 3 * noise


@pytest.mark.parametrize("cv", [2, 5])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_each_fold_is_scored_by_the_choice_of_the_others(cv, n_classes):
    X, y = graded(n_classes=n_classes)
    clf = SugenoOrdinalClassifierCV(levels=["shared", 1, 2], loss="zero_one", cv=cv).fit(X, y)
    results = clf.cv_results_
    scores = np.array([results[f"split{fold}_test_score"] for fold in range(cv)])
    chosen = [np.delete(scores, fold, axis=0).mean(axis=0).argmax() for fold in range(cv)]
    # Folds of equal size: each counts as much.
    expected = np.mean([-scores[fold, choice] for fold, choice in enumerate(chosen)])
    assert clf.held_out_error_ == pytest.approx(expected)
    held_out = clf.model_.learned.held_out
    assert held_out.error == clf.held_out_error_
    assert (held_out.n_folds, held_out.measured) == (cv, f"nested choice over {cv} folds")


def test_of_a_single_candidate_it_is_the_mean_error():
    X, y = graded()
    clf = SugenoClassifierCV(levels="shared", ks=[2], cv=4).fit(X, y)
    assert clf.held_out_error_ == pytest.approx(1 - clf.best_score_)
    assert clf.model_.learned.held_out.measured == "cross-validation over 4 folds"


@pytest.mark.usefixtures("brief")
def test_a_model_says_how_it_was_learned():
    X, y = graded()
    for levels in ("shared", "single", "all", 2):
        learned = SugenoClassifier(levels=levels).fit(X, y).model_.learned
        assert (learned.kind, learned.teacher, learned.bounded) == (levels, None, "training error")
    for clf in (SugenoClassifier(levels="distilled"), SugenoDistiller()):
        learned = clf.fit(X, y).model_.learned
        assert (learned.kind, learned.teacher) == ("distilled", "SugenoEnsembleClassifier")
        assert learned.bounded == "disagreement with the teacher"
    X, y = graded(n_classes=3)
    clf = SugenoOrdinalClassifier(levels="distilled").fit(X, y)
    assert clf.model_.learned.kind == "distilled"
    assert clf.edit(boundary=1).add("x0 >= -1").classifier.model_.learned.kind == "edited"
