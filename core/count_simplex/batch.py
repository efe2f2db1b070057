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


def draw_many(distribution: ProductDistribution, size: int, rng: Reproducible) -> NDArray[np.int64]:
    """Draw `size` independent histograms, shape (size, m), by splitting the total and then each part in two.

    Their distribution is P up to its `left_out` and an absolute error of about 1e-13 in each of the m splits.
    """
    root, m = distribution._root, len(distribution._tilted.distributions)  # noqa: SLF001  the distribution's own package
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

    l is proposed from the half with the narrower distribution, and accepted with the probability of total − l in the
    other half, relative to its mode. Near the middle more than half of the proposals are accepted, and all draws share
    one cumulative sum.
    """
    narrow, wide = sorted((left, right), key=_peak_share, reverse=True)
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
