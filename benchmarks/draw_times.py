"""Times the draws at the slowest histograms against the first tick of their answers, which has to cover them.

    python -m benchmarks.draw_times [--seconds 150] [--only WORD]

Each row is the largest processor time over made-up extreme histograms, values of ε and calibrations, certificates
aside, in a random order and as often as fits into its share of the time, rare draws of the exponential mechanism among
them. Which laws the exponential mechanism computes depends on ε, and the slowest ones come at values that nobody names,
so that many are tried. Its slowest draws are then repeated on the same random bits, each beside a calibration loop: the
row has the largest of their medians, in seconds of the machine that estimates are in seconds of, since a busy one is
slower by half, and by more for a moment.

The ratio says how many of the slowest draws fit before the first tick, at the default least spacing of 50 ms. It is
the product of three: what is estimated, the reading and checking of an order included, over the slowest draw; the margin of three; and what
rounding up to 50 ms times a power of two adds. Where that is 50 ms itself, the ratio tells of this floor alone.
"""

from __future__ import annotations

import argparse
import gc
import heapq
import itertools
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
from core.mechanisms.exponential.mechanism import Exponential, arithmetic, release
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho
from core.private import Private
from core.samplers.entropy import SeededEntropy, SystemEntropy
from service.drawing.estimates import estimate_seconds
from service.releases.response_time import MARGIN, spacing_seconds
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
DELTA = Delta.parse("1e-6")
MIN_MS = 50
REPEATED = 8
TIMES = 3
LOSS = PrivacyLoss(Epsilon.parse("1"), Delta(0), None)
"""What a draw hands on as proven: a certificate takes longer than many draws, and comes before the charge."""


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
    """Up to which n records fill the smallest priors: at this histogram the sensitivity is least."""
    levels = (n + np.cumsum(np.sort(prior))) / np.arange(1, prior.size + 1)
    return float(levels.min())


def prior_of(name: str, m: int) -> tuple[float, ...]:
    """Of m categories: the same in each, or falling from a million to a thousandth."""
    return tuple(np.geomspace(1e6, 1e-3, m).tolist()) if name == "falling" else (float(name),) * m


def worst_seconds(events: list[Event], seconds: float) -> tuple[float, int]:
    """The most processor time that a draw took, and how many there were, at least one."""
    drawn, began = 0, time.process_time()
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
        drawn += 1
        if drawn % len(cases) == 0:
            found = heapq.nlargest(REPEATED, found, key=itemgetter(0))
        if time.process_time() - began > seconds:
            break
    slowest = heapq.nlargest(REPEATED, found, key=itemgetter(0))
    if not isinstance(events[0], Exponential):
        return slowest[0][0], drawn
    worst, began = 0.0, time.process_time()
    for _, case in slowest:
        worst = max(worst, statistics.median(case.calibrated_seconds() for _ in range(TIMES)))
        if time.process_time() - began > seconds:
            break
    return worst, drawn


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
        """The same on the machine of the estimates."""
        before = calibrate()
        seconds = self.seconds()
        return seconds * LOOP_SECONDS / ((before + calibrate()) / 2.0)


def show(name: str, events: list[Event], seconds: float) -> None:
    worst, drawn = worst_seconds(events, seconds)
    typical = estimate_seconds(events[0], 1, 0)
    spacing = spacing_seconds(typical, MIN_MS)
    rounding = f"{spacing / (MARGIN * typical):.2f}" if 1e3 * spacing > MIN_MS else "floor"
    print(
        f"  {name:24}{events[0].m:7}{events[0].n:10}{drawn:8}{1e3 * worst:12.1f}{1e3 * typical:14.1f}"
        f"{1e3 * spacing:12.0f}{spacing / worst:8.1f}{typical / worst:10.2f}{rounding:>10}",
        flush=True,
    )


def rows() -> Iterator[tuple[str, int, int, Callable[[], list[Event]]]]:
    """The mechanism and its prior, categories, records, and what makes events of them."""
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
    """Of the exponential mechanism, with smooth and with global sensitivity."""
    published = [calibration.calibrate_published(n, prior, epsilon, DELTA) for epsilon in EPSILONS_OF_CHOICE]
    return [*published, *(replace(event, gamma=None, calibration="global") for event in published)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=150, help="of processor time, about, in all")
    parser.add_argument(
        "--only", default="", help='rows that begin with this, such as "exponential, α = 1, 1000, 10000"'
    )
    arguments = parser.parse_args()
    # What was imported is no garbage, and looking through it would count as a draw's time.
    gc.collect()
    gc.freeze()
    print(
        f"  {'mechanism':24}{'m':>7}{'n':>10}{'draws':>8}{'slowest ms':>12}{'estimated ms':>14}{'spacing ms':>12}"
        f"{'ratio':>8}{'estimate':>10}{'rounding':>10}"
    )
    share = arguments.seconds / sum(1 for _ in rows())
    for name, m, n, events in rows():
        if f"{name}, {m}, {n}".startswith(arguments.only):
            show(name, events(), share)


if __name__ == "__main__":
    main()
