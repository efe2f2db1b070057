"""Runs the methods of the article "Exponential mechanism": its lemma and theorem, synthetic data for predicates (Blum,
Ligett, Roth), posterior sampling.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from benchmarks.papers.charts import STYLES, Chart, Curve, plain
from benchmarks.papers.errors import Data, Floats, geometric_releases, laplace_releases
from benchmarks.papers.methods import finite_exponential, synthetic_histogram
from benchmarks.papers.methods.finite_exponential import FiniteExponential
from benchmarks.papers.methods.synthetic_histogram import (
    SyntheticHistogram,
    failure_bound,
    failure_probability,
    halfspaces,
    intervals,
    scores,
)
from benchmarks.papers.report import Part, Picture, Table, number
from core.candidates import candidate_count
from core.cells import CellSet, CrossTable
from core.mechanisms.event import EventError
from core.privacy import Epsilon
from core.samplers.reproducible import Reproducible

RUNS = 20_000


def accuracy() -> Part:
    """The lemma and the theorem, at the mechanism that names the most frequent of twenty categories."""
    counts = np.round(400.0 / np.sqrt(np.arange(1.0, 21.0)))
    event = FiniteExponential((1.0,) * 20, 0.05, 1.0, 0.0, float(counts.sum()))
    law = finite_exponential.probabilities(counts, event)
    optimum, mean = float(counts.max()), float(law @ counts)
    rows = []
    for t in (20.0, 40.0, 60.0, 90.0, 120.0):
        exact = float(law[counts <= optimum - 2 * t].sum())
        try:
            theorem = number(finite_exponential.expected_score_bound(counts, event, t))
        except EventError:
            theorem = "t too small"
        rows.append([f"{t:g}", number(exact), number(finite_exponential.tail_bound(counts, event, t)), theorem])
    true = (
        f"Both hold, and are loose. For the mechanism that reports the most frequent of 20 categories (score: its count, Δ = 1, rate λ = 0.05, so 0.1-DP), E[q] "
        f"is {number(mean)} of an optimum of {optimum:g}. The theorem's last step "
        "multiplies 1 − t/OPT with OPT − 2t and takes every other answer to score at least 0: it needs q ≥ 0 and OPT > 0. The papers' own score −H is negative "
        "with OPT = 0, where the condition t ≥ ln(OPT/(tμ(S_t)))/ε is undefined."
    )
    return Part(
        "Accuracy: the lemma and the theorem",
        "p(q ≤ OPT − 2t) ≤ exp(−εt)/μ(S_t), and E[q] ≥ OPT − 3t for t ≥ ln(OPT/(tμ(S_t)))/ε.",
        true,
        [Table(["t", "P(q ≤ OPT − 2t)", "lemma's bound", "E[q] ≥ (theorem)"], rows)],
    )


def geometric_failure(
    counts: tuple[int, ...], predicates: tuple[CellSet, ...], epsilon: float, alphas: Floats
) -> Floats:
    """P(some share of the noisy counts is off by more than α) under simplex geometric noise, from `RUNS` draws."""
    rng, m = np.random.default_rng(7), len(counts)
    q, kept = math.exp(-epsilon / 2), list[NDArray[np.int64]]()
    while sum(each.shape[0] for each in kept) < RUNS:
        free = rng.geometric(1 - q, (RUNS, m - 1)) - rng.geometric(1 - q, (RUNS, m - 1))
        last = -free.sum(axis=1)
        kept.append(np.column_stack([free, last])[rng.random(RUNS) < q ** np.abs(last)])
    noise = np.concatenate(kept)[:RUNS]
    membership = np.array([[cell in predicate for cell in range(m)] for predicate in predicates]).T
    worst = np.abs(noise @ membership).max(axis=1) / sum(counts)
    return np.array([float((worst > alpha).mean()) for alpha in alphas])


def reached(alphas: Floats, failures: Sequence[float], level: float) -> float:
    """The smallest α at which failure has at most this probability; infinite where none has."""
    return next((float(a) for a, failure in zip(alphas, failures, strict=True) if failure <= level), math.inf)


def synthetic() -> Part:
    """Blum, Ligett and Roth: the exact usefulness of a synthetic histogram beside the article's bound."""
    counts, epsilon = (90, 60, 30, 12, 6, 2), Epsilon.parse("1")
    alphas = np.linspace(0.01, 0.3, 59)
    curves, rows, loose = [], [], []
    for place, k in enumerate((5, 10, 20)):
        event = SyntheticHistogram(200, 6, k, intervals(6), epsilon)
        best = float(-scores(event, np.array(counts)).max())
        exact = [failure_probability(event, np.array(counts), float(alpha)) for alpha in alphas]
        bound = [failure_bound(event, float(alpha), min(best, float(alpha))) for alpha in alphas]
        curves.append(Curve(plain(f"k = {k}, exact", place), list(zip(alphas.tolist(), exact, strict=True))))
        curves.append(
            Curve(plain(f"k = {k}, bound", place + 4), list(zip(alphas.tolist(), bound, strict=True)), marked=False)
        )
        loose.append(reached(alphas, bound, 0.05) / reached(alphas, exact, 0.05))
        article = 4.0 / (1.0 * 0.2) * (math.log(candidate_count(k, 6)) + math.log(1 / 0.05))
        rows.append(
            [
                str(k),
                f"{candidate_count(k, 6)}",
                number(best, 3),
                f"{reached(alphas, exact, 0.05):.2f}",
                f"{reached(alphas, bound, 0.05):.2f}",
                f"{math.ceil(article)}",
            ]
        )
    noise = geometric_failure(counts, intervals(6), 1.0, alphas)
    curves.append(Curve(STYLES["geometric"], list(zip(alphas.tolist(), noise.tolist(), strict=True))))
    chart = Chart(
        "Synthetic histograms for all intervals of six cells",
        "P(some interval's share is off by more than α) at counts (90, 60, 30, 12, 6, 2), ε = 1; geometric noise from 20 000 draws, standard error at most 0.0035",
        "α (share of records)",
        "probability δ of failure",
        curves,
    )
    table = CrossTable((3, 3))
    halves = SyntheticHistogram(200, 9, 5, halfspaces(table), epsilon)
    grid = np.array([40, 30, 10, 30, 25, 15, 10, 15, 25])
    lists = SyntheticHistogram(200, 6, 10, (frozenset({0, 5}), frozenset({1, 2}), frozenset({3})), epsilon)
    others = (
        f"For the {len(halves.predicates)} halfspaces over a 3 × 3 grid at k = 5 the failure probability at α = 0.2 is "
        f"{number(failure_probability(halves, grid, 0.2), 3)}; for a list of three predicates at k = 10, α = 0.1, "
        f"{number(failure_probability(lists, np.array(counts), 0.1), 3)}."
    )
    of_noise = reached(alphas, noise.tolist(), 0.05)
    true = (
        f"It does what the theorem says; in α the bound is {min(loose):.1f} to {max(loose):.1f} times what the exact distribution needs (δ = 0.05). With simplex "
        f"geometric noise on the same counts at the same ε, all interval queries have an error of at most {of_noise:.2f} "
        f"with probability 0.95. {others}"
    )
    header = [
        "k",
        "candidates",
        "best α possible",
        "α at δ = 0.05, exact",
        "by the bound",
        "n by the article for α = 0.2",
    ]
    return Part(
        "Synthetic data for predicates (Blum, Ligett and Roth)",
        "Weights exp(εnq/2), q = −max_h |Q_h(D) − Q_h(D̂)|, give an (α, δ)-useful synthetic data set once n is at least (4/εα)(km + ln 1/δ).",
        true,
        [Table(header, rows)],
        [Picture("article-synthetic", chart.svg(), chart.title)],
    )


