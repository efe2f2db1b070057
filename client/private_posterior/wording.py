"""Words and figures for people: shares of cells, questions, amounts and probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

_MOST_DECIMALS: Final = 3
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


def amount_words(amount: Mapping[str, str]) -> str:
    """Return an amount as text, such as `ε 0.5, δ 0.000001`. A δ of 0 is omitted."""
    main = f"ε {amount['epsilon']}" if amount["accountant"] == "basic" else f"ρ {amount['rho']}"
    return main if amount["delta"] == "0" else f"{main}, δ {amount['delta']}"


def cells_words(cells: Mapping[str, Any]) -> str:
    """Return the words for a set of cells: `ill or dead`, or `arm placebo, outcome ill`."""
    if where := cells.get("where"):
        return ", ".join(f"{name} {_either(levels)}" for name, levels in where.items())
    return _either(cells.get("labels") or ())


def share_words(share: Mapping[str, Any]) -> str:
    """Return the words for a share: `ill among arm placebo`."""
    within = share.get("within")
    of = cells_words(share["of"])
    return of if within is None else f"{of} among {cells_words(within)}"


def question_words(question: Mapping[str, Any]) -> str:
    """Return the words for a question about a share, or about a contrast of two shares."""
    if question["kind"] == "share":
        return share_words(question)
    first, second = question["first"], question["second"]
    name, sign = {"difference": ("difference", "−"), "ratio": ("ratio", "/")}.get(question["kind"], ("odds ratio", "/"))
    if first["of"] == second["of"] and first.get("within") and second.get("within"):
        within = f"{cells_words(first['within'])} {sign} {cells_words(second['within'])}"
        return f"{name} of {cells_words(first['of'])}: {within}"
    return f"{name}: {share_words(first)} {sign} {share_words(second)}"


def hypothesis_words(hypothesis: Mapping[str, Any]) -> str:
    """Return the words for a hypothesis: `ill > 0.001`."""
    match hypothesis["kind"]:
        case "above":
            return f"{share_words(hypothesis)} > {hypothesis['threshold']:g}"
        case "between":
            return f"{hypothesis['low']:g} < {share_words(hypothesis)} < {hypothesis['high']:g}"
        case _:
            return f"{share_words(hypothesis['first'])} > {share_words(hypothesis['second'])}"


def _either(names: Any) -> str:
    return names if isinstance(names, str) else " or ".join(names)
