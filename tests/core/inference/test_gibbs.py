"""The engine compared with another method for the same posterior: a long Gibbs run, at a size that cannot be
enumerated.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.inference import infer
from core.inference.prior_weights import log_prior_weight
from core.mechanisms.catalogue import rehearse
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from core.samplers.entropy import SeededEntropy


def sweep(counts: NDArray[np.int64], log_weights: list[NDArray[np.float64]], rng: np.random.Generator) -> None:
    """Each category in turn trades records with a random other one: their exact conditional distribution given the sum
    of the two.
    """
    m = counts.size
    for i in range(m):
        j = (i + 1 + int(rng.integers(m - 1))) % m
        both = int(counts[i] + counts[j])
        logs = log_weights[i][: both + 1] + log_weights[j][both::-1]
        weights = np.cumsum(np.exp(logs - logs.max()))
        counts[i] = int(np.searchsorted(weights, rng.random() * weights[-1], side="right"))
        counts[j] = both - counts[i]


@pytest.mark.long
@pytest.mark.parametrize(("m", "n", "epsilon"), [(60, 3000, "0.2"), (200, 20_000, "0.5")])
def test_marginals_agree_with_a_long_gibbs_run(m: int, n: int, epsilon: str) -> None:
    rng = np.random.default_rng(1)
    prior = np.linspace(0.4, 3.0, m)
    event = SimplexGeometric(n, m, Epsilon.parse(epsilon))
    released: NoisyCounts = rehearse(event, rng.multinomial(n, rng.dirichlet(prior)), 1, SeededEntropy(2))[0]
    shares = infer(event, released, prior).shares()
    values = np.arange(n + 1, dtype=np.float64)
    rate = 0.5 * float(event.epsilon)
    log_weights = [
        log_prior_weight(a, values, anchor=max(y, 0)) - rate * np.abs(y - values)
        for a, y in zip(prior, released.noisy, strict=True)
    ]
    counts = np.array(released.on_simplex, dtype=np.int64)
    for _ in range(500):
        sweep(counts, log_weights, rng)
    batches = np.empty((40, m))
    squares = np.empty((40, m))
    for batch in range(40):
        kept = np.empty((250, m))
        for step in range(250):
            sweep(counts, log_weights, rng)
            kept[step] = counts
        batches[batch], squares[batch] = kept.mean(axis=0), (kept**2).mean(axis=0)
    # Batch means give the standard error of a chain; all m categories within 6 of them, for means and second moments.
    for found, exact in (
        (batches, np.array([share.count_mean for share in shares])),
        (squares, np.array([share.count_mean**2 + share.count_standard_deviation**2 for share in shares])),
    ):
        errors = found.std(axis=0, ddof=1) / 40**0.5
        assert np.abs((found.mean(axis=0) - exact) / errors).max() < 6.5
