"""The choice among models of ordered classes by rows that were left out."""

from dataclasses import replace

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import get_scorer
from sklearn.model_selection import StratifiedKFold

import sugeno
from ordinal_models import graded_table
from sugeno import (
    RuleClassifier,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoOrdinalClassifier,
    SugenoOrdinalClassifierCV,
)


def by_hand(X, y, kinds, loss, folds, n_classes):
    """Mean loss of each kind over folds, learned by the classifier itself."""
    apart = np.abs(np.subtract.outer(np.arange(n_classes), np.arange(n_classes)))
    matrix = apart if loss == "absolute" else apart > 0
    found = []
    for kind in kinds:
        means = []
        for train, test in folds:
            clf = SugenoOrdinalClassifier(levels=kind, loss=loss, directions=[1, 1, 1, 1])
            guess = clf.fit(X[train], y[train]).predict(X[test])
            means.append(matrix[y[test], guess].mean())
        found.append(-np.mean(means))
    return found


@pytest.mark.parametrize("loss", ["zero_one", "absolute"])
def test_scores_are_the_losses_of_the_classifiers_themselves(loss):
    X, y = graded_table()
    kinds = ["shared", 1, 2]
    folds = list(StratifiedKFold(3).split(X, y))
    clf = SugenoOrdinalClassifierCV(levels=kinds, loss=loss, cv=folds, directions=[1, 1, 1, 1])
    clf.fit(X, y)
    expected = by_hand(X, y, kinds, loss, folds, 4)
    assert np.allclose(clf.cv_results_["mean_test_score"], expected)
    best = int(np.argmax(clf.cv_results_["mean_test_score"]))
    assert clf.levels_ == kinds[best]
    assert clf.best_score_ == clf.cv_results_["mean_test_score"][best]
    assert clf.n_splits_ == 3
    same = SugenoOrdinalClassifier(levels=clf.levels_, loss=loss, directions=[1, 1, 1, 1])
    # The same model, which alone knows what it errs on held-out rows.
    learned = replace(clf.model_.learned, held_out=None)
    plain = RuleClassifier.of(replace(clf.model_, learned=learned))
    assert sugeno.dumps(same.fit(X, y)) == sugeno.dumps(plain)


@pytest.mark.usefixtures("brief")
def test_the_favourite_stays_in_doubt_and_the_simplest_has_fewer_rules():
    X, y = graded_table(n=200, n_classes=3)
    best = SugenoOrdinalClassifierCV(cv=3).fit(X, y)
    assert (best.levels_, best.max_rules_) == ("distilled", 5)
    assert best.cv_results_["param_max_rules"].tolist() == [1, 2, 3, 5, None, None]
    simple = SugenoOrdinalClassifierCV(cv=3, refit="simplest").fit(X, y)
    assert simple.rules_.n_rules <= best.rules_.n_rules
    scores = np.array([best.cv_results_[f"split{i}_test_score"] for i in range(3)])
    tried = [(one["levels"], one["max_rules"]) for one in best.cv_results_["params"]]
    chosen = tried.index((simple.levels_, simple.max_rules_))
    # Whatever says less loses more than the chosen one, which is about as good as the best.
    conditions, mean = best.cv_results_["mean_n_conditions"], scores.mean(axis=0)
    assert (mean[conditions < conditions[chosen]] < mean[chosen]).all()
    assert mean[chosen] >= mean.max() - 2 * scores[:, int(mean.argmax())].std(ddof=1)


