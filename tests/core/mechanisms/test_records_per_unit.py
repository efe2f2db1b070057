"""What is proven of k changed records, against brute force over every pair of histograms at distance up to k."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from core.accounting.group import loss_of_group, share_of_delta, share_of_epsilon, share_of_rho
from core.accounting.zcdp import rho_of_pure
from core.candidates import histograms
from core.mechanisms import laplace
from core.mechanisms.catalogue import Event, certify, certify_unit
from core.mechanisms.exponential import calibration
from core.mechanisms.exponential.mechanism import Exponential, loss_of_records, weights_at
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


def test_large_channels_and_those_with_a_delta_go_by_group_privacy() -> None:
    large = calibration.calibrate_global(400, (1.0, 1.0, 1.0), Epsilon.parse("1"))
    spent = calibration.calibrate_certified(6, PRIOR, Epsilon.parse("0.5"), Delta.parse("0.01"))
    assert loss_of_records(large, 2) is None
    assert loss_of_records(spent, 2) is None
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

    def law(shift: int) -> NDArray[np.float64]:
        logs = laplace.log_noise(event, y - shift)
        return np.exp(logs - special.logsumexp(logs))

    base = law(0)
    of_shift = {s: law(s) for s in range(-k, k + 1)}
    worst = max(sum(float(np.log(base / of_shift[s])[100:400].max()) for s in v[:-1] if s) for v in shifts(m, k))
    assert worst == pytest.approx(float(loss.epsilon), rel=1e-6)
    assert loss.rho is not None
    rho = max(sum(renyi(base, of_shift[s], a) for s in v[:-1] if s) / a for v in shifts(m, k) for a in ORDERS[:6])
    assert rho <= float(loss.rho)


def rho_on_lattice(event: SimplexGeometric, k: int) -> float:
    """D_a / a at order 1, its supremum wherever it was tried, over every shift of three categories."""
    reach = min(160, math.ceil(110 / float(event.epsilon)) + 5)
    z = np.array([(a, b, -a - b) for a in range(-reach, reach + 1) for b in range(-reach, reach + 1)])
    logs = log_noise(event, z).sum(axis=1)
    likely = np.exp(logs - special.logsumexp(logs))
    return max(float(likely @ (logs - log_noise(event, z - np.array(v)).sum(axis=1))) for v in shifts(3, k))


def rho_of_floored_laplace(event: Laplace, k: int) -> float:
    """The same of the papers' Laplace noise on two of three categories."""
    y = np.arange(-2000, 2001)
    logs = laplace.log_noise(event, y)
    likely = np.exp(logs - special.logsumexp(logs))
    of_shift = {s: float(likely @ (logs - laplace.log_noise(event, y - s))) for s in range(-k, k + 1)}
    return max(sum(of_shift[s] for s in v[:-1]) for v in shifts(3, k))


def rho_of_weighting(event: SimplexGeometric, k: int) -> float:
    """The same of solved weights."""
    logs, pairs = np.log(matrix(event)), np.array(pairs_within(event.n, event.m, k))
    at = logs[pairs[:, 0]]
    return float((np.exp(at) * (at - logs[pairs[:, 1]])).sum(axis=1).max())


@pytest.mark.long
@pytest.mark.parametrize(
    ("noise", "epsilon", "ratios"),
    [
        ("lattice", "0.1", (1.03, 1.05)),
        ("lattice", "0.6", (1.17, 1.33)),
        ("lattice", "3", (1.09, 1.06)),
        ("laplace", "0.1", (1.01, 1.03)),
        ("laplace", "0.6", (1.07, 1.16)),
        ("laplace", "3", (1.24, 1.35)),
        ("weights", "0.6", (1.24, 1.42)),
        ("weights", "1.5", (1.25, 1.21)),
        ("weights", "3", (1.07, 1.05)),
    ],
)
def test_group_privacy_charges_noise_this_much_more_than_it_costs(
    noise: str, epsilon: str, ratios: tuple[float, float]
) -> None:
    """The table of docs/accounting.md: rho charged over rho, for 2 and 3 records."""
    for k, ratio in zip((2, 3), ratios, strict=True):
        event: SimplexGeometric | Laplace
        if noise == "laplace":
            event = Laplace(100, 3, Epsilon.parse(epsilon))
            true = rho_of_floored_laplace(event, k)
        else:
            event = SimplexGeometric(10**6 if noise == "lattice" else 6, 3, Epsilon.parse(epsilon))
            true = rho_on_lattice(event, k) if noise == "lattice" else rho_of_weighting(event, k)
        charged = certified(event, k).rho
        assert charged is not None
        assert float(charged) / true == pytest.approx(ratio, abs=0.006)


@pytest.mark.parametrize("k", [2, 5])
def test_gaussian_noise_costs_the_square_of_k(k: int) -> None:
    event = Gaussian(100, 3, Rho.parse("0.02"), Delta.parse("1e-6"))
    loss, one = certified(event, k), certify(event).loss
    z = np.arange(-200, 201)
    logs = -(z**2) / (2 * float(event.variance))
    law = np.exp(logs - special.logsumexp(logs))
    far = np.exp(-((z - k) ** 2) / (2 * float(event.variance)) - special.logsumexp(logs))
    # The worst shift moves two counts by k.
    assert 2 * renyi(law, far, 2.0) / 2.0 == pytest.approx(float(loss.rho or 0), rel=1e-9)
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
