"""The units of guessed shares, differences and ratios, in which a plan states intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, floor, inf, log10
from typing import Final

from service.pictures.rows import significant
from service.pictures.scales import PER_100_000, PLAIN, POINTS, Unit, grouped, unit_of_shares

UPPER_LOWER: Final = "upper/lower "
_MOST_LOG: Final = 700.0
"""Largest logarithm of a ratio: `/v1` cuts larger ones."""


@dataclass(frozen=True, slots=True)
class ShareUnit:
    """The unit of a share, or of a difference of shares, and its intervals: percent, or per 100 000 for rare shares."""

    share: float
    difference: float | None = None

    what = "± half the width of the 95 % interval"

    @property
    def _unit(self) -> Unit:
        return unit_of_shares(self.share)

    @property
    def of_widths(self) -> Unit:
        return PER_100_000 if self._unit is PER_100_000 else POINTS

    @property
    def unit(self) -> str:
        return self._unit.name if self.difference is None else self.of_widths.name

    @property
    def width_unit(self) -> str:
        """The name of the unit of half-widths and interval ends."""
        return self.of_widths.name

    @property
    def _factor(self) -> float:
        return self._unit.factor

    def plotted(self, width: float) -> float:
        """Return half of an interval's width."""
        return width / 2

    def half(self, width: float) -> str:
        """Return half of an interval's width, with two digits and without its unit."""
        half = self._factor * width / 2
        return _round_value(half, _decimals(half))

    def shown(self, width: float) -> str:
        """Return half of an interval's width with its sign."""
        return f"± {self.half(width)}"

    def ends(self, interval: Mapping[str, float]) -> str:
        """Return both ends of an interval, with as many decimals as its half-width."""
        decimals = _decimals(self._factor * (interval["high"] - interval["low"]) / 2)
        low, high = (_round_value(self._factor * interval[end], decimals) for end in ("low", "high"))
        return f"{low} to {high}"

    def value(self) -> str:
        """Return the share or the difference with its unit."""
        value = self._factor * (self.share if self.difference is None else self.difference)
        return f"{_round_value(value, _decimals(value))}\N{NO-BREAK SPACE}{self.unit}"


@dataclass(frozen=True, slots=True)
class RatioUnit:
    """A ratio and its intervals, whose width is the natural logarithm of high over low."""

    ratio: float

    what = "upper/lower: the upper end of the 95 % interval, divided by the lower one"
    of_widths = PLAIN
    unit = ""
    width_unit = ""

    def plotted(self, width: float) -> float:
        """Return the upper end of an interval divided by the lower one."""
        return exp(min(width, _MOST_LOG))

    def shown(self, width: float) -> str:
        """Return the upper end divided by the lower one, with its name."""
        return f"{UPPER_LOWER}{significant(self.plotted(width))}"

    def ends(self, interval: Mapping[str, float]) -> str:
        return f"{significant(interval['low'])} to {significant(interval['high'])}"

    def value(self) -> str:
        return significant(self.ratio, 2)


def _decimals(value: float) -> int:
    """Return the number of decimals that shows two significant digits; below 0 for a value from 100 on."""
    return 1 - floor(log10(abs(float(f"{value:.2g}")))) if value else 0


def _round_value(value: float, decimals: int) -> str:
    return grouped(round(value, decimals), max(0, decimals))


def unit_of(kind: str, shares: Sequence[float]) -> ShareUnit | RatioUnit:
    """Return the unit of a kind of question, for guessed shares."""
    if kind == "share":
        return ShareUnit(shares[0])
    first, second = shares
    if kind == "difference":
        return ShareUnit(max(shares), first - second)
    above, below = first, second
    if kind == "odds_ratio":
        above, below = first * (1.0 - second), second * (1.0 - first)
    return RatioUnit(above / below if below else inf)
