"""States the limits of sizes once: mechanisms check them, and requests are refused by them."""

from __future__ import annotations

from typing import Final

MAX_RECORDS: Final = 2**53
"""Counts up to here are exact in a float, which every later computation may then rely on."""
MAX_CATEGORIES: Final = 10_000
MAX_RECORDS_PER_UNIT: Final = 1000
"""Of one person, or whatever else a guarantee is about."""
MIN_CONCENTRATION: Final = 1e-3
"""Of each category in a prior."""
MAX_CONCENTRATION: Final = 1e6
