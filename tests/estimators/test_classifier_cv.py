"""k and margin by cross-validation: the protocol of the paper, and what all kinds share."""

import pickle
from functools import partial

import distributed
import numpy as np
import pandas as pd
import pytest
import sklearn
from joblib import parallel_config
from sklearn.base import clone
from sklearn.metrics import brier_score_loss, make_scorer, recall_score, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)

from sugeno import SugenoClassifier, SugenoClassifierCV

#: The paper's protocol (section 6.2): one kind of model, at a shared threshold.
paper_cv = partial(SugenoClassifierCV, levels="shared")


def scores_of(clf):
    return clf.cv_results_["mean_test_score"]


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 1)) + rng.normal(size=(90, 4))
    X[:, 2] *= -1
    y = (X[:, 0] + X[:, 1] > 0) ^ (rng.random(90) < 0.1)
    return pd.DataFrame(X, columns=list("abcd")), np.where(y, "yes", "no")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"solver": "lp", "random_state": 0},
        {"solver": "lp", "subsets": "top", "class_weight": {"no": 1, "yes": 1}},
        {"threshold": "alternating", "directions": {"c": -1}},
        {"normalized": False, "extension": "upper", "threshold": 0.45},
    ],
)
def test_scores_are_those_of_separate_fits(data, options):
    X, y = data
    ks, margins = [1, 2, 4], [0.0, 0.04]
    folds = StratifiedKFold(4)
    clf = paper_cv(ks=ks, margins=margins, cv=folds, **options).fit(X, y)
    expected = []
    for k in ks:
        # A single fit refuses an extension where a solver for small k leaves no label free.
        used = {name: value for name, value in options.items() if name != "extension" or k == 4}
        for margin in margins:
            alone = SugenoClassifier(k=k, margin=margin, **used)
            expected.append(cross_val_score(alone, X, y, cv=folds))
    found = np.array([clf.cv_results_[f"split{i}_test_score"] for i in range(4)]).T
    assert found == pytest.approx(np.array(expected), abs=1e-15)


def test_results_are_those_of_a_grid_search(data):
    X, y = data
    grid = {"levels": ["shared"], "k": [1, 2, 3], "margin": [0.0, 0.05]}
    search = GridSearchCV(SugenoClassifier(), grid, cv=5).fit(X, y)
    folds = StratifiedKFold(5)
    clf = paper_cv(ks=grid["k"], margins=grid["margin"], cv=folds).fit(X, y)
    tried = [{**given, "max_rules": None} for given in search.cv_results_["params"]]
    assert clf.cv_results_["params"] == tried
    for key in ("mean_test_score", "std_test_score", "rank_test_score"):
        assert clf.cv_results_[key] == pytest.approx(search.cv_results_[key])
    for key in ("param_k", "param_levels", "param_margin"):
        assert clf.cv_results_[key].tolist() == search.cv_results_[key].tolist()
    assert clf.n_splits_ == search.n_splits_ == 5
    assert clf.best_score_ == pytest.approx(search.best_score_)


def test_the_chosen_classifier_is_fitted_to_all_rows(data):
    X, y = data
    clf = paper_cv(margins=[0.0, 0.05], cv=3).fit(X, y)
    alone = SugenoClassifier(k=clf.k_, margin=clf.margin_).fit(X, y)
    assert clf.rules_ == alone.rules_
    assert clf.capacity_ == alone.capacity_
    assert clf.objective_ == alone.objective_
    assert np.array_equal(clf.predict_proba(X), alone.predict_proba(X))
    assert clf.feature_names_in_.tolist() == list("abcd")
    assert pickle.loads(pickle.dumps(clf)).rules_ == alone.rules_


def test_equal_scores_go_to_the_smallest_k_and_margin():
    X = np.repeat([[0, 0, 0], [1, 1, 1]], 10, axis=0)
    clf = paper_cv(ks=[3, 1, 2], margins=[0.1, 0.0]).fit(X, np.repeat([0, 1], 10))
    assert (clf.k_, clf.margin_) == (1, 0.0)
    assert clf.cv_results_["rank_test_score"].tolist() == [1] * 6


def test_k_follows_the_number_of_criteria_that_a_rule_needs():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 3))
    together = (X > 0).sum(axis=1) >= 2
    assert paper_cv(cv=5).fit(X, together).k_ == 2
    assert paper_cv(cv=5).fit(X, X[:, 0] > 0).k_ == 1


