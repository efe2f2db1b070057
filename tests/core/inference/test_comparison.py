import numpy as np
import pytest
from scipy.special import beta as beta_function
from scipy.special import betaln

from core.inference import infer
from core.inference.beta_pairs import BetaPairs
from core.inference.contrast_scales import Contrast
from core.inference.contrasts import TwoShareContrast
from core.inference.events import Share, greater_between
from core.inference.posterior import Estimate
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon


def beta(a: float, b: float) -> BetaPairs:
    return BetaPairs(np.array([a]), np.array([b]), np.ones(1))


def one_total(least: float, total: float, weights: list[float]) -> BetaPairs:
    a = least + np.arange(len(weights), dtype=np.float64)
    return BetaPairs(a[::-1], total - a[::-1], np.array(weights[::-1]))


def greater(first: BetaPairs, second: BetaPairs) -> Estimate:
    contrast = TwoShareContrast(first, second, None, Contrast.ODDS_RATIO)
    return Estimate(contrast.survival(1.0), contrast.error)


@pytest.mark.parametrize(
    ("a", "b", "c", "d"),
    [(2, 3, 4, 5), (1, 1, 1, 1), (7, 1, 2, 30), (0.5, 3.5, 2, 2), (0.001, 5, 3, 2), (34, 200, 16, 150)],
)
def test_two_betas_compare_as_their_closed_form(a: float, b: float, c: int, d: float) -> None:
    """P(Y > X) = Σ_{i=0}^{c−1} B(a + i, b + d) / ((d + i) B(1 + i, d) B(a, b)) for Y ~ Beta(c, d), X ~ Beta(a, b), c
    an integer (Evan Miller 2015).
    """
    i = np.arange(c)
    exceeds = float(np.exp(betaln(a + i, b + d) - np.log(d + i) - betaln(1 + i, d) - betaln(a, b)).sum())
    estimate = greater(beta(c, d), beta(a, b))
    assert estimate.value == pytest.approx(exceeds, abs=1e-9)
    assert greater(beta(a, b), beta(c, d)).value == pytest.approx(1 - exceeds, abs=1e-9)
    if a >= 0.5:
        assert abs(estimate.value - exceeds) <= estimate.error + 1e-10


def test_shares_that_round_to_one_compare() -> None:
    """1 − θ_A ~ Beta(1/4, 2) lies below 1e-16 with probability 1.2e-4. As 1 − θ_B ~ Beta(1, 2), P(θ_A > θ_B) = E (1
    − U)², U ~ Beta(1/4, 2).
    """
    exact = beta_function(0.25, 4) / beta_function(0.25, 2)
    estimate = greater(beta(2, 0.25), beta(2, 1))
    assert estimate.value == pytest.approx(exact, abs=1e-10)
    assert abs(estimate.value - exact) <= estimate.error
    assert greater(beta(2, 1), beta(2, 0.25)).value == pytest.approx(1 - exact, abs=1e-10)


def test_shares_that_no_float_tells_apart_compare() -> None:
    """With concentration 0.001 half of the probability lies below 1e-300, for both shares."""
    assert greater(beta(0.001, 1), beta(0.001, 1)).value == pytest.approx(0.5, abs=1e-11)
    # P(θ_A > θ_B) = 2/3 for θ = U^(1/a) and a = 0.002, 0.001.
    assert greater(beta(0.002, 1), beta(0.001, 1)).value == pytest.approx(2 / 3, abs=1e-11)


def test_mixtures_compare_as_the_mixture_of_comparisons() -> None:
    first, second = one_total(3.0, 12.0, [0.4, 0.6]), one_total(7.5, 30.0, [0.1, 0.9])
    parts = [
        p * q * greater(beta(3.0 + i, 9.0 - i), beta(7.5 + k, 22.5 - k)).value
        for i, p in enumerate((0.4, 0.6))
        for k, q in enumerate((0.1, 0.9))
    ]
    assert greater(first, second).value == pytest.approx(sum(parts), abs=1e-10)


def test_a_distribution_against_itself_is_even() -> None:
    mixture = one_total(3.7, 50.0, [0.3, 0.3, 0.4])
    assert greater(mixture, mixture).value == pytest.approx(0.5, abs=1e-10)


def test_the_errors_of_the_posteriors_are_in_the_stated_error() -> None:
    noisy = (20, 30)
    posterior = infer(SimplexGeometric(50, 2, Epsilon.parse("1")), NoisyCounts(noisy, noisy), [1.0, 1.0])
    share = Share(frozenset({0}))
    assert greater_between((posterior, share), (posterior, share)).error >= 2.0 * posterior.error


@pytest.mark.parametrize("total", [1e4, 1e7, 2.0**53])
def test_shares_that_lie_far_apart_compare(total: float) -> None:
    weights = [0.2, 0.5, 0.3]
    few, many = one_total(1.0 + 10**5, 1e7, weights), one_total(1.0 + int(total / 2), total, weights)
    assert greater(few, many).value == pytest.approx(0.0, abs=1e-11)
    assert greater(many, few).value == pytest.approx(1.0, abs=1e-11)


def test_windows_of_many_counts_compare_as_the_normal_distribution_does() -> None:
    """Noise of epsilon = 0.001 on 10^6 records leaves 10^5 counts likely."""
    event = SimplexGeometric(10**6, 3, Epsilon.parse("0.001"))
    first, second = (
        infer(event, NoisyCounts(noisy, noisy), [1.0, 1.0, 1.0])
        for noisy in ((400_000, 350_000, 250_000), (401_000, 349_000, 250_000))
    )
    share = Share(frozenset({0}))
    assert first.share(0).probabilities.size > 10**5
    forward, back = greater_between((first, share), (second, share)), greater_between((second, share), (first, share))
    assert forward.method == "exact"
    assert forward.value + back.value == pytest.approx(1.0, abs=forward.error)
    assert 0.3 < forward.value < 0.5
