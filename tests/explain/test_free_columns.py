"""Columns without a direction: what must not change is not proposed."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)

FREE = {"age": "free", "z": "free"}


def islands(seed, n=160):
    """Rows whose class is yes on islands of two columns without a direction."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(0, 12, n).astype(float),
            "home": rng.choice(["own", "rent", "parents"], n),
            "z": rng.integers(0, 6, n).astype(float),
        }
    )
    y = ((X.age > 7) & (X.home == "own")) | ((X.age < 4) & (X.z > 2)) | (rng.random(n) < 0.08)
    return X, y.to_numpy()


def after(X, row, way):
    """The cells of a row after a change."""
    names = [change.criterion for change in way.changes]
    assert len({*names}) == len(names)  # no cell gets two values
    return X.iloc[[row]].assign(**{change.criterion: change.after for change in way.changes})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("cost", [None, lambda name, before, after: 1.0 + (name == "age")])
def test_every_change_of_a_cell_leads_to_the_other_class(seed, cost):
    X, y = islands(seed)
    clf = SugenoClassifier(levels=3, columns=FREE).fit(X, y)
    found, decided = clf.explain(X[:40], cost=cost), clf.predict(X)
    grid = pd.DataFrame(
        product(np.arange(12.0), ["own", "rent", "parents"], np.arange(6.0)), columns=X.columns
    )
    both = {*clf.predict(grid).tolist()} == {False, True}
    told = 0
    for row, one in enumerate(found):
        assert one.text == found.sentences()[row]
        for way in one.counterfactuals:
            assert clf.predict(after(X, row, way))[0] == way.label != decided[row]
            told += 1
        if not decided[row] and both:
            assert one.counterfactuals  # a refused row never misses a way
        assert np.isnan(found.costs[row]) == (not one.counterfactuals)
    assert told > 40
    moved = found.nearest()
    there = ~np.isnan(found.costs)
    assert (clf.model_.decide(moved[there]) != decided[:40][there]).all()


def test_where_both_sides_of_a_column_lead_back_nothing_is_claimed():
    X = pd.DataFrame({"age": np.repeat([20.0, 40.0], 30), "home": ["own", "rent"] * 30})
    own = (X["home"] == "own").to_numpy()
    clf = SugenoClassifier(columns={"age": "free"}, levels=2, normalized=False).fit(X, own)
    accepted = X[clf.predict(X)][:1]
    said = str(clf.explain(accepted, immutable=["home"]))
    assert said == "Class True. No counterfactual was found within these limits."


def test_ordered_classes_that_changes_lead_to_are_those_of_the_cells():
    X, y = islands(5)
    grade = y.astype(int) + (X.z > 3).to_numpy()
    clf = SugenoOrdinalClassifier(levels=2, columns=FREE).fit(X, grade)
    for row, one in enumerate(clf.explain(X[:30])):
        for way in one.counterfactuals:
            assert clf.predict(after(X, row, way))[0] == way.label


def test_a_column_that_counts_either_way_is_kept_where_it_is_immutable():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(18, 75, 400), "home": rng.choice(["own", "rent"], 400)})
    y = np.where(X.age.between(30, 50) & (X.home == "own"), "yes", "no")
    clf = SugenoClassifierCV().fit(X, y)
    refused = X[clf.predict(X) == "no"]
    assert any("if age " in str(one) for one in clf.explain(refused))
    kept = [str(one) for one in clf.explain(refused, immutable=["age"])]
    assert not any("age " in one for one in kept)


@pytest.mark.parametrize("seed", range(3))
def test_what_an_ensemble_says_of_a_column_alone_is_what_its_values_do(seed):
    X, y = islands(seed, 240)
    clf = SugenoEnsembleClassifier(n_bags=4, columns=FREE, random_state=seed).fit(X, y)
    values = {"age": np.arange(12.0), "home": ["own", "rent", "parents"], "z": np.arange(6.0)}
    flips, decided, explained = clf.can_flip(X), clf.predict(X), clf.explain(X[:20])
    assert flips.shape == X.shape
    for j, (name, found) in enumerate(values.items()):
        after = [clf.predict(X.assign(**{name: value})) for value in found]
        np.testing.assert_array_equal(flips[:, j], (np.array(after) != decided).any(axis=0))
    np.testing.assert_allclose(clf.pivotality_, flips.mean(axis=0))
    for row, one in enumerate(explained):
        alone = {way.changes[0].criterion for way in one.alone}
        assert alone == {name for name, turns in zip(values, flips[row]) if turns}


def test_a_letter_says_both_sides_of_a_column_as_one_factor():
    X = pd.DataFrame({"age": np.arange(60.0), "home": ["own", "rent"] * 30})
    within = X["age"].between(20, 40).to_numpy()
    clf = SugenoClassifier(columns={"age": "free"}, levels="all").fit(X, within)
    (letter,) = clf.reasons(X[30:31])
    assert letter.needed == 1
    assert letter.text == (
        "Class True. The decisive factor:\n- age is 30, at least 20 and at most 40"
    )
    (told,) = clf.reasons(X[30:31], texts={"age": ("", "your age")})
    assert [str(one) for one in told.reasons] == ["your age"]
