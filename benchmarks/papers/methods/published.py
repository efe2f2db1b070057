"""Computes the law of an estimate's error in the two ways of Xiao and Xiong (2012), as printed: for comparison only.

Both give a probability mass vector u of odd length l: u_i is the mass of the interval of length 1 around i - (l - 1) /
2. The service takes neither: `core.queries.error_distribution` is exact to rounding and faster.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from core.samplers.reproducible import Reproducible


def mass_by_sampling(scales: NDArray[np.float64], size: int, draws: Reproducible) -> NDArray[np.float64]:
    """Algorithm 1 (MC): the frequencies of `size` sums of independent Laplace noises of these scales, rounded to
    whole numbers.
    """
    sums = np.zeros(size)
    for scale in scales:
        uniforms = draws.uniforms(size) - 0.5
        sums -= scale * np.sign(uniforms) * np.log1p(-2.0 * np.abs(uniforms))
    rounded = np.rint(sums).astype(np.int64)
    furthest = int(np.abs(rounded).max())
    return np.bincount(rounded + furthest, minlength=2 * furthest + 1) / size


def sampling_error(mass: NDArray[np.float64], size: int) -> float:
    """The expected error of Algorithm 1 by definition 4.2 and corollary 4.1: the sum of the variances u_i (1 - u_i)
    / size.
    """
    return float((mass * (1.0 - mass)).sum()) / size


def mass_by_convolution(scales: NDArray[np.float64], loss: float) -> NDArray[np.float64]:
    """Algorithm 2 (PC): the mass vectors of the single noises, each cut where it leaves out at most `loss`,
    convolved from the shortest to the longest.
    """
    result = np.ones(1)
    for scale in np.sort(scales):
        result = np.convolve(result, laplace_mass(float(scale), loss))
    return result


def laplace_mass(scale: float, loss: float) -> NDArray[np.float64]:
    """The mass of Laplace noise in intervals of length 1 around whole numbers, of the least odd length l whose lemma
    4.2 loss e^(-l / 2 scale) is at most `loss`.
    """
    half = int(np.ceil(max(-2.0 * scale * np.log(loss) - 1.0, 0.0) / 2.0))
    below = np.exp(-(np.arange(half + 1) + 0.5) / scale) / 2.0
    side = below[:-1] - below[1:]
    return np.concatenate((side[::-1], [1.0 - 2.0 * below[0]], side))


def convolution_error(scales: NDArray[np.float64], loss: float) -> float:
    """The mass that Algorithm 2 leaves out, by lemma 4.3: 1 - Π (1 - loss)."""
    return float(-np.expm1(len(scales) * np.log1p(-loss)))


def mass_by_filters(scales: NDArray[np.float64], step: float, reach: float) -> NDArray[np.float64]:
    """The mass of the sum on the grid of `step` out to `reach`: each noise is a pair of one-pole filters, forward and
    backward, so a noise costs one pass.

    Discrete Laplace noise has the series (1 - q)² / ((1 - q z)(1 - q / z)), q = e^(-step / scale).
    """
    half = int(np.ceil(reach / step))
    result = np.zeros(2 * half + 1)
    result[half] = 1.0
    for scale in scales:
        q = np.exp(-step / scale)
        forward = lfilter([1.0 - q], [1.0, -q], result)
        result = lfilter([1.0 - q], [1.0, -q], forward[::-1])[::-1]
    return result


def half_width_of(mass: NDArray[np.float64], confidence: float, step: float = 1.0) -> float:
    """Algorithm 3: from the middle of a symmetric mass vector outward until the confidence is held; half the length
    of those intervals.
    """
    middle = (mass.size - 1) // 2
    held = mass[middle] + 2.0 * np.concatenate(([0.0], np.cumsum(mass[middle + 1 :])))
    return float((int(np.searchsorted(held, confidence)) + 0.5) * step)
