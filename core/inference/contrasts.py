"""The law of a contrast of two shares: their difference, their ratio or their odds ratio, by an integral or by
draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import special

from core.inference.beta_pairs import BetaPairs
from core.inference.mixture import ProbabilityError
from core.samplers.reproducible import Reproducible
from core.special_functions import beta_kernel

_MAX_HALVINGS: Final = 4
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_LEVELS: Final = (1e-13, 1e-9, 1e-6, 1e-4, 1e-2, 0.1, 0.5)
_MAX_LOG: Final = 690.0
_FAR: Final = 36.0
_WIDEST: Final = 5.0
_WANTED: Final = 1e-11
_BRACKETING_DRAWS: Final = 4000
_SETTLED: Final = 1e-11
"""Of how widely a contrast is spread: to so much its quantiles are found."""
_LEAST_SPREAD: Final = 1e-16
_LEAST_RTOL: Final = 4.0 * float(np.finfo(float).eps)

OfPoints: TypeAlias = Callable[[float, NDArray[np.float64]], NDArray[np.float64]]
"""A function of a value of the contrast and of an array of points, elementwise in these."""


class Contrast(StrEnum):
    """What is said of two shares x and y."""

    DIFFERENCE = "difference"
    """x − y."""
    RATIO = "ratio"
    """x / y, as a risk ratio."""
    ODDS_RATIO = "odds_ratio"
    """(x / (1 − x)) / (y / (1 − y))."""

    def of(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Elementwise."""
        with np.errstate(divide="ignore", over="ignore"):
            match self:
                case Contrast.DIFFERENCE:
                    return x - y
                case Contrast.RATIO:
                    return x / y
                case Contrast.ODDS_RATIO:
                    odds: NDArray[np.float64] = (x / (1.0 - x)) / (y / (1.0 - y))
                    return odds

    @property
    def equal(self) -> float:
        """Its value where both shares are the same."""
        return 0.0 if self is Contrast.DIFFERENCE else 1.0


@dataclass(frozen=True, slots=True, eq=False)
class DrawnLaw:
    """The law of some independent draws, sorted."""

    values: NDArray[np.float64]

    @property
    def mean(self) -> float | None:
        """None where a draw is infinite."""
        mean = float(self.values.mean())
        return mean if math.isfinite(mean) else None

    @property
    def standard_deviation(self) -> float | None:
        return None if self.mean is None else float(self.values.std())

    def cdf(self, at: float) -> float:
        return float(np.searchsorted(self.values, at, side="right")) / self.values.size

    def survival(self, at: float) -> float:
        return 1.0 - self.cdf(at)

    def between(self, low: float, high: float) -> float:
        return max(0.0, self.cdf(high) - self.cdf(low))

    def quantile(self, probability: float) -> float:
        if not 0.0 < probability < 1.0:
            raise ProbabilityError("a probability lies strictly between 0 and 1")
        return float(np.quantile(self.values, probability, method="inverted_cdf"))

    def interval(self, level: float) -> tuple[float, float]:
        if not 0.0 < level < 1.0:
            raise ProbabilityError("the level of an interval lies strictly between 0 and 1")
        return self.quantile((1.0 - level) / 2.0), self.quantile((1.0 + level) / 2.0)


class Rising(StrEnum):
    """A contrast that rises with one share x, which may be 0 or 1 but for less than rounding: by the logit of x."""

    ODDS = "odds"
    """x / (1 − x)."""
    SHARE = "share"
    """x."""
    LESS_THE_REST = "less the rest"
    """2x − 1."""
    LESS_ONE = "less one"
    """x − 1."""

    def of(self, logit: float) -> float:
        """The contrast."""
        match self:
            case Rising.ODDS:
                return math.exp(min(logit, _MAX_LOG))
            case Rising.SHARE:
                return float(special.expit(logit))
            case Rising.LESS_THE_REST:
                return math.tanh(0.5 * logit)
            case Rising.LESS_ONE:
                return -float(special.expit(-logit))

    def logit(self, contrast: float) -> float:
        """Its inverse: infinite at the ends of the contrast's range and beyond."""
        x, rest = self._odds(contrast)
        if x <= 0.0 or rest <= 0.0:
            return -math.inf if x <= 0.0 else math.inf
        return math.log(x) - math.log(rest)

    def slope(self, contrast: float) -> float:
        """The derivative of the logit in the contrast, inside of its range."""
        x, rest = self._odds(contrast)
        return 1.0 / x + (0.0 if self is Rising.ODDS else 1.0 / rest)

    def _odds(self, contrast: float) -> tuple[float, float]:
        """Two numbers in the ratio of x to 1 − x."""
        match self:
            case Rising.ODDS:
                return contrast, 1.0
            case Rising.SHARE:
                return contrast, 1.0 - contrast
            case Rising.LESS_THE_REST:
                return 1.0 + contrast, 1.0 - contrast
            case Rising.LESS_ONE:
                return 1.0 + contrast, -contrast


