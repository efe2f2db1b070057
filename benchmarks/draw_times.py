"""Times the draws at the slowest histograms against the spacing of the time grid, which has to cover them.

    python -m benchmarks.draw_times [--seconds 150]

Each row is the largest processor time over made-up extreme histograms, values of ε and calibrations, certificates
aside, in a random order and as often as fits into its share of the time, rare draws of the exponential mechanism among
them; the ratio says how many of the slowest draws fit before the first tick, at the default least spacing of 50 ms.
Which laws the exponential mechanism computes depends on ε, and the slowest ones come at values that nobody names, so
that many are tried.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import math
import random
import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.exponential import calibration
from core.mechanisms.exponential.mechanism import Exponential, arithmetic, rate_at
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho
from core.private import Private
from core.samplers.entropy import SeededEntropy
from service.channels.mechanisms import draw
from service.releases.time_grid import spacing_seconds
from tests.core.histograms import by_shares

SIZES = [
    (2, 100_000),
    (3, 10_000),
    (3, 10_000_000),
    (10, 100_000),
    (10, 10_000_000),
    (50, 1_000_000),
    (100, 1_000_000),
    (200, 1_000),
    (200, 100_000),
    (450, 100_000),
    (1_000, 1_000),
    (1_000, 10_000),
    (1_000, 100_000),
    (1_000, 1_000_000),
    (1_000, 10_000_000),
]
PRIORS = ["1", "1000", "1e6", "falling"]
CATEGORIES = [2, 100, 1_000, 10_000]
EPSILONS = [Epsilon.parse(text) for text in ("0.0001", "0.1", "1")]
EPSILONS_OF_CHOICE = [Epsilon.parse(f"{each:.9f}") for each in [*np.geomspace(1e-4, 31.6, 23), 50.0]]
MIN_MS = 50
UNLIKELY = math.exp(-10.0)
LOSS = PrivacyLoss(Epsilon.parse("1"), Delta(0), None)
"""What a draw hands on as proven: a certificate takes longer than many draws, and comes before the charge."""


def extremes(n: int, prior: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """All records in one category; evenly spread; half of them in one; each category half of the one before; all as
    many more than the one before; by the prior and its root; and, where there are some, two categories empty, a third
    of them filled.
    """
    m = prior.size
    shares = [np.eye(m)[0], np.full(m, 1 / m), np.full(m, 0.5 / (m - 1)), 0.5 ** np.arange(m), np.arange(1.0, m + 1)]
    shares += [prior, np.sqrt(prior)] if prior.min() < prior.max() else []
    if m > 3:
        shares += [(np.arange(m) > 1).astype(float), (np.arange(m) <= m // 3).astype(float)]
    return by_shares(n, shares)


def prior_of(name: str, m: int) -> tuple[float, ...]:
    """Of m categories: the same in each, or falling from a million to a thousandth."""
    return tuple(np.geomspace(1e6, 1e-3, m).tolist()) if name == "falling" else (float(name),) * m


def worst_seconds(events: list[Event], seconds: float) -> tuple[float, int]:
    """The most processor time that a draw took, and how many there were, at least one."""
    worst, drawn, began = 0.0, 0, time.process_time()
    prior = np.array(getattr(events[0], "prior", np.ones(events[0].m)))
    made_up = extremes(events[0].n, prior)
    cases = [(event, counts) for event in events for counts in made_up]
    random.Random(1).shuffle(cases)
    for event, counts in itertools.cycle(cases):
        if (precompute := mechanism_of(event).precompute) is not None:
            precompute(event)
        start = time.process_time()
        draw(event, Private(counts), LOSS)
        worst, drawn = max(worst, time.process_time() - start), drawn + 1
        if isinstance(event, Exponential):
            worst = max(worst, unlikely_seconds(event, counts))
        if time.process_time() - began > seconds:
            break
    return worst, drawn


def unlikely_seconds(event: Exponential, counts: NDArray[np.int64]) -> float:
    """What the making of the sampler takes, and the law of the smallest k that a draw through the mixture computes with
    a probability of UNLIKELY or more: a draw that one would have to wait for.
    """
    start = time.process_time()
    mixture = HellingerMixture(event.prior, counts, tolerance=arithmetic(event).tolerance)
    admixture = -math.inf if event.uniform_admixture is None else -event.uniform_admixture
    sampler = mixture.sampler(rate_at(event, counts), log_admixture=admixture)
    seconds = time.process_time() - start
    if not (k := sampler.smallest_likely(UNLIKELY)):
        return seconds
    start = time.process_time()
    mixture.component(float(k)).attempt(SeededEntropy(1))
    return seconds + time.process_time() - start


def show(name: str, events: list[Event], seconds: float) -> None:
    (worst, drawn), spacing = worst_seconds(events, seconds), spacing_seconds(events[0], MIN_MS)
    print(
        f"  {name:22}{events[0].m:7}{events[0].n:10}{drawn:8}"
        f"{1e3 * worst:12.1f}{1e3 * spacing:12.0f}{spacing / worst:10.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=150, help="of processor time, about, in all")
    share = parser.parse_args().seconds / (3 * len(CATEGORIES) + len(PRIORS) * len(SIZES))
    # As the service does: what was imported is no garbage, and looking through it would count as a draw's time.
    gc.collect()
    gc.freeze()
    print(f"  {'mechanism':22}{'m':>7}{'n':>10}{'draws':>8}{'slowest ms':>12}{'spacing ms':>12}{'ratio':>10}")
    delta = Delta.parse("1e-6")
    for m in CATEGORIES:
        show("simplex_geometric", [SimplexGeometric(10 * m, m, epsilon) for epsilon in EPSILONS], share)
        show("laplace", [Laplace(10 * m, m, epsilon) for epsilon in EPSILONS], share)
        show(
            "gaussian", [Gaussian(10 * m, m, Rho.parse(rho), delta) for rho in ("0.00000001", "0.00005", "0.5")], share
        )
    for m, n in SIZES:
        for name in PRIORS:
            prior = prior_of(name, m)
            published = [calibration.calibrate_published(n, prior, epsilon, delta) for epsilon in EPSILONS_OF_CHOICE]
            known = [replace(event, gamma=None, calibration="global") for event in published]
            show(f"exponential, α = {name}", [*published, *known], share)


if __name__ == "__main__":
    main()
