"""Posteriors of releases at a private number of records: reference values, pooling, and the sum of the noisy counts."""

from __future__ import annotations

from itertools import product
from typing import get_args

import numpy as np
import pytest
from scipy import special

from core.inference import infer
from core.inference.counts import InferenceError
from core.inference.events import Share, share_distribution
from core.inference.posterior import NoiseAwarePosterior, pool
from core.inference.published import Noise, PublishedCell, Total, infer_table
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.private_size import Law, PrivateSize, rehearse
from core.privacy import Delta, Epsilon, Rho
from core.queries.released_counts import noisy_total
from core.samplers.entropy import SeededEntropy

E, R = Epsilon.parse, Rho.parse
DELTA = Delta.parse("0.000001")


def counts(*noisy: int) -> NoisyCounts:
    return NoisyCounts(noisy, tuple(max(y, 0) for y in noisy))


def share_up_to(posterior: NoiseAwarePosterior, at: float) -> float:
    return 1.0 - share_distribution(posterior, Share(frozenset({0}))).above(at).value


@pytest.mark.parametrize(
    ("noisy", "prior", "epsilon", "up_to_03", "mean"),
    [
        ((3, -1, 5), (1, 0.5, 2), "1", 0.470512000856, 7.69818699104),
        ((-50, 5, 8), (1, 1, 1), "1", 0.97144147672, None),
        ((-1000, -1000, -1000), (1, 1, 1), "1", 0.51, 0.58197671),
        ((2, -3, 1), (0.001, 0.001, 0.001), "1", 0.308451187024, 1.82816074821),
        ((40, 35, 50, 42), (1, 1, 1, 1), "0.1", None, 154.83),
        ((40, 35, 50, 42), (0.1, 0.1, 0.1, 0.1), "0.1", None, 129.18),
        ((40, 35, 50, 42), (0.001, 0.001, 0.001, 0.001), "0.1", None, 48.89),
    ],
)
def test_a_release_has_the_posterior_of_a_sum_over_all_tables(
    noisy: tuple[int, ...], prior: tuple[float, ...], epsilon: str, up_to_03: float | None, mean: float | None
) -> None:
    """Brute force in 40 digits."""
    posterior = infer(PrivateSize(len(noisy), "geometric", E(epsilon)), counts(*noisy), prior)
    if up_to_03 is not None:
        assert share_up_to(posterior, 0.3) == pytest.approx(up_to_03, abs=1e-11)
    if mean is not None:
        assert posterior.counts.totals().mean == pytest.approx(mean, rel=5e-5 if len(noisy) == 4 else 1e-8)
    assert posterior.counts.error < 1e-6


def listed(
    releases: list[tuple[PrivateSize, NoisyCounts]], prior: list[float], most: int
) -> tuple[float, float, list[float]]:
    """P(θ_1 <= 0.3), E n and E c by a sum over all tables of two counts up to `most`."""
    c = np.array(list(product(range(most + 1), repeat=2)))
    logs = special.gammaln(c.sum(axis=1) + 1.0) - special.gammaln(c.sum(axis=1) + sum(prior))
    for i, alpha in enumerate(prior):
        logs += special.gammaln(alpha + c[:, i]) - special.gammaln(c[:, i] + 1.0)
        for event, release in releases:
            logs += event.noise.log_mass(release.noisy[i] - c[:, i])
    weights = np.exp(logs - special.logsumexp(logs))
    share = special.betainc(prior[0] + c[:, 0], prior[1] + c[:, 1], 0.3)
    return float(weights @ share), float(weights @ c.sum(axis=1)), [float(weights @ c[:, i]) for i in range(2)]


