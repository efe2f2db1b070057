"""The blocks mechanism releases disjoint margins of one cross table in blocks: the margins of a block share one draw of
noise, whose largest size decides its probability.

The noise of a margin is on the labels that occur in a possible combination, and sums to 0 over them. Let |z| be half
the sum of the absolute values of such noise. A block of loss epsilon has P(z) ∝ e^(−(epsilon / k) max_S |z_S|) over its
margins S, for k records per unit. The number of records is public. `core.max_norm_noise` has the laws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.accounting.zcdp import rho_of_pure
from core.certificate import Certificate
from core.max_norm_noise import LEFT_OUT, LawError, MaxNormNoise
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.margins import MAX_MARGINS, Margin, check_table, largest_sum, margins_of
from core.mechanisms.mechanism import Likelihood, NoiseOfTwo, NoiseOnCounts, NoLikelihood
from core.mechanisms.noisy_counts import nearest_of_rows
from core.mechanisms.unsealing import open_histogram
from core.privacy import Epsilon, NeighbourRelation, PrivacyLoss, Rho
from core.private import Private, Released
from core.samplers.entropy import Entropy
from core.samplers.max_norm import MAX_DIMENSIONS, max_norm_noise

KIND: Final = "blocks"
"""The tag under which events are stored permanently."""
_SECONDS_PER_DIMENSION, _SECONDS_PER_PAIR_OF_DIMENSIONS = 1e-3, 3e-6
"""Time of a draw per dimension of a block, and per square of them: the weights of the radius."""
_SECONDS_PER_COMBINATION: Final = 1e-6
_SECONDS_PER_BLOCK, _SECONDS_PER_IMPOSSIBLE, _SECONDS_PER_COMPARISON = 1.0, 1e-5, 1e-8
"""Time of the certificate; the first has the rho of a block, whatever its rate."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Disjoint margins of a table with `levels[a]` levels of attribute a, without the `impossible` combinations.

    - `n`: the number of records, which is public.
    - `blocks`: the margins of each block. No two margins have an attribute in common.
    - `epsilons`: the loss of each block, for a whole unit.
    - `records_per_unit`: the largest number of records of one unit.

    Raises EventError in these cases: sizes outside their limits; no margin, or more than 2 000; a margin whose
    attributes do not increase, that has a single label, or that shares an attribute with another; a block of more than
    1 000 labels, less one for each margin; an epsilon below 0.0001, or a sum of them above 50.
    """

    n: int
    levels: tuple[int, ...]
    impossible: frozenset[tuple[int, ...]]
    blocks: tuple[tuple[Margin, ...], ...]
    epsilons: tuple[Epsilon, ...]
    records_per_unit: int = 1

    def __post_init__(self) -> None:
        check_table(self.n, self.levels, self.impossible, self.records_per_unit)
        if not self.blocks or not all(self.blocks) or len(self.epsilons) != len(self.blocks):
            raise EventError("there must be a block of margins, and an epsilon for each block")
        self._check_margins()
        if min(self.epsilons) < MIN_EPSILON or sum(each.units for each in self.epsilons) > MAX_EPSILON.units:
            raise EventError("each epsilon must be at least 0.0001, and their sum at most 50")

    def _check_margins(self) -> None:
        if len(self.margins) > MAX_MARGINS:
            raise EventError(f"there must be at most {MAX_MARGINS} margins")
        for margin in self.margins:
            if list(margin) != sorted(set(margin)) or not all(0 <= each < len(self.levels) for each in margin):
                raise EventError("a margin must name different attributes of the table in increasing order")
        named = [each for margin in self.margins for each in margin]
        if len(set(named)) != len(named):
            raise EventError("two margins must not have an attribute in common")
        dimensions = [self.dimensions(block) for block in self.blocks]
        if any(min(each) < 1 for each in dimensions):
            raise EventError("a margin must have at least two labels that some possible combination reaches")
        if max(map(sum, dimensions)) > MAX_DIMENSIONS:
            raise EventError(f"the labels of a block must be at most {MAX_DIMENSIONS}, less one for each margin")

    @property
    def m(self) -> int:
        """Return the number of possible cells, in the order of `core.cells.CrossTable`."""
        return math.prod(self.levels) - len(self.impossible)

    @property
    def relation(self) -> NeighbourRelation:
        return NeighbourRelation.REPLACE_ONE

    @property
    def margins(self) -> tuple[Margin, ...]:
        """Return the margins of all blocks, in order."""
        return tuple(margin for block in self.blocks for margin in block)

    @property
    def rates(self) -> tuple[Fraction, ...]:
        """Return the rate of each block's noise, epsilon / k."""
        return tuple(each.value / self.records_per_unit for each in self.epsilons)

    def of_margin(self, number: int, labels: int | None = None) -> BlockMargin:
        """Return a margin as a noisy table by itself, or a set of `labels` of its reached labels."""
        return BlockMargin(self, number, labels)

    def block_of(self, number: int) -> int:
        """Return the number of the block of a margin."""
        ends = np.cumsum([len(block) for block in self.blocks])
        return int(np.searchsorted(ends, number, side="right"))

    def reached(self, margin: Margin) -> NDArray[np.bool_]:
        """Return which labels of the margin occur in a possible combination. The shape has the levels of its
        attributes.
        """
        return _reached_cells(self.levels, self.impossible, margin)

    def dimensions(self, block: tuple[Margin, ...]) -> tuple[int, ...]:
        """Return for each margin the number of reached labels, less one."""
        return tuple(int(self.reached(margin).sum()) - 1 for margin in block)


