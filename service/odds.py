"""Writes the factor by which odds can rise under ε-differential privacy."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from typing import Final

_UP: Final = Context(prec=3, rounding=ROUND_CEILING)
_EXACT_UP: Final = Context(prec=40, rounding=ROUND_CEILING)
_GROUPED_BELOW: Final = Decimal(1_000_000)
"""Factors from this value on are written with a power of ten. A budget can have ε = 1000, where the factor exceeds the
range of floats.
"""
_SUPERSCRIPT: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def odds_factor(epsilon: Decimal) -> str:
    """Return e^ε, rounded up to three significant digits."""
    if not epsilon:
        return "1"
    # The decimal exponential is correctly rounded, so the next larger number is an upper bound.
    factor = _UP.plus(_EXACT_UP.next_plus(_EXACT_UP.exp(epsilon)))
    if factor < _GROUPED_BELOW:
        return f"{factor.normalize():,f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    digits, _, exponent = f"{factor:.2e}".partition("e+")
    return f"{digits}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{exponent.translate(_SUPERSCRIPT)}"
