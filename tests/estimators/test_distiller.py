"""Any classifier with probabilities in a handful of rules."""

import itertools
import pickle
import warnings
from html import escape

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from sugeno import (
    Card,
    RuleSet,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    distill,
    dumps,
    loads,
)
from sugeno.datasets import load
from sugeno.estimators import distiller
from sugeno.report import report_html

pytestmark = pytest.mark.usefixtures("brief")

NAMES = ["pay", "hours", "travel"]


def table(seed=0, n=90):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, 3)).astype(float)
    y = X @ [1, 1, -1] + rng.normal(0, 1.5, n) > 2
    return X, y.astype(int)


class Oracle:
    """A teacher that is nothing but a function, and counts what it is asked."""

    def __init__(self, says, classes=(0, 1)):
        self.says, self.classes_, self.asked = says, np.array(classes), 0

    def predict_proba(self, X):
        self.asked += len(X)
        p = np.asarray(self.says(np.asarray(X)), dtype=float)
        return np.column_stack([1 - p, p])


@pytest.mark.parametrize(("rule_penalty", "form", "n_rules"), [(0.01, "dnf", 2), (0.1, "cnf", 1)])
def test_clauses_stand_where_rules_are_too_dear(rule_penalty, form, n_rules):
    X = np.array(list(itertools.product([0.0, 1], repeat=3)) * 10)
    y = (X[:, 0] > 0) | ((X[:, 1] > 0) & (X[:, 2] > 0))
    # One clause but for row (0, 1, 0), of which the teacher is less sure, or two rules.
    teacher = Oracle(lambda X: np.where(X[:, 0] > 0, 1, X[:, 1] * (0.25 + 0.75 * X[:, 2])))
    clf = SugenoDistiller(teacher, rule_penalty=rule_penalty, directions=None).fit(X, y)
    assert (clf.rules_.form, len(clf.rules_)) == (form, n_rules)


def test_a_fitted_teacher_teaches_as_it_is():
    X, y = table()
    teacher = LogisticRegression().fit(X, y)
    before = pickle.dumps(teacher)
    clf = SugenoDistiller(teacher, n_rules=3, max_rules=3).fit(X, y)
    assert clf.teacher_ is teacher
    assert pickle.dumps(teacher) == before
    assert clf.fidelity_ == np.mean(clf.predict(X) == teacher.predict(X))
    assert clf.fidelity_ > 0.8


def test_an_unfitted_teacher_is_fitted_here_and_judges_rows_that_it_did_not_see():
    X, y = table()
    learned = []

    class Spy(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            learned.append(len(X))
            return super().fit(X, y, sample_weight)

    teacher = Spy()
    clf = SugenoDistiller(teacher, n_rules=2, max_rules=2).fit(X, y)
    assert clf.teacher_ is not teacher
    assert not hasattr(teacher, "classes_")
    assert sorted(learned) == [72, 72, 72, 72, 72, 90]
    # A nearest neighbour is its own: in the sample it knows every label, out of it it does not.
    neighbour = KNeighborsClassifier(1)
    noise = np.random.default_rng(0).permutation(y)
    honest = SugenoDistiller(neighbour, n_rules=1, max_rules=1).fit(X, noise)
    fooled = SugenoDistiller(neighbour.fit(X, noise), n_rules=1, max_rules=1).fit(X, noise)
    assert honest.objective_ > fooled.objective_


def test_a_teacher_need_not_be_an_estimator():
    X, _ = table()
    y = ((X[:, 0] >= 3) & (X[:, 1] >= 2)).astype(int)
    teacher = Oracle(lambda rows: (rows[:, 0] >= 3) & (rows[:, 1] >= 2))
    clf = distill(teacher, X, y, max_rules=3)
    assert str(clf.rules_) == "class 1 if x0 >= 3 and x1 >= 2"
    assert clf.fidelity_ == 1
    assert clf.objective_ == clf.bound_ == clf.gap_ == 0
    assert teacher.asked > len(X)


@pytest.mark.parametrize(
    "teacher",
    [
        GaussianNB(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        HistGradientBoostingClassifier(max_iter=5),
        None,
    ],
    ids=["bayes", "pipeline", "boosting", "ours"],
)
def test_any_teacher_will_do(teacher):
    X, y = table()
    clf = SugenoDistiller(teacher, n_rules=3, max_rules=4).fit(X, y)
    assert len(clf.rules_) <= 3
    assert clf.score(X, y) > 0.7
    assert 0 <= clf.bound_ <= clf.objective_
    assert clf.gap_ == pytest.approx(clf.objective_ - clf.bound_)
    again = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))


