"""Times noise-aware posteriors and the noise that they are of, beside plain NumPy and SciPy and OpenDP, in one run.

    python -m benchmarks.posterior [--rounds 5]

*Marginals*: all p(c_i | y) of a simplex geometric release. The baseline, `numpy.fft`, multiplies whole spectra of
length 2n: prefix and suffix products over the categories, one inverse transform each. *Intervals*, *joint draws* and
*hypotheses*: the baseline is the naive posterior, which takes noise for data: SciPy's Beta quantiles and NumPy's
Dirichlet draws at the noisy counts. It is quicker, and its intervals are too narrow. *Noise*: the baselines are
OpenDP's discrete Laplace noise on a vector, whose sum is not kept, and draws of floats by PCG64 with the sum kept by
rejection. Processor time; the baseline and what is compared take turns.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import opendp.prelude as dp
from numpy.typing import NDArray
from scipy import stats

from benchmarks._table import Table, in_turns
from core.inference import NoiseAwarePosterior, infer
from core.inference.mixture import BetaMixture
from core.inference.prior_weights import log_prior_weight
from core.inference.quantiles import quantiles
from core.mechanisms.catalogue import rehearse
from core.mechanisms.geometric.mechanism import SimplexGeometric, simplex_noise
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from core.samplers.entropy import SeededEntropy, SystemEntropy

MARGINALS: Final = [(10, 10_000, "1"), (30, 30_000, "1"), (10, 10_000, "0.01")]
POSTERIORS: Final = [
    (10, 10_000, "1"),
    (100, 100_000, "1"),
    (100, 100_000, "0.01"),
    (1_000, 1_000_000, "1"),
    (10_000, 10_000_000, "1"),
]
JOINT: Final = [(10, 10_000, "1"), (100, 100_000, "1"), (100, 100_000, "0.01")]
DRAWS: Final = 10_000
NOISE: Final = [(m, epsilon) for m in (10, 30, 100) for epsilon in ("0.01", "0.1", "1")]
ENDS: Final = (0.025, 0.975)


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


def released(m: int, n: int, epsilon: str) -> tuple[SimplexGeometric, NoisyCounts]:
    """A release of made-up counts."""
    rng = np.random.default_rng([m, n])
    event = SimplexGeometric(n, m, Epsilon.parse(epsilon))
    return event, rehearse(event, rng.multinomial(n, rng.dirichlet(np.full(m, 3.0))), 1, SeededEntropy(1))[0]


def naive_concentration(noisy: NoisyCounts) -> NDArray[np.float64]:
    return 1.0 + np.array(noisy.on_simplex, dtype=np.float64)


def naive_intervals(noisy: NoisyCounts) -> None:
    a = naive_concentration(noisy)
    for probability in ENDS:
        stats.beta.ppf(probability, a, a.sum() - a)


def naive_draws(noisy: NoisyCounts) -> NDArray[np.float64]:
    return np.random.default_rng(1).dirichlet(naive_concentration(noisy), DRAWS)


def naive_hypothesis(noisy: NoisyCounts) -> float:
    draws = naive_draws(noisy)
    return float((draws[:, 0] > draws[:, 1]).mean())


def posterior_of(event: SimplexGeometric, noisy: NoisyCounts) -> NoiseAwarePosterior:
    return infer(event, noisy, np.ones(event.m))


def marginals(event: SimplexGeometric, noisy: NoisyCounts) -> tuple[BetaMixture, ...]:
    return posterior_of(event, noisy).shares()


def all_intervals(event: SimplexGeometric, noisy: NoisyCounts) -> NDArray[np.float64]:
    return quantiles(marginals(event, noisy), ENDS)


def joint_draws(event: SimplexGeometric, noisy: NoisyCounts) -> NDArray[np.float64]:
    return posterior_of(event, noisy).draws(DRAWS, seed=1)


def hypothesis(event: SimplexGeometric, noisy: NoisyCounts) -> float:
    return posterior_of(event, noisy).greater(0, 1).value


def compare(table: Table, what: str, baseline: Callable[[], object], this: Callable[[], object], rounds: int) -> None:
    taken = in_turns({"baseline": baseline, "this": this}, rounds)
    table.add(what, taken["baseline"], taken["this"], "ms")


def show_marginals(rounds: int) -> Table:
    table = Table("the same marginals by numpy.fft")
    for m, n, epsilon in MARGINALS:
        event, noisy = released(m, n, epsilon)
        exact = marginals_by_numpy_fft(noisy.noisy, n, float(event.epsilon))
        compare(
            table,
            f"marginals, m = {m}, n = {n}, ε = {epsilon}",
            partial(marginals_by_numpy_fft, noisy.noisy, n, float(event.epsilon)),
            partial(marginals, event, noisy),
            rounds,
        )
        worst = max(
            float(np.abs(exact[i, share.low : share.low + share.probabilities.size] - share.probabilities).max())
            for i, share in enumerate(posterior_of(event, noisy).shares())
        )
        print(f"    largest difference of a probability: {worst:.1e}")
    return table


def show_posteriors(rounds: int) -> list[Table]:
    marginal, joint = Table("SciPy's Beta intervals at the noisy counts"), Table(f"{DRAWS} Dirichlet draws by NumPy")
    for m, n, epsilon in POSTERIORS:
        event, noisy = released(m, n, epsilon)
        compare(
            marginal,
            f"posterior and all intervals, m = {m}, n = {n}, ε = {epsilon}",
            partial(naive_intervals, noisy),
            partial(all_intervals, event, noisy),
            rounds,
        )
    for m, n, epsilon in JOINT:
        event, noisy = released(m, n, epsilon)
        size = f"m = {m}, n = {n}, ε = {epsilon}"
        compare(
            joint,
            f"posterior and {DRAWS} joint draws, {size}",
            partial(naive_draws, noisy),
            partial(joint_draws, event, noisy),
            rounds,
        )
        compare(
            joint,
            f"posterior and the probability that one share is greater, {size}",
            partial(naive_hypothesis, noisy),
            partial(hypothesis, event, noisy),
            rounds,
        )
    return [marginal, joint]


def show_noise(rounds: int) -> list[Table]:
    by_opendp, by_numpy = Table("OpenDP's discrete Laplace noise on a vector"), Table("draws of floats by NumPy")
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    entropy, rng = SystemEntropy(), np.random.default_rng(1)
    for m, epsilon in NOISE:
        event = SimplexGeometric(10**6, m, Epsilon.parse(epsilon))
        works = {
            "OpenDP": partial(dp.m.make_laplace(*space, scale=2 / float(event.epsilon)), [100] * m),
            "NumPy": partial(draw_by_numpy_random, m, float(event.epsilon), rng),
            "this": partial(simplex_noise, event, entropy),
        }
        taken = in_turns(works, rounds, times=max(20, 5_000 // m))
        for table, baseline in ((by_opendp, "OpenDP"), (by_numpy, "NumPy")):
            table.add(f"noise that keeps the sum, m = {m}, ε = {epsilon}", taken[baseline], taken["this"], "ms")
    return [by_opendp, by_numpy]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    for table in (show_marginals(rounds), *show_posteriors(rounds), *show_noise(rounds)):
        table.show()


if __name__ == "__main__":
    main()
