"""The margins mechanism releases several margins of one cross table, each with independent integer noise on every cell.

A margin is the table summed over all attributes that it leaves out. The noise is two-sided geometric, or discrete
Gaussian (Canonne, Kamath and Steinke 2020). It is on every cell of a margin, even if all combinations of the cell are
impossible, so that one formula gives all variances (docs/explanation/margins.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.accounting.pairwise_loss import rho_of_shift
from core.accounting.zcdp import epsilon_of
from core.cells import MAX_COMBINATIONS
from core.certificate import Certificate
from core.limits import MAX_RECORDS, MAX_RECORDS_PER_UNIT
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.gaussian import MAX_RHO, MIN_RHO
from core.mechanisms.mechanism import (
    Likelihood,
    NoiseOnCounts,
    NoLikelihood,
)
from core.mechanisms.noisy_counts import nearest_of_rows
from core.mechanisms.unsealing import open_counts, open_histogram
from core.noise import CountNoise, DiscreteGaussianNoise, GeometricNoise
from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss, Rho
from core.private import Private, Released
from core.samplers.entropy import Entropy

KIND: Final = "margins"
"""The tag under which events are stored permanently."""
MAX_MARGINS: Final = 2_000
MAX_MEASURED_CELLS: Final = MAX_COMBINATIONS
"""Largest number of cells of all margins of one event together."""
MAX_PAIRED_CELLS, MAX_COMPARISONS = 2_000, 2**25
"""Largest number of possible cells, and of its square times the margins, for which pairs of cells are compared."""

_SECONDS_PER_GEOMETRIC, _SECONDS_PER_GAUSSIAN = 2e-5, 7e-5
"""Time per cell of a margin, for the noise of any rate: at least five times the slowest draw that was found."""
_SECONDS_PER_SUM: Final = 1e-8
_SECONDS_PER_MARGIN, _SECONDS_PER_IMPOSSIBLE = 5e-4, 1e-5
_CONVERSION_SECONDS: Final = 5e-3
"""Time of the conversion from rho to epsilon."""
_SECONDS_PER_COMPARISON: Final = 1e-8

Margin: TypeAlias = tuple[int, ...]
"""The attributes of a margin by their numbers, increasing. The margin without attributes is the number of records."""


@dataclass(frozen=True, slots=True)
class Margins:
    """Margins of a table with `levels[a]` levels of attribute a, without the `impossible` combinations of levels.

    - `n`: the number of records if it is public, and None if it is private. It selects the neighbour relation:
      `replace_one` if n is public, otherwise `add_remove`.
    - `margins`: what is measured; attributes with one level are left out, as they change nothing.
    - `losses`: the loss of each margin: epsilons for geometric noise, rhos for discrete Gaussian noise.
    - `delta`: at which an (epsilon, delta) is stated for discrete Gaussian noise. It does not change the channel, and
      is 0 for geometric noise.
    - `records_per_unit`: the largest number of records of one unit; the losses are those of a whole unit.

    Raises EventError in these cases: sizes outside their limits; no margin, more than 2 000, or more than 2^20 cells of
    margins; a margin that repeats, or whose attributes do not increase or have one level; the empty margin at a public
    n, which is known; a loss below 0.0001 (epsilon) or 0.00000001 (rho), or a sum of losses above 50 or 1000.
    """

    n: int | None
    levels: tuple[int, ...]
    impossible: frozenset[tuple[int, ...]]
    margins: tuple[Margin, ...]
    losses: tuple[Epsilon, ...] | tuple[Rho, ...]
    delta: Delta = Delta(0)
    records_per_unit: int = 1

    def __post_init__(self) -> None:
        check_table(self.n, self.levels, self.impossible, self.records_per_unit)
        self._check_margins()
        self._check_losses()

    def _check_margins(self) -> None:
        if not 1 <= len(self.margins) <= MAX_MARGINS or len(self.losses) != len(self.margins):
            raise EventError(f"there must be between 1 and {MAX_MARGINS} margins, and a loss for each")
        if len(set(self.margins)) != len(self.margins):
            raise EventError("a margin must not be measured twice in one event")
        for margin in self.margins:
            if list(margin) != sorted(set(margin)) or not all(0 <= each < len(self.levels) for each in margin):
                raise EventError("a margin must name different attributes of the table in increasing order")
            if any(self.levels[each] == 1 for each in margin):
                raise EventError("a margin must leave out attributes of one level")
            if not margin and self.n is not None:
                raise EventError("the number of records is public and must not be measured")
        if sum(cells_of(self.levels, margin) for margin in self.margins) > MAX_MEASURED_CELLS:
            raise EventError(f"the margins must have at most {MAX_MEASURED_CELLS} cells together")

    def _check_losses(self) -> None:
        if len({type(each) for each in self.losses}) != 1:
            raise EventError("the losses must all be epsilons or all be rhos")
        units = sum(each.units for each in self.losses)
        if self.is_gaussian:
            if min(each.units for each in self.losses) < MIN_RHO.units or units > MAX_RHO.units:
                raise EventError("each rho must be at least 0.00000001, and their sum at most 1000")
            if not 0 < self.delta.units < 10**Delta.digits:
                raise EventError("delta must lie above 0 and below 1")
        else:
            if min(each.units for each in self.losses) < MIN_EPSILON.units or units > MAX_EPSILON.units:
                raise EventError("each epsilon must be at least 0.0001, and their sum at most 50")
            if self.delta.units:
                raise EventError("delta must be 0 for geometric noise")

    @property
    def m(self) -> int:
        """Return the number of possible cells, in the order of `core.cells.CrossTable`."""
        return math.prod(self.levels) - len(self.impossible)

    @property
    def is_gaussian(self) -> bool:
        return isinstance(self.losses[0], Rho)

    @property
    def relation(self) -> NeighbourRelation:
        return NeighbourRelation.at_size(self.n)

    @property
    def noise_parameters(self) -> tuple[Fraction, ...]:
        """Return for each margin the rate of its geometric noise, or the parameter sigma^2 of its Gaussian noise."""
        unit = cost_of_unit_noise(self.relation, self.records_per_unit, gaussian=self.is_gaussian)
        return tuple(unit / each.value if self.is_gaussian else each.value / unit for each in self.losses)

    @property
    def noises(self) -> tuple[CountNoise, ...]:
        """Return the law of the noise on each cell of each margin."""
        return tuple(map(DiscreteGaussianNoise if self.is_gaussian else GeometricNoise, self.noise_parameters))

    def summed(self, amounts: Sequence[int]) -> int:
        """Return the largest sum of the margins' amounts that one change of a unit can cause."""
        if self.relation is NeighbourRelation.ADD_REMOVE:  # a record enters one cell of every margin
            return sum(amounts)
        return largest_sum(self.levels, self.impossible, self.margins, amounts)

    def of_margin(self, number: int) -> Margins:
        """Return one of the margins as the event of a noisy table by itself. It has the cells that contain a possible
        combination. Raises EventError if that is one cell.
        """
        margin = self.margins[number]
        ones = np.ones(self.m, dtype=np.int64)
        (reached,) = margins_of(ones, self.levels, self.impossible, [margin])
        return replace(
            self,
            levels=reached.shape,
            impossible=frozenset(map(tuple, np.argwhere(reached == 0).tolist())),
            margins=(tuple(range(len(margin))),),
            losses=self.losses[number : number + 1],
        )


