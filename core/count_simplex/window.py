"""Weights of one category on a window of counts, and the tilt that centres a product of them on its total."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

# The tilted mean has to come this near to the total, in standard deviations of the total plus a hundredth of a record: a nearer one gains nothing.
_CLOSE_ENOUGH: Final = 0.05
_MOST_STEPS: Final = 400


class CountSimplexError(ValueError):
    """The windows hold no vector of positive weight with the given total, or are malformed; the message states the rule."""


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """ln f(low), ln f(low + 1), …, ln f(high) of one category; −inf is weight zero, outside the window the weight is zero."""

    low: int
    log_weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.log_weights.ndim != 1 or self.log_weights.size == 0:
            raise CountSimplexError("a window holds a vector of at least one log-weight")

    @property
    def high(self) -> int:
        return self.low + self.log_weights.size - 1


@dataclass(frozen=True, slots=True, eq=False)
class Mass:
    """Non-negative numbers at low, low + 1, …: a piece of a probability mass function."""

    low: int
    values: NDArray[np.float64]

    @property
    def high(self) -> int:
        return self.low + self.values.size - 1

    def within(self, low: int, high: int) -> Mass:
        """The part on [low, high], which must overlap."""
        start, stop = max(low, self.low), min(high, self.high)
        return Mass(start, self.values[start - self.low : stop - self.low + 1])


@dataclass(frozen=True, slots=True, eq=False)
class Tilted:
    """f_i(t) e^{θ t} normalised: independent laws whose total has mean near the wanted one; Z = e^{log_scale} P(Σ r_i = total)."""

    tilt: float
    log_scale: float
    laws: tuple[Mass, ...]
    deviation: float
    """Standard deviation of the total."""


def tilt_to_total(windows: Sequence[Window], total: int) -> Tilted:
    """The tilt θ at which the expected total is `total`, and the tilted laws.

    Tilting does not change the conditional law, and it puts the coefficient wanted at the peak, where Fourier rounding is relatively smallest.
    Raises CountSimplexError where no vector in the windows has the total.
    """
    reachable = _cut_to_reachable(windows, total)
    sizes = np.array([window.log_weights.size for window in reachable])
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    log_weights = np.concatenate([window.log_weights for window in reachable])
    peaks = np.maximum.reduceat(log_weights, starts)
    if not np.isfinite(peaks).all():
        raise CountSimplexError("every category has a finite log-weight in its window")
    # Counts from the mode of each category, so that a product θ · t keeps its digits.
    modes = np.array([int(np.argmax(window.log_weights)) for window in reachable])
    steps = np.arange(log_weights.size, dtype=np.float64) - np.repeat(starts + modes, sizes)
    target = total - sum(window.low + int(mode) for window, mode in zip(reachable, modes, strict=True))
    relative = log_weights - np.repeat(peaks, sizes)

    tilt, lower, upper = 0.0, -math.inf, math.inf
    for _ in range(_MOST_STEPS):
        tilted = relative + tilt * steps
        tops = np.maximum.reduceat(tilted, starts)
        mass = np.exp(tilted - np.repeat(tops, sizes))
        sums = np.add.reduceat(mass, starts)
        mass /= np.repeat(sums, sizes)
        means = np.add.reduceat(mass * steps, starts)
        variance = float(np.sum(np.add.reduceat(mass * (steps - np.repeat(means, sizes)) ** 2, starts)))
        excess = math.fsum(means) - target
        if abs(excess) <= _CLOSE_ENOUGH * math.sqrt(variance) + 0.01:
            break
        lower, upper = (tilt, upper) if excess < 0.0 else (lower, tilt)
        tilt = _next_tilt(tilt, excess, variance, lower, upper)
    log_scale = math.fsum(np.concatenate((peaks, tops, np.log(sums)))) - tilt * target
    laws = tuple(Mass(window.low, mass[start : start + size]) for window, start, size in zip(reachable, starts, sizes, strict=True))
    return Tilted(tilt, log_scale, laws, math.sqrt(variance))


def _cut_to_reachable(windows: Sequence[Window], total: int) -> list[Window]:
    """The windows without counts that leave the others no way to make up the total."""
    lowest, highest = sum(window.low for window in windows), sum(window.high for window in windows)
    if not windows or not lowest <= total <= highest:
        raise CountSimplexError("the total lies between the sums of the windows' ends")
    above, below = total - lowest, highest - total
    cut = []
    for window in windows:
        low, high = max(window.low, window.high - below), min(window.high, window.low + above)
        cut.append(Window(low, window.log_weights[low - window.low : high - window.low + 1]))
    return cut


def _next_tilt(tilt: float, excess: float, variance: float, lower: float, upper: float) -> float:
    """A Newton step where it stays inside the bracket, else bisection, else a doubling search for the open end."""
    reach = max(1.0, 2.0 * abs(tilt))
    newton = tilt - excess / variance if variance > 0.0 else math.copysign(math.inf, -excess)
    newton = min(max(newton, tilt - reach), tilt + reach)
    if lower < newton < upper:
        return newton
    return 0.5 * (lower + upper)
