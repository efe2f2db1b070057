"""Words and figures for people: shares of cells, questions, amounts and probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

_MOST_DECIMALS: Final = 3
_RARE: Final = 0.01
"""Shares below it are per 100 000 in the console, which is a unit of five decimals. Others are percentages."""
_RARE_DECIMALS: Final = 5
_LEAST_DECIMALS: Final = 2
_MOST_PLAIN: Final = 11
"""Largest number of decimals without an exponent."""
_DIGITS: Final = 1.25
"""Decimals of the width, which show its first two or three digits."""
_MOST_NAMES: Final = 12
"""Number of labels, or of levels of an attribute, that are shown."""
_NNT: Final = {"fewer": "NNTB", "more": "NNTH"}
"""Number needed to treat for one benefit and for one harm, if the outcome is a harm."""
NO_NUMBER_NEEDED: Final = "There is no number needed to treat, as there may be no difference of the risks."
_ROUNDING: Final = 1e-9
"""Tolerance for the logarithm of a power of ten."""


def probability_text(probability: float, error: float, method: str) -> str:
    """Return a probability with at most three decimals, and no more than its error allows, as the console does.

    It is never 0 or 1: `below 0.001`, or `above 0.999`.
    """
    error = max(error, 10.0**-_MOST_DECIMALS)
    decimals = max(1, math.floor(-math.log10(error) + _ROUNDING))
    text, unit = f"{probability:.{decimals}f}", 10.0**-decimals
    said = f"below {unit:g}" if float(text) == 0 else f"above {1 - unit:g}" if float(text) == 1 else text
    return f"{said}, simulated" if method == "simulation" else said


def figure_texts(value: float | None, low: float | None, high: float | None, *, is_ratio: bool = False) -> list[str]:
    """Return an estimate and both ends of its interval with the digits of the console, shares as fractions of 1.

    A ratio has three digits. Others have as many decimals as show two or three digits of the interval's width.
    """
    if is_ratio:
        return [_end(each, _significant) for each in (value, low, high)]
    least, width = _LEAST_DECIMALS, 0.0
    if value is not None and low is not None and high is not None:
        # A difference near 0 is not rare: both its ends have to be small.
        least = _RARE_DECIMALS if abs(value) < _RARE and (low >= 0.0 or max(-low, high) < _RARE) else least
        width = high - low
    decimals = max(least, math.ceil(_DIGITS - math.log10(width)) if width > 0.0 else 0)
    return [
        _end(each, f"{{:z.{decimals}f}}".format if decimals <= _MOST_PLAIN else _significant)
        for each in (value, low, high)
    ]


def _significant(value: float) -> str:
    """Return a number with three digits, without an exponent unless it is very small or large."""
    if value and not 1e-3 <= abs(value) < 1e7:
        return f"{value:.3g}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0}f}"


def _end(value: float | None, write: Callable[[float], str]) -> str:
    return "no end" if value is None else write(value)


def first_names(names: Sequence[str]) -> str:
    """Return the first labels, or levels of an attribute, as text."""
    return ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")


def amount_words(amount: Mapping[str, str]) -> str:
    """Return an amount as text, such as `ε 0.5, δ 0.000001`. A δ of 0 is omitted."""
    main = f"ε {amount['epsilon']}" if amount["accountant"] == "basic" else f"ρ {amount['rho']}"
    return main if amount["delta"] == "0" else f"{main}, δ {amount['delta']}"


def cells_words(cells: Mapping[str, Any]) -> str:
    """Return the words for a set of cells: `ill or dead`, or `arm placebo, outcome ill`."""
    if where := cells.get("where"):
        return ", ".join(f"{name} {_either(levels)}" for name, levels in where.items())
    return _either(cells.get("labels") or ())


def cells_text(cells: Mapping[str, Any]) -> str:
    """Return a set of cells as the command takes it: `arm=placebo,outcome=ill,dead`."""
    found = [(f"{name}=", levels) for name, levels in (cells.get("where") or {"": cells.get("labels") or ()}).items()]
    texts = (levels if isinstance(levels, str) else ",".join(levels) for _, levels in found)
    return ",".join(f"{name if name != '=' else ''}{text}" for (name, _), text in zip(found, texts, strict=True))


def needed_name(needed: Mapping[str, Any]) -> str:
    """Return the name of a number needed to treat."""
    return f"number needed to treat, one {needed['direction']} ({_NNT[needed['direction']]})"


def share_words(share: Mapping[str, Any]) -> str:
    """Return the words for a share: `ill among arm placebo`."""
    within = share.get("within")
    of = cells_words(share["of"])
    return of if within is None else f"{of} among {cells_words(within)}"


def question_words(question: Mapping[str, Any]) -> str:
    """Return the words for a question about a share, or about a contrast of two shares."""
    if question.get("about") == "records":
        return f"{question_words({**question, 'about': 'population'})}, in these records"
    if question["kind"] == "share":
        return share_words(question)
    first, second = question["first"], question["second"]
    name, sign = {"difference": ("difference", "−"), "ratio": ("ratio", "/")}.get(question["kind"], ("odds ratio", "/"))
    if first["of"] == second["of"] and first.get("within") and second.get("within"):
        within = f"{cells_words(first['within'])} {sign} {cells_words(second['within'])}"
        return f"{name} of {cells_words(first['of'])}: {within}"
    return f"{name}: {share_words(first)} {sign} {share_words(second)}"


def range_words(asked: Mapping[str, Any]) -> str:
    """Return the words for a range: `between 0.001 and 0.002`."""
    low, high = asked.get("low"), asked.get("high")
    if low is None or high is None:
        return f"below {high:g}" if low is None else f"above {low:g}"
    return f"between {low:g} and {high:g}"


def _either(names: Any) -> str:
    return names if isinstance(names, str) else " or ".join(names)
