"""Times noise-aware marginals and simplex geometric draws beside the same work in plain numpy, in one run.

    python -m benchmarks.posterior [--repeats 3]

Marginals: all p(c_i | y) of a simplex geometric release at epsilon 1. The baseline, `numpy.fft`, multiplies whole
spectra of length 2n: prefix and suffix products over the categories, one inverse transform each. Where that would need
more than 1 GB it is run on as many categories as fit and its time is scaled up, which is said. Draws: `core`, exact and
from the operating system's generator; the baseline, `numpy.random`, draws floats from PCG64: differences of geometric
variables for all coordinates but the last, accepted with probability q^|last|. Each time is processor time, the median
of the repeats.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks._clock import median_seconds
from core.inference import infer
from core.inference.counts import log_prior_weight
from core.mechanisms.catalogue import rehearse
from core.mechanisms.geometric.mechanism import SimplexGeometric, simplex_noise
from core.privacy import Epsilon
from core.samplers.entropy import SeededEntropy, SystemEntropy

MARGINALS = [(10, 10_000), (100, 100_000), (1_000, 1_000_000)]
DRAWS = [10, 1_000, 10_000]
BASELINE_BYTES = 1 << 30


def marginals_by_numpy_fft(noisy: tuple[int, ...], n: int, epsilon: float) -> NDArray[np.float64]:
    """Every marginal under a flat prior from products of spectra of length 2n, each factor scaled to sum 1: shape
    (m, n + 1).
    """
    values, length = np.arange(n + 1), 2 * n + 2
    factors = np.array(
        [
            np.exp(log_prior_weight(1.0, values.astype(float), anchor=max(y, 0)) - 0.5 * epsilon * np.abs(y - values))
            for y in noisy
        ]
    )
    factors /= factors.sum(axis=1, keepdims=True)
    spectra = np.fft.rfft(factors, length, axis=1)
    before = np.cumprod(np.vstack([np.ones((1, spectra.shape[1])), spectra[:-1]]), axis=0)
    after = np.cumprod(np.vstack([np.ones((1, spectra.shape[1])), spectra[:0:-1]]), axis=0)[::-1]
    others = np.fft.irfft(before * after, length, axis=1)[:, : n + 1]
    marginals = factors * np.maximum(others[:, ::-1], 0.0)
    normalised: NDArray[np.float64] = marginals / marginals.sum(axis=1, keepdims=True)
    return normalised


def draw_by_numpy_random(m: int, epsilon: float, rng: np.random.Generator) -> NDArray[np.int64]:
    q = math.exp(-epsilon / 2)
    while True:
        free = rng.geometric(1 - q, m - 1) - rng.geometric(1 - q, m - 1)
        if rng.random() < q ** abs(int(free.sum())):
            return np.append(free, -free.sum())


def show_marginals(m: int, n: int, repeats: int) -> None:
    rng = np.random.default_rng([m, n])
    event = SimplexGeometric(n, m, Epsilon.parse("1"))
    released = rehearse(event, rng.multinomial(n, rng.dirichlet(np.full(m, 3.0))), 1, SeededEntropy(1))[0]
    ours = median_seconds(lambda: infer(event, released, np.ones(m)).shares(), repeats)
    fits = max(2, min(m, BASELINE_BYTES // (100 * (n + 1))))
    theirs = median_seconds(lambda: marginals_by_numpy_fft(released.noisy[:fits], n, 1.0), 1) * (m / fits)
    scaled = "" if fits == m else f" (scaled up from {fits} categories)"
    print(
        f"marginals m={m} n={n}: core {ours * 1e3:.1f} ms, numpy.fft {theirs * 1e3:.0f} ms{scaled}, ratio {theirs / ours:.0f}"
    )
    if fits == m:
        exact = marginals_by_numpy_fft(released.noisy, n, 1.0)
        worst = 0.0
        for i, share in enumerate(infer(event, released, np.ones(m)).shares()):
            window = exact[i, share.low : share.low + share.probabilities.size]
            worst = max(worst, float(np.abs(window - share.probabilities).max()))
        print(f"  largest difference of a probability: {worst:.1e}")


def show_draws(m: int, repeats: int) -> None:
    rng = np.random.default_rng(1)
    for epsilon in ("0.1", "1"):
        event = SimplexGeometric(10**6, m, Epsilon.parse(epsilon))
        entropy = SystemEntropy()
        draws = max(10, 20_000 // m)
        ours = median_seconds(partial(_each, draws, partial(simplex_noise, event, entropy)), repeats) / draws
        by_numpy = partial(draw_by_numpy_random, m, float(event.epsilon), rng)
        theirs = median_seconds(partial(_each, draws, by_numpy), repeats) / draws
        seconds = f"core {ours * 1e3:.3f} ms, numpy.random {theirs * 1e3:.3f} ms, ratio {theirs / ours:.2f}"
        print(f"draw m={m} epsilon={epsilon}: {seconds}")


def _each(times: int, draw: Callable[[], object]) -> None:
    for _ in range(times):
        draw()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeats", type=int, default=3)
    repeats = arguments.parse_args().repeats
    for m, n in MARGINALS:
        show_marginals(m, n, repeats)
    for m in DRAWS:
        show_draws(m, repeats)


if __name__ == "__main__":
    main()
