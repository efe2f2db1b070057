"""Groups of numbers and dates, whose bounds the owner types.

Bounds become public, so they are never taken from the data. `static/groups.js` of the console has the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final

from private_posterior.commands.tabular import FileError, number_of

MOST_GROUPS: Final = 1_000
_NUMBER: Final = r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?"
_RANGE: Final = re.compile(rf"({_NUMBER})\s*(?:-|–|—|\bto\b)\s*({_NUMBER})")
_FROM: Final = re.compile(rf"({_NUMBER})\s*\+")
_BEYOND: Final = re.compile(rf"(<=|>=|<|>|≤|≥)\s*({_NUMBER})")
_NAMED: Final = re.compile(r"(.+?)\s*=\s*([^=]+)")
_BOUNDS: Final = re.compile(rf"from\s+({_NUMBER}(?:\s*,\s*{_NUMBER})*)")
_EVERY: Final = re.compile(r"every\s+([0-9]{1,15})\s+from\s+(-?[0-9]{1,15})\s+to\s+(-?[0-9]{1,15})")
_PERIODS: Final = re.compile(
    r"(month|quarter|year)s?(?:\s*\((day|month) first\))?"
    r"\s+from\s+([0-9]{4})(?:-([0-9]{2}))?\s+to\s+([0-9]{4})(?:-([0-9]{2}))?"
)
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})[-/.]?([0-9]{1,2})(?:[-/.]?[0-9]{1,2}(?:[T ].*)?)?")
_DAY: Final = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})(?:[T ].*)?")
_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}


@dataclass(frozen=True, slots=True)
class Group:
    """Numbers from `low` to `high`, and the public name. A bound belongs to the group unless it is open."""

    name: str
    low: float
    high: float
    is_low_open: bool = False
    is_high_open: bool = False

    def has(self, number: float) -> bool:
        above = number > self.low if self.is_low_open else number >= self.low
        return above and (number < self.high if self.is_high_open else number <= self.high)


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups that don't overlap, in order. For dates, a number is a month, counted from the year 0."""

    groups: tuple[Group, ...]
    is_date: bool = False
    order: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(group.name for group in self.groups)

    def number_of(self, text: str, separator: str = ",") -> float | None:
        """Return the number or month of a value, or None."""
        return month_of(text, self.order) if self.is_date else number_of(text, separator)

    def name_of(self, text: str, separator: str = ",") -> str | None:
        """Return the name of the group of a value; None if it is outside of all of them, or not a number or date."""
        number = self.number_of(text, separator)
        if number is None:
            return None
        return next((group.name for group in self.groups if group.has(number)), None)


def group_of(text: str) -> Group | None:
    """Return the group that a text describes: `0-17`, `65+`, `<18`, `0-17 = child`; None if it describes none.

    Bounds without decimals are whole: 0-17 ends below 18, so that it has 17.5.
    """
    text = text.strip()
    named = _NAMED.fullmatch(text)
    if named and (inner := _range_of(named[1])):
        return Group(named[2].strip(), inner.low, inner.high, inner.is_low_open, inner.is_high_open)
    return _range_of(text)


def _range_of(text: str) -> Group | None:
    text = text.strip()
    if found := _RANGE.fullmatch(text):
        low, high = float(found[1]), float(found[2])
        if low > high:
            raise FileError(f"the group {text} ends before it begins")
        is_whole = "." not in found[1] + found[2]
        return Group(text, low, high + is_whole, is_high_open=is_whole)
    if found := _FROM.fullmatch(text):
        return Group(text, float(found[1]), inf)
    if found := _BEYOND.fullmatch(text):
        bound = float(found[2])
        if "<" in found[1] or found[1] == "≤":
            return Group(text, -inf, bound, is_high_open=found[1] == "<")
        return Group(text, bound, inf, is_low_open=found[1] == ">")
    return None


