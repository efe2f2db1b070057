"""Divides an amount among blocks of disjoint margins, and gives their estimates.

Wanted margins that share attributes are merged into one table, so that the tables are disjoint. Noise within a block
can't be divided: all its tables have the same rate. So a block B of dimension D_B costs about V_B = (D_B + 1)(D_B + 2)
Σ_S w_S c_S at epsilon 1, where c = 4d(2d + 1) / ((d + 1)²(d + 2)²) for a table of dimension d, and w_S is the weight of
its variances. The best shares of an amount are in proportion to V_B^(1/3), and the blocks minimise Σ V_B^(1/3): tables
sorted by w c / d, in contiguous blocks, found by dynamic programming.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.margins.allotment import OutOfReachError, Workload
from core.margins.combination import MarginsError, cells_reached
from core.max_norm_noise import LawError
from core.mechanisms.blocks import Blocks, certify, noise_of_block
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.margins import Margin, cells_of
from core.privacy import Epsilon
from core.queries.error_distribution import StepDistribution
from core.samplers.max_norm import MAX_DIMENSIONS

_PRECISION: Final = 1e-4
"""Relative precision of the price of wanted half widths."""
_WIDTH_ROUNDS: Final = 4


class TablesError(MarginsError):
    """The wanted margins can't be blocks, whatever the amount."""


@dataclass(frozen=True, slots=True)
class BlockEstimates:
    """The estimates of wanted margins from a release of blocks: sums of measured counts, and the laws of their errors.

    Their errors depend on the number of possible labels of the measured margin in a cell; a table states the errors of
    its widest cell. Raises MarginsError if a wanted margin is not part of a measured one.
    """

    event: Blocks

    def variance(self, wanted: Margin) -> float:
        """Return the largest variance of a cell of the margin."""
        number, labels = self._widest_cell(wanted)
        of = self.event.of_margin(number)
        k = of.dimension + 1
        return of.noise.variance(of.dimension) * labels * (k - labels) / (k - 1)

    def error(self, wanted: Margin) -> StepDistribution:
        """Return the distribution of the error of the margin's widest cell. Raises LawError."""
        number, labels = self._widest_cell(wanted)
        of = self.event.of_margin(number)
        return StepDistribution(1.0, of.noise.law(of.dimension, labels) if labels <= of.dimension else np.ones(1))

    def half_widths(self, wanted: Sequence[Margin], confidence: float) -> tuple[float, ...]:
        return tuple(self.error(each).half_width(confidence) for each in wanted)

    def estimates(self, noisy: Sequence[NDArray[np.int64]], wanted: Sequence[Margin]) -> list[NDArray[np.float64]]:
        """Return the estimate of each wanted margin, an array with the levels of its attributes as shape."""
        found = []
        for margin in wanted:
            number = self._measured_block(margin)
            left_out = tuple(place for place, each in enumerate(self.event.margins[number]) if each not in margin)
            found.append(noisy[number].sum(axis=left_out).astype(np.float64))
        return found

    def simultaneous_half_width(self, wanted: Margin, confidence: float) -> int:
        """Return the half width within which, with this confidence, every set of labels of every margin in the block of
        the wanted margin lies at once.
        """
        noise = self.event.of_margin(self._measured_block(wanted)).noise
        return int(np.searchsorted(np.cumsum(noise.largest()), confidence + 1e-12))

    def _measured_block(self, wanted: Margin) -> int:
        for number, margin in enumerate(self.event.margins):
            if set(wanted) <= set(margin):
                return number
        raise MarginsError("the measured margins must together contain all attributes of the wanted margin")

    def _widest_cell(self, wanted: Margin) -> tuple[int, int]:
        """Return the measured margin, and the number of labels of the cell whose error has the largest variance."""
        number = self._measured_block(wanted)
        margin = self.event.margins[number]
        reached = self.event.reached(margin)
        left_out = tuple(place for place, each in enumerate(margin) if each not in wanted)
        labels, k = reached.sum(axis=left_out).ravel(), int(reached.sum())
        return number, int(labels[np.argmax(labels * (k - labels))])


