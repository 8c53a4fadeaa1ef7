"""The capacity: building, asking, bad input, and how it looks."""

import copy
import pickle
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_capacities import by_definition, capacities, random_capacity, scattered, subsets
from sugeno import Capacity

NAMES = ["price", "comfort", "speed"]


@pytest.fixture
def cars():
    return Capacity(
        {"price": 0.4, ("price", "comfort"): 0.7, ("price", "comfort", "speed"): 1}, criteria=NAMES
    )


class TestBuilding:
    def test_a_set_has_the_largest_value_of_its_given_subsets(self):
        mu = Capacity({(0,): 0.25, (1, 2): 0.5, (0, 1, 2): 1}, m=4)
        assert mu([]) == mu([3]) == mu([1]) == 0
        assert mu([0, 1]) == mu([0, 3]) == 0.25
        assert mu([0, 1, 2, 3]) == 1

    def test_sets_are_given_by_name_by_index_in_any_order_and_type(self, cars):
        variants = [
            ["comfort", "price"],
            ("price", "comfort"),
            {0, 1},
            frozenset({"price", 1}),
            range(2),
        ]
        assert {cars(v) for v in variants} == {0.7}
        assert cars("price") == cars(0) == cars(np.int64(0)) == cars(np.array([0])) == 0.4
        assert Capacity({frozenset({"b", "a"}): 1}, criteria=["a", "b"])(iter("ab")) == 1

    @given(capacities() | capacities(normalized=False))
    def test_dense_values_come_back_unchanged(self, mu):
        table = mu.to_dense()
        assert Capacity.from_dense(table, normalized=False) == mu
        assert table.tolist() == [
            mu([j for j in range(mu.m) if a >> j & 1]) for a in range(2**mu.m)
        ]

    @given(capacities() | capacities(normalized=False))
    def test_focal_sets_rebuild_the_capacity(self, mu):
        assert Capacity(mu.focal_sets, m=mu.m, normalized=False) == mu
        assert Capacity.from_masks(mu.focal_masks, mu.focal_values, m=mu.m, normalized=False) == mu

    @given(capacities(max_m=4), st.randoms(use_true_random=False))
    def test_redundant_sets_change_nothing(self, mu, random):
        every = [a for a in subsets(range(mu.m)) if random.random() < 0.5]
        given_sets = {**mu.focal_sets, **{a: mu(a) for a in every}}
        assert Capacity(given_sets, m=mu.m) == mu

    def test_bit_j_of_the_index_is_criterion_j(self):
        assert Capacity.from_dense([0, 0.25, 0.5, 1], criteria=["a", "b"])("b") == 0.5

    def test_a_function_sees_members_in_the_order_of_the_criteria(self):
        seen = []
        mu = Capacity.from_function(lambda a: seen.append(a) or len(a) / 2, criteria=["b", "a"])
        assert seen == [(), ("b",), ("a",), ("b", "a")]
        assert mu == Capacity.counting(2, criteria=["b", "a"])

    def test_values_may_be_fractions_and_integers(self):
        mu = Capacity({0: Fraction(1, 4), (0, 1): 1}, m=2)
        assert mu.focal_values.tolist() == [0.25, 1.0]

    def test_rules_that_contain_others_are_dropped(self):
        mu = Capacity.from_rules([("a",), ("a", "b"), ("b", "c")], criteria=["a", "b", "c"])
        assert mu.boundary_sets(1.0) == (("a",), ("b", "c"))

    def test_no_rules_make_the_zero_capacity_if_it_need_not_be_normalized(self):
        zero = Capacity.from_rules([], m=3, normalized=False)
        assert zero(range(3)) == zero.top == 0
        assert zero == zero.conjugate() == Capacity({}, m=3, normalized=False)
        assert zero.maxitivity == 1
        assert zero.boundary_sets(0.5) == ()
        assert zero.maxitive_approximation(0.0) == (1, zero)
        assert zero.values(np.ones((2, 3), dtype=bool)).tolist() == [0, 0]
        assert zero.is_additive

    def test_what_is_given_is_copied(self):
        masks, values = np.array([[1]], dtype=np.uint64), np.array([1.0])
        mu = Capacity.from_masks(masks, values, m=2)
        masks[0], values[0] = 2, 0.5
        assert mu([0]) == 1


