"""A smaller table's charge and widths, against sums over all tables and all noise that are written here again."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from core.inference.contrast_scales import Contrast
from core.inference.events import Share
from core.mechanisms.calibrations import SIMPLEX_GEOMETRIC
from core.planning.intervals import Asked, Guess
from core.planning.options import Problem, option
from core.planning.questions import ContrastOfShares
from core.planning.smaller_tables import smaller_table
from core.privacy import Delta, Epsilon

N, LEVELS = 120, (2, 3, 4)
COUNTS = np.array([2 + each % 3 for each in range(12)] + [7] * 12, dtype=np.int64)
SECOND = frozenset(range(12, 24))
"""The cells with the second level of the first attribute."""


def noise_of_set(cells: int, m: int, epsilon: float) -> NDArray[np.float64]:
    """P(z) from −200 to 200 of the sum of some of m noises, which are geometric of rate ε/2 and sum to 0."""
    reach = 200
    alone = np.exp(-epsilon / 2 * np.abs(np.arange(-reach, reach + 1)))

    def summed(count: int) -> NDArray[np.float64]:
        found = np.ones(1)
        for _ in range(count):
            found = np.convolve(found, alone / alone.sum())
        middle = found.size // 2
        return found[middle - reach : middle + reach + 1] if found.size > 1 else found

    law = summed(cells) * summed(m - cells)[::-1]
    return np.asarray(law / law.sum())


def mean_width(law: NDArray[np.float64], n: int, count: int) -> float:
    """The mean width of the 95 % interval of a share whose prior is Beta(½, ½), over drawn counts and their noise."""
    counts, reach, grid = np.arange(n + 1), law.size // 2, np.linspace(0.0, 1.0, 1501)
    prior = special.betaln(counts + 0.5, n - counts + 0.5) - special.betaln(counts + 1.0, n - counts + 1.0)
    upto = stats.beta.cdf(grid, counts[:, None] + 0.5, n - counts[:, None] + 0.5)
    released = np.arange(-reach, n + reach + 1)
    of_noise = np.zeros((released.size, n + 1))
    for each in counts:
        of_noise[each : each + law.size, each] = law
    weights = of_noise * np.exp(prior - prior.max())
    below = (weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)) @ upto
    probability = of_noise @ stats.binom.pmf(counts, n, count / n)
    widths = [np.subtract(*np.interp((0.975, 0.025), row, grid)) for row in below]
    return float(probability @ np.array(widths))


def test_the_table_of_one_attribute_needs_the_charge_of_the_same_width() -> None:
    assert int(COUNTS.sum()) == N
    asked = Asked.at(Share(SECOND), COUNTS)
    assert asked is not None
    problem = Problem(Guess(COUNTS), (1.0,) * 24, Delta(0), [asked], calibrations=(SIMPLEX_GEOMETRIC,))
    whole = option(problem, SIMPLEX_GEOMETRIC, Epsilon.parse("0.8"))
    found = smaller_table(problem, whole, (tuple(range(12)), tuple(range(12, 24))))
    assert found is not None
    wanted = mean_width(noise_of_set(12, 24, 0.8), N, int(COUNTS[12:].sum()))
    assert whole.intervals[0].width == pytest.approx(wanted, rel=0.01)
    count = int(COUNTS[12:].sum())
    same = mean_width(noise_of_set(1, 2, 0.8), N, count)
    assert found.same_charge.intervals[0].width == pytest.approx(same, rel=0.01)
    low, high = 0.1, 0.4
    for _ in range(7):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if mean_width(noise_of_set(1, 2, middle), N, count) <= wanted else (middle, high)
    assert isinstance(found.same_width.charge, Epsilon)
    assert float(found.same_width.charge.value) == pytest.approx(high, rel=0.06)
    assert found.same_width.intervals[0].width <= whole.intervals[0].width
    assert high < 0.35, "the whole table needs more than twice the charge"


def test_a_table_without_noise_to_save_is_not_compared() -> None:
    asked = Asked.at(Share(SECOND), COUNTS * 1000)
    assert asked is not None
    problem = Problem(Guess(COUNTS * 1000), (1.0,) * 24, Delta(0), [asked], calibrations=(SIMPLEX_GEOMETRIC,))
    whole = option(problem, SIMPLEX_GEOMETRIC, Epsilon.parse("20"))
    assert smaller_table(problem, whole, (tuple(range(12)), tuple(range(12, 24)))) is None


def laid_out(weights: list[NDArray[np.float64]], total: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draws of four numbers with these weights from 0 on, given their total, shape (size, 4)."""
    first, second = np.convolve(weights[0], weights[1]), np.convolve(weights[2], weights[3])
    low = max(0, total - second.size + 1)
    sums = np.arange(low, min(total, first.size - 1) + 1)
    likely = first[sums] * second[total - sums]
    drawn = rng.choice(sums, size, p=likely / likely.sum())
    found = np.empty((size, 4), dtype=np.int64)
    for place, of_pair in ((0, drawn), (2, total - drawn)):
        one, other = weights[place : place + 2]
        for each in np.unique(of_pair):
            numbers = np.arange(max(0, each - other.size + 1), min(each, one.size - 1) + 1)
            likely, those = one[numbers] * other[each - numbers], of_pair == each
            found[those, place] = rng.choice(numbers, int(those.sum()), p=likely / likely.sum())
        found[:, place + 1] = of_pair - found[:, place]
    return found