def groups_of(text: str) -> Groups:
    """Return the groups that a rule describes. Raises FileError.

    A rule is a list (`0-17, 18-64, 65+`), lower bounds (`from 0, 18, 65`), steps (`every 10 from 0 to 99`) or periods
    (`month from 2020-01 to 2020-12`, `quarter …`, `year from 2018 to 2020`, `month (day first) …`).
    """
    rule = " ".join(text.split())
    if found := _BOUNDS.fullmatch(rule):
        bounds = [each.strip() for each in found[1].split(",")]
        made = [_between(low, high) for low, high in zip(bounds, [*bounds[1:], ""], strict=True)]
    elif found := _EVERY.fullmatch(rule):
        made = _steps(*map(int, found.groups()))
    elif found := _PERIODS.fullmatch(rule):
        return Groups(_periods(found), is_date=True, order=found[2] or "")
    else:
        parts = [part.strip() for part in rule.split(",")]
        ranges = [group_of(part) for part in parts]
        wrong = [part for part, group in zip(parts, ranges, strict=True) if group is None]
        if wrong:
            raise FileError(
                f"{wrong[0]!r} is not a group. Write groups as 0-17, 18-64, 65+; or from 0, 18, 65; or every 10 from 0 "
                "to 99; or month from 2020-01 to 2020-12"
            )
        made = [group for group in ranges if group is not None]
    return Groups(checked(made))


def checked(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return groups that don't overlap. Raises FileError."""
    if len(groups) > MOST_GROUPS:
        raise FileError(f"the rule makes {len(groups)} groups; at most {MOST_GROUPS} are allowed")
    ordered = sorted(groups, key=lambda group: (group.low, group.high))
    for one, other in pairwise(ordered):
        if one.high > other.low or (one.high == other.low and not one.is_high_open and not other.is_low_open):
            raise FileError(f"the groups {one.name} and {other.name} overlap")
    return tuple(groups)


def _between(low: str, high: str) -> Group:
    if not high:
        return Group(f"{low}+", float(low), inf)
    if float(high) <= float(low):
        raise FileError(f"the bounds {low} and {high} must rise")
    if "." in low + high:
        return Group(f"{low} to under {high}", float(low), float(high), is_high_open=True)
    last = int(high) - 1
    return Group(low if last == int(low) else f"{low}-{last}", float(low), float(high), is_high_open=True)


def _steps(step: int, first: int, last: int) -> list[Group]:
    if step < 1 or last < first:
        raise FileError("the steps must be at least 1, and rise")
    if (last - first) // step >= MOST_GROUPS:
        raise FileError(f"the rule makes more than {MOST_GROUPS} groups")
    return [_between(str(low), str(min(low + step, last + 1))) for low in range(first, last + 1, step)]


def _periods(found: re.Match[str]) -> tuple[Group, ...]:
    size = _MONTHS[found[1]]
    first = int(found[3]) * 12 + int(found[4] or 1) - 1
    last = int(found[5]) * 12 + int(found[6] or 12) - 1
    if not all(1 <= int(month or 1) <= 12 for month in (found[4], found[6])) or last < first:
        raise FileError("the months must be from 01 to 12, and rise")
    first -= first % size
    if (last - first) // size >= MOST_GROUPS:
        raise FileError(f"the rule makes more than {MOST_GROUPS} groups")
    return tuple(
        Group(_period(month, size), float(month), float(month + size), is_high_open=True)
        for month in range(first, last + 1, size)
    )


def _period(month: int, size: int) -> str:
    year = f"{month // 12:04}"
    return {1: f"{year}-{month % 12 + 1:02}", 3: f"{year}-Q{month % 12 // 3 + 1}", 12: year}[size]


def month_of(text: str, order: str = "") -> float | None:
    """Return the month of a date, counted from the year 0; None if it is not a date, or can be read in two ways.

    `order` says whether the day or the month is first in dates such as 03/04/2020.
    """
    text = text.strip()
    if found := _YEAR_FIRST.fullmatch(text):
        year, month = int(found[1]), int(found[2])
    elif found := _DAY.fullmatch(text):
        one, other, year = int(found[1]), int(found[3]), int(found[4])
        if order == "day" or found[2] == "." or one > 12 or one == other:
            month = other
        elif order == "month" or other > 12:
            month = one
        else:
            return None
    else:
        return None
    return float(year * 12 + month - 1) if 1 <= month <= 12 else None
