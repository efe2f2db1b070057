"""Opens a `Private` value: the one way in. An import contract names the modules that may import this one, the draws
of mechanisms.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.private import Private

T = TypeVar("T")


class HistogramError(ValueError):
    """A private histogram is not of the event's size. The text is constant: it says nothing of the counts."""


def unseal(private: Private[T]) -> T:
    """The value inside; whoever calls this answers for everything derived from it until noise has been added."""
    return private._Private__sealed  # type: ignore[attr-defined, no-any-return]  # noqa: SLF001  the one reader there is


def open_histogram(counts: Private[NDArray[np.int64]], *, n: int, m: int) -> NDArray[np.int64]:
    """The private counts, shape (m,), once they are known to be what the event says: its guarantee is about such
    counts alone.
    """
    opened = unseal(counts)
    if opened.shape != (m,) or opened.dtype != np.int64 or opened.min() < 0 or opened.sum() != n:
        raise HistogramError("the histogram is not of the size that the event states")
    return opened