def test_all_k_are_tried_up_to_ten_features_and_some_above(data):
    X, y = data
    wide = np.hstack([X, X, X])
    assert paper_cv(cv=2).fit(X, y).cv_results_["param_k"].tolist() == [1, 2, 3, 4]
    options = {"cv": 2, "time_limit": 0}
    few = paper_cv(**options).fit(wide, y).cv_results_["param_k"]
    assert few.tolist() == [1, 2, 3, 4, 12]
    program = paper_cv(solver="lp", cv=2).fit(np.hstack([wide, wide]), y)
    assert program.cv_results_["param_k"].tolist() == [1, 2, 3, 4]


def test_every_step_is_learned_inside_the_fold():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 12)), rng.integers(0, 2, 60)
    seen = []

    def spy(classifier, rows, labels):
        seen.append((tuple(classifier.directions_.tolist()), classifier.utility_.total_))
        return 0.5

    paper_cv(ks=[1], cv=3, scoring=spy).fit(X, y)
    assert [rows for _, rows in seen] == [40, 40, 40]
    assert len({directions for directions, _ in seen}) == 3


def test_scoring_of_any_kind(data):
    X, y = data
    by_name = paper_cv(cv=3, scoring="roc_auc").fit(X, y)
    assert by_name.score(X, y) == roc_auc_score(y, by_name.decision_function(X))
    recall = make_scorer(recall_score, pos_label="yes")
    by_object = paper_cv(cv=3, scoring=recall).fit(X, y)
    assert by_object.score(X, y) == recall_score(y, by_object.predict(X), pos_label="yes")
    brier = paper_cv(cv=3, scoring="neg_brier_score").fit(X, y == "yes")
    probabilities = brier.predict_proba(X)[:, 1]
    assert brier.score(X, y == "yes") == -brier_score_loss(y == "yes", probabilities)


def test_splits_of_any_kind(data):
    X, y = data
    splits = list(ShuffleSplit(3, random_state=0).split(X, y))
    by_object = paper_cv(cv=ShuffleSplit(3, random_state=0)).fit(X, y)
    by_list = paper_cv(cv=splits).fit(X, y)
    assert np.array_equal(scores_of(by_object), scores_of(by_list))


def test_default_folds_are_five_stratified_ones_unless_a_class_is_rarer(data):
    X, y = data
    assert paper_cv(ks=[1]).fit(X, y).n_splits_ == 5
    assert paper_cv(ks=[1], cv=10).fit(X, y).n_splits_ == 10
    rare = np.where(np.arange(y.size) < 4, "yes", "no")
    assert paper_cv(ks=[1]).fit(X, rare).n_splits_ == 4
    with pytest.raises(ValueError, match="at least 2 rows of each class"):
        paper_cv(ks=[1]).fit(X, np.where(np.arange(y.size) < 1, "yes", "no"))


def test_rows_of_weight_zero_are_not_there(data):
    X, y = data
    weights = np.random.default_rng(0).integers(0, 3, y.size)
    present = weights > 0
    whole = paper_cv(cv=3).fit(X, y, sample_weight=weights)
    part = paper_cv(cv=3).fit(X[present], y[present], sample_weight=weights[present])
    assert np.array_equal(scores_of(whole), scores_of(part))
    assert whole.rules_ == part.rules_


def test_weights_count_in_fit_and_in_score(data):
    X, y = data
    weights = np.random.default_rng(0).integers(1, 4, y.size)
    folds = list(StratifiedKFold(3).split(X, y))
    expected = []
    for k in (1, 2):
        clf = SugenoClassifier(k=k)
        expected.append(
            [
                clf.fit(X.iloc[a], y[a], weights[a]).score(X.iloc[b], y[b], weights[b])
                for a, b in folds
            ]
        )
    for scoring in (None, "accuracy"):
        found = paper_cv(ks=[1, 2], cv=folds, scoring=scoring)
        found.fit(X, y, sample_weight=weights)
        assert scores_of(found) == pytest.approx(np.mean(expected, axis=1))
        assert found.score(X, y, sample_weight=weights) != found.score(X, y)


def test_the_default_score_prices_errors_by_class(data):
    X, y = data
    folds = list(StratifiedKFold(3).split(X, y))
    price = {"no": 5, "yes": 1}
    found = paper_cv(ks=[2], cv=folds, class_weight=price).fit(X, y)
    expected = []
    for train, test in folds:
        clf = SugenoClassifier(k=2, class_weight=price).fit(X.iloc[train], y[train])
        costs = np.array([price[label] for label in y[test]])
        expected.append(clf.score(X.iloc[test], y[test], sample_weight=costs))
    assert scores_of(found)[0] == pytest.approx(np.mean(expected))


