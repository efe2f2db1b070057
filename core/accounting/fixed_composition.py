"""Computes what a history of releases would prove if all its costs had been fixed in advance. It is a report, never a
reason to grant.

The tightest composition of (epsilon_i, delta_i)-DP mechanisms (Kairouz, Oh and Viswanath 2015; Murtagh and Vadhan 2016)
assumes that the list of costs does not depend on answers. An analyst who looks at one answer before choosing what to
pay next breaks that assumption, and a stop at the tighter sum is then no guarantee (Rogers, Roth, Ullman and Vadhan
2016 give the price of making it one). So the ledger adds up, and this figure shows an owner how far from tight the sum
is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from core.privacy import Delta, Epsilon, PrivacyLoss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_CELLS: Final = 1 << 16


def epsilon_nonadaptive(losses: Sequence[PrivacyLoss], delta: Delta) -> Epsilon | None:
    """The smallest epsilon for which the composition of fixed (epsilon_i, delta_i)-DP mechanisms is (epsilon,
    delta)-DP; None where none is.

    Each mechanism is, at worst, one that with probability delta_i tells all and else answers by randomised response
    with odds e^epsilon_i. Their joint privacy loss L is a sum of independent terms of +-epsilon_i, and the composition
    is (epsilon, delta)-DP exactly when

        1 - (1 - E[max(0, 1 - e^(epsilon - L))]) * prod_i (1 - delta_i) <= delta.

    The law of L is computed on a grid of about 65536 cells that holds the largest epsilon_i exactly, with every other
    rounded up to the next cell: the figure errs upward, by less than a cell a release and not at all for equal
    releases. It never passes the plain sum.
    """
    survives = float(np.prod([1.0 - float(loss.delta) for loss in losses]))
    spare = 1.0 - (1.0 - float(delta)) / survives if survives else -1.0
    if spare < 0.0:
        return None
    total = Epsilon(sum(loss.epsilon.units for loss in losses))
    if not total.units:
        return total
    largest = max(loss.epsilon for loss in losses)
    cells = max(_CELLS * largest.units // total.units, 1)
    steps = [-(-loss.epsilon.units * cells // largest.units) for loss in losses]
    value, mass = _joint_loss(steps, float(largest) / cells)
    return min(total, Epsilon.ceil(_smallest_epsilon(value, mass, spare)))


def _joint_loss(steps: Sequence[int], cell: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values of sum of +-steps_i * cell, descending, and their probabilities, plus being drawn with odds
    e^(steps_i * cell).
    """
    width = sum(steps)
    mass = np.zeros(width + 1)
    mass[0] = 1.0
    for step in steps:
        against = 1.0 / (1.0 + np.exp(step * cell))
        moved = mass[: width + 1 - step] * against
        mass *= 1.0 - against
        mass[step:] += moved
    value = np.arange(width, -width - 1, -2, dtype=np.float64) * cell
    return value, mass


def _smallest_epsilon(value: NDArray[np.float64], mass: NDArray[np.float64], spare: float) -> float:
    """The smallest epsilon >= 0 with sum of mass * max(0, 1 - e^(epsilon - value)) <= spare; `value` falls.

    Between two neighbouring values the sum is A - e^epsilon B with A and B running sums, so the root is in closed form.
    """
    positive = value > 0.0
    value, mass = value[positive], mass[positive]
    above = np.cumsum(mass)
    with np.errstate(divide="ignore"):
        log_weighted = np.logaddexp.accumulate(np.log(mass) - value)
    at_values = above - np.exp(value + log_weighted)
    passed = int(np.searchsorted(at_values, spare, side="right"))
    if passed == 0:
        return float(value[0])
    a, log_b = above[passed - 1], log_weighted[passed - 1]
    return float(max(np.log(max(a - spare, 1e-300)) - log_b, 0.0))
