"""What the paper says about the Sugeno integral (section 2), checked by brute force."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from small_capacities import by_definition, capacities, capacities_on, grids, monotone, problems
from sugeno import Capacity, sugeno_integral


def integral_by_definition(u, values):
    """Equation (2) over all subsets of the criteria."""
    return max(min([values[a], *(u[j] for j in a)]) for a in values)


@given(problems(normalized=True) | problems(normalized=False))
def test_all_forms_equal_the_definition_to_the_last_bit(problem):
    capacity, rows = problem
    expected = [integral_by_definition(u, by_definition(capacity)) for u in rows]
    for form in ("sorted", "dnf", "median"):
        assert sugeno_integral(rows, capacity, form=form).tolist() == expected


@given(problems(normalized=True) | problems(normalized=False), st.floats(0, 1, exclude_min=True))
def test_the_integral_reaches_t_iff_the_criteria_that_reach_t_are_worth_t(problem, t):
    capacity, rows = problem
    # The values themselves are where the two sides could come apart.
    for level in {t, *rows.ravel().tolist(), *capacity.focal_values.tolist()} - {0.0}:
        reached = sugeno_integral(rows, capacity) >= level
        assert reached.tolist() == (capacity.values(rows >= level) >= level).tolist()


@given(problems(normalized=False), st.data())
def test_the_integral_is_monotone_in_the_utilities(problem, data):
    capacity, rows = problem
    higher = np.maximum(rows, data.draw(grids(capacity.m, len(rows))))
    assert (sugeno_integral(rows, capacity) <= sugeno_integral(higher, capacity)).all()


@given(capacities(), st.floats(0, 1))
def test_the_integral_of_equal_utilities_is_that_utility(capacity, c):
    assert sugeno_integral(np.full(capacity.m, c), capacity) == c


@given(problems())
def test_the_integral_lies_between_the_smallest_and_the_largest_utility(problem):
    capacity, rows = problem
    integral = sugeno_integral(rows, capacity)
    assert (rows.min(axis=1) <= integral).all()
    assert (integral <= rows.max(axis=1)).all()


@given(problems(normalized=False), st.data())
def test_the_integral_moves_no_more_than_the_capacity(problem, data):
    capacity, rows = problem
    other = data.draw(capacities_on(capacity.m, normalized=False))
    largest = np.abs(capacity.to_dense() - other.to_dense()).max()
    moved = np.abs(sugeno_integral(rows, capacity) - sugeno_integral(rows, other))
    assert moved.max() <= largest


def test_the_bound_on_the_movement_is_attained():
    low = Capacity({0: 0.25}, m=1, normalized=False)
    high = Capacity({0: 0.75}, m=1, normalized=False)
    assert sugeno_integral([1.0], high) - sugeno_integral([1.0], low) == 0.5


@given(st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_conjugate_integrates_the_complementary_utilities(m, random):
    # Eighths are exact under 1 - x, so equality is exact as well.
    table = monotone([random.randrange(9) / 8 for _ in range(1 << m)])
    rows = np.array([[random.randrange(9) / 8 for _ in range(m)] for _ in range(5)])
    capacity = Capacity.from_dense(table)
    left = sugeno_integral(rows, capacity.conjugate())
    assert left.tolist() == (1 - sugeno_integral(1 - rows, capacity)).tolist()


@given(problems(), st.data())
def test_the_order_of_the_criteria_does_not_matter(problem, data):
    capacity, rows = problem
    order = data.draw(st.permutations(range(capacity.m)))
    moved = {tuple(order.index(j) for j in a): v for a, v in capacity.focal_sets.items()}
    permuted = Capacity(moved, m=capacity.m)
    assert sugeno_integral(rows[:, order], permuted).tolist() == (
        sugeno_integral(rows, capacity).tolist()
    )