def made_by_rules(seed, n, n_classes):
    """A table whose classes are decided by eight rules per boundary, on five criteria."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (n, 5)).astype(float), np.zeros(n, dtype=int)
    for boundary in range(n_classes - 1):
        levels = np.zeros((8, 5))
        for rule in levels:
            asked = rng.choice(5, 3, replace=False)
            rule[asked] = np.minimum(rng.integers(1, 5, 3) + 0.7 * boundary, 5)
        passed = (X[:, None, :] >= levels).all(axis=2).any(axis=1)
        y[passed & (y == boundary)] = boundary + 1
    return X, y


@pytest.mark.no_cover
@pytest.mark.parametrize(("seed", "n_classes"), [(0, 2), (1, 3), (2, 3)])
def test_tables_made_by_rules_are_learned_exactly(seed, n_classes):
    X, y = made_by_rules(seed, 2000, n_classes)
    given = {"order": range(n_classes), "directions": None}
    clf = SugenoClassifierCV(cv=3, **given).fit(X[:500], y[:500])
    assert clf.levels_ == 8
    distilled = SugenoClassifier(levels="distilled", **given).fit(X[:500], y[:500])
    errors = [np.mean(one.predict(X[500:]) != y[500:]) for one in (clf, distilled)]
    assert errors[0] < 0.8 * errors[1]


def test_the_order_of_the_rows_does_not_matter_and_neither_do_jobs():
    X, y = graded_table(n_classes=3)
    mixed = np.random.default_rng(0).permutation(len(y))
    clf = SugenoOrdinalClassifierCV(levels=["shared", 1, 2], cv=3)
    first = clone(clf).fit(X, y)
    with joblib.parallel_config("threading", n_jobs=2):
        second = clone(clf).fit(X[mixed], y[mixed])
    assert sugeno.dumps(first) == sugeno.dumps(second)
    assert np.allclose(first.cv_results_["mean_test_score"], second.cv_results_["mean_test_score"])


def test_a_rare_class_is_drawn_with_its_neighbours_and_may_be_missing_in_a_fold():
    X, y = graded_table(n_classes=3)
    X, y = np.vstack([X, [[5, 5, 5, 5]]]), np.append(y, 3)
    sizes = []

    def scorer(clf, X, y):
        sizes.append(np.bincount(y, minlength=4))
        return 0.5

    clf = SugenoOrdinalClassifierCV(levels=1, cv=4, directions=None, scoring=scorer).fit(X, y)
    assert clf.order_.tolist() == [0, 1, 2, 3]
    assert np.sum(sizes, axis=0).tolist() == np.bincount(y).tolist()
    assert np.ptp(sizes, axis=0)[:2].max() <= 1


def test_weights_names_labels_and_frames_are_taken_as_by_the_classifier():
    X, y = graded_table(n_classes=3)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    grades = pd.Categorical.from_codes(y, ["low", "mid", "top"], ordered=True)
    weight = np.where(np.arange(len(y)) % 3 == 0, 0.0, 2.0)
    clf = SugenoOrdinalClassifierCV(levels=[1], cv=3, directions={"a": 1, "b": 1, "c": 1, "d": 1})
    clf.fit(frame, grades, sample_weight=weight)
    same = SugenoOrdinalClassifier(levels=1, directions=[1, 1, 1, 1])
    same.fit(frame, grades, sample_weight=weight)
    assert str(clf.rules_) == str(same.rules_)
    assert clf.order_.tolist() == ["low", "mid", "top"]
    with_none = clone(clf).fit(frame[weight > 0], grades[weight > 0])
    assert str(with_none.rules_) == str(clf.rules_)


def test_missing_values_and_other_scorers():
    X, y = graded_table(n_classes=3)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    X[:, 0] = np.nan_to_num(X[:, 0])
    clf = SugenoOrdinalClassifierCV(missing="pessimistic", cv=3, scoring="accuracy").fit(X, y)
    assert clf.levels_ in ("distilled", "shared")
    assert 0 < clf.best_score_ <= 1
    assert clf.predict_interval(X).shape == (len(y), 2)


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
def test_the_score_is_what_scoring_asks_for(scoring):
    X, y = graded_table(n_classes=3)
    clf = SugenoOrdinalClassifierCV(levels=1, cv=2, scoring=scoring).fit(X, y)
    assert clf.score(X, y) == get_scorer(scoring)(clf, X, y)


def test_errors_name_the_parameter_and_the_remedy():
    X, y = graded_table(n_classes=3)
    for options, message in (
        ({"levels": "single"}, "are not learned with levels='single'"),
        ({"levels": [True]}, "a positive int, or several of these. Got True"),
        ({"levels": []}, "must not be empty"),
        ({"max_rules": (0, 2)}, "a positive int or several of these"),
    ):
        with pytest.raises(ValueError, match=message):
            SugenoOrdinalClassifierCV(**options).fit(X, y)
    with pytest.raises(ValueError, match="Cross-validation needs at least 2 rows of each class"):
        SugenoOrdinalClassifierCV(levels=1).fit([[1.0], [2.0]], [0, 1])


def test_the_callback_hears_of_every_fold():
    heard = []
    X, y = graded_table(n_classes=3)
    SugenoOrdinalClassifierCV(levels=1, cv=3, callback=lambda *a: heard.append(a)).fit(X, y)
    assert heard == [(1, 3), (2, 3), (3, 3)]
