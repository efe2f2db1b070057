"""Rows of sequences of similar length: one call on many short sequences takes little longer than on one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

TOGETHER: Final = 16_384
"""Number of values computed at once, so that they and all intermediate values stay in the processor's cache."""
_LONGER: Final = 1.25
"""Largest ratio of the longest to the shortest sequence in a group of rows."""


def padded(sequences: Sequence[NDArray[np.float64]], length: int) -> NDArray[np.float64]:
    """Return the sequences as rows, each followed by zeros."""
    rows = np.zeros((len(sequences), length))
    for row, values in zip(rows, sequences, strict=True):
        row[: values.size] = values
    return rows


def in_rows(sequences: Sequence[NDArray[np.float64]]) -> Iterator[tuple[list[int], NDArray[np.float64]]]:
    """Group non-empty sequences by similar length. Yield the indices of each group and its sequences as padded rows."""
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
