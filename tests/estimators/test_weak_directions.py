"""A fit that finds directions says where the evidence is weak; known directions are silent."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone

from sugeno import (
    ConformalClassifier,
    QuantileUtility,
    RelabelledClassifier,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoNominalClassifier,
    SugenoOrdinalClassifier,
    WeakDirectionWarning,
    infer_directions,
    monotone_labels,
)

rng = np.random.default_rng(1)
X = np.column_stack([np.arange(60) % 20, 2 * rng.permutation(60), -np.arange(60) % 20])
Y = (X[:, 0] > 9).astype(int)
FRAME = pd.DataFrame(X, columns=["a", "noise", "c"])
ESTIMATORS = [SugenoClassifier(), SugenoClassifierCV(levels="shared", cv=3, ks=[1, 2])]

both = pytest.mark.parametrize("estimator", ESTIMATORS, ids=["plain", "cv"])


def warned(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [w for w in caught if w.category is WeakDirectionWarning]


@both
def test_fit_warns_once_as_infer_directions_does(estimator):
    (fitted,) = warned(lambda: estimator.fit(FRAME, Y))
    (inferred,) = warned(lambda: infer_directions(FRAME, Y))
    assert "'noise'" in str(fitted.message)
    assert str(fitted.message) == str(inferred.message)
    assert fitted.filename == inferred.filename == __file__


@both
def test_directions_that_are_known_are_not_doubted(estimator):
    known = clone(estimator).set_params(directions={"noise": 1})
    assert not warned(lambda: known.fit(FRAME, Y))
    assert known.directions_.tolist() == [1, 1, -1]
    assert not warned(lambda: clone(estimator).set_params(directions=None).fit(FRAME, Y))


@both
def test_only_directions_left_to_be_found_are_doubted(estimator):
    partly = clone(estimator).set_params(directions=[1, "auto", -1])
    (warning,) = warned(lambda: partly.fit(FRAME, Y))
    assert "'noise'" in str(warning.message)


@both
@pytest.mark.parametrize("table", [X, FRAME], ids=["array", "frame"])
def test_directions_found_before_are_taken(estimator, table):
    with pytest.warns(WeakDirectionWarning):
        found = infer_directions(table, Y)
    for given in (found, found.to_dict()):
        clf = clone(estimator).set_params(directions=given)
        assert not warned(lambda clf=clf: clf.fit(table, Y))
        assert clf.directions_.tolist() == found.directions.tolist()
        utility = QuantileUtility(directions=given).fit(table)
        assert utility.directions_.tolist() == found.directions.tolist()


def test_directions_found_on_a_frame_go_by_name():
    with pytest.warns(WeakDirectionWarning):
        found = infer_directions(FRAME, Y)
    turned = FRAME[["c", "noise", "a"]]
    clf = SugenoClassifier(directions=found).fit(turned, Y)
    assert clf.directions_.tolist() == found.directions[::-1].tolist()
    with pytest.raises(ValueError, match=r"directions must name features .* Got \['c'\] instead"):
        SugenoClassifier(directions=found).fit(FRAME.rename(columns={"c": "d"}), Y)


def test_directions_found_on_an_array_go_by_position_on_a_frame():
    with pytest.warns(WeakDirectionWarning):
        found = infer_directions(X, Y)
    clf = SugenoClassifier(directions=found).fit(FRAME, Y)
    assert clf.directions_.tolist() == found.directions.tolist()


def test_a_table_without_names_has_the_names_x0_x1():
    assert SugenoClassifier(directions={"x1": -1}).fit(X, Y).directions_.tolist() == [1, -1, -1]
    with pytest.raises(ValueError, match=r"need a table with column names.* Got \['x3'\]"):
        SugenoClassifier(directions={"x3": -1}).fit(X, Y)


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_directions_by_a_model_whatever_transformers_put_out(output):
    clear = X[:, [0, 2]]
    wanted = infer_directions(clear, Y, method="model", random_state=0)
    with config_context(transform_output=output):
        found = infer_directions(clear, Y, method="model", random_state=0)
    assert found.directions.tolist() == wanted.directions.tolist() == [1, -1]


CALLS = [
    lambda: SugenoClassifier().fit(FRAME, Y),
    lambda: SugenoOrdinalClassifier(levels=1).fit(FRAME, Y),
    lambda: SugenoEnsembleClassifier(n_bags=2).fit(FRAME, Y),
    lambda: SugenoDistiller().fit(FRAME, Y),
    lambda: SugenoNominalClassifier().fit(FRAME, Y),
    lambda: ConformalClassifier(SugenoClassifier()).fit(FRAME, Y),
    lambda: RelabelledClassifier(SugenoClassifier(directions=None)).fit(FRAME, Y),
    lambda: monotone_labels(FRAME, Y),
    lambda: SugenoClassifier().fit_frame(FRAME.assign(y=Y), "y"),
    lambda: SugenoOrdinalClassifier(levels=1).fit_frame(FRAME.assign(y=Y), "y"),
    lambda: SugenoEnsembleClassifier(n_bags=2).fit_frame(FRAME.assign(y=Y), "y"),
]


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("call", CALLS)
def test_warnings_point_at_the_line_of_the_caller(call):
    found = warned(call)
    assert found
    for warning in found:
        assert warning.filename == __file__
        assert warning.lineno == call.__code__.co_firstlineno
