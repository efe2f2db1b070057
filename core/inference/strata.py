"""A contrast of two shares in each stratum of the records, and two contrasts that are adjusted for the strata.

In stratum k, the records of the first group with and without the outcome have the shares a_k and b_k of all records,
and those of the second group c_k and d_k. With T_k = a_k + b_k + c_k + d_k and weights w_k, the adjusted risks are

    R_1 = Σ w_k a_k / (a_k + b_k) / Σ w_k,    R_2 = Σ w_k c_k / (c_k + d_k) / Σ w_k.

- *Standardised to the pooled strata*: w_k = T_k, the size of the stratum in both groups together; or to a standard
  population, whose w_k are stated.
- *Mantel–Haenszel*, for a difference and a ratio: w_k = (a_k + b_k)(c_k + d_k) / T_k. Its odds ratio is
  (Σ a_k d_k / T_k) / (Σ b_k c_k / T_k).

All are functions of the posterior shares θ, so the joint draws of θ give their posterior distributions. Sources: Mantel
and Haenszel 1959; Greenland and Robins 1985, for the difference and the ratio.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet
from core.inference.attribute_tree import TreeCounts
from core.inference.contrast_scales import Contrast, LogShares, log_sum
from core.inference.contrasts import DrawnDistribution
from core.inference.counts import InferenceError
from core.inference.events import DRAWS, Answered, Share, answer_of_draws, exact_contrast, moments_of
from core.inference.posterior import Estimate, NoiseAwarePosterior
from core.inference.record_laws import RecordsLaw
from core.inference.records import CONTRASTS, quotient
from core.samplers.reproducible import Reproducible

_MAX_DRAWN_SHARES: Final = 1 << 21
"""Largest number of shares that are drawn, if that leaves at least `_LEAST_DRAWS` draws of each."""
_LEAST_DRAWS: Final = 20_000
_BLOCK: Final = 1 << 22
"""Largest number of shares that are drawn at once under a prior on cells."""
_DRAWS_AT_ONCE: Final = 1 << 16
"""Number of draws of strata that are computed together: they stay in the processor's cache."""
_DRAWS_OF_COUNTS: Final = 4_096
"""Number of joint draws of counts that tell how often strata are empty: the error is below one point."""
_RARE_PROBABILITY: Final = 1e-6
"""Up to this probability of an empty cell, the cells around it are not examined."""

_SETS: Final = tuple(frozenset({part}) for part in range(4))
"""The numerator and the remaining part of either share, as indices of a_k, b_k, c_k and d_k."""

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Adjusted:
    """A contrast of two shares, adjusted for the strata in two ways."""

    mantel_haenszel: Answered
    standardised: Answered


class _Logs(NamedTuple):
    """Logarithms of draws of a_k, b_k, c_k and d_k up to a common factor, each of shape (strata, draws)."""

    a: Floats
    b: Floats
    c: Floats
    d: Floats


def restricted(share: Share, stratum: CellSet) -> Share:
    """Return the share among the records of one stratum. Its set or its base may be empty."""
    base = stratum if share.given is None else share.given & stratum
    return Share(share.cells & base, base)


def is_open(share: Share) -> bool:
    """Return whether records can be in the set of a share and outside it.

    Otherwise the share is 0 or 1, or it has no denominator.
    """
    base = _base(share)
    return bool(share.cells & base) and bool(base - share.cells)


def sets_of(shares: Sequence[Share]) -> list[CellSet]:
    """Return the sets of cells inside and outside of each share of a stratum, without empty ones."""
    sets = [each for share in shares for each in (share.cells & _base(share), _base(share) - share.cells)]
    return [each for each in sets if each]


def have_common_records(first: Share, second: Share) -> bool:
    """Return whether the bases of two shares of one stratum overlap. Then there are not two groups."""
    return bool(_base(first) & _base(second))


