"""A share of a set of cells, and two of them side by side: what the posterior of the counts says of either.

Given the counts, θ_A is Beta(α_A + c_A, α_rest + n − c_A), and θ_{A∩B} / θ_B is Beta(α_{A∩B} + c_{A∩B}, α_{B∖A} +
c_{B∖A}): the laws of one count and of two. Differences, ratios and odds ratios of two shares need the counts of the
disjoint pieces that both are made of. Where the joint law of these counts is a small enough table the answer is exact,
up to the error that it states; else it comes from exact joint draws of the shares, and states their standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet, atoms
from core.inference.beta_pairs import BetaPairs
from core.inference.contrasts import Contrast, ContrastLaw, DrawnLaw, MonotoneLaw, Rising
from core.inference.counts import InferenceError, JointCounts
from core.inference.mixture import BetaMixture
from core.inference.posterior import NoiseAwarePosterior

_MAX_PAIRS: Final = 1 << 13
"""Pairs of counts in the law of a conditional share."""
_MAX_OF_EITHER: Final = 1 << 7
"""Pairs of counts on either side of two shares."""
_MAX_TABLE: Final = 1 << 18
"""Entries of a joint law that is sorted by sums of its counts."""
_LEFT_OUT: Final = 1e-13
_ROUNDING: Final = 1e-11
_DRAWS: Final = 40_000
_SEED: Final = 0


@dataclass(frozen=True, slots=True)
class Share:
    """The share of the records in `given`, a set of cells or all where None, that lie in `cells` as well: θ_{A∩B} /
    θ_B.
    """

    cells: CellSet
    given: CellSet | None = None


ShareLaw: TypeAlias = BetaMixture | BetaPairs


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """A law, and how far any probability of it can be off: a bound where it is `exact`, one standard error where it
    is a `simulation`.
    """

    law: ShareLaw | DrawnLaw | ContrastLaw | MonotoneLaw
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None = None


def share_law(posterior: NoiseAwarePosterior, share: Share) -> Answered:
    """The posterior law of a share of a set of cells. Raises InferenceError where the sets hold nothing or
    everything.
    """
    within, outside = _pieces(posterior, share)
    if share.given is None:
        return _answer_of(posterior.share_of(within), posterior.error, posterior)
    try:
        pairs, left_out, error = _pairs(posterior, within, outside)
    except InferenceError:
        return _answer_of_draws(_drawn(posterior, [(within, outside)], np.asarray), posterior)
    return _answer_of(pairs, error + left_out + _ROUNDING, posterior)


def contrast_law(posterior: NoiseAwarePosterior, first: Share, second: Share, contrast: Contrast) -> Answered:
    """The posterior law of a contrast of two shares of one release's people, or of several releases pooled.

    Exact where the two bases are disjoint, or the same (differences, and ratios of disjoint sets), and the counts are
    few enough; else from 40 000 joint draws. Raises InferenceError where a set holds nothing or everything, or the
    shares are one and the same.
    """
    pieces = _pieces(posterior, first), _pieces(posterior, second)
    if pieces[0] == pieces[1]:
        raise InferenceError("a share is compared with another one")
    try:
        law, error = _exact_contrast(posterior, *pieces, contrast)
    except InferenceError:
        return _answer_of_draws(_drawn(posterior, pieces, contrast.of), posterior)
    return _answer_of(law, error + law.error + _ROUNDING, posterior)


def contrast_between(
    first: tuple[NoiseAwarePosterior, Share], second: tuple[NoiseAwarePosterior, Share], contrast: Contrast
) -> Answered:
    """The law of a contrast of two shares of different people, whose posteriors are independent.

    Exact where both shares' laws are short enough; else from 40 000 draws of each.
    """
    answers = [share_law(posterior, share) for posterior, share in (first, second)]
    laws = [_as_pairs(answer.law) for answer in answers if isinstance(answer.law, BetaMixture | BetaPairs)]
    if len(laws) == len(answers) and all(law.weights.size <= _MAX_OF_EITHER for law, _ in laws):
        (x, _), (y, _) = laws
        law = ContrastLaw.of_independent(x, y, np.outer(x.weights, y.weights), contrast)
        error = law.error + sum(answer.error for answer in answers) + sum(2.0 * left_out for _, left_out in laws)
        return _answer_of(law, error, *(posterior for posterior, _ in (first, second)))
    drawn = [
        _drawn(posterior, [_pieces(posterior, share)], np.asarray, seed=seed)
        for seed, (posterior, share) in enumerate((first, second))
    ]
    return _answer_of_draws(contrast.of(*drawn), first[0], second[0])


def _exact_contrast(
    posterior: NoiseAwarePosterior,
    first: tuple[CellSet, CellSet],
    second: tuple[CellSet, CellSet],
    contrast: Contrast,
) -> tuple[ContrastLaw | MonotoneLaw, float]:
    """The law, and what is wrong with the law of the counts. Raises InferenceError where it has to be drawn."""
    (a_in, a_out), (b_in, b_out) = first, second
    if not (a_in | a_out) & (b_in | b_out):
        joint = posterior.counts.sums([a_in, a_out, b_in, b_out])
        table, rows, columns, left_out = _trimmed(joint, 2)
        x = _pair_laws(posterior, first, joint.lows[:2], rows, table.sum(axis=1))
        y = _pair_laws(posterior, second, joint.lows[2:], columns, table.sum(axis=0))
        return ContrastLaw.of_independent(x, y, table, contrast), joint.error + left_out
    if (a_in | a_out) != (b_in | b_out):
        raise InferenceError("the two bases overlap")
    # What both sets hold cancels from a difference, and the base from a ratio.
    only_a, only_b = a_in - b_in, b_in - a_in
    others = (a_in | a_out) - only_a - only_b
    match contrast:
        case Contrast.DIFFERENCE if not only_b:
            return _of_one_share(posterior, only_a, others, Rising.SHARE)
        case Contrast.DIFFERENCE if not only_a:
            # θ_A − θ_B is the share of the others less one.
            return _of_one_share(posterior, others, only_b, Rising.LESS_ONE)
        case Contrast.DIFFERENCE if not others:
            return _of_one_share(posterior, only_a, only_b, Rising.LESS_THE_REST)
        case Contrast.DIFFERENCE:
            joint = posterior.counts.sums([only_a, only_b, others])
            return _difference_of_disjoint(posterior, joint, only_a, only_b, others)
        case Contrast.RATIO if not a_in & b_in:
            return _of_one_share(posterior, a_in, b_in, Rising.ODDS)
        case _:
            raise InferenceError("the shares hang together in more than one way")


def _of_one_share(
    posterior: NoiseAwarePosterior, within: CellSet, outside: CellSet, contrast: Rising
) -> tuple[MonotoneLaw, float]:
    """A contrast that rises with one conditional share."""
    pairs, left_out, error = _pairs(posterior, within, outside)
    return MonotoneLaw(pairs, contrast), error + left_out


def _difference_of_disjoint(
    posterior: NoiseAwarePosterior, joint: JointCounts, only_a: CellSet, only_b: CellSet, others: CellSet
) -> tuple[ContrastLaw, float]:
    """θ_A − θ_B of disjoint sets within A ∪ B ∪ others, from the joint law of the three counts."""
    if joint.probabilities.size > _MAX_TABLE:
        raise InferenceError("too many counts")
    i, j, k = np.nonzero(joint.probabilities > _LEFT_OUT * float(joint.probabilities.max()) / joint.probabilities.size)
    weights = joint.probabilities[i, j, k]
    left_out = max(0.0, 1.0 - float(weights.sum()))
    inner_codes, inner_places = np.unique(i * joint.probabilities.shape[1] + j, return_inverse=True)
    sums = i + j
    outer_codes, outer_places = np.unique(sums * joint.probabilities.shape[2] + k, return_inverse=True)
    if max(inner_codes.size, outer_codes.size) > _MAX_OF_EITHER:
        raise InferenceError("too many counts")
    table = np.zeros((inner_codes.size, outer_codes.size))
    np.add.at(table, (inner_places, outer_places), weights)
    inner_i, inner_j = np.divmod(inner_codes, joint.probabilities.shape[1])
    outer_s, outer_k = np.divmod(outer_codes, joint.probabilities.shape[2])
    alpha_a, alpha_b, alpha_rest = (_prior_of(posterior, cells) for cells in (only_a, only_b, others))
    table /= table.sum()
    u = _beta_pairs((alpha_a, alpha_b), (joint.lows[0] + inner_i, joint.lows[1] + inner_j), table.sum(axis=1))
    total = joint.lows[0] + joint.lows[1]
    s = _beta_pairs((alpha_a + alpha_b, alpha_rest), (total + outer_s, joint.lows[2] + outer_k), table.sum(axis=0))
    law = ContrastLaw.of_disjoint(u, s, table)
    return law, joint.error + 2.0 * left_out


def _pieces(posterior: NoiseAwarePosterior, share: Share) -> tuple[CellSet, CellSet]:
    """The cells that count for the share and those of its base that do not: disjoint, neither empty. Raises
    InferenceError.
    """
    base = frozenset(range(posterior.counts.m)) if share.given is None else share.given
    within, outside = share.cells & base, base - share.cells
    if not within or not outside:
        raise InferenceError("a share needs cells that belong to it and others that do not")
    return within, outside


def _pairs(posterior: NoiseAwarePosterior, within: CellSet, outside: CellSet) -> tuple[BetaPairs, float, float]:
    joint = posterior.counts.sums([within, outside])
    kept = joint.probabilities > _LEFT_OUT / joint.probabilities.size
    i, j = np.nonzero(kept)
    if i.size > _MAX_PAIRS:
        raise InferenceError("too many counts")
    weights = joint.probabilities[i, j]
    left_out = max(0.0, 1.0 - float(weights.sum()))
    alphas = _prior_of(posterior, within), _prior_of(posterior, outside)
    return _beta_pairs(alphas, (joint.lows[0] + i, joint.lows[1] + j), weights / weights.sum()), left_out, joint.error


def _trimmed(joint: JointCounts, axes: int) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], float]:
    """The table as a matrix, the first `axes` counts against the others, without the rows and columns that hold next
    to nothing.
    """
    shape = joint.probabilities.shape
    matrix = joint.probabilities.reshape(math.prod(shape[:axes]), -1)
    rows = np.flatnonzero(matrix.sum(axis=1) > _LEFT_OUT / matrix.shape[0])
    columns = np.flatnonzero(matrix.sum(axis=0) > _LEFT_OUT / matrix.shape[1])
    if max(rows.size, columns.size) > _MAX_OF_EITHER:
        raise InferenceError("too many counts")
    kept = matrix[np.ix_(rows, columns)]
    left_out = max(0.0, 1.0 - float(kept.sum()))
    row_counts = np.stack(np.unravel_index(rows, shape[:axes]), axis=1)
    column_counts = np.stack(np.unravel_index(columns, shape[axes:]), axis=1)
    return kept / kept.sum(), row_counts, column_counts, left_out


def _pair_laws(
    posterior: NoiseAwarePosterior,
    pieces: tuple[CellSet, CellSet],
    lows: tuple[int, ...],
    counts: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> BetaPairs:
    alphas = _prior_of(posterior, pieces[0]), _prior_of(posterior, pieces[1])
    return _beta_pairs(alphas, (lows[0] + counts[:, 0], lows[1] + counts[:, 1]), weights)


def _as_pairs(law: ShareLaw) -> tuple[BetaPairs, float]:
    """The law without ends that hold next to nothing, and what these held."""
    if isinstance(law, BetaPairs):
        return law, 0.0
    likely = np.flatnonzero(law.probabilities > _LEFT_OUT / law.probabilities.size)
    # From the greatest count downward, in which order each law follows from the one before.
    kept = slice(int(likely[0]), int(likely[-1]) + 1)
    weights = law.probabilities[kept][::-1]
    a = (law.prior + law.low + np.arange(kept.start, kept.stop, dtype=np.float64))[::-1]
    return BetaPairs(a, law.total - a, weights / weights.sum()), max(0.0, 1.0 - float(weights.sum()))


def _beta_pairs(
    alphas: tuple[float, float], counts: tuple[NDArray[np.int64], NDArray[np.int64]], weights: NDArray[np.float64]
) -> BetaPairs:
    a, b = (alpha + each.astype(np.float64) for alpha, each in zip(alphas, counts, strict=True))
    return BetaPairs(a, b, weights)


def _prior_of(posterior: NoiseAwarePosterior, cells: CellSet) -> float:
    return math.fsum(posterior.prior[sorted(cells)])


def _drawn(
    posterior: NoiseAwarePosterior,
    shares: Sequence[tuple[CellSet, CellSet]],
    value: Callable[..., NDArray[np.float64]],
    *,
    seed: int = _SEED,
) -> NDArray[np.float64]:
    """Draws of a value of some shares, each given by its two pieces, from the joint law of the atoms of all pieces."""
    cut = atoms([piece for pieces in shares for piece in pieces])
    drawn = posterior.draws_of(cut.pieces, _DRAWS, seed=seed)
    sums = [drawn[:, sorted(members)].sum(axis=1) for members in cut.members]
    return np.asarray(
        value(*(inside / (inside + outside) for inside, outside in zip(sums[::2], sums[1::2], strict=True)))
    )


def _answer_of(law: ShareLaw | ContrastLaw | MonotoneLaw, error: float, *posteriors: NoiseAwarePosterior) -> Answered:
    """An answer computed from laws of the counts, which may themselves be simulations."""
    draws = [each.counts.simulated for each in posteriors if each.counts.simulated is not None]
    return Answered(law, error, "simulation", min(draws)) if draws else Answered(law, error, "exact")


def _answer_of_draws(values: NDArray[np.float64], *posteriors: NoiseAwarePosterior) -> Answered:
    """An answer from draws, of laws of the counts which may themselves be simulations."""
    # Under a prior far below 1 a share may be zero in floating point.
    values = np.sort(np.nan_to_num(values, nan=1.0, posinf=1e300, neginf=-1e300))
    error = math.hypot(0.5 / math.sqrt(values.size), *(each.simulation_error for each in posteriors))
    return Answered(DrawnLaw(values), error, "simulation", values.size)
