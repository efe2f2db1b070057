"""Times the draws at the slowest histograms against the first tick of their answers, which has to cover them.

    python -m benchmarks.draw_times [--seconds 150] [--only WORD]

Each row is the largest processor time over made-up extreme histograms, values of ε and calibrations, certificates
aside, in a random order and as often as fits into its share of the time. The slowest draws of the exponential mechanism
are then repeated on the same random bits, each beside a calibration loop: the row has the largest of their medians, in
seconds of the machine that estimates are in seconds of. A draw makes several proposals together; the row has
the smallest number that was expected to be kept at any histogram. A draw needs further proposals with a probability of
at most e to the power of minus that number.

The ratio is that of the first tick to the slowest draw, at the default least spacing of 25 ms.
"""

from __future__ import annotations

import argparse
import gc
import heapq
import itertools
import math
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from benchmarks._clock import LOOP_SECONDS, calibrate
from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.exponential import calibration
from core.mechanisms.exponential.mechanism import Exponential, arithmetic, rate_at, release
from core.mechanisms.exponential.sampler import HellingerSampler, tries_together
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho
from core.private import Private
from core.samplers.entropy import SeededEntropy, SystemEntropy
from service.drawing.estimates import estimate_seconds
from service.runtime.response_time import spacing_seconds
from tests.core.histograms import by_shares

SIZES = [
    (2, 100_000),
    (3, 10_000_000),
    (10, 100_000),
    (50, 1_000_000),
    (100, 1_000_000),
    (200, 1_000),
    (1_000, 100_000),
]
PRIORS = ["1", "1000", "1e6", "falling"]
CATEGORIES = [2, 100, 1_000, 10_000]
EPSILONS = [Epsilon.parse(text) for text in ("0.0001", "0.1", "1")]
EPSILONS_OF_CHOICE = [Epsilon.parse(f"{each:.9f}") for each in [*np.geomspace(1e-4, 31.6, 23), 50.0]]
DELTA = Delta.parse("1e-6")
MIN_MS = 25
REPEATED = 4
TIMES = 3
LOSS = PrivacyLoss(Epsilon.parse("1"), Delta(0), None)
"""The certified loss in every order. A true certificate would take longer to compute than many draws."""


