"""Searches pairs of tables for those whose draws take the most different times.

    python -m benchmarks.draw_pairs [--seconds 300] [--rounds 40] [--most-categories 40]

A pair is two tables of one size, under one mechanism, prior and ε: neighbours that differ at a small cell, or all
records in one category against an even spread. The draws of both are timed in turn, in processor time, each with random
bits of its own; the difference and the ratio of the medians have confidence intervals of 95 % by a bootstrap of the
rounds. The search looks at every pair in a few rounds, and keeps the most different ones for more rounds, which are
timed again: so the largest of many differences by chance alone does not stand for a real one. Most different are the
pairs whose difference has an interval farthest from 0, in seconds, then those whose difference is largest: an observer
of answers sees seconds and not ratios. The six that are left are printed.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.exponential.calibration import calibrate_global, calibrate_proven, calibrate_published
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho
from core.private import Private
from core.samplers.entropy import SystemEntropy

LOSS = PrivacyLoss(Epsilon.parse("1"), Delta(0), None)
DELTA = Delta.parse("1e-6")
SHOWN = 6
KEPT = 24
"""Number of pairs that are measured more often."""
FEW = 9
FEW_RECORDS = (0, 7, 14, 15, None)
RESAMPLED = 2000


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tables whose draws are compared: all that a request would say, and how the tables differ."""

    mechanism: str
    prior: tuple[float, ...]
    epsilon: str
    first: tuple[int, ...]
    second: tuple[int, ...]
    kind: str

    @property
    def n(self) -> int:
        return sum(self.first)

    def event(self) -> Event:
        return _event(self.mechanism, self.n, self.prior, self.epsilon)

    def __str__(self) -> str:
        priors = f"{self.prior[0]:g}" if len(set(self.prior)) == 1 else f"{self.prior[0]:g} … {self.prior[-1]:g}"
        return f"{self.mechanism}, m = {len(self.prior)}, n = {self.n}, prior {priors}, ε = {self.epsilon}, {self.kind}"


@lru_cache(maxsize=4096)
def _event(mechanism: str, n: int, prior: tuple[float, ...], epsilon: str) -> Event:
    m, amount = len(prior), Epsilon.parse(epsilon)
    match mechanism:
        case "simplex_geometric":
            return SimplexGeometric(n, m, amount)
        case "laplace":
            return Laplace(n, m, amount)
        case "gaussian":
            return Gaussian(n, m, Rho.parse(epsilon), DELTA)
        case "exponential_published":
            return calibrate_published(n, prior, amount, DELTA)
        case "exponential_global":
            return calibrate_global(n, prior, amount)
        case _:
            return calibrate_proven(n, prior, amount, DELTA)


def pairs() -> Iterator[Pair]:
    """Every pair that is looked at."""
    sizes = [(2, 20), (2, 20_000), (2, 1_000_000), (3, 20), (3, 20_000), (3, 1_000_000), (10, 1_000_000), (40, 100_000)]
    for (m, n), epsilon in itertools.product(sizes, ("0.0001", "0.1", "10")):
        for name in ("simplex_geometric", "laplace", "gaussian"):
            yield from (pair(name, (1.0,) * m, epsilon, n, few) for few in FEW_RECORDS)
        for alpha in (0.001, 0.5, 1.0, 15.5, 1e3, 1e6, None):
            prior = tuple(np.geomspace(1e6, 1e-3, m).tolist()) if alpha is None else (alpha,) * m
            for name in ("exponential_published", "exponential_global"):
                yield from (pair(name, prior, epsilon, n, few) for few in FEW_RECORDS)
    # The largest difference that there was once, by a calibration that takes seconds.
    yield from (pair("exponential_proven", (15.5, 15.5), "0.0001", 20_000, few) for few in FEW_RECORDS)


