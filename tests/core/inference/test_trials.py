"""The figures of a trial, by enumeration of the counts, by plain draws, and by coverage.

`python -m pytest -m long -rP tests/core/inference/test_trials.py` runs the large sample and the coverage.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special
from scipy.stats import beta, binom

from core.inference import InferenceError, infer
from core.inference.contrast_scales import Contrast
from core.inference.contrasts import DrawnDistribution, TwoShareContrast
from core.inference.events import Share, contrast_distribution
from core.inference.posterior import NoiseAwarePosterior
from core.inference.trials import Trial, number_needed, trial, trial_between
from core.mechanisms.catalogue import rehearse
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from core.samplers.reproducible import Reproducible
from tests.core.inference.reference import posterior_of_counts

NOISY, PRIOR = (2, 7, 4, 5), np.array([1.0, 0.5, 2.0, 0.7])
ILL, FIRST, SECOND = frozenset({0, 2}), frozenset({0, 1}), frozenset({2, 3})


def posterior_of(noisy: tuple[int, ...], epsilon: str, prior: list[float]) -> NoiseAwarePosterior:
    event = SimplexGeometric(sum(noisy), len(noisy), Epsilon.parse(epsilon))
    return infer(event, NoisyCounts(noisy, noisy), prior)


def trial_of(noisy: tuple[int, ...], epsilon: str, prior: list[float]) -> Trial:
    return trial(posterior_of(noisy, epsilon, prior), ILL, FIRST, SECOND)


@pytest.mark.parametrize(("epsilon", "kind"), [("8", TwoShareContrast), ("1.2", DrawnDistribution)])
def test_mean_and_deviation_of_the_log_odds_ratio_equal_brute_force(epsilon: str, kind: type) -> None:
    event = SimplexGeometric(sum(NOISY), 4, Epsilon.parse(epsilon))
    counts, weights = posterior_of_counts(event, NOISY, PRIOR)
    shapes, signs = PRIOR + counts, np.array([1.0, -1.0, -1.0, 1.0])
    means = special.digamma(shapes) @ signs
    mean = weights @ means
    variance = weights @ ((means - mean) ** 2 + special.polygamma(1, shapes).sum(axis=1))
    found = trial_of(NOISY, epsilon, PRIOR.tolist())
    assert isinstance(found.odds_ratio.distribution, kind)
    logs = found.log_odds_ratio
    if kind is TwoShareContrast:
        assert logs.mean == pytest.approx(mean, abs=1e-9)
        assert logs.standard_deviation == pytest.approx(math.sqrt(variance), abs=1e-9)
        assert logs.standard_error == 0.0
    else:
        assert logs.mean == pytest.approx(mean, abs=5 * logs.standard_error)
        assert logs.standard_deviation == pytest.approx(math.sqrt(variance), rel=0.02)
        assert logs.standard_error == pytest.approx(math.sqrt(variance / 160_000), rel=0.02)


@pytest.mark.long
def test_the_contrasts_of_a_trial_are_those_of_its_two_risks() -> None:
    posterior = posterior_of(NOISY, "8", PRIOR.tolist())
    found = trial(posterior, ILL, FIRST, SECOND)
    shares = Share(frozenset({0}), FIRST), Share(frozenset({2}), SECOND)
    for contrast, answer in zip(Contrast, (found.difference, found.ratio, found.odds_ratio), strict=True):
        alone = contrast_distribution(posterior, *shares, contrast)
        assert answer.distribution.interval(0.9) == alone.distribution.interval(0.9)
        assert answer.error == alone.error
    assert found.first.distribution.mean == pytest.approx(2.8 / 10, abs=0.1)


def trial_of_two(arms: tuple[tuple[int, ...], ...], epsilon: str) -> Trial:
    """The trial of two data sets of ill and well, each with its own release."""
    first, second = ((posterior_of(arm, epsilon, [1.0, 2.0]), Share(frozenset({0}))) for arm in arms)
    return trial_between(first, second)


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("arms", "epsilon", "kind"),
    [(((4, 9), (8, 6)), "1", TwoShareContrast), (((150, 850), (200, 800)), "0.1", DrawnDistribution)],
)
def test_a_trial_of_two_data_sets_equals_brute_force(
    arms: tuple[tuple[int, ...], ...], epsilon: str, kind: type
) -> None:
    prior, grid = np.array([1.0, 2.0]), (np.arange(20_000) + 0.5) / 20_000
    shares: list[NDArray[np.float64]] = []
    means: list[float] = []
    variances: list[float] = []
    for arm in arms:
        event = SimplexGeometric(sum(arm), 2, Epsilon.parse(epsilon))
        counts, weights = posterior_of_counts(event, arm, prior)
        shapes, weights = (prior + counts)[weights > 1e-12], weights[weights > 1e-12]
        shares.append(np.asarray(weights @ beta.pdf(grid, *shapes.T[..., None])) / grid.size)
        logits = special.digamma(shapes) @ [1.0, -1.0]
        means.append(float(weights @ logits))
        variances.append(float(weights @ (special.polygamma(1, shapes).sum(axis=1) + (logits - means[-1]) ** 2)))
    found = trial_of_two(arms, epsilon)
    assert isinstance(found.odds_ratio.distribution, kind)
    x, y = shares
    for contrast, answer in zip(Contrast, (found.difference, found.ratio, found.odds_ratio), strict=True):
        for tail in (0.05, 0.4, 0.9):
            at = answer.distribution.quantile(tail)
            limits = {
                Contrast.DIFFERENCE: grid + at,
                Contrast.RATIO: grid * at,
                Contrast.ODDS_RATIO: at * grid / (1 - grid + at * grid),
            }[contrast]
            below = np.sum(y * np.interp(limits, grid + 0.5 / grid.size, np.cumsum(x)))
            assert below == pytest.approx(tail, abs=1e-4 + answer.error)
    assert found.first.distribution.mean == pytest.approx(grid @ x, abs=1e-6)
    logs = found.log_odds_ratio
    assert logs.mean == pytest.approx(means[0] - means[1], abs=1e-9 + 5 * logs.standard_error)
    assert logs.standard_deviation == pytest.approx(
        math.sqrt(sum(variances)), rel=1e-9 if kind is TwoShareContrast else 0.02
    )


@pytest.mark.parametrize(
    ("interval", "numbers"),
    [
        ((-0.5, -0.25), (2.0, 4.0)),
        ((0.001, 0.01), (100.0, 1000.0)),
        ((-0.05, 0.01), None),
        ((-1.0, 0.0), None),
        ((0.0, 1e-310), None),
        ((1e-299, 1.0), (1.0, 1e299)),
    ],
)
def test_an_interval_that_holds_no_difference_has_no_number_needed(
    interval: tuple[float, float], numbers: tuple[float, float] | None
) -> None:
    found = number_needed(*interval)
    assert (found is None) is (numbers is None)
    if found is not None and numbers is not None:
        assert found == pytest.approx(numbers, rel=1e-12)
        # Rounded outward: every number of the interval is in the range.
        assert all(found[0] <= 1 / abs(each) <= found[1] for each in np.linspace(*interval, 7).tolist())


def test_the_medians_of_equal_groups_are_those_of_no_difference() -> None:
    """A search would end at any value around which the law is flat to rounding, such as 9e-60."""
    found = trial_of((3, 10, 3, 10), "8", [0.5] * 4)
    assert isinstance(found.difference.distribution, TwoShareContrast)
    medians = [each.distribution.quantile(0.5) for each in (found.difference, found.ratio, found.odds_ratio)]
    assert (medians, found.log_odds_ratio.median) == ([0.0, 1.0, 1.0], 0.0)


def test_a_trial_needs_two_groups_with_and_without_the_outcome() -> None:
    posterior = posterior_of(NOISY, "1", [1.0] * 4)
    for outcome, first, second in ((ILL, FIRST, frozenset({1, 2})), (frozenset({0}), FIRST, SECOND)):
        with pytest.raises(InferenceError):
            trial(posterior, outcome, first, second)


def plain_draws(noisy: list[int], epsilon: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """`size` draws of the shares, not divided by their sum, under a flat prior.

    The counts are the release less noise that sums to 0, given that no count is negative.
    """
    released, q, drawn, left = np.array(noisy), math.exp(-epsilon / 2), [], size
    while left > 0:
        noise = rng.geometric(1 - q, (2, 1_000_000, released.size - 1))
        free = noise[0] - noise[1]
        last = -free.sum(axis=1)
        counts = released - np.column_stack([free, last])
        kept = (rng.random(last.size) < q ** np.abs(last)) & (counts >= 0).all(axis=1)
        drawn.append(rng.standard_gamma(1.0 + counts[kept][:left]))
        left -= len(drawn[-1])
    return np.concatenate(drawn)


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("releases", [1, 2])
def test_a_large_trial_equals_ten_million_plain_draws(releases: int) -> None:
    first, second, epsilon, size = [36, 200_709], [106, 201_123], 0.25, 10_000_000
    rng = np.random.default_rng(4)
    if releases == 1:
        a, b, c, d = plain_draws([*first, *second], epsilon, size, rng).T
        found = trial_of((*first, *second), "0.25", [1.0] * 4)
    else:
        (a, b), (c, d) = (plain_draws(arm, epsilon, size, rng).T for arm in (first, second))
        ill = Share(frozenset({0}))
        found = trial_between(*((posterior_of((arm[0], arm[1]), "0.25", [1.0] * 2), ill) for arm in (first, second)))
    x, y = a / (a + b), c / (c + d)
    error = math.sqrt(math.log(2e6) / (2.0 * x.size))
    for answer, values in (
        (found.first, x), (found.second, y), (found.difference, x - y), (found.ratio, x / y),
        (found.odds_ratio, x / (1 - x) / (y / (1 - y))),
    ):  # fmt: skip
        for at in np.quantile(values, np.linspace(0.05, 0.95, 10)).tolist():
            below = np.count_nonzero(values <= at) / values.size
            assert abs(answer.distribution.cdf(at) - below) <= answer.error + error
    logs, of_draws = found.log_odds_ratio, np.log(a) - np.log(b) - np.log(c) + np.log(d)
    assert logs.mean == pytest.approx(
        of_draws.mean(), abs=6 * max(logs.standard_error, of_draws.std() / math.sqrt(size))
    )
    assert logs.standard_deviation == pytest.approx(of_draws.std(), rel=0.02)


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("releases", [1, 2])
def test_the_intervals_of_a_trial_cover(releases: int) -> None:
    """500 trials: shares from the prior, data from the shares, a release from the data, or one for each group."""
    prior, event, level, runs = [2.0, 6.0, 3.0, 5.0], SimplexGeometric(400, 4, Epsilon.parse("0.3")), 0.9, 500
    rng = Reproducible(6)
    entropy, shares = rng.entropy(), rng.dirichlets(np.tile(prior, (runs, 1)))
    histograms = rng.histograms(event.n, shares)
    covered = dict.fromkeys(("first", "second", "difference", "ratio", "odds ratio"), 0)
    for run in range(runs):
        if releases == 1:
            found = trial(infer(event, rehearse(event, histograms[run], 1, entropy)[0], prior), ILL, FIRST, SECOND)
        else:
            arms = (slice(0, 2), slice(2, 4))
            events = [SimplexGeometric(int(histograms[run][arm].sum()), 2, event.epsilon) for arm in arms]
            found = trial_between(
                *(
                    (infer(own, rehearse(own, histograms[run][arm], 1, entropy)[0], prior[arm]), Share(frozenset({0})))
                    for own, arm in zip(events, arms, strict=True)
                )
            )
        a, b, c, d = shares[run].tolist()
        x, y = a / (a + b), c / (c + d)
        answers = (found.first, found.second, found.difference, found.ratio, found.odds_ratio)
        truths = (x, y, x - y, x / y, a * d / (b * c))
        for name, answer, truth in zip(covered, answers, truths, strict=True):
            low, high = answer.distribution.interval(level)
            covered[name] += low <= truth <= high
    for name, times in covered.items():
        print(f"{name}: {times / runs:.3f} of {runs} runs")  # noqa: T201  shown by pytest -rP
        assert binom.cdf(times, runs, level) > 1e-7
        assert binom.sf(times - 1, runs, level) > 1e-7