@dataclass(frozen=True, slots=True)
class BlockAllotment:
    """The blocks of margins for a workload, and the loss of each."""

    workload: Workload
    event: Blocks

    @property
    def price(self) -> Epsilon:
        return certify(self.event).loss.epsilon

    @property
    def estimates(self) -> BlockEstimates:
        return BlockEstimates(self.event)

    @property
    def mean_variance(self) -> float:
        """Return the weighted mean over the wanted margins of the variance of a cell."""
        variances = [self.estimates.variance(each) for each in self.workload.margins]
        return float(np.average(variances, weights=self.workload.weights))


def tables_of(workload: Workload) -> list[Margin] | None:
    """Return the disjoint tables that contain the wanted margins: of each connected group of margins, all attributes.
    Return None if a group is not contained in one of its margins, so that its margins overlap.
    """
    tables: list[set[int]] = []
    for margin in workload.margins:
        joined = [each for each in tables if each & set(margin)]
        tables = [each for each in tables if not each & set(margin)] + [set(margin).union(*joined)]
    found = [tuple(sorted(each)) for each in tables]
    return found if set(found) <= set(workload.margins) else None


def allot_blocks(workload: Workload, n: int, epsilon: Epsilon) -> BlockAllotment:
    """Return the blocks that spend `epsilon` with approximately the smallest weighted mean variance.

    Raises MarginsError if the wanted margins overlap, if n is private, or beyond the limits of blocks.
    """
    # The smallest floating-point weights would give shares of 0.
    tables, values = _weigh_tables(workload, np.array(workload.weights) / max(workload.weights))
    return _allot_units(workload, n, _best_blocks(tables, values), epsilon.units)


def allot_blocks_for_widths(
    workload: Workload, n: int, half_widths: Sequence[float], confidence: float, at_most: Epsilon
) -> BlockAllotment:
    """Return the cheapest blocks found whose intervals have at most these half widths, in records.

    Widths fall with epsilon, so it is halved for one design. Margins that miss their width get larger weights then.
    Raises OutOfReachError, with the half widths at `at_most`, if that does not suffice, and MarginsError as above.
    """
    weights, best = np.ones(len(workload.margins)), None
    largest = min(at_most.units, MAX_EPSILON.units)
    for _ in range(_WIDTH_ROUNDS):
        blocks = _best_blocks(*_weigh_tables(workload, weights))
        found, ratios = _cheapest_allotment(workload, n, blocks, half_widths, confidence, largest)
        if best is None or (np.max(ratios) <= 1.0 and found.price < best.price):
            best = found
        weights = weights * np.maximum(np.asarray(ratios), 1e-3) ** 2
    assert best is not None
    widths = best.estimates.half_widths(workload.margins, confidence)
    if any(have > want for have, want in zip(widths, half_widths, strict=True)):
        raise OutOfReachError(widths)
    return best


def _cheapest_allotment(
    workload: Workload,
    n: int,
    blocks: list[tuple[list[Margin], float]],
    half_widths: Sequence[float],
    confidence: float,
    largest: int,
) -> tuple[BlockAllotment, NDArray[np.float64]]:
    """Return the cheapest multiple that has the wanted half widths, otherwise the largest one; and the ratio of each
    width to the wanted one.
    """

    def ratios_at(units: int) -> tuple[BlockAllotment, NDArray[np.float64]]:
        found = _allot_units(workload, n, blocks, units)
        widths = found.estimates.half_widths(workload.margins, confidence)
        return found, np.array(widths) / np.array(half_widths)

    low, high = MIN_EPSILON.units * len(blocks), largest
    best = ratios_at(high)
    if np.max(best[1]) > 1.0:
        return best
    while high > low + low * _PRECISION:
        units = math.isqrt(low * high)
        try:
            found = ratios_at(units)
        except MarginsError:  # the noise is too wide for its law
            low = units + 1
            continue
        if np.max(found[1]) <= 1.0:
            best, high = found, units
        else:
            low = units + 1
    return best


