"""Contrasts in strata and adjusted for strata: by enumeration of the counts, by plain draws, and by coverage.

`python -m pytest -m long -rP tests/core/inference/test_strata.py` runs the large sample and the coverage.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from core.inference import InferenceError, infer
from core.inference.contrast_scales import Contrast
from core.inference.contrasts import DrawnDistribution
from core.inference.events import Answered, Share, contrast_distribution
from core.inference.posterior import NoiseAwarePosterior
from core.inference.strata import Adjusted, is_open, restricted, stratified_contrast, without_records
from core.mechanisms.catalogue import rehearse
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from core.samplers.reproducible import Reproducible
from tests.core.inference.reference import posterior_of_counts

Floats: TypeAlias = NDArray[np.float64]

# The cells of a table of strata, two groups and an outcome: the outcome changes fastest.
BERKELEY = [
    (89, 19, 512, 313), (17, 8, 353, 207), (202, 391, 120, 205),
    (131, 244, 138, 279), (94, 299, 53, 138), (24, 317, 22, 351),
]  # fmt: skip
"""Women and men who were admitted and not admitted, by department (Bickel, Hammel and O'Connell 1975)."""


def pairs_of(strata: int) -> list[tuple[Share, Share]]:
    """Both shares of each stratum."""
    m = 4 * strata
    first = Share(frozenset(range(0, m, 4)), frozenset(cell for cell in range(m) if cell % 4 < 2))
    second = Share(frozenset(range(2, m, 4)), frozenset(cell for cell in range(m) if cell % 4 >= 2))
    return [
        (restricted(first, stratum), restricted(second, stratum))
        for stratum in (frozenset(range(4 * k, 4 * k + 4)) for k in range(strata))
    ]


def by_definition(theta: Floats, contrast: Contrast) -> tuple[Floats, Floats]:
    """The Mantel–Haenszel contrast and the standardised one, of shares of shape (draws, cells)."""
    a, b, c, d = (theta[:, part::4] for part in range(4))
    total = a + b + c + d
    risks = [(total * part).sum(axis=1) / total.sum(axis=1) for part in (a / (a + b), c / (c + d))]
    x, y = risks
    match contrast:
        case Contrast.DIFFERENCE:
            top, bottom = a * (c + d) - c * (a + b), (a + b) * (c + d)
            standardised = x - y
        case Contrast.RATIO:
            top, bottom = a * (c + d), c * (a + b)
            standardised = x / y
        case _:
            top, bottom = a * d, b * c
            standardised = x / (1 - x) / (y / (1 - y))
    return (top / total).sum(axis=1) / (bottom / total).sum(axis=1), standardised


def assert_same(answer: Answered, values: Floats) -> None:
    """By the distribution functions at nine quantiles: both are samples, with errors that fail once in a million."""
    error = answer.error + math.sqrt(math.log(2e6) / (2.0 * values.size))
    for at in np.quantile(values, np.linspace(0.1, 0.9, 9)).tolist():
        below = np.count_nonzero(values <= at) / values.size
        assert abs(answer.distribution.cdf(at) - below) <= error


def assert_adjusted(adjusted: Adjusted, theta: Floats, contrast: Contrast) -> None:
    mantel_haenszel, standardised = by_definition(theta, contrast)
    assert_same(adjusted.mantel_haenszel, mantel_haenszel)
    assert_same(adjusted.standardised, standardised)


def released(counts: list[int], epsilon: str, prior: list[float]) -> NoiseAwarePosterior:
    event = SimplexGeometric(sum(counts), len(counts), Epsilon.parse(epsilon))
    return infer(event, NoisyCounts(tuple(counts), tuple(counts)), prior)


SMALL = SimplexGeometric(7, 8, Epsilon.parse("1.5"))
NOISY, PRIOR = (2, 0, 1, -1, 1, 3, 0, 1), np.array([1.0, 0.5, 2.0, 0.7, 1.0, 3.0, 0.4, 1.5])


@pytest.mark.every(3)
@pytest.mark.parametrize("contrast", list(Contrast))
def test_adjusted_contrasts_equal_enumerated_counts(contrast: Contrast) -> None:
    counts, weights = posterior_of_counts(SMALL, NOISY, PRIOR)
    rng = np.random.default_rng(1)
    gammas = rng.standard_gamma(PRIOR + counts[rng.choice(len(counts), 200_000, p=weights)])
    posterior = infer(SMALL, NoisyCounts(NOISY, NOISY), PRIOR)
    strata, adjusted = stratified_contrast(posterior, pairs_of(2), contrast)
    assert_adjusted(adjusted, gammas / gammas.sum(axis=1, keepdims=True), contrast)
    for found, pair in zip(strata, pairs_of(2), strict=True):
        alone = contrast_distribution(posterior, *pair, contrast)
        assert abs(found.distribution.cdf(contrast.equal) - alone.distribution.cdf(contrast.equal)) <= found.error


def test_the_adjusted_odds_ratio_of_berkeley_is_the_one_that_textbooks_have() -> None:
    """Departments admit women a little more often, whereas all together admit them less (R's `mantelhaen.test`: men
    against women 0.9046968).
    """
    posterior = released([count for stratum in BERKELEY for count in stratum], "50", [0.01] * 24)
    strata, adjusted = stratified_contrast(posterior, pairs_of(6), Contrast.ODDS_RATIO)
    assert adjusted.mantel_haenszel.distribution.quantile(0.5) == pytest.approx(1 / 0.9046968, rel=0.01)
    assert strata[0].distribution.quantile(0.5) == pytest.approx(89 / 19 / (512 / 313), rel=0.05)
    women, men = (
        Share(frozenset(range(first, 24, 4)), frozenset(c for c in range(24) if c % 4 // 2 == first // 2))
        for first in (0, 2)
    )
    crude = contrast_distribution(posterior, women, men, Contrast.ODDS_RATIO)
    assert crude.distribution.quantile(0.5) == pytest.approx(557 / 1278 / (1198 / 1493), rel=0.02)


@pytest.mark.long
def test_a_stratum_of_a_contrast_that_was_drawn_has_the_moments_that_exist() -> None:
    posterior = released([count for stratum in BERKELEY for count in stratum], "0.5", [1.0] * 24)
    for contrast, has_mean in ((Contrast.DIFFERENCE, True), (Contrast.ODDS_RATIO, False)):
        strata, adjusted = stratified_contrast(posterior, pairs_of(6), contrast)
        for each in (*strata, adjusted.mantel_haenszel, adjusted.standardised):
            assert isinstance(each.distribution, DrawnDistribution)
            assert (each.distribution.mean is not None) is has_mean
            assert each.draws is not None
            assert each.error == pytest.approx(math.sqrt(math.log(2e6) / (2 * each.draws)))


def test_adjusted_contrasts_of_nearly_empty_cells_are_finite() -> None:
    posterior = released([0, 3, 0, 4, 0, 5, 0, 2], "30", [0.001] * 8)
    for contrast in Contrast:
        _, adjusted = stratified_contrast(posterior, pairs_of(2), contrast)
        for each in (adjusted.mantel_haenszel, adjusted.standardised):
            assert math.isfinite(each.distribution.quantile(0.01))
            assert math.isfinite(each.distribution.quantile(0.99))
            assert each.distribution.cdf(contrast.equal) == pytest.approx(0.5, abs=0.03)


def test_the_probability_of_a_stratum_without_records_equals_brute_force() -> None:
    counts, weights = posterior_of_counts(SMALL, NOISY, PRIOR)
    posterior = infer(SMALL, NoisyCounts(NOISY, NOISY), PRIOR)
    sets = [frozenset({2, 3}), frozenset({6}), frozenset({4, 5, 6, 7}), frozenset(range(8)), frozenset()]
    expected = [weights @ (counts[:, sorted(cells)].sum(axis=1) == 0) for cells in sets]
    assert [each.value for each in without_records(posterior, sets)] == pytest.approx(expected, abs=1e-10)


def test_a_stratum_without_possible_cells_of_a_group_is_refused() -> None:
    posterior = released([3, 2, 1], "1", [1.0] * 3)
    pair = Share(frozenset({0}), frozenset({0, 1})), Share(frozenset({2}), frozenset({2}))
    assert is_open(pair[0])
    assert not is_open(pair[1])
    for pairs in ([pair], [], [(pair[0], Share(frozenset({1}), frozenset({1, 2})))]):
        with pytest.raises(InferenceError):
            stratified_contrast(posterior, pairs, Contrast.RATIO)


def test_many_strata_have_fewer_draws_and_say_so() -> None:
    posterior = released([5, 3, 2, 4] * 15, "1", [1.0] * 60)
    _, adjusted = stratified_contrast(posterior, pairs_of(15), Contrast.RATIO)
    assert adjusted.mantel_haenszel.draws == (1 << 21) // 60


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("contrast", list(Contrast))
def test_adjusted_contrasts_of_many_records_equal_ten_million_plain_draws(contrast: Contrast) -> None:
    """Under a flat prior the posterior of the counts is the noise's distribution around the release, given that no
    count is negative: differences of geometric variables, of which the last is accepted with its own probability.
    """
    noisy = np.array([89, 19, 512, 313, 17, 8, 353, 207, 24, 317, 22, 351])
    event = SimplexGeometric(int(noisy.sum()), noisy.size, Epsilon.parse("0.5"))
    rng, q, values = np.random.default_rng(3), math.exp(-0.25), list[tuple[Floats, Floats]]()
    while sum(each[0].size for each in values) < 10_000_000:
        noise = rng.geometric(1 - q, (2, 400_000, noisy.size - 1))
        free = noise[0] - noise[1]
        last = -free.sum(axis=1)
        counts = noisy - np.column_stack([free, last])
        kept = (rng.random(last.size) < q ** np.abs(last)) & (counts >= 0).all(axis=1)
        values.append(by_definition(rng.standard_gamma(1.0 + counts[kept]), contrast))
    posterior = infer(event, NoisyCounts(tuple(noisy.tolist()), tuple(noisy.tolist())), [1.0] * noisy.size)
    _, adjusted = stratified_contrast(posterior, pairs_of(3), contrast)
    mantel_haenszel, standardised = (np.concatenate(each) for each in zip(*values, strict=True))
    assert_same(adjusted.mantel_haenszel, mantel_haenszel)
    assert_same(adjusted.standardised, standardised)


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_adjusted_intervals_cover() -> None:
    """500 tables of two strata each: shares from the prior, data from the shares, a release from the data. The three
    contrasts take turns.
    """
    prior, event, level = [2.0, 5.0, 1.0, 4.0, 0.5, 2.0, 3.0, 3.0], SimplexGeometric(300, 8, Epsilon.parse("0.3")), 0.9
    rng, runs = Reproducible(5), 500
    entropy, shares = rng.entropy(), rng.dirichlets(np.tile(prior, (runs, 1)))
    histograms = rng.histograms(event.n, shares)
    covered = {"Mantel-Haenszel": 0, "standardised": 0}
    for run in range(runs):
        contrast = list(Contrast)[run % 3]
        posterior = infer(event, rehearse(event, histograms[run], 1, entropy)[0], prior)
        _, adjusted = stratified_contrast(posterior, pairs_of(2), contrast)
        truths = by_definition(shares[run : run + 1], contrast)
        answers = adjusted.mantel_haenszel, adjusted.standardised
        for name, answer, truth in zip(covered, answers, truths, strict=True):
            low, high = answer.distribution.interval(level)
            covered[name] += low <= truth.item() <= high
    for name, times in covered.items():
        print(f"{name}: {times / runs:.3f} of {runs} tables")  # noqa: T201  shown by pytest -rP
        assert binom.cdf(times, runs, level) > 1e-7
        assert binom.sf(times - 1, runs, level) > 1e-7
