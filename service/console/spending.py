"""Says and draws how a budget is spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any, Final

from service.console.pages import amount, date_of, number
from service.pictures.frame import Head
from service.pictures.spending import Charge as Spent
from service.pictures.spending import spending

_TWO_DIGITS_UP: Final = Context(prec=2, rounding=ROUND_CEILING)
_EXACT_UP: Final = Context(prec=12, rounding=ROUND_CEILING)
_WORTH_SAYING: Final = Decimal(10_000)
SYMBOLS: Final = {"epsilon": "ε", "rho": "ρ", "delta": "δ"}


@dataclass(frozen=True, slots=True)
class Charge:
    """An entry of a ledger that spends, what it spends, and what is spent with it."""

    entry: Mapping[str, Any]
    value: Decimal
    total: Decimal


def main_unit(accounted: Mapping[str, Any]) -> str:
    """The main unit of an amount, a budget or a data set, by its accountant: `epsilon` or `rho`."""
    return "rho" if accounted["accountant"] == "zcdp" else "epsilon"


def spent_share(budget: Mapping[str, Any]) -> float:
    """How much of a budget is spent, from 0 to 1."""
    unit = main_unit(budget["total"])
    total = Decimal(budget["total"][unit])
    return float(Decimal(budget["spent"][unit]) / total) if total else 1.0


def odds_factor(epsilon: str) -> str:
    """By how many times odds can rise at ε, rounded up to two digits."""
    factor = _TWO_DIGITS_UP.plus(_EXACT_UP.exp(Decimal(epsilon)))
    return (
        number(factor)
        if Decimal(10) <= factor < _WORTH_SAYING
        else f"{factor:f}"
        if factor < _WORTH_SAYING
        else "over 10 000"
    )


def odds_sentence(epsilon: str, delta: str) -> str:
    """What (ε, δ) means for a person, in a sentence."""
    sentence = f"Anyone who sees every release can raise their odds about a person at most {odds_factor(epsilon)} times"
    if Decimal(delta):
        sentence += f", but for a probability of {amount(delta)}"
    return f"{sentence}."


def picture(
    budget: Mapping[str, Any], charges: Sequence[Charge], names: Mapping[str, str | None], name: str, width: int
) -> str:
    """The time line of a budget as SVG. `names`: of people, by their ids; `name`: of the data set."""
    unit = main_unit(budget["total"])
    now = datetime.now(UTC).isoformat()
    return spending(
        Head(f"Spending of the budget of {name}", date=date_of(now)),
        [
            Spent(
                each.entry["created_at"],
                each.entry["amount"][unit],
                names.get(each.entry["principal_id"]) or each.entry["principal_id"],
            )
            for each in charges
        ],
        limit=budget["total"][unit],
        opened_at=budget["created_at"],
        until=now,
        unit=SYMBOLS[unit],
        width=width,
    )
