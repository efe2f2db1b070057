"""The statistical test of exact samplers: it accepts the right distribution and rejects a nearby wrong one.

Draws come from a fixed seed, so a run is reproducible; over seeds, each acceptance would fail with probability
`FALSE_ALARM`, and the suite's few dozen acceptances with probability below 1e-6 in all.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

FALSE_ALARM = 1e-8


def chi_square_p(draws: ArrayLike, distribution: Mapping[int, float]) -> float:
    """The p-value of integer draws under the distribution {value: probability}; values of small expectation are pooled,
    with all that the distribution omits.
    """
    values, counts = np.unique(np.asarray(draws, dtype=np.int64), return_counts=True)
    observed = dict(zip(values.tolist(), counts.tolist(), strict=True))
    total = sum(observed.values())
    big = [value for value, probability in distribution.items() if probability * total >= 10]
    seen = [observed.get(value, 0) for value in big]
    expected = [distribution[value] * total for value in big]
    rest = max(total - sum(expected), 0.0)
    statistic = sum((s - e) ** 2 / e for s, e in zip(seen, expected, strict=True))
    freedom = len(big) - 1
    if rest >= 5:
        statistic += (total - sum(seen) - rest) ** 2 / rest
        freedom += 1
    elif total - sum(seen) > 60:
        return 0.0
    return float(chi2.sf(statistic, max(freedom, 1)))


def assert_accepts(draws: ArrayLike, distribution: Mapping[int, float]) -> None:
    p = chi_square_p(draws, distribution)
    assert p > FALSE_ALARM, f"right law refused, p = {p}"


def assert_rejects(draws: ArrayLike, distribution: Mapping[int, float]) -> None:
    p = chi_square_p(draws, distribution)
    assert p < FALSE_ALARM, f"wrong law passed, p = {p}"
