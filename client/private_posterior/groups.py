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

from private_posterior.errors import NotATable

MOST_GROUPS: Final = 1_000
_NUMBER: Final = r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?"
_RANGE: Final = re.compile(rf"({_NUMBER})\s*(?:-|–|—|\bto\b)\s*({_NUMBER})")
_OPEN_INTERVAL: Final = re.compile(rf"({_NUMBER})\s*\+")
_HALF_LINE: Final = re.compile(rf"(<=|>=|<|>|≤|≥)\s*({_NUMBER})")
_NAMED_GROUP: Final = re.compile(r"(.+?)\s*=\s*([^=]+)")
_BOUNDS: Final = re.compile(rf"from\s+({_NUMBER}(?:\s*,\s*{_NUMBER})*)")
_EQUAL_STEPS: Final = re.compile(r"every\s+([0-9]{1,15})\s+from\s+(-?[0-9]{1,15})\s+to\s+(-?[0-9]{1,15})")
_PERIODS: Final = re.compile(
    r"(month|quarter|year)s?\s+from\s+([0-9]{4})(?:-([0-9]{2}))?\s+to\s+([0-9]{4})(?:-([0-9]{2}))?"
)
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

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(group.name for group in self.groups)


def groups(*bounds: float | str) -> Groups:
    """Return groups of numbers from lower bounds, or groups that one text describes. Raises NotATable.

    `groups(0, 18, 65)` has the names 0-17, 18-64 and 65+. `groups("every 10 from 0 to 99")` and `groups("month from
    2020-01 to 2020-12")` are texts.
    """
    if len(bounds) == 1 and isinstance(bounds[0], str):
        return groups_of(bounds[0])
    return groups_of("from " + ", ".join(map(str, bounds)))


def group_of(text: str) -> Group | None:
    """Return the group that a text describes: `0-17`, `65+`, `<18`, `0-17 = child`; None if it describes none.

    Bounds without decimals are whole: 0-17 ends below 18, so that it has 17.5.
    """
    text = text.strip()
    named = _NAMED_GROUP.fullmatch(text)
    if named and (inner := _range_of(named[1])):
        return Group(named[2].strip(), inner.low, inner.high, inner.is_low_open, inner.is_high_open)
    return _range_of(text)


def _range_of(text: str) -> Group | None:
    text = text.strip()
    if found := _RANGE.fullmatch(text):
        low, high = float(found[1]), float(found[2])
        if low > high:
            raise NotATable(f"the group {text} ends before it begins")
        is_whole = "." not in found[1] + found[2]
        return Group(text, low, high + is_whole, is_high_open=is_whole)
    if found := _OPEN_INTERVAL.fullmatch(text):
        return Group(text, float(found[1]), inf)
    if found := _HALF_LINE.fullmatch(text):
        bound = float(found[2])
        if "<" in found[1] or found[1] == "≤":
            return Group(text, -inf, bound, is_high_open=found[1] == "<")
        return Group(text, bound, inf, is_low_open=found[1] == ">")
    return None


def groups_of(text: str) -> Groups:
    """Return the groups that a rule describes. Raises NotATable.

    A rule is a list (`0-17, 18-64, 65+`), lower bounds (`from 0, 18, 65`), steps (`every 10 from 0 to 99`) or periods
    (`month from 2020-01 to 2020-12`, `quarter …`, `year from 2018 to 2020`).
    """
    rule = " ".join(text.split())
    if found := _BOUNDS.fullmatch(rule):
        bounds = [each.strip() for each in found[1].split(",")]
        made = [_group_between(low, high) for low, high in zip(bounds, [*bounds[1:], ""], strict=True)]
    elif found := _EQUAL_STEPS.fullmatch(rule):
        made = _steps(*map(int, found.groups()))
    elif found := _PERIODS.fullmatch(rule):
        return Groups(_periods(found), is_date=True)
    else:
        parts = [part.strip() for part in rule.split(",")]
        ranges = [group_of(part) for part in parts]
        wrong = [part for part, group in zip(parts, ranges, strict=True) if group is None]
        if wrong:
            raise NotATable(
                f"{wrong[0]!r} is not a group. Write groups as 0-17, 18-64, 65+; or from 0, 18, 65; or every 10 from 0 "
                "to 99; or month from 2020-01 to 2020-12"
            )
        made = [group for group in ranges if group is not None]
    return Groups(checked(made))


def checked(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return groups that don't overlap. Raises NotATable."""
    if len(groups) > MOST_GROUPS:
        raise NotATable(f"the rule makes {len(groups)} groups; at most {MOST_GROUPS} are allowed")
    ordered = sorted(groups, key=lambda group: (group.low, group.high))
    for one, other in pairwise(ordered):
        if one.high > other.low or (one.high == other.low and not one.is_high_open and not other.is_low_open):
            raise NotATable(f"the groups {one.name} and {other.name} overlap")
    return tuple(groups)


def _group_between(low: str, high: str) -> Group:
    if not high:
        return Group(f"{low}+", float(low), inf)
    if float(high) <= float(low):
        raise NotATable(f"the bounds {low} and {high} must rise")
    if "." in low + high:
        return Group(f"{low} to under {high}", float(low), float(high), is_high_open=True)
    last = int(high) - 1
    return Group(low if last == int(low) else f"{low}-{last}", float(low), float(high), is_high_open=True)


def _steps(step: int, first: int, last: int) -> list[Group]:
    if step < 1 or last < first:
        raise NotATable("the steps must be at least 1, and rise")
    if (last - first) // step >= MOST_GROUPS:
        raise NotATable(f"the rule makes more than {MOST_GROUPS} groups")
    return [_group_between(str(low), str(min(low + step, last + 1))) for low in range(first, last + 1, step)]


def _periods(found: re.Match[str]) -> tuple[Group, ...]:
    size = _MONTHS[found[1]]
    first = int(found[2]) * 12 + int(found[3] or 1) - 1
    last = int(found[4]) * 12 + int(found[5] or 12) - 1
    if not all(1 <= int(month or 1) <= 12 for month in (found[3], found[5])) or last < first:
        raise NotATable("the months must be from 01 to 12, and rise")
    first -= first % size
    if (last - first) // size >= MOST_GROUPS:
        raise NotATable(f"the rule makes more than {MOST_GROUPS} groups")
    return tuple(
        Group(_period(month, size), float(month), float(month + size), is_high_open=True)
        for month in range(first, last + 1, size)
    )


def _period(month: int, size: int) -> str:
    year = f"{month // 12:04}"
    return {1: f"{year}-{month % 12 + 1:02}", 3: f"{year}-Q{month % 12 // 3 + 1}", 12: year}[size]