class TestAsking:
    @given(capacities() | capacities(normalized=False))
    def test_many_sets_have_the_values_of_single_sets(self, mu):
        rows = np.array(list(product([False, True], repeat=mu.m)))
        assert mu.values(rows).tolist() == [mu(np.flatnonzero(row)) for row in rows]
        assert mu.values(rows.astype(int)).tolist() == mu.values(rows).tolist()

    def test_a_scattered_capacity_on_70_criteria_has_the_same_values(self):
        rng = np.random.default_rng(0)
        for _ in range(20):
            small = random_capacity(rng, 4, levels=5)
            places = sorted(rng.choice(70, 4, replace=False).tolist())
            large = scattered(small, places, 70)
            rows = rng.random((200, 70)) < 0.5
            assert large.values(rows).tolist() == small.values(rows[:, places]).tolist()
            assert large.maxitivity == small.maxitivity
            for beta in (0.2, 0.5, 1.0):
                moved = [tuple(places[j] for j in a) for a in small.boundary_sets(beta)]
                assert list(large.boundary_sets(beta)) == moved

    def test_sixty_criteria_with_twenty_focal_sets_cost_twenty_entries(self):
        rng = np.random.default_rng(1)
        sets = [tuple(rng.choice(60, 3, replace=False).tolist()) for _ in range(20)]
        mu = Capacity.from_rules(sets, m=60)
        assert mu.focal_masks.shape == (20, 1)
        assert mu.values(np.ones((1, 60), dtype=bool)).tolist() == [1]
        assert len(mu.boundary_sets(0.5)) == 20

    def test_thousands_of_criteria_work(self):
        mu = Capacity({(0, 2999): 0.5, (64, 128, 2000): 1.0}, m=3000)
        assert mu([0, 2999]) == 0.5
        assert mu.boundary_sets(0.6) == ((64, 128, 2000),)
        assert mu.conjugate()([0, 64]) == 1.0
        assert mu.conjugate()([64]) == 0.5
        assert mu.maxitive_approximation(0.5)[0] == 3
        assert not mu.is_additive

    def test_at_zero_the_empty_set_is_the_only_boundary_set(self, cars):
        assert cars.boundary_sets(0) == ((),)

    def test_boundary_sets_compare_exactly(self):
        mu = Capacity({0: 0.1 + 0.2, (0, 1): 1}, m=2)
        assert mu.boundary_sets(0.30000000000000004) == ((0,),)
        assert mu.boundary_sets(np.nextafter(0.30000000000000004, 1)) == ((0, 1),)

    @given(capacities(max_m=4) | capacities(max_m=4, normalized=False))
    def test_the_conjugate_is_what_the_full_set_loses(self, mu):
        values = by_definition(mu)
        full = frozenset(range(mu.m))
        conjugate = mu.conjugate()
        assert all(conjugate(a) == values[full] - values[full - a] for a in values)

    def test_the_conjugate_by_transversals_equals_the_one_by_table(self):
        rng = np.random.default_rng(2)
        for _ in range(20):
            small = random_capacity(rng, 4, levels=6)
            places = sorted(rng.choice(70, 4, replace=False).tolist())
            assert scattered(small, places, 70).conjugate() == scattered(
                small.conjugate(), places, 70
            )

    def test_rules_and_their_conjugate_are_dual(self):
        mu = Capacity.from_rules([(0, 1), (2,)], m=30)
        assert mu.conjugate().boundary_sets(1) == ((0, 2), (1, 2))
        assert mu.conjugate().conjugate() == mu

    def test_additive_means_sums_up_to_rounding(self):
        weights = [0.1, 0.2, 0.3, 0.4]
        additive = Capacity.from_function(
            lambda a: min(1.0, sum(weights[j] for j in a)), m=4, normalized=False
        )
        assert additive.is_additive
        assert Capacity.counting(7).is_additive
        assert Capacity.from_rules([(2,)], m=50).is_additive
        assert not Capacity.from_rules([(0,), (1,)], m=2).is_additive
        assert not Capacity({0: 0.5, 1: 0.5 - 1e-9, (0, 1): 1}, m=2).is_additive
        assert not Capacity.from_rules([[j] for j in range(40)], m=40).is_additive


