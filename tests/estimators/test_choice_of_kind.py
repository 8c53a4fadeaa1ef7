"""SugenoClassifierCV without arguments: a favourite, challengers, and few rules."""

from itertools import product

import numpy as np
import pytest

from sugeno import Card, RuleSet, SugenoClassifier, SugenoClassifierCV

pytestmark = pytest.mark.usefixtures("brief")

#: So many rules are read at most by a person who did not ask for more.
MOST_RULES = 20


def table(seed=0, n=90, noise=1.5):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, 3)).astype(float)
    y = X @ [1, 1, -1] + rng.normal(0, noise, n) > 2
    return X, y.astype(int)


def names(clf):
    return [(p["levels"], p["k"], p["margin"]) for p in clf.cv_results_["params"]]


def test_the_default_compares_the_distilled_ensemble_with_the_exact_kinds():
    X, y = table()
    clf = SugenoClassifierCV(cv=3).fit(X, y)
    shared = [("shared", k, 0.0) for k in (1, 2, 3)]
    assert names(clf) == [("distilled", 3, 0.0), *shared, (8, 3, 0.0)]
    results = clf.cv_results_
    assert results["param_levels"].tolist() == ["distilled", "shared", "shared", "shared", 8]
    assert results["param_k"].tolist() == [3, 1, 2, 3, 3]
    assert results["param_margin"].tolist() == [0.0] * 5
    assert results["mean_n_rules"].shape == (5,)
    assert ((results["mean_n_rules"] >= 1) & (results["mean_n_rules"] <= MOST_RULES)).all()
    assert clf.n_splits_ == 3
    chosen = names(clf).index((clf.levels_, clf.k_, clf.margin_))
    assert clf.best_score_ == results["mean_test_score"][chosen]
    assert 1 <= len(clf.rules_) <= MOST_RULES
    assert clf.score(X, y) > 0.7


def test_five_folds_by_default():
    X, y = table()
    assert SugenoClassifierCV(max_rules=2).fit(X, y).n_splits_ == 5


def fixed(scores):
    """A scorer that says what it is told; in each fold candidates come in their order."""
    left = iter(scores)
    return lambda clf, X, y: next(left)


@pytest.mark.parametrize(
    ("favourite", "challenger", "chosen"),
    [
        ([0.8, 0.7, 0.8], [0.8, 0.8, 0.8], "distilled"),  # better, but not clearly
        ([0.8, 0.7, 0.8], [0.9, 0.803, 0.9], "shared"),  # clearly better
        ([0.8, 0.7, 0.8], [0.7, 0.6, 0.7], "distilled"),
    ],
)
def test_a_challenger_has_to_be_clearly_better(favourite, challenger, chosen):
    X, y = table()
    scores = [score for pair in zip(favourite, challenger) for score in (*pair, 0.0)]
    clf = SugenoClassifierCV(ks=[2], cv=3, max_rules=2, scoring=fixed(scores)).fit(X, y)
    assert clf.cv_results_["mean_test_score"].tolist() == pytest.approx(
        [np.mean(favourite), np.mean(challenger), 0.0]
    )
    assert clf.levels_ == chosen


def test_a_chosen_challenger_is_the_classifier_of_the_paper():
    X, y = table()
    scores = [0.1, 0.9, 0.1, 0.1, 0.9, 0.1]
    clf = SugenoClassifierCV(ks=[2], cv=2, max_rules=3, scoring=fixed(scores)).fit(X, y)
    alone = SugenoClassifier(k=2, max_rules=3).fit(X, y)
    assert clf.rules_ == alone.rules_
    assert not hasattr(clf, "distillation_path_")


def test_a_distilled_choice_shows_its_path():
    X, y = table()
    clf = SugenoClassifierCV(levels="distilled", cv=2, max_rules=4).fit(X, y)
    assert clf.levels_ == "distilled"
    assert len(clf.distillation_path_) == 5
    assert len(clf.rules_) in [entry["rules"] for entry in clf.distillation_path_]
    assert clf.k_ == 3


def test_a_new_choice_forgets_the_path_of_the_one_before():
    X, y = table()
    clf = SugenoClassifierCV(levels="distilled", cv=2, max_rules=2).fit(X, y)
    clf.set_params(levels="shared").fit(X, y)
    assert not hasattr(clf, "distillation_path_")


