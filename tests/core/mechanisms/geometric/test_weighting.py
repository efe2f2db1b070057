"""The weighted draw on a small simplex: its probabilities, its loss, and its place beside the linear program's
optimum.
"""

from fractions import Fraction
from math import exp, log

import mpmath
import numpy as np
import pytest

from core.inference import infer
from core.mechanisms.geometric.mechanism import SimplexGeometric, certify, release
from core.mechanisms.geometric.weighting import SimplexWeighting, weighting
from core.privacy import Epsilon
from core.private import Private
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import assert_accepts, assert_rejects
from tests.core.inference.reference import histograms, posterior_of_counts

E = Epsilon.parse
SPACES = [
    (4, 3, "0.3"),
    (10, 3, "0.8"),
    (43, 3, "2"),
    (16, 4, "0.3"),
    (9, 5, "2"),
    (3, 10, "0.01"),
    (2, 24, "5"),
    (10, 3, "50"),
]


def table_of(n: int, m: int, epsilon: str) -> SimplexWeighting:
    table = weighting(n, m, E(epsilon))
    assert table is not None
    return table


@pytest.mark.parametrize(("n", "m", "epsilon"), SPACES)
def test_probabilities_sum_to_one_without_a_normaliser(n: int, m: int, epsilon: str) -> None:
    table = table_of(n, m, epsilon)
    assert table.weights.min() >= 0
    assert len({tuple(r) for r in table.candidates.tolist()}) == len(table.candidates)
    sums = [table.probabilities(c).sum() for c in table.candidates]
    assert np.abs(np.array(sums) - 1).max() < 1e-12


@pytest.mark.parametrize(("n", "m", "epsilon"), [(4, 3, "0.3"), (6, 3, "2"), (4, 4, "0.8"), (3, 5, "10")])
def test_the_integer_weights_stay_within_the_certified_loss(n: int, m: int, epsilon: str) -> None:
    """Every pair of neighbours, every candidate, by exact rational arithmetic."""
    table = table_of(n, m, epsilon)
    rows = []
    for c in table.candidates:
        exact = [Fraction(p) for p in table.probabilities(c).tolist()]
        assert min(exact) > 0
        rows.append([p / sum(exact) for p in exact])
    worst = Fraction(0)
    for x, first in enumerate(table.candidates):
        for y, second in enumerate(table.candidates):
            if np.abs(first - second).sum() == 2:
                worst = max(worst, *(a / b for a, b in zip(rows[x], rows[y], strict=True)))
    certified = float(certify(SimplexGeometric(n, m, E(epsilon))).loss.epsilon)
    assert certified == float(E(epsilon))
    assert log(worst) <= certified
    assert log(worst) > 0.999 * certified - 1e-7, "and the bound is met"


@pytest.mark.parametrize(("n", "m", "epsilon", "stronger"), [(6, 3, "0.8", "1.04"), (4, 4, "2", "2.6")])
def test_releases_follow_the_channel(n: int, m: int, epsilon: str, stronger: str) -> None:
    event, table = SimplexGeometric(n, m, E(epsilon)), table_of(n, m, epsilon)
    counts = np.zeros(m, dtype=np.int64)
    counts[0], counts[1] = n - 1, 1
    index = {tuple(r): k for k, r in enumerate(table.candidates.tolist())}
    entropy = SeededEntropy(1)
    releases = [release(Private(counts), event, entropy).value for _ in range(8000)]
    assert all(r.noisy == r.on_simplex for r in releases)
    draws = [index[r.noisy] for r in releases]
    assert_accepts(draws, dict(enumerate(table.probabilities(counts))))
    for wrong in (
        table.probabilities(counts[::-1].copy()),
        table_of(n, m, stronger).probabilities(counts),
    ):
        assert_rejects(draws, dict(enumerate(wrong)))


def test_two_categories_large_spaces_and_extreme_rates_have_no_weighting() -> None:
    assert weighting(10, 2, E("1")) is None
    assert weighting(44, 3, E("1")) is None
    assert weighting(43, 3, E("20")) is None
    assert weighting(4, 3, E("0.01")) is None, "a weight would be negative"


def test_the_posterior_needs_nothing_but_the_likelihood_of_the_noise() -> None:
    """The weight of the release does not depend on c, so Bayes' rule over the whole channel agrees with inference."""
    event, table = SimplexGeometric(8, 3, E("0.8")), table_of(8, 3, "0.8")
    observed = next(k for k, r in enumerate(table.candidates.tolist()) if r == [5, 0, 3])
    prior = np.array([1.0, 0.5, 2.0])
    released = release(Private(np.array([5, 0, 3])), event, SeededEntropy(2)).value
    marginal = infer(event, type(released)((5, 0, 3), (5, 0, 3)), prior).counts.marginals()[0]
    counts, weights = posterior_of_counts(event, (5, 0, 3), prior)
    by_channel = np.array([table.probabilities(c)[observed] for c in counts])
    by_noise = np.array([exp(-(0.4 - 1e-8) * np.abs(c - np.array([5, 0, 3])).sum()) for c in counts])
    np.testing.assert_allclose(by_channel / by_noise, (by_channel / by_noise)[0], rtol=1e-12)
    exact = np.bincount(counts[:, 0], weights, minlength=9)
    np.testing.assert_allclose(
        marginal.probabilities, exact[marginal.low : marginal.low + marginal.probabilities.size], atol=1e-12
    )


@pytest.mark.parametrize(
    ("n", "m", "epsilon"), [(4, 3, "0.3"), (6, 3, "1"), (5, 4, "0.3"), (3, 6, "0.5"), (6, 3, "50")]
)
def test_a_stranger_enumerates_the_channel_from_its_certificate(n: int, m: int, epsilon: str) -> None:
    """Solved in 30 digits, from the texts of the certificate alone."""
    details = certify(SimplexGeometric(n, m, E(epsilon))).details
    assert details["support"] == "simplex"
    rate = mpmath.mpf(details["noise_rate"].removesuffix("/2")) / 2
    candidates = histograms(n, m)
    with mpmath.workdps(30):
        kernel = mpmath.matrix(len(candidates))
        for x, y in np.ndindex(len(candidates), len(candidates)):
            kernel[int(x), int(y)] = mpmath.exp(-rate * int(np.abs(candidates[x] - candidates[y]).sum()))
        weights = mpmath.lu_solve(kernel, mpmath.ones(len(candidates), 1))
    table = table_of(n, m, epsilon)
    places = {tuple(each): place for place, each in enumerate(table.candidates.tolist())}
    for c in (0, len(candidates) // 2):
        drawn = table.probabilities(candidates[c])
        for r, released in enumerate(candidates.tolist()):
            exact = float(weights[r] * kernel[r, c])
            assert drawn[places[tuple(released)]] == pytest.approx(exact, rel=float(details["relative_error"]))
