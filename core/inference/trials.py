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
from core.inference.records import contrasts_of_records, share_of_records


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
    """The distribution of the odds ratio, on the logarithmic scale, because the ratio itself can exceed all floats."""

    @property
    def median(self) -> float:
        return self.distribution.coordinate_of_tail(0.5, upper=False)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the central credible interval; an end is infinite if the draws don't limit it."""
        tail = tail_of_level(level)
        low, high = (self.distribution.end_of_coordinate(tail, upper=upper) for upper in (False, True))
        return low, high


def number_needed(low: float, high: float) -> tuple[float, float] | None:
    """Return the smallest and the largest number needed, 1 / |d|, for all differences of risks d from `low` to `high`.

    They are rounded outward, and not below 1, as no difference exceeds 1. Return None if the interval holds 0.
    """
    if low <= 0.0 <= high:
        return None
    least, most = min(abs(low), abs(high)), max(abs(low), abs(high))
    return max(1.0, math.nextafter(1.0 / most, 0.0)), math.nextafter(1.0 / least, math.inf)


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
        """Return the mean and the standard deviation of the logarithm of the odds ratio of a population."""
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


def trial_between(
    first: tuple[NoiseAwarePosterior, Share], second: tuple[NoiseAwarePosterior, Share], *, of_records: bool = False
) -> Trial:
    """Return the trial whose risks are two shares of one posterior, or of independent posteriors of two data sets.

    `of_records`: it is about the records, not about the population.
    """
    contrasts = [Contrast.DIFFERENCE, Contrast.RATIO, Contrast.ODDS_RATIO]
    if of_records:
        return Trial(
            share_of_records(*first), share_of_records(*second), *contrasts_of_records(first, second, contrasts)
        )
    (posterior, risk), (_, other) = first, second
    return Trial(
        share_distribution(*first),
        share_distribution(*second),
        *(
            contrast_distributions(posterior, risk, other, contrasts)
            if posterior is second[0]
            else contrasts_between(first, second, contrasts)
        ),
    )