def _weigh_tables(
    workload: Workload, weights: Sequence[float] | NDArray[np.float64]
) -> tuple[list[Margin], dict[Margin, tuple[int, float]]]:
    """Return the wanted tables, and for each its dimension d and the product w c of its weight and c."""
    if not workload.n_is_public:
        raise MarginsError("blocks need a public number of records")
    tables = tables_of(workload)
    if tables is None:
        raise TablesError("blocks need wanted tables that do not overlap")
    dimensions = {
        table: int(reached.sum()) - 1
        for table, reached in zip(tables, cells_reached(workload.levels, workload.impossible, tables), strict=True)
    }
    if min(dimensions.values()) < 1 or sum(dimensions.values()) > MAX_DIMENSIONS:
        raise TablesError(f"blocks need between 2 and {MAX_DIMENSIONS} labels")
    values = {}
    for table in tables:
        d = dimensions[table]
        weight = 0.0
        for margin, each in zip(workload.margins, weights, strict=True):
            if set(margin) <= set(table):
                labels = (d + 1) / cells_of(workload.levels, margin)
                weight += each * max(1.0, labels) * max(d + 1 - labels, 0.0) / d
        values[table] = d, weight * 4 * d * (2 * d + 1) / ((d + 1) ** 2 * (d + 2) ** 2)
    return tables, values


def _best_blocks(tables: list[Margin], values: dict[Margin, tuple[int, float]]) -> list[tuple[list[Margin], float]]:
    """Return the blocks, each with its share of the amount up to a factor."""
    order = sorted(tables, key=lambda table: (-values[table][1] / values[table][0], table))
    least: list[tuple[float, int]] = [(0.0, 0)]

    def share(first: int, end: int) -> float:
        size = sum(values[table][0] for table in order[first:end])
        return float(((size + 1) * (size + 2) * sum(values[table][1] for table in order[first:end])) ** (1 / 3))

    for end in range(1, len(order) + 1):
        least.append(min((least[first][0] + share(first, end), first) for first in range(end)))
    blocks, end = [], len(order)
    while end:
        first = least[end][1]
        blocks.append((sorted(order[first:end]), share(first, end)))
        end = first
    return blocks[::-1]


def _allot_units(workload: Workload, n: int, blocks: list[tuple[list[Margin], float]], units: int) -> BlockAllotment:
    """Return blocks with these shares and a price of at most these units. Raises MarginsError beyond the limits."""
    event, total = _event(workload, n, blocks, units), units
    if (price := certify(event).loss.epsilon.units) < units:  # impossible combinations lower it
        total = min(units * units // price, MAX_EPSILON.units)
        while certify(event := _event(workload, n, blocks, total)).loss.epsilon.units > units:
            total -= len(blocks)
    return BlockAllotment(workload, event)


def _event(workload: Workload, n: int, blocks: list[tuple[list[Margin], float]], total: int) -> Blocks:
    """Return the event whose losses sum to these units, in the shares of the blocks."""
    whole = sum(share for _, share in blocks)
    units = [int(total * share / whole) for _, share in blocks]
    units[0] += total - sum(units)
    margins, losses = tuple(tuple(block) for block, _ in blocks), tuple(map(Epsilon, units))
    try:
        event = Blocks(n, workload.levels, workload.impossible, margins, losses, workload.records_per_unit)
        for number in range(len(blocks)):
            noise_of_block(event, number)
    except EventError as error:
        raise MarginsError(f"the amount does not suit blocks: {error}") from None
    except LawError as error:
        raise MarginsError(str(error)) from None
    return event
