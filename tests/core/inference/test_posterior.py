import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from scipy.special import betaincc

from core.inference import InferenceError, NoiseAwarePosterior, infer
from core.inference.events import Share, share_distribution
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import FALSE_ALARM
from tests.core.inference.reference import events, posterior_of_counts, release

PRIOR = np.array([1.0, 0.5, 2.0, 0.1])


@pytest.mark.parametrize("event", events(12, 4, "0.8"))
@pytest.mark.parametrize("m", [3, 4])
def test_summaries_equal_brute_force(event: SimplexGeometric, m: int) -> None:
    event = type(event)(12, m, *[getattr(event, name) for name in event.__slots__[2:]])
    released = release(event, np.array([5, 0, 3, 4][:m]) if m == 4 else np.array([5, 0, 7]), SeededEntropy(1))
    prior = PRIOR[:m]
    posterior = infer(event, released, prior)
    counts, weights = posterior_of_counts(event, released.noisy, prior)
    a, total = prior + counts, prior.sum() + 12
    for i, share in enumerate(posterior.shares()):
        exact_mean = weights @ (a[:, i] / total)
        exact_square = weights @ (a[:, i] * (a[:, i] + 1) / (total * (total + 1)))
        assert share.mean == pytest.approx(exact_mean, rel=1e-10)
        assert share.standard_deviation == pytest.approx((exact_square - exact_mean**2) ** 0.5, rel=1e-10)
        for x in (0.01, 0.2, 0.6):
            exact = float(weights @ stats.beta.sf(x, a[:, i], total - a[:, i]))
            estimate = posterior.above(i, x)
            assert estimate.value == pytest.approx(exact, abs=1e-10)
            assert abs(estimate.value - exact) <= estimate.error
            low, high = share.interval(0.95)
            assert weights @ stats.beta.cdf(low, a[:, i], total - a[:, i]) == pytest.approx(0.025, abs=1e-10)
            assert weights @ stats.beta.sf(high, a[:, i], total - a[:, i]) == pytest.approx(0.025, abs=1e-10)
        exact = float(
            weights @ (stats.beta.cdf(0.5, a[:, i], total - a[:, i]) - stats.beta.cdf(0.1, a[:, i], total - a[:, i]))
        )
        assert posterior.between(i, 0.1, 0.5).value == pytest.approx(exact, abs=1e-10)
    for i in range(m):
        for j in range(m):
            if i != j:
                exact = float(weights @ betaincc(a[:, i], a[:, j], 0.5))
                assert posterior.greater(i, j).value == pytest.approx(exact, abs=1e-10)
                assert posterior.greater(i, j).method == "exact"


@pytest.mark.parametrize("prior", [1e-3, 1e-6])
def test_the_smallest_priors_keep_their_digits(prior: float) -> None:
    """Shares of an empty cell are then nearly 0, often below the least float."""
    event, noisy = SimplexGeometric(50, 3, Epsilon.parse("1")), (1, 0, 49)
    posterior = infer(event, NoisyCounts(noisy, noisy), [prior] * 3)
    counts, weights = posterior_of_counts(event, noisy, np.full(3, prior))
    total = 3.0 * prior + 50.0
    for place, share in enumerate(posterior.shares()):
        assert share.mean == pytest.approx(float(weights @ ((prior + counts[:, place]) / total)), rel=1e-12)
        for x in (1e-200, 1e-9, 0.01, 0.3, 0.99):
            expected = float(weights @ stats.beta.cdf(x, prior + counts[:, place], total - prior - counts[:, place]))
            assert share.cdf(x) == pytest.approx(expected, rel=1e-9, abs=1e-15)
        low, high = share.interval(0.95)
        assert share.cdf(low) <= 0.025 or low == 0.0
        assert share.survival(high) <= 0.025 * (1.0 + 1e-9)
    first, second = Share(frozenset({0}), frozenset({0, 1})), Share(frozenset({1}))
    conditional = share_distribution(posterior, first).distribution
    of_first = float(weights @ ((prior + counts[:, 0]) / (2.0 * prior + counts[:, 0] + counts[:, 1])))
    assert conditional.mean == pytest.approx(of_first, rel=1e-9)
    for tail in (0.025, 0.5):
        at = conditional.quantile(tail)
        assert conditional.cdf(at) == pytest.approx(tail, abs=1e-6) or at in (0.0, 1.0)
    assert 0.0 <= share_distribution(posterior, second).distribution.interval(0.95)[0] < 1e-3


