"""Finds values that may be the sums of others: rows of totals among the cells of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

Ends: TypeAlias = tuple[float, float]
"""The least and the largest number that a cell can have. They are equal for a value that is shown."""

_FEWEST_PARTS: Final = 2
_FEWEST_SUMS: Final = 3


def totals_among(rows: Sequence[tuple[Sequence[str], Ends]], tolerance: float = 0.0) -> tuple[int, str] | None:
    """Return a column and its level, the largest, whose values may be the sums of the other levels; or None.

    A row has its levels and its ends. A value may be a sum if it lies between the sums of the others' ends, and is at
    least as large as the distance between them. `tolerance` is the tolerance of one value. A level of one of several
    columns needs three groups with different sums. A sum needs two others that can be above 0.
    """
    columns = len(rows[0][0]) if rows else 0
    for place in range(columns):
        groups: dict[tuple[str, ...], dict[str, Ends]] = {}
        for levels, ends in rows:
            rest = tuple(level for each, level in enumerate(levels) if each != place)
            groups.setdefault(rest, {})[levels[place]] = ends
        sums: dict[str, set[float]] = {}
        others = set[str]()
        for group in groups.values():
            low, high = (sum(ends[side] for ends in group.values()) for side in (0, 1))
            parts = sum(ends[1] > 0 for ends in group.values())
            allowed = tolerance * len(group) ** 0.5
            for level, (total, end) in group.items():
                if total != end or parts - (end > 0) < _FEWEST_PARTS:
                    continue
                if not low - allowed <= 2 * total <= high + allowed:
                    others.add(level)
                elif high - low + 2 * allowed <= total:
                    sums.setdefault(level, set()).add(total)
        least = 1 if columns == 1 else _FEWEST_SUMS
        found = {level: max(each) for level, each in sums.items() if level not in others and len(each) >= least}
        if found:
            return place, max(found, key=lambda level: found[level])
    return None