# ------------------------------------------------------------------ names of columns


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_a_teacher_of_named_columns_is_asked_by_name(frame):
    X, y = table()
    named = frame(dict(zip(NAMES, X.T)))
    teacher = LogisticRegression().fit(named, y)
    by_name = distill(teacher, named, y, n_rules=2, max_rules=2, directions=[1, 1, -1])
    plain = distill(
        LogisticRegression().fit(X, y), X, y, n_rules=2, max_rules=2, directions=[1, 1, -1]
    )
    np.testing.assert_array_equal(by_name.predict(named), plain.predict(X))
    assert by_name.objective_ == plain.objective_
    assert "pay >=" in str(by_name.rules_)


@pytest.mark.filterwarnings("error")
def test_columns_go_to_the_teacher_in_its_own_order():
    X, y = table()
    named = pd.DataFrame(X, columns=NAMES)
    teacher = LogisticRegression().fit(named[NAMES[::-1]], y)
    turned = distill(teacher, named, y, n_rules=2, max_rules=2, directions=[1, 1, -1])
    plain = distill(
        LogisticRegression().fit(named, y), named, y, n_rules=2, max_rules=2, directions=[1, 1, -1]
    )
    assert turned.rules_ == plain.rules_
    assert turned.fidelity_ == np.mean(turned.predict(named) == teacher.predict(named[NAMES[::-1]]))


@pytest.mark.filterwarnings("error")
def test_a_table_without_names_goes_by_position():
    X, y = table()
    teacher = LogisticRegression().fit(pd.DataFrame(X, columns=NAMES), y)
    clf = distill(teacher, X, y, n_rules=2, max_rules=2)
    assert clf.fidelity_ > 0.8
    assert "x0 >=" in str(clf.rules_)


def test_a_teacher_of_other_columns_is_refused():
    X, y = table()
    teacher = LogisticRegression().fit(pd.DataFrame(X, columns=["pay", "hours", "colour"]), y)
    with pytest.raises(ValueError, match=r"fitted to columns of X.* \['colour'\] instead"):
        distill(teacher, pd.DataFrame(X, columns=NAMES), y)


def test_a_teacher_of_a_frame_needs_a_library_of_frames(monkeypatch):
    X, y = table()
    teacher = LogisticRegression().fit(pd.DataFrame(X, columns=NAMES), y)
    monkeypatch.setattr(distiller, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="Install pandas, or fit the teacher to an array"):
        distill(teacher, X, y)
    only_polars = {"polars": True}
    monkeypatch.setattr(distiller, "find_spec", only_polars.get)
    assert distill(teacher, X, y, max_rules=2).fidelity_ > 0.7


def test_an_unfitted_teacher_never_sees_names():
    X, y = table()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = SugenoDistiller(LogisticRegression(), max_rules=2).fit(
            pd.DataFrame(X, columns=NAMES), y
        )
    assert not hasattr(clf.teacher_, "feature_names_in_")
    assert clf.feature_names_in_.tolist() == NAMES


# ------------------------------------------------------------------ what is refused


def test_a_teacher_without_probabilities_is_refused():
    X, y = table()
    with pytest.raises(TypeError, match=r"predict_proba\. Got LinearSVC instead; wrap it in"):
        SugenoDistiller(LinearSVC()).fit(X, y)


def test_a_teacher_of_other_classes_is_refused():
    X, y = table()
    teacher = LogisticRegression().fit(X, np.where(y, "yes", "no"))
    with pytest.raises(ValueError, match=r"must know the class 1. Its classes are .*'yes'.* inst"):
        SugenoDistiller(teacher).fit(X, y)


def test_weights_need_a_teacher_that_takes_them():
    X, y = table()
    weights = np.arange(1, len(y) + 1)
    with pytest.raises(ValueError, match="KNeighborsClassifier does not take sample weights"):
        SugenoDistiller(KNeighborsClassifier()).fit(X, y, sample_weight=weights)
    fitted = KNeighborsClassifier().fit(X, y)
    clf = SugenoDistiller(fitted, max_rules=2).fit(X, y, sample_weight=weights)
    assert clf.fidelity_ == pytest.approx(
        np.average(clf.predict(X) == fitted.predict(X), weights=weights)
    )