def mean_log_width(law: NDArray[np.float64], n: int, rng: np.random.Generator) -> float:
    """The mean width of the 95 % interval of ln of the odds ratio of four sets of n / 4 records, which have ½ each, and
    noise of this law that sums to 0. The noise and the posteriors are drawn without any approximation.
    """
    reach, counts, widths = law.size // 2, np.arange(n + 1), []
    prior = special.gammaln(counts + 0.5) - special.gammaln(counts + 1.0)
    for noise in laid_out([law] * 4, 4 * reach, 50, rng) - reach:
        likely = [np.pad(law, n)[n + reach + n // 4 + each - counts] * np.exp(prior) for each in noise]
        first, second, third, fourth = np.log(rng.gamma(laid_out(likely, n, 4000, rng) + 0.5)).T
        widths.append(np.subtract(*np.quantile(first - second - third + fourth, (0.975, 0.025))))
    return float(np.mean(widths))


def test_the_odds_ratio_of_four_sets_of_five_cells_is_narrower_once_they_are_merged() -> None:
    """640 records in 20 cells at ε = 0.3. The reference widths, which name no number of records, are near these."""
    counts, epsilon, reach = np.full(20, 32, dtype=np.int64), 0.3, 400
    sets = [frozenset(range(first, first + 5)) for first in range(0, 20, 5)]
    pairs = [Share(each, each | other) for each, other in (sets[:2], sets[2:])]
    asked = Asked.at(ContrastOfShares(pairs[0], pairs[1], Contrast.ODDS_RATIO), counts)
    assert asked is not None
    guess = Guess(counts, drawn=False)
    problem = Problem(guess, (1.0,) * 20, Delta(0), [asked], calibrations=(SIMPLEX_GEOMETRIC,))
    whole = option(problem, SIMPLEX_GEOMETRIC, Epsilon.parse("0.3"))
    found = smaller_table(problem, whole, tuple(tuple(sorted(each)) for each in sets))
    assert found is not None
    widths = whole.intervals[0].width, found.same_charge.intervals[0].width
    assert widths == pytest.approx((1.185, 0.741), rel=0.03)
    alone = np.exp(-epsilon / 2 * np.abs(np.arange(-reach, reach + 1)))
    of_five = alone / alone.sum()
    for _ in range(4):
        of_five = np.convolve(of_five, alone / alone.sum())[reach:-reach]
    rng = np.random.default_rng(1)
    assert widths == pytest.approx([mean_log_width(each, 640, rng) for each in (of_five, alone)], rel=0.03)