def vc_dimension(predicates: Sequence[CellSet], m: int) -> int:
    """The largest number of cells of which the predicates pick every subset."""
    for size in range(1, m + 1):
        if not any(
            len({frozenset(cells) & predicate for predicate in predicates}) == 2**size
            for cells in combinations(range(m), size)
        ):
            return size - 1
    return m


def uniform_convergence_size(dimension: int, alpha: float) -> int:
    """Return the smallest k such that 2 (ek/d)^d e^{−α²k/8} < 1 at k and above: a set of k records exists on which all shares
    are within α/2, by the article's lemma.
    """

    def log_bound(k: float) -> float:
        return math.log(2) + dimension * math.log(math.e * k / dimension) - alpha**2 * k / 8

    peak = 8 * dimension / alpha**2
    return math.ceil(float(optimize.brentq(log_bound, peak, 100 * peak)))


def enough(event: SyntheticHistogram, counts: NDArray[np.int64], alpha: float) -> int:
    """The smallest k at which some candidate has all shares within α/2 of these counts."""
    k = 1
    while float(-scores(replace(event, k=k), counts).max()) > 0.5 * alpha:
        k += 1
    return k


def sizes() -> Part:
    """Return the article's sizes, by the VC dimension of the class, beside those that the made-up counts of `synthetic`
    need.
    """
    six, nine = np.array([90, 60, 30, 12, 6, 2]), np.array([40, 30, 10, 30, 25, 15, 10, 15, 25])
    classes = [
        ("intervals of 6 cells", intervals(6), six),
        ("halfspaces over a 3 × 3 grid", halfspaces(CrossTable((3, 3))), nine),
        ("three disjoint sets of cells", (frozenset({0, 5}), frozenset({1, 2}), frozenset({3})), six),
    ]
    rows = []
    for name, predicates, counts in classes:
        m, n = len(counts), int(counts.sum())
        dimension, bits = vc_dimension(predicates, m), math.ceil(math.log2(m))
        for alpha in (0.2, 0.4):
            by_lemma = uniform_convergence_size(dimension, alpha)
            needed = enough(SyntheticHistogram(n, m, 1, predicates, Epsilon.parse("1")), counts, alpha)
            records = [
                math.ceil(4.0 / alpha * (size + math.log(1 / 0.05)))
                for size in (bits * by_lemma, bits * needed, math.log(candidate_count(needed, m)))
            ]
            cells = [f"{each:,}".replace(",", " ") for each in (by_lemma, needed, *records)]
            rows.append([name, str(dimension), f"{alpha:g}", *cells])
    true = (
        "The counts above need only a few records, as trying every "
        "candidate shows. The article counts 2^(km) outputs, "
        "k bits for each of m records in order; only their histogram matters, and ln C(m + cells − 1, cells − 1) takes the place of km. The first column of n "
        "is for the lemma's size, the second for the sufficient size, and the third counts histograms (ε = 1, δ = 0.05)."
    )
    header = [
        "class",
        "VC dimension",
        "α",
        "synthetic records by the lemma",
        "enough here",
        "n by the article",
        "n, enough",
        "n, histograms",
    ]
    return Part(
        "VC dimension and sizes",
        "A synthetic data set of Õ(VCDim(H)/α²) records suffices, whatever the size of the data; n has to grow as k·VCDim(H) ln(1/α)/(α³ε) + ln(1/δ)/(αε).",
        true,
        [Table(header, rows)],
    )


