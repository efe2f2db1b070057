"""Compares the engine with enumeration: one draw of the Hellinger mechanism, its normalisers, and how their cost grows,
in one run.

    python -m benchmarks.engine [--repeats 5]

The baseline is enumeration as the literature does it: lnΓ at every candidate, normalised weights, one draw. Beside it
stands this project's own enumeration, which is used for small spaces. Histograms are made up (shares from a Dirichlet law, fixed seed). Where a draw is compared with enumeration
or its growth is fitted, κ = ε0 / (2 Δ(c)) is taken as known. Each time is processor time, the median of the repeats,
everything rebuilt in each; peak memory is that of the process so far.
"""

from __future__ import annotations

import argparse
import math
import resource
import time
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from benchmarks._clock import median_seconds
from core.candidates import candidate, candidate_count, log_affinities
from core.count_simplex import Window, condition_on_total
from core.count_simplex.batch import draw_many
from core.mechanisms.exponential.calibration import calibrate_published
from core.mechanisms.exponential.mechanism import Exponential, certify, rate_at, release
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.exponential.sampler import HellingerSampler
from core.mechanisms.exponential.sensitivity import local_sensitivity
from core.mechanisms.exponential.stable_distribution import tail_sums
from core.privacy import Delta, Epsilon
from core.private import Private
from core.samplers.entropy import SystemEntropy
from core.samplers.reproducible import Reproducible
from core.samplers.uniform import in_proportion

SIZES = [(3, 2_000), (3, 20_000), (10, 100_000), (50, 1_000_000), (100, 1_000_000), (1_000, 10_000_000)]
NORMALISERS = np.unique(np.geomspace(1.0, 1e6, 48).round())


def made_up_counts(m: int, n: int) -> NDArray[np.int64]:
    rng = np.random.default_rng([m, n])
    return rng.multinomial(n, rng.dirichlet(np.full(m, 3.0)))


def rate(counts: NDArray[np.int64], epsilon: float) -> float:
    return epsilon / (2.0 * local_sensitivity(np.ones(counts.size), counts))


def enumerate_with_log_gamma(counts: NDArray[np.int64], kappa: float) -> NDArray[np.int64]:
    """Every candidate, its Hellinger distance from lnΓ, normalised weights, one draw; three categories."""
    n, alpha = int(counts.sum()), np.ones(3)
    every = np.concatenate(
        [
            np.stack([np.full(n - i + 1, i), np.arange(n - i + 1), np.arange(n - i, -1, -1)], axis=1)
            for i in range(n + 1)
        ]
    )
    log_affinity = (
        gammaln(alpha + (counts + every) / 2) - gammaln(alpha + counts) / 2 - gammaln(alpha + every) / 2
    ).sum(axis=1)
    weights = np.exp(-kappa * np.sqrt(np.maximum(0.0, -np.expm1(log_affinity))))
    drawn: NDArray[np.int64] = every[np.random.default_rng().choice(len(every), p=weights / weights.sum())]
    return drawn


def enumerate_with_shared_terms(counts: NDArray[np.int64], kappa: float) -> tuple[int, ...]:
    """The careful terms, and an exact draw."""
    weights = np.exp(-kappa * np.sqrt(-np.expm1(log_affinities((1.0,) * counts.size, counts))))
    return candidate(in_proportion(weights, SystemEntropy()), int(counts.sum()), counts.size)


def draw(counts: NDArray[np.int64], kappa: float) -> NDArray[np.int64]:
    return np.array(HellingerSampler(np.ones(counts.size), counts, kappa).draws(1, SystemEntropy())[0])


def normalisers(counts: NDArray[np.int64]) -> list[float]:
    mixture = HellingerMixture(np.ones(counts.size), counts)
    return [mixture.log_component(float(k)) for k in NORMALISERS]


