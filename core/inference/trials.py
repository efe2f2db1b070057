"""A trial: an outcome in two groups of the records, with the figures that a report gives about it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.cells import CellSet
from core.inference.contrast_scales import Contrast
from core.inference.contrasts import DrawnDistribution, OnScale, TwoShareContrast
from core.inference.counts import InferenceError
from core.inference.distribution import tail_of_level
from core.inference.events import (
    Answered,
    Share,
    contrast_distributions,
    contrasts_between,
    share_distribution,
)
from core.inference.posterior import NoiseAwarePosterior


@dataclass(frozen=True, slots=True)
class LogOddsRatio:
    """The posterior mean and standard deviation of the natural logarithm of the odds ratio.

    Both exist under every prior. `standard_error` is that of the mean: 0 if both are sums over the distribution of the
    counts.
    """

    mean: float
    standard_deviation: float
    standard_error: float
    distribution: OnScale
    """That of the odds ratio. Its coordinate is the logarithm, which need not be that of any float."""

    @property
    def median(self) -> float:
        return self.distribution.coordinate_of_tail(0.5, upper=False)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the central credible interval; an end is infinite if the draws don't limit it."""
        tail = tail_of_level(level)
        low, high = (self.distribution.end_of_coordinate(tail, upper=upper) for upper in (False, True))
        return low, high


@dataclass(frozen=True, slots=True)
class NumbersNeeded:
    """The numbers 1 / |d| for all differences of risks d = x − y in an interval, apart by the sign of d.

    `fewer` has the smallest and the largest 1 / |d| for d < 0: among this number of people, one fewer has the outcome
    in the first group than in the second. `more` has those for d > 0. Either is None if the interval has no such
    difference. If the interval has differences of both signs, it contains d = 0, and both largest numbers are infinite.
    """

    fewer: tuple[float, float] | None
    more: tuple[float, float] | None

    @classmethod
    def of_interval(cls, low: float, high: float) -> NumbersNeeded:
        """Return the numbers of the differences from `low` to `high`, rounded outward."""
        return cls(
            fewer=_numbers(-min(high, 0.0), -low) if low < 0.0 else None,
            more=_numbers(max(low, 0.0), high) if high > 0.0 else None,
        )


def _numbers(least: float, most: float) -> tuple[float, float]:
    """Return 1 / most and 1 / least, rounded outward. No number is below 1, as no difference exceeds 1."""
    low = max(1.0, math.nextafter(1.0 / most, 0.0)) if 1.0 / most < math.inf else math.inf
    high = math.nextafter(1.0 / least, math.inf) if least > 0.0 and 1.0 / least < math.inf else math.inf
    return low, high


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """The risks x and y of an outcome in the first and in the second group, and their contrasts."""

    first: Answered
    second: Answered
    difference: Answered
    ratio: Answered
    odds_ratio: Answered

    @property
    def log_odds_ratio(self) -> LogOddsRatio:
        """Return the mean and the standard deviation of the logarithm of the odds ratio."""
        distribution = self.odds_ratio.distribution
        assert isinstance(distribution, DrawnDistribution | TwoShareContrast), "it is a contrast of two groups"
        mean, deviation = distribution.moments_of_coordinate()
        size = distribution.coordinates.size if isinstance(distribution, DrawnDistribution) else None
        return LogOddsRatio(mean, deviation, 0.0 if size is None else deviation / math.sqrt(size), distribution)


def trial(posterior: NoiseAwarePosterior, outcome: CellSet, first: CellSet, second: CellSet) -> Trial:
    """Return the posterior of a trial: of the outcome's cells among those of each group.

    Raises InferenceError if the groups have common cells, or if one of them has none of the outcome's cells, or only
    those.
    """
    if first & second:
        raise InferenceError("the two groups have common records")
    return trial_between((posterior, Share(outcome & first, first)), (posterior, Share(outcome & second, second)))


def trial_between(first: tuple[NoiseAwarePosterior, Share], second: tuple[NoiseAwarePosterior, Share]) -> Trial:
    """Return the trial whose risks are two shares of one posterior, or of independent posteriors of two data sets."""
    (posterior, risk), (_, other) = first, second
    contrasts = [Contrast.DIFFERENCE, Contrast.RATIO, Contrast.ODDS_RATIO]
    return Trial(
        share_distribution(*first),
        share_distribution(*second),
        *(
            contrast_distributions(posterior, risk, other, contrasts)
            if posterior is second[0]
            else contrasts_between(first, second, contrasts)
        ),
    )