def synthetic_times() -> Part:
    """Draws at about 10³, 10⁵ and 10⁶ candidates."""
    rows = []
    for m, k in ((4, 16), (6, 22), (6, 38)):
        event = SyntheticHistogram(200, m, k, intervals(m), Epsilon.parse("1"))
        counts = np.array([200 // m + (cell < 200 % m) for cell in range(m)])
        start = time.process_time()
        synthetic_histogram.draw(counts, event, Reproducible(1).entropy())
        rows.append(
            [str(m), str(k), f"{candidate_count(k, m):,}".replace(",", " "), f"{time.process_time() - start:.2f} s"]
        )
    return Part(
        "Time of a synthetic histogram",
        "",
        "Processor time of one draw, scores and integer weights included, for all intervals; it is linear in the candidates.",
        [Table(["cells", "k", "candidates", "one draw"], rows)],
    )


# Posterior sampling.


def log_truncated_masses(prior: tuple[float, float], n: int, tau: float) -> Floats:
    """ln ∫_τ^{1−τ} θ^{a−1} (1 − θ)^{b−1} dθ at every histogram (k, n − k), shape (n + 1,): by Gauss-Legendre, as
    differences of incomplete betas vanish far from it.
    """
    theta, weights = _nodes(tau)
    k = np.arange(n + 1)[:, None]
    logs = (prior[0] + k - 1) * np.log(theta) + (prior[1] + n - k - 1) * np.log1p(-theta) + np.log(weights)
    return np.asarray(np.logaddexp.reduce(logs, axis=1))


_GAUSS_LEGENDRE = np.polynomial.legendre.leggauss(200)


def _nodes(tau: float) -> tuple[Floats, Floats]:
    grid, weights = _GAUSS_LEGENDRE
    return 0.5 + (0.5 - tau) * grid, (0.5 - tau) * weights


def sampling_loss(prior: tuple[float, float], n: int, tau: float) -> float:
    """The exact worst loss of one draw from the posterior truncated to [τ, 1 − τ], m = 2: ±ln(θ/(1 − θ)) at an end,
    and the ratio of two normalisers.
    """
    return math.log((1 - tau) / tau) + float(np.abs(np.diff(log_truncated_masses(prior, n, tau))).max())


def sampling_threshold(prior: tuple[float, float], n: int, epsilon: float) -> float:
    """The smallest τ with an exact loss of at most ε, to 1e−7."""
    return float(optimize.brentq(lambda tau: sampling_loss(prior, n, tau) - epsilon, 1e-6, 0.5 - 1e-9, xtol=1e-7))


def sampling_error(prior: tuple[float, float], counts: tuple[int, int], tau: float) -> float:
    """E|θ − posterior mean| of the draw."""
    a, b = prior[0] + counts[0], prior[1] + counts[1]
    theta, weights = _nodes(tau)
    logs = (a - 1) * np.log(theta) + (b - 1) * np.log1p(-theta)
    density = weights * np.exp(logs - logs.max())
    return float(density @ np.abs(theta - a / (a + b)) / density.sum())


def mean_shift(data: Data, first: NDArray[np.int64], weights: Floats) -> float:
    """E|released posterior mean − true posterior mean| of the first share."""
    return float(weights @ np.abs(first - data.counts[0]) / weights.sum()) / (sum(data.prior) + data.n)


def sampling() -> Part:
    """Posterior sampling beside the error that a released posterior's mean has."""
    rows, wins = [], []
    for epsilon in (0.8, 2.0, 5.0):
        for counts in ((5, 5), (1, 9), (50, 50), (10, 90), (200, 200), (40, 360)):
            n = sum(counts)
            tau = sampling_threshold((1.0, 1.0), n, epsilon)
            data = Data((1.0, 1.0), counts, epsilon, 5e-4)
            drawn = sampling_error((1.0, 1.0), counts, tau)
            spread = sampling_error((1.0, 1.0), counts, 1e-6)
            others = {
                "laplace": mean_shift(data, *laplace_releases(data, 2.0 / epsilon)),
                "geometric": mean_shift(data, *geometric_releases(data)),
            }
            rows.append(
                [
                    f"{epsilon:g}",
                    str(counts),
                    number(tau, 3),
                    number(drawn, 3),
                    *(number(value, 3) for value in others.values()),
                    number(spread, 3),
                ]
            )
            if drawn < others["geometric"]:
                wins.append(f"{counts} at ε = {epsilon:g}")
    bound = 2 * math.log((1 - 0.4) / 0.4)
    exact = {n: sampling_loss((1.0, 1.0), n, 0.4) for n in (10, 100, 400)}
    chart_curves = [
        Curve(
            plain(f"n = {n}, exact", place),
            [(tau, sampling_loss((1.0, 1.0), n, tau)) for tau in np.linspace(0.02, 0.48, 24).tolist()],
        )
        for place, n in enumerate((10, 100, 400))
    ]
    chart_curves.append(
        Curve(
            plain("bound 2 ln((1 − τ)/τ)", 3),
            [(tau, 2 * math.log((1 - tau) / tau)) for tau in np.linspace(0.02, 0.48, 24).tolist()],
        )
    )
    chart = Chart(
        "One draw from a truncated posterior: its privacy loss",
        "worst loss over all neighbours of θ drawn from the posterior truncated to [τ, 1 − τ], two categories, flat prior",
        "truncation τ",
        "privacy loss (nats)",
        chart_curves,
    )
    true = (
        f"One θ from the posterior truncated to θ_i ≥ τ is the exponential mechanism with score Σ c_i ln θ_i, sensitivity ln((1 − (m−1)τ)/τ), and the prior as "
        f"base measure, and its loss is at most twice that sensitivity. At two categories the exact loss is "
        f"nearly that (τ = 0.4: {number(exact[10])}, {number(exact[100])}, {number(exact[400])} at n = 10, 100, 400, bound {number(bound)}). So a small ε "
        f"restricts the draw to a narrow interval around even shares, for all data. "
        f"It has the smaller error only if the interval happens to contain the truth and n is small: "
        f"{', '.join(wins) if wins else 'nowhere in the table'}. The API does not offer it."
    )
    header = ["ε", "counts", "τ", "posterior sampling", "Laplace 2/ε", "simplex geometric", "sampling without privacy"]
    return Part(
        "Posterior sampling",
        "Posterior sampling, which returns parameters, can be made equivalent to the exponential mechanism. Sampling from the posterior is already private "
        "under conditions (the abstract, of Dimitrakakis et al. and Wang et al.).",
        true,
        [Table(header, rows)],
        [Picture("article-sampling", chart.svg(), chart.title)],
    )


def parts() -> Iterator[Callable[[], Part]]:
    yield from (accuracy, synthetic, sizes, synthetic_times, sampling)
