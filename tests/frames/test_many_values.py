"""Criteria with very many values: a grid of exact steps, the same on every engine, and said."""

import re

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from frames.engines import (
    ALL,
    CRITERIA,
    in_memory,
    in_turn,
    lazy_polars_frame,
    loans,
    nameless,
)
from sugeno import SugenoClassifier

LOANS = loans()
MOST = 40


def fit_few(frame, **parameters):
    """Fit with few values per criterion; return the classifier and what was warned of."""
    clf = SugenoClassifier(**parameters)
    with pytest.warns(UserWarning, match=r"'debt' has more than max_values=40") as caught:
        clf.fit_frame(frame, "paid", features=CRITERIA, max_values=MOST)
    return clf, str(caught[0].message)


def step_of(message):
    return 2.0 ** int(re.search(r"multiples of 2\*\*(-?\d+)", message)[1])


def rounded(step):
    values = np.floor(LOANS["debt"].to_numpy() / step) * step
    return LOANS.set_column(1, "debt", pa.array(values))


PARAMETERS = [{}, {"levels": 3, "class_weight": "balanced"}]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("engine", "parameters"),
    [
        (engine, parameters)
        for place, engine in enumerate(ALL)
        for parameters in in_turn(place, PARAMETERS, 1)
    ],
)
def test_the_model_is_that_of_the_rounded_column(engine, parameters):
    clf, message = fit_few(engine(LOANS), **parameters)
    X, y = in_memory(rounded(step_of(message)))
    assert nameless(clf) == nameless(SugenoClassifier(**parameters).fit(X, y))


def test_the_step_is_as_small_as_halving_makes_it():
    _, message = fit_few(lazy_polars_frame(LOANS))
    occurring = np.unique(rounded(step_of(message))["debt"]).size
    assert f"of which {occurring} occur" in message
    assert MOST / 2 < occurring <= MOST


@pytest.mark.parametrize("far", [1e9, -1e300, 2.0**-960])
def test_a_value_far_away_costs_passes_and_no_more(far):
    rng = np.random.default_rng(0)
    x = np.append(rng.random(500) if far > 1e-9 or far < 0 else np.arange(500) * far, far)
    frame = pl.LazyFrame({"x": x, "paid": (x > np.median(x)).astype(int)})
    passes = []
    with pytest.warns(UserWarning, match="multiples of") as caught:
        clf = SugenoClassifier().fit_frame(frame, "paid", max_values=100, explain=passes.append)
    assert clf.n_passes_ == len(passes)
    assert sum("range of 'x'" in text for text in passes) == 1
    assert 50 < int(re.search(r"of which (\d+) occur", str(caught[0].message))[1]) <= 100
    assert 0 < clf.predict(pl.DataFrame({"x": x})).mean() < 1


def test_no_more_values_than_allowed_are_counted_one_by_one(recwarn):
    values = np.unique(LOANS["debt"]).size
    clf = SugenoClassifier().fit_frame(
        lazy_polars_frame(LOANS), "paid", features=CRITERIA, max_values=values
    )
    assert not [w for w in recwarn if "multiples" in str(w.message)]
    assert nameless(clf) == nameless(SugenoClassifier().fit(*in_memory(LOANS)))


@pytest.mark.parametrize("engine", ALL)
def test_missing_and_infinite_values_are_refused_there_too(engine):
    for bad, said in ((None, "1 that are null"), (np.inf, "1 that are infinite")):
        debt = pa.array([bad, *LOANS["debt"].to_pylist()[1:]], pa.float64())
        with pytest.raises(ValueError, match=f"'debt' must hold finite numbers.*{said}"):
            SugenoClassifier().fit_frame(
                engine(LOANS.set_column(1, "debt", debt)), "paid", features=["debt"], max_values=9
            )
