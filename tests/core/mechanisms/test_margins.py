from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import exp

import numpy as np
import pytest

from core.mechanisms.event import EventError
from core.mechanisms.margins import Margins, certify, rehearse, release
from core.mechanisms.unsealing import HistogramError
from core.privacy import Delta, Epsilon, NeighbourRelation, Rho
from core.private import Private
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import assert_accepts, assert_rejects
from tests.core.margins.dense import rows_of

LEVELS = (2, 3)
E, R = Epsilon.parse, Rho.parse
NONE: frozenset[tuple[int, ...]] = frozenset()


def changes_of_one_unit(m: int, records: int, relation: NeighbourRelation) -> Iterator[list[int]]:
    """Every change of the counts by one unit with at most `records` records."""
    for left in combinations_with_replacement(range(m + 1), records):  # cell m stands for no record
        entered = combinations_with_replacement(range(m + 1), records)
        for right in entered if relation is NeighbourRelation.REPLACE_ONE else [(m,) * records]:
            change = [0] * (m + 1)
            for cell in left:
                change[cell] += 1
            for cell in right:
                change[cell] -= 1
            if relation is NeighbourRelation.ADD_REMOVE or change[m] == 0:
                yield change[:m]


AT_MOST_ONE_OF_SIX = frozenset(each for each in product(range(2), repeat=6) if sum(each) > 1)


def worst_loss(event: Margins) -> Fraction:
    """The largest loss over all changes of one unit, from the noise alone."""
    possible = [each for each in product(*map(range, event.levels)) if each not in event.impossible]
    flat = np.ravel_multi_index(np.array(possible).T, event.levels)
    matrices = [rows_of(event.levels, margin).astype(np.int64)[:, flat] for margin in event.margins]
    worst = Fraction(0)
    for change in changes_of_one_unit(event.m, event.records_per_unit, event.relation):
        loss = Fraction(0)
        for matrix, parameter in zip(matrices, event.noise_parameters, strict=True):
            moved = [int(each) for each in matrix @ np.array(change)]
            if event.is_gaussian:
                loss += sum(each**2 for each in moved) / (2 * parameter)
            else:
                loss += parameter * sum(map(abs, moved))
        worst = max(worst, loss)
    return worst


def price_of(event: Margins) -> Fraction:
    certified = certify(event).loss
    price = certified.rho if event.is_gaussian else certified.epsilon
    assert price is not None
    return price.value


def test_the_price_is_the_largest_loss_over_all_changes_of_one_unit() -> None:
    margins = ((0,), (1,), (0, 1))
    for relation, records, gaussian in product(NeighbourRelation, (1, 2, 3), (False, True)):
        losses = tuple((R if gaussian else E)(text) for text in ("0.3", "0.25", "0.010000001"))
        n = 20 if relation is NeighbourRelation.REPLACE_ONE else None
        event = Margins(n, LEVELS, NONE, margins, losses, Delta(int(gaussian)), records)  # type: ignore[arg-type]
        assert price_of(event) == worst_loss(event) == sum(each.value for each in losses)
        assert certify(event).relation is relation


@pytest.mark.parametrize(
    ("levels", "possible", "margins", "price"),
    [
        ((2, 2, 2), [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)], ((0,), (1,), (2,)), "0.55"),
        ((2, 2, 2), [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)], ((0, 1), (1,), (2,)), "0.56"),
        ((3, 2), [(0, 0), (1, 0), (2, 1)], ((0,), (1,), (0, 1)), "0.56"),
        ((2, 3), [(0, 0), (0, 2), (1, 2)], ((0,), (1,), (0, 1)), "0.56"),
        ((2, 2, 2), [(0, 0, 0), (0, 0, 1), (0, 1, 1)], ((0,), (1,), (2,)), "0.26"),  # all share a level of the first
    ],
)
def test_impossible_combinations_lower_the_price_to_the_largest_loss(
    levels: tuple[int, ...], possible: list[tuple[int, ...]], margins: tuple[tuple[int, ...], ...], price: str
) -> None:
    impossible = frozenset(product(*map(range, levels))) - set(possible)
    for records, gaussian in product((1, 2, 3), (False, True)):
        losses = tuple((R if gaussian else E)(text) for text in ("0.3", "0.25", "0.01"))
        event = Margins(9, levels, impossible, margins, losses, Delta(int(gaussian)), records)  # type: ignore[arg-type]
        assert price_of(event) == worst_loss(event) == Fraction(price)


