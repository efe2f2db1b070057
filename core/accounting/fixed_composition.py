"""Computes the guarantee that a history of releases would have if all costs had been fixed in advance. Only a report:
no release is granted on it.

The tightest composition of (epsilon_i, delta_i)-DP mechanisms (Kairouz, Oh and Viswanath 2015; Murtagh and Vadhan 2016)
assumes that the costs do not depend on answers. An analyst who sees an answer before choosing the next cost breaks this
assumption, and stopping at the tighter sum is then no guarantee. Rogers, Roth, Ullman and Vadhan 2016 give the price of
making it one. The ledger therefore adds up, and this figure shows an owner how far the sum is from tight.
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
    """Return the smallest epsilon for which the composition of fixed (epsilon_i, delta_i)-DP mechanisms is (epsilon,
    delta)-DP.

    Returns None if there is none. At worst, each mechanism discloses everything with probability delta_i, and otherwise
    answers by randomised response with odds e^epsilon_i. The joint privacy loss L is a sum of independent terms
    ±epsilon_i. The composition is (epsilon, delta)-DP exactly if

        1 - (1 - E[max(0, 1 - e^(epsilon - L))]) * prod_i (1 - delta_i) <= delta.

    The distribution of L is computed on a grid of about 65536 cells that contains the largest epsilon_i exactly. Every
    other epsilon_i is rounded up to the next cell. The result exceeds the exact one by less than a cell per release,
    and equals it if all releases are equal. It never exceeds the plain sum.
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
    """Return the values of Σ ±steps_i · cell, descending, and their probabilities.

    Each sign is plus with odds e^(steps_i · cell).
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
    """Return the smallest epsilon >= 0 with Σ mass · max(0, 1 − e^(epsilon − value)) <= spare. `value` is in descending
    order.

    Between two neighbouring values the sum is A − e^epsilon B with running sums A and B, so the root has a closed form.
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