def check_table(
    n: int | None, levels: tuple[int, ...], impossible: frozenset[tuple[int, ...]], records_per_unit: int
) -> None:
    """Raise EventError unless a table of `n` records, or of a private number, has these sizes."""
    if n is not None and not 1 <= n <= MAX_RECORDS:
        raise EventError("there must be between 1 and 2**53 records")
    if not levels or min(levels) < 1 or math.prod(levels) > MAX_COMBINATIONS:
        raise EventError(f"the attributes must have between 1 and {MAX_COMBINATIONS} combinations of levels")
    for combination in impossible:
        if len(combination) != len(levels) or not all(0 <= a < b for a, b in zip(combination, levels, strict=True)):
            raise EventError("an impossible combination must name one level of each attribute")
    if math.prod(levels) - len(impossible) < 2:
        raise EventError("at least two combinations must be possible")
    if not 1 <= records_per_unit <= MAX_RECORDS_PER_UNIT:
        raise EventError(f"there must be between 1 and {MAX_RECORDS_PER_UNIT} records per unit")


def cells_of(levels: Sequence[int], margin: Margin) -> int:
    """Return the number of cells of a margin; the margin without attributes has one."""
    return math.prod(levels[each] for each in margin)


def cost_of_unit_noise(relation: NeighbourRelation, records: int, *, gaussian: bool) -> Fraction:
    """Return the cost of one margin at noise of size one: the epsilon at geometric noise of rate 1, or the rho at
    discrete Gaussian noise of parameter sigma^2 = 1.

    The worst change of a unit moves all its k records from one cell to another (`replace_one`), or adds them to one
    cell (`add_remove`). So c = 2 or 1 counts of the margin change by k, and epsilon = c k, rho = c k² / 2.
    """
    changed = 2 if relation is NeighbourRelation.REPLACE_ONE else 1
    return Fraction(changed * records**2, 2) if gaussian else Fraction(changed * records)


