"""The choice among kinds of models: a favourite stays in doubt."""

import numpy as np
import pytest

from sugeno._learning.selection import Trial, choose

RNG = np.random.default_rng(0)


def trial(loss, rules=5.0):
    return Trial(np.asarray(loss, dtype=float), rules, 2 * rules)


def test_the_favourite_stays_where_nothing_is_clear():
    favourite = trial([0.2, 0.3, 0.2, 0.3, 0.25])
    # Better in the mean, but not by two standard errors.
    challenger = trial([0.1, 0.35, 0.1, 0.35, 0.25], rules=1)
    assert challenger.loss.mean() < favourite.loss.mean()
    assert choose([favourite, challenger], 0) == 0
    assert choose([challenger, favourite], 1) == 1


def test_a_challenger_that_is_clearly_better_wins():
    favourite = trial([0.2, 0.3, 0.2, 0.3, 0.25])
    better = trial([0.1, 0.21, 0.1, 0.2, 0.15])
    best = trial([0.05, 0.16, 0.05, 0.15, 0.1])
    assert choose([favourite, better], 0) == 1
    assert choose([favourite, better, best], 0) == 2
    assert choose([better, favourite], 0) == 0


def test_two_standard_errors_are_what_it_takes_one_challenger_on_many_folds():
    loss = RNG.random(40)
    noise = RNG.normal(0, 0.1, 40)
    noise -= noise.mean()
    error = np.sqrt(noise.var(ddof=1) / 40)
    for factor, chosen in ((1.95, 0), (2.15, 1)):
        assert choose([trial(loss), trial(loss - factor * error + noise)], 0) == chosen


@pytest.mark.parametrize(("n_folds", "n_challengers"), [(5, 1), (5, 9), (10, 9), (60, 3)])
def test_challengers_that_are_no_better_seldom_win(n_folds, n_challengers):
    rng = np.random.default_rng(n_folds + n_challengers)
    wins = sum(
        choose([trial(loss) for loss in rng.normal(1, 0.1, (n_challengers + 1, n_folds))], 0) > 0
        for _ in range(2000)
    )
    assert wins / 2000 < 0.033  # 2.3 %, and three standard errors of this count
    if n_challengers == 1:
        assert wins / 2000 > 0.013


def test_a_difference_without_any_spread_is_clear():
    loss = np.full(5, 0.3)
    assert choose([trial(loss), trial(loss - 0.1)], 0) == 1
    assert choose([trial(loss), trial(loss + 0.1)], 0) == 0
    assert choose([trial(loss), trial(loss)], 0) == 0


def test_of_those_that_lose_nothing_the_one_with_the_fewest_rules_wins():
    some, nothing = [0.0, 0.1, 0.0, 0.0, 0.0], np.zeros(5)
    assert choose([trial(some, 5), trial(nothing, 1)], 0) == 1
    assert choose([trial(nothing, 5), trial(nothing, 1), trial(some, 0)], 0) == 1
    assert choose([trial(nothing, 5), trial(nothing, 9)], 0) == 0
    assert choose([trial(some, 5), trial(some, 1)], 0) == 0


def test_the_simplest_has_the_fewest_conditions_within_one_standard_error_of_the_best():
    best = trial([0.2, 0.3, 0.2, 0.3, 0.25], rules=9)
    close = trial([0.3, 0.21, 0.2, 0.3, 0.25], rules=3)
    worse = trial([0.4, 0.5, 0.4, 0.5, 0.46], rules=1)
    for favourite in range(3):
        assert choose([best, close, worse], favourite, simplest=True) == 1
    assert choose([best, worse], 0, simplest=True) == 0
    # By conditions, not by rules.
    short = Trial(close.loss, rules=9, conditions=1)
    assert choose([best, close, short], 0, simplest=True) == 2


def test_of_equally_simple_ones_the_better_one_is_chosen():
    first = trial([0.2, 0.31, 0.2, 0.3], rules=2)
    second = trial([0.2, 0.3, 0.2, 0.3], rules=2)
    assert choose([first, second], 0, simplest=True) == 1


@pytest.mark.parametrize("simplest", [True, False])
def test_one_candidate_is_chosen(simplest):
    assert choose([trial([0.5])], 0, simplest=simplest) == 0


@pytest.mark.parametrize("simplest", [True, False])
def test_one_fold_has_no_standard_error_and_decides(simplest):
    """Beyond 20,000 rows there is one fold, of many rows."""
    assert choose([trial([0.3]), trial([0.2], rules=9)], 0, simplest=simplest) == 1
    assert choose([trial([0.2], rules=9), trial([0.3])], 0, simplest=simplest) == 0