@dataclass(frozen=True, slots=True, eq=False)
class MonotoneLaw:
    """The law of a contrast that rises with one share, of the law `share`."""

    share: BetaPairs
    contrast: Rising
    error: float = 0.0

    @property
    def bounded(self) -> bool:
        """Whether the contrast lies in (−1, 1); else it is positive."""
        return self.contrast is not Rising.ODDS

    @property
    def mean(self) -> float | None:
        """Not computed: that of a ratio may be infinite."""
        return None

    @property
    def standard_deviation(self) -> float | None:
        return None

    def survival(self, at: float) -> float:
        """P(contrast > at)."""
        return self.share.survival_of_logit(self.contrast.logit(at))

    def cdf(self, at: float) -> float:
        """P(contrast <= at)."""
        return self.share.cdf_of_logit(self.contrast.logit(at))

    def between(self, low: float, high: float) -> float:
        """P(low < contrast < high)."""
        return max(0.0, self.cdf(high) - self.cdf(low)) if low < high else 0.0

    def density(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """The density at each point of `at`, shape (k,): 0 outside the range of the contrast."""
        logits = [self.contrast.logit(t) for t in at.tolist()]
        return np.array(
            [
                self.share.density_of_logit(logit) * self.contrast.slope(t) if math.isfinite(logit) else 0.0
                for t, logit in zip(at.tolist(), logits, strict=True)
            ]
        )

    def quantile(self, probability: float) -> float:
        """The t with P(contrast <= t) = `probability` in (0, 1). Raises ProbabilityError outside (0, 1)."""
        return self.contrast.of(self.share.logit_quantile(probability))

    def interval(self, level: float) -> tuple[float, float]:
        """The central credible interval of probability `level` in (0, 1)."""
        if not 0.0 < level < 1.0:
            raise ProbabilityError("the level of an interval lies strictly between 0 and 1")
        return self.quantile((1.0 - level) / 2.0), self.quantile((1.0 + level) / 2.0)


@dataclass(frozen=True, slots=True)
class Region:
    """Where the outer quantity leaves it open whether a contrast is above t: between low and high, with what holds
    outside of it.

    `certain_below`: whether the contrast is above t where the outer quantity is below `low`; above `high` it is not.
    """

    low: float
    high: float
    certain_below: bool


@dataclass(frozen=True, slots=True, eq=False)
class ContrastLaw:
    """P(contrast > t) = Σ_kl joint[k, l] ∫ f_l(y) P(X_k > threshold(t, y)) dy, X_k and Y_l Beta laws of `inner` and
    `outer`.

    The integral runs over the region of y where the threshold is between 0 and 1, in the logit of its place there, in
    which all is smooth, by Gauss–Legendre panels. `error` is how far two results with panels of half the width were
    apart.
    """

    inner: BetaPairs
    outer: BetaPairs
    joint: NDArray[np.float64]
    threshold: OfPoints
    slope: OfPoints
    """Of the threshold in t."""
    region: Callable[[float], Region]
    of: Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
    """The contrast of values of X and Y, elementwise."""
    bounded: bool
    """Whether the contrast lies in (−1, 1); else it is positive."""
    error: float = 0.0
    halvings: int = 0

    @staticmethod
    def of_independent(x: BetaPairs, y: BetaPairs, joint: NDArray[np.float64], contrast: Contrast) -> ContrastLaw:
        """The contrast of X and Y, independent given their counts, with the joint law of these, shape (k, l)."""
        match contrast:
            case Contrast.DIFFERENCE:
                return _checked(
                    ContrastLaw(
                        x,
                        y,
                        joint,
                        lambda t, y: t + y,
                        lambda _, y: np.ones_like(y),
                        lambda t: Region(max(0.0, -t), min(1.0, 1.0 - t), certain_below=True),
                        contrast.of,
                        bounded=True,
                    )
                )
            case Contrast.RATIO:
                return _checked(
                    ContrastLaw(
                        x,
                        y,
                        joint,
                        lambda t, y: t * y,
                        lambda _, y: y,
                        lambda t: Region(0.0, 1.0 if t <= 1.0 else 1.0 / t, certain_below=True),
                        contrast.of,
                        bounded=False,
                    )
                )
            case Contrast.ODDS_RATIO:
                # x > t o / (1 + t o), o = y / (1 − y).
                return _checked(
                    ContrastLaw(
                        x,
                        y,
                        joint,
                        lambda t, y: t * y / ((1.0 - y) + t * y),
                        lambda t, y: y * (1.0 - y) / ((1.0 - y) + t * y) ** 2,
                        lambda _: Region(0.0, 1.0, certain_below=True),
                        contrast.of,
                        bounded=False,
                    )
                )

    @staticmethod
    def of_disjoint(u: BetaPairs, s: BetaPairs, joint: NDArray[np.float64]) -> ContrastLaw:
        """The difference s (2u − 1) of two disjoint shares, s their sum and u the first one's part of it."""
        return _checked(
            ContrastLaw(
                u,
                s,
                joint,
                lambda t, s: 0.5 * (1.0 + t / s),
                lambda _, s: 0.5 / s,
                lambda t: Region(abs(t), 1.0, certain_below=t < 0.0),
                lambda u, s: s * (2.0 * u - 1.0),
                bounded=True,
            )
        )

    @property
    def mean(self) -> float | None:
        """Not computed: that of a ratio may be infinite."""
        return None

    @property
    def standard_deviation(self) -> float | None:
        return None

    def survival(self, at: float) -> float:
        """P(contrast > at)."""
        if self.bounded and abs(at) >= 1.0:
            return 1.0 if at < 0.0 else 0.0
        if not self.bounded and at <= 0.0:
            return 1.0
        region = self.region(at)
        total = 0.0
        if region.certain_below and region.low > 0.0:
            total += self.outer.cdf(region.low)
        points, masses = self._points(region)
        limits = np.clip(self.threshold(at, points), 0.0, 1.0)
        beyond = self.inner.survivals(limits)
        return min(1.0, max(0.0, total + float((masses * beyond).sum())))

    def cdf(self, at: float) -> float:
        """P(contrast <= at)."""
        return 1.0 - self.survival(at)

    def between(self, low: float, high: float) -> float:
        """P(low < contrast < high)."""
        return max(0.0, self.survival(low) - self.survival(high)) if low < high else 0.0

    def density(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """The density at each point of `at`, shape (k,), inside the range of the contrast."""
        a, b = self.inner.a[:, None], self.inner.b[:, None]
        found = []
        for t in at.tolist():
            points, masses = self._points(self.region(t))
            x = np.clip(self.threshold(t, points), 1e-300, 1.0 - 2**-53)[None, :]
            heights = beta_kernel(a, b, special.logit(x)) / (x * (1.0 - x))
            found.append(float((masses * heights * self.slope(t, points)).sum()))
        return np.array(found)

    def quantile(self, probability: float) -> float:
        """The t with P(contrast <= t) = `probability` in (0, 1). Raises ProbabilityError outside (0, 1)."""
        if not 0.0 < probability < 1.0:
            raise ProbabilityError("a probability lies strictly between 0 and 1")

        def excess(place: float) -> float:
            return (1.0 - probability) - self.survival(place if self.bounded else math.exp(place))

        low, high, spread = self._bracket(probability)
        step = spread
        while excess(low) > 0.0 and low > self._ends[0]:
            low, step = max(self._ends[0], low - step), 2.0 * step
        step = spread
        while excess(high) < 0.0 and high < self._ends[1]:
            high, step = min(self._ends[1], high + step), 2.0 * step
        if excess(low) >= 0.0 or excess(high) <= 0.0:
            found = low if excess(low) >= 0.0 else high
        else:
            # As narrow as the law is: of 10^15 records a share is known to ten digits.
            found = float(scipy.optimize.brentq(excess, low, high, xtol=_SETTLED * spread, rtol=_LEAST_RTOL))
        return found if self.bounded else math.exp(found)

    @property
    def _ends(self) -> tuple[float, float]:
        return (-1.0, 1.0) if self.bounded else (-_MAX_LOG, _MAX_LOG)

    def _bracket(self, probability: float) -> tuple[float, float, float]:
        """Where the quantile is likely to lie, its logarithm where the contrast is positive: a few standard errors
        about that of some draws; and how widely these are spread.
        """
        rng = Reproducible(0)
        places = rng.categories((self.joint / self.joint.sum()).ravel(), _BRACKETING_DRAWS)
        k, l = np.divmod(places, self.joint.shape[1])
        x = rng.dirichlets(np.stack([self.inner.a[k], self.inner.b[k]], axis=1))[:, 0]
        y = rng.dirichlets(np.stack([self.outer.a[l], self.outer.b[l]], axis=1))[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            values = self.of(x, y) if self.bounded else np.log(self.of(x, y))
        values = np.sort(np.clip(np.nan_to_num(values, nan=0.0), *self._ends))
        reach = 5.0 * math.sqrt(probability * (1.0 - probability) / values.size) + 2.0 / values.size
        low, high = (float(np.quantile(values, min(max(probability + sign * reach, 0.0), 1.0))) for sign in (-1, 1))
        inner, outer = (np.quantile(values, 1.0 - tail) - np.quantile(values, tail) for tail in (0.16, 0.001))
        # Where most draws are at an end, the others tell.
        spread = max(0.5 * float(inner), 1e-3 * float(outer), _LEAST_SPREAD)
        return max(self._ends[0], low - 0.1 * spread), min(self._ends[1], high + 0.1 * spread), spread

    def interval(self, level: float) -> tuple[float, float]:
        """The central credible interval of probability `level` in (0, 1)."""
        if not 0.0 < level < 1.0:
            raise ProbabilityError("the level of an interval lies strictly between 0 and 1")
        return self.quantile((1.0 - level) / 2.0), self.quantile((1.0 + level) / 2.0)

    def _points(self, region: Region) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Points of the outer quantity, shape (q,), and the mass of every inner law's part of the joint law at them,
        shape (k, q).
        """
        width = region.high - region.low
        # How far the law's quantiles lie from either end, by whichever of y and 1 − y has the digits.
        ends = [
            (y - region.low, region.high - y if region.high < 0.5 else rest - (1.0 - region.high))
            for y, rest in _quantiles(self.outer)
        ]
        places = np.array(
            [math.log(above) - math.log(below) for above, below in ends if above > 0.0 and below > 0.0] or [0.0]
        )
        # At an end that the region has of its own the integrand falls like e^(−|z|); at 0 and 1 the law itself ends.
        low = min(-_FAR, float(places.min())) if region.low > 0.0 else float(places.min())
        high = max(_FAR, float(places.max())) if region.high < 1.0 else float(places.max())
        edges = np.unique(np.clip(np.concatenate(([low], places, [high])), low, high))
        steps = [
            np.linspace(x, y, math.ceil((y - x) / _WIDEST) * 2**self.halvings + 1)[:-1] for x, y in pairwise(edges)
        ]
        edges = np.concatenate([*steps, edges[-1:]])
        half = 0.5 * np.diff(edges)
        z = (0.5 * (edges[1:] + edges[:-1])[:, None] + half[:, None] * _NODES).ravel()
        steps_of_y = (half[:, None] * _WEIGHTS).ravel() * width * special.expit(z) * special.expit(-z)
        points = region.low + width * special.expit(z)
        rest = (1.0 - region.high) + width * special.expit(-z)
        kernels = beta_kernel(self.outer.a[:, None], self.outer.b[:, None], np.log(points) - np.log(rest))
        heights = kernels / (points * rest)
        return points, (self.joint @ heights) * steps_of_y


def _checked(law: ContrastLaw) -> ContrastLaw:
    """The law with panels as narrow as two results need to agree."""
    at = 0.05 if law.bounded else 1.2
    before = law.survival(at)
    for halvings in range(1, _MAX_HALVINGS):
        finer = replace(law, halvings=halvings)
        found = finer.survival(at)
        change = abs(found - before)
        law = replace(finer, error=change)
        if change < _WANTED:
            law = replace(law, halvings=halvings - 1)
            break
        before = found
    missing = abs(1.0 - float(law._points(Region(0.0, 1.0, certain_below=True))[1].sum()))  # noqa: SLF001  its own module
    return replace(law, error=law.error + missing)


@lru_cache(maxsize=64)
def _quantiles(law: BetaPairs) -> tuple[tuple[float, float], ...]:
    """Where the law's mass is: its quantiles y at levels from 1e-13 to 1 less that, each with 1 − y, which keeps its
    digits.
    """
    below = [law.quantile(level) for level in _LEVELS]
    above = [law.complement.quantile(level) for level in _LEVELS[:-1]]
    return (*((y, 1.0 - y) for y in below), *((1.0 - rest, rest) for rest in above))
