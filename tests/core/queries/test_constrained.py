"""The distribution of a count under constraints is that of enumeration, of the product distributions of the other
engine, and its intervals cover.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import gammaln

from core.count_simplex import Window, condition_on_total
from core.privacy import Rate
from core.queries.constrained import CountDistribution, NotOffered, SetAnswer, WorkLimit, count_given, count_in_history
from core.queries.estimator import Query, estimate
from core.queries.history import History
from tests.core.histograms import histograms


def by_enumeration(answers: Sequence[SetAnswer], asked: int, m: int, n: int) -> NDArray[np.float64]:
    weights = np.zeros(n + 1)
    for counts in histograms(n, m):
        sums = [sum(c for i, c in enumerate(counts) if each.classes >> i & 1) for each in answers]
        loss = sum(each.rate * abs(each.answer - total) for each, total in zip(answers, sums, strict=True))
        weights[sum(c for i, c in enumerate(counts) if asked >> i & 1)] += math.exp(-loss)
    weights /= weights.sum()
    return weights


def spread(distribution: CountDistribution, n: int) -> NDArray[np.float64]:
    found = np.zeros(n + 1)
    found[distribution.low : distribution.low + distribution.probabilities.size] = distribution.probabilities
    return found


@pytest.mark.parametrize(
    ("sets", "asked"),
    [
        ([0b00110], 0b00110),
        ([0b00110, 0b00010, 0b01000], 0b00100),
        ([0b00110, 0b00010, 0b01000], 0b11110),
        ([0b11001, 0b00010, 0b11101], 0b00110),
        ([0b00001, 0b00010, 0b00100, 0b01000, 0b10000], 0b00011),
        ([0b01110, 0b00110, 0b00010], 0b10001),
        ([0b00010, 0b00010, 0b11101], 0b00010),
        ([], 0b00111),
    ],
)
@pytest.mark.parametrize("rate", [0.1, 3.0])
def test_the_distribution_is_that_of_enumeration(sets: list[int], asked: int, rate: float) -> None:
    n, rng = 9, np.random.default_rng([len(sets), asked])
    answers = [SetAnswer(each, float(rng.uniform(-6.0, 12.0)), rate * (1.0 + place)) for place, each in enumerate(sets)]
    distribution = count_given(answers, asked, [1] * 5, n, WorkLimit())
    assert np.abs(spread(distribution, n) - by_enumeration(answers, asked, 5, n)).max() < 1e-10


def test_classes_of_several_cells_count_their_compositions() -> None:
    answers = [SetAnswer(0b10, 3.0, 0.4)]
    distribution = count_given(answers, 0b10, [2, 3], 7, WorkLimit())
    whole = [SetAnswer(0b11100, 3.0, 0.4)]
    assert np.abs(spread(distribution, 7) - by_enumeration(whole, 0b11100, 5, 7)).max() < 1e-10


def test_disjoint_sets_at_a_size_that_is_not_enumerated_agree_with_the_product_distribution() -> None:
    """Windows are cut here, and 60 cells to a set make the prior far from flat."""
    n, sizes, rate = 3_000, [60, 60, 1, 200], 0.05
    noisy = {1: 900.3, 2: -12.0}
    answers = [SetAnswer(1 << place, answer, rate) for place, answer in noisy.items()]
    counts = np.arange(n + 1, dtype=np.float64)
    windows = [
        Window(
            0,
            gammaln(counts + size)
            - gammaln(counts + 1)
            - gammaln(size)
            - (rate * np.abs(noisy[place] - counts) if place in noisy else 0.0),
        )
        for place, size in enumerate(sizes)
    ]
    marginals = condition_on_total(windows, n).marginals()
    for place in (1, 2, 3):
        expected = np.zeros(n + 1)
        expected[marginals[place].low : marginals[place].low + marginals[place].probabilities.size] = marginals[
            place
        ].probabilities
        distribution = count_given(answers, 1 << place, sizes, n, WorkLimit())
        assert np.abs(spread(distribution, n) - expected).max() < 1e-10


def test_overlapping_sets_weighted_rows_and_what_takes_too_long_are_not_offered() -> None:
    with pytest.raises(NotOffered, match="overlap"):
        count_given([SetAnswer(0b0110, 1.0, 1.0), SetAnswer(0b1100, 1.0, 1.0)], 0b0010, [1] * 4, 9, WorkLimit())
    with pytest.raises(NotOffered, match="the set overlaps"):
        count_given([SetAnswer(0b0110, 1.0, 1.0)], 0b1100, [1] * 4, 9, WorkLimit())
    with pytest.raises(NotOffered, match="too long"):
        count_given([SetAnswer(0b0110, 1.0, 1e-4)], 0b0110, [1] * 4, 10**9, WorkLimit(10**6))
    history = History(9, 3)
    history.add_answer(Query((0, 2, 5)).measured_at(Rate.parse("1")), Fraction(3), "row")
    with pytest.raises(NotOffered, match="weighs"):
        count_in_history(history, [False, True, False], WorkLimit())


@pytest.mark.parametrize("rate", ["0.01", "0.0001"])
def test_a_set_that_takes_too_long_takes_no_time_from_the_others(rate: str) -> None:
    """A hundred queries of one request share an allowance of about a second of the processor."""
    m, sets = 200, 100
    history, limit = History(10**6, m), WorkLimit(3 * 10**8)
    cells = [[column // 2 == number for column in range(m)] for number in range(sets)]
    for each in cells:
        history.add_answer(Query(tuple(map(int, each))).measured_at(Rate.parse(rate)), Fraction(10_000), "row")
    began = time.process_time()
    for each in cells:
        with pytest.raises(NotOffered, match="too long"):
            count_in_history(history, each, limit)
    assert time.process_time() - began < 1


def test_intervals_cover_over_the_prior_and_are_narrower_for_small_counts() -> None:
    """Histograms of the uniform prior, two nested sets and a disjoint one, 400 trials: 95 % within 3.5 standard errors.
    Beside the best linear estimate of an empty set the interval is less than two thirds as wide.
    """
    n, m, rate, trials = 60, 6, Rate.parse("0.2"), 400
    rng = np.random.default_rng(7)
    sets = [(0, 1, 1, 0, 0, 0), (0, 1, 0, 0, 0, 0), (0, 0, 0, 1, 0, 0)]
    held, widths, linear = 0, [], 0.0
    for _ in range(trials):
        bars = np.sort(rng.choice(n + m - 1, m - 1, replace=False))
        counts = np.diff(np.concatenate(([-1], bars, [n + m - 1]))) - 1
        history = History(n, m)
        for each in sets:
            answer = int(np.dot(each, counts)) + round(float(rng.laplace(0.0, 5.0)) * 2**22) / 2**22
            history.add_answer(Query(each).measured_at(rate), Fraction(answer), "row")
        distribution = count_in_history(history, [bool(each) for each in sets[1]], WorkLimit())
        low, high = distribution.interval(0.95)
        held += low <= counts[1] <= high
        widths.append(high - low)
        found = estimate(history, Query(sets[1]))
        assert found is not None
        linear = 2 * found.half_width(0.95)
    assert abs(held / trials - 0.965) < 0.035
    assert np.mean(widths) < 0.67 * linear
