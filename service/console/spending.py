"""Describes and draws the spending of a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from service.console.pages import amount, date_of
from service.pictures.frame import PictureHeader
from service.pictures.spending import PlottedCharge as Spent
from service.pictures.spending import spending
from service.pictures.svg import Picture
from service.posteriors import odds

SYMBOLS: Final = {"epsilon": "ε", "rho": "ρ", "delta": "δ"}
HALF_WIDTH: Final = 340
"""Width of a picture in pixels that suits half a card and a narrow screen."""


@dataclass(frozen=True, slots=True)
class SpendingEntry:
    """A ledger entry that spends, its amount, and the total spent up to it."""

    entry: Mapping[str, Any]
    value: Decimal
    total: Decimal

    @property
    def payer(self) -> str:
        """The id of the principal who paid. For a charge that a restore lost, the reconciled receipt has it."""
        if self.entry["kind"] == "receipt_reconciled":
            return str(self.entry["detail"]["receipt"]["body"]["principal_id"])
        return str(self.entry["principal_id"])


def main_unit(accounted: Mapping[str, Any]) -> str:
    """Return the main unit of an amount, a budget or a data set: `epsilon` or `rho`, by its accountant."""
    return "rho" if accounted["accountant"] == "zcdp" else "epsilon"


def amount_in_words(accounted: Mapping[str, Any], *, delta: bool | None = None) -> str:
    """Return an amount as text, such as "ε = 0.5 and δ = 0.001". `delta` decides whether δ is shown. By default it is
    shown if it is above 0.
    """
    unit = main_unit(accounted)
    named = bool(Decimal(accounted["delta"])) if delta is None else delta
    return " and ".join(f"{SYMBOLS[each]} = {amount(accounted[each])}" for each in (unit, *["delta"] * named))


def is_open(grant: Mapping[str, Any]) -> bool:
    """Return whether a grant can spend."""
    return not grant["closed"] and not grant["expired"]


def fits(wanted: Mapping[str, Any], left: Mapping[str, Any]) -> bool:
    """Return whether an amount is at most the remaining amount, in each of its units."""
    return all(Decimal(wanted[each]) <= Decimal(left[each]) for each in (main_unit(wanted), "delta"))


def spent_share(budget: Mapping[str, Any]) -> float:
    """Return the spent fraction of a budget, from 0 to 1."""
    unit = main_unit(budget["total"])
    total = Decimal(budget["total"][unit])
    return float(Decimal(budget["spent"][unit]) / total) if total else 1.0


def odds_sentences(epsilon: str, delta: str, relation: str) -> str:
    """Return what (ε, δ) under a neighbour relation means for a person."""
    return odds.odds_sentences(Decimal(epsilon), Decimal(delta), relation, write=amount)


def picture(
    budget: Mapping[str, Any],
    charges: Sequence[SpendingEntry],
    names: Mapping[str, str | None],
    name: str,
    *,
    width: float,
) -> Picture:
    """Draw a budget's spending over time. `charges` is in order of time. `names` maps the ids of people to their names;
    `name` is the name of the data set.
    """
    unit = main_unit(budget["total"])
    now = datetime.now(UTC).isoformat()
    before = charges[0].total - charges[0].value if charges else Decimal(0)
    return spending(
        PictureHeader(f"Spending of the budget of {name}", date=date_of(now), is_drawn=False),
        [
            Spent(
                each.entry["created_at"],
                each.entry["amount"][unit],
                names.get(each.payer) or each.payer,
            )
            for each in charges
        ],
        limit=budget["total"][unit],
        opened_at=charges[0].entry["created_at"] if before else budget["created_at"],
        spent_before=before,
        until=now,
        unit=SYMBOLS[unit],
        width=width,
    )
