"""Draws many histograms at once from a product law, in floating point. It serves public values only, never a
release.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.count_simplex.law import ProductLaw
from core.count_simplex.tree import Node
from core.samplers.reproducible import Reproducible

_MAX_TABLE: Final = 1 << 20


def draw_many(law: ProductLaw, size: int, rng: Reproducible) -> NDArray[np.int64]:
    """`size` independent draws, shape (size, m), each partial sum split by inverting a running sum of floats.

    Their law is P up to the law's `left_out`, and an absolute error of about 1e-13 in each of the m splits.
    """
    root, m = law._root, len(law._tilted.laws)  # noqa: SLF001  the law's own package
    counts = np.empty((size, m), dtype=np.int64)
    pending = [(root.left, root.right, np.full(size, law.total, dtype=np.int64))]
    while pending:
        left, right, totals = pending.pop()
        first = _split(left, right, totals, rng)
        for node, values in ((left, first), (right, totals - first)):
            if node.children is None:
                counts[:, node.category] = values
            else:
                pending.append((*node.children, values))
    return counts


def _split(left: Node, right: Node, totals: NDArray[np.int64], rng: Reproducible) -> NDArray[np.int64]:
    """The left part of each total, l with probability in proportion to left(l) · right(total − l)."""
    lowest = np.maximum(left.mass.low, totals - right.mass.high)
    highest = np.minimum(left.mass.high, totals - right.mass.low)
    width = int((highest - lowest).max()) + 1
    steps = np.arange(width)
    parts = np.empty_like(totals)
    rows = max(1, _MAX_TABLE // width)
    for start in range(0, totals.size, rows):
        part = slice(start, start + rows)
        values = lowest[part, None] + steps
        inside = values <= highest[part, None]
        values = np.minimum(values, highest[part, None])
        weights = (
            left.mass.values[values - left.mass.low]
            * right.mass.values[totals[part, None] - values - right.mass.low]
            * inside
        )
        running = np.cumsum(weights, axis=1)
        targets = rng.uniforms(running.shape[0]) * running[:, -1]
        parts[part] = lowest[part] + np.sum(running <= targets[:, None], axis=1)
    return np.minimum(parts, highest)