def noise_aware(m: int, n: int) -> list[Window]:
    """Weights of counts under a flat prior and two-sided geometric noise of scale 2/ε, ε = 0.8: flat, times e^{−0.4
    |y − c|}.
    """
    reach = 180
    windows = []
    for count in made_up_counts(m, n).tolist():
        c = np.arange(max(0, count - reach), count + reach + 1)
        windows.append(Window(int(c[0]), -0.4 * np.abs(c - count)))
    return windows


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Slope of ln(seconds) against ln(size), by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def against_enumeration(repeats: int) -> None:
    counts = made_up_counts(3, 2_000)
    kappa = rate(counts, 0.8)
    baseline = median_seconds(partial(enumerate_with_log_gamma, counts, kappa), max(3, repeats // 2))
    print("One draw at m = 3, n = 2 000 (2 003 001 candidates), κ known")
    print(f"  {'':44}{'ms':>10}{'baseline / this':>18}")
    rows = [
        ("enumeration, lnΓ of every candidate (baseline)", baseline),
        (
            "enumeration, shared terms, exact choice",
            median_seconds(partial(enumerate_with_shared_terms, counts, kappa), repeats),
        ),
        ("engine", median_seconds(partial(draw, counts, kappa), 4 * repeats)),
    ]
    for name, seconds in rows:
        print(f"  {name:48}{1e3 * seconds:8.1f}{baseline / seconds:14.1f}")
    print()


def at_each_size(repeats: int) -> None:
    print("What a release draws, sensitivity and all, at each size, published calibration, δ = 1e-8, flat prior;")
    print("baseline: one pass of exp over as many numbers as there are records. Shares of the mixture: the uniform")
    print("candidate, the product laws, the counts themselves.")
    print(
        f"  {'m':>5}{'n':>10}{'ln|R|':>9}{'ε0':>5}{'κ':>9}{'uniform':>9}{'product':>9}{'itself':>9}"
        f"{'ms of cpu':>11}{'ms':>9}{'x baseline':>12}{'peak MB':>9}"
    )
    for m, n in SIZES:
        counts = made_up_counts(m, n)
        baseline = median_seconds(partial(np.exp, np.linspace(-1.0, 0.0, n)), 5 * repeats)
        for epsilon in ("0.8", "8", "50"):
            event = calibrate_published(n, (1.0,) * m, Epsilon.parse(epsilon), Delta.parse("1e-8"))
            kappa, shares = rate_at(event, counts), component_shares(event, counts)
            loss = certify(event).loss
            work = partial(release, Private(counts), event, SystemEntropy(), loss=loss)
            seconds, wall = median_seconds(work, repeats), median_seconds(work, repeats, clock=time.perf_counter)
            columns = "".join(f"{share:9.3f}" for share in shares)
            print(
                f"  {m:5}{n:10}{math.log(candidate_count(n, m)):9.1f}{epsilon:>5}{kappa:9.1f}{columns}"
                f"{1e3 * seconds:11.1f}{1e3 * wall:9.1f}{seconds / baseline:12.1f}{peak_megabytes():9.0f}",
                flush=True,
            )
    print()


def component_shares(event: Exponential, counts: NDArray[np.int64]) -> tuple[float, float, float]:
    """Return the shares of the uniform component, the product laws and the counts themselves in the mixture."""
    kappa = rate_at(event, counts)
    mixture = HellingerMixture(event.prior, counts)
    admixture = -math.inf if event.uniform_admixture is None else -event.uniform_admixture
    log_candidates = mixture.log_component(0.0)
    log_total = float(np.logaddexp(mixture.log_normaliser(kappa), admixture + log_candidates))
    uniform = math.exp(float(np.logaddexp(-kappa, admixture)) + log_candidates - log_total)
    itself = tail_sums(kappa, mixture.certain_from())[0] * math.exp(-log_total)
    return uniform, max(0.0, 1.0 - uniform - itself), itself


def growth(repeats: int) -> None:
    by_n, by_m = [10_000, 31_623, 100_000, 316_228, 1_000_000], [10, 18, 32, 56, 100]
    print(
        "Growth of the cost, fitted to five sizes each: seconds ~ size^exponent; the baseline, enumeration, has m − 1 in n"
    )
    print(f"  {'':30}{'draw, ε0 = 0.8':>16}{'draw, ε0 = 8':>16}{'48 ln Z_k':>12}{'aim':>8}")
    for name, sizes, aim in [
        ("in n at m = 10, 10⁴ to 10⁶", [(10, n) for n in by_n], 0.7),
        ("in m at n = 10⁵, 10 to 100", [(m, 100_000) for m in by_m], 1.3),
    ]:
        grown = by_n if sizes[0][0] == sizes[1][0] else by_m
        histograms = [made_up_counts(m, n) for m, n in sizes]
        draws = {
            epsilon: [
                median_seconds(partial(draw, counts, rate(counts, epsilon)), 3 * repeats) for counts in histograms
            ]
            for epsilon in (0.8, 8.0)
        }
        tables = [median_seconds(partial(normalisers, counts), repeats) for counts in histograms]
        fitted = [exponent(grown, seconds) for seconds in (draws[0.8], draws[8.0], tables)]
        print(f"  {name:30}{fitted[0]:16.2f}{fitted[1]:16.2f}{fitted[2]:12.2f}{'<= ' + str(aim):>8}")
    print()


def posterior_of_counts(repeats: int) -> None:
    print(
        "Noise-aware posterior of the counts (flat prior, geometric noise): baseline, one naive numpy chain of convolutions for ln Z alone"
    )
    print(
        f"  {'m':>5}{'n':>10}{'baseline ms':>13}{'ln Z ms':>10}{'marginals ms':>14}{'draw ms':>9}{'baseline / ln Z':>17}"
    )
    for m, n in [(100, 100_000), (1_000, 1_000_000)]:
        windows = noise_aware(m, n)
        law = condition_on_total(windows, n)
        whole = median_seconds(partial(condition_on_total, windows, n), repeats)
        marginals = median_seconds(law.marginals, repeats)
        drawn = median_seconds(partial(draw_many, law, 1, Reproducible(1)), repeats)
        chain = median_seconds(partial(_chain, windows), 1)
        print(
            f"  {m:5}{n:10}{1e3 * chain:13.0f}{1e3 * whole:10.1f}{1e3 * marginals:14.1f}{1e3 * drawn:9.1f}{chain / whole:17.1f}"
        )


def _chain(windows: list[Window]) -> float:
    total = np.ones(1)
    for window in windows:
        total = np.convolve(total, np.exp(window.log_weights))
        total /= total.sum()
    return float(total.max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="runs behind each median")
    repeats = parser.parse_args().repeats
    draw(made_up_counts(3, 100), 2.0)
    at_each_size(repeats)
    against_enumeration(repeats)
    growth(repeats)
    posterior_of_counts(repeats)


if __name__ == "__main__":
    main()