def n_conditions(clf):
    return sum(len(part) for part in clf.rules_.formula.parts)


@pytest.mark.parametrize("seed", range(4))
def test_the_simplest_of_a_path_says_less_and_errs_about_as_much(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 10, (300, 4)).astype(float)
    y = X @ [3, 2, 1, 1] + rng.normal(0, 6, 300) > 30
    best = SugenoClassifierCV(form="rules", cv=3).fit(X, y)
    simple = SugenoClassifierCV(form="rules", cv=3, refit="simplest").fit(X, y)
    assert simple.max_rules_ in {1, 2, 3, 5}
    assert n_conditions(simple) < n_conditions(best)
    errors = 1 - simple.cv_results_["mean_test_score"]
    conditions = simple.cv_results_["mean_n_conditions"]
    within = errors <= errors.min() + np.sqrt(errors.min() * (1 - errors.min()) / 299)
    assert conditions[within].min() == conditions[errors == 1 - simple.best_score_].min()


def test_the_simplest_has_the_fewest_rules_within_one_standard_error():
    X, y = table(noise=0.5)
    clf = SugenoClassifierCV(levels="shared", cv=4, refit="simplest").fit(X, y)
    results = clf.cv_results_
    chosen = names(clf).index((clf.levels_, clf.k_, clf.margin_))
    best = int(np.argmax(results["mean_test_score"]))
    scores = np.array([results[f"split{i}_test_score"] for i in range(4)])
    gap = scores[:, best] - scores[:, chosen]
    assert gap.mean() <= gap.std(ddof=1) / 2
    better = results["mean_n_rules"] < results["mean_n_rules"][chosen]
    for other in np.flatnonzero(better):
        gap = scores[:, best] - scores[:, other]
        assert gap.mean() > gap.std(ddof=1) / 2


@pytest.mark.parametrize("refit", ["best", "simplest"])
def test_of_several_kinds_the_best_or_the_simplest_is_chosen(refit):
    X, y = table()
    clf = SugenoClassifierCV(levels=["shared", 2, "single", "all"], ks=[2], cv=2, refit=refit)
    clf.fit(X, y)
    assert [kind for kind, _, _ in names(clf)] == ["shared", 2, "single", "all"]
    means = clf.cv_results_["mean_test_score"]
    if refit == "best":
        assert clf.best_score_ == means.max()
    else:
        fewest = clf.cv_results_["mean_n_rules"][
            [kind for kind, _, _ in names(clf)].index(clf.levels_)
        ]
        assert fewest <= clf.cv_results_["mean_n_rules"][int(np.argmax(means))]
    assert clf.score(X, y) > 0.7


def test_levels_are_learned_as_the_plain_classifier_learns_them():
    X, y = table()
    clf = SugenoClassifierCV(levels=2, ks=[2], cv=2).fit(X, y)
    alone = SugenoClassifier(levels=2, k=2).fit(X, y)
    assert clf.rules_ == alone.rules_
    assert (clf.objective_, clf.bound_) == (alone.objective_, alone.bound_)


def test_a_list_that_nobody_would_read_is_not_chosen():
    X = np.tile([*product((0, 1), repeat=7)], (4, 1))
    y = (X.sum(axis=1) >= 4).astype(int)  # as 35 rules say exactly
    clf = SugenoClassifierCV(form="rules", ks=[4], cv=2, directions=None).fit(X, y)
    results = clf.cv_results_
    best = int(np.argmax(results["mean_test_score"]))
    assert results["mean_n_rules"][best] > MOST_RULES
    assert clf.best_score_ < results["mean_test_score"][best]
    assert len(clf.rules_) <= MOST_RULES


def test_progress_is_told_fold_by_fold():
    X, y = table()
    seen = []
    told = lambda *done: seen.append(done)  # noqa: E731
    SugenoClassifierCV(levels="shared", ks=[1], cv=4, callback=told).fit(X, y)
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_one_fold_is_enough_for_many_rows():
    X, y = table(n=20_001)
    for refit in ("best", "simplest"):
        clf = SugenoClassifierCV(levels="shared", ks=[1, 2], max_rules=2, refit=refit).fit(X, y)
        assert clf.n_splits_ == 1


