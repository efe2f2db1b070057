"""How often intervals of noisy tables contain the truth, beside those that take noisy values as counts."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from core.inference.events import Share, share_distribution
from core.inference.published import Noise, Printed, PublishedCell, Total, infer_table

TABLES: Final = 500
LEVEL: Final = 0.9
MOST: Final = 200
SCALE: Final = 5.0
THRESHOLD: Final = 10
QUANTILE: Final = 1.6449
"""Quantile of the normal distribution for a 90 % interval."""


def naive(values: list[int | None], share: float, count: int, n: int) -> NDArray[np.bool_]:
    """Return whether normal intervals at the values, with suppressed ones as 0 and their sum as the number of records,
    contain the share and the count of the first cell, and the number of records.
    """
    q = math.exp(-1.0 / SCALE)
    deviation = math.sqrt(2.0 * q) / (1.0 - q)
    first, total = float(values[0] or 0), float(sum(value or 0 for value in values))
    guess = min(1.0, max(0.0, first / total)) if total > 0 else 0.5
    half = QUANTILE * math.sqrt(guess * (1.0 - guess) / max(total, 1.0))
    inside = (
        abs(share - guess) <= half,
        abs(count - first) <= QUANTILE * deviation,
        abs(n - total) <= QUANTILE * deviation * math.sqrt(len(values)),
    )
    return np.array(inside)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_intervals_of_suppressed_tables_hold_the_truth_as_often_as_they_say() -> None:
    """500 tables of four cells, geometric noise of scale 5, shown from 10, with shares and total from the prior."""
    rng = np.random.default_rng(11)
    noise, printed = Noise("geometric", SCALE), Printed(shown_from=THRESHOLD)
    held = {name: np.zeros(3) for name in ("known", "unknown", "published", "naive")}
    for _ in range(TABLES):
        prior = rng.choice([0.5, 1.0, 2.0], 4)
        shares, n = rng.dirichlet(prior), int(rng.integers(1, MOST + 1))
        counts = rng.multinomial(n, shares)
        success = 1.0 - math.exp(-1.0 / SCALE)
        drawn = rng.geometric(success, 5) - rng.geometric(success, 5)
        values = [int(each) if each >= THRESHOLD else None for each in counts + drawn[:4]]
        cells = [PublishedCell(value, noise, printed) for value in values]
        totals: dict[str, int | Total] = {
            "known": n,
            "unknown": Total(at_most=MOST),
            "published": Total(MOST, PublishedCell(n + int(drawn[4]), noise)),
        }
        for name, total in totals.items():
            posterior = infer_table([cells], prior, total)
            low, high = share_distribution(posterior, Share(frozenset({0}))).distribution.interval(LEVEL)
            of_count, of_total = posterior.counts.marginals()[0], posterior.counts.totals()
            first, last = of_count.interval(LEVEL)
            least, most = of_total.interval(LEVEL)
            held[name] += np.array([low <= shares[0] <= high, first <= counts[0] <= last, least <= n <= most])
        held["naive"] += naive(values, float(shares[0]), int(counts[0]), n)
    for name, each in held.items():
        print(name, *(f"{part:.3f}" for part in each / TABLES))  # noqa: T201
    allowed = 4.0 * math.sqrt(LEVEL * (1.0 - LEVEL) / TABLES)
    for name in ("known", "unknown", "published"):
        assert abs(held[name][0] / TABLES - LEVEL) < allowed, name
        # Intervals of counts hold more than their level, as counts are whole numbers.
        assert (held[name][1:] / TABLES > LEVEL - allowed).all(), name
    assert held["naive"][0] / TABLES < 0.6


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_intervals_of_counts_rounded_at_random_hold_the_truth_as_often_as_they_say() -> None:
    """500 tables of four cells for each base; the intervals that take the values for rounded to the nearest don't."""
    rng = np.random.default_rng(30)
    allowed = 4.0 * math.sqrt(LEVEL * (1.0 - LEVEL) / TABLES)
    for base in (3, 5, 10):
        held = {"at_random": np.zeros(3), "half_even": np.zeros(3)}
        for _ in range(TABLES):
            prior = rng.choice([0.5, 1.0, 2.0], 4)
            shares, n = rng.dirichlet(prior), int(rng.integers(1, MOST + 1))
            counts = rng.multinomial(n, shares)
            values = base * np.floor(counts / base + rng.random(4))
            for rounding, inside in held.items():
                printed = Printed(base, "at_random" if rounding == "at_random" else "half_even")
                cells = [PublishedCell(float(value), Noise("none"), printed) for value in values]
                posterior = infer_table([cells], prior, Total(at_most=MOST + 4 * base))
                low, high = share_distribution(posterior, Share(frozenset({0}))).distribution.interval(LEVEL)
                first, last = posterior.counts.marginals()[0].interval(LEVEL)
                least, most = posterior.counts.totals().interval(LEVEL)
                inside += [low <= shares[0] <= high, first <= counts[0] <= last, least <= n <= most]
        for rounding, inside in held.items():
            print(base, rounding, *(f"{part:.3f}" for part in inside / TABLES))  # noqa: T201
        assert abs(held["at_random"][0] / TABLES - LEVEL) < allowed, base
        assert (held["at_random"][1:] / TABLES > LEVEL - allowed).all(), base
        assert held["half_even"][1] / TABLES < 0.85, base
