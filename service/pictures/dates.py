"""Writes dates in English in every locale, and finds round times for the ticks of an axis."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from service.pictures.scales import Tick

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS: Final = (1, 2, 7, 14)
_HOURS: Final = (1, 3, 6, 12)
_MONTH_STEPS: Final = (1, 2, 3, 6, 12, 24, 60, 120)


def instant(text: str) -> datetime:
    """Return the time of an RFC 3339 text, in UTC."""
    return datetime.fromisoformat(text).astimezone(UTC)


def day(at: datetime) -> str:
    """Return a date as text, such as `24 November 2026`."""
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


def minute(at: datetime) -> str:
    """Return a time in UTC as text, such as `24 November 2026, 19:53 UTC`."""
    return f"{day(at)}, {at:%H:%M} UTC"


def time_ticks(first: datetime, last: datetime, most: int) -> list[Tick]:
    """Return at most `most` round times from `first` to `last`, with their labels: hours, days, months or years."""
    for hours in _HOURS:
        start = first.replace(hour=0, minute=0, second=0, microsecond=0)
        found = _ticks_between(first, last, start, timedelta(hours=hours), most)
        if found is not None:
            return [Tick(at.timestamp(), f"{at:%H:%M}") for at in found]
    for days in _DAYS:
        start = first.replace(hour=0, minute=0, second=0, microsecond=0)
        start -= timedelta(days=start.toordinal() % days)
        found = _ticks_between(first, last, start, timedelta(days=days), most)
        if found is not None:
            return [Tick(at.timestamp(), f"{at.day} {_MONTHS[at.month - 1][:3]}") for at in found]
    for months in _MONTH_STEPS:
        number = (first.year * 12 + first.month - 1) // months * months
        found = []
        while (at := datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)) <= last and len(found) <= most:
            if at >= first:
                found.append(at)
            number += months
        if len(found) <= most:
            return [Tick(at.timestamp(), _month(at, months)) for at in found]
    return []


def _month(at: datetime, months: int) -> str:
    return str(at.year) if months >= 12 else f"{_MONTHS[at.month - 1][:3]} {at.year}"


def _ticks_between(
    first: datetime, last: datetime, start: datetime, step: timedelta, most: int
) -> list[datetime] | None:
    if (last - first) / step > most:
        return None
    found = []
    while start <= last:
        if start >= first:
            found.append(start)
        start += step
    return found if len(found) <= most else None