def draws_of_each(pieces: int) -> int:
    """Return the number of joint draws of this number of shares."""
    return max(_LEAST_DRAWS, min(DRAWS, _MAX_DRAWN_SHARES // pieces))


def without_records(posterior: NoiseAwarePosterior | TreeCounts, sets: Sequence[CellSet]) -> list[Estimate]:
    """Return for each set of cells the probability that no record is in it, given the release.

    It is at most the probability for one of its cells. If that is below 1e-6, it is the error of the answer 0.
    """
    if isinstance(posterior, TreeCounts):
        return _estimates_without_records_by_tree(posterior, sets)
    return [_estimates_without_records_by_cells(posterior, cells) for cells in sets]


def _estimates_without_records_by_cells(posterior: NoiseAwarePosterior, cells: CellSet) -> Estimate:
    if not cells:
        return Estimate(1.0, 0.0)
    marginals = [posterior.counts.marginals()[cell] for cell in cells]
    bound = min(float(each.probabilities[0]) if each.low == 0 else 0.0 for each in marginals)
    if bound <= _RARE_PROBABILITY:
        return posterior.estimate(0.0, max(bound, 0.0) + posterior.error)
    joint = posterior.counts.sums([cells])
    value = float(joint.probabilities[0]) if joint.lows[0] == 0 else 0.0
    return posterior.estimate(min(1.0, max(0.0, value)), joint.error)


def _estimates_without_records_by_tree(tree: TreeCounts, sets: Sequence[CellSet]) -> list[Estimate]:
    empty = np.array([float(each.probabilities[0]) if each.low == 0 else 0.0 for each in tree.marginals()])
    found, counts = list[Estimate](), None
    for places in map(tree.places, sets):
        bound = float(empty[places].min(initial=1.0))
        if bound <= _RARE_PROBABILITY:
            found.append(Estimate(0.0, bound + tree.error))
        elif not places:
            found.append(Estimate(1.0, 0.0))
        else:
            if counts is None:
                counts, _ = tree.draws(_DRAWS_OF_COUNTS, Reproducible(0))
            successes = int(np.count_nonzero(~counts[:, places].any(axis=1)))
            found.append(Estimate.of_frequency(successes, _DRAWS_OF_COUNTS))
    return found


def stratified_contrast(
    posterior: NoiseAwarePosterior | TreeCounts,
    pairs: Sequence[tuple[Share, Share]],
    contrast: Contrast,
    standard: Sequence[float] | None = None,
    most_draws: int = DRAWS,
) -> tuple[list[Answered], Adjusted]:
    """Return a contrast of two shares in each stratum, and the contrast that is adjusted for the strata.

    `pairs` has both shares of each stratum (`restricted`), and `standard` the weight of each in a standard population.
    The contrast of a stratum is exact if few counts are likely there and the prior is on cells. Otherwise it consists
    of joint draws of all shares, as the adjusted contrasts do. The number of draws is `most_draws`, or less if there
    are many strata.

    Raises InferenceError if there are no strata, if a share is not open (`is_open`), or if two shares of a stratum have
    common records.
    """
    if not pairs or not all(is_open(share) for pair in pairs for share in pair):
        raise InferenceError("each stratum needs records of both groups with and without the outcome")
    if any(have_common_records(*pair) for pair in pairs):
        raise InferenceError("the two groups have common records")
    log_standard = None if standard is None else np.log(standard)[:, None]
    size = min(most_draws, draws_of_each(len(_SETS) * len(pairs)))
    drawn, sums = np.empty((len(pairs), size)), np.full((2 * len(_SETS), size), -math.inf)
    for some, draws, logs in _draw_log_shares(posterior, pairs, size):
        drawn[some, draws] = contrast.coordinates(_log_shares(*logs))
        of_these = _log_sums(logs, contrast, None if log_standard is None else log_standard[some])
        sums[:, draws] = np.logaddexp(sums[:, draws], of_these)
    strata = [_answer_of_stratum(posterior, *pair, drawn[place], contrast) for place, pair in enumerate(pairs)]
    # The moments of adjusted ratios may not exist.
    moments = 2 if contrast is Contrast.DIFFERENCE else 0
    adjusted = (contrast.coordinates(_log_shares(*each)) for each in np.split(sums, 2))
    return strata, Adjusted(*(_answer(posterior, each, contrast, moments) for each in adjusted))


def adjusted_of_records(
    posterior: NoiseAwarePosterior | TreeCounts,
    pairs: Sequence[tuple[Share, Share]],
    contrast: Contrast,
    standard: Sequence[float] | None = None,
) -> Adjusted:
    """Return a contrast of two groups of the records, adjusted for the strata: the same formulas of drawn counts.

    A stratum without records has no weight. Standardised risks are undefined if a stratum has records of one group
    only. Arguments as for `stratified_contrast`.
    """
    pieces = [piece for pair in pairs for piece in sets_of(pair)]
    size, rng = draws_of_each(len(pieces)), Reproducible(0)
    if isinstance(posterior, TreeCounts):
        counts = np.array([counts for counts, _ in posterior.draws_of(pieces, size, rng)]).T
    else:
        counts = posterior.counts.draws_of_sums(pieces, size, rng)
    a, b, c, d = (counts[:, part :: len(_SETS)].astype(np.float64) for part in range(len(_SETS)))
    whole = a + b + c + d
    per = np.where(whole > 0.0, 1.0 / np.maximum(whole, 1.0), 0.0)
    forms = {
        Contrast.DIFFERENCE: (a * d - b * c, (a + b) * (c + d)),
        Contrast.RATIO: (a * (c + d), c * (a + b)),
        Contrast.ODDS_RATIO: (a * d, b * c),
    }
    above, below = ((per * each).sum(axis=1) for each in forms[contrast])
    weights = whole if standard is None else np.broadcast_to(np.array(standard), whole.shape)
    risks = [
        np.where(weights > 0.0, weights * quotient(x, x + rest), 0.0).sum(axis=1) / weights.sum(axis=1)
        for x, rest in ((a, b), (c, d))
    ]
    standardised = CONTRASTS[contrast](risks[0], 1.0 - risks[0], risks[1], 1.0 - risks[1])
    laws = RecordsLaw.of(quotient(above, below)), RecordsLaw.of(standardised)
    posteriors = [] if isinstance(posterior, TreeCounts) else [posterior]
    return Adjusted(*(answer_of_draws(law, *posteriors) for law in laws))


def _answer_of_stratum(
    posterior: NoiseAwarePosterior | TreeCounts, first: Share, second: Share, coordinates: Floats, contrast: Contrast
) -> Answered:
    if isinstance(posterior, TreeCounts):
        return _answer(posterior, coordinates, contrast, moments_of(contrast, _SETS, [posterior.prior] * len(_SETS)))
    try:
        return exact_contrast(posterior, first, second, contrast)
    except InferenceError:
        priors = [math.fsum(posterior.prior[sorted(piece)]) for piece in sets_of((first, second))]
        return _answer(posterior, coordinates, contrast, moments_of(contrast, _SETS, priors))


def _answer(
    posterior: NoiseAwarePosterior | TreeCounts, coordinates: Floats, contrast: Contrast, moments: int
) -> Answered:
    """Return the distribution of a contrast that consists of these draws, which are sorted in place."""
    posteriors = [] if isinstance(posterior, TreeCounts) else [posterior]
    coordinates.sort()
    return answer_of_draws(DrawnDistribution(coordinates, contrast, moments), *posteriors)


def _base(share: Share) -> CellSet:
    assert share.given is not None, "a share of a stratum has a base"
    return share.given


def _draw_log_shares(
    posterior: NoiseAwarePosterior | TreeCounts, pairs: Sequence[tuple[Share, Share]], size: int
) -> Iterator[tuple[slice, slice, _Logs]]:
    """Draw the shares of all pieces of all strata jointly: some strata, or some draws, at a time."""
    pieces, parts = [piece for pair in pairs for piece in sets_of(pair)], len(_SETS)
    if isinstance(posterior, TreeCounts):
        drawn, together = posterior.draws_of(pieces, size, Reproducible(0)), max(1, _DRAWS_AT_ONCE // size)
        for start in range(0, len(pairs), together):
            logs = [each for _, each in islice(drawn, parts * together)]
            yield slice(start, start + together), slice(None), _Logs(*(np.array(logs[k::parts]) for k in range(parts)))
        return
    together = max(1, _BLOCK // len(pieces))
    for seed, start in enumerate(range(0, size, together)):
        block = posterior.log_gammas_of(pieces, min(together, size - start), seed=seed).T  # up to a common factor
        yield slice(None), slice(start, start + together), _Logs(*(block[k::parts] for k in range(parts)))


def _log_sums(logs: _Logs, contrast: Contrast, log_standard: Floats | None) -> Floats:
    """Return the logarithms of sums over strata, shape (8, draws), of which both adjusted contrasts are functions.

    The first four are the adjusted risks R_1 and R_2 and their complements, up to the common factor Σ w_k, under the
    weights of Mantel and Haenszel; for an odds ratio they have its sums in their place. The other sums are for the
    standardised contrast.
    """
    a, b, c, d = logs
    first, second = log_sum(a, b), log_sum(c, d)
    whole = log_sum(first, second)
    if contrast is Contrast.ODDS_RATIO:
        above, below = _log_sum_over_strata(a + d - whole), _log_sum_over_strata(b + c - whole)
        sums = [above, below, np.zeros_like(above), np.zeros_like(above)]
    else:
        sums = [_log_sum_over_strata(w + each) for w, each in _weighted_logs(logs, second - whole, first - whole)]
    weights = whole if log_standard is None else log_standard
    return np.stack(
        [
            *sums,
            *(_log_sum_over_strata(w + each) for w, each in _weighted_logs(logs, weights - first, weights - second)),
        ]
    )


def _weighted_logs(logs: _Logs, of_first: Floats, of_second: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Yield the logarithms of a_k, b_k, c_k and d_k, each after that of w_k over the size of its group."""
    return zip((of_first, of_first, of_second, of_second), logs, strict=True)


def _log_shares(a: Floats, not_a: Floats, b: Floats, not_b: Floats) -> LogShares:
    return LogShares(a, not_a, b, not_b, excess=a + not_b, shortfall=b + not_a)


def _log_sum_over_strata(logs: Floats) -> Floats:
    """Return ln Σ e^logs over the strata."""
    top = logs.max(axis=0)
    found: Floats = top + np.log(np.exp(logs - top).sum(axis=0))
    return found
