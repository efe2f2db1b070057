"""Warnings about a noisy table that somebody published."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Final

from core.inference.contradictions import Test, contradiction
from core.inference.published import PublishedCell
from service.posteriors.read_tables import ReadTable

LOG_UNLIKELY: Final = math.log(1e-4)
_MOST_POWERS: Final = 300
_CONTRADICTIONS: Final[dict[Test, str]] = {
    "below_zero": "Values are so far below 0",
    "above_total": "Values are so far above the total",
    "total": "The values add up to a number so far from the total",
    "same_counts": "The tables of the same counts differ so much",
}
_ZEROS: Final = 3
"""Smallest number of values 0 at which clamping is suspected."""
_LOG_OF_CHANCE: Final = math.log(1e4)
"""Rounding is suspected from this ln of the odds against chance, if all values are multiples of one number."""


def doubts_about(table: ReadTable) -> list[str]:
    """Return warnings about values that the stated noise, total or printing makes improbable."""
    contradicted = contradicted_noise(table)
    return ([] if contradicted is None else [contradicted]) + _doubts_of_printing(table.tables[0])


def contradicted_noise(table: ReadTable) -> str | None:
    """Return a sentence about values that contradict the stated noise, or None."""
    found = contradiction(table.tables, table.total)
    if found.log_probability >= LOG_UNLIKELY:
        return None
    least = min((cell.value for cells in table.tables for cell in cells if cell.value is not None), default=0.0)
    is_code = found.test == "below_zero" and least < 0.0
    missing = f", or {least:.15g} stands for a missing value" if is_code else ""
    return (
        f"{_CONTRADICTIONS[found.test]} that the stated noise does this with a probability "
        f"{below_power(found.log_probability)}. The noise, its scale or the total is probably misstated{missing}."
    )


def below_power(log_probability: float) -> str:
    """Return a power of ten in words that is above the probability."""
    return f"below 1e{math.ceil(max(-_MOST_POWERS, log_probability / math.log(10.0)))}"


def _doubts_of_printing(cells: Sequence[PublishedCell]) -> list[str]:
    """Return warnings about values that look clamped or rounded, although the request does not state this."""
    found = []
    shown = [cell for cell in cells if cell.value is not None]
    values = [cell.value for cell in shown if cell.value is not None]
    if (
        any(cell.noise.scales for cell in shown)
        and sum(value == 0.0 for value in values) >= _ZEROS
        and min(values) >= 0.0
        and not any(cell.printed.clamped_at_zero for cell in shown)
    ):
        found.append(
            "Several values are 0 and none is negative. If negative values were printed as 0, set `clamped_at_zero`."
        )
    unit = 0
    if values and all(value.is_integer() for value in values) and shown[0].printed.round_to is None:
        unit = reduce(math.gcd, (abs(int(value)) for value in values))
    if unit > 1 and len(values) * math.log(unit) > _LOG_OF_CHANCE:
        found.append(
            f"All values are multiples of {unit}. If they were rounded, set `round_to`, and `rounding` to whether "
            "this was to the nearest multiple or at random."
        )
    if values and all(cell.is_raw and not cell.noises for cell in shown):
        found.append("The values are taken as exact counts. If they were rounded, set `round_to` and `rounding`.")
    return found
