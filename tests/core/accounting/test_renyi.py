"""The smallest rho of each noise, compared with Rényi divergences summed over every outcome."""

from __future__ import annotations

import math
from functools import reduce

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp

from core.accounting.accountants import Accountant, price
from core.accounting.renyi import rho_of_geometric, rho_of_laplace, rho_of_three_losses, supremum_by_chords
from core.accounting.zcdp import rho_of_pure
from core.mechanisms import gaussian, laplace
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.geometric.weighting import SimplexWeighting, weighting
from core.mechanisms.laplace import Laplace
from core.privacy import Delta, Epsilon, Rho

ORDERS = 1.0 + np.geomspace(1e-6, 1e4, 50)
FINE_ORDERS = 1.0 + np.geomspace(1e-4, 1e8, 1500)
EPSILONS = ["0.3", "1", "2.5", "5"]


def largest_rho(log_p: NDArray[np.float64], log_q: NDArray[np.float64], orders: NDArray[np.float64] = ORDERS) -> float:
    """The largest D_a(P || Q) / a of these orders, for two distributions by the logs of their probabilities on the same
    outcomes.
    """
    moments = np.array([logsumexp(a * log_p + (1.0 - a) * log_q) for a in orders])
    return float((moments / (orders * (orders - 1.0))).max())


def largest_rho_of_three(step: float, probability: float) -> float:
    """The same for a loss of h, 0 and −h, to 50 digits."""
    with mpmath.workdps(50):
        h, p = mpmath.mpf(step), mpmath.mpf(probability)
        distribution = [(p, h), (1 - p * (1 + mpmath.exp(-h)), 0), (p * mpmath.exp(-h), -h)]
        return max(
            float(mpmath.log(sum(q * mpmath.exp((a - 1) * loss) for q, loss in distribution)) / (a * (a - 1)))
            for a in map(mpmath.mpf, FINE_ORDERS)
        )


