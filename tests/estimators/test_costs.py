"""Costs of errors: decisions minimise the expected cost, and probabilities are not moved."""

from itertools import product

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV

import sugeno
from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
    SugenoOrdinalClassifierCV,
)
from sugeno.export import to_onnx, to_python, to_sql

COSTS = {"missed": 10, "false alarm": 1}
CUT = 1 / 11


def rare(n=600, seed=0):
    """Rows of which about one in twelve is positive."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 3)), 1)
    odds = 1.3 * X[:, 0] + 0.8 * X[:, 1] - 3.2
    return X, (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)


def cost_of(y, decided):
    """Cost of decisions, in all."""
    return 10 * np.sum((y == 1) & (decided == 0)) + np.sum((y == 0) & (decided == 1))


CLASSIFIERS = {
    "shared": SugenoClassifier(costs=COSTS),
    "eight levels": SugenoClassifier(levels=8, costs=COSTS),
    "single level": SugenoClassifier(levels="single", costs=COSTS),
    "distilled": SugenoClassifier(levels="distilled", costs=COSTS),
    "rules": SugenoDistiller(costs=COSTS),
    "taught": SugenoDistiller(LogisticRegression(), costs=COSTS),
    "points": SugenoDistiller(form="points", costs=COSTS),
    "ensemble": SugenoEnsembleClassifier(n_bags=6, costs=COSTS),
    "chosen": SugenoClassifierCV(cv=2, costs=COSTS),
    "ordinal": SugenoOrdinalClassifier(costs=COSTS),
    "ordinal chosen": SugenoOrdinalClassifierCV(cv=2, costs=COSTS),
}


@pytest.fixture(scope="module", params=CLASSIFIERS, ids=lambda name: name.replace(" ", "-"))
def costly(request):
    X, y = rare()
    return CLASSIFIERS[request.param].fit(X, y)


def test_a_row_is_accepted_where_its_probability_exceeds_the_cut(costly):
    X, _ = rare(400, seed=1)
    accepted, chances = costly.predict(X) == 1, costly.predict_proba(X)[:, 1]
    assert accepted.any()
    assert not accepted.all()
    np.testing.assert_array_equal(chances > CUT, accepted)
    np.testing.assert_array_equal(costly.decision_function(X) > 0, accepted)


def test_the_mean_probability_is_the_base_rate(costly):
    X, y = rare()
    chances = costly.predict_proba(X)[:, 1]
    standard_error = np.sqrt(np.mean(chances * (1 - chances)) / len(y))
    assert abs(chances.mean() - y.mean()) < standard_error


def test_costs_find_more_of_the_rare_class_for_less(costly):
    X, y = rare()
    plain = clone(costly).set_params(costs=None).fit(X, y)
    assert cost_of(y, costly.predict(X)) < cost_of(y, plain.predict(X))


def test_a_model_with_costs_is_proved_monotone(costly):
    if hasattr(costly, "model_"):
        assert costly.verify_monotone().holds


@pytest.mark.parametrize("seed", range(5))
def test_exact_rules_have_the_least_cost_of_all_families(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (60, 3))
    y = (rng.random(60) < 0.15 + 0.2 * X.mean(axis=1)).astype(int)
    clf = SugenoClassifier(levels="all", directions=None, normalized=False, costs=COSTS).fit(X, y)
    cells = [*product((0, 1), repeat=3)]
    place = np.array([cells.index(tuple(row)) for row in X.tolist()])
    families = [
        np.array(family)
        for family in product((0, 1), repeat=8)
        if not family[0]  # a row that satisfies nothing is not accepted
        and all(
            family[a] <= family[b]
            for a, b in product(range(8), repeat=2)
            if np.less_equal(cells[a], cells[b]).all()
        )
    ]
    assert len(families) == 19
    least = min(cost_of(y, family[place]) for family in families)
    assert clf.objective_ == clf.bound_ == least == cost_of(y, clf.predict(X))


def test_certificates_of_distilled_rules_are_costs():
    X, y = rare()
    clf = SugenoDistiller(costs=COSTS).fit(X, y)
    twice = SugenoDistiller(costs={"missed": 20, "false alarm": 2}).fit(X, y)
    assert 0 < clf.bound_ <= clf.objective_ < cost_of(y, np.zeros(len(y)))
    assert twice.objective_ == pytest.approx(2 * clf.objective_)
    assert str(twice.rules_) == str(clf.rules_)


def test_equal_costs_change_nothing():
    X, y = rare()
    for kind in ({"levels": 4}, {"levels": "distilled"}):
        plain = SugenoClassifier(**kind).fit(X, y)
        equal = SugenoClassifier(**kind, costs={"missed": 3, "false alarm": 3}).fit(X, y)
        np.testing.assert_array_equal(plain.predict_proba(X), equal.predict_proba(X))
        assert equal.objective_ == pytest.approx(3 * plain.objective_)


def test_a_matrix_says_the_same_as_words():
    X, y = rare()
    words = SugenoClassifier(costs={"missed": 10}).fit(X, y)
    matrix = SugenoClassifier(costs=[[0, 1], [10, 0]]).fit(X, y)
    np.testing.assert_array_equal(words.predict_proba(X), matrix.predict_proba(X))
    assert str(words.rules_) == str(matrix.rules_)


def test_costs_of_ordered_classes_are_their_loss():
    X, y = rare()
    grades, prices = y + (X[:, 0] > 0.5), [[0, 1, 2], [5, 0, 1], [9, 5, 0]]
    ours, theirs = (
        SugenoClassifier(levels=2, order=[0, 1, 2], **{name: prices}).fit(X, grades)
        for name in ("costs", "loss")
    )
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.objective_ == theirs.objective_


def test_the_positive_class_may_come_first():
    X, y = rare()
    names = np.where(y == 1, "a", "b")
    clf = SugenoClassifier(levels=4, positive="a", costs=COSTS).fit(X, names)
    other = SugenoClassifier(levels=4, costs=COSTS).fit(X, y)
    np.testing.assert_array_equal(clf.predict(X) == "a", other.predict(X) == 1)
    np.testing.assert_array_equal(clf.decision_function(X) > 0, clf.predict(X) == "b")
    ensemble = SugenoEnsembleClassifier(n_bags=4, positive="a", costs=COSTS).fit(X, names)
    np.testing.assert_array_equal(ensemble.decision_function(X) > 0, ensemble.predict(X) == "b")


def test_an_ensemble_decides_alone_what_it_can_flip():
    X, y = rare()
    clf = SugenoEnsembleClassifier(n_bags=4, costs=COSTS).fit(X, y)
    flips, before = clf.can_flip(X), clf.predict(X)
    for j in range(3):
        ends = []
        for value in (X[:, j].min() - 1, X[:, j].max() + 1):
            moved = X.copy()
            moved[:, j] = value
            ends.append(clf.predict(moved) != before)
        np.testing.assert_array_equal(flips[:, j], ends[0] | ends[1])


def test_sets_of_an_ensemble_hold_the_decision():
    X, y = rare()
    clf = SugenoEnsembleClassifier(n_bags=4, costs=COSTS).fit(X, y)
    single = clf.predict_set(X)
    np.testing.assert_array_equal(single[:, 1], clf.predict(X) == 1)
    np.testing.assert_array_equal(single.sum(axis=1), 1)
    assert clf.predict_set(X, confidence=0.9).all(axis=1).any()


def test_a_file_keeps_the_costs():
    X, y = rare()
    clf = SugenoClassifierCV(cv=2, costs=COSTS).fit(X, y)
    again = sugeno.loads(sugeno.dumps(clf))
    for ask in ("predict", "predict_proba", "decision_function"):
        np.testing.assert_array_equal(getattr(again, ask)(X), getattr(clf, ask)(X))
    assert again.model_.costs.errors == {"missed": 10.0, "false alarm": 1.0}
    assert "costs" not in sugeno.dumps(SugenoClassifier().fit(X, y))


def test_edited_rules_decide_at_the_same_cut():
    X, y = rare()
    clf = SugenoClassifier(levels=2, costs=COSTS).fit(X, y)
    for rows in ((), (X, y)):
        edited = clf.edit(*rows).add("x2 >= 1.5").classifier
        accepted = edited.predict(X) == 1
        np.testing.assert_array_equal(edited.predict_proba(X)[:, 1] > CUT, accepted)
        assert edited.model_.costs is clf.model_.costs


def test_a_frame_gives_the_same_model():
    polars = pytest.importorskip("polars")
    X, y = rare()
    frame = polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y})
    for kind in ({"levels": 4}, {"levels": "distilled"}):
        clf = SugenoClassifier(**kind, costs=COSTS).fit_frame(frame, target="y")
        rows = SugenoClassifier(**kind, costs=COSTS).fit(frame.drop("y"), frame["y"])
        assert sugeno.dumps(clf) == sugeno.dumps(rows)


def test_thresholds_of_scikit_learn_work_around_it():
    X, y = rare()
    clf = SugenoClassifierCV(cv=2, costs=COSTS).fit(X, y)
    tuned = TunedThresholdClassifierCV(
        FrozenEstimator(clf),
        scoring=make_scorer(lambda truth, said: -cost_of(truth, said)),
        cv="prefit",
        refit=False,
    ).fit(X, y)
    assert cost_of(y, tuned.predict(X)) <= cost_of(y, clf.predict(X))
    fixed = FixedThresholdClassifier(FrozenEstimator(clf), threshold=CUT).fit(X, y)
    np.testing.assert_array_equal(fixed.predict(X), clf.predict(X))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"costs": {"miss": 2}}, "'missed' .* and 'false alarm' .* Got {'miss': 2} instead"),
        ({"costs": {"missed": 0}}, "must be positive numbers"),
        ({"costs": {"missed": "10"}}, "must be positive numbers"),
        ({"costs": [[0, 1], [0, 0]]}, "smallest where the prediction is right"),
        ({"costs": COSTS, "class_weight": "balanced"}, "Got both instead of one"),
        ({"costs": COSTS, "loss": "absolute"}, "leave one of them out"),
    ],
)
def test_costs_that_make_no_sense_are_refused(params, message):
    X, y = rare(60)
    with pytest.raises(ValueError, match=message):
        SugenoClassifier(**params).fit(X, y)


def test_three_classes_need_an_order_and_a_matrix():
    X, y = rare(90)
    grades = y + (X[:, 0] > 0.5)
    with pytest.raises(ValueError, match="classes that have none instead; pass order="):
        SugenoClassifier(costs=COSTS).fit(X, grades)
    with pytest.raises(ValueError, match="give a matrix with a row per true class"):
        SugenoClassifier(order="sorted", costs=COSTS).fit(X, grades)


@pytest.mark.parametrize("name", ["eight levels", "distilled", "points", "ensemble"])
def test_exports_decide_at_the_cut_of_the_costs(name):
    duckdb, onnxruntime = pytest.importorskip("duckdb"), pytest.importorskip("onnxruntime")
    X, y = rare()
    clf = clone(CLASSIFIERS[name]).fit(X, y)
    rows, _ = rare(300, seed=2)
    decided = clf.predict(rows)
    assert 0.05 < decided.mean() < 0.95
    module = {}
    exec(to_python(clf), module)
    names = clf.model_.literals.criteria if name == "ensemble" else clf.model_.criteria
    records = [dict(zip([one.name for one in names], row)) for row in rows.tolist()]
    assert [module["label"](record) for record in records] == decided.tolist()
    session = onnxruntime.InferenceSession(to_onnx(clf).SerializeToString())
    np.testing.assert_array_equal(session.run(None, {"X": rows})[0], decided)
    table = pandas.DataFrame(rows, columns=[one.name for one in names])
    with duckdb.connect() as engine:
        engine.register("numbers", table)
        query = f"SELECT {to_sql(clf, output='label')} FROM numbers"
        assert [label for (label,) in engine.execute(query).fetchall()] == decided.tolist()
