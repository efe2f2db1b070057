"""What whole, non-negative counts of known total add to a linear estimate: coverage and width of both 95 % intervals.

    python -m benchmarks.constrained [--trials 400]

Measured are six cells, each by itself, or three nested sets, at a rate of 0.1; asked is the count of the first cell.
Histograms are drawn from the uniform prior, or fixed with nearly all records in one cell and three in the one that is
asked for. Coverage is beside its simulation error, widths are means, and `times` says how
often the same sets were measured: ten answers to one question tell more than their mean does. Fixed seeds; 80 seconds of processor time.
"""

from __future__ import annotations

import argparse
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.privacy import Rate
from core.queries.constrained import WorkLimit, count_in_history
from core.queries.estimator import Query, estimate
from core.queries.history import History

_RATE, _CONFIDENCE = Rate.parse("0.1"), 0.95
_CELLS = 6
_SINGLE: list[tuple[int, ...]] = [tuple(int(i == j) for i in range(_CELLS)) for j in range(_CELLS)]
_NESTED: list[tuple[int, ...]] = [(1, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0), (1, 1, 1, 0, 0, 0)]


def uniform(n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """A histogram, each as likely as any other."""
    bars = np.sort(rng.choice(n + _CELLS - 1, _CELLS - 1, replace=False))
    return np.diff(np.concatenate(([-1], bars, [n + _CELLS - 1]))) - 1


def fixed(n: int, _: np.random.Generator) -> NDArray[np.int64]:
    return np.array([3, 0, 0, 0, 0, n - 3])


def trial(
    sets: list[tuple[int, ...]], counts: NDArray[np.int64], times: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Whether each interval holds the count, and how wide each is: the estimate's, then that under constraints."""
    history = History(int(counts.sum()), _CELLS)
    for each in sets * times:
        noisy = int(np.dot(each, counts)) + Fraction(round(float(rng.laplace(0.0, 10.0)) * 2**24), 2**24)
        history.add_answer(Query(each).measured_at(_RATE), noisy, "row")
    found = estimate(history, Query(_SINGLE[0]))
    assert found is not None
    interval = found.interval(_CONFIDENCE)
    low, high = count_in_history(history, [bool(each) for each in _SINGLE[0]], WorkLimit()).interval(_CONFIDENCE)
    true = counts[0]
    return np.array(
        [interval.lower <= true <= interval.upper, low <= true <= high, 2 * interval.half_width, float(high - low)]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=400)
    trials = parser.parse_args().trials
    print(f"coverage in %, of {trials} trials each: ± {195 * (0.95 * 0.05 / trials) ** 0.5:.1f} at 95")
    print(
        f"{'histograms':>10} {'n':>6} {'sets':>7} {'times':>5} {'estimate':>9} {'constr.':>8} {'width':>7} {'constr.':>8}"
    )
    for name, law in (("uniform", uniform), ("fixed", fixed)):
        for n in (60, 1000):
            for kind, sets in (("single", _SINGLE), ("nested", _NESTED)):
                for times in (1, 10):
                    rng = np.random.default_rng([n, times])
                    means = np.mean([trial(sets, law(n, rng), times, rng) for _ in range(trials)], axis=0)
                    print(
                        f"{name:>10} {n:>6} {kind:>7} {times:>5} {100 * means[0]:>9.1f} {100 * means[1]:>8.1f} "
                        f"{means[2]:>7.1f} {means[3]:>8.1f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