def test_the_number_of_rules_can_be_limited():
    X, y = table(n=150)
    for levels in ("auto", "distilled"):
        assert len(SugenoClassifierCV(levels=levels, cv=2, max_rules=2).fit(X, y).rules_) <= 2


def test_a_seed_makes_another_ensemble():
    X, y = table(n=60, noise=3)
    first, second = (
        SugenoClassifierCV(levels="distilled", cv=3, random_state=seed).fit(X, y) for seed in (0, 7)
    )
    assert [e["disagreement"] for e in first.distillation_path_] != [
        e["disagreement"] for e in second.distillation_path_
    ]


@pytest.mark.parametrize(("ks", "k"), [([1, 2, 6], 4), ([2, 1], 2)])
def test_distilled_rules_have_at_most_four_criteria(ks, k):
    X = np.random.default_rng(0).integers(0, 6, (90, 6))
    y = (X.min(axis=1) >= 1).astype(int)
    clf = SugenoClassifierCV(levels="distilled", ks=ks, cv=2, form="rules", directions=None)
    assert clf.fit(X, y).k_ == k
    assert max(len(rule) for rule in clf.rules_.sets) <= k


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ("two", "must be 'auto'.* Got 'two' instead"),
        (0, "Got 0 instead"),
        (True, "Got True instead"),
        (["shared", "auto"], "Got 'auto' instead"),
        (["shared", -1], "Got -1 instead"),
        ([], "must not be empty"),
    ],
)
def test_wrong_levels_are_refused(levels, message):
    with pytest.raises(
        ValueError, match=f"The 'levels' parameter of SugenoClassifierCV.*{message}"
    ):
        SugenoClassifierCV(levels=levels).fit(*table())


@pytest.mark.parametrize(
    "given", [{"margins": [0.1]}, {"threshold": "joint"}, {"solver": "lp"}, {"subsets": "all"}]
)
def test_levels_refuse_what_they_do_not_read(given):
    with pytest.raises(ValueError, match="levels=2 gives each criterion levels of its own"):
        SugenoClassifierCV(levels=["shared", 2], cv=2, **given).fit(*table())


def test_the_ensemble_is_distilled_in_the_form_that_is_asked_for():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 5)).astype(float)
    y = (X.sum(axis=1) >= 3).astype(int)
    for form in ("points", "auto"):
        clf = SugenoClassifierCV(levels="distilled", form=form, directions=None, cv=2).fit(X, y)
        assert (clf.rules_.points, clf.rules_.needed) == ((1,) * 5, 3)
        assert (clf.predict(X) == y).all()
        assert clf.distillation_path_[5]["form"] == "points"
    grades = np.minimum(X.sum(axis=1), 3).astype(int)
    for form, kind in (("points", Card), ("auto", RuleSet)):
        clf = SugenoClassifierCV(levels="distilled", form=form, order="sorted", cv=2)
        assert {type(one) for one in clf.fit(X, grades).rules_} == {kind}


@pytest.mark.parametrize("limit", [{"max_rules": 3}, {"ks": [1, 2]}])
def test_whoever_limits_rules_gets_rules_and_points_refuse_the_limit(limit):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 5)).astype(float)
    y = (X.sum(axis=1) >= 3).astype(int)
    clf = SugenoClassifierCV(levels="distilled", directions=None, cv=2, **limit).fit(X, y)
    assert isinstance(clf.rules_, RuleSet)
    with pytest.raises(ValueError, match="max_rules and k limit rules, of which form='points'"):
        clf.set_params(form="points").fit(X, y)


def test_a_card_that_is_long_for_its_price_stays_the_favourite():
    X = np.random.default_rng(0).integers(0, 2, (400, 25))
    y = (X.sum(axis=1) >= 13).astype(int)
    scorer = lambda clf, X, y: 0.5  # noqa: E731
    clf = SugenoClassifierCV(form="points", ks=[1], cv=2, scoring=scorer, directions=None)
    assert len(clf.fit(X, y).rules_) > MOST_RULES
    assert isinstance(clf.rules_, Card)