def test_at_most_one_of_six_as_six_margins_costs_two_of_them() -> None:
    margins, losses = tuple((each,) for each in range(6)), (E("1"),) * 6
    certificate = certify(Margins(60, (2,) * 6, AT_MOST_ONE_OF_SIX, margins, losses))
    assert certificate.loss.epsilon == E("2")
    one = certify(Margins(60, (2,) * 6, AT_MOST_ONE_OF_SIX, margins[:1], losses[:1])).loss.rho
    assert one is not None
    assert certificate.loss.rho == R(str(2 * one.value.numerator / one.value.denominator))
    assert "add where two possible combinations differ" in certificate.statement


def test_a_unit_that_enters_costs_the_sum_whatever_is_impossible() -> None:
    event = Margins(
        None, (2,) * 3, frozenset({(1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1)}), ((0,), (1,), (2,)), (E("1"),) * 3
    )
    assert price_of(event) == worst_loss(event) == 3


def test_the_sum_is_charged_where_pairs_are_too_many_or_alike() -> None:
    impossible = frozenset((1, level) for level in range(2_001))
    assert certify(Margins(9, (2, 2_001), impossible, ((0,), (1,)), (E("1"),) * 2)).loss.epsilon == E("2")
    fewer = Margins(9, (2, 2_000), frozenset((1, level) for level in range(2_000)), ((0,), (1,)), (E("1"),) * 2)
    assert certify(fewer).loss.epsilon == E("1")
    # Every possible combination has the same level: its count is n, and the least price of a margin remains.
    assert certify(Margins(9, (2, 3), frozenset({(1, 0), (1, 1), (1, 2)}), ((0,),), (E("1"),))).loss.epsilon == E("1")


def test_the_epsilon_bounds_the_log_ratio_of_every_output() -> None:
    # Two counts of one attribute: P(y | c) = Π q^|y - c|, up to a constant that does not depend on c.
    event = Margins(None, (2,), NONE, ((), (0,)), (E("0.2"), E("0.7")))
    first, second = event.noise_parameters
    worst = max(
        first * (abs(y[0] - 4) - abs(y[0] - 5)) + second * (abs(y[1] - 3) - abs(y[1] - 4))
        for y in product(range(12), repeat=2)
    )
    assert worst == certify(event).loss.epsilon.value == Fraction(9, 10)


def test_the_rho_of_geometric_margins_is_the_sum_of_that_of_their_counts() -> None:
    public = certify(Margins(9, LEVELS, NONE, ((0,),), (E("1"),))).loss.rho
    private = certify(Margins(None, LEVELS, NONE, ((0,),), (E("1"),))).loss.rho
    assert public is not None
    assert private is not None
    # epsilon tanh(epsilon / 4), and epsilon tanh(epsilon / 2)
    assert float(public) == pytest.approx(0.2449186624)
    assert float(private) == pytest.approx(0.4621171573)
    two = certify(Margins(None, LEVELS, NONE, ((0,),), (E("1"),), records_per_unit=2)).loss.rho
    assert two is not None
    assert float(two) == pytest.approx(0.3934693403)  # docs/explanation/accounting.md


def test_every_cell_has_independent_noise_of_its_margin() -> None:
    counts = np.array([4, 0, 9, 1, 7, 2], dtype=np.int64)
    exact = (counts.reshape(LEVELS).sum(axis=1), counts.reshape(LEVELS))
    entropy = SeededEntropy(7)
    geometric = Margins(23, LEVELS, NONE, ((0,), (0, 1)), (E("1"), E("0.4")))
    drawn = [release(Private(counts), geometric, entropy).value for _ in range(4000)]
    for index, rate in enumerate((0.5, 0.2)):
        noise = [(each[index] - exact[index]).ravel() for each in drawn]
        for cell in (0, -1):
            law = {k: (1 - exp(-rate)) / (1 + exp(-rate)) * exp(-rate * abs(k)) for k in range(-200, 201)}
            wrong = {k: (1 - exp(-2 * rate)) / (1 + exp(-2 * rate)) * exp(-2 * rate * abs(k)) for k in range(-200, 201)}
            assert_accepts([int(each[cell]) for each in noise], law)
            assert_rejects([int(each[cell]) for each in noise], wrong)
        assert abs(np.asarray(np.corrcoef(np.array(noise, dtype=np.float64).T))[0, 1]) < 0.08
    gaussian = Margins(23, LEVELS, NONE, ((0, 1),), (R("0.25"),), Delta(1))
    last = [int(release(Private(counts), gaussian, entropy).value[0][1, 2] - exact[1][1, 2]) for _ in range(2000)]
    weights = {k: exp(-k * k / 8) for k in range(-40, 41)}
    assert_accepts(last, {k: p / sum(weights.values()) for k, p in weights.items()})


