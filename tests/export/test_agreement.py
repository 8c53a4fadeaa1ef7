"""All engines decide alike about rows of all kinds that try to be misread."""

import numpy as np
import pytest
from benchmarks.agreement import Answers, adversarial_rows, differences, engines, expected, fitted

from costly import NIGHTLY

#: Of the exponential function.
LAST_BITS = 4e-15
#: Large ensembles take databases long to plan; the benchmark has them.
LARGE = ("an ordered ensemble", "ensembles per class")


@pytest.mark.no_cover
@pytest.mark.usefixtures("brief")
@pytest.mark.filterwarnings("ignore")  # of pypmml and what it imports
def test_engines_agree_about_rows_that_try_to_be_misread(psql, engine):
    ask, seen = engines(psql, engine), []
    for shape, clf in fitted(250):
        if shape in LARGE:
            continue
        rows = adversarial_rows(clf, 2_000 if NIGHTLY else 500)
        sure = expected(clf, rows)
        assert len({*sure.labels}) == clf.classes_.size
        for name, other in ask.items():
            if name == "PMML4S" and clf.model_.adds_up:
                continue
            labels, chances, apart = differences(other(clf, rows), sure)
            assert labels == 0, (shape, name)
            assert apart <= LAST_BITS * clf.model_.adds_up, (shape, name, chances)
            seen.append(shape)
    assert len({*seen}) == 7


def test_a_difference_is_counted():
    one = Answers([0, 1, 1], np.array([[0.9, 0.1], [0.4, 0.6], [0.0, 1.0]]))
    other = Answers([0, 0, 1], np.array([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]]))
    assert differences(one, one) == (0, 0, 0.0)
    assert differences(one, other) == (1, 1, 0.25)
    assert differences(Answers([0, 0, 0], None), one) == (2, 0, 0.0)
