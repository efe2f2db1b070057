"""Draws many histograms at once from a product distribution, in floating point: for public values only, never for a
release.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.count_simplex.product_distribution import ProductDistribution
from core.count_simplex.window import Mass
from core.samplers.reproducible import Reproducible

_MAX_TABLE: Final = 1 << 20
_MAX_ROUNDS: Final = 32
_ENTRIES_OF_A_DRAW: Final = 64
"""Up to this number of entries for each draw, a common table is faster than proposals."""
_BITS: Final = 48
"""Number of bits of a probability in a common table. The other bits of an integer are the row."""
_STARTS: Final = 5
"""Number of leading bits of a probability for which the start of the search in a common table is known."""
_STEPS: Final = 2
_SMALLEST_SUM: Final = 1e-300
"""Divisor of a row of zeros, which is not drawn from."""


def draw_many(distribution: ProductDistribution, size: int, rng: Reproducible) -> NDArray[np.int64]:
    """Draw `size` independent histograms, shape (size, m), by splitting the total and then each part in two.

    Their distribution is P up to its `left_out` and an absolute error of about 1e-13 in each of the m splits.
    """
    root, m = distribution._root, len(distribution._tilted_counts.distributions)  # noqa: SLF001  the distribution's own package
    counts = np.empty((size, m), dtype=np.int64)
    pending = [(root.left, root.right, np.full(size, distribution.total, dtype=np.int64))]
    while pending:
        left, right, totals = pending.pop()
        first = split(left.mass, right.mass, totals, rng)
        for node, values in ((left, first), (right, totals - first)):
            if node.children is None:
                counts[:, node.category] = values
            else:
                pending.append((*node.children, values))
    return counts


def split(left: Mass, right: Mass, totals: NDArray[np.int64], rng: Reproducible) -> NDArray[np.int64]:
    """Draw the left part l of each total with probability proportional to left(l) · right(total − l).

    If totals are few, all draws use one table. Otherwise l is proposed from the half with the narrower distribution,
    and accepted with the probability of total − l in the other half, relative to its mode. Near the middle more than
    half of the proposals are accepted, and all draws share one cumulative sum.
    """
    narrow, wide = sorted((left, right), key=_peak_share, reverse=True)
    if (found := _draw_from_common_table(narrow, wide, totals, rng)) is not None:
        return found if narrow is left else totals - found
    running, mode = np.cumsum(narrow.values), wide.values.max()
    parts = np.empty_like(totals)
    pending = np.arange(totals.size)
    for _ in range(_MAX_ROUNDS):
        proposed = np.searchsorted(running, rng.uniforms(pending.size) * running[-1], side="right")
        part = narrow.low + np.minimum(proposed, running.size - 1)
        others = totals[pending] - part - wide.low
        inside = (others >= 0) & (others < wide.values.size)
        kept = rng.uniforms(pending.size) * mode < np.where(inside, wide.values.take(others, mode="clip"), 0.0)
        parts[pending[kept]] = part[kept]
        pending = pending[~kept]
        if not pending.size:
            break
    else:
        parts[pending] = _split_by_table(narrow, wide, totals[pending], rng)
    return parts if narrow is left else totals - parts


def _peak_share(mass: Mass) -> float:
    return float(mass.values.max() / mass.values.sum())


def _draw_from_common_table(
    first: Mass, second: Mass, totals: NDArray[np.int64], rng: Reproducible
) -> NDArray[np.int64] | None:
    """Draw the first part of each total from a table with a row of cumulative probabilities for each total.

    Return None if the table would be too large. Rows are concatenated as integers: the number of the row, then the
    probability. So one search finds the parts of all totals. It starts from the leading bits of the probability, and
    most draws are found within two steps.
    """
    least, most = int(totals.min()), int(totals.max())
    low, high = max(first.low, least - second.high), min(first.high, most - second.low)
    rows, width = most - least + 1, high - low + 1
    if rows >> (63 - _BITS) or rows * width > min(_MAX_TABLE, _ENTRIES_OF_A_DRAW * totals.size):
        return None
    others = np.zeros(rows + width - 1)
    inside = second.within(least - high, most - low)
    others[inside.low - (least - high) :][: inside.values.size] = inside.values
    weights = np.lib.stride_tricks.sliding_window_view(others, width)[:, ::-1]
    running = np.cumsum(weights * first.values[low - first.low : high - first.low + 1], axis=1)
    running *= 2.0**_BITS / np.maximum(running[:, -1:], _SMALLEST_SUM)
    entries = running.astype(np.int64) + (np.arange(rows) << _BITS)[:, None]
    entries[:, -1] = np.arange(1, rows + 1) << _BITS
    table, row = entries.ravel(), totals - least
    keys = (row << _BITS) + (rng.uniforms(totals.size) * 2.0**_BITS).astype(np.int64)
    starts = np.searchsorted(table, np.arange(rows << _STARTS) << (_BITS - _STARTS), side="right")
    found = starts[keys >> (_BITS - _STARTS)]
    for _ in range(_STEPS):
        found += table[found] <= keys
    further = np.flatnonzero(table[found] <= keys)
    found[further] = np.searchsorted(table, keys[further], side="right")
    parts: NDArray[np.int64] = np.minimum(found - row * width + low, np.minimum(high, totals - second.low))
    return parts


def _split_by_table(first: Mass, second: Mass, totals: NDArray[np.int64], rng: Reproducible) -> NDArray[np.int64]:
    """Draw the first part of each total from a cumulative sum of its own.

    This serves totals so far from the middle that proposals are hardly ever accepted.
    """
    lowest = np.maximum(first.low, totals - second.high)
    highest = np.minimum(first.high, totals - second.low)
    width = int((highest - lowest).max()) + 1
    steps = np.arange(width)
    parts = np.empty_like(totals)
    rows = max(1, _MAX_TABLE // width)
    for start in range(0, totals.size, rows):
        part = slice(start, start + rows)
        values = lowest[part, None] + steps
        inside = values <= highest[part, None]
        values = np.minimum(values, highest[part, None])
        weights = first.values[values - first.low] * second.values[totals[part, None] - values - second.low] * inside
        running = np.cumsum(weights, axis=1)
        targets = rng.uniforms(running.shape[0]) * running[:, -1]
        parts[part] = lowest[part] + np.sum(running <= targets[:, None], axis=1)
    return np.minimum(parts, highest)
