"""Says and draws how a budget is spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_CEILING, Context, Decimal
from html import escape
from typing import Any, Final

from service.console.pages import amount, date_of, number

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


_WIDTH, _HEIGHT = 720, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 56, 44
_STYLE: Final = """\
text { font: 14px system-ui, "Segoe UI", Roboto, Arial, sans-serif; fill: #1d2326; }
.title { font-weight: 600; font-size: 15px; }
.axis { stroke: #8b918d; stroke-width: 1; fill: none; }
.grid { stroke: #dcdfd9; stroke-width: 1; }
.spent { stroke: #14506b; stroke-width: 2.5; fill: none; }
.limit { stroke: #9b1c1c; stroke-width: 2; stroke-dasharray: 6 4; }
@media (prefers-color-scheme: dark) {
text { fill: #e8ebe9; }
.axis { stroke: #7d878c; }
.grid { stroke: #384146; }
.spent { stroke: #8ecbe6; }
.limit { stroke: #ff9d92; }
}"""


def picture(budget: Mapping[str, Any], charges: Sequence[Charge], name: str, now: datetime) -> str:
    """The time line of a budget as SVG: steps of what is spent, below a line for all that may be spent."""
    unit = main_unit(budget["total"])
    total = float(budget["total"][unit])
    begin = datetime.fromisoformat(budget["created_at"])
    seconds = max(1.0, (now - begin).total_seconds())
    top = max(total, float(charges[-1].total) if charges else 0.0) * 1.08

    def x(text: str | datetime) -> float:
        instant = text if isinstance(text, datetime) else datetime.fromisoformat(text)
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (instant - begin).total_seconds() / seconds

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * value / top

    path = f"M{x(begin):.1f} {y(0):.1f}"
    for each in charges:
        path += f"H{x(each.entry['created_at']):.1f}V{y(float(each.total)):.1f}"
    path += f"H{x(now):.1f}"
    symbol = SYMBOLS[unit]
    spent = amount(budget["spent"][unit])
    ticks = [total * part for part in (0, 0.25, 0.5, 0.75, 1)]
    grid = "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        f'<text x="{_LEFT - 8}" y="{y(tick) + 5:.1f}" text-anchor="end">{tick:.3g}</text>'
        for tick in ticks
    )
    description = (
        f"{len(charges)} charges have spent {symbol} = {spent} of {amount(budget['total'][unit])} "
        f"between {date_of(budget['created_at'])} and {now.day} {now:%B %Y}."
    )
    shown = name if len(name) <= 60 else f"{name[:59]}…"
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img"
  aria-labelledby="t d">
<title id="t">Spending of the budget of {escape(shown)}, {now.day} {now:%B %Y}</title>
<desc id="d">{escape(description)}</desc>
<style>{_STYLE}</style>
<text class="title" x="{_LEFT}" y="22">{escape(shown)}, {now.day} {now:%B %Y}</text>
<text x="{_LEFT}" y="44">{symbol} spent so far, of {amount(budget["total"][unit])} that may be spent (dashed)</text>
{grid}
<line class="limit" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(total):.1f}" y2="{y(total):.1f}"/>
<path class="axis" d="M{_LEFT} {_TOP}V{_HEIGHT - _BOTTOM}H{_WIDTH - _RIGHT}"/>
<path class="spent" d="{path}"/>
<text x="{_LEFT}" y="{_HEIGHT - 16}">{date_of(budget["created_at"])}</text>
<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 16}" text-anchor="end">{now.day} {now:%B %Y}</text>
</svg>
"""
