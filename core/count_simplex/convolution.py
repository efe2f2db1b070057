"""Convolutions of distributions, with bounds on their rounding error and on the errors inherited from the inputs.

Many short ones are transformed together: a call takes longer than the transform of a few hundred values.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.count_simplex.rows import TOGETHER, padded

_UNIT: Final = 2.0**-53
# A transform of length N has a relative error of at most this many units times log2 N in the Euclidean norm. Radix-2
# theory gives 6.7 (Higham 2002, theorem 24.2); the mixed radices of a real transform need a little more.
_TRANSFORM_UNITS: Final = 10.0
# Up to this length of the shorter factor, a direct sum is as fast; its error is relative to each value.
_MAX_DIRECT_LENGTH: Final = 48
_MAX_LENGTH: Final = 1 << 40


class ApproximateArray(NamedTuple):
    """Non-negative numbers, each within `error` of its exact value."""

    values: NDArray[np.float64]
    error: float = 0.0

    def reversed(self) -> ApproximateArray:
        return ApproximateArray(self.values[::-1], self.error)


def convolve(first: ApproximateArray, second: ApproximateArray) -> ApproximateArray:
    """Return the convolution of two non-negative sequences."""
    (found,) = convolve_each([(first, second)])
    return found


def convolve_each(pairs: Sequence[tuple[ApproximateArray, ApproximateArray]]) -> list[ApproximateArray]:
    """Return the convolution of each pair."""
    found: dict[int, ApproximateArray] = {}
    of_length: dict[int, list[int]] = {}
    for index, (first, second) in enumerate(pairs):
        if min(first.values.size, second.values.size) <= _MAX_DIRECT_LENGTH:
            found[index] = _convolve_directly(first, second)
        else:
            length = fast_length(first.values.size + second.values.size - 1)
            of_length.setdefault(length, []).append(index)
    for length, indices in of_length.items():
        rows = max(1, TOGETHER // length)
        for start in range(0, len(indices), rows):
            together = indices[start : start + rows]
            found |= zip(together, _convolve_by_transform([pairs[index] for index in together], length), strict=True)
    return [found[index] for index in range(len(pairs))]


def fast_length(least: int) -> int:
    """Return the smallest length >= `least`, at most 2^40, that has no prime factors but 2, 3 and 5.

    Its transforms are fast.
    """
    return _FAST_LENGTHS[bisect_left(_FAST_LENGTHS, least)]


def _fast_lengths() -> list[int]:
    found = [1]
    for prime in (2, 3, 5):
        powers = [prime**exponent for exponent in range(_MAX_LENGTH.bit_length())]
        found = [length * power for length in found for power in powers if length * power <= _MAX_LENGTH]
    return sorted(found)


_FAST_LENGTHS: Final = _fast_lengths()


def _convolve_directly(first: ApproximateArray, second: ApproximateArray) -> ApproximateArray:
    values = np.convolve(first.values, second.values)
    overlap = min(first.values.size, second.values.size)
    rounding = _UNIT * overlap * float(values.max(initial=0.0))
    masses = float(first.values.sum()), float(second.values.sum())
    return ApproximateArray(values, rounding + _inherited_error(first.error, second.error, masses, overlap))


def _convolve_by_transform(
    pairs: Sequence[tuple[ApproximateArray, ApproximateArray]], length: int
) -> Iterator[ApproximateArray]:
    firsts, seconds = (padded([each.values for each in side], length) for side in zip(*pairs, strict=True))
    products = np.fft.irfft(np.fft.rfft(firsts) * np.fft.rfft(seconds), length)
    np.maximum(products, 0.0, out=products)
    # The errors of two forward transforms, each relative to its own norm, meet in a product (Cauchy–Schwarz). The error
    # of the inverse transform is relative to the result's norm.
    norms = 2.0 * _norms(firsts) * _norms(seconds) + _norms(products)
    roundings = _UNIT * (_TRANSFORM_UNITS * math.log2(length) + 2.0) * norms
    masses = zip(firsts.sum(axis=1).tolist(), seconds.sum(axis=1).tolist(), strict=True)
    for (first, second), product, rounding, sums in zip(pairs, products, roundings.tolist(), masses, strict=True):
        inherited = _inherited_error(first.error, second.error, sums, min(first.values.size, second.values.size))
        yield ApproximateArray(product[: first.values.size + second.values.size - 1], rounding + inherited)


def _inherited_error(first_error: float, second_error: float, masses: tuple[float, float], overlap: int) -> float:
    """Return the error of a convolved value that is due to the errors of its two inputs.

    The inputs have the sums `masses`, and `overlap` products contribute to a value.
    """
    return first_error * masses[1] + second_error * masses[0] + first_error * second_error * overlap


def _norms(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    # Not a matrix product: its threads would wait for each other on a busy machine, for a negligible sum.
    norms: NDArray[np.float64] = np.sqrt(np.square(rows).sum(axis=1))
    return norms
