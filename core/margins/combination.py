"""Combines noisy margins of one table into estimates that agree with each other, without any dense matrix.

A margin over attributes T is a sum of one *residual* for each U ⊆ T, its interaction: M_T x = Σ_U lift(r_U), r_U =
(⊗_{a∈U} (I − 11ᵀ/k_a)) M_U x. Here lift divides r_U evenly over the cells of T. Each measured margin S ⊇ U gives an
estimate of r_U. Its covariance is v_SU = σ_S² Π_{a∈S∖U} k_a times the projection on one subspace, the same for all S,
so the estimates are weighted by 1 / v_SU. Residuals of different U are uncorrelated in every measured margin. So this
is the best linear unbiased estimate if all combinations of levels are possible; otherwise it is unbiased with the
variances stated here, and not best. Residuals are those of ResidualPlanner (Xiao, He, Zhang and Kifer, arXiv
2305.08175).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.mechanisms.margins import Margin, Margins, cells_of, margins_of
from core.noise import CountNoise
from core.queries.error_distribution import EstimateErrorDistribution, distribution_of_independent

_LEAST_VARIANCE: Final = 1e-300
"""Variance of noise that is practically never different from 0; its inverse is finite."""
_WEIGHT_STEP: Final = 2.0**-40
"""Weights that differ by less are equal."""


class MarginsError(ValueError):
    """An invalid request about margins. The message names the rule and repeats no input."""


@dataclass(frozen=True, slots=True)
class MeasuredMargin:
    """A margin that is measured with independent noise of this distribution on each of its cells."""

    margin: Margin
    noise: CountNoise


def measured_margins(event: Margins) -> tuple[MeasuredMargin, ...]:
    """Return the margins that the event measures, with their noise."""
    return tuple(map(MeasuredMargin, event.margins, event.noises))


def subsets_of(margin: Margin) -> list[Margin]:
    """Return all subsets of a margin's attributes, smaller ones first."""
    return [each for size in range(len(margin) + 1) for each in combinations(margin, size)]


def without_single_levels(levels: Sequence[int], margin: Sequence[int]) -> Margin:
    """Return the attributes of the margin that have several levels, increasing. The others change no count.

    Raises MarginsError if an attribute does not belong to the table or is named twice.
    """
    if len(set(margin)) != len(margin) or not all(0 <= each < len(levels) for each in margin):
        raise MarginsError("a margin must name different attributes of the table")
    return tuple(sorted(each for each in margin if levels[each] > 1))


def cells_reached(
    levels: Sequence[int], impossible: frozenset[tuple[int, ...]], margins: Sequence[Margin]
) -> list[NDArray[np.bool_]]:
    """Return for each margin which of its cells contain a possible combination of levels."""
    ones = np.ones(math.prod(levels) - len(impossible), dtype=np.int64)
    return [each > 0 for each in margins_of(ones, tuple(levels), impossible, margins)]


