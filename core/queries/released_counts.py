"""Converts posterior releases to rows of a history: noisy counts with additive noise are rows of single cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from core.mechanisms.catalogue import Event
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.geometric.weighting import weighting
from core.mechanisms.laplace import Laplace
from core.queries.noise import MIN_RATE, DiscreteGaussianNoise, FlooredLaplaceNoise, Noise, SimplexGeometricNoise


@dataclass(frozen=True, slots=True)
class NoisyCells:
    """Noisy counts of the first cells, with symmetric noise."""

    counts: tuple[Fraction, ...]
    noise: Noise


def noisy_cells(event: Event, noisy: Sequence[int]) -> NoisyCells | str:
    """Return the rows that a release adds to a history, or a sentence for users that explains why it adds none."""
    exact = tuple(Fraction(y) for y in noisy)
    match event:
        case Gaussian():
            return NoisyCells(exact, DiscreteGaussianNoise(float(event.variance)))
        case Laplace():
            # Floored Laplace noise has mean −1/2; adding a half makes it symmetric.
            return NoisyCells(
                tuple(y + Fraction(1, 2) for y in exact), FlooredLaplaceNoise(float(2 / event.epsilon.value))
            )
        case SimplexGeometric():
            rate = float(event.epsilon.value) / 2
            if weighting(event.n, event.m, event.epsilon) is not None:
                return (
                    "its candidates were drawn on the simplex by solved weights, which is no noise that was added to "
                    "the counts"
                )
            if rate < MIN_RATE:
                return "its noise is so wide that the distribution of a query's error takes too long to compute"
            return NoisyCells(exact, SimplexGeometricNoise(rate, event.m))
        case Exponential():
            return "the exponential mechanism chooses a candidate and adds no noise to the counts"
        case _:
            assert_never(event)
