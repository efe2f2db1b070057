"""The posterior of the counts by enumeration, to compare with: the Dirichlet-multinomial distribution times the
likelihood, on every histogram.
"""

from __future__ import annotations

from itertools import product
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate_index
from core.mechanisms import gaussian, laplace
from core.mechanisms.catalogue import Event
from core.mechanisms.exponential import mechanism as exponential
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.geometric.weighting import weighting
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon, Rho
from core.private import Private, Released
from core.samplers.entropy import Entropy


def histograms(n: int, m: int) -> NDArray[np.int64]:
    """All of them, shape (C(n + m − 1, m − 1), m)."""
    free = (c for c in product(range(n + 1), repeat=m - 1) if sum(c) <= n)
    return np.array([(*c, n - sum(c)) for c in free], dtype=np.int64)


def log_likelihood(event: Event, noisy: tuple[int, ...], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """ln P(y | c) up to a constant, from each mechanism's definition: shape (k,) for counts of shape (k, m)."""
    difference = np.array(noisy) - counts[:, : len(noisy)]
    match event:
        case SimplexGeometric():
            # On a small simplex 2e-8 of epsilon is kept back for rounding.
            small = weighting(event.n, event.m, event.epsilon) is not None
            logs = -0.5 * (float(event.epsilon) - (2e-8 if small else 0.0)) * np.abs(difference)
        case Laplace():
            logs = -0.5 * float(event.epsilon) * np.where(difference >= 0, difference, -1 - difference)
        case Gaussian():
            logs = -(difference**2) / (2 * float(event.variance))
        case Exponential():
            weights = [exponential.weights_at(event, c).astype(float) for c in counts]
            return np.array([np.log(w[candidate_index(noisy)] / w.sum()) for w in weights])
        case _:
            assert_never(event)
    return np.asarray(logs.sum(axis=1))


def posterior_of_counts(
    event: Event, noisy: tuple[int, ...], prior: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Every histogram and its probability given the release."""
    counts = histograms(event.n, event.m)
    logs = log_likelihood(event, noisy, counts)
    for alpha, column in zip(prior, counts.T, strict=True):
        # ln(Γ(α + c) / (Γ(α) c!)) as a sum of logarithms, since a difference of lnΓ loses its digits under a strong
        # prior.
        steps = np.log((alpha + np.arange(event.n)) / (1.0 + np.arange(event.n)))
        logs = logs + np.concatenate([[0.0], np.cumsum(steps)])[column]
    weights = np.exp(logs - logs.max())
    return counts, weights / weights.sum()


def release(event: Event, counts: NDArray[np.int64], entropy: Entropy) -> NoisyCounts:
    private = Private(np.asarray(counts, dtype=np.int64))
    released: Released[NoisyCounts]
    match event:
        case SimplexGeometric():
            released = simplex_geometric.release(private, event, entropy)
        case Laplace():
            released = laplace.release(private, event, entropy)
        case Gaussian():
            released = gaussian.release(private, event, entropy)
        case Exponential():
            released = exponential.release(private, event, entropy)
        case _:
            assert_never(event)
    return released.value


def events(n: int, m: int, epsilon: str) -> list[Event]:
    """One event of each additive mechanism, with noise of about the same size."""
    rho = Rho.ceil(Epsilon.parse(epsilon).value ** 2 / 8)
    return [
        SimplexGeometric(n, m, Epsilon.parse(epsilon)),
        Laplace(n, m, Epsilon.parse(epsilon)),
        Gaussian(n, m, rho, Delta.parse("0.000001")),
    ]
