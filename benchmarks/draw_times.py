"""Times the draws at the slowest histograms against the spacing of the time grid, which has to cover them.

    python -m benchmarks.draw_times [--draws 3]

Each row is the largest processor time over made-up extreme histograms, values of ε and draws, certificates aside; the
ratio says how many of the slowest draws fit before the first tick, at the default least spacing of 50 ms.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from numpy.typing import NDArray

from core.mechanisms.catalogue import Event, certify
from core.mechanisms.exponential import calibration
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.privacy import Delta, Epsilon, Rho
from core.private import Private
from service.channels.mechanisms import draw
from service.releases.time_grid import spacing_seconds

SIZES = [(2, 32_000), (2, 100_000), (3, 10_000), (10, 100_000), (50, 1_000_000), (100, 1_000_000), (1_000, 1)]
CATEGORIES = [2, 100, 1_000, 10_000]
MIN_MS = 50


def extremes(n: int, m: int) -> list[NDArray[np.int64]]:
    """All records in one category; evenly spread; half of them in one; each category half of the one before."""
    shares = [np.eye(m)[0], np.full(m, 1 / m), np.full(m, 0.5 / (m - 1)), 0.5 ** np.arange(m)]
    histograms = []
    for share in shares:
        counts = np.floor(n * share / share.sum()).astype(np.int64)
        counts[0] += n - counts.sum()
        histograms.append(counts)
    return histograms


def worst_seconds(events: list[Event], draws: int) -> float:
    """The most processor time that a draw took."""
    worst = 0.0
    for event in events:
        loss = certify(event).loss
        for counts in extremes(event.n, event.m):
            for _ in range(draws):
                start = time.process_time()
                draw(event, Private(counts), loss)
                worst = max(worst, time.process_time() - start)
    return worst


def show(name: str, events: list[Event], draws: int) -> None:
    worst, spacing = worst_seconds(events, draws), spacing_seconds(events[0], MIN_MS)
    print(
        f"  {name:22}{events[0].m:7}{events[0].n:10}{1e3 * worst:12.1f}{1e3 * spacing:12.0f}{spacing / worst:10.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3, help="draws at each histogram")
    draws = parser.parse_args().draws
    print(f"  {'mechanism':22}{'m':>7}{'n':>10}{'slowest ms':>12}{'spacing ms':>12}{'ratio':>10}")
    delta = Delta.parse("1e-6")
    for m in CATEGORIES:
        epsilons = [Epsilon.parse(text) for text in ("0.0001", "0.01", "1")]
        show("simplex_geometric", [SimplexGeometric(10 * m, m, epsilon) for epsilon in epsilons], draws)
        show("laplace", [Laplace(10 * m, m, epsilon) for epsilon in epsilons], draws)
        show(
            "gaussian", [Gaussian(10 * m, m, Rho.parse(rho), delta) for rho in ("0.00000001", "0.00005", "0.5")], draws
        )
    for m, n in SIZES:
        for alpha in (1.0, 1e6):
            epsilons = [Epsilon.parse(text) for text in ("0.0001", "1")]
            events = [calibration.calibrate_published(n, (alpha,) * m, epsilon, delta) for epsilon in epsilons]
            show(f"exponential, α = {alpha:g}", [*events], draws)


if __name__ == "__main__":
    main()
