"""Limits of sizes, defined once: mechanisms check them, and requests beyond them are refused."""

from __future__ import annotations

from typing import Final

MAX_RECORDS: Final = 2**53
"""Counts up to this are exact as floats, which all computations rely on."""
MAX_CATEGORIES: Final = 10_000
"""Largest number of categories of a posterior."""
MAX_CELLS: Final = 50_000
"""Largest number of possible cells of a cross table, for margins and linear queries."""
MAX_RECORDS_PER_UNIT: Final = 1000
"""Largest number of records of one person, or of another unit of protection."""
MIN_CONCENTRATION: Final = 1e-6
"""Smallest concentration of a category in a prior."""
MAX_CONCENTRATION: Final = 1e6