def log_geometric(epsilon: float, m: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """ln P(z_1, z_2) of geometric noise on m counts given the sum 0, at z and at z shifted by (1, −1), where both are
    untruncated.
    """
    q, reach = math.exp(-epsilon / 2), math.ceil(60.0 / epsilon)
    one = q ** np.abs(np.arange(-reach, reach + 1))
    z = np.arange(-reach, reach + 1)
    if m == 2:
        joint = np.where(z[:, None] + z[None, :] == 0, one[:, None] * one[None, :], 0.0)
    else:
        rest = reduce(np.convolve, [one] * (m - 2))
        joint = (
            one[:, None]
            * one[None, :]
            * rest[(m - 2) * reach - np.clip(z[:, None] + z[None, :], -(m - 2) * reach, (m - 2) * reach)]
        )
        joint[np.abs(z[:, None] + z[None, :]) > (m - 2) * reach] = 0.0
    joint /= joint.sum()
    here, there = joint[1:, :-1], joint[:-1, 1:]
    kept = (here > 0) & (there > 0)
    return np.log(here[kept]), np.log(there[kept])


@pytest.mark.parametrize("m", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_geometric_noise_costs_its_largest_divergence(m: int, epsilon: str) -> None:
    exact = largest_rho(*log_geometric(float(epsilon), m))
    charged = float(rho_of_geometric(Epsilon.parse(epsilon), m))
    assert exact * (1 - 1e-6) <= charged <= exact * (1 + 1e-5)


@pytest.mark.parametrize("epsilon", ["0.05", "1", "6.85", "6.87", "8", "20", "50"])
def test_laplace_noise_costs_its_largest_divergence(epsilon: str) -> None:
    q, reach = math.exp(-float(epsilon) / 2), math.ceil(160 / float(epsilon)) + 2
    z = np.arange(-reach, reach + 1)
    distribution = (1 - q) / 2 * q ** np.where(z >= 0, z, -1 - z).astype(float)
    one = largest_rho(np.log(distribution[1:]), np.log(distribution[:-1]), FINE_ORDERS)
    for m, moved in ((2, 1), (3, 2), (7, 2)):
        assert moved * one * (1 - 1e-6) <= float(rho_of_laplace(Epsilon.parse(epsilon), m)) <= 1.002 * moved * one


def test_beyond_six_point_nine_order_one_is_not_the_worst_of_laplace_noise() -> None:
    """(ε/2)(1 − e^(−ε/2)) would be too small there: the true value is 1.008 times that at 8, and 1.44 times at 50."""
    for epsilon, factor in ((8.0, 1.008), (50.0, 1.438)):
        first_order = epsilon / 2 * -math.expm1(-epsilon / 2)
        assert float(rho_of_laplace(Epsilon.ceil(epsilon), 3)) / first_order == pytest.approx(factor, abs=2e-3)


def log_rows(table: SimplexWeighting) -> NDArray[np.float64]:
    rows: NDArray[np.float64] = np.log(np.array([table.probabilities(c) for c in table.candidates]))
    return rows


def pairs(table: SimplexWeighting) -> list[tuple[int, int]]:
    moved = np.abs(table.candidates[:, None, :] - table.candidates[None, :, :]).sum(axis=2)
    return [(int(x), int(y)) for x, y in np.argwhere(moved == 2)]


@pytest.mark.every(2)
@pytest.mark.parametrize(("n", "m", "epsilon"), [(6, 3, "0.5"), (6, 3, "2"), (3, 4, "1.5"), (2, 5, "2"), (2, 6, "4")])
def test_solved_weights_cost_their_largest_divergence(n: int, m: int, epsilon: str) -> None:
    table = weighting(n, m, Epsilon.parse(epsilon))
    assert table is not None
    rows = log_rows(table)
    exact = max(largest_rho(rows[x], rows[y]) for x, y in pairs(table))
    charged = simplex_geometric.certify(SimplexGeometric(n, m, Epsilon.parse(epsilon))).loss.rho
    assert charged is not None
    assert exact * (1 - 1e-7) <= float(charged) <= exact * (1 + 1e-5)


def test_the_formula_of_the_lattice_is_too_little_for_solved_weights() -> None:
    """The planted fault: without truncation at an edge, the most informative releases are more frequent."""
    table = weighting(6, 3, Epsilon.parse("0.5"))
    assert table is not None
    rows = log_rows(table)
    exact = max(largest_rho(rows[x], rows[y]) for x, y in pairs(table))
    assert float(rho_of_geometric(Epsilon.parse("0.5"), 3)) < 0.95 * exact


def test_a_planted_loss_without_its_mirror_factor_has_another_rho() -> None:
    """The planted fault: without e^(−h) the probabilities are not those of a privacy loss, and the
    divergence differs.
    """
    step, probability = 1.0, 0.4
    right = rho_of_three_losses(step, probability)
    assert right == pytest.approx(largest_rho_of_three(step, probability), rel=1e-5)
    wrong = step * probability
    assert wrong > 1.5 * right


@pytest.mark.every(3)
@pytest.mark.parametrize("step", [1e-4, 0.3, 2.0, 6.0, 20.0])
@pytest.mark.parametrize("part", [1e-6, 0.01, 0.3, 0.9, 1.0])
def test_three_losses_cost_their_largest_divergence_whatever_order_it_is_at(step: float, part: float) -> None:
    probability = part / (1 + math.exp(-step))
    exact = largest_rho_of_three(step, probability)
    assert exact * (1 - 1e-6) <= rho_of_three_losses(step, probability) <= 1.01 * exact


def test_chords_lie_above_a_convex_function_between_few_orders() -> None:
    """For a Gaussian loss, K(a) = rho a (a − 1): the bound is never below rho, and is close to it with many orders."""
    for count, most in ((4, 1.8), (60, 1.03), (400, 1.002)):
        orders = 1.0 + np.geomspace(1e-3, 1e3, count)
        found = supremum_by_chords(orders, 0.7 * orders * (orders - 1.0), 0.7 * float(orders[-1]))
        assert 0.7 <= found <= most * 0.7 * (1 + 1e-3) or count == 4
        assert found >= 0.7 * (1 - 1e-12)


@pytest.mark.parametrize("epsilon", ["0.0001", "0.1", "1", "7", "50"])
def test_a_charge_is_at_most_that_of_any_pure_mechanism(epsilon: str) -> None:
    for m in (2, 3, 50):
        for n in (5, 100_000):
            for loss in (
                simplex_geometric.certify(SimplexGeometric(n, m, Epsilon.parse(epsilon))).loss,
                laplace.certify(Laplace(n, m, Epsilon.parse(epsilon))).loss,
            ):
                assert price(loss, Accountant.ZCDP).rho <= rho_of_pure(loss.epsilon)
    assert price(
        gaussian.certify(Gaussian(9, 3, Rho.parse("0.5"), Delta.parse("0.001"))).loss, Accountant.ZCDP
    ).rho == Rho.parse("0.5")
