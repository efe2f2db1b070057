"""An accountant prices a release, checks a budget's limit, and computes what remains.

Both accountants are valid if each release is chosen after seeing the answers before it, as long as the sum is kept
below the limit:

- `basic`: epsilon and delta add up.
- `zcdp`: rho adds up, and so does the delta of releases whose rho holds only outside a rare event
  (`core.accounting.zcdp`). The owner's (epsilon, delta) is split once. delta_conversion determines the largest rho that
  still implies epsilon, and delta_releases is the limit for single releases. The budget guarantees delta_conversion +
  delta_releases <= delta (Bun and Steinke 2016, section 8: a delta'-approximate rho-zCDP mechanism is (epsilon, delta'
  + delta_conversion)-DP).

Composition with fixed parameters can be tighter, but its theorems need all costs in advance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, assert_never

from core.accounting.zcdp import epsilon_of, largest_rho, rho_of_pure
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_POWER: Final = 4.0
"""Largest exponent of epsilon that `largest_epsilon` assumes for the growth of a price between two guesses."""


class TermsError(ValueError):
    """The requested budget is invalid under its accountant. The message names the rule."""


class Accountant(StrEnum):
    """How the costs of several releases become one guarantee."""

    BASIC = "basic"
    ZCDP = "zcdp"


@dataclass(frozen=True, slots=True)
class Cost:
    """An amount in each dimension; zero in dimensions that an accountant does not use.

    `basic` uses epsilon and delta, `zcdp` uses rho and delta. Limits, remaining amounts and prices all have this type.
    """

    epsilon: Epsilon = Epsilon(0)
    delta: Delta = Delta(0)
    rho: Rho = Rho(0)

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.epsilon + other.epsilon, self.delta + other.delta, self.rho + other.rho)

    def fits(self, remaining: Cost) -> bool:
        """Return whether no dimension exceeds `remaining`."""
        return (
            self.epsilon.units <= remaining.epsilon.units
            and self.delta.units <= remaining.delta.units
            and self.rho.units <= remaining.rho.units
        )

    def left_after(self, spent: Cost) -> Cost:
        """Return this limit minus `spent`, but at least zero in each dimension."""
        return Cost(
            Epsilon(max(self.epsilon.units - spent.epsilon.units, 0)),
            Delta(max(self.delta.units - spent.delta.units, 0)),
            Rho(max(self.rho.units - spent.rho.units, 0)),
        )

    def smaller_of(self, other: Cost) -> Cost:
        """Return the smaller amount in each dimension: the amount that two limits both allow."""
        return Cost(min(self.epsilon, other.epsilon), min(self.delta, other.delta), min(self.rho, other.rho))


NOTHING = Cost()


@dataclass(frozen=True, slots=True)
class BudgetTerms:
    """A budget's limit under its accountant, and the (epsilon, delta)-DP that spending all of it guarantees."""

    accountant: Accountant
    limit: Cost
    epsilon: Epsilon
    delta: Delta
    delta_conversion: Delta = Delta(0)

    @classmethod
    def basic(cls, epsilon: Epsilon, delta: Delta) -> BudgetTerms:
        """Return accounting terms under which the epsilons and the deltas of all releases sum to at most `epsilon` and
        `delta`.

        Raises TermsError if delta reaches 1.
        """
        if delta.units >= 10**Delta.digits:
            raise TermsError("delta must be below 1")
        return cls(Accountant.BASIC, Cost(epsilon=epsilon, delta=delta), epsilon, delta)

    @classmethod
    def zcdp(cls, epsilon: Epsilon, *, delta_conversion: Delta, delta_releases: Delta) -> BudgetTerms:
        """Return accounting terms that limit the sum of the rhos and the sum of the deltas of all releases.

        The rhos sum to at most `largest_rho(epsilon, delta_conversion)` and the deltas to at most `delta_releases`.
        This guarantees (epsilon, delta_conversion + delta_releases)-DP.

        Raises TermsError if delta_conversion is 0 or if delta_conversion + delta_releases reaches 1.
        """
        if not delta_conversion.units:
            raise TermsError("zcdp needs a delta above 0 for the conversion")
        delta = delta_conversion + delta_releases
        if delta.units >= 10**Delta.digits:
            raise TermsError("delta must be below 1")
        limit = Cost(delta=delta_releases, rho=largest_rho(epsilon, delta_conversion))
        return cls(Accountant.ZCDP, limit, epsilon, delta, delta_conversion)

    def guarantee(self, spent: Cost) -> PrivacyLoss:
        """Return the joint guarantee of the releases so far.

        While `spent` fits the limit, it is at most the epsilon and delta of these terms.
        """
        match self.accountant:
            case Accountant.BASIC:
                return PrivacyLoss(spent.epsilon, spent.delta)
            case Accountant.ZCDP:
                if spent == NOTHING:
                    return PrivacyLoss(Epsilon(0))
                epsilon = epsilon_of(spent.rho, self.delta_conversion)
                return PrivacyLoss(epsilon, self.delta_conversion + spent.delta, spent.rho, spent.delta)
            case _:
                assert_never(self.accountant)


