"""Misuses of `Private` and `Released` that mypy must refuse, each on one line, with the code of the error it has to
find there.

`make check` fails if a line passes, because an ignore without an error is an error itself, and if a line is refused for
another reason than its code. Nothing imports this module.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.mechanisms import laplace
from core.private import Private, Released

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sized

    from numpy.typing import NDArray

    Counts = NDArray[np.int64]


class Opened(Private[int]):  # type: ignore[misc]
    pass


class Unproven(Released[int]):  # type: ignore[misc]
    pass


@lru_cache
def remembered(key: object) -> object:
    return key


def total(counts: Counts) -> int:
    return int(counts.sum())


def look(private: Private[Counts], other: Private[Counts]) -> Iterable[object]:
    yield [count.real for count in private]  # type: ignore[attr-defined]
    yield list(private)  # type: ignore[call-overload]
    yield (*private,)  # type: ignore[misc]
    yield private[0]  # type: ignore[index]
    yield len(private)  # type: ignore[arg-type]
    yield 3 in private  # type: ignore[operator]
    yield private == other  # type: ignore[misc]
    yield private != other  # type: ignore[misc]
    yield private < other  # type: ignore[operator]
    yield private + 1  # type: ignore[operator]
    yield not private  # type: ignore[truthy-bool]
    yield remembered(private)  # type: ignore[arg-type]
    yield private.value  # type: ignore[attr-defined]
    yield private._Private__sealed  # type: ignore[attr-defined]
    yield total(private)  # type: ignore[arg-type]
    yield laplace.open_histogram(private, n=1, m=2)  # type: ignore[attr-defined]


def label(private: Private[Counts]) -> None:
    private.label = "ages"  # type: ignore[attr-defined]


def as_hashable(private: Private[Counts]) -> Hashable:
    return private  # type: ignore[return-value]


def as_iterable(private: Private[Counts]) -> Iterable[object]:
    return private  # type: ignore[return-value]


def as_sized(private: Private[Counts]) -> Sized:
    return private  # type: ignore[return-value]


def as_other_contents(private: Private[list[int]]) -> Private[Counts]:
    return private  # type: ignore[return-value]


def add_noise_to_open_counts(counts: Counts, noisy: Callable[[Private[Counts]], Counts]) -> Counts:
    return noisy(counts)  # type: ignore[arg-type]


def improve(released: Released[Counts], better: Counts) -> None:
    released.value = better  # type: ignore[misc]


def without_loss(value: Counts) -> Released[Counts]:
    return Released(value)  # type: ignore[call-arg]
