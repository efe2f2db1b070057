import numpy as np
import pytest
from scipy.special import beta as beta_function
from scipy.special import betaln

from core.inference import BetaMixture, greater


def beta(a: float, b: float) -> BetaMixture:
    return BetaMixture(a, a + b, 0, np.array([1.0]))


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


def test_what_no_float_can_tell_apart_is_in_the_error() -> None:
    """With concentration 0.001 half of the probability lies below 1e-300, for both shares."""
    estimate = greater(beta(0.001, 1), beta(0.001, 1))
    assert abs(estimate.value - 0.5) <= estimate.error


def test_mixtures_compare_as_the_mixture_of_comparisons() -> None:
    first, second = BetaMixture(1.0, 12.0, 2, np.array([0.4, 0.6])), BetaMixture(0.5, 30.0, 7, np.array([0.1, 0.9]))
    parts = [
        p * q * greater(beta(3.0 + i, 9.0 - i), beta(7.5 + k, 22.5 - k)).value
        for i, p in enumerate((0.4, 0.6))
        for k, q in enumerate((0.1, 0.9))
    ]
    assert greater(first, second).value == pytest.approx(sum(parts), abs=1e-10)


def test_a_law_against_itself_is_even() -> None:
    mixture = BetaMixture(0.7, 50.0, 3, np.array([0.3, 0.3, 0.4]))
    assert greater(mixture, mixture).value == pytest.approx(0.5, abs=1e-10)


def test_the_errors_of_the_posteriors_are_in_the_stated_error() -> None:
    assert greater(beta(2, 3), beta(4, 5), error=1e-4).error >= 1e-4


@pytest.mark.parametrize("total", [1e4, 1e7, 2.0**53])
def test_shares_that_lie_far_apart_compare(total: float) -> None:
    law = np.array([0.2, 0.5, 0.3])
    few, many = BetaMixture(1.0, 1e7, 10**5, law), BetaMixture(1.0, total, int(total / 2), law)
    assert greater(few, many).value == pytest.approx(0.0, abs=1e-11)
    assert greater(many, few).value == pytest.approx(1.0, abs=1e-11)
    for x in (1e-9, 0.01, 0.3, 0.5, 0.7, 1.0 - 1e-9):
        assert many.cdf(x, absolute=True) == pytest.approx(many.cdf(x), abs=1e-15)
        assert many.survival(x, absolute=True) == pytest.approx(many.survival(x), abs=1e-15)
