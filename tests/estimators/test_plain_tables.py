"""A plain array is taken as it is: nothing may show that scikit-learn did not look at it."""

import numpy as np
import pandas as pd
import pytest

from sugeno import SugenoClassifier

X = np.array([[1.0, 5.0], [2.0, 3.0], [3.0, 4.0], [4.0, 1.0]])
y = np.array([0, 0, 1, 1])


def test_an_array_and_a_list_of_lists_are_the_same_table():
    plain, listed = SugenoClassifier().fit(X, y), SugenoClassifier().fit(X.tolist(), y.tolist())
    assert str(plain.rules_) == str(listed.rules_)
    assert plain.n_features_in_ == listed.n_features_in_ == 2
    np.testing.assert_array_equal(plain.predict_proba(X), listed.predict_proba(X))


def test_names_of_an_earlier_fit_are_forgotten():
    model = SugenoClassifier().fit(pd.DataFrame(X, columns=["speed", "price"]), y).fit(X, y)
    assert not hasattr(model, "feature_names_in_")
    assert "x0" in str(model.rules_)


@pytest.mark.parametrize(
    ("table", "labels"),
    [
        (np.where(X == 5, np.inf, X), y),
        (np.where(X == 5, np.nan, X), y),
        (X[:0], y[:0]),
        (X[:, :0], y),
        (X[:, 0], y),
        (X, y[:3]),
        (X, y[:, None].repeat(2, axis=1)),
    ],
    ids=["infinite", "missing", "no row", "no column", "flat", "short y", "wide y"],
)
def test_what_is_wrong_with_an_array_is_said_as_of_a_list(table, labels):
    with pytest.raises(ValueError, match=r".") as of_array:
        SugenoClassifier().fit(table, labels)
    with pytest.raises(ValueError, match=r".") as of_list:
        SugenoClassifier().fit(table.tolist(), labels.tolist())
    if table.size:  # an empty list has lost its shape
        assert str(of_array.value).split("[")[0] == str(of_list.value).split("[")[0]
