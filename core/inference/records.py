"""Questions about the records themselves, not about the population that they represent.

The counts of the records are known up to the noise of the release, p(c | y). A share is then a ratio of two counts, and
a contrast one of four: no Dirichlet distribution follows. As the noise falls, intervals shrink to nothing. Equal shares
have a probability of their own, and so has 0/0, where a share or contrast is undefined. A ratio x/0 is infinite.

If the joint distribution of the counts is a small enough table, the result is exact; otherwise it comes from draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet, atoms
from core.inference.contrast_scales import Contrast
from core.inference.counts import NEGLIGIBLE, CountPosterior, InferenceError
from core.inference.events import DRAWS, Answered, Share, answer_of_draws, answer_of_law, pieces_of_share
from core.inference.posterior import NoiseAwarePosterior
from core.inference.record_laws import RecordsLaw
from core.samplers.reproducible import Reproducible

Floats: TypeAlias = NDArray[np.float64]
Side: TypeAlias = tuple[NoiseAwarePosterior, Share]
Value: TypeAlias = Callable[..., Floats]

_MAX_PAIRS: Final = 1 << 22
"""Largest number of pairs of counts of two data sets."""


def _share(within: Floats, outside: Floats) -> Floats:
    return quotient(within, within + outside)


def _difference(a: Floats, not_a: Floats, b: Floats, not_b: Floats) -> Floats:
    return quotient(a * (b + not_b) - b * (a + not_a), (a + not_a) * (b + not_b))


def _ratio(a: Floats, not_a: Floats, b: Floats, not_b: Floats) -> Floats:
    return quotient(a * (b + not_b), b * (a + not_a))


def _odds_ratio(a: Floats, not_a: Floats, b: Floats, not_b: Floats) -> Floats:
    return quotient(a * not_b, b * not_a)


def quotient(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotients: NaN for 0/0, and infinite for other numbers over 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(numerator / denominator)


CONTRASTS: Final[dict[Contrast, Value]] = {
    Contrast.DIFFERENCE: _difference,
    Contrast.RATIO: _ratio,
    Contrast.ODDS_RATIO: _odds_ratio,
}


class _Counts(NamedTuple):
    """Counts in some sets, shape (k, sets), with weights of shape (k,), None if they are draws."""

    counts: Floats
    weights: Floats | None = None
    error: float = 0.0


def share_of_records(posterior: NoiseAwarePosterior, share: Share) -> Answered:
    """Return the distribution of a share among the records. Raises InferenceError if it is never defined."""
    return _answers(posterior, pieces_of_share(posterior, share), [_share])[0]


def contrasts_of_records(first: Side, second: Side, contrasts: Sequence[Contrast]) -> list[Answered]:
    """Return the distributions of contrasts of two shares among the same records, which have one posterior, or of
    different data sets, whose counts are independent. Raises InferenceError as `share_of_records` does.
    """
    values = [CONTRASTS[each] for each in contrasts]
    if first[0] is second[0]:
        return _answers(first[0], [*pieces_of_share(*first), *pieces_of_share(*second)], values)
    left, right = (
        _counts(posterior.counts, pieces_of_share(posterior, share), seed)
        for seed, (posterior, share) in enumerate((first, second))
    )
    p, q = left.weights, right.weights
    if p is not None and q is not None and p.size * q.size <= _MAX_PAIRS:
        i, j = (each.ravel() for each in np.indices((p.size, q.size)))
        joint = _Counts(np.hstack([left.counts[i], right.counts[j]]), p[i] * q[j], left.error + right.error)
    else:
        rng = Reproducible(2)
        drawn = [
            each.counts if each.weights is None else each.counts[rng.categories(each.weights, DRAWS)]
            for each in (left, right)
        ]
        joint = _Counts(np.hstack(drawn))
    return [_answer(value(*joint.counts.T), joint, first[0], second[0]) for value in values]


def _answers(posterior: NoiseAwarePosterior, sets: Sequence[CellSet], values: Sequence[Value]) -> list[Answered]:
    """Return the distributions of functions of the counts in some sets, which may overlap."""
    cut = atoms(sets)
    found = _counts(posterior.counts, cut.pieces, 0)
    of_sets = [found.counts[:, sorted(members)].sum(axis=1) for members in cut.members]
    return [_answer(value(*of_sets), found, posterior) for value in values]


def _counts(counts: CountPosterior, pieces: Sequence[CellSet], seed: int) -> _Counts:
    """Return the possible counts of disjoint sets, or draws of them."""
    # If n is known and the sets have all cells, the last count follows from the others.
    n = counts.n if sum(map(len, pieces)) == counts.m else None
    asked = pieces if n is None else pieces[:-1]
    with suppress(InferenceError):
        joint = counts.sums(asked)
        places = np.nonzero(joint.probabilities > NEGLIGIBLE * float(joint.probabilities.max()))
        weights = joint.probabilities[places]
        found = np.stack([low + each for low, each in zip(joint.lows, places, strict=True)], axis=1)
        return _Counts(_complete_counts(found, n), weights, joint.error + max(0.0, 1.0 - float(weights.sum())))
    drawn = counts.draws_of_sums(asked, DRAWS, Reproducible(seed))
    return _Counts(_complete_counts(drawn, n))


def _complete_counts(counts: NDArray[np.int64], n: int | None) -> Floats:
    return (counts if n is None else np.column_stack([counts, n - counts.sum(axis=1)])).astype(np.float64)


def _answer(values: Floats, found: _Counts, *posteriors: NoiseAwarePosterior) -> Answered:
    law = RecordsLaw.of(values, found.weights)
    return answer_of_draws(law, *posteriors) if law.draws else answer_of_law(law, found.error, *posteriors)
