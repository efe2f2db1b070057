"""What a search returns was certified, and is close to the best there is."""

from __future__ import annotations

import numpy as np
import pytest

from core.mechanisms.exponential.search import best_gamma, largest_epsilon0, reference_histograms
from core.privacy import Epsilon


@pytest.mark.parametrize("power", [1.0, 1.1, 2.0])
@pytest.mark.parametrize("first", [0.01, 0.5, 20.0])
def test_the_largest_epsilon0_keeps_the_loss_allowed_and_nearly_uses_it(power: float, first: float) -> None:
    def loss_at(epsilon0: Epsilon) -> Epsilon:
        return Epsilon.ceil(0.7 * float(epsilon0) ** power)

    allowed = Epsilon.parse("0.8")
    found = loss_at(largest_epsilon0(loss_at, allowed, first))
    assert 0.999 * float(allowed) <= float(found) <= float(allowed)


def test_a_loss_that_jumps_above_what_is_allowed_is_never_accepted() -> None:
    def loss_at(epsilon0: Epsilon) -> Epsilon:
        return Epsilon.ceil(float(epsilon0) if float(epsilon0) < 0.3 else 2 * float(epsilon0))

    assert loss_at(largest_epsilon0(loss_at, Epsilon.parse("0.5"), 0.5)) <= Epsilon.parse("0.5")


def test_the_best_gamma_is_found_to_a_few_percent() -> None:
    assert best_gamma(lambda gammas: -np.abs(np.log(gammas / 0.0123))) == pytest.approx(0.0123, rel=0.1)


@pytest.mark.parametrize(("n", "m"), [(1, 2), (10, 3), (7, 40), (10**6, 100)])
def test_reference_histograms_are_histograms_of_n_records(n: int, m: int) -> None:
    for counts in reference_histograms(n, m):
        assert counts.shape == (m,)
        assert counts.min() >= 0
        assert counts.sum() == n
