"""Numbers as people write them: short, and never on the wrong side."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sugeno._scales.number import plain, readable, separating_number, shortest

FINITE = st.floats(allow_nan=False, allow_infinity=False)
USUAL = st.one_of(
    st.integers(-1000, 1000).map(lambda x: x / 10), st.floats(-1e6, 1e6), st.floats(-1, 1)
)
LARGEST = 1.7976931348623157e308
SMALLEST = 5e-324


def digits(text):
    """Number of significant digits of a decimal number."""
    mantissa = text.lower().split("e")[0].lstrip("-").replace(".", "")
    return len(mantissa.lstrip("0").rstrip("0"))


def separates(text, worse, better):
    number = float(text)
    return worse < number <= better if worse < better else better <= number < worse


@given(st.one_of(FINITE, USUAL), st.one_of(FINITE, USUAL), st.floats(0, 1))
@example(-0.4, -0.6, 0.5)
@example(0.4, 0.6, 0.5)
@example(0.0, -0.0001, 1.0)
@example(LARGEST, -LARGEST, 0.0)
@example(-LARGEST, LARGEST, 1.0)
@example(-SMALLEST, SMALLEST, 0.5)
@example(SMALLEST, -SMALLEST, 0.5)
@example(1.0, math.nextafter(1.0, 2.0), 0.5)
@example(math.nextafter(LARGEST, 0.0), LARGEST, 0.5)
def test_the_number_read_back_separates_the_two_values(worse, better, place):
    if worse == better:
        better = math.nextafter(worse, math.inf if worse < LARGEST else -math.inf)
    near = min(max(worse * (1 - place) + better * place, min(worse, better)), max(worse, better))
    text = separating_number(worse, better, near)
    assert separates(text, worse, better), text
    assert digits(text) <= 17
    assert not text.startswith("--")
    assert text != "-0"


@given(FINITE, st.integers(1, 3), st.sampled_from([1, -1]))
def test_neighbouring_doubles_are_told_apart(worse, steps, direction):
    better = worse
    for _ in range(steps):
        better = math.nextafter(better, direction * math.inf)
    if math.isfinite(better):
        assert separates(separating_number(worse, better, better), worse, better)


@given(USUAL, USUAL)
def test_a_mirrored_criterion_reads_as_the_mirror_image(worse, better):
    if worse != better:
        middle = worse / 2 + better / 2
        here = separating_number(worse, better, middle)
        there = separating_number(-worse, -better, -middle)
        assert float(here) == -float(there)


@given(st.integers(-500, 500), st.integers(1, 200), st.integers(0, 3))
def test_no_number_with_fewer_decimals_would_do(low, step, decimals):
    worse, better = low / 10**decimals, (low + step) / 10**decimals
    text = separating_number(worse, better, better)
    written = len(text.split(".")[1]) if "." in text else 0
    for fewer in range(written):
        scale = 10**fewer
        candidates = range(math.floor(worse * scale) - 1, math.ceil(better * scale) + 2)
        assert not any(worse < number / scale <= better for number in candidates)


@pytest.mark.parametrize(
    ("worse", "better", "near", "text"),
    [
        (5.5, 7.2, 6.35, "6"),
        (5, 8, 6.5, "6"),
        (4, 3, 3.5, "3"),
        (12345.60, 12345.71, 12345.655, "12345.7"),
        (-0.4, -0.6, -0.5, "-0.5"),
        (0.6, 0.4, 0.5, "0.5"),
        (3, -2, 0.4, "0"),
        (1e300, 3e300, 2e300, "2e+300"),
    ],
)
def test_people_read_round_numbers(worse, better, near, text):
    assert separating_number(worse, better, near) == text


@given(FINITE)
def test_the_shortest_text_reads_back_as_the_same_number(number):
    assert float(shortest(number)) == number
    assert not shortest(number).endswith(".0")
    assert digits(shortest(number)) <= 17


@given(st.floats(1e-4, 1e15, exclude_max=True), st.integers(1, 17))
def test_plain_numbers_have_no_exponent_and_whole_digits_in_full(number, n_digits):
    text = plain(number, n_digits)
    assert "e" not in text
    assert abs(float(text) - number) <= 10.0 ** (math.floor(math.log10(number)) - n_digits + 1.01)
    if number == int(number):
        assert plain(float(int(number)), 6) == str(int(number))


@given(st.floats(-1e9, 1e9), st.floats(-1e-6, 1e-6))
def test_readable_values_stay_on_their_side_of_a_level(level, offset):
    value = level + offset
    read = float(readable(value, level))
    assert (read < level, read > level) == (value < level, value > level)
    assert abs(float(readable(value)) - value) <= 1e-5 * abs(value)
