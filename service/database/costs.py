"""Convert costs to and from columns, JSON and text. Defines which dimensions each accountant uses.

`basic` counts epsilon and delta, `zcdp` counts rho and delta. Columns hold whole units of all three; JSON holds decimal
text of the two that count.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias, assert_never

from core.accounting.accountants import NOTHING, Accountant, Cost
from core.privacy import Delta, Epsilon, Rho
from service.errors import InvalidRequest

DIMENSIONS: Final = ("epsilon", "delta", "rho")
MainDimension: TypeAlias = Literal["epsilon", "rho"]


@lru_cache
def column_names(suffix: str = "") -> tuple[str, ...]:
    """Return the column names of an amount: `epsilon_suffix`, `delta_suffix`, `rho_suffix`."""
    return tuple(f"{name}_{suffix}" if suffix else name for name in DIMENSIONS)


def columns(cost: Cost, suffix: str = "") -> dict[str, int]:
    """Return the columns of a cost, in integer units."""
    return dict(zip(column_names(suffix), (cost.epsilon.units, cost.delta.units, cost.rho.units), strict=True))


@lru_cache(maxsize=1024)
def of_units(epsilon: int, delta: int, rho: int) -> Cost:
    """Return the cost of these columns. Raises AmountError for a negative number."""
    return Cost(Epsilon(epsilon), Delta(delta), Rho(rho))


def main_dimension(accountant: Accountant) -> MainDimension:
    """Return the dimension that the accountant uses besides delta."""
    match accountant:
        case Accountant.BASIC:
            return "epsilon"
        case Accountant.ZCDP:
            return "rho"
        case _:
            assert_never(accountant)


def asked(
    accountant: Accountant,
    *,
    epsilon: Epsilon | None = None,
    rho: Rho | None = None,
    delta: Delta | None,
    before: Cost | None = None,
) -> Cost:
    """Return the amount of a request. Omitted dimensions are taken from `before`. Raises InvalidRequest at `epsilon` or
    `rho`.
    """
    wanted, other = ("epsilon", "rho") if main_dimension(accountant) == "epsilon" else ("rho", "epsilon")
    given = {"epsilon": epsilon, "rho": rho}
    if given[other] is not None:
        raise InvalidRequest.at(
            other, f"is not a unit of this budget; its accountant is {accountant.value}, so give {wanted}"
        )
    if given[wanted] is None and before is None:
        raise InvalidRequest.at(wanted, "is required")
    base = before or NOTHING
    return Cost(
        epsilon=base.epsilon if epsilon is None else epsilon,
        delta=base.delta if delta is None else delta,
        rho=base.rho if rho is None else rho,
    )


def document(accountant: Accountant, cost: Cost) -> dict[str, str]:
    """Return the cost as plain JSON in the accountant's dimensions: a `service.schemas.model.Amount`."""
    if main_dimension(accountant) == "epsilon":
        return {"accountant": "basic", "epsilon": str(cost.epsilon), "delta": str(cost.delta)}
    return {"accountant": "zcdp", "rho": str(cost.rho), "delta": str(cost.delta)}


def of_document(amount: Mapping[str, str]) -> Cost:
    """Parse a cost that `document` wrote. Raises LookupError, TypeError or ValueError for anything else."""
    if main_dimension(Accountant(amount["accountant"])) == "epsilon":
        return Cost(epsilon=Epsilon.parse(amount["epsilon"]), delta=Delta.parse(amount["delta"]))
    return Cost(rho=Rho.parse(amount["rho"]), delta=Delta.parse(amount["delta"]))


def in_words(cost: Cost) -> str:
    """Return the cost as text, such as "epsilon 0.5 and delta 0.000001"."""
    named = (("epsilon", cost.epsilon), ("rho", cost.rho), ("delta", cost.delta))
    return " and ".join(f"{name} {amount}" for name, amount in named if amount.units) or "nothing"