def extremes(n: int, prior: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """All records in one category; evenly spread; half of them in one; each category half of the one before; all as
    many more than the one before; by the prior, its root, and what fills the smallest priors up to a level; and, where
    there are some, two categories empty, a third of them filled.
    """
    m = prior.size
    shares = [np.eye(m)[0], np.full(m, 1 / m), np.full(m, 0.5 / (m - 1)), 0.5 ** np.arange(m), np.arange(1.0, m + 1)]
    shares += [prior, np.sqrt(prior), np.maximum(_level(n, prior) - prior, 0.0)] if prior.min() < prior.max() else []
    if m > 3:
        shares += [(np.arange(m) > 1).astype(float), (np.arange(m) <= m // 3).astype(float)]
    return by_shares(n, shares)


def _level(n: int, prior: NDArray[np.float64]) -> float:
    """Return the level up to which n records fill the smallest priors. At this histogram the sensitivity is least."""
    levels = (n + np.cumsum(np.sort(prior))) / np.arange(1, prior.size + 1)
    return float(levels.min())


def prior_of(name: str, m: int) -> tuple[float, ...]:
    """Return a prior of m categories: the same number for each, or falling from a million to a thousandth."""
    return tuple(np.geomspace(1e6, 1e-3, m).tolist()) if name == "falling" else (float(name),) * m


def worst_seconds(events: list[Event], seconds: float) -> tuple[float, int, float]:
    """Return the largest CPU time of a draw, the number of draws (at least one), and the smallest expected number of
    accepted proposals.
    """
    drawn, began, fewest = 0, time.process_time(), math.inf
    prior = np.array(getattr(events[0], "prior", np.ones(events[0].m)))
    made_up = extremes(events[0].n, prior)
    cases = [(event, counts) for event in events for counts in made_up]
    random.Random(1).shuffle(cases)
    found: list[tuple[float, Case]] = []
    for event, counts in itertools.cycle(cases):
        if isinstance(event, Exponential):
            arithmetic(event)
        case = Case(event, counts, seed=drawn)
        found.append((case.seconds(), case))
        if isinstance(event, Exponential) and not is_small(event):
            fewest = min(fewest, expected_to_be_kept(event, counts))
        drawn += 1
        if drawn % len(cases) == 0:
            found = heapq.nlargest(REPEATED, found, key=itemgetter(0))
        if time.process_time() - began > seconds:
            break
    slowest = heapq.nlargest(REPEATED, found, key=itemgetter(0))
    if not isinstance(events[0], Exponential):
        return slowest[0][0], drawn, fewest
    worst, began = 0.0, time.process_time()
    for _, case in slowest:
        worst = max(worst, statistics.median(case.calibrated_seconds() for _ in range(TIMES)))
        if time.process_time() - began > seconds:
            break
    return worst, drawn, fewest


def is_small(event: Exponential) -> bool:
    """Return whether the draw weights all candidates, so that it makes no proposals."""
    return arithmetic(event).method == "enumeration"


def expected_to_be_kept(event: Exponential, counts: NDArray[np.int64]) -> float:
    """Return the mean number of accepted proposals in a batch, estimated from a batch."""
    admixture = -math.inf if event.uniform_admixture is None else -event.uniform_admixture
    sampler = HellingerSampler(event.prior, counts, rate_at(event, counts), log_admixture=admixture)
    entropy = SeededEntropy(1)
    made = [sampler._attempts(tries, entropy)[1] for tries in tries_together(event.m)]  # noqa: SLF001  how draws go
    return float(np.exp(np.concatenate(made)).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A histogram of which an event is drawn, by the exponential mechanism on the random bits of the seed."""

    event: Event
    counts: NDArray[np.int64]
    seed: int

    def seconds(self) -> float:
        """Processor time of one draw."""
        start = time.process_time()
        if not isinstance(self.event, Exponential):
            mechanism_of(self.event).release(Private(self.counts), self.event, SystemEntropy(), LOSS)
            return time.process_time() - start
        release(Private(self.counts), self.event, SeededEntropy(self.seed), loss=LOSS)
        return time.process_time() - start

    def calibrated_seconds(self) -> float:
        """Return the time in seconds of the reference machine."""
        before = calibrate()
        seconds = self.seconds()
        return seconds * LOOP_SECONDS / ((before + calibrate()) / 2.0)


def show(name: str, events: list[Event], seconds: float) -> None:
    worst, drawn, fewest = worst_seconds(events, seconds)
    typical = estimate_seconds(events[0], 1, 0)
    spacing = spacing_seconds(typical, MIN_MS)
    print(
        f"  {name:24}{events[0].m:7}{events[0].n:10}{drawn:8}{1e3 * worst:12.1f}{1e3 * typical:14.1f}"
        f"{1e3 * spacing:12.0f}{spacing / worst:8.1f}{typical / worst:10.2f}{fewest:8.1f}",
        flush=True,
    )


def rows() -> Iterator[tuple[str, int, int, Callable[[], list[Event]]]]:
    """Return rows of mechanism, prior, categories, records, and the function that makes an event of them."""
    for m in CATEGORIES:
        for mechanism in ("simplex_geometric", "laplace", "gaussian"):
            yield mechanism, m, 10 * m, partial(noises, mechanism, m)
    for m, n in SIZES:
        for name in PRIORS:
            yield f"exponential, α = {name}", m, n, partial(choices, n, prior_of(name, m))


def noises(mechanism: str, m: int) -> list[Event]:
    match mechanism:
        case "simplex_geometric":
            return [SimplexGeometric(10 * m, m, epsilon) for epsilon in EPSILONS]
        case "laplace":
            return [Laplace(10 * m, m, epsilon) for epsilon in EPSILONS]
        case _:
            return [Gaussian(10 * m, m, Rho.parse(rho), DELTA) for rho in ("0.00000001", "0.00005", "0.5")]


def choices(n: int, prior: tuple[float, ...]) -> list[Event]:
    """Return the events of the exponential mechanism, with smooth and with global sensitivity."""
    published = [calibration.calibrate_published(n, prior, epsilon, DELTA) for epsilon in EPSILONS_OF_CHOICE]
    return [*published, *(replace(event, gamma=None, calibration="global") for event in published)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=150, help="of processor time, about, in all")
    parser.add_argument(
        "--only", default="", help='rows that begin with this, such as "exponential, α = 1, 1000, 10000"'
    )
    arguments = parser.parse_args()
    # Imported objects are not garbage, and looking through it would count as a draw's time.
    gc.collect()
    gc.freeze()
    print(
        f"  {'mechanism':24}{'m':>7}{'n':>10}{'draws':>8}{'slowest ms':>12}{'estimated ms':>14}{'spacing ms':>12}"
        f"{'ratio':>8}{'estimate':>10}{'kept':>8}"
    )
    share = arguments.seconds / sum(1 for _ in rows())
    for name, m, n, events in rows():
        if f"{name}, {m}, {n}".startswith(arguments.only):
            show(name, events(), share)


if __name__ == "__main__":
    main()
