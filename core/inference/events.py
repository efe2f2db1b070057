"""Posterior distributions of the share of a set of cells, and of contrasts of two such shares.

Given the counts, θ_A ~ Beta(α_A + c_A, α_rest + n − c_A) and θ_{A∩B} / θ_B ~ Beta(α_{A∩B} + c_{A∩B}, α_{B∖A} +
c_{B∖A}). These need the distribution of one count and the joint distribution of two. A contrast of two shares needs the
counts of the disjoint pieces that both sets consist of.

If the joint distribution of these counts is a small enough table, the result is exact up to the stated error. Otherwise
it comes from joint draws of the shares, and its error bound fails with probability 1e-6.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet, atoms
from core.inference.beta_pairs import BetaPairs
from core.inference.contrast_scales import Contrast, LogShares, OfOneShare
from core.inference.contrasts import DrawnDistribution, OneShareContrast, TwoShareContrast
from core.inference.counts import TOO_MANY_AT_THIS_NOISE, InferenceError, JointCounts
from core.inference.mixed_counts import MixedCounts
from core.inference.mixture import BetaMixture
from core.inference.posterior import Estimate, NoiseAwarePosterior
from core.inference.product_counts import ProductCounts, counts_at_total
from core.inference.record_laws import RecordsLaw
from core.inference.share_nodes import difference, share_by_nodes, share_over_totals
from core.inference.total_nodes import FASTEST, OverTotals, order_for, rule_of_total, speeds

_MAX_PAIRS: Final = 1 << 13
"""Largest number of pairs of counts in the distribution of a conditional share."""
_MAX_PAIRS_AT_UNKNOWN_TOTAL: Final = 1 << 17
"""Largest number of pairs of counts in the distribution of a share at an unknown total, without quadrature."""
_MAX_OF_EITHER: Final = 1 << 7
"""Largest number of pairs of counts for each of two shares."""
_MAX_TABLE: Final = 1 << 18
"""Largest number of entries of a joint distribution of three counts."""
_MANY_CELLS: Final = 12
"""Least number of cells whose shares at an unknown total are computed together."""
_CHECKED_CELLS: Final = 2
_FINER: Final = 4
"""Number of orders by which the rule is refined to estimate the error."""
_SAFETY: Final = 10.0
"""Factor by which the error of other cells may exceed that of those that are compared."""
_MAX_CHANGE: Final = 2e-9
"""Largest change of a probability by the last refinement."""
_OMITTED_PROBABILITY: Final = 1e-13
"""Entries of a table are dropped below this probability divided by the number of entries."""
_ROUNDING: Final = 1e-11
DRAWS: Final = 160_000
"""Number of joint draws of two shares if their contrast is not computed exactly."""


@dataclass(frozen=True, slots=True)
class Share:
    """θ_{A∩B} / θ_B, the share of records in `cells` A among those in the base B. `given` is the base; None stands for
    all cells.
    """

    cells: CellSet
    given: CellSet | None = None


ShareDistribution: TypeAlias = BetaMixture | BetaPairs


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """A distribution, with a bound on the error of its probabilities.

    `error` is a bound if the method is `exact`. If the shares were drawn from an exact posterior of the counts, it is a
    bound that fails with probability 1e-6. If that posterior is itself a simulation, it is one standard error.
    """

    distribution: ShareDistribution | DrawnDistribution | TwoShareContrast | OneShareContrast | RecordsLaw
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None = None
    simulation_error: float = 0.0
    """One standard error from the posterior of the counts, if that is simulated."""

    def above(self, at: float) -> Estimate:
        """Return the probability that the value is above `at`, with its own error.

        From draws, it is never 0 or 1 inside the range of the value.
        """
        if isinstance(self.distribution, DrawnDistribution) and math.isfinite(self.distribution.scale.coordinate(at)):
            drawn = self.distribution
            size = drawn.coordinates.size
            return Estimate.of_frequency(drawn.count_above(at), size, simulation_error=self.simulation_error)
        return self._estimate(self.distribution.survival(at))

    def below(self, at: float) -> Estimate:
        """Return the probability that the value is below `at`, with its own error. A value of the records can also be
        equal to `at`, or undefined.
        """
        if isinstance(self.distribution, RecordsLaw):
            return self._estimate(self.distribution.below(at))
        above = self.above(at)
        return Estimate(1.0 - above.value, above.error, above.method, above.draws)

    def equal(self, at: float) -> Estimate | None:
        """Return the probability that the value is `at`; None for a continuous distribution."""
        return self._estimate(self.distribution.equal(at)) if isinstance(self.distribution, RecordsLaw) else None

    def _estimate(self, value: float) -> Estimate:
        if isinstance(self.distribution, RecordsLaw) and (size := self.distribution.draws) is not None:
            return Estimate.of_frequency(round(size * value), size, simulation_error=self.simulation_error)
        return Estimate(value, self.error, self.method, self.draws)

    def between(self, low: float, high: float) -> Estimate:
        """Return the probability that the value lies between `low` and `high`, with its own error. Both ends are within
        the range of a value of the records.

        `error` bounds every probability of a mixture, and otherwise only those of intervals (−∞, t].
        """
        if isinstance(self.distribution, DrawnDistribution):
            inside = self.distribution.count_above(low) - self.distribution.count_above(high)
            size = self.distribution.coordinates.size
            return Estimate.of_frequency(inside, size, simulation_error=self.simulation_error)
        if isinstance(self.distribution, RecordsLaw):
            return self._estimate(self.distribution.between(low, high))
        if math.isinf(high):
            return self.above(low)
        error = self.error if isinstance(self.distribution, BetaMixture) else 2.0 * self.error
        return Estimate(self.distribution.between(low, high), error, self.method, self.draws)


def share_distribution(posterior: NoiseAwarePosterior, share: Share, draws: int = DRAWS) -> Answered:
    """Return the posterior distribution of the share of a set of cells.

    It is exact if the joint distribution of the two counts is small enough; otherwise it consists of `draws` draws. If
    n is unknown, the share among all cells depends on two counts too: that of the set and that of the other cells. Then
    quadrature over large tables replaces draws, with an estimate of its error (`core.inference.share_nodes`).

    Raises InferenceError if the set contains none or all of the cells of its base.
    """
    within, outside = pieces_of_share(posterior, share)
    if share.given is None and posterior.counts.n is not None:
        return answer_of_law(posterior.share_of(within), posterior.error, posterior)
    counts, priors = posterior.counts, (_prior_of(posterior, within), _prior_of(posterior, outside))
    is_mixed = share.given is None and isinstance(counts, MixedCounts)
    with suppress(InferenceError):
        most = _MAX_PAIRS_AT_UNKNOWN_TOTAL if is_mixed else _MAX_PAIRS
        return _answer_of_pairs(posterior, within, outside, most=most)
    if share.given is None and isinstance(counts, ProductCounts):
        for by in (share_by_nodes, share_over_totals):
            with suppress(InferenceError):
                nodes, error = by(counts, (within, outside), priors)
                return answer_of_law(nodes, error + posterior.error + nodes.error, posterior)
    with suppress(InferenceError):
        if share.given is None and not is_mixed:
            return _answer_of_pairs(posterior, within, outside, most=_MAX_PAIRS_AT_UNKNOWN_TOTAL)
    gammas = posterior.log_gammas_of([within, outside], draws, seed=0)
    logits = DrawnDistribution(np.sort(gammas[:, 0] - gammas[:, 1]), OfOneShare.SHARE, moments=2)
    return answer_of_draws(logits, posterior)


def share_distributions(posterior: NoiseAwarePosterior) -> list[Answered]:
    """Return `share_distribution` of each cell. At an unknown total of many cells, most share the work."""
    counts, cells = posterior.counts, range(posterior.counts.m)
    found: list[Answered | None] = [None] * posterior.counts.m
    if isinstance(counts, ProductCounts | MixedCounts) and counts.n is None and counts.m >= _MANY_CELLS:
        with suppress(InferenceError):
            found = _shares_over_totals(posterior, counts)
    return [
        share_distribution(posterior, Share(frozenset({cell}))) if answered is None else answered
        for cell, answered in zip(cells, found, strict=True)
    ]


def _shares_over_totals(posterior: NoiseAwarePosterior, counts: ProductCounts | MixedCounts) -> list[Answered | None]:
    """Return the share of each cell from the same few totals, or None if that may be too rough for the cell.

    The error is the largest difference from exact shares, or from those of a rougher rule, found for the cells at which
    the share changes fastest with the total. Raises InferenceError if more than 64 totals are needed.
    """
    law = counts.totals()
    near = law.mean + law.standard_deviation * np.array([-1.0, 0.0, 1.0])
    near = np.clip(np.rint(near), law.low, law.low + law.probabilities.size - 1).astype(np.int64)

    def shares_at(n: int) -> tuple[BetaMixture, ...]:
        return NoiseAwarePosterior(posterior.prior, counts_at_total(counts, n)).shares()

    speed = speeds(*(shares_at(n) for n in near.tolist()))
    is_slow = speed <= FASTEST
    if not is_slow.any():
        return [None] * counts.m
    fastest = np.argsort(np.where(is_slow, -speed, 1.0))[:_CHECKED_CELLS].tolist()
    compared: list[BetaPairs] = _exact_shares(posterior, fastest)
    is_exact, order, change = bool(compared), order_for(float(speed[is_slow].max())), math.inf
    at_totals: list[tuple[float, tuple[BetaMixture, ...]]] = []
    while change > _MAX_CHANGE:
        totals, weights = rule_of_total(law, order)
        at_totals = [*zip(weights.tolist(), map(shares_at, totals.tolist()), strict=True)]
        found = [OverTotals.of([(weight, shares[cell]) for weight, shares in at_totals]) for cell in fastest]
        if compared:
            change = max(difference(before, after) for before, after in zip(compared, found, strict=True))
        compared, order = (compared if is_exact else [*found]), order + _FINER
    error = _SAFETY * change + posterior.error + _ROUNDING
    return [
        answer_of_law(OverTotals.of([(weight, shares[cell]) for weight, shares in at_totals]), error, posterior)
        if slow
        else None
        for cell, slow in enumerate(is_slow.tolist())
    ]


def _exact_shares(posterior: NoiseAwarePosterior, cells: Sequence[int]) -> list[BetaPairs]:
    """Return the shares of these cells by nodes of both counts, or nothing if that is not possible."""
    with suppress(InferenceError):
        if isinstance(counts := posterior.counts, ProductCounts):
            pieces = [pieces_of_share(posterior, Share(frozenset({cell}))) for cell in cells]
            priors = [(_prior_of(posterior, within), _prior_of(posterior, outside)) for within, outside in pieces]
            return [share_by_nodes(counts, *each)[0] for each in zip(pieces, priors, strict=True)]
    return []


def _answer_of_pairs(posterior: NoiseAwarePosterior, within: CellSet, outside: CellSet, *, most: int) -> Answered:
    pairs, left_out, error = _pairs(posterior, within, outside, most=most)
    return answer_of_law(pairs, error + left_out + pairs.error + _ROUNDING, posterior)


def contrast_distribution(posterior: NoiseAwarePosterior, first: Share, second: Share, contrast: Contrast) -> Answered:
    """Return the posterior distribution of a contrast of two shares of the same records, given one release or several
    pooled ones.

    The distribution is exact if few counts are likely and the contrast is one of these:

    - shares with disjoint bases (`Share.given`);
    - shares with equal bases, and their difference, or the ratio of disjoint or nested sets.

    Otherwise the distribution consists of joint draws. Raises InferenceError if a set contains none or all of the cells
    of its base, or if the shares are identical.
    """
    (found,) = contrast_distributions(posterior, first, second, [contrast])
    return found


def contrast_distributions(
    posterior: NoiseAwarePosterior, first: Share, second: Share, contrasts: Sequence[Contrast]
) -> list[Answered]:
    """Return the distributions of several contrasts of two shares, as `contrast_distribution` does.

    Those that consist of draws are functions of the same draws.
    """
    pieces = pieces_of_share(posterior, first), pieces_of_share(posterior, second)
    if pieces[0] == pieces[1]:
        raise InferenceError("the two shares of a contrast must differ")
    drawn: _DrawnShares | None = None
    found = []
    for contrast in contrasts:
        try:
            found.append(_answer_exactly(posterior, pieces, contrast))
        except InferenceError:
            drawn = _drawn_shares([posterior], pieces) if drawn is None else drawn
            found.append(answer_of_draws(drawn.contrast(contrast), posterior))
    return found


def exact_contrast(posterior: NoiseAwarePosterior, first: Share, second: Share, contrast: Contrast) -> Answered:
    """Return the distribution of a contrast as `contrast_distribution` does. Raises InferenceError if it must be
    drawn.
    """
    return _answer_exactly(posterior, (pieces_of_share(posterior, first), pieces_of_share(posterior, second)), contrast)


def contrast_between(
    first: tuple[NoiseAwarePosterior, Share], second: tuple[NoiseAwarePosterior, Share], contrast: Contrast
) -> Answered:
    """Return the distribution of a contrast of two shares of different data sets, whose posteriors are independent.

    It is exact if both shares have few enough likely counts; otherwise it consists of draws of each share.
    """
    (found,) = contrasts_between(first, second, [contrast])
    return found


def contrasts_between(
    first: tuple[NoiseAwarePosterior, Share], second: tuple[NoiseAwarePosterior, Share], contrasts: Sequence[Contrast]
) -> list[Answered]:
    """Return the distributions of several contrasts, like `contrast_between`. If they are drawn, all use the same draws
    of the shares.
    """
    exact, posteriors = _independent(first, second), [first[0], second[0]]
    if exact is not None and max(exact.x.weights.size, exact.y.weights.size) <= _MAX_OF_EITHER:
        return [exact.contrast(contrast) for contrast in contrasts]
    drawn = _drawn_shares(posteriors, (pieces_of_share(*first), pieces_of_share(*second)))
    return [answer_of_draws(drawn.contrast(contrast), *posteriors) for contrast in contrasts]


def greater_between(first: tuple[NoiseAwarePosterior, Share], second: tuple[NoiseAwarePosterior, Share]) -> Estimate:
    """Return P(θ_A > θ_B) for shares of different data sets, whose posteriors are independent.

    One integral gives it for any number of likely counts. Draws are used only if a conditional share is known from
    draws.
    """
    contrast, found = Contrast.ODDS_RATIO, _independent(first, second)
    answer = contrast_between(first, second, contrast) if found is None else found.contrast(contrast)
    return answer.above(contrast.equal)


@dataclass(frozen=True, slots=True, eq=False)
class _IndependentShares:
    """Two independent shares, and a bound on the error of both distributions."""

    x: BetaPairs
    y: BetaPairs
    error: float
    posteriors: tuple[NoiseAwarePosterior, NoiseAwarePosterior]

    def contrast(self, contrast: Contrast) -> Answered:
        distribution = TwoShareContrast(self.x, self.y, None, contrast)
        return answer_of_law(distribution, self.error + distribution.error, *self.posteriors)


def _independent(
    first: tuple[NoiseAwarePosterior, Share], second: tuple[NoiseAwarePosterior, Share]
) -> _IndependentShares | None:
    """Return two independent shares, or None if either is known from draws only."""
    answers = [share_distribution(posterior, share) for posterior, share in (first, second)]
    distributions = [
        _beta_pairs_without_ends(answer.distribution)
        for answer in answers
        if isinstance(answer.distribution, BetaMixture | BetaPairs)
    ]
    if len(distributions) < len(answers):
        return None
    (x, _), (y, _) = distributions
    error = sum(answer.error for answer in answers) + sum(2.0 * left_out for _, left_out in distributions)
    return _IndependentShares(x, y, error, (first[0], second[0]))


def _answer_exactly(
    posterior: NoiseAwarePosterior, pieces: tuple[tuple[CellSet, CellSet], tuple[CellSet, CellSet]], contrast: Contrast
) -> Answered:
    distribution, error = _exact_contrast(posterior, *pieces, contrast)
    return answer_of_law(distribution, error + distribution.error + _ROUNDING, posterior)


def _exact_contrast(
    posterior: NoiseAwarePosterior,
    first: tuple[CellSet, CellSet],
    second: tuple[CellSet, CellSet],
    contrast: Contrast,
) -> tuple[TwoShareContrast | OneShareContrast, float]:
    """Return the contrast's distribution and the error of the distribution of the counts.

    Raises InferenceError if the contrast must be drawn.
    """
    (a_in, a_out), (b_in, b_out) = first, second
    if not (a_in | a_out) & (b_in | b_out):
        for pieces in (first, second):
            _check_likely_counts(posterior, pieces)
        joint = posterior.counts.sums([a_in, a_out, b_in, b_out])
        table, rows, columns, left_out = _trim_joint(joint, 2)
        x = _beta_pairs_of(posterior, first, joint.lows[:2], rows, table.sum(axis=1))
        y = _beta_pairs_of(posterior, second, joint.lows[2:], columns, table.sum(axis=0))
        return TwoShareContrast(x, y, table, contrast), joint.error + left_out
    if (a_in | a_out) != (b_in | b_out):
        raise InferenceError("the two bases overlap")
    # Cells in both sets cancel from a difference; the base cancels from a ratio.
    only_a, only_b = a_in - b_in, b_in - a_in
    others = (a_in | a_out) - only_a - only_b
    match contrast:
        case Contrast.DIFFERENCE if not only_b:
            return _contrast_of_one_share(posterior, only_a, others, OfOneShare.SHARE)
        case Contrast.DIFFERENCE if not only_a:
            # With A ⊂ B, θ_A − θ_B is the share of the other cells minus 1.
            return _contrast_of_one_share(posterior, others, only_b, OfOneShare.LESS_ONE)
        case Contrast.DIFFERENCE if not others:
            return _contrast_of_one_share(posterior, only_a, only_b, OfOneShare.LESS_THE_REST)
        case Contrast.DIFFERENCE:
            joint = posterior.counts.sums([only_a, only_b, others])
            return _difference_of_disjoint(posterior, joint, only_a, only_b, others)
        case Contrast.RATIO if not a_in & b_in:
            return _contrast_of_one_share(posterior, a_in, b_in, OfOneShare.ODDS)
        case Contrast.RATIO if not only_a:
            return _contrast_of_one_share(posterior, a_in, only_b, OfOneShare.SHARE)
        case Contrast.RATIO if not only_b:
            return _contrast_of_one_share(posterior, only_a, b_in, OfOneShare.ODDS_AND_ONE)
        case _:
            raise InferenceError("the two shares have a part in common that does not cancel")


def _contrast_of_one_share(
    posterior: NoiseAwarePosterior, within: CellSet, outside: CellSet, contrast: OfOneShare
) -> tuple[OneShareContrast, float]:
    """Return a contrast that is an increasing function of one conditional share, and its error."""
    pairs, left_out, error = _pairs(posterior, within, outside)
    return OneShareContrast(pairs, contrast), error + left_out


def _difference_of_disjoint(
    posterior: NoiseAwarePosterior, joint: JointCounts, only_a: CellSet, only_b: CellSet, others: CellSet
) -> tuple[TwoShareContrast, float]:
    """Return the distribution of θ_A − θ_B for disjoint sets, from the joint distribution of three counts, and its
    error.

    The base of both shares is A ∪ B ∪ others; the counts are those of these three sets.
    """
    if joint.probabilities.size > _MAX_TABLE:
        raise InferenceError(TOO_MANY_AT_THIS_NOISE)
    i, j, k = np.nonzero(
        joint.probabilities > _OMITTED_PROBABILITY * float(joint.probabilities.max()) / joint.probabilities.size
    )
    weights = joint.probabilities[i, j, k]
    left_out = max(0.0, 1.0 - float(weights.sum()))
    inner_codes, inner_indices = np.unique(i * joint.probabilities.shape[1] + j, return_inverse=True)
    sums = i + j
    outer_codes, outer_indices = np.unique(sums * joint.probabilities.shape[2] + k, return_inverse=True)
    if max(inner_codes.size, outer_codes.size) > _MAX_OF_EITHER:
        raise InferenceError(TOO_MANY_AT_THIS_NOISE)
    table = np.zeros((inner_codes.size, outer_codes.size))
    np.add.at(table, (inner_indices, outer_indices), weights)
    inner_i, inner_j = np.divmod(inner_codes, joint.probabilities.shape[1])
    outer_s, outer_k = np.divmod(outer_codes, joint.probabilities.shape[2])
    alpha_a, alpha_b, alpha_rest = (_prior_of(posterior, cells) for cells in (only_a, only_b, others))
    table /= table.sum()
    u = _beta_pairs((alpha_a, alpha_b), (joint.lows[0] + inner_i, joint.lows[1] + inner_j), table.sum(axis=1))
    total = joint.lows[0] + joint.lows[1]
    s = _beta_pairs((alpha_a + alpha_b, alpha_rest), (total + outer_s, joint.lows[2] + outer_k), table.sum(axis=0))
    return TwoShareContrast(u, s, table, Contrast.DIFFERENCE, of_parts=True), joint.error + 2.0 * left_out


def pieces_of_share(posterior: NoiseAwarePosterior, share: Share) -> tuple[CellSet, CellSet]:
    """Return the share's cells and the other cells of its base: disjoint and not empty.

    Raises InferenceError if either would be empty.
    """
    base = frozenset(range(posterior.counts.m)) if share.given is None else share.given
    within, outside = share.cells & base, base - share.cells
    if not within or not outside:
        raise InferenceError("a share needs cells that belong to it and others that do not")
    return within, outside


def _pairs(
    posterior: NoiseAwarePosterior, within: CellSet, outside: CellSet, *, most: int = _MAX_PAIRS
) -> tuple[BetaPairs, float, float]:
    joint = posterior.counts.sums([within, outside])
    kept = joint.probabilities > _OMITTED_PROBABILITY / joint.probabilities.size
    i, j = np.nonzero(kept)
    if i.size > most:
        raise InferenceError(TOO_MANY_AT_THIS_NOISE)
    weights = joint.probabilities[i, j]
    left_out = max(0.0, 1.0 - float(weights.sum()))
    alphas = _prior_of(posterior, within), _prior_of(posterior, outside)
    return _beta_pairs(alphas, (joint.lows[0] + i, joint.lows[1] + j), weights / weights.sum()), left_out, joint.error


def _check_likely_counts(posterior: NoiseAwarePosterior, pieces: tuple[CellSet, CellSet]) -> None:
    """Raise InferenceError if both sets have too many likely counts, so that `_trim_joint` would refuse their pairs.

    The distributions of single counts take a fraction of the time of a joint table. Of their products, about half are
    likely pairs; an eighth would be too many.
    """
    sizes = []
    for cells in pieces:
        joint = posterior.counts.marginals()[min(cells)] if len(cells) == 1 else posterior.counts.sums([cells])
        probabilities = joint.probabilities
        sizes.append(np.count_nonzero(probabilities > _OMITTED_PROBABILITY / probabilities.size))
    if math.prod(sizes) > 8 * _MAX_OF_EITHER:
        raise InferenceError(TOO_MANY_AT_THIS_NOISE)


def _trim_joint(
    joint: JointCounts, axes: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], float]:
    """Return the table as a matrix without negligible rows and columns. The first `axes` counts index the rows."""
    shape = joint.probabilities.shape
    matrix = joint.probabilities.reshape(math.prod(shape[:axes]), -1)
    rows = np.flatnonzero(matrix.sum(axis=1) > _OMITTED_PROBABILITY / matrix.shape[0])
    columns = np.flatnonzero(matrix.sum(axis=0) > _OMITTED_PROBABILITY / matrix.shape[1])
    if max(rows.size, columns.size) > _MAX_OF_EITHER:
        raise InferenceError(TOO_MANY_AT_THIS_NOISE)
    kept = matrix[np.ix_(rows, columns)]
    left_out = max(0.0, 1.0 - float(kept.sum()))
    row_counts = np.stack(np.unravel_index(rows, shape[:axes]), axis=1)
    column_counts = np.stack(np.unravel_index(columns, shape[axes:]), axis=1)
    return kept / kept.sum(), row_counts, column_counts, left_out


def _beta_pairs_of(
    posterior: NoiseAwarePosterior,
    pieces: tuple[CellSet, CellSet],
    lows: tuple[int, ...],
    counts: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> BetaPairs:
    alphas = _prior_of(posterior, pieces[0]), _prior_of(posterior, pieces[1])
    return _beta_pairs(alphas, (lows[0] + counts[:, 0], lows[1] + counts[:, 1]), weights)


def _beta_pairs_without_ends(distribution: ShareDistribution) -> tuple[BetaPairs, float]:
    """Return the distribution without its ends of negligible probability, and the probability that was cut."""
    if isinstance(distribution, BetaPairs):
        return distribution, 0.0
    likely = np.flatnonzero(distribution.probabilities > _OMITTED_PROBABILITY / distribution.probabilities.size)
    steps = np.arange(likely[0], likely[-1] + 1, dtype=np.float64)
    (least, _), (_, rest) = distribution.ends
    # In order of falling counts, each component follows from the one before (see `BetaPairs`).
    a, b = (least + steps)[::-1], rest + ((distribution.probabilities.size - 1.0) - steps[::-1])
    weights = distribution.probabilities[likely[0] : likely[-1] + 1][::-1]
    return BetaPairs(a, b, weights / weights.sum()), max(0.0, 1.0 - float(weights.sum()))


def _beta_pairs(
    alphas: tuple[float, float], counts: tuple[NDArray[np.int64], NDArray[np.int64]], weights: NDArray[np.float64]
) -> BetaPairs:
    a, b = (alpha + each.astype(np.float64) for alpha, each in zip(alphas, counts, strict=True))
    return BetaPairs(a, b, weights)


def _prior_of(posterior: NoiseAwarePosterior, cells: CellSet) -> float:
    return math.fsum(posterior.prior[sorted(cells)])


@dataclass(frozen=True, slots=True, eq=False)
class _DrawnShares:
    """Joint draws of two shares, the disjoint pieces that the numerator and the remaining part of each share consist
    of, and the priors of the pieces.
    """

    shares: LogShares
    sets: Sequence[CellSet]
    priors: Sequence[float]

    def contrast(self, contrast: Contrast) -> DrawnDistribution:
        """Return the draws of a contrast of the two shares."""
        coordinates = contrast.coordinates(self.shares)
        return DrawnDistribution(np.sort(coordinates), contrast, moments_of(contrast, self.sets, self.priors))


def _drawn_shares(
    posteriors: Sequence[NoiseAwarePosterior], shares: tuple[tuple[CellSet, CellSet], ...]
) -> _DrawnShares:
    """Return draws of two shares. Each share is given by its cells and the other cells of its base.

    With one posterior both shares are drawn jointly; with two, each from its own. The cells are grouped into disjoint
    sets, and each group is drawn once.
    """
    by_posterior = [shares] if len(posteriors) == 1 else [(share,) for share in shares]
    gammas: list[NDArray[np.float64]] = []
    priors: list[float] = []
    sets: list[CellSet] = []
    for seed, (posterior, own) in enumerate(zip(posteriors, by_posterior, strict=True)):
        cut = atoms([piece for pieces in own for piece in pieces])
        sets += [frozenset(len(priors) + index for index in members) for members in cut.members]
        gammas.append(posterior.log_gammas_of(cut.pieces, DRAWS, seed=seed))
        priors += [_prior_of(posterior, cells) for cells in cut.pieces]
    return _DrawnShares(_log_shares(np.concatenate(gammas, axis=1).T, sets), sets, priors)


def _log_shares(gammas: NDArray[np.float64], sets: Sequence[CellSet]) -> LogShares:
    """Return two shares from logarithms of gamma variables, shape (k, size).

    The first share is sets[0] over sets[0] ∪ sets[1]; the second is sets[2] over sets[2] ∪ sets[3].
    """
    a, not_a, b, not_b = sets
    terms: Counter[tuple[int, int]] = Counter()
    terms.update((min(pair), max(pair)) for pair in product(a, not_b))
    terms.subtract((min(pair), max(pair)) for pair in product(b, not_a))
    excess, shortfall = (
        [gammas[i] + gammas[j] + math.log(sign * times) for (i, j), times in terms.items() if sign * times > 0]
        for sign in (1, -1)
    )
    none = np.full(gammas.shape[1], -math.inf)
    logs = [np.logaddexp.reduce(gammas[sorted(each)], axis=0) for each in sets]
    logs += [np.logaddexp.reduce([none, *each], axis=0) for each in (excess, shortfall)]
    return LogShares(*logs)


def moments_of(contrast: Contrast, sets: Sequence[CellSet], priors: Sequence[float]) -> int:
    """Return the number of finite moments of the contrast, at most 2.

    `sets` are the numerator and the remaining part of each share, as indices of disjoint pieces. Under noise every
    count is possible, also 0, so the pieces' shares behave like gamma variables with the shapes `priors`. A ratio of
    products of their sums grows if several of them tend to zero together. Its moment of order r is finite if r times
    the growth rate is below the sum of their shapes, for every choice of pieces that tend to zero.
    """
    if contrast is Contrast.DIFFERENCE:
        return 2
    a, not_a, b, not_b = sets
    above, below = ((a, b | not_b), (b, a | not_a)) if contrast is Contrast.RATIO else ((a, not_b), (b, not_a))
    greatest = 2
    for chosen in product((False, True), repeat=len(priors)):
        small = {index for index, is_small in enumerate(chosen) if is_small}
        rate = sum(each <= small for each in below) - sum(each <= small for each in above)
        while greatest * rate >= math.fsum(priors[index] for index in small) and rate > 0 and greatest:
            greatest -= 1
    return greatest


def answer_of_law(
    distribution: ShareDistribution | TwoShareContrast | OneShareContrast | RecordsLaw,
    error: float,
    *posteriors: NoiseAwarePosterior,
) -> Answered:
    """Return the result for a distribution computed from the distributions of the counts, which may themselves be
    simulations.
    """
    draws = [each.counts.simulated for each in posteriors if each.counts.simulated is not None]
    return Answered(distribution, error, "simulation", min(draws)) if draws else Answered(distribution, error, "exact")


def answer_of_draws(distribution: DrawnDistribution | RecordsLaw, *posteriors: NoiseAwarePosterior) -> Answered:
    """Return the result for a distribution that consists of draws.

    With probability 1 − 1e-6, the frequencies of all intervals (−∞, t] differ from their probabilities by at most
    `error`. The distributions of the counts may be simulations too; then `error` is one standard error.

    Source: Dvoretzky, Kiefer and Wolfowitz 1956, with Massart's constant.
    """
    size = distribution.draws if isinstance(distribution, RecordsLaw) else distribution.coordinates.size
    assert size, "it consists of draws"
    simulated = math.hypot(*(each.simulation_error for each in posteriors))
    error = (
        math.hypot(0.5 / math.sqrt(size), simulated) if simulated else math.sqrt(math.log(2.0 / 1e-6) / (2.0 * size))
    )
    return Answered(distribution, error, "simulation", size, simulated)