@pytest.mark.parametrize(
    "given",
    [{"n_rules": 0}, {"max_rules": 0}, {"k": 0}, {"rule_penalty": -1}, {"random_state": -1}],
    ids=str,
)
def test_wrong_parameters_are_refused(given):
    X, y = table()
    with pytest.raises(ValueError, match=f"The '{next(iter(given))}' parameter of SugenoDistiller"):
        SugenoDistiller(**given).fit(X, y)


# ------------------------------------------------------------------ how many rules


@pytest.mark.parametrize("n_rules", [1, 2, 4])
def test_there_are_no_more_rules_than_wanted(n_rules):
    X, y = table(1, n=150)
    clf = SugenoDistiller(GaussianNB(), n_rules=n_rules, max_rules=2).fit(X, y)
    assert 1 <= len(clf.rules_) <= n_rules
    assert len(clf.path_) == max(n_rules, 2) + 1
    assert clf.path_[n_rules]["rules"] == len(clf.rules_)
    assert clf.fidelity_ == clf.path_[n_rules]["fidelity"]


def test_k_limits_the_criteria_in_a_rule():
    X, y = table(1, n=150)
    for k in (1, 2):
        clf = SugenoDistiller(GaussianNB(), max_rules=4, k=k).fit(X, y)
        assert max(map(len, clf.rules_.sets)) <= k
        assert clf.k_ == k


def test_the_path_goes_from_few_rules_to_many_and_agrees_more_and_more():
    X, y = table(2, n=150)
    clf = SugenoDistiller(GaussianNB(), max_rules=8).fit(X, y)
    path = clf.path_
    assert [entry["rules"] <= size for size, entry in enumerate(path)] == [True] * 9
    assert (np.diff([entry["disagreement"] for entry in path]) <= 0).all()
    assert path[-1]["disagreement"] < path[0]["disagreement"]
    for entry in path:
        assert entry["form"] in {"dnf", "cnf"}
        assert 0 <= entry["error"] <= 1
        assert 0 <= entry["fidelity"] <= 1


def test_time_is_used_to_agree_more():
    X, y = table(2, n=150)
    quick, thorough = (
        SugenoDistiller(GaussianNB(), n_rules=4, max_rules=6, improve=improve).fit(X, y)
        for improve in (False, True)
    )
    assert thorough.objective_ <= quick.objective_
    assert thorough.bound_ == quick.bound_
    assert (np.diff([entry["disagreement"] for entry in thorough.path_]) <= 0).all()


def test_a_price_per_rule_makes_lists_short():
    X, y = table(2, n=150)
    lengths = [
        len(SugenoDistiller(GaussianNB(), max_rules=8, rule_penalty=cost).fit(X, y).rules_)
        for cost in (0.0, 0.01, 1.0)
    ]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1] == 1


# ------------------------------------------------------------------ classes and tables


def test_class_weights_move_the_verdict():
    X, y = table(3, n=150)
    accepted = [
        SugenoDistiller(GaussianNB(), max_rules=4, class_weight={1: price}).fit(X, y).predict(X)
        for price in (0.1, 1, 10)
    ]
    shares = [labels.mean() for labels in accepted]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]
    balanced = SugenoDistiller(max_rules=3, class_weight="balanced").fit(X, y)
    assert balanced.score(X, y) > 0.7


def test_rules_speak_for_the_positive_class_and_the_teacher_may_sort_as_it_likes():
    X, y = table()
    names = np.where(y == 1, "good", "poor")
    teacher = LogisticRegression().fit(X, names)
    clf = SugenoDistiller(teacher, n_rules=3, max_rules=3, positive="good").fit(X, names)
    assert str(clf.rules_).startswith("good if")
    assert clf.classes_.tolist() == ["good", "poor"]
    assert clf.fidelity_ == np.mean(clf.predict(X) == teacher.predict(X)) > 0.8
    other = SugenoDistiller(teacher, n_rules=3, max_rules=3).fit(X, names)
    assert str(other.rules_).startswith("poor if")
    assert other.fidelity_ > 0.8


@pytest.mark.parametrize("teacher", [None, GaussianNB()], ids=["ours", "bayes"])
def test_one_criterion_constant_columns_and_ten_rows_are_enough(teacher):
    one = np.arange(10.0)[:, None]
    y = (one[:, 0] >= 5).astype(int)
    clf = SugenoDistiller(teacher, max_rules=3).fit(one, y)
    assert len(clf.rules_) == 1
    assert clf.score(one, y) >= 0.9
    constant = np.column_stack([one, np.ones(10)])
    clf = SugenoDistiller(teacher, max_rules=3, directions=None).fit(constant, y)
    assert set(clf.rules_.literal_criteria.tolist()) == {0}
    assert clf.feature_importances_.tolist() == [1, 0]