def largest_sum(
    levels: tuple[int, ...], impossible: frozenset[tuple[int, ...]], margins: tuple[Margin, ...], amounts: Sequence[int]
) -> int:
    """Return the largest sum, over pairs of possible combinations of levels, of the `amounts` of the margins in which
    the two differ.

    It is the sum of all amounts if every combination is possible, if no margin tells two possible ones apart, and if
    there are too many pairs to compare: more than 2 000 possible combinations, or their square times the margins above
    2^25. `amounts` are at least 0 and sum to less than 2^53, so that sums of floats are exact.
    """
    labels = _possible_labels(levels, impossible, margins) if _are_pairs_compared(levels, impossible, margins) else None
    if labels is None:
        return sum(amounts)
    weights = np.array(amounts, dtype=np.float64)
    worst = max(((labels[:place] != labels[place]) @ weights).max(initial=0.0) for place in range(len(labels)))
    return int(worst) or sum(amounts)


def _are_pairs_compared(
    levels: tuple[int, ...], impossible: frozenset[tuple[int, ...]], margins: tuple[Margin, ...]
) -> bool:
    m = math.prod(levels) - len(impossible)
    return bool(impossible) and m <= MAX_PAIRED_CELLS and m**2 * len(margins) <= MAX_COMPARISONS


@lru_cache(maxsize=16)
def _possible_labels(
    levels: tuple[int, ...], impossible: frozenset[tuple[int, ...]], margins: tuple[Margin, ...]
) -> NDArray[np.int64]:
    """Return the cells of the margins to which possible combinations belong, each row once; columns are margins."""
    possible = np.ones(levels, dtype=np.bool_)
    possible[tuple(np.array(sorted(impossible)).T)] = False
    codes = np.argwhere(possible)
    labels = [np.ravel_multi_index(codes[:, margin].T, [levels[each] for each in margin]) for margin in margins]
    return np.unique(np.stack(labels, axis=1), axis=0)


@lru_cache(maxsize=256)
def certify(event: Margins) -> Certificate:
    """Return the certificate: the losses of the margins add up, over those that one change of a record can move.

    Proof. Let d be the change of the counts by one unit with at most k records. `add_remove`: d or −d has entries >= 0
    of sum at most k. `replace_one`: its positive and its negative part have at most the sum k each. The same holds for
    the change of every margin, because sums over attributes keep the totals of both parts.

    - Geometric noise of rate a: the log ratio is at most a ‖d‖₁ <= a k for each part.
    - Discrete Gaussian noise: the divergence of order α is at most α ‖d‖₂² / (2 sigma²) <= α k² / (2 sigma²) for each
      part (Canonne, Kamath and Steinke 2020, Theorem 4, proposition 5).

    The noises are independent, so the bounds add over parts and margins. If two possible cells differ in all measured
    attributes, k records that change between them attain all bounds at once, and so do k records that are added to one
    cell. Then no smaller loss holds.

    `replace_one`, where no two possible cells do: the loss is `largest_sum` over pairs of possible cells. A change of k
    records is the mean of k changes, each of which moves all k records between one pair of cells. The loss and every
    divergence are sums over cells of even convex functions of the shift. So one of the k changes has at least the loss
    of their mean. A pair that differs in the margin S has at most the loss of S, and others have none of it.

    The rho of geometric noise adds too: D_α is superadditive in the shift, so each part is worst in one cell, and every
    margin needs the most at order 1 (`core.accounting.pairwise_loss.rho_of_shift`).
    """
    units = [each.units for each in event.losses]
    charged = event.summed(units)
    if event.is_gaussian:
        rho = Rho(charged)
        loss = PrivacyLoss(epsilon_of(rho, event.delta), event.delta, rho)
        stated = f"{rho}-zCDP, and hence ({loss.epsilon}, {event.delta})-differentially private"
        noise = "discrete Gaussian"
    else:
        epsilon = Epsilon(charged)
        parts = 1 if event.n is None else 2
        rhos = [
            rho_of_shift(each.value / parts, each.value / parts / event.records_per_unit).units for each in event.losses
        ]
        loss = PrivacyLoss(epsilon=epsilon, rho=Rho(parts * event.summed(rhos)))
        stated = f"{epsilon}-differentially private"
        noise = "two-sided geometric"
    changed = "the records of one unit are added or removed" if event.n is None else "the records of one unit change"
    margins = "1 margin has" if len(event.margins) == 1 else f"{len(event.margins)} margins have"
    added = "add" if charged == sum(units) else "add where two possible combinations differ"
    return Certificate(
        loss=loss,
        method="theorem",
        statement=f"The release is {stated} when {changed}: {margins} independent {noise} "
        f"noise on every cell, and their losses {added}.",
        relation=event.relation,
        details={
            "losses": ", ".join(map(str, event.losses)),
            "records_per_unit": str(event.records_per_unit),
        },
    )


