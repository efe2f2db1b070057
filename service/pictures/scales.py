"""Maps values to pixels, and writes shares, ratios and ticks as people read them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

_MIN_RANGE: Final = 1e-9
"""Smallest length of a linear scale of shares. Below it, ticks have no digits left."""
_MOST_DECIMALS: Final = 12
_MAX_DECIMALS: Final = 6
"""Largest number of decimals beside a picture."""
_SMALL_NUMBER: Final = 1e-4
"""Numbers below it that need more decimals are written with an exponent."""
_LARGEST_PLAIN_VALUE: Final = 1e7
_MAX_LISTED_VALUES: Final = 6
"""Largest number of prior parameters that are listed. Of a longer prior, the text states the sum."""
_LEAST_PLAIN_VALUE: Final = 1e-6


def grouped(number: float, decimals: int = 0) -> str:
    """Return the number with its digits in groups of three, and a true minus sign."""
    return f"{number:z,.{decimals}f}".replace(",", "\N{NARROW NO-BREAK SPACE}").replace("-", "\N{MINUS SIGN}")


class Tick(NamedTuple):
    """A labelled value on an axis."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class LinearScale:
    """A linear map from values in [low, high] to pixels in [start, end]."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int, factor: float = 1.0) -> list[Tick]:
        """Return at most `most` round values within the range, with their labels, in units of 1 / `factor`."""
        low, high = factor * self.low, factor * self.high
        step = _round_step((high - low) / max(1, most))
        while math.floor(high / step + 1e-9) - math.ceil(low / step - 1e-9) + 1 > max(1, most):
            step = _round_step(step * 1.01)
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        numbers = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        return [Tick(number * step / factor, grouped(number * step, decimals)) for number in numbers]


@dataclass(frozen=True, slots=True)
class LogScale:
    """A logarithmic map from values in [low, high], 0 < low < high, to pixels in [start, end]."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + math.log(value / self.low) / math.log(self.high / self.low) * (self.end - self.start)

    def ticks(self, most: int, factor: float = 1.0) -> list[Tick]:
        """Return at most `most` round values within the range, with their labels, in units of 1 / `factor`.

        They are 1, 2 and 5 times each power of ten, or 1 and 3 times, or the powers only, or every second power, and so
        on.
        """
        low, high = factor * self.low, factor * self.high
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        found: list[float] = []
        for factors, step in ((1, 2, 5), 1), ((1, 3), 1), *(((1,), step) for step in range(1, len(powers) + 1)):
            values = [digit * 10.0**power for power in powers if power % step == 0 for digit in factors]
            found = [value for value in values if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
            if len(found) <= most:
                break
        if len(found) < 2 <= most:  # the range is less than a decade and has at most one round value
            return LinearScale(self.low, self.high, self.start, self.end).ticks(most, factor)
        return [Tick(value / factor, plain_number(value)) for value in found]


Scale: TypeAlias = LinearScale | LogScale


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))


def plain_number(value: float) -> str:
    """Return the number with at most six significant digits, without an exponent unless it is very small or large."""
    if value == 0 or _LEAST_PLAIN_VALUE <= abs(value) < _LARGEST_PLAIN_VALUE:
        decimals = 0 if value == 0 else min(max(0, 5 - math.floor(math.log10(abs(value)))), _MOST_DECIMALS)
        text = grouped(value, decimals)
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of values. `suffix` follows the number, and `name` is used in the title of an axis."""

    factor: float
    name: str
    suffix: str
    in_ticks: str = ""

    def write(self, value: float, decimals: int) -> str:
        number = self.factor * value
        if decimals > _MAX_DECIMALS and 0.0 < abs(number) < _SMALL_NUMBER:
            return f"{number:.2g}"
        return grouped(number, min(decimals, _MAX_DECIMALS))


PERCENT: Final = Unit(100.0, "%", " %", " %")
PER_100_000: Final = Unit(100_000.0, "per 100\u202f000", " per 100\u202f000")
POINTS: Final = Unit(100.0, "percentage points", " points")
PLAIN: Final = Unit(1.0, "", "")
_MAX_RARE_SHARE: Final = 0.01
"""Shares below it are written per 100 000."""


def unit_of_shares(smallest: float) -> Unit:
    """Return the unit of several shares, given the smallest."""
    return PER_100_000 if smallest < _MAX_RARE_SHARE else PERCENT


def unit_of_differences(farthest: float) -> Unit:
    """Return the unit of several differences of shares, given the one farthest from 0."""
    return PER_100_000 if abs(farthest) < _MAX_RARE_SHARE else POINTS


def decimals_for(width: float) -> int:
    """Return the number of decimals that shows two or three significant digits of a width."""
    if not width > 0 or not math.isfinite(width):
        return 2
    return min(max(0, math.ceil(1.25 - math.log10(width))), _MOST_DECIMALS)


def prior_text(prior: Sequence[float]) -> str:
    """Return the parameters of a prior in words."""
    if len(set(prior)) == 1:
        return f"{plain_number(prior[0])} in each category"
    if len(prior) <= _MAX_LISTED_VALUES:
        return "; ".join(map(plain_number, prior))
    return f"{len(prior)} different numbers, {plain_number(math.fsum(prior))} in all"


def figures(unit: Unit, value: float | None, low: float, high: float) -> str:
    """Return a value with its interval, such as `3.24 % (2.91 to 3.58)`, or only the interval if there is no value."""
    decimals = decimals_for(unit.factor * (high - low))
    ends = f"{unit.write(low, decimals)} to {unit.write(high, decimals)}"
    if value is None:
        return f"{ends}{unit.suffix}"
    if unit is PER_100_000:
        return f"{unit.write(value, decimals)} ({ends}){unit.suffix}"
    return f"{unit.write(value, decimals)}{unit.suffix} ({ends})"


def span(values: Iterable[float], *, room: float = 0.06, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the range of a linear axis that shows these values with a small margin, within `bounds`."""
    shown = [min(max(value, bounds[0]), bounds[1]) for value in values]
    if not shown:
        return bounds
    low, high = min(shown), max(shown)
    if high - low < _MIN_RANGE:
        low = min(max(bounds[0], low - _MIN_RANGE / 2), bounds[1] - _MIN_RANGE)
        return low, low + _MIN_RANGE
    extra = room * (high - low)
    return max(bounds[0], low - extra), min(bounds[1], high + extra)
