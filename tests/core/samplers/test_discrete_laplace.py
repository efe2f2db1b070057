from fractions import Fraction
from math import exp

import numpy as np
import opendp.prelude as dp
import pytest
from scipy.stats import ks_2samp

from core.samplers.discrete_laplace import discrete_laplace, floored_laplaces
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import FALSE_ALARM, assert_accepts, assert_rejects

SCALES = [Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(10**9, 123_456_789)]


def distribution(scale: float) -> dict[int, float]:
    q = exp(-1 / scale)
    return {k: (1 - q) / (1 + q) * q ** abs(k) for k in range(-300, 301)}


@pytest.mark.parametrize("scale", SCALES)
def test_discrete_laplace(scale: Fraction) -> None:
    entropy = SeededEntropy(1)
    draws = [discrete_laplace(scale, entropy) for _ in range(10_000)]
    assert_accepts(draws, distribution(float(scale)))
    assert_rejects(draws, distribution(1.3 * float(scale)))
    assert_rejects(draws, distribution(0.7 * float(scale)))


@pytest.mark.parametrize("scale", SCALES)
def test_the_floored_laplace_is_what_flooring_a_continuous_one_gives(scale: Fraction) -> None:
    draws = floored_laplaces(scale, 20_000, SeededEntropy(2))

    def floored(b: float) -> dict[int, float]:
        """P(k <= Y < k + 1) from the distribution function of Laplace(b)."""
        q = exp(-1 / b)
        return {k: (1 - q) / 2 * (q**k if k >= 0 else q ** (-1 - k)) for k in range(-300, 300)}

    assert_accepts(draws, floored(float(scale)))
    if scale < 5:
        assert_rejects(draws, distribution(float(scale)))
    if scale > 1:
        assert_rejects(draws, floored(1.3 * float(scale)))
        assert_rejects(draws, floored(0.7 * float(scale)))


def test_opendp_draws_from_the_same_distribution() -> None:
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    theirs = np.array(dp.m.make_laplace(*space, scale=2.5)([0] * 20_000))
    entropy = SeededEntropy(3)
    ours, wider = (
        [discrete_laplace(scale, entropy) for _ in range(20_000)] for scale in (Fraction(5, 2), Fraction(13, 4))
    )
    # OpenDP takes no seed: each run fails with probability FALSE_ALARM (the two-sample test is conservative on
    # integers).
    assert ks_2samp(theirs, ours).pvalue > FALSE_ALARM
    assert ks_2samp(theirs, wider).pvalue < FALSE_ALARM