def release(
    counts: Private[NDArray[np.int64]], event: Margins, entropy: Entropy
) -> Released[tuple[NDArray[np.int64], ...]]:
    """Return the noisy counts of each margin, an array with the levels of its attributes as shape.

    Arguments: `counts` c of shape (m,), private, by possible cells in the order of `core.cells.CrossTable`, with sum n
    if n is public; `event`; `entropy`, the source of random bits.

    Guarantees what `certify(event)` states. All noise is drawn before the counts are opened, and summing takes the same
    operations for all tables. Raises HistogramError if the counts are not of the event's size.
    """
    noise = _noise(event, entropy)
    return Released(_output(_open_margin_counts(counts, event), event, noise), certify(event).loss)


def rehearse(counts: NDArray[np.int64], event: Margins, entropy: Entropy) -> tuple[NDArray[np.int64], ...]:
    """Simulate the channel on made-up counts, shape (m,). This serves planning and is not a release."""
    return _output(counts, event, _noise(event, entropy))


def _open_margin_counts(counts: Private[NDArray[np.int64]], event: Margins) -> NDArray[np.int64]:
    if event.n is not None:
        return open_histogram(counts, n=event.n, m=event.m)
    return open_counts(counts, m=event.m)


def _noise(event: Margins, entropy: Entropy) -> list[NDArray[np.int64]]:
    return [
        noise.draw(cells_of(event.levels, margin), entropy).reshape([event.levels[each] for each in margin])
        for margin, noise in zip(event.margins, event.noises, strict=True)
    ]


def _output(counts: NDArray[np.int64], event: Margins, noise: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], ...]:
    exact = margins_of(counts, event.levels, event.impossible, event.margins)
    return tuple(each + added for each, added in zip(exact, noise, strict=True))


def likelihood(event: Margins) -> Likelihood:
    """Return the likelihood of the noisy counts of one margin of all attributes (`Margins.of_margin`)."""
    if event.margins != (tuple(range(len(event.levels))),):
        return NoLikelihood("not available, because several margins were measured: choose one of them")
    n = event.n
    on_simplex = partial(np.maximum, 0) if n is None else partial(nearest_of_rows, n=n)
    return NoiseOnCounts(event.noises[0].log_mass, event.m, tied=False, of_two=None, on_simplex=on_simplex)


def certificate_seconds(event: Margins, _: int) -> float:
    """Estimate, from public parameters, the time of the certificate on one core."""
    conversion = _CONVERSION_SECONDS if event.is_gaussian else 0.0
    pairs = event.m**2 if _are_pairs_compared(event.levels, event.impossible, event.margins) else 0
    per_margin = _SECONDS_PER_MARGIN + _SECONDS_PER_COMPARISON * pairs
    return conversion + per_margin * len(event.margins) + _SECONDS_PER_IMPOSSIBLE * len(event.impossible)


def typical_draw_seconds(event: Margins) -> float:
    """Return a generous public estimate of the time of a draw on one core, for any loss."""
    per_cell = _SECONDS_PER_GAUSSIAN if event.is_gaussian else _SECONDS_PER_GEOMETRIC
    cells = sum(cells_of(event.levels, each) for each in event.margins)
    return per_cell * cells + _SECONDS_PER_SUM * event.m * len(event.margins)


def margins_of(
    counts: NDArray[np.int64],
    levels: tuple[int, ...],
    impossible: frozenset[tuple[int, ...]],
    margins: Sequence[Margin],
) -> list[NDArray[np.int64]]:
    """Return the exact margins of `counts`, shape (m,) by possible cells, each with the levels of its attributes as
    shape.
    """
    if impossible:
        full = np.zeros(levels, dtype=np.int64)
        possible = np.ones(levels, dtype=np.bool_)
        possible[tuple(np.array(sorted(impossible)).T)] = False
        full[possible] = counts
    else:
        full = counts.reshape(levels)
    return [
        full.sum(axis=tuple(a for a in range(len(levels)) if a not in margin), dtype=np.int64) for margin in margins
    ]