@pytest.mark.parametrize("improve", [False, True])
def test_a_table_of_constants_is_one_verdict(improve):
    X, y = np.ones((10, 2)), np.array([0] * 3 + [1] * 7)
    clf = SugenoDistiller(max_rules=3, directions=None, improve=improve).fit(X, y)
    assert clf.predict(X).tolist() == [1] * 10
    assert str(clf.rules_) == "class 1 always"
    assert clf.bound_ <= clf.objective_


def test_a_class_of_one_row_cannot_be_judged_out_of_fold():
    X, y = table()
    y = (np.arange(len(y)) == 0).astype(int)
    with pytest.raises(ValueError, match="at least 2 rows of each class"):
        SugenoDistiller(GaussianNB()).fit(X, y)


def test_it_is_an_estimator_among_others():
    X, y = table(n=120)
    scores = cross_val_score(SugenoDistiller(GaussianNB(), max_rules=3), X, y, cv=3)
    assert scores.mean() > 0.6


def test_the_default_teacher_is_an_ensemble_that_can_be_asked():
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.integers(0, 6, (150, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] - X["b"] + rng.normal(0, 1, 150) > 0, "yes", "no")
    clf = SugenoDistiller(class_weight="balanced").fit(X, y)
    grown = {name: getattr(clf.teacher_, name) for name in ("n_bags", "max_rounds")}
    alone = SugenoEnsembleClassifier(class_weight="balanced", **grown).fit(X, y)
    np.testing.assert_array_equal(clf.teacher_.predict_proba(X), alone.predict_proba(X))
    assert list(clf.teacher_.feature_names_in_) == ["a", "b", "c"]
    assert clf.teacher_.class_weight == "balanced"
    agree = (clf.teacher_.predict(X) == clf.predict(X)).mean()
    assert agree == pytest.approx(clf.fidelity_)


def test_a_dear_literal_leaves_fewer_of_them():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 8, (300, 5)).astype(float)
    y = (X[:, :3].sum(axis=1) + rng.normal(0, 2, 300) > 10).astype(int)
    sizes = [
        sum(map(len, SugenoDistiller(literal_penalty=price, directions=None).fit(X, y).rules_.sets))
        for price in (0.0, 0.0003, 0.003)
    ]
    assert sizes[0] >= sizes[1] > sizes[2]