@lru_cache(maxsize=1024)
def _reached_cells(
    levels: tuple[int, ...], impossible: frozenset[tuple[int, ...]], margin: Margin
) -> NDArray[np.bool_]:
    if not impossible:
        return np.ones([levels[each] for each in margin], dtype=np.bool_)
    ones = np.ones(math.prod(levels) - len(impossible), dtype=np.int64)
    return margins_of(ones, levels, impossible, [margin])[0] > 0


@lru_cache(maxsize=256)
def certify(event: Blocks) -> Certificate:
    """Return the certificate: the losses of the blocks add up, over those that one change of a record can move.

    Proof. Let d be the change of the table by one unit with at most k records. Its positive and its negative part have
    at most the sum k, and a sum over attributes only adds entries of each, so |M_S d| <= k for every margin S of a
    block. max_S |z_S| is a norm, so it changes by at most k, and the log ratio is at most epsilon. The support, all
    vectors with the sum 0 in each margin, and the normaliser do not depend on the counts. Noise of 0 attains it.

    The blocks are independent, so their losses add. Where no two possible cells differ in all blocks, the loss is
    `largest_sum` over pairs of possible cells, as for independent margins: the loss is convex in the change.

    rho of one record has the loss epsilon, 0 or −epsilon (`MaxNormNoise.rho`). For k records rho is at most k² times
    that at epsilon / k, and at most that of every epsilon-DP mechanism.
    """
    places: tuple[Margin, ...] = tuple(tuple(sorted(a for margin in block for a in margin)) for block in event.blocks)
    units = [each.units for each in event.epsilons]
    charged = largest_sum(event.levels, event.impossible, places, units)
    rho = sum(_rho_units(event, number) for number in range(len(event.blocks)))
    added = "add" if charged == sum(units) else "add where two possible combinations differ"
    return Certificate(
        loss=PrivacyLoss(epsilon=Epsilon(charged), rho=Rho(rho)),
        method="theorem",
        statement=f"The release is {Epsilon(charged)}-differentially private when the records of one unit change: "
        f"the noise of the {len(event.margins)} margins has the sum 0 in each, and its probability falls like "
        "exp(-rate N) with the largest size N of a margin's noise in a block, which one unit changes by at most its "
        f"records. The losses of the blocks {added}.",
        relation=event.relation,
        details={"losses": ", ".join(map(str, event.epsilons)), "records_per_unit": str(event.records_per_unit)},
    )


def _rho_units(event: Blocks, number: int) -> int:
    of_pure = rho_of_pure(event.epsilons[number])
    try:
        one = noise_of_block(event, number).rho()
    except LawError:
        return of_pure.units
    return min(of_pure, Rho.ceil(event.records_per_unit**2 * one)).units


def noise_of_block(event: Blocks, number: int) -> MaxNormNoise:
    """Return the laws of a block's noise. Raises LawError if it is too wide for them."""
    return MaxNormNoise(tuple(sorted(event.dimensions(event.blocks[number]))), float(event.rates[number]))


