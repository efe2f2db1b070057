"""Questions about the records themselves, against enumeration of all counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from core.inference.contrast_scales import Contrast
from core.inference.counts import InferenceError
from core.inference.events import Answered, Share
from core.inference.posterior import NoiseAwarePosterior
from core.inference.product_counts import Observed, UnknownTotal, counts_given_noise
from core.inference.record_laws import RecordsLaw
from core.inference.records import contrasts_of_records, share_of_records
from core.inference.strata import adjusted_of_records

ILL, FIRST, SECOND = frozenset({0, 2}), frozenset({0, 1}), frozenset({2, 3})
RISKS = Share(ILL, FIRST), Share(ILL, SECOND)
EVERY = list(Contrast)


def posterior(
    noisy: Sequence[int], total: int | UnknownTotal, prior: float, *, scale: float = 0.0, variance: float = 0.0
) -> NoiseAwarePosterior:
    """The posterior under geometric noise of a scale, or Gaussian noise of a variance."""
    alpha = np.full(len(noisy), prior)
    observed = Observed.of_release(
        noisy, lambda d: np.abs(d) / -scale if scale else np.square(d) / (-2.0 * variance), len(noisy)
    )
    return NoiseAwarePosterior(alpha, counts_given_noise(alpha, [observed], total))


def between(given: NoiseAwarePosterior, first: Share, second: Share, contrasts: Sequence[Contrast]) -> list[Answered]:
    return contrasts_of_records((given, first), (given, second), contrasts)


def figures(found: Answered, at: float) -> tuple[float, float, float]:
    """P(value < at), P(value = at) and P(value > at)."""
    equal = found.equal(at)
    assert equal is not None
    above = found.above(at).value
    law = found.distribution
    assert isinstance(law, RecordsLaw)
    return 1.0 - law.undefined - above - equal.value, equal.value, above


def law_of(found: Answered) -> RecordsLaw:
    assert isinstance(found.distribution, RecordsLaw)
    assert found.error < 1e-9
    return found.distribution


def infinite(found: Answered) -> float:
    """The probability of x/0, given that the value is defined."""
    law = law_of(found)
    return law.equal(math.inf) / (1 - law.undefined)


def test_shares_of_two_categories_equal_enumeration() -> None:
    given = posterior((12, 9), 21, 1.0, scale=4.0)
    first, second = Share(frozenset({0})), Share(frozenset({1}))
    share = law_of(share_of_records(given, first))
    assert share.mean == pytest.approx(0.569762989293, abs=1e-12)
    assert share.interval(0.95) == (6 / 21, 18 / 21)
    [found] = between(given, first, second, [Contrast.DIFFERENCE])
    assert law_of(found).mean == pytest.approx(2.930045550306 / 21, abs=1e-13)
    assert law_of(found).interval(0.95) == (-9 / 21, 15 / 21)
    assert figures(found, 0.0)[1:] == pytest.approx((0.0, 0.7707699050176), abs=1e-12)


def test_shares_of_a_secret_number_of_records_equal_enumeration() -> None:
    given = posterior((12, 9), UnknownTotal(80), 0.5, scale=2.0)
    first, second = Share(frozenset({0})), Share(frozenset({1}))
    share = law_of(share_of_records(given, first))
    assert share.mean == pytest.approx(0.5806433377234, abs=1e-11)
    assert share.interval(0.95) == (1 / 3, 8 / 9)
    assert share.undefined == pytest.approx(5.163614988746e-5, rel=1e-9)
    [found] = between(given, first, second, [Contrast.DIFFERENCE])
    _, equal, above = figures(found, 0.0)
    # With no records, which is possible, both counts are equal and no share is defined.
    assert above == pytest.approx(0.7712754693352, abs=1e-11)
    assert equal + law_of(found).undefined == pytest.approx(0.06611256473206, abs=1e-11)


def test_conditional_shares_and_ratios_equal_enumeration() -> None:
    given = posterior((-1, 4, 9), 12, 2 / 3, scale=2.0)
    share = law_of(share_of_records(given, Share(frozenset({0}))))
    assert share.mean == pytest.approx(0.05060179366494, abs=1e-12)
    assert share.interval(0.95) == (0.0, 3 / 12)
    within = law_of(share_of_records(given, Share(frozenset({0}), frozenset({0, 1}))))
    assert within.mean == pytest.approx(0.1605340818728, abs=1e-12)
    assert within.interval(0.95) == (0.0, 1.0)
    assert within.undefined == pytest.approx(0.01841358005261, abs=1e-12)
    second, third = Share(frozenset({1})), Share(frozenset({2}))
    difference, ratio, _ = between(given, second, third, EVERY)
    assert law_of(difference).mean == pytest.approx(-5.107356475467 / 12, abs=1e-12)
    assert law_of(difference).interval(0.95) == (-11 / 12, 2 / 12)
    assert (law_of(ratio).quantile(0.5), law_of(ratio).interval(0.95)) == (1 / 3, (0.0, 1.4))
    assert infinite(ratio) == pytest.approx(7.028135857225e-4, abs=1e-13)
    assert law_of(ratio).mean is None
    assert figures(difference, 0.0)[1:] == pytest.approx((0.03294784286103, 0.03551414397084), abs=1e-12)


def test_a_trial_of_records_equals_enumeration() -> None:
    given = posterior((1, 9, 5, 5), 20, 0.5, scale=2.0)
    difference, ratio, odds_ratio = between(given, *RISKS, EVERY)
    law = law_of(difference)
    assert law.mean == pytest.approx(-0.3840370772633, abs=1e-11)
    assert (law.quantile(0.5), law.interval(0.95)) == (-0.4, (-9 / 11, 2 / 15))
    assert law.undefined == pytest.approx(3.383296944737e-4, abs=1e-12)
    assert (law_of(ratio).quantile(0.5), law_of(ratio).interval(0.95)) == (0.2, (0.0, 18 / 7))
    assert infinite(ratio) == pytest.approx(0.0223513431112, abs=1e-11)
    assert (law_of(odds_ratio).quantile(0.5), law_of(odds_ratio).interval(0.95)) == (5 / 49, (0.0, 32 / 7))
    below, equal, above = figures(difference, 0.0)
    assert (below, equal) == pytest.approx((0.9307416906921, 0.01370456309337), abs=1e-11)
    assert below + equal + above + law.undefined == pytest.approx(1.0, abs=1e-12)


def test_a_trial_under_gaussian_noise_equals_enumeration() -> None:
    given = posterior((0, 8, 3, 6), 17, 0.5, variance=2.0)
    difference, ratio, _ = between(given, *RISKS, EVERY)
    assert law_of(difference).mean == pytest.approx(-0.2530724281748, abs=1e-11)
    median, (low, high) = law_of(difference).quantile(0.5), law_of(difference).interval(0.95)
    assert (median, low, high) == pytest.approx((-19 / 72, -37 / 72, 0.1), abs=1e-15)
    assert (law_of(ratio).quantile(0.5), law_of(ratio).interval(0.95)) == (0.0, (0.0, math.inf))
    assert law_of(ratio).undefined == pytest.approx(0.01894764839055, abs=1e-11)
    assert infinite(ratio) == pytest.approx(0.02588634778403, abs=1e-11)
    assert figures(difference, 0.0)[0] == pytest.approx(0.9217178961351, abs=1e-11)


def test_strata_of_records_equal_enumeration() -> None:
    """T6 of two strata, each with the four cells of a trial; the references are of all counts, these are of draws."""
    given = posterior((2, 3, 4, 1, 1, 4, 2, 2), 19, 0.25, scale=1.0)
    pairs = [
        (Share(frozenset({at}), frozenset({at, at + 1})), Share(frozenset({at + 2}), frozenset({at + 2, at + 3})))
        for at in (0, 4)
    ]
    found = adjusted_of_records(given, pairs, Contrast.ODDS_RATIO).mantel_haenszel.distribution
    assert isinstance(found, RecordsLaw)
    assert (found.quantile(0.5), *found.interval(0.95)) == pytest.approx((7 / 57, 0.0, 1.16), abs=0.02)
    assert found.undefined == pytest.approx(4.28393348346e-4, abs=2e-4)
    assert found.equal(math.inf) == pytest.approx(0.004944652026082, abs=7e-4)
    found = adjusted_of_records(given, pairs, Contrast.DIFFERENCE).standardised.distribution
    assert isinstance(found, RecordsLaw)
    assert found.mean == pytest.approx(-0.4012494846639, abs=3e-3)
    assert found.interval(0.95) == pytest.approx((-0.7894736842105, 0.0453216374269), abs=0.02)
    assert found.undefined == pytest.approx(0.02787606537948, abs=2e-3)


def test_without_noise_an_interval_about_the_records_is_a_point() -> None:
    given = posterior((8, 18_190, 162, 18_163), 36_523, 0.5, scale=0.01)
    found = between(given, *RISKS, EVERY)
    ratio = float(Fraction(8, 18_198) / Fraction(162, 18_325))
    assert law_of(found[1]).interval(0.95) == (ratio, ratio)
    assert law_of(found[1]).quantile(0.5) == ratio


def test_records_of_two_data_sets_are_independent() -> None:
    (a, b), (c, d) = (8, 4), (3, 9)
    given = [posterior(each, sum(each), 1.0, scale=1.0) for each in ((a, b), (c, d))]
    share = Share(frozenset({0}))
    [found] = contrasts_of_records((given[0], share), (given[1], share), [Contrast.DIFFERENCE])
    first, second = (law_of(share_of_records(each, share)) for each in given)
    assert law_of(found).mean == pytest.approx((first.mean or 0) - (second.mean or 0), abs=1e-12)
    tie = sum(p * second.equal(x) for x, p in zip(first.values.tolist(), first.probabilities.tolist(), strict=True))
    assert figures(found, 0.0)[1] == pytest.approx(tie, abs=1e-12)


def test_two_groups_of_known_sizes_have_independent_posteriors() -> None:
    """The trial under Gaussian noise, with public totals 8 and 9 of its groups."""
    given = [posterior(noisy, total, 0.5, variance=2.0) for noisy, total in (((0, 8), 8), ((3, 6), 9))]
    share = Share(frozenset({0}))
    difference, ratio, _ = contrasts_of_records((given[0], share), (given[1], share), EVERY)
    law = law_of(difference)
    assert law.mean == pytest.approx(-0.2810171843821, abs=1e-12)
    assert (law.quantile(0.5), *law.interval(0.95)) == pytest.approx((-23 / 72, -5 / 9, 1 / 72), abs=1e-15)
    assert (law_of(ratio).quantile(0.5), law_of(ratio).interval(0.95)) == (0.0, (0.0, 1.125))
    assert infinite(ratio) == pytest.approx(0.003141717759731, abs=1e-12)
    assert figures(difference, 0.0)[:2] == pytest.approx((0.9557469803842, 0.008068045668033), abs=1e-12)


def test_many_counts_are_drawn() -> None:
    """With wide noise, the joint distribution of four counts is too large to tabulate."""
    given = posterior((500, 9500, 800, 9200), UnknownTotal(), 0.5, scale=60.0)
    difference, ratio, _ = between(given, *RISKS, EVERY)
    assert (difference.method, difference.draws) == ("simulation", 160_000)
    law = difference.distribution
    assert law.quantile(0.5) == pytest.approx(0.05 - 0.08, abs=0.001)
    low, high = law.interval(0.95)
    assert 0.02 < high - low < 0.05
    assert ratio.distribution.quantile(0.5) == pytest.approx(0.5 / 0.8, abs=0.02)


def test_a_median_between_two_values_is_in_their_middle() -> None:
    law = RecordsLaw.of(np.array([-0.5, -0.1, 0.1, 0.5, math.nan]), np.array([0.2, 0.2, 0.2, 0.2, 0.2]))
    assert law.quantile(0.5) == 0.0
    assert law.undefined == pytest.approx(0.2)
    assert (law.cdf(-0.1), law.equal(0.1), law.survival(0.1)) == pytest.approx((0.4, 0.2, 0.2))
    with pytest.raises(InferenceError, match="undefined"):
        RecordsLaw.of(np.array([math.nan]), np.array([1.0]))


def test_a_range_of_records_has_both_its_ends() -> None:
    values, weights = np.array([0.0, 0.25, 0.5, math.inf, math.nan]), np.array([1.0, 2.0, 3.0, 2.0, 2.0])
    found = Answered(RecordsLaw.of(values, weights), 0.0, "exact")
    for low, high, expected in (
        (0.0, 0.25, 0.3),
        (0.25, 0.25, 0.2),
        (0.1, 0.2, 0.0),
        (-1.0, 0.5, 0.6),
        (0.5, math.inf, 0.5),
    ):
        assert found.between(low, high).value == pytest.approx(expected, abs=1e-15)
    drawn = Answered(RecordsLaw.of(np.repeat(values[:4], (1_000, 2_000, 3_000, 4_000))), 0.0, "simulation")
    assert drawn.between(0.25, 0.5).value == pytest.approx(0.5, abs=1e-3)
