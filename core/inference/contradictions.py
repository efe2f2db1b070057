"""Whether published values contradict the noise that is stated for them.

Each cell is an event {low <= c + z <= high} with c >= 0. A test bounds the probability that noise of the stated law
makes the values differ this much from any possible counts:

- *values below 0*: one value, or all together, since max(0, −high_i) <= max(0, −z_i);
- *two tables of the same counts*: the gap between two events of one cell is at most |z_i| + |z'_i|;
- *the total*: the sum of the values against the total, which may have noise of its own;
- *values above the total*: max(0, low_i − n) <= max(0, z_i).

The noise of a cell may be the sum of two. Sums of noises have the bound of Chernoff, P(Σ x >= S) <= Π E e^(λx)
e^(−λS), for any λ > 0. Of k tests, the smallest probability is multiplied by k, so a true table is doubted with at most
the stated probability.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.inference.published import Noise, PublishedCell, Total

Floats: TypeAlias = NDArray[np.float64]
Test: TypeAlias = Literal["below_zero", "above_total", "total", "same_counts"]
Exponent: TypeAlias = Callable[[Noise, Floats], Floats]
"""A bound on ln E e^(λx) for a noise and several λ."""

_LONG_TAILED_LAWS: Final = frozenset({"geometric", "laplace", "floored_laplace"})
_TILTS: Final = 200
_MAX_ADDED_SCALE: Final = 300.0
"""Parameter σ of discrete Gaussian noise up to which its points are added up."""
_MAX_SCALED_TILT: Final = 12.0
"""Largest λσ at which they are."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The test with the least probable result, and an upper bound on ln of its probability under the stated noise."""

    test: Test
    log_probability: float


def contradiction(tables: Sequence[Sequence[PublishedCell]], total: int | Total) -> Contradiction:
    """Return the test with the smallest probability, multiplied by the number of tests.

    Arguments as for `core.inference.published.infer_table`.
    """
    found: list[Contradiction] = []

    def add(test: Test, log_probability: float) -> None:
        found.append(Contradiction(test, log_probability))

    published = None if isinstance(total, int) else total.published
    most = total if isinstance(total, int) else total.at_most
    for cells in tables:
        low, high = _ends(cells)
        below = np.maximum(0.0, -high)
        add("below_zero", math.log(len(cells)) + min(map(_log_tail, cells, below.tolist())))
        add("below_zero", _log_chance(cells, float(below.sum()), _log_moments_of_positive_part))
        if most is not None:
            add(
                "above_total",
                _log_chance(cells, float(np.maximum(0.0, low - most).sum()), _log_moments_of_positive_part),
            )
        if isinstance(total, int):
            add("total", log_chance_of_sum(cells, total, total))
        elif most is not None:
            add("total", log_chance_of_sum(cells, -math.inf, most))
        if published is not None:
            add("total", log_chance_of_sum(cells, *published.event, published))
    if published is not None and most is not None:
        add("total", _log_tail(published, max(0.0, published.event[0] - most)))
    for first, second in combinations(tables, 2):
        of_both = [pair for pair in zip(first, second, strict=True) if all(each.informative for each in pair)]
        (low, high), (other_low, other_high) = (
            _ends([pair[0] for pair in of_both]),
            _ends([pair[1] for pair in of_both]),
        )
        gaps = np.maximum(0.0, np.maximum(low - other_high, other_low - high))
        cells = [each for pair in of_both for each in pair]
        add("same_counts", _log_chance(cells, float(gaps.sum()), _log_moments_of_size))
    least = min(found, key=lambda each: each.log_probability)
    return Contradiction(least.test, min(0.0, math.log(len(found)) + least.log_probability))


def log_chance_of_sum(
    cells: Sequence[PublishedCell], least: float, most: float, published: PublishedCell | None = None
) -> float:
    """Return a bound on ln of the probability that noise moves the sum of the cells this far from a total that lies
    between `least` and `most`. `published`: the total, if it has noise of its own.
    """
    low, high = (math.fsum(each) for each in _ends(cells))
    distance, sides = max(low - most, least - high), 1 if least == -math.inf else 2
    noises = [*cells, published] if published is not None else cells
    return min(0.0, math.log(sides) + _log_chance(noises, distance, _log_moments_of_noise))


def _ends(cells: Sequence[PublishedCell]) -> tuple[Floats, Floats]:
    low, high = (np.array([cell.event[end] for cell in cells], dtype=np.float64) for end in (0, 1))
    return low, high


