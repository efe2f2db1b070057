"""Windows of weights: those of one category on a range of counts. A tilt centres their product on the total."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.count_simplex.rows import TOGETHER

# Largest distance of the tilted mean from the total, in standard deviations of the total, to which a hundredth of a
# record is added. A smaller distance gains nothing.
_TILT_TOLERANCE: Final = 0.05
_MAX_STEPS: Final = 400
_MAX_ROUGH_STEPS: Final = 30

# Number of counts of a window that determine its tilted mean well enough if its distribution is smooth.
_SAMPLE_COUNTS: Final = 256


class CountSimplexError(ValueError):
    """The windows contain no vector of positive weight with the given total, or are malformed. The message states the
    rule.
    """


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Window:
    """ln f(low), ln f(low + 1), …, ln f(high) of one category; −inf is weight zero, as is everything outside the
    window.
    """

    low: int
    log_weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.log_weights.ndim != 1 or self.log_weights.size == 0:
            raise CountSimplexError("a window must have a vector of at least one log-weight")

    @property
    def high(self) -> int:
        return self.low + self.log_weights.size - 1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Mass:
    """Non-negative numbers at low, low + 1, …: a piece of a probability mass function."""

    low: int
    values: NDArray[np.float64]

    @property
    def high(self) -> int:
        return self.low + self.values.size - 1

    def within(self, low: int, high: int) -> Mass:
        """Return the part on [low, high], which must overlap."""
        start, stop = max(low, self.low), min(high, self.high)
        return Mass(start, self.values[start - self.low : stop - self.low + 1])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tilted:
    """f_i(t) e^{θ t} normalised: independent distributions whose total has a mean near the given one.

    Z = e^{log_scale} P(Σ r_i = total).
    """

    tilt: float
    log_scale: float
    distributions: tuple[Mass, ...]
    deviation: float
    """Standard deviation of the total."""
    log_infeasible: float
    """ln of Π (tilted sum over the given window) / (tilted sum over its feasible part), >= 0."""


def tilt_to_total(windows: Sequence[Window], total: int) -> Tilted:
    """Return the tilt θ at which the expected total is near `total`, and the tilted distributions.

    Tilting does not change the conditional distribution. It moves the peak to the coefficient of interest, where
    Fourier rounding is relatively smallest. Raises CountSimplexError if no vector in the windows has the total.
    """
    feasible = _cut_to_feasible(windows, total)
    # If windows are wide, a sample of their counts gives an approximate tilt, and all counts are used only for the last
    # steps.
    strides = [max(1, window.log_weights.size // _SAMPLE_COUNTS) for window in feasible]
    near = 0.0
    if max(strides) > 1:
        with suppress(CountSimplexError):  # raised if the sample of a window has only weights of zero
            near = _search_centring_tilt(_Product(feasible, total, strides), 0.0, at_most=_MAX_ROUGH_STEPS)
    product = _Product(feasible, total)
    tilt = _search_centring_tilt(product, near, at_most=_MAX_STEPS)
    # Any tilt gives the same conditional distribution. An imperfect one only costs precision, which is measured later.
    return product.tilted(tilt, _log_infeasible(windows, feasible, tilt))


def _search_centring_tilt(product: _Product, tilt: float, *, at_most: int) -> float:
    """Search for the tilt at which the mean of the total equals the target, in at most `at_most` steps. Return the last
    tilt.
    """
    lower, upper = -math.inf, math.inf
    for _ in range(at_most):
        excess, variance = product.moments(tilt)
        if abs(excess) <= _TILT_TOLERANCE * math.sqrt(variance) + 0.01:
            break
        lower, upper = (tilt, upper) if excess < 0.0 else (lower, tilt)
        tilt = _next_tilt(tilt, excess, variance, lower, upper)
    return tilt


def in_groups(sizes: Sequence[int] | NDArray[np.int64]) -> list[slice]:
    """Split categories with windows of these sizes into runs that are computed together.

    A run has several small windows or one large one. Returns no run if there are no categories.
    """
    if len(sizes) == 0:
        return []
    starts, held = [0], 0
    for category, size in enumerate(sizes):
        if held and held + size > TOGETHER:
            starts.append(category)
            held = 0
        held += int(size)
    return [slice(start, stop) for start, stop in zip(starts, [*starts[1:], len(sizes)], strict=True)]


class _Product:
    """The windows, to be tilted and summed. An approximation uses one count in `strides` of each window."""

    __slots__ = ("_groups", "_target", "_variance")

    def __init__(self, windows: Sequence[Window], total: int, strides: Sequence[int] | None = None) -> None:
        steps = [1] * len(windows) if strides is None else strides
        sizes = [-(-window.log_weights.size // step) for window, step in zip(windows, steps, strict=True)]
        self._groups = [_Group(windows[group], steps[group]) for group in in_groups(sizes)]
        self._target = total - sum(group.origin for group in self._groups)
        self._variance = 0.0

    def moments(self, tilt: float) -> tuple[float, float]:
        """Return the excess of the tilted mean of the total over the target, and its variance.

        Stores the tilted masses.
        """
        moments = [group.moments(tilt) for group in self._groups]
        self._variance = math.fsum(variance for _, variance in moments)
        return math.fsum(mean for means, _ in moments for mean in means) - self._target, self._variance

    def tilted(self, tilt: float, log_infeasible: float) -> Tilted:
        """Return the distributions at the tilt of the last `moments`."""
        log_scale = math.fsum(each for group in self._groups for each in group.log_scales()) - tilt * self._target
        distributions = tuple(distribution for group in self._groups for distribution in group.distributions())
        return Tilted(tilt, log_scale, distributions, math.sqrt(self._variance), log_infeasible)


class _Group:
    """Several concatenated windows, so that their categories are tilted and summed in one pass.

    `origin`: the sum of the modes. Counts are relative to it, so that a product θ · t keeps its digits.
    """

    __slots__ = ("_lows", "_mass", "_peaks", "_relative", "_sizes", "_starts", "_steps", "_sums", "_tops", "origin")

    def __init__(self, windows: Sequence[Window], strides: Sequence[int]) -> None:
        pieces = [window.log_weights[::stride] for window, stride in zip(windows, strides, strict=True)]
        self._sizes = np.array([piece.size for piece in pieces])
        self._starts = np.concatenate(([0], np.cumsum(self._sizes)[:-1]))
        self._lows = [window.low for window in windows]
        log_weights = np.concatenate(pieces)
        self._peaks = np.maximum.reduceat(log_weights, self._starts)
        if not np.isfinite(self._peaks).all():
            raise CountSimplexError(
                "every category must have a finite log-weight in its window, and none that is +infinity or NaN"
            )
        modes = [int(np.argmax(piece)) for piece in pieces]
        self.origin = sum(self._lows) + sum(mode * stride for mode, stride in zip(modes, strides, strict=True))
        self._steps = np.arange(log_weights.size, dtype=np.float64) - self._spread(self._starts + np.array(modes))
        if max(strides) > 1:
            self._steps *= self._spread(np.array(strides))
        self._relative = log_weights - self._spread(self._peaks)

    def moments(self, tilt: float) -> tuple[NDArray[np.float64], float]:
        """Return the tilted means relative to the modes, and the sum of the tilted variances.

        Stores the tilted masses.
        """
        tilted = self._relative + tilt * self._steps
        self._tops = np.maximum.reduceat(tilted, self._starts)
        self._mass = np.exp(tilted - self._spread(self._tops))
        self._sums = np.add.reduceat(self._mass, self._starts)
        self._mass /= self._spread(self._sums)
        means = np.add.reduceat(self._mass * self._steps, self._starts)
        return means, float(np.sum(self._mass * (self._steps - self._spread(means)) ** 2))

    def log_scales(self) -> NDArray[np.float64]:
        """Return the terms whose sum is the logarithm of the scale."""
        return np.concatenate((self._peaks, self._tops, np.log(self._sums)))

    def distributions(self) -> list[Mass]:
        pieces = zip(self._lows, self._starts, self._sizes, strict=True)
        return [Mass(low, self._mass[start : start + size]) for low, start, size in pieces]

    def _spread(self, per_category: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        return np.repeat(per_category.astype(np.float64), self._sizes)


def _cut_to_feasible(windows: Sequence[Window], total: int) -> list[Window]:
    """Remove the counts for which no counts of the other windows give the total."""
    lowest, highest = sum(window.low for window in windows), sum(window.high for window in windows)
    if not windows or not lowest <= total <= highest:
        raise CountSimplexError("the total must lie between the sums of the windows' ends")
    above, below = total - lowest, highest - total
    cut = []
    for window in windows:
        low, high = max(window.low, window.high - below), min(window.high, window.low + above)
        cut.append(Window(low, window.log_weights[low - window.low : high - window.low + 1]))
    return cut


def _log_infeasible(windows: Sequence[Window], feasible: Sequence[Window], tilt: float) -> float:
    total = 0.0
    for window, part in zip(windows, feasible, strict=True):
        if part.log_weights.size < window.log_weights.size:
            start = part.low - window.low
            tilted = window.log_weights + tilt * np.arange(-start, window.log_weights.size - start)
            top = float(tilted.max())
            kept = tilted[start : start + part.log_weights.size]
            total += (
                math.log(float(np.exp(tilted - top).sum()))
                - (float(kept.max()) - top)
                - math.log(float(np.exp(kept - kept.max()).sum()))
            )
    return total


def _next_tilt(tilt: float, excess: float, variance: float, lower: float, upper: float) -> float:
    """Return a Newton step if it stays inside the bracket. Otherwise bisect, or double toward an open end."""
    max_step = max(1.0, 2.0 * abs(tilt))
    newton = tilt - excess / variance if variance > 0.0 else math.copysign(math.inf, -excess)
    newton = min(max(newton, tilt - max_step), tilt + max_step)
    if lower < newton < upper:
        return newton
    return 0.5 * (lower + upper)