class TestIdentity:
    def test_equal_capacities_have_equal_hashes(self, cars):
        other = Capacity.from_dense(cars.to_dense(), criteria=NAMES)
        assert cars == other
        assert hash(cars) == hash(other)
        assert len({cars, other}) == 1

    def test_names_values_and_size_all_count(self, cars):
        assert cars != Capacity(cars.focal_sets, criteria=[*NAMES, "extra"])
        assert cars != Capacity.from_dense(cars.to_dense())
        assert cars != Capacity.counting(3, criteria=NAMES)
        assert cars != "a capacity"

    def test_negative_zero_is_zero(self):
        assert Capacity.from_dense([-0.0, 1.0]) == Capacity.from_dense([0.0, 1.0])

    def test_pickle_and_copies_give_an_equal_capacity_that_cannot_be_changed(self, cars):
        for other in (pickle.loads(pickle.dumps(cars)), copy.copy(cars), copy.deepcopy(cars)):
            assert other == cars
            with pytest.raises(ValueError, match="read-only"):
                other.focal_values[0] = 0.1

    def test_a_table_that_was_made_does_not_travel_with_the_pickle(self):
        mu = Capacity.counting(12)
        before = len(pickle.dumps(mu))
        mu.to_dense()
        assert len(pickle.dumps(mu)) == before

    def test_a_capacity_cannot_be_changed(self, cars):
        with pytest.raises(AttributeError, match="cannot be changed"):
            cars.m = 2
        with pytest.raises(AttributeError, match="cannot be changed"):
            del cars._values
        with pytest.raises(TypeError):
            cars.focal_sets["price",] = 1.0
        for array in (cars.focal_masks, cars.focal_values, cars.table):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
        cars.to_dense()[0] = 1
        assert cars([]) == 0

    @given(capacities(max_m=2) | capacities(max_m=2, normalized=False))
    def test_a_short_repr_rebuilds_the_capacity(self, mu):
        assert eval(repr(mu), {"Capacity": Capacity}) == mu

    def test_a_long_repr_is_a_summary(self):
        assert repr(Capacity.counting(5)) == "<Capacity: 5 criteria, 31 focal sets, 5-maxitive>"

    def test_the_notebook_table_shows_the_best_sets_first_and_escapes_names(self):
        mu = Capacity({"<b>": 0.25, ("<b>", "a & c"): 1}, criteria=["<b>", "a & c"])
        shown = mu._repr_html_()
        assert "&lt;b&gt;" in shown
        assert "a &amp; c" in shown
        assert shown.index("<td>1</td>") < shown.index("<td>0.25</td>")
        assert "more" not in shown
        assert "and 33 more" in Capacity.counting(6)._repr_html_()


BAD = {
    "empty set with a value": (lambda: Capacity({(): 0.5, 0: 1}, m=1), r"μ\(\{\}\) = 0.5"),
    "too large": (lambda: Capacity({0: 1.5}, m=1), r"μ\(\{0\}\) = 1.5"),
    "negative": (lambda: Capacity({"a": -0.1, "b": 1}, criteria=["a", "b"]), r"μ\(\{a\}\) = -0.1"),
    "NaN": (lambda: Capacity({0: float("nan")}, m=1), r"μ\(\{0\}\) = nan"),
    "infinity": (lambda: Capacity.from_dense([0, float("inf")]), r"μ\(\{0\}\) = inf"),
    "not monotone": (
        lambda: Capacity({"a": 0.7, ("a", "b"): 0.5, ("a", "b", "c"): 1}, criteria=["a", "b", "c"]),
        r"μ\(\{a\}\) = 0.7 and μ\(\{a, b\}\) = 0.5",
    ),
    "not monotone far apart": (
        lambda: Capacity({0: 0.2, 1: 0.7, (0, 1, 2, 99): 0.5, 3: 1}, m=100),
        r"μ\(\{1\}\) = 0.7 and μ\(\{0, 1, 2, 99\}\) = 0.5",
    ),
    "dense not monotone": (
        lambda: Capacity.from_dense([0, 0.2, 0.1, 0.6, 0.3, 0.3, 0.3, 0.5], normalized=False),
        r"μ\(\{0, 1\}\) = 0.6 and μ\(\{0, 1, 2\}\) = 0.5",
    ),
    "given twice": (
        lambda: Capacity({(0, 1): 1, (1, 0): 0.5}, m=2),
        r"both 1.0 and 0.5 for \{0, 1\}",
    ),
    "not normalized": (lambda: Capacity({0: 0.5}, m=1), "normalized=False"),
    "dense not normalized": (lambda: Capacity.from_dense([0, 0.5]), "normalized=False"),
    "no rule": (lambda: Capacity.from_rules([], m=2), "normalized=False"),
    "an empty rule": (lambda: Capacity.from_rules([()], m=2), "empty set must be 0"),
    "dense empty set": (lambda: Capacity.from_dense([0.1, 1]), r"μ\(\{\}\) = 0.1"),
    "dense size": (lambda: Capacity.from_dense([0, 0.5, 1]), r"2\*\*m numbers .* shape \(3,\)"),
    "dense without criteria": (lambda: Capacity.from_dense([0]), "m at least 1"),
    "dense nothing": (lambda: Capacity.from_dense([]), "m at least 1"),
    "dense matrix": (lambda: Capacity.from_dense([[0, 1]]), r"shape \(1, 2\)"),
    "dense scalar": (lambda: Capacity.from_dense(1.0), r"shape \(\)"),
    "m = 0": (lambda: Capacity({}, m=0), "m must be at least 1. Got 0"),
    "no criteria": (lambda: Capacity({}, criteria=[]), "at least one name"),
    "neither m nor names": (lambda: Capacity({0: 1}), "m=..., or their names"),
    "m against names": (
        lambda: Capacity({0: 1}, m=3, criteria=["a"]),
        "number of criteria, 1. Got 3",
    ),
    "repeated name": (lambda: Capacity({0: 1}, criteria=["a", "b", "a"]), "'a' more than once"),
    "unknown name": (lambda: Capacity({"c": 1}, criteria=["a", "b"]), "one of 'a', 'b'. Got 'c'"),
    "name without names": (lambda: Capacity({"c": 1}, m=2), "have no names. Got 'c'"),
    "index too large": (lambda: Capacity.counting(2)([2]), "from 0 to 1. Got 2"),
    "negative index": (lambda: Capacity.counting(2)([-1]), "from 0 to 1. Got -1"),
    "names differ in number": (
        lambda: Capacity.from_dense([0, 1], criteria=["a", "b"]),
        "2. Got 1",
    ),
    "mask shape": (
        lambda: Capacity.from_masks(np.array([[1]], dtype=np.uint64), [1.0], m=65),
        r"\(number of values, 2\)",
    ),
    "mask beyond m": (
        lambda: Capacity.from_masks(np.array([[4]], dtype=np.uint64), [1.0], m=2),
        "beyond 1",
    ),
    "threshold too large": (lambda: Capacity.counting(2).boundary_sets(1.5), r"beta .*\[0, 1\]"),
    "threshold NaN": (lambda: Capacity.counting(2).boundary_sets(float("nan")), r"beta .*\[0, 1\]"),
    "error of 1": (lambda: Capacity.counting(2).maxitive_approximation(1), r"\[0, 1\)"),
    "k = 0": (lambda: Capacity.counting(2).is_k_maxitive(0), "at least 1. Got 0"),
    "sets of the wrong width": (lambda: Capacity.counting(2).values([[True]]), "2 columns"),
    "a single row of sets": (
        lambda: Capacity.counting(2).values([True, False]),
        "call the capacity",
    ),
    "sets that are not Boolean": (lambda: Capacity.counting(2).values([[0.5, 1]]), "Boolean"),
    "too dense": (
        lambda: Capacity.from_rules([(0,)], m=60).to_dense(),
        r"1152921504606846976 sets",
    ),
    "too many for a number": (lambda: Capacity.counting(100), r"2\*\*100 sets"),
    "too large a function": (lambda: Capacity.from_function(len, m=21), "2097152 sets"),
    "too large a table": (lambda: Capacity.from_dense(np.zeros(1 << 21)), "at most 20 criteria"),
}


