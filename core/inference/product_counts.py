"""Infers the counts if the noise is a product over categories (geometric, Laplace, Gaussian), from one or several
releases.

p(c | y) is then a product of weights on {c ∈ N^m : Σ c = n}. `core.count_simplex` gives every marginal, the
distribution of every sum, and draws. Likelihoods of several releases of one data set multiply within each category, so
the product form remains.

If n is unknown, the value −n with the log-weight ln(n! / Γ(n + A)) + ln p(n), A = Σ α, is one more factor, and the sum
of all values is 0 (`core.inference.total_leaf`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.cells import CellSet
from core.count_simplex import CountSimplexError, ProductDistribution, Window, condition_on_total
from core.count_simplex.batch import draw_many
from core.count_simplex.window import Mass, in_groups, tilt_to_total
from core.inference.counts import (
    NEGLIGIBLE,
    TOO_MANY_AT_THIS_NOISE,
    CountMarginal,
    InferenceError,
    JointCounts,
    check_table,
)
from core.inference.gamma_pairs import GammaCounts, greater
from core.inference.mixed_counts import LEAST_WHOLE, MixedCounts, nodes_of_mixture
from core.inference.prior_weights import UNIT, log_prior_weight, log_prior_weights_of_runs, rounding_of_runs
from core.inference.total_leaf import TotalWeight, panels_of_total
from core.samplers.reproducible import Reproducible

_TAIL: Final = 1e-18
"""Largest probability accepted at first for one tail beyond its window, under the tilted distribution."""
_MAX_ERROR: Final = 1e-12
"""Windows grow until the probability outside all of them is at most this."""
_MAX_ENTRIES: Final = 1 << 22
_MAX_WIDENINGS: Final = 80
_CUT_PROBABILITY: Final = 1e-9
"""The probability above a bound of the total at which the bound does not matter."""
_LOG_MAX_ERROR: Final = math.log(_MAX_ERROR)
_MAX_ERROR_OF_TOTAL: Final = 1e-6
"""Largest accepted error of the distribution of the counts and of an unknown total."""
_MIN_MIXED_ERROR: Final = 1e-7
"""Error at an unknown total above which a mixture of independent counts is used, if possible."""
_MOST_REACHES: Final = 1 << 14
"""A published total is considered up to this multiple of its reach."""
_MAX_LISTED_COUNTS: Final = 1 << 12
"""A finite likelihood of more totals than this is largest at its anchor."""
_DEPTH_OF_TOTAL: Final = 33.0
"""Number of nats below the likeliest totals at which totals are left out at first."""
_NO_COUNT: Final = "no count is possible for a cell, given what is published about it"
_TOO_MANY_COUNTS: Final = (
    "the noise leaves too many counts possible for an exact posterior at this n and number of categories"
)

LogNoise = Callable[[NDArray[np.int64]], NDArray[np.float64]]
"""ln P(y_i − c_i = d) up to a constant, for an array of d: a concave function that decreases away from its maximum at
0.
"""
LogLikelihood = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]]
"""ln L_i(c) up to a constant for each category, given arrays of categories i and of counts c of the same shape."""
UNBOUNDED: Final = 1 << 53
"""The largest count, if nothing else limits counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """The likelihood of each count given one release or one published table: ln L_i(c), concave in c unless c has a
    largest value; then L_i is at most 1.

    `anchors`, shape (m,): a count near which L_i is largest. It need not be possible. `reach`, shape (2, m): distances
    below and above the anchor at which L_i has fallen by a factor of about e^50. `limits`, shape (2, m): the least and
    the largest count at which L_i is not 0. `informative`, shape (m,): false for a category without a noisy count,
    whose other entries are not used.
    """

    log_likelihood: LogLikelihood
    anchors: NDArray[np.int64]
    reach: NDArray[np.int64]
    limits: NDArray[np.int64]
    informative: NDArray[np.bool_]

    @classmethod
    def of_release(cls, noisy: Sequence[int], log_noise: LogNoise, m: int) -> Observed:
        """Return the likelihood of m counts given noisy values of the first of them, if all noises have one
        distribution.
        """
        # The padding for an unobserved last category is never used.
        anchors = np.array([*noisy, 0][:m], dtype=np.int64)
        limits = np.stack([np.zeros(m, dtype=np.int64), np.full(m, UNBOUNDED)])

        def log_likelihood(categories: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
            return log_noise(anchors[categories] - counts)

        return cls(log_likelihood, anchors, np.full((2, m), noise_radius(log_noise)), limits, np.arange(m) < len(noisy))

    def reordered(self, order: NDArray[np.int64]) -> Observed:
        """Return the same, with category order[i] as category i."""
        return Observed(
            lambda categories, counts: self.log_likelihood(order[categories], counts),
            self.anchors[order],
            self.reach[:, order],
            self.limits[:, order],
            self.informative[order],
        )

    @property
    def falls(self) -> NDArray[np.bool_]:
        """Return for each category whether its likelihood falls as the count grows, shape (m,)."""
        bounded: NDArray[np.bool_] = (self.reach[1] < UNBOUNDED) | (self.limits[1] < UNBOUNDED)
        return np.asarray(self.informative & bounded)

    def log_maxima(self) -> NDArray[np.float64]:
        """Return bounds on ln L_i(c) over all counts, shape (m,)."""
        everything = np.arange(self.anchors.size)
        near = [np.clip(self.anchors + step, *self.limits) for step in (-1, 0, 1)]
        found = np.max([self.log_likelihood(everything, each) for each in (*self.limits, *near)], axis=0)
        return np.where(self.informative & (self.limits[1] == UNBOUNDED), found, 0.0)

    def of_category(self, category: int, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return ln L_i(c) of one category for each count, 0 if it has no noisy count."""
        if not self.informative[category]:
            return np.zeros(counts.shape)
        return self.log_likelihood(np.full(counts.shape, category), counts)


MOST_AT_UNKNOWN_TOTAL: Final = 5000
"""Largest number of categories at an unknown total: the time grows faster than their number."""
LARGEST_PRIOR_AT_UNKNOWN_TOTAL: Final = 1_000_000
"""Largest sum of a prior at an unknown total. The time of a mixture of independent counts grows with it."""


@dataclass(frozen=True, slots=True, eq=False)
class UnknownTotal:
    """A total n that is not known: p(n) is flat on 0, 1, …, `at_most`, or on 0, 1, 2, … without `at_most`.

    `published` is the published observation of n itself, in the form of an observation of one category.

    `others`: a known number of records beside these n, and `prior_of_others` what their cells add to A. p(n) is that of
    all records, so n has the weight (n + others)! / Γ(n + others + A). A total that is published counts all of them.
    """

    at_most: int | None = None
    published: Observed | None = None
    others: int = 0
    prior_of_others: float = 0.0


class ProductCounts:
    """p(c | y) ∝ Π_i f_i(c_i) on Σ c = n, with one window of weights f_i per category, as in `condition_on_total`.

    `rounding` bounds the error of each log-weight, one array per window. `left_out` bounds the total-variation effect
    of cut tails. If n is unknown, `total` is its weight, the first window is that of −n, and `n` is None.
    """

    def __init__(
        self,
        windows: Sequence[Window],
        rounding: Sequence[NDArray[np.float64]],
        distribution: ProductDistribution,
        left_out: float,
        *,
        total: TotalWeight | None = None,
    ) -> None:
        self._total, self._first = total, 0 if total is None else 1
        self.n, self.m = distribution.total if total is None else None, len(windows) - self._first
        self._windows, self._rounding, self._distribution, self._omitted_probability = (
            tuple(windows),
            tuple(rounding),
            distribution,
            left_out,
        )
        self._marginals: tuple[CountMarginal, ...] | None = None
        self._moved_probability: float | None = None
        self.simulated: int | None = None
        self.effective: float | None = None

    @property
    def error(self) -> float:
        """Return a bound on the total-variation effect of cut tails, convolutions and rounded weights."""
        if self._moved_probability is None:
            self._moved_probability = 0.0
            for window, rounding, marginal in zip(self._windows, self._rounding, self._every_marginal(), strict=True):
                start = marginal.low - window.low
                self._moved_probability += float(
                    rounding[start : start + marginal.probabilities.size] @ marginal.probabilities
                )
        return (
            self._omitted_probability
            + self._distribution.left_out
            + self._distribution.log_normaliser_error
            + 2.0 * self._moved_probability
        )

    def marginals(self) -> tuple[CountMarginal, ...]:
        return self._every_marginal()[self._first :]

    def totals(self) -> CountMarginal:
        """Return the distribution of the total n."""
        if self.n is not None:
            return CountMarginal(self.n, np.ones(1))
        negative = self._every_marginal()[0]
        return CountMarginal(1 - negative.low - negative.probabilities.size, negative.probabilities[::-1])

    def _every_marginal(self) -> tuple[CountMarginal, ...]:
        if self._marginals is None:
            self._marginals = tuple(
                CountMarginal(marginal.low, marginal.probabilities) for marginal in self._distribution.marginals()
            )
        return self._marginals

    def sums(self, groups: Sequence[CellSet]) -> JointCounts:
        """Return the joint distribution of the sums.

        Given the total, it is proportional to the product of the sums' independent distributions and of the
        distribution of the remaining counts.
        """
        masses, rest, error = self._sums(groups)
        shape = tuple(mass.values.size for mass in masses)
        check_table(shape)
        table = np.ones(())
        for mass in masses:
            table = table[..., None] * mass.values
        steps = np.indices(shape, sparse=True)
        indices = (
            self._distribution.total - rest.low - sum(mass.low for mass in masses) - sum(steps[1:], start=steps[0])
        )
        inside = (indices >= 0) & (indices < rest.values.size)
        table = table * np.where(inside, rest.values[np.clip(indices, 0, rest.values.size - 1)], 0.0)
        return JointCounts(tuple(mass.low for mass in masses), table / table.sum(), self.error + error)

    def pair_at_unknown_total(
        self, groups: tuple[CellSet, CellSet]
    ) -> tuple[CountMarginal, CountMarginal, Callable[[NDArray[np.float64]], NDArray[np.float64]]]:
        """Return f_1, f_2 and ln g, for the sums S_1 and S_2 of two sets that have all cells.

        P(S_1 = s, S_2 = t) ∝ f_1(s) f_2(t) g(s + t), and ln g takes real numbers. Raises InferenceError if g is not
        smooth where n is likely.
        """
        total, tilt = self._total, self._distribution.tilt
        if total is None or not total.is_smooth or self.above_bound > _CUT_PROBABILITY:
            raise InferenceError("the weight of the total is not smooth")
        masses, _, _ = self._sums(groups)
        first, second = (CountMarginal(mass.low, mass.values) for mass in masses)
        return first, second, lambda n: -total.log_prior(n) - tilt * n

    @property
    def above_bound(self) -> float:
        """Return about how much probability the total would have above its bound, if it had none."""
        return _tail_above(self.totals())

    @property
    def of_cells(self) -> tuple[tuple[Window, ...], tuple[NDArray[np.float64], ...]]:
        """Return the windows of the counts, and bounds on the errors of their log-weights."""
        return self._windows[self._first :], self._rounding[self._first :]

    def sums_at_totals(self, groups: tuple[CellSet, CellSet], totals: NDArray[np.int64]) -> list[CountMarginal]:
        """Return the distribution of the first sum given each of these totals, for two sets that have all cells."""
        (first, second), _, _ = self._sums(groups)
        found = []
        for n in totals.tolist():
            low, high = max(first.low, n - second.high), min(first.high, n - second.low)
            counts = np.arange(low, high + 1)
            if not counts.size:  # the total has a negligible probability
                found.append(CountMarginal(min(first.low, n), np.ones(1)))
                continue
            joint = first.values[counts - first.low] * second.values[n - counts - second.low]
            likely = np.flatnonzero(joint > NEGLIGIBLE * joint.max())
            joint = joint[likely[0] : likely[-1] + 1]
            found.append(CountMarginal(low + int(likely[0]), joint / joint.sum()))
        return found

    def greater(self, groups: tuple[CellSet, CellSet], priors: tuple[float, float]) -> tuple[float, float]:
        masses, rest, error = self._sums(groups)
        first, second = (GammaCounts(prior, mass) for prior, mass in zip(priors, masses, strict=True))
        value, rounding = greater(first, second, rest, self._distribution.total)
        return value, self.error + error + rounding

    def draws_of_sums(self, groups: Sequence[CellSet], size: int, rng: Reproducible) -> NDArray[np.int64]:
        """Draw the sums of disjoint groups.

        Given the total, they and the sum of the rest have a product distribution too.
        """
        masses, rest, _ = self._sums(groups)
        with np.errstate(divide="ignore"):
            windows = [Window(each.low, np.log(np.maximum(each.values, 0.0))) for each in (*masses, rest)]
        drawn: NDArray[np.int64] = draw_many(condition_on_total(windows, self._distribution.total), size, rng)[
            :, : len(groups)
        ]
        return drawn

    def _sums(self, groups: Sequence[CellSet]) -> tuple[list[Mass], Mass, float]:
        return self._distribution.sums([frozenset(cell + self._first for cell in cells) for cells in groups])

    def probabilities(self, histograms: NDArray[np.int64]) -> NDArray[np.float64]:
        logs = np.full(len(histograms), -self._distribution.log_normaliser)
        columns = [-histograms.sum(axis=1)] * self._first + list(histograms.T)
        for window, counts in zip(self._windows, columns, strict=True):
            inside = (window.low <= counts) & (counts <= window.high)
            weights = window.log_weights[np.clip(counts, window.low, window.high) - window.low]
            logs += np.where(inside, weights, -math.inf)
        likely: NDArray[np.float64] = np.exp(logs)
        return likely

    def draws(self, size: int, rng: Reproducible) -> NDArray[np.int64]:
        return draw_many(self._distribution, size, rng)[:, self._first :]


def counts_at_total(counts: ProductCounts | MixedCounts, n: int) -> ProductCounts:
    """Return the posterior of the counts given that an unknown total is n, which must be possible."""
    windows, rounding = counts.of_cells
    return ProductCounts(windows, rounding, condition_on_total(windows, n), 0.0)


def counts_given_noise(
    prior: NDArray[np.float64], observed: Sequence[Observed], total: int | UnknownTotal
) -> ProductCounts | MixedCounts:
    """Return p(c | y) for releases whose noise is independent between categories, possibly conditioned on its sum.

    Arguments: `prior` α, shape (m,), all > 0; `observed`, at least one release, each with a noisy count for every
    category or for some; `total`, the number of records n >= 1 if it is known.

    Windows grow until the probability outside them is provably below 1e-12. `error` includes this and the rounding of
    weights and convolutions, which is about 1e-14 for a few categories. At an unknown total it is larger, up to 1e-6.
    If it would exceed 1e-7 and nothing limits n, a mixture of independent counts replaces the product.

    Raises InferenceError if the windows would hold more than 2^22 counts in all, if rounding leaves the weight of the
    total uncertain, if no counts are possible, or if n is unbounded and the likelihood of a count does not fall as the
    count grows.
    """
    if isinstance(total, UnknownTotal):
        return _counts_with_unknown_total(prior, observed, total)
    n, m = total, prior.size
    spans = Spans(prior, observed, n)
    spans.check_total(n)
    log_largest_tail = math.log(_TAIL)
    for _ in range(_MAX_WIDENINGS):
        least, most = spans.fit_free(n, n)
        if spans.entries() > _MAX_ENTRIES:
            raise InferenceError(_TOO_MANY_COUNTS)
        windows = spans.windows()
        try:
            tilt = tilt_to_total(windows, n).tilt
        except CountSimplexError:
            spans.widen(np.full((2, m), [[least > n], [most < n]]))
            continue
        log_tails = spans.log_tails(_Masses(windows), tilt)
        lacking = log_tails > log_largest_tail
        if not lacking.any():
            try:
                distribution = condition_on_total(windows, n)
            except CountSimplexError:
                raise InferenceError(
                    "the release is too far from every histogram: rounding makes their weights equal"
                ) from None
            log_beyond = distribution.log_left_out_beyond(log_tails.T.ravel().tolist())
            if log_beyond <= _LOG_MAX_ERROR:
                return ProductCounts(windows, spans.rounding(), distribution, math.exp(log_beyond))
            # The total is so unlikely under the tilted distribution that small tails are not small relative to it.
            log_largest_tail += _LOG_MAX_ERROR - log_beyond - math.log(1000 * m)
            lacking = log_tails > log_largest_tail
        spans.widen(lacking)
    raise InferenceError(_TOO_MANY_COUNTS)


def check_unknown_total(prior: Sequence[float] | NDArray[np.float64]) -> None:
    """Raise InferenceError if p(c | y) takes too long under this prior at an unknown total."""
    if len(prior) > MOST_AT_UNKNOWN_TOTAL:
        raise InferenceError(f"at an unknown number of records there can be at most {MOST_AT_UNKNOWN_TOTAL} categories")
    if math.fsum(prior) > LARGEST_PRIOR_AT_UNKNOWN_TOTAL:
        raise InferenceError(
            "at an unknown number of records the numbers of the prior must sum to at most "
            f"{LARGEST_PRIOR_AT_UNKNOWN_TOTAL}"
        )


def _counts_with_unknown_total(
    prior: NDArray[np.float64], observed: Sequence[Observed], total: UnknownTotal, reaches: int = 4
) -> ProductCounts | MixedCounts:
    """Return p(c | y) if n is unknown, from windows of all counts and of −n.

    A published n is considered up to `reaches` times its reach above its anchor.
    """
    check_unknown_total(prior)
    limits_of_total(total, observed)
    whole, (most, is_cut) = math.fsum(prior), _largest_total(total, reaches)
    spans = Spans(prior, observed, most)
    spans.check_total(0)
    possible = spans.possible_sums(most)
    log_largest_tail, depth = math.log(_TAIL), _DEPTH_OF_TOTAL
    for _ in range(_MAX_WIDENINGS):
        spans.fit_free(0, most)
        if spans.entries() > _MAX_ENTRIES:
            raise _entries_error(spans.entries())
        windows = spans.windows()
        masses = _Masses(windows)
        least, greatest = spans.sums()
        weight = weight_of_total(whole, possible, min(least, most), total)
        if least > most:
            spans.widen_each(below=True, above=False)
            continue
        panels = panels_of_total(weight, partial(spans.moments, masses), least, greatest)
        if panels is None:
            spans.widen(spans.log_tails(masses, 0.0) == math.inf)
            continue
        low, high, log_cut, log_elsewhere = panels.window(depth)
        if high - low >= _MAX_ENTRIES:
            raise _entries_error(high - low + 1)
        totals = np.arange(high, low - 1, -1)
        leaf = Window(-high, weight.at(totals))
        can_mix = weight.is_smooth and total.at_most is None and not total.others and whole > LEAST_WHOLE
        try:
            distribution = condition_on_total([leaf, *windows], 0)
        except CountSimplexError:
            if can_mix:
                return _mixture(whole, spans)
            raise InferenceError(TOO_MANY_AT_THIS_NOISE) from None
        log_tails = spans.log_tails(masses, distribution.tilt)
        log_beyond = distribution.log_left_out_beyond(log_tails.T.ravel().tolist())
        log_cut, log_elsewhere = log_cut - distribution.log_normaliser, log_elsewhere - distribution.log_normaliser
        log_excess = spans.log_excess(weight) - distribution.log_normaliser if is_cut else -math.inf
        log_outside = float(np.logaddexp.reduce([log_beyond, log_cut, log_elsewhere, log_excess]))
        if log_outside <= _LOG_MAX_ERROR:
            rounding = [weight.rounding(totals), *spans.rounding()]
            counts = ProductCounts([leaf, *windows], rounding, distribution, math.exp(log_outside), total=weight)
            if can_mix and not counts.error <= _MIN_MIXED_ERROR:
                return _mixture(whole, spans)
            if not counts.error <= _MAX_ERROR_OF_TOTAL:
                raise InferenceError(TOO_MANY_AT_THIS_NOISE)
            return counts
        if log_cut > _LOG_MAX_ERROR - 2.0:
            depth += log_cut - _LOG_MAX_ERROR + 3.0
        elif log_excess > _LOG_MAX_ERROR - 2.0:
            if reaches < _MOST_REACHES:  # with many cells, the bound on larger totals is far above their weight
                return _counts_with_unknown_total(prior, observed, total, 8 * reaches)
            raise InferenceError("the published total is too far from the sum of the published counts")
        elif log_beyond > _LOG_MAX_ERROR - 2.0:
            log_largest_tail = min(log_largest_tail, float(log_tails.max())) - math.log(1000.0)
            spans.widen(log_tails > log_largest_tail)
        else:
            spans.widen_each(below=True, above=True)
    raise InferenceError(TOO_MANY_AT_THIS_NOISE)


def _mixture(whole: float, spans: Spans) -> MixedCounts:
    """Return p(c | y) under a flat p(n) as a mixture of independent counts."""
    for _ in range(_MAX_WIDENINGS):
        if spans.entries() > _MAX_ENTRIES:
            raise _entries_error(spans.entries())
        windows = spans.windows()
        masses = _Masses(windows)
        # Without a tilt the upper tails are largest. All windows start at the least count, so no lower tails exist.
        tails = spans.log_tails(masses, 0.0)
        lacking = np.stack([spans.starts_late(), tails[1] > _LOG_MAX_ERROR - math.log(2.0 * tails.shape[1])])
        if not lacking.any():
            tau, shares, error = nodes_of_mixture(whole, masses.log_product)
            return MixedCounts(windows, spans.rounding(), -tau, shares, error + _MAX_ERROR)
        spans.widen(lacking)
    raise InferenceError(TOO_MANY_AT_THIS_NOISE)


def _largest_total(total: UnknownTotal, reaches: int) -> tuple[int, bool]:
    """Return the largest total that is considered, and whether larger ones are possible, though unlikely."""
    most = UNBOUNDED if total.at_most is None else total.at_most
    if total.published is None or not total.published.falls[0]:
        return most, False
    far = int(total.published.anchors[0] + reaches * total.published.reach[1, 0])
    far = min(far, int(total.published.limits[1, 0]))
    return (most, False) if most <= far else (max(far, 0), far < total.published.limits[1, 0])


def limits_of_total(total: int | UnknownTotal, observed: Sequence[Observed]) -> tuple[int, int]:
    """Return the least and the largest total that is considered.

    Raises InferenceError if no total is too large and the likelihood of a count does not fall as the count grows.
    """
    if isinstance(total, int):
        return total, total
    most, _ = _largest_total(total, 4)
    if most == UNBOUNDED and not all(np.logical_or.reduce([each.falls for each in observed])):
        raise InferenceError("a cell without upper end needs a known, published or bounded total")
    return 0, most


def weight_of_total(whole: float, possible: tuple[int, int], anchor: int, total: UnknownTotal) -> TotalWeight:
    whole += total.prior_of_others
    if total.published is None:
        return TotalWeight(
            whole,
            *possible,
            anchor,
            lambda totals: np.zeros(totals.shape),
            range(1),
            is_smooth=True,
            others=total.others,
        )
    log_likelihood, peak = partial(total.published.of_category, 0), int(total.published.anchors[0])
    least, most = (int(end) for end in total.published.limits[:, 0])
    near = range(least, most + 1) if most - least < _MAX_LISTED_COUNTS else range(peak - 1, peak + 2)
    return TotalWeight(whole, *possible, anchor, log_likelihood, near, is_smooth=False)


def _tail_above(total: CountMarginal) -> float:
    """Return the probability beyond the last value of a distribution, if it falls at the same rate from there."""
    before, last = total.probabilities[-2:] if total.probabilities.size > 1 else (0.0, 1.0)
    if last <= _MAX_ERROR:
        return 0.0
    return float(last * last / (before - last)) if before > last else 1.0


def _entries_error(entries: int) -> InferenceError:
    return InferenceError(f"{TOO_MANY_AT_THIS_NOISE}: {entries} of at most {_MAX_ENTRIES}")


class Spans:
    """The windows of all categories during the search. They are extended at either end, and the tails beyond them are
    bounded.

    Categories are computed together, because separate calls would cost more than the computation. `most` is the largest
    possible total.
    """

    def __init__(self, prior: NDArray[np.float64], observed: Sequence[Observed], most: int) -> None:
        m = prior.size
        self._prior, self._observed = prior, observed
        says = [each.informative for each in observed]
        self._bound = np.logical_or.reduce(says)
        everything = np.arange(m)
        self._least_counts = np.max([np.where(each.informative, each.limits[0], 0) for each in observed], axis=0)
        self._largest_counts = np.min([np.where(each.informative, each.limits[1], most) for each in observed], axis=0)
        self._largest_counts = np.minimum(self._largest_counts, most)
        if (self._least_counts > self._largest_counts).any():
            raise InferenceError(_NO_COUNT)
        tops = np.array([np.clip(each.anchors, self._least_counts, self._largest_counts) for each in observed])
        likely = [
            np.where(informs, self._log_likelihood(everything, top), -math.inf)
            for informs, top in zip(says, tops, strict=True)
        ]
        reach = np.array(
            [np.where(each.informative, np.minimum(each.reach, UNBOUNDED), most) for each in observed]
        ).min(axis=0)
        self._anchor = np.where(self._bound, tops[np.argmax(likely, axis=0), everything], 0)
        # Cap the radius at the largest total, which covers all counts.
        below, above = np.where(self._bound, np.minimum(reach, most), 0)
        self._low = np.maximum(self._least_counts, self._anchor - below)
        self._high = np.minimum(self._largest_counts, self._anchor + above)
        # Windows of finite noise, which need not be log-concave, have no tails.
        finite = np.any([each.informative & (each.limits[1] < UNBOUNDED) for each in observed], axis=0)
        self._low, self._high = (
            np.where(finite, self._least_counts, self._low),
            np.where(finite, self._largest_counts, self._high),
        )
        self._windows: list[Window | None] = [None] * m

    def fit_free(self, least: int, most: int) -> tuple[int, int]:
        """Return the smallest and the largest possible sum of the counts that have a noisy count.

        The window of a category without a noisy count becomes what remains of a total from `least` to `most`, so it has
        no tails.
        """
        # Python integers, as sums of arrays could overflow.
        low_sum, high_sum = (sum(ends[self._bound].tolist()) for ends in (self._low, self._high))
        all_free = np.flatnonzero(~self._bound).tolist()
        low = max(0, least - high_sum) if len(all_free) == 1 else 0
        high = max(0, min(most, most - low_sum))
        for free in all_free:
            if (low, high) != (self._low[free], self._high[free]):
                self._windows[free] = None
                self._low[free], self._high[free], self._anchor[free] = low, high, (low + high) // 2
        return low_sum, high_sum

    def check_total(self, n: int) -> None:
        """Raise InferenceError if counts that are known exactly add up to more than n, a known total, or to less."""
        least, most = sum(self._least_counts.tolist()), sum(self._largest_counts.tolist())
        if n and least > n:
            raise InferenceError(f"the counts must add up to {least} or more, above the total of {n}")
        if most < n:
            raise InferenceError(f"the counts can sum to at most {most}, less than the total of {n}")

    def possible_sums(self, most: int) -> tuple[int, int]:
        """Return the smallest and the largest possible sum of all counts; at most `most`."""
        return sum(self._least_counts.tolist()), min(most, sum(self._largest_counts.tolist()))

    def sums(self) -> tuple[int, int]:
        """Return the smallest and the largest sum of the counts in the windows."""
        return sum(self._low.tolist()), sum(self._high.tolist())

    def entries(self) -> int:
        """Return the total number of counts in all windows."""
        return sum((self._high - self._low + 1).tolist())

    def widen(self, lacking: NDArray[np.bool_]) -> None:
        """Double the windows downward and upward where `lacking`, shape (2, m), is true.

        Windows of free categories are unchanged.
        """
        below, above = lacking & self._bound
        grown = self._high - self._low + 1
        self._low = np.where(below, np.maximum(self._least_counts, self._low - grown), self._low)
        self._high = np.where(above, np.minimum(self._largest_counts, self._high + grown), self._high)
        for category in np.flatnonzero(below | above).tolist():
            self._windows[category] = None

    def starts_late(self) -> NDArray[np.bool_]:
        """Return for each category whether counts below its window are possible, shape (m,)."""
        return np.asarray(self._low > self._least_counts)

    def ends_early(self) -> NDArray[np.bool_]:
        """Return for each category whether counts above its window are possible, shape (m,)."""
        return np.asarray(self._high < self._largest_counts)

    def widen_each(self, *, below: bool, above: bool) -> None:
        """Double every window downward, if `below`, and upward, if `above`."""
        self.widen(np.repeat([[below], [above]], self._prior.size, axis=1))

    def windows(self) -> list[Window]:
        """Return the window of every category, with its log-weights."""
        changed = np.array(
            [category for category, window in enumerate(self._windows) if window is None], dtype=np.int64
        )
        for categories, category_of, counts, cuts in self._concatenated_windows(changed):
            of_prior = log_prior_weights_of_runs(*self._runs(categories), anchor=self._anchor[categories])
            weights = np.split(of_prior + self._log_likelihood(category_of, counts), cuts)
            for category, each in zip(categories.tolist(), weights, strict=True):
                if each.max() == -math.inf:
                    raise InferenceError(_NO_COUNT)
                self._windows[category] = Window(int(self._low[category]), each)
        return [window for window in self._windows if window is not None]

    def rounding(self) -> list[NDArray[np.float64]]:
        """Return a bound on the error of each log-weight, one array per window."""
        found: list[NDArray[np.float64]] = []
        for categories, category_of, counts, cuts in self._concatenated_windows(np.arange(self._prior.size)):
            of_prior = rounding_of_runs(*self._runs(categories), anchor=self._anchor[categories])
            likely = self._log_likelihoods(category_of, counts)
            of_noise = sum(np.abs(np.nan_to_num(each, neginf=0.0)) for each in likely)
            found += np.split(of_prior + 4.0 * UNIT * of_noise, cuts)
        return found

    def moments(self, masses: _Masses, tilt: float) -> tuple[float, float, float]:
        """Return ln Σ Π f_i(c_i) e^(tilt · c_i) over all counts, also those outside the windows, and the mean and
        standard deviation of Σ c inside the windows.

        The first is an upper bound; it is infinite if the tails cannot be bounded.
        """
        tails = np.logaddexp(*self.log_tails(masses, tilt))
        inside, means, variances = masses.moments(tilt)
        whole = float(inside.sum() + np.logaddexp(0.0, tails).sum()) + tilt * sum(masses.modes.tolist())
        return whole, float(means.sum()), math.sqrt(float(variances.sum()))

    def log_excess(self, weight: TotalWeight) -> float:
        """Return a bound on ln of the weight of all counts with a sum above `weight.most`.

        The prior weights of all counts with one sum add up to 1, in the units of the prior. So their posterior weight
        is at most L(n) Π max L_i. L(n) is log-concave.
        """
        first = np.array([weight.most + 1, weight.most + 2])
        likely = weight.log_likelihood(first)
        if likely[1] >= likely[0]:
            return math.inf
        units = special.gammaln(weight.whole + weight.anchor) - special.gammaln(weight.anchor + 1.0)
        units -= special.gammaln(weight.whole)
        units += float(
            np.sum(
                special.gammaln(self._prior)
                - special.gammaln(self._prior + self._anchor)
                + special.gammaln(self._anchor + 1.0)
            )
        )
        maxima = sum(float(each.log_maxima().sum()) for each in self._observed)
        return float(units + maxima + likely[0] - math.log(-math.expm1(likely[1] - likely[0])))

    @np.errstate(invalid="ignore")  # beyond the limits of finite noise, whose tails are empty
    def log_tails(self, masses: _Masses, tilt: float) -> NDArray[np.float64]:
        """Return bounds on ln of the mass of f(c) e^{tilt · c} below and above each window, relative to the mass
        inside.

        The shape is (2, m), with −inf for free categories. The noise is log-concave, so the ratios of its consecutive
        probabilities decrease beyond an end. Upward, consecutive values of Γ(α + c)/c! have the ratio (α + c)/(c + 1),
        which tends to 1 from one side. Downward, for α < 1, Γ(α + c)/c! rises to at most its value at c = 0.
        """
        origin, inside = masses.modes, masses.log_sums(tilt)
        everything = np.arange(self._prior.size)
        tails = np.full((2, self._prior.size), -math.inf)
        ends = self._high + 1
        rise = np.maximum(0.0, np.log((self._prior + ends) / (ends + 1.0)))
        log_ratio = tilt + self._noise_step(ends, 1) + rise
        prior = log_prior_weight(self._prior, ends, anchor=self._anchor)
        first = prior + self._log_likelihood(everything, ends) + tilt * (ends - origin)
        tails[1] = np.where(
            self._bound & (self._high < self._largest_counts), first + _log_geometric_sum(log_ratio) - inside, -math.inf
        )
        ends = np.maximum(self._low - 1, 0)
        log_ratio = -tilt + self._noise_step(ends, -1)
        prior = np.maximum(*(log_prior_weight(self._prior, each, anchor=self._anchor) for each in (0 * ends, ends)))
        first = prior + self._log_likelihood(everything, ends) + tilt * (ends - origin)
        tails[0] = np.where(
            self._bound & (self._low > self._least_counts), first + _log_geometric_sum(log_ratio) - inside, -math.inf
        )
        return tails

    def _concatenated_windows(
        self, categories: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
        """Yield the counts of several concatenated windows, for a group of categories at a time.

        Each item has the categories of the group, the category and the count at each position, and the start of each
        window but the first.
        """
        sizes = (self._high - self._low + 1)[categories]
        for group in in_groups(sizes):
            if sizes[group].size:
                cuts = np.cumsum(sizes[group])[:-1]
                steps = np.arange(int(sizes[group].sum())) - np.repeat(np.concatenate(([0], cuts)), sizes[group])
                category_of = np.repeat(categories[group], sizes[group])
                yield categories[group], category_of, self._low[category_of] + steps, cuts

    def _runs(self, categories: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """Return the prior, the least count and the window size of each of these categories."""
        low = self._low[categories]
        return self._prior[categories], low, self._high[categories] - low + 1

    def _noise_step(self, counts: NDArray[np.int64], step: int) -> NDArray[np.float64]:
        everything = np.arange(self._prior.size)
        return self._log_likelihood(everything, counts + step) - self._log_likelihood(everything, counts)

    def _log_likelihood(self, categories: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the log-likelihood of each count of its category, summed over all releases."""
        return sum(self._log_likelihoods(categories, counts), start=np.zeros(counts.size))

    def _log_likelihoods(
        self, categories: NDArray[np.int64], counts: NDArray[np.int64]
    ) -> Iterator[NDArray[np.float64]]:
        for each in self._observed:
            yield np.where(each.informative[categories], each.log_likelihood(categories, counts), 0.0)


class _Masses:
    """Several concatenated windows, to be tilted together."""

    __slots__ = ("_logs", "_sizes", "_starts", "_steps", "modes")

    def __init__(self, windows: Sequence[Window]) -> None:
        self._sizes = np.array([window.log_weights.size for window in windows])
        self._starts = np.cumsum(self._sizes) - self._sizes
        peaks = np.array([int(np.argmax(window.log_weights)) for window in windows])
        self.modes = np.array([window.low for window in windows], dtype=np.int64) + peaks
        self._logs = np.concatenate([window.log_weights for window in windows])
        self._steps = np.arange(self._logs.size, dtype=np.float64) - np.repeat(self._starts + peaks, self._sizes)

    def log_sums(self, tilt: float) -> NDArray[np.float64]:
        """Return ln Σ f(c) e^{tilt (c − mode)} over each window, shape (m,)."""
        return self._tilt_masses(tilt)[0]

    def log_product(self, tilt: float) -> float:
        """Return ln Π Σ f(c) e^{tilt c} over all windows."""
        return float(self.log_sums(tilt).sum()) + tilt * float(sum(self.modes.tolist()))

    def moments(self, tilt: float) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return `log_sums`, and the mean and variance of each count under the tilted weights, all of shape (m,)."""
        logs, mass = self._tilt_masses(tilt)
        steps = np.add.reduceat(mass * self._steps, self._starts)
        squares = np.add.reduceat(mass * (self._steps - np.repeat(steps, self._sizes)) ** 2, self._starts)
        return logs, self.modes + steps, squares

    def _tilt_masses(self, tilt: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        exponents = self._logs + tilt * self._steps
        tops = np.maximum.reduceat(exponents, self._starts)
        mass = np.exp(exponents - np.repeat(tops, self._sizes))
        sums = np.add.reduceat(mass, self._starts)
        return tops + np.log(sums), mass / np.repeat(sums, self._sizes)


def _log_geometric_sum(log_ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln(1 + q + q² + …) for ln q = `log_ratio`. It is infinite if q >= 1."""
    falls = log_ratio < 0.0
    return np.where(falls, -np.log(-np.expm1(np.where(falls, log_ratio, -1.0))), math.inf)


def noise_radius(log_noise: LogNoise) -> int:
    """Return a distance at which the noise's probability is below its maximum by a factor of e^-50 (2e-22).

    The distance exceeds the smallest such one by a factor of at most 2.
    """
    far = 1
    while float(log_noise(np.array([0]))[0] - max(log_noise(np.array([-far, far])))) < 50.0:
        far *= 2
    return far
