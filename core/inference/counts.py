"""What a release says of the true histogram: p(c | y) under a Dirichlet prior on the shares.

p(c | y) ∝ DirMult(c; n, α) P(y | c), and DirMult(c; n, α) ∝ Π Γ(α_i + c_i) / c_i!. Where the noise is a product over categories, so is this on
{c ∈ N^m : Σ c = n}, and `core.count_simplex` gives every marginal and draws. What is conditioned on is what the channel put out, not the
consistent counts made from it: clipping and projection throw information away and tie the categories together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from core.count_simplex import CountSimplexError, ProductLaw, Window, condition_on_total
from core.count_simplex.batch import draw_many
from core.count_simplex.window import tilt_to_total
from core.samplers.reproducible import Reproducible
from core.special_functions import stirling_remainder

_TAIL: Final = 1e-18
"""Largest probability of a single tail beyond its window, under the tilted law."""
_MOST_ENTRIES: Final = 1 << 22
_MOST_PAIRS: Final = 1 << 22
_MOST_WIDENINGS: Final = 60

LogNoise = Callable[[NDArray[np.int64]], NDArray[np.float64]]
"""ln P(y_i − c_i = d), up to a constant, for an array of d: a concave function of d that falls away from its top at 0."""


class InferenceError(ValueError):
    """The posterior cannot be computed; the message states the rule and speaks of public numbers only."""


@dataclass(frozen=True, slots=True, eq=False)
class CountMarginal:
    """P(c_i = low), P(c_i = low + 1), … given the release; they sum to 1."""

    low: int
    probabilities: NDArray[np.float64]


class CountPosterior(Protocol):
    """p(c | y) on the histograms of n records over m categories; `error` bounds by how much it is off in total variation."""

    n: int
    m: int
    error: float

    def marginals(self) -> tuple[CountMarginal, ...]:
        """The law of each c_i."""
        ...

    def pair(self, i: int, j: int) -> tuple[CountMarginal, CountMarginal, NDArray[np.float64]]:
        """The windows of c_i and c_j, i ≠ j, and their joint law, shape (w_i, w_j). Raises InferenceError where that is too large a table."""
        ...

    def probabilities(self, histograms: NDArray[np.int64]) -> NDArray[np.float64]:
        """p(c | y) of each row c of `histograms`, shape (k, m), each with the sum n: shape (k,)."""
        ...

    def draws(self, size: int, rng: Reproducible) -> NDArray[np.int64]:
        """Independent histograms, shape (size, m)."""
        ...


class ProductCounts:
    """p(c | y) where each count has a weight of its own: Π_i f_i(c_i) on Σ c = n; windows as `condition_on_total` takes them."""

    def __init__(self, windows: Sequence[Window], law: ProductLaw, error: float) -> None:
        self.n, self.m, self.error = law.total, len(windows), error
        self._windows, self._law = tuple(windows), law
        self._marginals: tuple[CountMarginal, ...] | None = None

    def marginals(self) -> tuple[CountMarginal, ...]:
        if self._marginals is None:
            self._marginals = tuple(CountMarginal(marginal.low, marginal.probabilities) for marginal in self._law.marginals())
        return self._marginals

    def pair(self, i: int, j: int) -> tuple[CountMarginal, CountMarginal, NDArray[np.float64]]:
        """By way of s = c_i + c_j: given s the two are independent of the others, and s is one category in place of two."""
        first, second = self.marginals()[i], self.marginals()[j]
        sizes = first.probabilities.size, second.probabilities.size
        if sizes[0] * sizes[1] > _MOST_PAIRS:
            raise InferenceError("the joint law of the two counts is too large a table")
        logs = self._tilted(i, first)[:, None] + self._tilted(j, second)[None, :]
        joint = np.exp(logs - logs.max())
        places = np.arange(sizes[0])[:, None] + np.arange(sizes[1])[None, :]
        lowest = first.low + second.low
        if self.m == 2:
            joint[places != self.n - lowest] = 0.0
            return first, second, joint / joint.sum()
        weights = np.bincount(places.ravel(), joint.ravel())
        with np.errstate(divide="ignore"):
            merged = Window(lowest, np.log(weights) - self._law.tilt * np.arange(weights.size))
        others = [window for k, window in enumerate(self._windows) if k not in (i, j)]
        of_sum = condition_on_total([*others, merged], self.n).marginals()[-1]
        factor = np.zeros(weights.size)
        start = of_sum.low - lowest
        factor[start : start + of_sum.probabilities.size] = of_sum.probabilities
        factor = np.divide(factor, weights, out=np.zeros_like(factor), where=weights > 0.0)
        joint *= factor[places]
        return first, second, joint / joint.sum()

    def probabilities(self, histograms: NDArray[np.int64]) -> NDArray[np.float64]:
        logs = np.full(len(histograms), -self._law.log_normaliser)
        for window, counts in zip(self._windows, histograms.T, strict=True):
            inside = (window.low <= counts) & (counts <= window.high)
            weights = window.log_weights[np.clip(counts, window.low, window.high) - window.low]
            logs += np.where(inside, weights, -math.inf)
        likely: NDArray[np.float64] = np.exp(logs)
        return likely

    def draws(self, size: int, rng: Reproducible) -> NDArray[np.int64]:
        return draw_many(self._law, size, rng)

    def _tilted(self, category: int, marginal: CountMarginal) -> NDArray[np.float64]:
        window = self._windows[category]
        start = marginal.low - window.low
        part = window.log_weights[start : start + marginal.probabilities.size]
        return part + self._law.tilt * np.arange(part.size)


class TwoCategoryCounts:
    """p(c | y) at m = 2, where the law of c_1 says all: P(c_1 = low), P(c_1 = low + 1), …"""

    def __init__(self, n: int, first: CountMarginal, error: float) -> None:
        self.n, self.m, self.error = n, 2, error
        self._first = first

    def marginals(self) -> tuple[CountMarginal, ...]:
        second = CountMarginal(self.n - self._first.low - self._first.probabilities.size + 1, self._first.probabilities[::-1])
        return self._first, second

    def pair(self, i: int, j: int) -> tuple[CountMarginal, CountMarginal, NDArray[np.float64]]:
        marginals = self.marginals()
        if marginals[0].probabilities.size ** 2 > _MOST_PAIRS:
            raise InferenceError("the joint law of the two counts is too large a table")
        return marginals[i], marginals[j], np.diag(marginals[i].probabilities)[:, ::-1]

    def probabilities(self, histograms: NDArray[np.int64]) -> NDArray[np.float64]:
        places = histograms[:, 0] - self._first.low
        inside = (places >= 0) & (places < self._first.probabilities.size)
        return np.where(inside, self._first.probabilities[np.where(inside, places, 0)], 0.0)

    def draws(self, size: int, rng: Reproducible) -> NDArray[np.int64]:
        first = self._first.low + rng.categories(self._first.probabilities, size)
        return np.stack([first, self.n - first], axis=1).astype(np.int64)


def counts_given_noise(prior: NDArray[np.float64], noisy: Sequence[int], log_noise: LogNoise, n: int) -> ProductCounts:
    """p(c | y) for noise that is independent between categories, or was before it was conditioned on its sum.

    Arguments: `prior` α, shape (m,), all > 0; `noisy`, one integer for each of the first categories, the others without a likelihood of their own
    (at most one such); `n` >= 1 public. The windows grow until every tail is provably below 1e-18 of its law; what that and the
    rounding of convolutions can change is bounded in `error`, about 1e-14 at a few categories and 1e-9 at a thousand. Raises InferenceError where
    the windows would hold more than 2^22 counts in all.
    """
    reach = _reach(log_noise)
    spans = [_Span(float(alpha), y, log_noise, n, reach) for alpha, y in zip(prior, noisy, strict=False)]
    free = [float(alpha) for alpha in prior[len(noisy) :]]
    for _ in range(_MOST_WIDENINGS):
        # What the free category can hold is what the others leave, so that it has no tails.
        most, least = sum(span.high for span in spans), sum(span.low for span in spans)
        free_span = max(0, n - most), max(0, min(n, n - least))
        size = sum(span.high - span.low + 1 for span in spans) + len(free) * (free_span[1] - free_span[0] + 1)
        if size > _MOST_ENTRIES:
            raise InferenceError("the noise leaves too many counts possible for an exact posterior at this n and number of categories")
        windows = [span.window() for span in spans]
        windows += [Window(free_span[0], log_prior_weight(a, np.arange(free_span[0], free_span[1] + 1, dtype=np.float64))) for a in free]
        try:
            tilt = tilt_to_total(windows, n).tilt
        except CountSimplexError:
            for span in spans:
                span.widen(below=least > n, above=most < n)
            continue
        log_tails = [span.log_tails(window, tilt) for span, window in zip(spans, windows, strict=False)]
        wide_enough = True
        for span, (below, above) in zip(spans, log_tails, strict=True):
            lacks_below, lacks_above = below > math.log(_TAIL), above > math.log(_TAIL)
            span.widen(below=lacks_below, above=lacks_above)
            wide_enough = wide_enough and not (lacks_below or lacks_above)
        if wide_enough:
            law = condition_on_total(windows, n)
            beyond = law.left_out_beyond([tail for pair in log_tails for tail in pair])
            return ProductCounts(windows, law, beyond + law.left_out + law.log_normaliser_error)
    raise InferenceError("the noise leaves too many counts possible for an exact posterior at this n and number of categories")


def log_prior_weight(alpha: float, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """ln(Γ(α + c) / Γ(c + 1)) at an array of c >= 0, without a difference of large values of lnΓ.

    By Stirling's formula, with z = c + 1 and d = α − 1: (z + d − ½) log1p(d/z) + d ln z − d + R(z + d) − R(z).
    """
    z, d = counts + 1.0, alpha - 1.0
    return (z + d - 0.5) * np.log1p(d / z) + d * np.log(z) - d + stirling_remainder(z + d) - stirling_remainder(z)


class _Span:
    """The window of one category while it is being found: grown at either end, with the tails beyond it bounded."""

    def __init__(self, alpha: float, noisy: int, log_noise: LogNoise, n: int, reach: int) -> None:
        self._alpha, self._noisy, self._log_noise, self._n = alpha, noisy, log_noise, n
        centre = min(max(noisy, 0), n)
        self.low, self.high = max(0, centre - reach), min(n, centre + reach)
        self._window: Window | None = None

    def widen(self, *, below: bool, above: bool) -> None:
        if not (below or above):
            return
        self._window = None
        grown = self.high - self.low + 1
        if below:
            self.low = max(0, self.low - grown)
        if above:
            self.high = min(self._n, self.high + grown)

    def window(self) -> Window:
        if self._window is None:
            self._window = Window(self.low, self._log_weight(np.arange(self.low, self.high + 1, dtype=np.int64)))
        return self._window

    def log_tails(self, window: Window, tilt: float) -> tuple[float, float]:
        """Bounds on ln of the mass below and above the window, as shares of the mass in it, of f(c) e^{tilt · c}.

        The noise is log-concave, so its ratios beyond an end only fall further. Γ(α + c)/c! has the ratio (α + c)/(c + 1) upward, which stays on its
        side of one and tends to it; downward, for α < 1, it rises to at most its value at 0.
        """
        origin = window.low + int(np.argmax(window.log_weights))
        steps = np.arange(window.low - origin, window.high - origin + 1)
        exponents = window.log_weights + tilt * steps
        inside = float(np.logaddexp.reduce(exponents))
        below = above = -math.inf
        if window.high < self._n:
            end = window.high + 1
            log_ratio = tilt + self._noise_step(end, 1) + max(0.0, math.log((self._alpha + end) / (end + 1.0)))
            first = float(self._log_weight(np.array([end]))[0]) + tilt * (end - origin)
            above = first + _log_geometric_sum(log_ratio) - inside
        if window.low > 0:
            end = window.low - 1
            log_ratio = -tilt + self._noise_step(end, -1)
            prior = max(log_prior_weight(self._alpha, np.array([0.0, float(end)])))
            first = float(prior + self._log_noise(np.array([self._noisy - end]))[0]) + tilt * (end - origin)
            below = first + _log_geometric_sum(log_ratio) - inside
        return below, above

    def _noise_step(self, count: int, step: int) -> float:
        here, there = self._log_noise(np.array([self._noisy - count, self._noisy - count - step]))
        return float(there - here)

    def _log_weight(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        return log_prior_weight(self._alpha, counts.astype(np.float64)) + self._log_noise(self._noisy - counts)


def _log_geometric_sum(log_ratio: float) -> float:
    """ln(1 + q + q² + …), infinite where q >= 1."""
    return math.inf if log_ratio >= 0.0 else -math.log(-math.expm1(log_ratio))


def _reach(log_noise: LogNoise) -> int:
    """The distance from the noise's top at which its probability has fallen by a factor of 1e-22, up to a factor 2."""
    reach = 1
    while float(log_noise(np.array([0]))[0] - max(log_noise(np.array([-reach, reach])))) < 50.0:
        reach *= 2
    return reach
