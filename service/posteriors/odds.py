"""Sentences about the meaning of differential privacy for a person, in odds."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, Context, Decimal
from typing import Final

_SHOWN_CONTEXT: Final = Context(prec=3, rounding=ROUND_CEILING)
_EXACT_CONTEXT: Final = Context(prec=40, rounding=ROUND_CEILING)
_MIN_UNGROUPED_FACTOR: Final = Decimal(1_000_000)
"""Factors from this value on are written with a power of ten. A budget can have ε = 1000, where the factor exceeds the
range of floats.
"""
_SUSPICION: Final = Decimal("0.03")
"""The probability, in the example, that somebody assumes for a person's result."""
_SUPERSCRIPT: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def odds_factor(epsilon: Decimal) -> str:
    """Return e^ε, rounded up to three significant digits."""
    if not epsilon:
        return "1"
    # The decimal exponential is correctly rounded, so the next larger number is an upper bound.
    factor = _SHOWN_CONTEXT.plus(_EXACT_CONTEXT.next_plus(_EXACT_CONTEXT.exp(epsilon)))
    if factor < _MIN_UNGROUPED_FACTOR:
        return f"{factor.normalize():,f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    digits, _, exponent = f"{factor:.2e}".partition("e+")
    return f"{digits}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{exponent.translate(_SUPERSCRIPT)}"


def about_a_fact(epsilon: Decimal, delta: Decimal, relation: str) -> tuple[Decimal, Decimal]:
    """Return the (ε, δ) that hold for two values of one person's records.

    Under `add_remove` the records are removed and others added. That counts twice: (2ε, δ(1 + e^ε)).
    """
    if relation == "replace_one":
        return epsilon, delta
    both = _SHOWN_CONTEXT.multiply(delta, 1 + _EXACT_CONTEXT.next_plus(_EXACT_CONTEXT.exp(epsilon)))
    return 2 * epsilon, min(both, Decimal(1))


def odds_sentences(
    epsilon: Decimal,
    delta: Decimal,
    relation: str,
    *,
    seen: str = "every release",
    write: Callable[[Decimal], str] = "{:f}".format,
) -> str:
    """Return the meaning of (ε, δ) for a person. `seen`: which releases; `write` returns the text of a δ.

    Under `add_remove` the first sentence is about the person's presence in the table, at (ε, δ).
    """
    if not epsilon and not delta:
        return f"Nobody who sees {seen} learns anything about a person from it."

    def most(epsilon: Decimal, delta: Decimal) -> str:
        return f"at most {odds_factor(epsilon)} times" + (
            f", except with a probability of {write(delta)}" if delta else ""
        )

    presence = (
        f"Whether a person is in the table is hidden: somebody who knows every other record, and sees {seen}, can "
        f"raise their odds that the last person is in it {most(epsilon, delta)}. "
        if relation == "add_remove"
        else ""
    )
    return (
        f"{presence}Somebody who knows every other record, and sees {seen}, can raise their odds of a fact about the "
        f"last person, such as an illness, {most(*about_a_fact(epsilon, delta, relation))}."
    )


def raised_suspicion(epsilon: Decimal) -> Decimal:
    """Return the percentage that a suspicion of 3 % can become under ε-differential privacy, rounded up to a tenth."""
    odds = _SUSPICION / (1 - _SUSPICION) * min(epsilon, Decimal(60)).exp()
    return (100 * odds / (1 + odds)).quantize(Decimal("0.1"), rounding=ROUND_CEILING)


def odds_example(epsilon: Decimal) -> str:
    """Return a sentence on the largest rise of a suspicion of 3 % under ε-differential privacy."""
    chance = raised_suspicion(epsilon)
    most = f"at most {chance} %" if chance < 100 else "nearly 100 %"
    return (
        f"For example, a person whose chance of a positive result is thought to be {100 * _SUSPICION:.0f} % could "
        f"be thought to have one of {most}, whatever is released."
    )
