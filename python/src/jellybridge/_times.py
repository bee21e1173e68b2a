"""Times of patches: as users give them, as Java counts them, and in headers."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import Union

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_XSD_DATE_TIME = "http://www.w3.org/2001/XMLSchema#dateTime"
#: A pattern of the header ``time`` in the forms that a log counts; its group is the time. Spark would accept more.
HEADER = (r'^"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.]\d+)?(?:Z|[+-]\d\d:\d\d))"'
          rf'(?:\^\^<{_XSD_DATE_TIME}>)?$')
#: The first and the last time that a log counts.
YEARS = ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z")


def moment(time: Union[datetime, str]) -> datetime:
    """Parses a time. A time without a zone is in UTC.

    Raises:
        ValueError: the value is not a time.
    """
    if isinstance(time, str):
        # Python 3.10 takes an offset and no Z, and a fraction of three or six digits.
        text = re.sub(r"\.([0-9]+)", lambda found: f".{found[1][:6]:0<6}", re.sub("Z$", "+00:00", time))
        text = re.sub(r"^([0-9]{4}-[0-9]{2}-[0-9]{2})([+-][0-9]{2}:[0-9]{2})$", r"\1T00:00:00\2", text)
        try:
            time = datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(f"time={time!r}: must be a time such as 2024-05-01T12:00:00Z") from None
    if not isinstance(time, datetime):
        raise ValueError(f"time={time!r}: must be a datetime or text")
    return time if time.tzinfo is not None else time.replace(tzinfo=timezone.utc)


def age(text: str) -> timedelta:
    """Parses an age.

    >>> age("12h")
    datetime.timedelta(seconds=43200)

    Raises:
        ValueError: the text is not an age.
    """
    match = re.fullmatch("([0-9]{1,6})([smhdw])", text)
    if match is None:
        raise ValueError(f"{text} is no age such as 30d, 12h, 90m, 45s or 8w")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def millis(time: Union[datetime, str]) -> int:
    """Returns the milliseconds since 1970."""
    return (moment(time) - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(milliseconds=1)


def time_literal(text: str) -> str:
    """Returns an ``xsd:dateTime`` in N-Triples, as in a header."""
    return f'"{text}"^^<{_XSD_DATE_TIME}>'
