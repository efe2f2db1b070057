"""Opens a `Private` value. This is the only way: an import contract lists the modules that may import this one, the
mechanisms' draws.
"""

from __future__ import annotations

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.limits import MAX_RECORDS
from core.private import Private

T = TypeVar("T")


_OTHER_SIZE: Final = "the histogram is not of the size that the event states"


class HistogramError(ValueError):
    """A private histogram is not of the event's size. The text is constant and discloses nothing about the counts."""


def unseal(private: Private[T]) -> T:
    """Return the value inside. The caller is responsible for everything derived from it until noise has been added."""
    return private._Private__sealed  # type: ignore[attr-defined, no-any-return]  # noqa: SLF001  the one reader there is


def open_histogram(counts: Private[NDArray[np.int64]], *, n: int, m: int) -> NDArray[np.int64]:
    """Return the private counts, shape (m,), after checking them against the event's size. The guarantee holds for such
    counts only.

    Raises HistogramError if they do not match.
    """
    return _open_values(counts, m=m, n=n)


def open_counts(counts: Private[NDArray[np.int64]], *, m: int) -> NDArray[np.int64]:
    """Return the private counts, shape (m,), whose sum is private too, after checking that each is at most 2**53 / m.

    Raises HistogramError if they do not match.
    """
    return _open_values(counts, m=m, n=None)


def _open_values(counts: Private[NDArray[np.int64]], *, m: int, n: int | None) -> NDArray[np.int64]:
    opened = unseal(counts)
    if opened.shape != (m,) or opened.dtype != np.int64 or opened.min() < 0:
        raise HistogramError(_OTHER_SIZE)
    if opened.max() > MAX_RECORDS // m if n is None else opened.sum() != n:
        raise HistogramError(_OTHER_SIZE)
    return opened