def summed(seed=0, n=300):
    """Rows that are positive where enough of five things add up."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, 5)).astype(float)
    return X, (X.sum(axis=1) >= 3).astype(int)


def test_points_are_learned_where_a_sum_decides():
    X, y = summed()
    clf = SugenoDistiller(form="points", directions=None).fit(X, y)
    card = clf.rules_
    assert isinstance(card, Card)
    assert (card.points, card.needed) == ((1,) * 5, 3)
    assert (clf.predict(X) == y).all()
    assert clf.n_literals_ == 5
    assert [step["form"] for step in clf.path_] == ["points"] * len(clf.path_)
    assert clf.fidelity_ == clf.path_[5]["fidelity"]
    assert clf.gap_ >= 0


def test_the_table_decides_between_both_forms():
    X, y = summed()
    assert isinstance(SugenoDistiller(form="auto", directions=None).fit(X, y).rules_, Card)
    either = ((X[:, 0] > 0) & (X[:, 1] > 0) | (X[:, 2] > 0) & (X[:, 3] > 0)).astype(int)
    rules = SugenoDistiller(form="auto", directions=None).fit(X, either).rules_
    assert isinstance(rules, RuleSet)
    assert len(rules) == 2


def test_points_are_taken_unless_rules_save_two_thousandths_of_disagreement_and_literals():
    saved, taken = [], []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 3, (200, 3)).astype(float)
        score = X.sum(axis=1) if seed % 2 else 3 * X[:, :2].max(axis=1)
        y = (score + rng.normal(0, 1, 200) > 3).astype(int)
        teacher = GaussianNB().fit(X, y)
        found = {
            form: SugenoDistiller(teacher, form=form, directions=None).fit(X, y)
            for form in ("points", "rules", "auto")
        }
        each = 0.0003 * 2 * found["points"].path_[0]["disagreement"]  # of one verdict for all rows
        lost = {form: clf.objective_ / 200 + each * clf.n_literals_ for form, clf in found.items()}
        saved.append(lost["points"] - lost["rules"])
        taken.append(isinstance(found["auto"].rules_, Card))
    assert taken == [each < 0.002 for each in saved]
    assert len(set(taken)) == 2


def test_so_many_literals_as_are_asked_for():
    X, y = table()
    for n_literals in (1, 3):
        clf = SugenoDistiller(form="points", n_literals=n_literals).fit(X, y)
        assert clf.n_literals_ == len(clf.rules_) == n_literals
    with pytest.raises(ValueError, match="Got form='rules' instead; use n_rules"):
        SugenoDistiller(n_literals=3).fit(X, y)


def test_a_card_predicts_by_its_points():
    X, y = table()
    clf = SugenoDistiller(form="points").fit(X, y)
    card = clf.rules_
    score = card.score(X)
    assert (clf.predict(X) == (score >= card.needed)).all()
    chances = clf.predict_proba(X)[:, 1]
    assert (chances == np.array(card.chances)[score]).all()
    assert ((chances > 0.5) == (score >= card.needed)).all()
    assert (np.diff(card.chances) >= 0).all()
    assert (clf.integral(X) == score / card.total).all()
    assert clf.threshold_ == card.needed / card.total
    assert clf.verify_monotone()


def test_a_card_comes_back_from_a_file_as_rules_that_decide_alike():
    X, y = table()
    clf = SugenoDistiller(form="points").fit(X, y)
    again = loads(dumps(clf))
    assert (again.predict(X) == clf.predict(X)).all()
    assert (again.predict_proba(X) == clf.predict_proba(X)).all()


def test_points_depend_neither_on_the_order_of_rows_nor_on_how_weight_is_spread():
    X, y = table()
    clf = SugenoDistiller(form="points").fit(X, y, sample_weight=np.full(len(y), 2.0))
    order = np.random.default_rng(0).permutation(len(y))
    twice = np.concatenate([order, order])
    assert SugenoDistiller(form="points").fit(X[twice], y[twice]).rules_ == clf.rules_


def test_a_constant_class_has_a_card_without_points():
    X, y = table()
    teacher = LogisticRegression().fit(X, y)
    clf = SugenoDistiller(teacher, form="points").fit(np.ones_like(X), y)
    assert len(clf.rules_) == 0
    assert len(set(clf.predict(X))) == 1


def test_a_card_is_bounded_by_the_best_card_of_its_conditions():
    for name in ("LEV", "MMG"):
        table = load(name)
        options = {"form": "points", "n_literals": 5, "directions": table.directions}
        plain, best = (
            SugenoDistiller(**options, improve=improve).fit(table.data, table.target)
            for improve in (False, True)
        )
        assert best.objective_ <= plain.objective_ + 1e-9
        assert best.bound_ - 1e-9 <= best.card_bound_ <= best.objective_ + 1e-6
        assert not hasattr(plain, "card_bound_")
        assert {*best.rules_.literals} <= {*plain.rules_.literals}


@pytest.mark.parametrize(
    "given",
    [{"n_rules": 3}, {"max_rules": 3}, {"k": 2}, {"rule_penalty": 0.1}],
    ids=str,
)
def test_a_card_refuses_what_is_about_rules(given):
    (name,) = given
    with pytest.raises(ValueError, match=rf"about rules. Got {name}=.*n_literals"):
        SugenoDistiller(form="points", directions=None, **given).fit([[1], [2]] * 5, [0, 1] * 5)


def test_exact_kinds_alone_refuse_points():
    clf = SugenoClassifierCV(levels=["shared", 2], form="points", directions=None)
    with pytest.raises(ValueError, match="add 'distilled' to levels"):
        clf.fit([[1], [2]] * 5, [0, 1] * 5)


def test_conditions_beside_few_rules_rank_the_rows_of_a_rare_class():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 2)).round(2)
    y = rng.random(1500) < 1 / (1 + np.exp(5 - 2 * X[:, 0] - X[:, 1]))
    clf = SugenoDistiller(n_rules=1, directions=[1, 1]).fit(X, y)
    rules, accepted = clf.rules_, clf.rules_.predict(X)
    assert len(rules.literals) > len(rules.used)
    assert (clf.predict(X) == accepted).all()
    assert roc_auc_score(y, clf.predict_proba(X)[:, 1]) > roc_auc_score(y, accepted) + 0.1
    page = report_html(clf, X, y)
    beside = [text for j, text in enumerate(rules.literals) if j not in rules.used]
    said = page.split("conditions that decide nothing: ")[1].split("</p>")[0]
    assert all(escape(text) in said for text in beside)
