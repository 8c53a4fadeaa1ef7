"""Dates as numbers, days since 1970, and back."""

from __future__ import annotations

import math
from datetime import date, datetime, timedelta

import numpy as np

_EPOCH = datetime(1970, 1, 1)


def days_of(value: date | timedelta | np.datetime64 | np.timedelta64 | str) -> float:
    """Return a date in days since 1970, a duration in days; a text is a date of ISO 8601.

    Examples
    --------
    >>> from datetime import date, timedelta
    >>> from sugeno._scales.dates import days_of
    >>> days_of(date(2020, 1, 1)), days_of("2020-01-01"), days_of(timedelta(hours=12))
    (18262.0, 18262.0, 0.5)
    """
    if isinstance(value, timedelta | np.timedelta64):
        return float(np.timedelta64(value) / np.timedelta64(1, "D"))
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, np.datetime64):
        return float((value - np.datetime64(_EPOCH)) / np.timedelta64(1, "D"))
    if not isinstance(value, datetime):
        return float(value.toordinal() - _EPOCH.toordinal())
    return (value.replace(tzinfo=None) - _EPOCH) / timedelta(days=1)


def date_text(days: float) -> str:
    """Write days since 1970 as a date, with the time of day where there is one.

    Examples
    --------
    >>> from sugeno._scales.dates import date_text
    >>> date_text(18262), date_text(18262.5)
    ('2020-01-01', '2020-01-01 12:00:00')
    """
    moment = np.datetime64(0, "s") + np.timedelta64(round(days * 86400), "s")
    return str(moment.astype("M8[D]") if float(days).is_integer() else moment).replace("T", " ")


def separating_date(worse: float, better: float) -> float:
    """Return the roundest date that separates two neighbouring ones, in days since 1970.

    The first one of a year, else of a month, of a day, an hour or a minute, that lies beyond the
    worse date and not beyond the better one; of several of a kind the one nearest to the better.

    Parameters
    ----------
    worse, better : float
        Neighbouring dates of a criterion, ``worse > better`` where earlier is better.

    Examples
    --------
    >>> from sugeno._scales.dates import date_text, days_of, separating_date
    >>> found = separating_date(days_of("2023-07-03 09:15"), days_of("2023-07-05 18:43"))
    >>> date_text(found), separating_date(8.2, 8.0), separating_date(9.5, 7.5)
    ('2023-07-05', 8.0, 8.0)
    """
    if not math.isfinite(worse) or not math.isfinite(better):
        return better
    low, high = sorted((worse, better))
    for unit in ("Y", "M", "D", "h", "m"):
        found = _beside(better, unit, later=worse > better)
        if low <= found <= high and found != worse:
            return found
    return better


def _beside(days: float, unit: str, *, later: bool) -> float:
    """The last beginning of a year, month, day, … until a date, or the first from it on."""
    moment = np.datetime64(0, "us") + np.timedelta64(round(days * 86_400_000_000), "us")
    begun = moment.astype(f"M8[{unit}]")
    if later and begun.astype("M8[us]") < moment:
        begun += 1
    return days_of(begun.astype("M8[us]"))
