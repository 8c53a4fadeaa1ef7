"""Dates as tables write them: the year first, with dots or slashes, or the month in letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

__all__ = ["AMBIGUOUS", "DATES", "read_dates"]

#: What reading says of dates such as 03/04/2020.
AMBIGUOUS = "ambiguous"

#: Months by the first letters of their names, in English and in German.
_MONTHS = {
    **{"jan": 1, "feb": 2, "mar": 3, "mär": 3, "mrz": 3, "apr": 4, "may": 5, "mai": 5, "jun": 6},
    **{"jul": 7, "aug": 8, "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12, "dez": 12},
}
_NAMED = rf"({'|'.join(_MONTHS)})[a-zä]{{0,6}}\.?"
_TIME = r"(?:[T ](\d.*))?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})[-/](\d{{1,2}})[-/](\d{{1,2}}){_TIME}")
_YEAR_LAST = re.compile(rf"(\d{{1,2}})([./-])(\d{{1,2}})\2(\d{{4}}|(?<!-)\d{{2}}){_TIME}")
_DAY_MONTH = re.compile(rf"(\d{{1,2}})[-. ]*{_NAMED}[-, ]*(\d{{4}}|\d{{2}}){_TIME}", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"{_NAMED} (\d{{1,2}}),? (\d{{4}}){_TIME}", re.IGNORECASE)
#: What a cell with a date looks like.
DATES = (_YEAR_FIRST, _YEAR_LAST, _DAY_MONTH, _MONTH_DAY)
#: Years of two digits from this one on are of the last century, as POSIX has it.
_LAST_CENTURY = 69


def read_dates(texts: Sequence[str]) -> dict[str, datetime] | str | None:
    """Read texts that are dates, all written alike.

    With dots the day stands first. With slashes or hyphens a number above 12 shows which one it is.
    Months may be names in English or German. Years of two digits are those from 1969 to 2068.

    Parameters
    ----------
    texts : sequence of str
        The different cells of a column, without missing ones.

    Returns
    -------
    dict, "ambiguous" or None
        The date of each text; `AMBIGUOUS` where days and months cannot be told apart; None if
        not all of them are dates.

    Examples
    --------
    >>> from sugeno.cli.dates import read_dates
    >>> read_dates(["31.1.2026"]), read_dates(["2026-01-31", "today"])
    ({'31.1.2026': datetime.datetime(2026, 1, 31, 0, 0)}, None)
    >>> read_dates(["5-Mar-26"])
    {'5-Mar-26': datetime.datetime(2026, 3, 5, 0, 0)}
    >>> read_dates(["03/04/2026"]), read_dates(["03/04/2026", "03/14/2026"])["03/04/2026"]
    ('ambiguous', datetime.datetime(2026, 3, 4, 0, 0))
    """
    found = _parts(texts, _YEAR_FIRST)
    if found is not None:
        return _dates(texts, [(y, m, d, time) for y, m, d, time in found])
    found = _parts(texts, _DAY_MONTH)
    if found is not None:
        return _dates(texts, [(y, _month(m), d, time) for d, m, y, time in found])
    found = _parts(texts, _MONTH_DAY)
    if found is not None:
        return _dates(texts, [(y, _month(m), d, time) for m, d, y, time in found])
    found = _parts(texts, _YEAR_LAST)
    if found is None:
        return None
    dotted = all(mark == "." for _, mark, *_ in found)
    pairs = [(int(one[0]), int(one[2])) for one in found]
    if not dotted and max(map(max, pairs)) <= 12 and any(a != b for a, b in pairs):
        return AMBIGUOUS
    day_first = dotted or max(pairs)[0] > 12
    return _dates(
        texts,
        [(y, b, a, time) if day_first else (y, a, b, time) for a, _, b, y, time in found],
    )


def _parts(texts: Sequence[str], pattern: re.Pattern[str]) -> list[tuple[str, ...]] | None:
    """The parts of all texts; None if one of them has another form."""
    found = [pattern.fullmatch(text) for text in texts]
    return [one.groups(default="") for one in found if one] if texts and all(found) else None


def _month(name: str) -> str:
    return str(_MONTHS[name.casefold()])


def _year(text: str) -> str:
    """A year of four digits."""
    if len(text) == 4:
        return text
    return f"{'19' if int(text) >= _LAST_CENTURY else '20'}{text}"


def _dates(
    texts: Sequence[str], parts: Sequence[tuple[str, str, str, str]]
) -> dict[str, datetime] | None:
    """Dates of their parts; None if there is no such day, or time of day."""
    read = {}
    for text, (year, month, day, time) in zip(texts, parts):
        written = f"{_year(year)}-{int(month):02d}-{int(day):02d}" + (
            f"T{_padded(time)}" if time else ""
        )
        try:
            read[text] = datetime.fromisoformat(written).replace(tzinfo=None)
        except ValueError:
            return None
    return read


def _padded(time: str) -> str:
    """A time of day with two digits for hours."""
    return f"0{time}" if re.match(r"\d:", time) else time