@pytest.mark.parametrize("prior", [[1.0, 0.5], [0.01, 20.0]], ids=str)
def test_one_release_or_several_have_the_posterior_of_all_their_noise(prior: list[float]) -> None:
    each: dict[Law, PrivateSize] = {
        "geometric": PrivateSize(2, "geometric", E("1"), Delta(0), 2),
        "laplace": PrivateSize(2, "laplace", E("0.7")),
        "gaussian": PrivateSize(2, "gaussian", R("0.1"), DELTA, 3),
    }
    releases = [(each["geometric"], counts(4, -2)), (each["laplace"], counts(6, 1)), (each["gaussian"], counts(0, 5))]
    for some in (*([one] for one in releases), releases):
        expected = listed(some, prior, 200)
        posterior = pool(some, prior)
        assert share_up_to(posterior, 0.3) == pytest.approx(expected[0], abs=1e-9)
        assert posterior.counts.totals().mean == pytest.approx(expected[1], rel=1e-9)
        assert [one.mean for one in posterior.counts.marginals()] == pytest.approx(expected[2], rel=1e-9)


def test_a_bound_on_the_number_of_records_is_part_of_the_prior() -> None:
    event = PrivateSize(2, "geometric", E("0.1"))
    free, bounded = (pool([(event, counts(30, 9))], [1.0, 1.0], at_most=most) for most in (None, 25))
    assert bounded.counts.totals().probabilities.size == 26
    assert bounded.counts.totals().mean < 25 < free.counts.totals().mean


def test_a_release_has_the_posterior_of_the_same_numbers_published_by_somebody_else() -> None:
    for law, name, event in (
        ("geometric", "geometric", PrivateSize(3, "geometric", E("0.5"))),
        ("floored_laplace", "laplace", PrivateSize(3, "laplace", E("0.5"))),
        ("discrete_gaussian", "gaussian", PrivateSize(3, "gaussian", R("0.125"), DELTA)),
    ):
        assert event.law == name
        own = infer(event, counts(12, 0, 31), [1.0, 1.0, 1.0])
        cells = [PublishedCell(float(y), Noise(law, 2.0)) for y in (12, 0, 31)]  # type: ignore[arg-type]
        other = infer_table([cells], [1.0, 1.0, 1.0], Total())
        assert own.counts.totals().mean == pytest.approx(other.counts.totals().mean, rel=1e-12)
        assert share_up_to(own, 0.3) == pytest.approx(share_up_to(other, 0.3), abs=1e-12)


def test_the_sum_of_the_noisy_counts_estimates_the_number_of_records_without_a_prior() -> None:
    true, entropy = np.array([400, 0, 30, 7]), SeededEntropy(4)
    for law in get_args(Law):
        loss, delta = (R("0.02"), DELTA) if law == "gaussian" else (E("0.3"), Delta(0))
        events = [PrivateSize(4, law, loss, delta), PrivateSize(4, "geometric", E("0.2"))]
        drawn = [[(event, rehearse(true, event, entropy).noisy) for event in events] for _ in range(300)]
        estimates = [noisy_total(releases) for releases in drawn]
        errors, half = np.array([each.estimate for each in estimates]) - 437.0, estimates[0].half_width(0.9)
        assert np.std(errors) == pytest.approx(estimates[0].deviation, rel=0.15), law
        assert abs(np.mean(errors)) < 4 * estimates[0].deviation / 300**0.5, law
        assert 250 <= np.count_nonzero(np.abs(errors) <= half) <= 290, law  # 270 expected, standard deviation 5.2
        one = noisy_total(drawn[0][:1])
        assert one.estimate == sum(drawn[0][0][1]) + (2.0 if law == "laplace" else 0.0), law


def test_releases_at_a_private_and_at_a_public_number_of_records_are_not_pooled() -> None:
    private, public = PrivateSize(2, "gaussian", R("0.1"), DELTA), Gaussian(9, 2, R("0.1"), DELTA)
    with pytest.raises(InferenceError, match="same number of records"):
        pool([(private, counts(4, 5)), (public, counts(4, 5))], [1.0, 1.0])


def test_posteriors_at_an_unknown_size_that_take_minutes_are_refused_before_the_work() -> None:
    cases = ((5001, 1.0, "at most 5000 categories"), (20, 50_001.0, "must sum to at most 1000000"))
    for m, alpha, rule in cases:
        with pytest.raises(InferenceError, match=rule):
            infer(PrivateSize(m, "geometric", E("1")), counts(*[1] * m), np.full(m, alpha))
