"""Dates as numbers, days since 1970, and back."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import numpy as np

__all__ = ["date_text", "days_of"]

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