def pair(mechanism: str, prior: tuple[float, ...], epsilon: str, n: int, few: int | None) -> Pair:
    """Neighbours with `few` records and one more in the first category, and the other records in the second; or, if
    None, all records in the second category against an even spread.
    """
    m = len(prior)

    def table(few: int) -> tuple[int, ...]:
        return (few, n - few, *(0,) * (m - 2))

    if few is not None:
        return Pair(mechanism, prior, epsilon, table(few), table(few + 1), f"{few} and {few + 1}")
    even = np.full(m, n // m)
    even[0] += n - even.sum()
    return Pair(mechanism, prior, epsilon, table(0), tuple(even.tolist()), "one category and even")


def timed(of: Pair, rounds: int) -> NDArray[np.float64]:
    """Processor seconds of draws of both tables in turn, shape (rounds, 2)."""
    event, entropy = of.event(), SystemEntropy()
    release = mechanism_of(event).release
    tables = [Private(np.array(counts, dtype=np.int64)) for counts in (of.first, of.second)]
    for table in tables:  # what is computed once for an event
        release(table, event, entropy, LOSS)
    found = np.empty((rounds, 2))
    for number in range(rounds):
        for which in (0, 1) if number % 2 else (1, 0):
            start = time.process_time()
            release(tables[which], event, entropy, LOSS)
            found[number, which] = time.process_time() - start
    return found


@dataclass(frozen=True, slots=True)
class Medians:
    """Median times of both tables, with 95 % intervals of their difference and their ratio."""

    first: float
    second: float
    difference: tuple[float, float]
    ratio: tuple[float, float]

    @classmethod
    def of(cls, seconds: NDArray[np.float64]) -> Medians:
        """Return the medians of times of shape (rounds, 2), with intervals by a bootstrap of the rounds."""
        chosen = np.random.default_rng(1).integers(0, len(seconds), (RESAMPLED, len(seconds)))
        first, second = np.median(seconds[chosen], axis=1).T
        intervals = (np.quantile(each, [0.025, 0.975]).tolist() for each in (first - second, first / second))
        return cls(*np.median(seconds, axis=0).tolist(), *(tuple(each) for each in intervals))

    def unlikeness(self) -> tuple[float, float]:
        """Return the distance of the interval of the difference from 0, and that of the difference itself."""
        low, high = self.difference
        return max(low, -high, 0.0), abs(self.first - self.second)


def worst_pairs(every: list[Pair], seconds: float, rounds: int) -> list[tuple[Pair, Medians]]:
    """The most different pairs, and the medians of their last rounds; `seconds` of processor time are for the
    first look at them all, in a random order.
    """
    order = np.random.default_rng(2).permutation(len(every))
    began, looked = time.process_time(), list[tuple[tuple[float, float], Pair]]()
    for number in order.tolist():
        looked.append((Medians.of(timed(every[number], FEW)).unlikeness(), every[number]))
        if time.process_time() - began > seconds:
            break
    print(f"{len(looked)} of {len(every)} pairs in {FEW} rounds, the {KEPT} most different in {rounds}")
    looked.sort(key=lambda each: each[0], reverse=True)
    again = [(each, Medians.of(timed(each, rounds))) for _, each in looked[:KEPT]]
    again.sort(key=lambda each: each[1].unlikeness(), reverse=True)
    # Once more for those that are left: what made them so different may have been chance again.
    return [(each, Medians.of(timed(each, 2 * rounds))) for each, _ in again[:SHOWN]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300, help="of processor time, for the first look")
    parser.add_argument("--rounds", type=int, default=40, help="draws of both tables behind a ratio, and twice that")
    parser.add_argument("--most-categories", type=int, default=40, help="pairs with no more than that")
    arguments = parser.parse_args()
    every = [each for each in pairs() if len(each.prior) <= arguments.most_categories]
    gc.collect()
    gc.freeze()
    for each, found in worst_pairs(every, arguments.seconds, arguments.rounds):
        (least, most), (low, high) = found.difference, found.ratio
        print(
            f"| {each} | {1e3 * found.first:.2f}, {1e3 * found.second:.2f} ms | [{1e3 * least:.3f}, {1e3 * most:.3f}] ms "
            f"| {found.first / found.second:.3f} [{low:.3f}, {high:.3f}] |"
        )


if __name__ == "__main__":
    main()
