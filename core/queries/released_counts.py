"""Converts posterior releases to rows of a history: noisy counts with additive noise are rows of single cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.mechanism import (
    DiscreteGaussian,
    FlooredLaplace,
    IndependentGeometric,
    NoQueryNoise,
    TiedGeometric,
)
from core.queries.noise import (
    MIN_RATE,
    DiscreteGaussianNoise,
    FlooredLaplaceNoise,
    GeometricNoise,
    Noise,
    SimplexGeometricNoise,
)


@dataclass(frozen=True, slots=True)
class NoisyCells:
    """Noisy counts of the first cells, with symmetric noise."""

    counts: tuple[Fraction, ...]
    noise: Noise


def noisy_cells(event: Event, noisy: Sequence[int]) -> NoisyCells | str:
    """Return the rows that a release adds to a history, or a sentence for users that explains why it adds none."""
    exact = tuple(Fraction(y) for y in noisy)
    noise = mechanism_of(event).query_noise(event)
    match noise:
        case DiscreteGaussian(variance=variance):
            return NoisyCells(exact, DiscreteGaussianNoise(variance))
        case FlooredLaplace(scale=scale):
            # Floored Laplace noise has mean −1/2; adding a half makes it symmetric.
            return NoisyCells(tuple(y + Fraction(1, 2) for y in exact), FlooredLaplaceNoise(scale))
        case IndependentGeometric(rate=rate):
            return NoisyCells(exact, GeometricNoise(rate))
        case TiedGeometric(rate=rate):
            if rate < MIN_RATE:
                return "its noise is so wide that the distribution of a query's error takes too long to compute"
            return NoisyCells(exact, SimplexGeometricNoise(rate, event.m))
        case NoQueryNoise(reason=reason):
            return reason
        case _:
            assert_never(noise)