def test_a_margin_that_fits_no_threshold_is_left_out(data):
    X, y = data
    clf = paper_cv(ks=[1, 2], margins=[0.0, 0.499], cv=3).fit(X, y)
    assert np.isnan(scores_of(clf)).tolist() == [False, True, False, True]
    assert clf.margin_ == 0.0
    with pytest.raises(ValueError, match=r"below min\(β, 1 − β\)"):
        paper_cv(ks=[1], margins=[0.499], cv=3).fit(X, y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ks": [0]}, "The 'ks' parameter .* Got 0 instead"),
        ({"ks": [1.5]}, "The 'ks' parameter .* Got 1.5 instead"),
        ({"ks": [True]}, "The 'ks' parameter .* Got True instead"),
        ({"ks": [5]}, "between 1 and n_features=4"),
        ({"ks": []}, "must not be empty"),
        ({"margins": []}, "must not be empty"),
        ({"margins": [-0.1]}, "The 'margins' parameter .* Got -0.1 instead"),
        ({"ks": 3}, "The 'ks' parameter"),
        ({"cv": "ten"}, "The 'cv' parameter"),
        ({"scoring": "error"}, "The 'scoring' parameter"),
    ],
)
def test_wrong_parameters_are_refused(data, options, message):
    with pytest.raises(ValueError, match=message):
        paper_cv(**options).fit(*data)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_any_backend_gives_the_same_result(data, backend):
    X, y = data
    alone = paper_cv(cv=3).fit(X, y)
    with parallel_config(backend=backend, n_jobs=2):
        shared = paper_cv(cv=3).fit(X, y)
    assert np.array_equal(scores_of(alone), scores_of(shared))
    assert alone.rules_ == shared.rules_


def prefer_the_paper(clf, X, y):
    return float(clf.model_.utility is not None)


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(("scoring", "kind"), [(None, "distilled"), (prefer_the_paper, "shared")])
def test_an_idle_process_that_learns_the_favourite_meanwhile_changes_nothing(data, scoring, kind):
    X, y = data[0].to_numpy(), data[1]
    one_fold = ShuffleSplit(1, random_state=1)
    alone = SugenoClassifierCV(cv=one_fold, scoring=scoring).fit(X, y)
    with parallel_config("threading"):
        shared = SugenoClassifierCV(cv=one_fold, scoring=scoring, n_jobs=2).fit(X, y)
    assert shared.levels_ == alone.levels_ == kind
    assert shared.rules_ == alone.rules_


def test_a_dask_cluster_can_run_the_folds(data):
    X, y = data
    with (
        distributed.Client(
            processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None
        ),
        parallel_config(backend="dask"),
    ):
        shared = paper_cv(ks=[1, 2], cv=3).fit(X, y)
    assert np.array_equal(scores_of(shared), scores_of(paper_cv(ks=[1, 2], cv=3).fit(X, y)))


def test_metadata_is_routed_to_splitter_and_scorer(data):
    X, y = data
    groups = np.arange(y.size) % 5
    weights = np.random.default_rng(0).integers(1, 4, y.size)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_scorer(recall_score, pos_label="yes").set_score_request(sample_weight=True)
        clf = paper_cv(ks=[1, 2], cv=GroupKFold(5), scoring=scorer)
        clf.set_fit_request(sample_weight=True)
        clf.fit(X, y, sample_weight=weights, groups=groups)
        assert clf.n_splits_ == 5
        expected = recall_score(y, clf.predict(X), pos_label="yes", sample_weight=weights)
        assert clf.score(X, y, sample_weight=weights) == expected
        plain = paper_cv(ks=[1, 2], cv=GroupKFold(5))
        plain.fit(X, y, sample_weight=weights, groups=groups)
        assert 0 < plain.score(X, y, sample_weight=weights) < 1
    folds = list(GroupKFold(5).split(X, y, groups))
    split = clone(clf).set_params(cv=folds).fit(X, y, sample_weight=weights)
    assert np.array_equal(scores_of(split), scores_of(clf))


def test_metadata_without_routing_is_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="groups"):
        paper_cv(cv=GroupKFold(5)).fit(X, y, groups=np.arange(y.size))
    clf = paper_cv(ks=[1], cv=3).fit(X, y)
    with pytest.raises(ValueError, match="groups"):
        clf.score(X, y, groups=np.arange(y.size))


def test_folds_do_not_depend_on_the_order_of_the_rows():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (120, 3)).astype(float)
    y = X.sum(axis=1) + rng.normal(scale=2, size=120) > 6
    order = np.lexsort(X.T)
    plain = paper_cv(directions=None).fit(X, y)
    ordered = paper_cv(directions=None).fit(X[order], y[order])
    np.testing.assert_array_equal(
        plain.cv_results_["mean_test_score"], ordered.cv_results_["mean_test_score"]
    )
    assert plain.k_ == ordered.k_
