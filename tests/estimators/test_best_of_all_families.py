"""Exact rules over columns of any kind make as few errors as any admissible classifier can.

Admissible is what never punishes an improvement: a row that is at least as good in every column,
and equal in columns without a direction, is not decided lower. All such classifiers of a few rows
are enumerated.
"""

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

from sugeno import SugenoClassifier

SEEDS = range(12)


def fewest_errors(at_least_as_good, y):
    """The errors of the best labels that follow the order, by trying all labels.

    Who is at least as good as all rows is accepted, and who is at most as good refused: a
    capacity is 1 for all criteria together, and 0 for none.
    """
    n = len(y)
    best, worst = at_least_as_good.all(axis=1), at_least_as_good.all(axis=0)
    pairs = [(i, j) for i in range(n) for j in range(n) if at_least_as_good[i, j]]
    return min(
        sum(label != truth for label, truth in zip(labels, y))
        for labels in product([False, True], repeat=n)
        if all(labels[i] >= labels[j] for i, j in pairs)
        and all(np.array(labels)[best])
        and not any(np.array(labels)[worst])
    )


def in_every(*columns):
    """Rows that are at least as good in each column, from tables of pairs."""
    return np.logical_and.reduce(columns)


def more(values):
    return values[:, None] >= values[None]


def same(values):
    return values[:, None] == values[None]


def nearer(values, peak):
    """At least as near to the peak on its side; nothing is known of the two sides."""
    up, down = np.minimum(values, peak), np.maximum(values, peak)
    return in_every(more(up), more(-down))


def drawn(seed, n=9):
    rng = np.random.default_rng(seed)
    age, pay = rng.integers(0, 5, n).astype(float), rng.integers(0, 3, n).astype(float)
    y = (abs(age - 2) < 2) & (pay >= 1)
    y ^= rng.random(n) < 0.3
    y[:2] = False, True
    return pd.DataFrame({"age": age, "pay": pay}), y


def check(table, y, order, columns, times=1):
    clf = SugenoClassifier(levels="all", columns={"pay": "up", **columns})
    clf.fit(pd.concat([table] * times, ignore_index=True), np.tile(y, times))
    errors = fewest_errors(order, y)
    assert clf.objective_ == clf.bound_ == times * errors
    decided = clf.predict(table)
    assert (decided != y).sum() == errors
    assert (decided[:, None] >= decided[None])[order].all()
    return clf


@pytest.mark.parametrize("seed", SEEDS)
def test_columns_without_a_direction(seed):
    table, y = drawn(seed)
    order = in_every(same(table.age.to_numpy()), more(table.pay.to_numpy()))
    clf = check(table, y, order, {"age": "free"})
    # No rule asks for a value that is at least one number and at most a smaller one.
    for rule in clf.rules_:
        for low, high in re.findall(r"([\d.]+) <= age <= ([\d.]+)", rule):
            assert float(low) <= float(high)
        asked = re.search(r"age >= ([\d.]+).* age <= ([\d.]+)", rule)
        assert asked is None or float(asked[1]) <= float(asked[2])


@pytest.mark.parametrize("seed", SEEDS)
def test_columns_with_a_peak(seed):
    table, y = drawn(seed)
    order = in_every(nearer(table.age.to_numpy(), 2.0), more(table.pay.to_numpy()))
    check(table, y, order, {"age": ("peak", 2)})


@pytest.mark.parametrize("seed", SEEDS)
def test_missing_numbers_at_the_place_that_was_found(seed):
    table, y = drawn(seed)
    table.loc[[2, 5, 6], "age"] = np.nan
    clf = SugenoClassifier(columns={"age": "up", "pay": "up"}).fit(table, y)
    ages = clf.model_.criteria[0].read(table.age.to_numpy())
    assert np.isfinite(ages).all()
    order = in_every(more(ages), more(table.pay.to_numpy()))
    check(table, y, order, {"age": "up"})


@pytest.mark.parametrize("seed", SEEDS)
def test_labels_in_the_order_that_was_found(seed):
    table, y = drawn(seed)
    names = np.array(["own", "rent", "parents", "free", "other"])
    table["home"] = names[table.pop("age").astype(int)]
    times = 10  # labels of few rows share a place
    rows = pd.concat([table] * times, ignore_index=True)
    columns = {"pay": "up", "home": "unordered"}
    clf = SugenoClassifier(columns=columns).fit(rows, np.tile(y, times))
    (home,) = [one for one in clf.model_.criteria if one.name == "home"]
    places = home.read([home.known.index(label) for label in table.home])
    order = in_every(more(home.direction * places), more(table.pay.to_numpy()))
    check(table, y, order, {"home": "unordered"}, times)
