"""Infers the counts where the noise is a product over categories (geometric, Laplace, Gaussian), from one release or
several.

p(c | y) is then a product of weights on {c ∈ N^m : Σ c = n}, and `core.count_simplex` gives every marginal, the law of
every sum, and draws. Several releases of one data set multiply their likelihoods category by category, so that the
product stays one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet
from core.count_simplex import CountSimplexError, ProductLaw, Window, condition_on_total
from core.count_simplex.batch import draw_many
from core.count_simplex.window import tilt_to_total
from core.inference.counts import (
    UNIT,
    CountMarginal,
    InferenceError,
    JointCounts,
    check_table,
    log_prior_weight,
    prior_weight_rounding,
)
from core.samplers.reproducible import Reproducible

_TAIL: Final = 1e-18
"""Largest probability of a single tail beyond its window, under the tilted law, that is accepted at first."""
_MAX_ERROR: Final = 1e-12
"""Windows grow until no more than this can lie outside of all of them together."""
_MAX_ENTRIES: Final = 1 << 22
_MAX_WIDENINGS: Final = 80
_TOO_MANY: Final = "the noise leaves too many counts possible for an exact posterior at this n and number of categories"

LogNoise = Callable[[NDArray[np.int64]], NDArray[np.float64]]
"""ln P(y_i − c_i = d), up to a constant, for an array of d: a concave function of d that falls away from its top at
0.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """What one release says of the counts: `noisy`, one integer for each of the first categories, and the noise they
    came out of.
    """

    noisy: tuple[int, ...]
    log_noise: LogNoise


class ProductCounts:
    """p(c | y) where each count has a weight of its own: Π_i f_i(c_i) on Σ c = n; windows as `condition_on_total` takes
    them.

    `rounding` bounds what is wrong with each log-weight, an array for each window; `left_out` what cut tails can have
    changed.
    """

    def __init__(
        self, windows: Sequence[Window], rounding: Sequence[NDArray[np.float64]], law: ProductLaw, left_out: float
    ) -> None:
        self.n, self.m = law.total, len(windows)
        self._windows, self._rounding, self._law, self._left_out = tuple(windows), tuple(rounding), law, left_out
        self._marginals: tuple[CountMarginal, ...] | None = None

    @property
    def error(self) -> float:
        """What tails, convolutions and the rounding of the weights can have moved, in total variation."""
        moved = 0.0
        for window, rounding, marginal in zip(self._windows, self._rounding, self.marginals(), strict=True):
            start = marginal.low - window.low
            moved += float(rounding[start : start + marginal.probabilities.size] @ marginal.probabilities)
        return self._left_out + self._law.left_out + self._law.log_normaliser_error + 2.0 * moved

    def marginals(self) -> tuple[CountMarginal, ...]:
        if self._marginals is None:
            self._marginals = tuple(
                CountMarginal(marginal.low, marginal.probabilities) for marginal in self._law.marginals()
            )
        return self._marginals

    def sums(self, groups: Sequence[CellSet]) -> JointCounts:
        """By way of the laws of the sums before the total is known: given the total, their product and that of the
        rest.
        """
        masses, rest, error = self._law.sums(groups)
        shape = tuple(mass.values.size for mass in masses)
        check_table(shape)
        table = np.ones(())
        for mass in masses:
            table = table[..., None] * mass.values
        steps = np.indices(shape, sparse=True)
        places = self.n - rest.low - sum(mass.low for mass in masses) - sum(steps[1:], start=steps[0])
        inside = (places >= 0) & (places < rest.values.size)
        table = table * np.where(inside, rest.values[np.clip(places, 0, rest.values.size - 1)], 0.0)
        return JointCounts(tuple(mass.low for mass in masses), table / table.sum(), self.error + error)

    def draws_of_sums(self, groups: Sequence[CellSet], size: int, rng: Reproducible) -> NDArray[np.int64]:
        """The sums and that of the rest have a product law too, given the total."""
        masses, rest, _ = self._law.sums(groups)
        with np.errstate(divide="ignore"):
            windows = [Window(each.low, np.log(np.maximum(each.values, 0.0))) for each in (*masses, rest)]
        drawn: NDArray[np.int64] = draw_many(condition_on_total(windows, self.n), size, rng)[:, : len(groups)]
        return drawn

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