def price(loss: PrivacyLoss, accountant: Accountant) -> Cost:
    """Return the cost of a release with this proven loss: (epsilon, delta) under `basic`; rho and its delta under
    `zcdp`.

    Under `zcdp` the cost implied by (epsilon, delta)-DP (`core.accounting.zcdp.rho_of_pure`) replaces the proven one if
    no rho was proven, or if it is at most as large in both dimensions.
    """
    match accountant:
        case Accountant.BASIC:
            return Cost(epsilon=loss.epsilon, delta=loss.delta)
        case Accountant.ZCDP:
            implied = Cost(delta=loss.delta, rho=rho_of_pure(loss.epsilon))
            if loss.rho is None:
                return implied
            proven = Cost(delta=loss.rho_delta, rho=loss.rho)
            return implied if implied.fits(proven) else proven
        case _:
            assert_never(accountant)


def remaining_releases(remaining: Cost, cost: Cost) -> int | None:
    """Return how many more releases of this cost fit into `remaining`, or None if the cost is zero in every
    dimension.
    """
    pairs = (
        (remaining.epsilon.units, cost.epsilon.units),
        (remaining.delta.units, cost.delta.units),
        (remaining.rho.units, cost.rho.units),
    )
    return min((left // each for left, each in pairs if each), default=None)


def _share_used(cost: Cost, remaining: Cost) -> float:
    """Return the share of `remaining` that the cost uses, in the dimensions that rise with epsilon."""
    pairs = ((cost.epsilon.units, remaining.epsilon.units), (cost.rho.units, remaining.rho.units))
    return max((each / left if left else math.inf for each, left in pairs if each), default=0.0)


def largest_epsilon(remaining: Cost, price_of: Callable[[Epsilon], Cost], at_most: Epsilon) -> Epsilon:
    """Return the largest epsilon <= `at_most` at which the budget allows one more release of a mechanism, or 0 if none
    is allowed.

    `price_of` is the mechanism's cost as a function of epsilon, non-decreasing in each dimension. The same function
    determines the charge, so the result is exact to the last unit, rounding included. A price can take long, so the
    next epsilon is guessed from the last prices, which are about powers of epsilon.
    """
    fits, exceeds = 0, at_most.units + 1
    guess, power, step = at_most.units, 1.0, 1
    before: tuple[float, float] | None = None
    while exceeds - fits > 1:
        cost = price_of(Epsilon(guess))
        if cost.fits(remaining):
            fits = guess
        else:
            exceeds = guess
        used, at = _share_used(cost, remaining), math.log(guess)
        found = math.nan
        if 0.0 < used < math.inf:
            log_used = math.log(used)
            if before is not None and (rise := log_used - before[1]) and (moved := at - before[0]):
                power = min(max(rise / moved, 0.5), _MAX_POWER)
            before = at, log_used
            found = guess * math.exp(-log_used / power)
        # A guess at a known price, or in a range of equal prices, does not help: go on from what fits.
        if fits < found < exceeds:
            guess = int(found) if int(found) > fits else fits + 1
        elif fits and fits + step < exceeds:
            guess, step = fits + step, 4 * step
        else:
            guess = (fits + exceeds) // 2
    return Epsilon(fits)
