"""Figures and amounts as text for people."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

Contrast: TypeAlias = Literal["difference", "ratio", "odds_ratio"]
CONTRASTS: Final[tuple[Contrast, ...]] = get_args(Contrast)
_MAX_RARE_SHARE: Final = 0.01
"""Shares below it are per 100 000 in the console, which is a unit of five decimals. Others are percentages."""
_RARE_DECIMALS: Final = 5
_LEAST_DECIMALS: Final = 2
_MAX_PLAIN_DECIMALS: Final = 11
"""Largest number of decimals without an exponent."""
_MIN_INFINITE_VALUE: Final = 1e300
"""A median that stands for infinity, which JSON does not have."""
_DIGITS: Final = 1.25
"""Decimals of the width, which show its first two or three digits."""
_MOST_NAMES: Final = 12
"""Number of labels, or of levels of an attribute, that are shown."""


def figure_texts(value: float | None, low: float | None, high: float | None, *, is_ratio: bool = False) -> list[str]:
    """Return an estimate and both ends of its interval with the digits of the console, shares as fractions of 1.

    A ratio has three digits. Others have as many decimals as show two or three digits of the interval's width.
    """
    if is_ratio:
        return [_end(each, _significant_digits) for each in (value, low, high)]
    least, width = _LEAST_DECIMALS, 0.0
    if value is not None and low is not None and high is not None:
        # A difference near 0 is not rare: both its ends have to be small.
        least = (
            _RARE_DECIMALS
            if abs(value) < _MAX_RARE_SHARE and (low >= 0.0 or max(-low, high) < _MAX_RARE_SHARE)
            else least
        )
        width = high - low
    decimals = max(least, math.ceil(_DIGITS - math.log10(width)) if width > 0.0 else 0)
    return [
        _end(each, f"{{:z.{decimals}f}}".format if decimals <= _MAX_PLAIN_DECIMALS else _significant_digits)
        for each in (value, low, high)
    ]


def _significant_digits(value: float) -> str:
    """Return a number with three digits, without an exponent unless it is very small or large."""
    if value >= _MIN_INFINITE_VALUE:
        return "infinite"
    if value and not 1e-3 <= abs(value) < 1e7:
        return f"{value:.3g}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0}f}"


def _end(value: float | None, write: Callable[[float], str]) -> str:
    return "no end" if value is None else write(value)


def first_names(names: Sequence[str], most: int = _MOST_NAMES, separator: str = ", ") -> str:
    """Return the first labels, levels or columns as text, and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return separator.join(names[:most]) + more


def amount_words(amount: Mapping[str, str]) -> str:
    """Return an amount as text, such as `ε 0.5, δ 0.000001`. A δ of 0 is omitted."""
    main = f"ε {amount['epsilon']}" if amount["accountant"] == "basic" else f"ρ {amount['rho']}"
    return main if amount["delta"] == "0" else f"{main}, δ {amount['delta']}"


def number_text(count: int) -> str:
    """Return a whole number with a space before each group of three digits."""
    return f"{count:,}".replace(",", " ")