class Combination:
    """The estimates of margins from measured margins: weights and variances, which are public.

    Arguments: `levels`, the number of levels of each attribute; `measured`, the measured margins; `n_is_public`,
    whether the number of records is known exactly, or measured like any other margin.

    Raises MarginsError if an attribute does not belong to the table, or if the noise of a margin has a known sum: its
    cells are dependent, and neither weights nor intervals here hold for it.
    """

    __slots__ = (
        "_deviations",
        "_errors",
        "_laws",
        "_levels",
        "_measured_margins",
        "_n_is_public",
        "_noises",
        "_precisions",
        "_shares",
        "_sizes",
        "_variances",
    )

    def __init__(self, levels: Sequence[int], measured: Sequence[MeasuredMargin], *, n_is_public: bool) -> None:
        self._levels = tuple(levels)
        self._measured_margins = tuple(
            MeasuredMargin(without_single_levels(levels, each.margin), each.noise) for each in measured
        )
        if any(each.noise.is_tied for each in measured):
            raise MarginsError("the noise of a margin must be independent between its cells")
        self._n_is_public = n_is_public
        self._errors: dict[tuple[tuple[CountNoise, float, int], ...], EstimateErrorDistribution] = {}
        numbers = {noise: number for number, noise in enumerate(dict.fromkeys(each.noise for each in measured))}
        self._noises = tuple(numbers)
        self._laws = np.array([numbers[each.noise] for each in measured], dtype=np.int64)
        self._deviations = np.array([each.deviation for each in self._noises])
        self._sizes = np.array([cells_of(self._levels, each.margin) for each in self._measured_margins], dtype=np.int64)
        variances = np.maximum(self._deviations[self._laws] ** 2, _LEAST_VARIANCE)
        self._precisions = 1.0 / (variances * self._sizes)
        precisions: dict[Margin, dict[int, float]] = {}
        for index, (each, variance) in enumerate(zip(self._measured_margins, variances.tolist(), strict=True)):
            for part in subsets_of(each.margin):
                averaged = math.prod(self._levels[a] for a in each.margin if a not in part)
                precisions.setdefault(part, {})[index] = 1.0 / (variance * averaged)
        self._variances = {part: 1.0 / sum(found.values()) for part, found in precisions.items()}
        self._shares = {
            part: {index: precision * self._variances[part] for index, precision in found.items()}
            for part, found in precisions.items()
        }
        if n_is_public:
            self._variances[()], self._shares[()] = 0.0, {}

    def variance(self, wanted: Sequence[int]) -> float:
        """Return the variance of each cell of the margin of these attributes.

        Raises MarginsError if the measured margins do not determine it, or if its attributes do not belong to the
        table.
        """
        margin = self._check_margin(wanted)
        return sum(
            self._variances[part]
            * math.prod((1.0 - 1.0 / self._levels[a]) if a in part else self._levels[a] ** -2.0 for a in margin)
            for part in subsets_of(margin)
        )

    def estimates(
        self,
        noisy: Sequence[NDArray[np.int64]],
        n: int | None,
        wanted: Sequence[Sequence[int]],
        impossible: frozenset[tuple[int, ...]] = frozenset(),
    ) -> list[NDArray[np.float64]]:
        """Return the estimate of each wanted margin, an array with the levels of its attributes, in the order of the
        table, as shape.

        Arguments: `noisy`, the noisy counts of each measured margin, with the levels of its attributes as shape; `n`,
        the number of records if it is public, otherwise None; `wanted`, the attributes of each wanted margin;
        `impossible`, the impossible combinations of levels of all attributes. A cell without a possible combination is
        0.

        The estimates of two margins have equal sums over the attributes that only one of them has, up to rounding of
        the order of 1e-15 of the counts, unless impossible cells were set to 0. The time is linear in the cells of
        measured and wanted margins. Raises MarginsError if a margin is not determined, or if `n` or a shape does not
        fit.
        """
        if (n is not None) != self._n_is_public or len(noisy) != len(self._measured_margins):
            raise MarginsError("the noisy margins and the number of records must be those of the plan")
        margins = [self._check_margin(each) for each in wanted]
        parts: dict[Margin, NDArray[np.float64]] = {}
        for index, (each, counts) in enumerate(zip(self._measured_margins, noisy, strict=True)):
            shape = tuple(self._levels[a] for a in each.margin)
            if counts.size != math.prod(shape):
                raise MarginsError("the noisy margins and the number of records must be those of the plan")
            residuals = _residuals(counts.reshape(shape).astype(np.float64))
            for part in subsets_of(each.margin):
                if (share := self._shares[part].get(index)) is not None:
                    found = share * residuals[_place(each.margin, part)]
                    parts[part] = parts[part] + found if part in parts else found
        if n is not None:
            parts[()] = np.array(float(n))
        found_estimates = []
        names_in_order = [tuple(sorted(each)) for each in wanted]
        reached = cells_reached(self._levels, impossible, names_in_order) if impossible else None
        for index, (margin, names) in enumerate(zip(margins, names_in_order, strict=True)):
            extended = np.empty(tuple(self._levels[a] + 1 for a in margin))
            for part in subsets_of(margin):
                extended[_place(margin, part)] = parts[part]
            estimate = _lift_residuals(extended).reshape(tuple(self._levels[a] for a in names))
            found_estimates.append(estimate if reached is None else np.where(reached[index], estimate, 0.0))
        return found_estimates

    def weights(self, wanted: Sequence[int]) -> list[tuple[CountNoise, float, int]]:
        """Return the weights of the noise in one cell's estimate: noise, weight, and number of cells with that weight.

        The noise z_S(s) of the measured margin S has in the cell t of T the weight Σ_{U⊆S∩T} ω_SU Π_{a∈U} (1[s_a =
        t_a] − 1/k_a) Π_{a∈T∖U} 1/k_a, which depends only on the attributes in which s and t agree. Weights of the same
        noise that are equal are listed once, and the largest parts of the variance first. Raises MarginsError as
        `variance` does.
        """
        margin = self._check_margin(wanted)
        alike: dict[Margin, list[int]] = {}
        for index, each in enumerate(self._measured_margins):
            alike.setdefault(tuple(a for a in margin if a in each.margin), []).append(index)
        found = []
        for common, indices in alike.items():
            # Measured margins with the same attributes in common have the same weights up to a factor.
            of_parts = [self._variances[each] * cells_of(self._levels, each) for each in _product_order(common)]
            weights, counts = np.reshape(of_parts, (2,) * len(common)), np.ones((2,) * len(common), dtype=np.int64)
            for axis, attribute in enumerate(common):
                k = self._levels[attribute]
                without, within = np.moveaxis(weights, axis, 0)
                weights = np.stack(((without - within) / k, without / k + within * (1.0 - 1.0 / k)), axis=axis)
                counts = counts * np.array([k - 1, 1]).reshape([-1 if a == axis else 1 for a in range(len(common))])
            factors = self._precisions[indices] * (cells_of(self._levels, common) / cells_of(self._levels, margin))
            repeats = self._sizes[indices] // cells_of(self._levels, common)
            found.append((np.outer(factors, weights), np.outer(repeats, counts), self._laws[indices]))
        # Weights that differ by rounding only become one. No weight exceeds 1.
        units = np.concatenate([np.rint(np.abs(each) / _WEIGHT_STEP).astype(np.int64).ravel() for each, _, _ in found])
        laws = np.concatenate([np.repeat(each, counts.shape[1]) for _, counts, each in found])
        places, inverse = np.unique(np.stack((laws, units)), axis=1, return_inverse=True)
        counts = np.bincount(inverse, np.concatenate([each.ravel() for _, each, _ in found])).astype(np.int64)
        variances = (places[1] * _WEIGHT_STEP) ** 2 * counts * self._deviations[places[0]] ** 2
        return [
            (self._noises[places[0, place]], float(places[1, place] * _WEIGHT_STEP), int(counts[place]))
            for place in np.argsort(-variances, kind="stable")
            if places[1, place]
        ]

    def error(self, wanted: Sequence[int]) -> EstimateErrorDistribution:
        """Return the distribution of the error of each cell of the margin of these attributes.

        It is symmetric around 0. An interval around an estimate has its confidence if the losses of the margins were
        fixed before any answer was seen. Raises MarginsError as `variance` does.
        """
        parts = tuple(self.weights(wanted))
        if parts not in self._errors:
            self._errors[parts] = distribution_of_independent(
                [(noise, np.full(count, weight)) for noise, weight, count in parts]
            )
        return self._errors[parts]

    def half_widths(self, wanted: Sequence[Sequence[int]], confidence: float) -> tuple[float, ...]:
        """Return the half width of the intervals around the cells of each margin, in records; `confidence` in (0, 1).

        Raises MarginsError as `variance` does.
        """
        return tuple(self.error(each).half_width(confidence) for each in wanted)

    def _check_margin(self, wanted: Sequence[int]) -> Margin:
        margin = without_single_levels(self._levels, wanted)
        if not all(part in self._variances for part in subsets_of(margin)):
            raise MarginsError("the measured margins must together contain all attributes of the wanted margin")
        return margin


def _product_order(margin: Margin) -> list[Margin]:
    """Return the subsets of a margin as binary numbers, with the first attribute as the highest digit."""
    found: list[Margin] = [()]
    for attribute in margin:
        found = [each for part in found for each in (part, (*part, attribute))]
    return found


def _place(margin: Margin, part: Margin) -> tuple[int | slice, ...]:
    """Return the position of the residual of `part` among the residuals of `margin`."""
    return tuple(slice(1, None) if each in part else 0 for each in margin)


def _residuals(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return all residuals of a table in one array, whose every axis has one more entry.

    Entry 0 of an axis is the sum over it, and the others are the differences from the mean.
    """
    for axis in range(table.ndim):
        total = table.sum(axis=axis, keepdims=True)
        table = np.concatenate((total, table - total / table.shape[axis]), axis=axis)
    return table


def _lift_residuals(residuals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the table with these residuals, the inverse of `_residuals`."""
    for axis in range(residuals.ndim):
        total, rest = np.split(residuals, [1], axis=axis)
        residuals = rest + total / rest.shape[axis]
    return residuals
