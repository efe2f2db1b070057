"""Compares the variance of margins that are allotted and combined with that of other ways, for the same price.

    python -m benchmarks.margins

For each shape it prints the mean over the wanted margins of the variance of a cell, under `add_remove`, at rho = 1 with
discrete Gaussian noise and at epsilon = 1 with geometric noise: of this program; of the optimum for correlated Gaussian
noise (ResidualPlanner, arXiv 2305.08175, its closed form); of one full release; of independent answers for each margin,
with equal shares and without combination. Prints the processor seconds of planning, of combination and of all half
widths too.
"""

from __future__ import annotations

import math
import time
from itertools import combinations

import numpy as np

from core.margins.allotment import Allotment, Workload, allot
from core.margins.combination import subsets_of
from core.mechanisms.margins import cells_of
from core.noise import GeometricNoise
from core.privacy import Epsilon, NeighbourRelation, Rho

SHAPES = (
    ("pairs of 5⁵", (5,) * 5, 2),
    ("pairs of 2·3·5·10", (2, 3, 5, 10), 2),
    ("triples of 2⁶", (2,) * 6, 3),
    ("pairs of 2¹⁰", (2,) * 10, 2),
    ("triples of 2·2·3·4·6·9", (2, 2, 3, 4, 6, 9), 3),
    ("triples of 4¹⁰", (4,) * 10, 3),
)


def correlated_optimum(wanted: Workload, rho: float) -> float:
    """The least mean variance of ResidualPlanner: residual U costs Π (k − 1)/k / (2 σ_U²)."""
    roots = 0.0
    for part in {part for each in wanted.margins for part in subsets_of(each)}:
        k = [wanted.levels[a] for a in part]
        share = sum(
            math.prod(wanted.levels[a] ** -2.0 for a in each if a not in part)
            for each in wanted.margins
            if set(part) <= set(each)
        ) / len(wanted.margins)
        roots += math.prod((each - 1) / each for each in k) * math.sqrt(share)
    return roots**2 / (2.0 * rho)


def mean_variance(found: Allotment) -> float:
    return float(np.mean(found.variances()))


def main() -> None:
    print("| Shape | ρ = 1 | correlated | full | independent | ε = 1 | full | independent |")
    print("|---|---|---|---|---|---|---|---|")
    seconds = []
    for name, levels, size in SHAPES:
        margins = tuple(combinations(range(len(levels)), size))
        wanted = Workload(levels, margins, (1.0,) * len(margins), NeighbourRelation.ADD_REMOVE)
        whole = cells_of(levels, wanted.whole)
        of_full = float(np.mean([whole / cells_of(levels, each) for each in margins]))
        variances = []
        for amount in (Rho.parse("1"), Epsilon.parse("1")):
            started = time.process_time()
            found = allot(wanted, amount)
            planned = time.process_time() - started
            noisy = [np.zeros([levels[a] for a in each], dtype=np.int64) for each in found.margins]
            started = time.process_time()
            found.combination.estimates(noisy, None, margins)
            combined = time.process_time() - started
            started = time.process_time()
            found.half_widths(0.95)
            described = time.process_time() - started
            variances.append(mean_variance(found))
            seconds.append(
                f"{name}, {type(amount).__name__} {amount}: planned {planned:.2f} s, combined {combined:.2f} s, "
                f"half widths {described:.2f} s; {len(found.margins)} margins of "
                f"{sum(cells_of(levels, each) for each in found.margins)} cells measured"
            )
        one = GeometricNoise(1.0).deviation ** 2
        each = GeometricNoise(1.0 / len(margins)).deviation ** 2
        numbers = (
            variances[0],
            correlated_optimum(wanted, 1.0),
            of_full / 2,
            len(margins) / 2,
            variances[1],
            of_full * one,
            each,
        )
        print(f"| {name} | " + " | ".join(f"{number:.4g}" for number in numbers) + " |", flush=True)
    print("\n" + "\n".join(seconds))


if __name__ == "__main__":
    main()
