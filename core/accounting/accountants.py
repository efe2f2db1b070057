"""An accountant prices a release, checks what a budget allows, and computes what is left.

Two accountants, both valid when each release is chosen after seeing the answers before it, as long as the sum is only
kept under the limit:

- `basic`: epsilon and delta add up.
- `zcdp`: rho adds up, and beside it the delta of releases that hold their rho only outside a rare event
  (`core.accounting.zcdp`). The owner's (epsilon, delta) is split once: delta_conversion fixes the largest rho that
  still means that epsilon, delta_releases is what single releases may spend, and delta_conversion + delta_releases <=
  delta is what the budget guarantees (Bun and Steinke 2016, section 8: a delta'-approximate rho-zCDP mechanism is
  (epsilon, delta' + delta_conversion)-DP).

Composition with fixed parameters can be tighter, but its theorems ask for all costs in advance; see
`core.accounting.fixed_composition` for a report of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, assert_never

from core.accounting.zcdp import epsilon_of, largest_rho, rho_of_pure
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho

if TYPE_CHECKING:
    from collections.abc import Callable


class TermsError(ValueError):
    """The budget asked for means nothing under its accountant; the message names the rule."""


class Accountant(StrEnum):
    """How the costs of several releases become one guarantee."""

    BASIC = "basic"
    ZCDP = "zcdp"


@dataclass(frozen=True, slots=True)
class Cost:
    """An amount in each dimension that accountants count; zero in those that an accountant does not use.

    `basic` counts epsilon and delta, `zcdp` counts rho and delta. A limit, a balance and a price are all of this type.
    """

    epsilon: Epsilon = Epsilon(0)
    delta: Delta = Delta(0)
    rho: Rho = Rho(0)

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.epsilon + other.epsilon, self.delta + other.delta, self.rho + other.rho)

    def fits(self, room: Cost) -> bool:
        """Whether no dimension passes `room`."""
        return (
            self.epsilon.units <= room.epsilon.units
            and self.delta.units <= room.delta.units
            and self.rho.units <= room.rho.units
        )

    def left_after(self, spent: Cost) -> Cost:
        """What remains of this limit; zero in a dimension that is used up."""
        return Cost(
            Epsilon(max(self.epsilon.units - spent.epsilon.units, 0)),
            Delta(max(self.delta.units - spent.delta.units, 0)),
            Rho(max(self.rho.units - spent.rho.units, 0)),
        )

    def smaller_of(self, other: Cost) -> Cost:
        """The lesser amount in each dimension: the room that two limits leave together."""
        return Cost(min(self.epsilon, other.epsilon), min(self.delta, other.delta), min(self.rho, other.rho))


NOTHING = Cost()


@dataclass(frozen=True, slots=True)
class BudgetTerms:
    """A budget's limit under its accountant, and the (epsilon, delta)-DP that spending all of it still means."""

    accountant: Accountant
    limit: Cost
    epsilon: Epsilon
    delta: Delta
    delta_conversion: Delta = Delta(0)

    @classmethod
    def basic(cls, epsilon: Epsilon, delta: Delta) -> BudgetTerms:
        """Releases whose epsilons and deltas sum to at most these."""
        if delta.units >= 10**Delta.digits:
            raise TermsError("delta must be below 1")
        return cls(Accountant.BASIC, Cost(epsilon=epsilon, delta=delta), epsilon, delta)

    @classmethod
    def zcdp(cls, epsilon: Epsilon, *, delta_conversion: Delta, delta_releases: Delta) -> BudgetTerms:
        """Releases whose rhos sum to at most `largest_rho(epsilon, delta_conversion)` and whose deltas to at most
        `delta_releases`.

        Guarantees (epsilon, delta_conversion + delta_releases)-DP. Raises TermsError where delta_conversion is 0 or the
        sum reaches 1.
        """
        if not delta_conversion.units:
            raise TermsError("zcdp needs a delta above 0 for the conversion")
        delta = delta_conversion + delta_releases
        if delta.units >= 10**Delta.digits:
            raise TermsError("delta must be below 1")
        limit = Cost(delta=delta_releases, rho=largest_rho(epsilon, delta_conversion))
        return cls(Accountant.ZCDP, limit, epsilon, delta, delta_conversion)

    def guarantee(self, spent: Cost) -> PrivacyLoss:
        """What the releases so far prove together; at most the epsilon and delta of these terms as long as `spent`
        fits the limit.
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
    """What a release with this proven loss is charged.

    `basic`: (epsilon, delta). `zcdp`: the proven rho and its delta; or what (epsilon, delta)-DP implies by itself
    (`core.accounting.zcdp.rho_of_pure`), where no rho was proven or the implied one is no worse in either dimension.
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


def remaining_releases(room: Cost, cost: Cost) -> int | None:
    """How many further releases of this cost the room takes; None where the cost is nothing in every dimension."""
    pairs = (
        (room.epsilon.units, cost.epsilon.units),
        (room.delta.units, cost.delta.units),
        (room.rho.units, cost.rho.units),
    )
    return min((left // each for left, each in pairs if each), default=None)


def largest_epsilon(room: Cost, price_of: Callable[[Epsilon], Cost], at_most: Epsilon) -> Epsilon:
    """The largest epsilon, up to `at_most`, at which one more release of a mechanism fits the room; 0 where none does.

    `price_of` is the mechanism's price in its epsilon, not falling in any dimension: the very function that charges, so
    that the answer holds to the last unit, rounding included.
    """
    low, high = 0, at_most.units
    while low < high:
        middle = (low + high + 1) // 2
        if price_of(Epsilon(middle)).fits(room):
            low = middle
        else:
            high = middle - 1
    return Epsilon(low)