def counts_given_noise(prior: NDArray[np.float64], observed: Sequence[Observed], n: int) -> ProductCounts:
    """p(c | y) for releases whose noise is independent between categories, or was before it was conditioned on its sum.

    Arguments: `prior` α, shape (m,), all > 0; `observed`, at least one release, of which at most the last category is
    left without any noisy count; `n` >= 1 public. The windows grow until what lies outside of them is provably below
    1e-12 of the law; that and the rounding of weights and convolutions are in `error`, about 1e-14 at a few categories.
    Raises InferenceError where the windows would hold more than 2^22 counts in all, or where rounding leaves nothing
    certain of the weight of the total.
    """
    m = prior.size
    spans = [
        _Span(float(prior[i]), [_Likelihood.of(each, i) for each in observed if i < len(each.noisy)], n)
        for i in range(m)
    ]
    bound = [span for span in spans if span.likelihoods]
    free = [span for span in spans if not span.likelihoods]
    log_largest_tail = math.log(_TAIL)
    for _ in range(_MAX_WIDENINGS):
        # What the free category can hold is what the others leave, so that it has no tails.
        most, least = sum(span.high for span in bound), sum(span.low for span in bound)
        for span in free:
            span.narrow(max(0, n - most), max(0, min(n, n - least)))
        if sum(span.high - span.low + 1 for span in spans) > _MAX_ENTRIES:
            raise InferenceError(_TOO_MANY)
        windows = [span.window() for span in spans]
        try:
            tilt = tilt_to_total(windows, n).tilt
        except CountSimplexError:
            for span in bound:
                span.widen(below=least > n, above=most < n)
            continue
        log_tails = [
            span.log_tails(window, tilt) if span.likelihoods else (-math.inf, -math.inf)
            for span, window in zip(spans, windows, strict=True)
        ]
        lacking = [(below > log_largest_tail, above > log_largest_tail) for below, above in log_tails]
        if not any(below or above for below, above in lacking):
            try:
                law = condition_on_total(windows, n)
            except CountSimplexError:
                raise InferenceError(
                    "the release lies too far from every histogram for rounding to tell them apart"
                ) from None
            log_beyond = law.log_left_out_beyond([tail for pair in log_tails for tail in pair])
            if log_beyond <= math.log(_MAX_ERROR):
                return ProductCounts(windows, [span.rounding() for span in spans], law, math.exp(log_beyond))
            # The total is so unlikely under the tilted law that tails which look small are not small beside it.
            log_largest_tail += math.log(_MAX_ERROR) - log_beyond - math.log(1000 * m)
            lacking = [(below > log_largest_tail, above > log_largest_tail) for below, above in log_tails]
        for span, (below, above) in zip(spans, lacking, strict=True):
            span.widen(below=below, above=above)
    raise InferenceError(_TOO_MANY)


@dataclass(frozen=True, slots=True, eq=False)
class _Likelihood:
    """What one release says of one count."""

    noisy: int
    log_noise: LogNoise

    @classmethod
    def of(cls, observed: Observed, category: int) -> _Likelihood:
        return cls(observed.noisy[category], observed.log_noise)

    def at(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        return self.log_noise(self.noisy - counts)


class _Span:
    """The window of one category while it is being found: grown at either end, with the tails beyond it bounded."""

    def __init__(self, alpha: float, likelihoods: Sequence[_Likelihood], n: int) -> None:
        self._alpha, self.likelihoods, self._n = alpha, likelihoods, n
        tops = np.array([min(max(each.noisy, 0), n) for each in likelihoods] or [0], dtype=np.int64)
        centre = int(tops[int(np.argmax(self._log_likelihood(tops)))])
        far = min((reach(each.log_noise) for each in likelihoods), default=0)
        self._anchor = centre
        self.low, self.high = max(0, centre - far), min(n, centre + far)
        self._window: Window | None = None

    def narrow(self, low: int, high: int) -> None:
        if (low, high) != (self.low, self.high):
            self._window, self.low, self.high, self._anchor = None, low, high, (low + high) // 2

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

    def rounding(self) -> NDArray[np.float64]:
        """A bound on the error of each log-weight of the window."""
        counts = np.arange(self.low, self.high + 1, dtype=np.int64)
        of_noise = sum((np.abs(each.at(counts)) for each in self.likelihoods), start=np.zeros(counts.size))
        return prior_weight_rounding(self._alpha, counts, anchor=self._anchor) + 4.0 * UNIT * of_noise

    def log_tails(self, window: Window, tilt: float) -> tuple[float, float]:
        """Bounds on ln of the mass below and above the window, as shares of the mass in it, of f(c) e^{tilt · c}.

        The noise is log-concave, so its ratios beyond an end only fall further. Γ(α + c)/c! has the ratio (α + c)/(c +
        1) upward, which stays on its side of one and tends to it; downward, for α < 1, it rises to at most its value at
        0.
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
            prior = float(log_prior_weight(self._alpha, np.array([0.0, end]), anchor=self._anchor).max())
            first = prior + float(self._log_likelihood(np.array([end]))[0]) + tilt * (end - origin)
            below = first + _log_geometric_sum(log_ratio) - inside
        return below, above

    def _noise_step(self, count: int, step: int) -> float:
        here, there = self._log_likelihood(np.array([count, count + step]))
        return float(there - here)

    def _log_likelihood(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        return sum((each.at(counts) for each in self.likelihoods), start=np.zeros(counts.size))

    def _log_weight(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        return log_prior_weight(self._alpha, counts, anchor=self._anchor) + self._log_likelihood(counts)


def _log_geometric_sum(log_ratio: float) -> float:
    """ln(1 + q + q² + …), infinite where q >= 1."""
    return math.inf if log_ratio >= 0.0 else -math.log(-math.expm1(log_ratio))


def reach(log_noise: LogNoise) -> int:
    """The distance from the noise's top at which its probability has fallen by a factor of 1e-22, up to a factor 2."""
    far = 1
    while float(log_noise(np.array([0]))[0] - max(log_noise(np.array([-far, far])))) < 50.0:
        far *= 2
    return far