def test_two_categories_compare_at_one_half() -> None:
    event = SimplexGeometric(40, 2, Epsilon.parse("0.3"))
    posterior = infer(event, NoisyCounts((25, 15), (25, 15)), [1.0, 3.0])
    counts, weights = posterior_of_counts(event, (25, 15), np.array([1.0, 3.0]))
    assert posterior.greater(1, 0).value == pytest.approx(
        float(weights @ betaincc(3 + counts[:, 1], 1 + counts[:, 0], 0.5)), abs=1e-12
    )


def test_a_comparison_over_very_many_counts_is_simulated_and_says_so() -> None:
    event, noisy = SimplexGeometric(100_000, 3, Epsilon.parse("0.0005")), (50_000, 40_000, 10_000)
    estimate = infer(event, NoisyCounts(noisy, noisy), [1.0, 1.0, 1.0]).greater(0, 1)
    assert (estimate.method, estimate.draws) == ("simulation", 4000)
    assert estimate.error == pytest.approx((estimate.value * (1 - estimate.value) / 4000) ** 0.5, rel=0.05)


def test_two_nearly_empty_categories_compare_by_draws_as_their_equal_priors() -> None:
    """Most draws of either share are below the least float."""
    event, noisy = SimplexGeometric(100_000, 3, Epsilon.parse("0.0005")), (100_000, 0, 0)
    posterior = infer(event, NoisyCounts(noisy, noisy), [1.0, 0.001, 0.001])
    estimate = posterior.greater(1, 2)
    assert estimate.method == "simulation"
    assert estimate.value == pytest.approx(0.5, abs=5.0 * estimate.error)


def test_joint_draws_repeat_by_seed_and_agree_with_the_marginals() -> None:
    event = SimplexGeometric(60, 3, Epsilon.parse("0.4"))
    posterior = infer(event, NoisyCounts((30, -2, 32), (29, 0, 31)), [1.0, 0.5, 2.0])
    draws = posterior.draws(1500, seed=5)
    assert draws.shape == (1500, 3)
    np.testing.assert_allclose(draws.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_array_equal(draws[:10], posterior.draws(1500, seed=5)[:10])
    assert not np.array_equal(draws[:10], posterior.draws(10, seed=6))
    for i, share in enumerate(posterior.shares()):
        assert stats.kstest(draws[:, i], np.vectorize(share.cdf)).pvalue > FALSE_ALARM
    wrong = infer(event, NoisyCounts((38, -2, 24), (37, 0, 23)), [1.0, 0.5, 2.0]).share(0)
    assert stats.kstest(draws[:, 0], np.vectorize(wrong.cdf)).pvalue < FALSE_ALARM


@pytest.mark.parametrize("prior", [[1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 1.0, float("nan")], [1.0, 1.0, 1e7]])
def test_a_prior_that_is_none_is_refused(prior: list[float]) -> None:
    with pytest.raises(InferenceError, match="prior"):
        infer(SimplexGeometric(10, 3, Epsilon.parse("1")), NoisyCounts((3, 3, 4), (3, 3, 4)), prior)


def test_a_category_is_not_compared_with_itself() -> None:
    posterior = infer(SimplexGeometric(10, 3, Epsilon.parse("1")), NoisyCounts((3, 3, 4), (3, 3, 4)), [1.0, 1.0, 1.0])
    with pytest.raises(InferenceError, match="other categories"):
        posterior.greater(1, 1)


@pytest.mark.long
def test_every_pair_of_shares_is_compared_on_the_same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    event = SimplexGeometric(1_000_000, 4, Epsilon.parse("0.0005"))
    counts = (250_000,) * 4
    found = infer(event, NoisyCounts(counts, counts), [1.0] * 4)
    sizes, draws = [], NoiseAwarePosterior.log_gammas

    def counting(self: NoiseAwarePosterior, size: int, *, seed: int) -> NDArray[np.float64]:
        sizes.append(size)
        return draws(self, size, seed=seed)

    monkeypatch.setattr(NoiseAwarePosterior, "log_gammas", counting)
    estimates = [found.greater(0, other) for other in (1, 2, 3)]
    assert {each.method for each in estimates} == {"simulation"}
    assert sizes == [4000]