def test_impossible_cells_count_nothing_and_their_margins_have_noise_too() -> None:
    impossible = frozenset({(0, 1), (1, 1)})
    event = Margins(10, LEVELS, impossible, ((0,), (1,), (0, 1)), (E("16"),) * 3)
    counts = np.array([1, 2, 3, 4], dtype=np.int64)  # cells (0, 0), (0, 2), (1, 0), (1, 2)
    draws = [rehearse(counts, event, SeededEntropy(seed)) for seed in range(40)]
    middle = [np.median([each[index] for each in draws], axis=0).tolist() for index in range(3)]
    assert middle == [[3, 7], [4, 0, 6], [[1, 0, 2], [3, 0, 4]]]
    noisy = [rehearse(counts, Margins(10, LEVELS, impossible, ((1,),), (E("1"),)), SeededEntropy(s)) for s in range(9)]
    assert any(each[0][1] != 0 for each in noisy)


def test_a_histogram_of_another_size_is_refused() -> None:
    public = Margins(23, LEVELS, NONE, ((0,),), (E("1"),))
    private = Margins(None, LEVELS, NONE, ((0,),), (E("1"),))
    for event, counts in (
        (public, [4, 0, 9, 1, 7, 3]),
        (public, [4, 0, 9, 1, 9]),
        (private, [4, 0, 9, 1, -7, 2]),
        (private, [4, 0, 9, 1, 7, 2, 0]),
        (private, [2**53, 0, 0, 0, 0, 0]),
    ):
        with pytest.raises(HistogramError):
            release(Private(np.array(counts, dtype=np.int64)), event, SeededEntropy(1))
    assert release(Private(np.zeros(6, dtype=np.int64)), private, SeededEntropy(1)).value[0].shape == (2,)


def test_events_beyond_their_limits_are_refused() -> None:
    one, loss = ((0,),), (E("1"),)
    for n, levels, impossible, margins, losses, delta, records in (
        (0, LEVELS, NONE, one, loss, 0, 1),
        (2**53 + 1, LEVELS, NONE, one, loss, 0, 1),
        (9, (), NONE, one, loss, 0, 1),
        (9, (2**11, 2**10), NONE, one, loss, 0, 1),
        (9, LEVELS, frozenset({(0, 3)}), one, loss, 0, 1),
        (9, (2, 1), frozenset({(0, 0)}), one, loss, 0, 1),
        (9, LEVELS, NONE, (), (), 0, 1),
        (9, LEVELS, NONE, one, (E("1"), E("1")), 0, 1),
        (9, LEVELS, NONE, ((0,), (0,)), (E("1"), E("1")), 0, 1),
        (9, LEVELS, NONE, ((1, 0),), loss, 0, 1),
        (9, LEVELS, NONE, ((2,),), loss, 0, 1),
        (9, LEVELS, NONE, ((-1,),), loss, 0, 1),
        (9, (2, 1), NONE, ((0, 1),), loss, 0, 1),
        (9, LEVELS, NONE, ((),), loss, 0, 1),
        (9, LEVELS, NONE, one, (E("0.00009"),), 0, 1),
        (9, LEVELS, NONE, ((0,), (1,)), (E("26"), E("26")), 0, 1),
        (9, LEVELS, NONE, ((0,), (1,)), (E("1"), R("1")), 1, 1),
        (9, LEVELS, NONE, one, (R("0.000000009"),), 1, 1),
        (9, LEVELS, NONE, one, (R("1001"),), 1, 1),
        (9, LEVELS, NONE, one, (R("1"),), 0, 1),
        (9, LEVELS, NONE, one, loss, 1, 1),
        (9, LEVELS, NONE, one, loss, 0, 0),
        (9, LEVELS, NONE, one, loss, 0, 1001),
    ):
        with pytest.raises(EventError):
            Margins(n, levels, impossible, margins, losses, Delta(delta), records)  # type: ignore[arg-type]
