"""The joint cost of rows, compared with brute force over pairs of cells and over Rényi orders."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import expm1

import mpmath
import numpy as np
import pytest

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import (
    MAX_COLUMNS,
    JointLoss,
    Row,
    RowLoss,
    joint_units,
    rho_of_shift,
)
from core.privacy import Epsilon, NeighbourRelation, Rate, Rho

R = Rate.parse
CUBE = (
    Row((1, 1, 1, 0, 0, 0, 0, 0, 0), 1, R("0.1")),
    Row((0, 0, 0, 1, 1, 1, 0, 0, 0), 1, R("0.1")),
    Row((0, 0, 0, 0, 0, 0, 1, 1, 1), 1, R("0.1")),
    Row((0, 1, 1) * 3, 1, R("0.2")),
    Row((0, 2, 5) * 3, 1, R("0.04")),
    Row((1, 0, 0, 1, 0, 0, 0, 0, 0), 1, R("0.05")),
)


def losses(rows: tuple[Row, ...] | list[Row], accountant: Accountant = Accountant.BASIC) -> list[RowLoss]:
    return [RowLoss.of(row, accountant) for row in rows]


def exact_epsilon(rows: tuple[Row, ...] | list[Row]) -> Fraction:
    """max over pairs of Σ a_j |h_ji - h_jk|, in fractions."""
    m = len(rows[0].coefficients)
    pairs = combinations(range(m), 2)
    return max(
        sum(
            (row.rate.value * abs(row.coefficients[i] - row.coefficients[k]) / row.denominator for row in rows),
            Fraction(0),
        )
        for i, k in pairs
    )


def exact_rho(rows: tuple[Row, ...] | list[Row]) -> float:
    m = len(rows[0].coefficients)
    shifts = [
        [float(row.rate.value * abs(row.coefficients[i] - row.coefficients[k]) / row.denominator) for row in rows]
        for i, k in combinations(range(m), 2)
    ]
    return max(sum(x + expm1(-x) for x in pair) for pair in shifts)


def test_the_worked_cube_costs_less_than_the_sum_of_its_prices() -> None:
    assert joint_units(losses(CUBE), 9) == Epsilon.parse("0.65").units
    assert sum(loss.largest for loss in losses(CUBE)) == Epsilon.parse("0.75").units


@pytest.mark.parametrize("seed", range(20))
def test_the_joint_cost_is_the_largest_sum_over_pairs_of_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, count = int(rng.integers(2, 9)), int(rng.integers(1, 8))
    largest = int(rng.choice([1, 5, 300, 10**7, 10**15]))
    rows = [
        Row(tuple(rng.integers(0, largest + 1, m).tolist()), largest, Rate(int(rng.integers(10**5, 3 * 10**9))))
        for _ in range(count)
    ]
    basic, rho = joint_units(losses(rows), m), joint_units(losses(rows, Accountant.ZCDP), m)
    exact = exact_epsilon(rows)
    assert Fraction(basic, 10**9) >= exact
    # Each row may be rounded up by a unit, and by 2^-20 of its price if its coefficients are finer than that.
    assert Fraction(basic, 10**9) <= exact * (1 + Fraction(3, 2**20)) + Fraction(2 * count, 10**9) + sum(
        (row.rate.value * row.span / 2**19 for row in rows), Fraction(0)
    )
    assert rho / 1e12 >= exact_rho(rows) * (1 - 1e-12)
    assert (
        rho / 1e12
        <= exact_rho(rows) * (1 + 1e-5)
        + sum(float(row.rate.value * row.span) ** 2 for row in rows) * 2e-5
        + count * 2e-12
    )


@pytest.mark.parametrize("seed", range(8))
def test_at_a_private_number_of_records_the_joint_cost_is_the_largest_sum_over_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, count, largest = int(rng.integers(2, 9)), int(rng.integers(1, 8)), int(rng.choice([1, 5, 300, 10**7, 10**15]))
    rows = [
        Row(tuple(rng.integers(-largest, largest + 1, m).tolist()), largest, Rate(int(rng.integers(10**5, 10**9))), 2)
        for _ in range(count)
    ]
    rows = [replace(row, relation=NeighbourRelation.ADD_REMOVE) for row in rows]
    shifts = [[row.rate.value * 2 * abs(row.coefficients[i]) / largest for row in rows] for i in range(m)]
    exact = max(sum(cell, Fraction(0)) for cell in shifts)
    basic, rho = joint_units(losses(rows), m), joint_units(losses(rows, Accountant.ZCDP), m)
    spans = [row.rate.value * 2 * row.span for row in rows]
    assert exact <= Fraction(basic, 10**9) <= exact + Fraction(2 * count, 10**9) + sum(spans, Fraction(0)) / 2**19
    exact_rho = max(sum(float(x) + expm1(-float(x)) for x in cell) for cell in shifts)
    assert exact_rho * (1 - 1e-12) <= rho / 1e12
    assert rho / 1e12 <= exact_rho * (1 + 1e-5) + sum(float(each) ** 2 for each in spans) * 2e-5 + count * 2e-12


def test_rows_of_single_cells_cost_as_much_as_one_of_them_at_a_private_number_of_records() -> None:
    """Parallel composition under `add_remove`: a record enters one cell, or leaves one."""
    joint = JointLoss(5)
    cells = [Row(tuple(int(i == j) for j in range(5)), 1, R("0.3")) for i in range(4)]
    rows = [replace(each, relation=NeighbourRelation.ADD_REMOVE) for each in cells]
    assert [joint.add(loss, apart=False) for loss in losses(rows)] == [300_000_000, 0, 0, 0]
    count = replace(rows[0], coefficients=(1,) * 5)
    assert joint.add(losses([count])[0], apart=False) == 300_000_000  # the number of records is not free


def test_rows_of_single_cells_cost_twice_one_of_them() -> None:
    """Parallel composition under `replace_one`: a record leaves one cell and enters another."""
    joint = JointLoss(5)
    cells = [Row(tuple(int(i == j) for j in range(5)), 1, R("0.3")) for i in range(4)]
    rises = [joint.add(loss, apart=False) for loss in losses(cells)]
    assert rises == [300_000_000, 300_000_000, 0, 0]
    # Booking the rises alone would miss a restore that forgets the last two, which are then measured again.
    for loss in losses(cells[2:]):
        joint.add(loss, apart=False)
    assert joint.units == Epsilon.parse("1.2").units


def test_the_maximum_is_over_all_pairs_and_not_over_sums_of_spans_of_some() -> None:
    rows = [Row((0, 1, 2), 1, R("0.5")), Row((0, 3, 0), 1, R("0.5"))]
    assert joint_units(losses(rows), 3) == Epsilon.parse("2").units


def test_adding_a_row_to_a_copy_leaves_the_original() -> None:
    joint = JointLoss(9)
    first, second = losses(CUBE)[:2]
    joint.add(first, apart=False)
    joint.copy().add(second, apart=False)
    assert joint.units == first.largest
    assert joint.columns == 2


def test_rows_of_too_many_columns_are_charged_one_by_one() -> None:
    m = MAX_COLUMNS + 1
    fine = RowLoss.of(Row(tuple(range(m)), 1, Rate(1000)), Accountant.BASIC)
    coarse = RowLoss.of(Row((0,) * (m - 1) + (1,), 1, Rate(1000)), Accountant.BASIC)
    joint = JointLoss(m)
    assert not joint.takes(fine)
    assert joint.takes(coarse)
    assert joint.add(coarse, apart=False) == coarse.largest
    assert joint.add(fine, apart=True) == fine.largest
    assert joint.units == fine.largest + coarse.largest


def test_several_records_a_person_multiply_the_shift() -> None:
    row = Row((0, 1, 3), 1, R("0.25"))
    assert RowLoss.of(replace(row, records=4), Accountant.BASIC).largest == Epsilon.parse("3").units
    assert RowLoss.of(replace(row, records=4), Accountant.ZCDP).largest == rho_of_shift(Fraction(3)).units


def renyi_of_shift(order: float, step: float, shift: int) -> float:
    """D_a between discrete Laplace distributions on a grid of `step` scales, `shift` steps apart, by summing 400 scales
    of it.
    """
    reach = int(200 / step) + shift
    z = np.arange(-reach, reach + 1)
    log_p = -step * np.abs(z)
    log_q = -step * np.abs(z - shift)
    norm = np.log(np.exp(log_p).sum())
    if order == 1:
        return float((np.exp(log_p - norm) * (log_p - log_q)).sum())
    logs = order * log_p + (1 - order) * log_q - norm
    top = logs.max()
    return float((top + np.log(np.exp(logs - top).sum())) / (order - 1))


@pytest.mark.parametrize(
    ("step", "shift"), [(0.01, 1), (0.01, 50), (0.1, 30), (0.5, 1), (0.5, 2), (0.5, 40), (2.0, 1), (2.0, 3), (6.0, 2)]
)
def test_order_one_is_the_worst_for_a_shifted_discrete_laplace(step: float, shift: int) -> None:
    rho = float(rho_of_shift(Fraction(step) * shift, Fraction(step)))
    assert rho == pytest.approx(renyi_of_shift(1, step, shift), rel=1e-9, abs=2e-12)
    for order in (1.001, 1.01, 1.1, 1.5, 2, 4, 10, 100, 10_000):
        assert renyi_of_shift(order, step, shift) / order <= rho * (1 + 1e-9) + 1e-11
    # The formula of the continuous distribution would say too little on this grid.
    x = step * shift
    assert rho > x + np.expm1(-x)
    assert rho - (x + np.expm1(-x)) <= step**2 / 6


@pytest.mark.parametrize("x", ["0.0001", "0.5", "1", "7", "50"])
def test_the_price_of_a_shift_is_that_of_the_continuous_distribution_up_to_the_grid(x: str) -> None:
    with mpmath.workdps(50):
        exact = mpmath.mpf(x) - 1 + mpmath.exp(-mpmath.mpf(x))
        priced = mpmath.mpf(rho_of_shift(Fraction(x)).units) / 10**12
        assert exact <= priced <= exact + mpmath.mpf("1.2e-12")
    assert rho_of_shift(Fraction(1)) == Rho.parse("0.367879441172")


def test_chords_between_nodes_lie_above_the_price() -> None:
    row = Row(tuple(range(0, 5001, 100)), 1000, R("1.7"))
    loss = RowLoss.of(row, Accountant.ZCDP)
    between = loss.at(np.arange(51))
    for i, k in combinations(range(51), 2):
        exact = rho_of_shift(row.rate.value * abs(row.coefficients[i] - row.coefficients[k]) / 1000).units
        assert exact <= between[i, k] <= exact * 1.001 + loss.largest * 1e-5