def _log_chance(cells: Sequence[PublishedCell], distance: float, exponent: Exponent) -> float:
    """Return a bound on ln P(Σ x >= distance), where x is the noise of a cell and the sum is over the cells."""
    if not 0.0 < distance < math.inf:
        return 0.0
    noises = Counter(noise for cell in cells for noise in cell.noises)
    if not noises:
        return -math.inf
    variance = 2.0 * math.fsum(times * noise.scale**2 for noise, times in noises.items())
    top = min(2.0 * distance / variance + 1.0 / math.sqrt(variance), *map(_steepest_tilt, noises))
    tilts = np.geomspace(1e-3 * min(top, 1.0 / math.sqrt(variance)), top, _TILTS)
    of_all = sum((times * exponent(noise, tilts) for noise, times in noises.items()), start=-distance * tilts)
    return min(0.0, float(of_all.min()))


def _steepest_tilt(noise: Noise) -> float:
    """Return the largest λ at which an exponent is finite, or is computed."""
    if noise.law in _LONG_TAILED_LAWS:
        return 0.999 / noise.scale
    return (
        _MAX_SCALED_TILT / noise.scale
        if noise.law == "discrete_gaussian" and noise.scale <= _MAX_ADDED_SCALE
        else math.inf
    )


def _log_tail(cell: PublishedCell, distance: float) -> float:
    """Return ln P(z >= distance), or 0 if the distance is 0."""
    if distance <= 0.0:
        return 0.0
    if len(cell.noises) != 1:
        return _log_chance([cell], distance, _log_moments_of_positive_part)
    ((law, scale),) = ((noise.law, noise.scale) for noise in cell.noises)
    match law:
        case "table":
            return _log_chance([cell], distance, _log_moments_of_positive_part)
        case "geometric":
            return -math.ceil(distance) / scale - math.log1p(math.exp(-1.0 / scale))
        case "laplace" | "floored_laplace":
            return -distance / scale - math.log(2.0)
        case "discrete_gaussian":  # at most the Gaussian tail one step nearer (Canonne, Kamath and Steinke 2020)
            return float(special.log_ndtr(-(math.ceil(distance) - 1.0) / scale))
        case _:
            return float(special.log_ndtr(-distance / scale))


def _log_moments_of_noise(noise: Noise, tilts: Floats) -> Floats:
    """Return ln E e^(λz)."""
    scale = noise.scale
    if noise.changes is not None:
        return noise.changes.log_moments(np.asarray, tilts)
    if noise.law in ("laplace", "floored_laplace"):
        return np.asarray(-np.log1p(-np.square(scale * tilts)))
    if noise.law == "geometric":
        rate = 1.0 / scale
        return np.asarray(
            2.0 * np.log(-np.expm1(-rate)) - np.log(-np.expm1(tilts - rate)) - np.log(-np.expm1(-tilts - rate))
        )
    return np.asarray(0.5 * np.square(scale * tilts))  # for discrete Gaussian noise, a bound


def _log_moments_of_positive_part(noise: Noise, tilts: Floats) -> Floats:
    """Return ln E e^(λ max(0, z))."""
    law, scale = noise.law, noise.scale
    if noise.changes is not None:
        return noise.changes.log_moments(lambda z: np.maximum(0, z), tilts)
    if law in ("laplace", "floored_laplace"):
        return np.asarray(np.log(0.5 + 0.5 / (1.0 - scale * tilts)))
    if law == "geometric":
        q, rate = math.exp(-1.0 / scale), 1.0 / scale
        above = (1.0 - q) * np.exp(tilts - rate) / -np.expm1(tilts - rate)
        return np.asarray(np.log1p(above) - math.log1p(q))
    if law == "gaussian":
        return np.asarray(
            np.logaddexp(-math.log(2.0), 0.5 * np.square(scale * tilts) + special.log_ndtr(scale * tilts))
        )
    if scale <= _MAX_ADDED_SCALE:
        points = np.arange(1.0, math.ceil((_MAX_SCALED_TILT + 12.0) * scale) + 2.0)
        logs = -np.square(points) / (2.0 * scale**2)
        whole = 1.0 + 2.0 * float(np.exp(logs).sum())
        above = special.logsumexp(logs + np.multiply.outer(tilts, points), axis=1)
        return np.asarray(np.logaddexp(math.log((1.0 + whole) / 2.0), above) - math.log(whole))
    # A sum of a function with one maximum is at most its integral plus the maximum.
    of_point = 1.0 / (scale * math.sqrt(2.0 * math.pi))
    tops = 0.5 * np.square(scale * tilts)
    above = tops + np.log(special.ndtr(scale * tilts) + of_point)
    return np.asarray(np.logaddexp(math.log(0.5 + 0.5 * of_point), above))


def _log_moments_of_size(noise: Noise, tilts: Floats) -> Floats:
    """Return ln E e^(λ|z|) = ln (2 E e^(λ max(0, z)) − 1) if the law is symmetric."""
    if noise.changes is not None:
        return noise.changes.log_moments(np.abs, tilts)
    part = _log_moments_of_positive_part(noise, tilts)
    return np.asarray(part + np.log(2.0 - np.exp(-part)))
