import numpy as np
from scipy import stats

from core.samplers.reproducible import Reproducible
from tests.core.chi_square import FALSE_ALARM


def test_a_seed_repeats_its_draws() -> None:
    assert np.array_equal(Reproducible(3).uniforms(5), Reproducible(3).uniforms(5))
    assert not np.array_equal(Reproducible(3).uniforms(5), Reproducible(4).uniforms(5))
    assert Reproducible(3).entropy().bits(64) == Reproducible(3).entropy().bits(64)


def test_dirichlet_draws_have_beta_marginals() -> None:
    draws = Reproducible(1).dirichlets(np.tile([0.3, 2.0, 5.0], (20_000, 1)))
    np.testing.assert_allclose(draws.sum(axis=1), 1.0, rtol=1e-12)
    for i, a in enumerate((0.3, 2.0, 5.0)):
        assert stats.kstest(draws[:, i], stats.beta(a, 7.3 - a).cdf).pvalue > FALSE_ALARM


def test_dirichlet_draws_of_small_concentrations_do_not_vanish() -> None:
    draws = Reproducible(1).dirichlets(np.full((20_000, 3), 0.001))
    assert np.isfinite(draws).all()
    # Each corner takes nearly all in a third of the draws: six standard errors.
    assert np.abs(draws.mean(axis=0) - 1 / 3).max() < 6 * (2 / 9 / 20_000) ** 0.5
