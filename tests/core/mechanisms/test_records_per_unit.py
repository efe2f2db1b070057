"""The proven loss of k changed records, compared with brute force over every pair of histograms at distance up to k."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from benchmarks import prices
from core.accounting.group import loss_of_group, share_of_delta, share_of_epsilon, share_of_rho
from core.accounting.renyi import _losses_of_geometric
from core.accounting.zcdp import rho_of_pure
from core.candidates import histograms
from core.mechanisms.catalogue import Event, certify, certify_unit
from core.mechanisms.exponential import calibration
from core.mechanisms.exponential.mechanism import Exponential, weights_at
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric, log_noise
from core.mechanisms.geometric.weighting import weighting
from core.mechanisms.laplace import Laplace
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho

ORDERS = (1.01, 1.5, 2.0, 4.0, 16.0, 64.0, 1e3)


def matrix(event: Event) -> NDArray[np.float64]:
    """P(r | c), row c, of a channel over all histograms."""
    every = histograms(event.n, event.m)
    if isinstance(event, SimplexGeometric):
        table = weighting(event.n, event.m, event.epsilon)
        assert table is not None
        return np.array([table.probabilities(c) for c in every])
    assert isinstance(event, Exponential)
    weights = [weights_at(event, c).astype(np.float64) for c in every]
    return np.array([row / row.sum() for row in weights])


def pairs_within(n: int, m: int, k: int) -> list[tuple[int, int]]:
    every = histograms(n, m)
    moved = np.abs(every[:, None, :] - every[None, :, :]).sum(axis=2) // 2
    return [(int(i), int(j)) for i, j in np.argwhere((moved > 0) & (moved <= k))]


def renyi(p: NDArray[np.float64], q: NDArray[np.float64], order: float) -> float:
    kept = p > 0
    logs = order * np.log(p[kept]) + (1 - order) * np.log(q[kept])
    return float(special.logsumexp(logs)) / (order - 1)


def certified(event: Event, k: int) -> PrivacyLoss:
    certificate = certify_unit(event, k)
    assert certificate.details["records_per_unit"] == str(k)
    assert f"when {k} records change" in certificate.statement
    return certificate.loss


PRIOR = (1.0, 0.5, 2.0)
CHANNELS: list[Event] = [
    SimplexGeometric(6, 3, Epsilon.parse("0.4")),
    SimplexGeometric(4, 4, Epsilon.parse("0.9")),
    calibration.calibrate_global(6, PRIOR, Epsilon.parse("0.7")),
    calibration.calibrate_certified(6, PRIOR, Epsilon.parse("0.5"), Delta(0)),
    calibration.calibrate_published(6, PRIOR, Epsilon.parse("0.5"), Delta.parse("1e-4")),
]


@pytest.mark.every(3)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("event", CHANNELS, ids=lambda event: type(event).__name__)
def test_a_listed_channel_keeps_its_certificate_at_distance_k(event: Event, k: int) -> None:
    loss, channel = certified(event, k), matrix(event)
    pairs = pairs_within(event.n, event.m, k)
    worst = max(float(np.log(channel[i] / channel[j]).max()) for i, j in pairs)
    assert loss.delta.units == 0
    assert certify(event).loss.epsilon < Epsilon.floor(worst)  # what holds for one record is false for k
    assert worst <= float(loss.epsilon)
    assert loss.rho is not None
    rho = max(renyi(channel[i], channel[j], order) / order for i, j in pairs for order in ORDERS)
    assert rho <= float(loss.rho)


@pytest.mark.every(3)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(
    "prior", [(1.0, 1.0, 1.0), (1.0, 0.5, 2.0), (1.0, 1.0), (2.0, 0.5), (1.0, 1.0, 3.0, 3.0)], ids=str
)
def test_a_small_channel_is_charged_what_k_records_cost_and_no_more(prior: tuple[float, ...], k: int) -> None:
    """Group privacy asks for up to three times the ρ and twice the ε."""
    event = calibration.calibrate_global(8 if len(prior) < 4 else 4, prior, Epsilon.parse("1.5"))
    one, loss, logs = certify(event).loss, certified(event, k), np.log(matrix(event))
    pairs = np.array(pairs_within(event.n, event.m, k))
    losses = logs[pairs[:, 0]] - logs[pairs[:, 1]]
    assert losses.max() <= float(loss.epsilon) <= losses.max() + 1e-7
    assert loss.epsilon < Epsilon(k * one.epsilon.units)
    orders = np.concatenate([[1.001], np.geomspace(1.01, 1e4, 120)])
    divergences = [special.logsumexp(logs[pairs[:, 0]] + (a - 1) * losses, axis=1).max() / (a - 1) / a for a in orders]
    assert loss.rho is not None
    assert max(divergences) <= float(loss.rho) <= 1.02 * max(divergences)
    assert one.rho is not None
    assert loss.rho < Rho(k * k * one.rho.units)


def test_neighbours_alone_would_not_do_for_k_records() -> None:
    """The planted fault: the loss of one record, or of any pair of categories between which k records move."""
    event = calibration.calibrate_global(8, (1.0, 1.0, 1.0, 1.0), Epsilon.parse("1.5"))
    assert certify(event).loss.epsilon < Epsilon.floor(0.9 * float(certified(event, 2).epsilon))


def test_large_channels_go_by_group_privacy() -> None:
    large = calibration.calibrate_global(400, (1.0, 1.0, 1.0), Epsilon.parse("1"))
    assert certified(large, 2) == loss_of_group(certify(large).loss, 2)


@pytest.mark.parametrize("k", [2, 3])
def test_a_delta_grows_as_group_privacy_says(k: int) -> None:
    event = calibration.calibrate_certified(6, PRIOR, Epsilon.parse("0.5"), Delta.parse("0.01"))
    loss, one, channel = certified(event, k), certify(event).loss, matrix(event)
    pairs = pairs_within(event.n, event.m, k)

    def over(epsilon: Epsilon) -> float:
        return max(float(np.maximum(channel[i] - math.exp(epsilon) * channel[j], 0.0).sum()) for i, j in pairs)

    assert over(one.epsilon) > float(one.delta)  # what holds for one record is false for k
    assert over(loss.epsilon) <= float(loss.delta)
    assert loss.delta > Delta(k * one.delta.units)


def shifts(m: int, k: int) -> list[tuple[int, ...]]:
    """The changes of k replaced records: integer vectors of sum 0 and l1 norm at most 2k."""
    return [v for v in product(range(-k, k + 1), repeat=m) if not sum(v) and 0 < sum(map(abs, v)) <= 2 * k]


@pytest.mark.parametrize("k", [2, 3])
def test_noise_on_the_lattice_keeps_its_certificate_at_every_shift(k: int) -> None:
    event = SimplexGeometric(10**6, 3, Epsilon.parse("0.6"))
    loss = certified(event, k)
    reach = 90
    z = np.array([(a, b, -a - b) for a in range(-reach, reach + 1) for b in range(-reach, reach + 1)])
    logs = log_noise(event, z).sum(axis=1)
    normaliser = float(special.logsumexp(logs))
    likely = np.exp(logs - normaliser)
    worst = rho = 0.0
    for v in shifts(3, k):
        shifted = log_noise(event, z - np.array(v)).sum(axis=1)
        worst = max(worst, float((logs - shifted).max()))
        rho = max(rho, *(renyi(likely, np.exp(shifted - normaliser), order) / order for order in ORDERS[:5]))
    assert worst == pytest.approx(float(loss.epsilon), rel=1e-9)
    assert loss.rho is not None
    assert 0.5 * float(loss.rho) < rho <= float(loss.rho)


@pytest.mark.parametrize(("m", "k"), [(2, 3), (3, 2), (4, 3)])
def test_laplace_noise_keeps_its_certificate_at_every_shift(m: int, k: int) -> None:
    event = Laplace(100, m, Epsilon.parse("0.8"))
    loss = certified(event, k)
    y = np.arange(-250, 251)

    def distribution(shift: int) -> NDArray[np.float64]:
        logs = event.noise.log_mass(y - shift)
        return np.exp(logs - special.logsumexp(logs))

    base = distribution(0)
    of_shift = {s: distribution(s) for s in range(-k, k + 1)}
    worst = max(sum(float(np.log(base / of_shift[s])[100:400].max()) for s in v[:-1] if s) for v in shifts(m, k))
    assert worst == pytest.approx(float(loss.epsilon), rel=1e-6)
    assert loss.rho is not None
    rho = max(sum(renyi(base, of_shift[s], a) for s in v[:-1] if s) / a for v in shifts(m, k) for a in ORDERS[:6])
    assert rho <= float(loss.rho)


@pytest.mark.parametrize(("channels", "seed"), [(9, 2), pytest.param(500, 31, marks=pytest.mark.long)])
def test_k_records_are_charged_what_they_cost_and_at_most_a_hundredth_more(channels: int, seed: int) -> None:
    """The truth by brute force over all pairs at distance up to k: `python -m benchmarks.prices` makes the table."""
    for kind, event in prices.channels(channels, seed):
        for k in prices.RECORDS:
            found = prices.price(kind, event, k)
            assert prices.within_bounds(found), found


@pytest.mark.parametrize(
    ("event", "dearer"),
    [
        (SimplexGeometric(10**6, 3, Epsilon.parse("0.6")), 1.3),
        (SimplexGeometric(6, 3, Epsilon.parse("0.6")), 1.4),
        (Laplace(10**6, 3, Epsilon.parse("2")), 1.4),
        (calibration.calibrate_certified(6, PRIOR, Epsilon.parse("0.5"), Delta.parse("0.01")), 2.0),
    ],
    ids=lambda value: type(value).__name__,
)
def test_group_privacy_alone_would_charge_more(event: Event, dearer: float) -> None:
    """The planted fault: k²ρ, or k²ρ and kε beside a δ."""
    loss, group = certified(event, 3), loss_of_group(certify(event).loss, 3)
    _, rho = prices.cost(event, 3, loss)
    assert group.rho is not None
    assert float(group.rho) > dearer * rho


@pytest.mark.every(3)
@pytest.mark.parametrize("k", [2, 7, 100])
@pytest.mark.parametrize("m", [2, 3, 4, 6, 30])
@pytest.mark.parametrize("epsilon", ["0.2", "0.7", "9"])
def test_the_losses_of_k_records_on_the_lattice_have_the_noises_probabilities(k: int, m: int, epsilon: str) -> None:
    """Summed over the two counts that move, given the distribution of the sum of the others."""
    q = math.exp(-float(epsilon) / 2)
    reach = math.ceil(80 / float(epsilon)) + k
    z = np.arange(-reach, reach + 1)
    rest = np.array([1.0])
    for _ in range(m - 2):
        rest = np.convolve(rest, q ** np.abs(z).astype(float))
    x, y = np.meshgrid(z, z, indexing="ij")
    middle = len(rest) // 2
    inside = np.abs(x + y) <= middle
    likely = np.where(inside, q ** (np.abs(x) + np.abs(y)) * rest[np.clip(middle - x - y, 0, len(rest) - 1)], 0.0)
    likely /= likely.sum()
    losses = (np.abs(x - k) - np.abs(x) + np.abs(y + k) - np.abs(y)) // 2
    distribution = np.bincount((losses + k).ravel(), likely.ravel(), minlength=2 * k + 1)
    with localcontext(prec=60):
        found = [float(p) for p in _losses_of_geometric(Decimal(epsilon), m, k)]
    np.testing.assert_allclose(found, distribution[:k:-1], rtol=1e-6, atol=1e-13)


@pytest.mark.parametrize("k", [2, 5])
def test_gaussian_noise_costs_the_square_of_k(k: int) -> None:
    event = Gaussian(100, 3, Rho.parse("0.02"), Delta.parse("1e-6"))
    loss, one = certified(event, k), certify(event).loss
    z = np.arange(-200, 201)
    logs = -(z**2) / (2 * float(event.variance))
    distribution = np.exp(logs - special.logsumexp(logs))
    far = np.exp(-((z - k) ** 2) / (2 * float(event.variance)) - special.logsumexp(logs))
    # The worst shift moves two counts by k.
    assert 2 * renyi(distribution, far, 2.0) / 2.0 == pytest.approx(float(loss.rho or 0), rel=1e-9)
    assert loss.rho == Rho(k * k * event.rho.units)
    assert loss.delta == one.delta
    assert one.epsilon < loss.epsilon < Epsilon(k * k * one.epsilon.units)


@pytest.mark.parametrize("k", [1, 2, 7, 1000])
def test_shares_of_one_record_keep_what_was_asked_for_k(k: int) -> None:
    epsilon, delta, rho = Epsilon.parse("1.000000001"), Delta.parse("0.001"), Rho.parse("0.1")
    of_one = share_of_epsilon(epsilon, k)
    loss = loss_of_group(PrivacyLoss(of_one, share_of_delta(delta, epsilon, k), share_of_rho(rho, k)), k)
    assert loss.epsilon <= epsilon
    assert loss.delta <= delta
    assert loss.rho is not None
    assert loss.rho <= rho
    more = loss_of_group(PrivacyLoss(of_one, Delta(share_of_delta(delta, epsilon, k).units + 1)), k)
    assert more.delta > delta


def test_a_pure_loss_never_costs_more_rho_than_its_epsilon_implies() -> None:
    one = certify(SimplexGeometric(10**6, 3, Epsilon.parse("3"))).loss
    assert loss_of_group(one, 10).rho == rho_of_pure(Epsilon.parse("30"))
    assert loss_of_group(PrivacyLoss(Epsilon(1), Delta(1), Rho(1), Delta(1)), 2).rho is None