def release(
    counts: Private[NDArray[np.int64]], event: Blocks, entropy: Entropy
) -> Released[tuple[NDArray[np.int64], ...]]:
    """Return the noisy counts of each margin, in the order of `event.margins`, an array with the levels of its
    attributes as shape. Labels that occur in no possible combination are 0.

    Arguments: `counts` c of shape (m,), private, by possible cells in the order of `core.cells.CrossTable`, with sum n;
    `event`; `entropy`, the source of random bits.

    Guarantees what `certify(event)` states. All noise is drawn before the counts are opened, and summing takes the same
    operations for all tables. Raises HistogramError if the counts are not of the event's size.
    """
    noise = _noise(event, entropy)
    opened = open_histogram(counts, n=event.n, m=event.m)
    return Released(_output(opened, event, noise), certify(event).loss)


def rehearse(counts: NDArray[np.int64], event: Blocks, entropy: Entropy) -> tuple[NDArray[np.int64], ...]:
    """Simulate the channel on made-up counts, shape (m,). This serves planning and is not a release."""
    return _output(counts, event, _noise(event, entropy))


def _noise(event: Blocks, entropy: Entropy) -> list[NDArray[np.int64]]:
    drawn = []
    for block, rate in zip(event.blocks, event.rates, strict=True):
        for margin, noise in zip(block, max_norm_noise(event.dimensions(block), rate, entropy), strict=True):
            reached = event.reached(margin)
            placed = np.zeros(reached.shape, dtype=np.int64)
            placed[reached] = noise
            drawn.append(placed)
    return drawn


def _output(counts: NDArray[np.int64], event: Blocks, noise: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], ...]:
    exact = margins_of(counts, event.levels, event.impossible, event.margins)
    return tuple(each + added for each, added in zip(exact, noise, strict=True))


@dataclass(frozen=True, slots=True)
class BlockMargin:
    """A margin of a release of blocks as a noisy table by itself; or, with `labels`, the numbers of records in these
    possible labels and in the others. Raises LawError if the noise is too wide for its law.
    """

    event: Blocks
    number: int
    labels: int | None = None

    @property
    def n(self) -> int:
        return self.event.n

    @property
    def dimension(self) -> int:
        """Return the number of reached labels, less one."""
        return int(self.event.reached(self.event.margins[self.number]).sum()) - 1

    @property
    def m(self) -> int:
        return self.dimension + 1 if self.labels is None else 2

    @property
    def noise(self) -> MaxNormNoise:
        return noise_of_block(self.event, self.event.block_of(self.number))

    def log_mass(self, z: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return ln P up to a constant if the sum of the labels has the noise z, elementwise."""
        law = self.noise.law(self.dimension, self.labels or 1).copy()
        law[0] *= 2.0  # the others are of both signs
        # The last radii leave something out. Beyond, the rate bounds the slope, so that the logarithm stays concave.
        logs = np.log(law[: max(2, law.size - int(LEFT_OUT / self.noise.rate))])
        size = np.abs(z)
        beyond = np.maximum(size - (logs.size - 1), 0)
        return np.asarray(logs[np.minimum(size, logs.size - 1)] - self.noise.rate * beyond)


def likelihood(_: Blocks) -> Likelihood:
    """Return `NoLikelihood`: only single margins, and sets of their labels, have a likelihood."""
    return NoLikelihood("not available, because several margins were measured: choose one of them")


def likelihood_of_margin(event: BlockMargin) -> Likelihood:
    """Return the likelihood of the noisy counts of one margin of two labels, or of one set of labels."""
    if event.m > 2:
        return NoLikelihood("not available, because its labels share one draw of noise: choose one set of them")
    of_rows = partial(nearest_of_rows, n=event.n)
    # Both coordinates of (z, −z) contribute.
    of_two = NoiseOfTwo("first", event.log_mass)
    return NoiseOnCounts(lambda z: 0.5 * event.log_mass(z), 2, tied=True, of_two=of_two, on_simplex=of_rows)


def certificate_seconds(event: Blocks, _: int) -> float:
    """Estimate, from public parameters, the time of the certificate on one core."""
    compared = _SECONDS_PER_COMPARISON * min(event.m**2 * len(event.blocks), 2**25) if event.impossible else 0.0
    return _SECONDS_PER_BLOCK * len(event.blocks) + compared + _SECONDS_PER_IMPOSSIBLE * len(event.impossible)


def typical_draw_seconds(event: Blocks) -> float:
    """Return a generous public estimate of the time of a draw on one core, for any loss."""
    sizes = [sum(event.dimensions(block)) for block in event.blocks]
    draws = sum(_SECONDS_PER_DIMENSION * each + _SECONDS_PER_PAIR_OF_DIMENSIONS * each**2 for each in sizes)
    return draws + _SECONDS_PER_COMBINATION * event.m * len(event.margins)