@pytest.mark.parametrize(("build", "message"), BAD.values(), ids=BAD.keys())
def test_bad_values_give_one_clear_error(build, message):
    with pytest.raises(ValueError, match=message):
        build()


WRONG_TYPE = {
    "a list": (lambda: Capacity([0, 1], m=1), "Capacity.from_dense"),
    "text value": (lambda: Capacity({0: "0.5"}, m=1), "must hold numbers"),
    "missing value": (lambda: Capacity({0: "high"}, m=1), "must hold numbers"),
    "complex value": (lambda: Capacity({0: 1j}, m=1), "must hold numbers"),
    "nested value": (lambda: Capacity({0: [1], 1: [1, 2]}, m=2), "must hold numbers"),
    "nothing as value": (lambda: Capacity({0: object()}, m=1), "must hold numbers"),
    "text for m": (lambda: Capacity({0: 1}, m="2"), "m must be an integer"),
    "text for criteria": (lambda: Capacity({0: 1}, criteria="ab"), r"\['ab'\]"),
    "numbers for criteria": (lambda: Capacity({0: 1}, criteria=[1, 2]), "names"),
    "a Boolean set": (lambda: Capacity.counting(2)([True, False]), "Capacity.values"),
    "a float index": (lambda: Capacity.counting(2)([0.5]), "index or a name. Got 0.5"),
    "no set": (lambda: Capacity.counting(2)(None), "iterable of indices or names. Got None"),
    "text for beta": (lambda: Capacity.counting(2).boundary_sets("high"), "beta must be a number"),
    "Boolean for beta": (lambda: Capacity.counting(2).boundary_sets(True), "beta must be a number"),
    "float for k": (lambda: Capacity.counting(2).is_k_maxitive(1.5), "k must be an integer"),
}


@pytest.mark.parametrize(("build", "message"), WRONG_TYPE.values(), ids=WRONG_TYPE.keys())
def test_wrong_types_give_one_clear_error(build, message):
    with pytest.raises(TypeError, match=message):
        build()


def test_a_long_list_of_names_is_cut_in_the_message():
    names = [f"criterion {j}" for j in range(500)]
    with pytest.raises(ValueError, match=r"… \(500 in all\)"):
        Capacity({"criterium 1": 1}, criteria=names)
