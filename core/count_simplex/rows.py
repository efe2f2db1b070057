"""Rows hold sequences of about the same length: a call on many short ones takes little longer than on one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

TOGETHER: Final = 16_384
"""Values that are computed together: with all that comes on the way they stay in the processor's cache."""
_LONGER: Final = 1.25
"""Than the shortest sequence of some rows is their longest, at most."""


def padded(sequences: Sequence[NDArray[np.float64]], length: int) -> NDArray[np.float64]:
    """The sequences as rows, each with zeros behind it."""
    rows = np.zeros((len(sequences), length))
    for row, values in zip(rows, sequences, strict=True):
        row[: values.size] = values
    return rows


def in_rows(sequences: Sequence[NDArray[np.float64]]) -> Iterator[tuple[list[int], NDArray[np.float64]]]:
    """All sequences, none of which is empty, by likes: the places of some, and these as rows."""
    by_size = sorted(range(len(sequences)), key=lambda index: sequences[index].size)
    start = 0
    for end in range(1, len(by_size) + 1):
        if end < len(by_size):
            longest = sequences[by_size[end]].size
            if (end + 1 - start) * longest <= TOGETHER and longest <= _LONGER * sequences[by_size[start]].size:
                continue
        indices = by_size[start:end]
        yield indices, padded([sequences[index] for index in indices], sequences[indices[-1]].size)
        start = end
