"""Merges cells before the noise is drawn: a mechanism then sees the table of the groups.

A neighbour of the table is a neighbour of the merged table, or equal to it, because a record that changes or comes
changes one group or two, or none. So a mechanism keeps every guarantee that it states for n and the number of groups,
under both relations and for several records of a unit. The groups are public, and never depend on the counts.
"""

from __future__ import annotations

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from core.cells import Groups
from core.mechanisms.unsealing import HistogramError, unseal
from core.private import Private


def merged(counts: Private[NDArray[np.int64]], groups: Groups) -> Private[NDArray[np.int64]]:
    """Return the private counts of the groups, which are a partition of the cells. Raises HistogramError if the counts
    are not of that size.
    """
    opened, order = unseal(counts), list(chain.from_iterable(groups))
    if opened.shape != (len(order),):
        raise HistogramError("the histogram is not of the size that the groups state")
    starts = np.cumsum([0, *map(len, groups)])[:-1]
    return Private(np.add.reduceat(opened[order], starts))
