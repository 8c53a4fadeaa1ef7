"""Numbers as people write them: the shortest decimal that says the same."""

from __future__ import annotations

import math
from decimal import Decimal

#: Decimals of a double have exponents in this range.
_LARGEST_EXPONENT, _SMALLEST_EXPONENT = 308, -345
#: People write out numbers of this size, and values with so many digits.
_SMALLEST_WRITTEN, _LARGEST_WRITTEN, _WRITTEN_DIGITS = 1e-4, 1e15, 9


def shortest(number: float) -> str:
    """Write a number with as few digits as it takes to read the same number back.

    Examples
    --------
    >>> from sugeno._scales.number import shortest
    >>> shortest(3.0), shortest(0.1), shortest(1e300), shortest(-0.0)
    ('3', '0.1', '1e+300', '0')
    """
    text = repr(float(number) + 0.0)
    return text.removesuffix(".0")


def plain(number: float, digits: int = 6) -> str:
    """Write a number with so many significant digits, and whole numbers in full.

    Exponents are for numbers that nobody writes out.

    Examples
    --------
    >>> from sugeno._scales.number import plain
    >>> plain(13090.0), plain(2 / 3), plain(13090.25, 4), plain(1e-9)
    ('13090', '0.666667', '13090', '1e-09')
    """
    if not _SMALLEST_WRITTEN <= abs(number) < _LARGEST_WRITTEN:
        return f"{number:.{digits}g}"
    whole = len(str(int(abs(number)))) if abs(number) >= 1 else 0
    text = format(Decimal(f"{number:.{max(digits, whole)}g}"), "f")
    return text.rstrip("0").removesuffix(".") if "." in text else text


def readable(number: float, beside: float = math.nan) -> str:
    """Write a value as people do: noise after the ninth digit is rounded away.

    Parameters
    ----------
    number : float
        The value.
    beside : float, optional
        A level that the rounded value must lie on the same side of.

    Examples
    --------
    >>> from sugeno._scales.number import readable
    >>> readable(729.5264952072858), readable(12.100000381469727), readable(0.12345678)
    ('729.526', '12.1', '0.12345678')
    >>> readable(729.9999999999, 730), readable(44361.0)
    ('729.9999999999', '44361')
    """
    exact = shortest(number)
    if len(exact.partition("e")[0].lstrip("-0.").replace(".", "")) <= _WRITTEN_DIGITS:
        return exact
    for digits in range(6, 17):
        short = plain(number, digits)
        read = float(short)
        if (read < beside, read > beside) == (number < beside, number > beside):
            return short
    return exact


def separating_number(worse: float, better: float, near: float) -> str:
    """Write the shortest number that separates two neighbouring values of a criterion.

    It lies strictly beyond the worse value and not beyond the better one, also when it is read
    back as a double; of several numbers with as many digits the one nearest to ``near`` is taken.

    Parameters
    ----------
    worse, better : float
        Neighbouring observed values. For a criterion of which more is better ``worse < better``,
        for one of which less is better ``worse > better``.
    near : float
        The level, between the two.

    Returns
    -------
    str
        A decimal number.

    Examples
    --------
    >>> from sugeno._scales.number import separating_number
    >>> separating_number(12345.60, 12345.71, 12345.655)
    '12345.7'
    >>> separating_number(5.5, 7.2, 6.35), separating_number(4, 3, 3.5)
    ('6', '3')
    """
    if worse > better:
        mirrored = separating_number(-worse, -better, -near)
        if mirrored == "0":
            return mirrored
        return mirrored[1:] if mirrored.startswith("-") else f"-{mirrored}"
    # The decimals that people know the values by: the double 0.3 is a little less than 0.3.
    low, high, wanted = (Decimal(repr(float(number))) for number in (worse, better, near))
    top = max(abs(low), abs(high)).adjusted() if low or high else 0
    for exponent in range(min(top + 1, _LARGEST_EXPONENT), _SMALLEST_EXPONENT, -1):
        found = _multiple_between(low, high, wanted, exponent)
        if found is not None and worse < found <= better:
            return shortest(found)
    return shortest(better)


def _multiple_between(low: Decimal, high: Decimal, wanted: Decimal, exponent: int) -> float | None:
    """Multiple of a power of ten in (low, high] that is nearest to a number, if there is one."""
    first = math.floor(low.scaleb(-exponent)) + 1
    last = math.floor(high.scaleb(-exponent))
    if first > last:
        return None
    chosen = min(max(round(wanted.scaleb(-exponent)), first), last)
    return float(Decimal(chosen).scaleb(exponent))
