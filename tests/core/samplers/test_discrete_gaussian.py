from fractions import Fraction
from math import exp

import numpy as np
import opendp.prelude as dp
import pytest
from scipy.stats import ks_2samp

from core.samplers.discrete_gaussian import discrete_gaussian
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import FALSE_ALARM, assert_accepts, assert_rejects


def distribution(variance: float) -> dict[int, float]:
    weights = {k: exp(-(k**2) / (2 * variance)) for k in range(-200, 201)}
    total = sum(weights.values())
    return {k: weight / total for k, weight in weights.items()}


@pytest.mark.parametrize("variance", [Fraction(1, 4), Fraction(1), Fraction(25, 3), Fraction(10**12, 10**10 + 1)])
def test_discrete_gaussian(variance: Fraction) -> None:
    entropy = SeededEntropy(1)
    draws = [discrete_gaussian(variance, entropy) for _ in range(10_000)]
    assert_accepts(draws, distribution(float(variance)))
    assert_rejects(draws, distribution(1.3**2 * float(variance)))
    assert_rejects(draws, distribution(0.7**2 * float(variance)))


def test_opendp_draws_from_the_same_distribution() -> None:
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
    theirs = np.array(dp.m.make_gaussian(*space, scale=4.0)([0] * 10_000))
    entropy = SeededEntropy(2)
    # OpenDP takes no seed: each run fails with probability FALSE_ALARM (the two-sample test is conservative on
    # integers).
    assert ks_2samp(theirs, [discrete_gaussian(Fraction(16), entropy) for _ in range(10_000)]).pvalue > FALSE_ALARM
    assert ks_2samp(theirs, [discrete_gaussian(Fraction(27), entropy) for _ in range(10_000)]).pvalue < FALSE_ALARM
