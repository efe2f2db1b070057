from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from core.mechanisms.blocks import Blocks, certify, likelihood_of_margin, release
from core.mechanisms.event import EventError
from core.mechanisms.mechanism import NoiseOnCounts, NoLikelihood
from core.mechanisms.unsealing import HistogramError
from core.privacy import Epsilon, NeighbourRelation
from core.private import Private
from core.samplers.entropy import SeededEntropy
from tests.core.margins.dense import rows_of
from tests.core.mechanisms.test_constant_work import difference, tables
from tests.core.mechanisms.test_margins import AT_MOST_ONE_OF_SIX, NONE, changes_of_one_unit

E = Epsilon.parse
ONE_WAY = (((0,), (1,)), ((2,),))


def worst_loss(event: Blocks) -> Fraction:
    """The largest loss over all changes of one unit: at the noise 0 of each block."""
    possible = [each for each in product(*map(range, event.levels)) if each not in event.impossible]
    flat = np.ravel_multi_index(np.array(possible).T, event.levels)
    matrices = [[rows_of(event.levels, each).astype(np.int64)[:, flat] for each in block] for block in event.blocks]
    worst = Fraction(0)
    for change in changes_of_one_unit(event.m, event.records_per_unit, NeighbourRelation.REPLACE_ONE):
        loss = Fraction(0)
        for block, rate in zip(matrices, event.rates, strict=True):
            loss += rate * max(int(np.abs(matrix @ np.array(change)).sum()) // 2 for matrix in block)
        worst = max(worst, loss)
    return worst


@pytest.mark.parametrize("records", [1, 2, 3])
@pytest.mark.parametrize(
    ("levels", "impossible", "blocks", "losses", "price"),
    [
        ((2, 2), NONE, (((0,), (1,)),), ("0.6",), "0.6"),
        ((2, 3), NONE, (((0,),), ((1,),)), ("0.6", "0.03"), "0.63"),
        ((2, 2, 2), frozenset({(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1)}), ONE_WAY, ("0.6", "0.03"), "0.63"),
        (
            (2, 2, 2),
            frozenset({(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1)}),
            (((0,),), ((1,),), ((2,),)),
            ("0.6", "0.03", "0.3"),
            "0.9",
        ),
        ((3, 2), frozenset({(0, 1), (1, 0)}), (((0, 1),),), ("0.5",), "0.5"),
    ],
)
def test_the_price_is_the_largest_loss_over_all_changes_of_one_unit(
    levels: tuple[int, ...],
    impossible: frozenset[tuple[int, ...]],
    blocks: tuple[tuple[tuple[int, ...], ...], ...],
    losses: tuple[str, ...],
    price: str,
    records: int,
) -> None:
    event = Blocks(9, levels, impossible, blocks, tuple(map(E, losses)), records)
    assert certify(event).loss.epsilon.value == worst_loss(event) == Fraction(price)


def test_no_probability_falls_by_more_than_the_price() -> None:
    # Two binary margins of one block: P(y | c) is in proportion to e^(−h N(y − c)), with one normaliser for all counts.
    for records in (1, 2):
        event = Blocks(9, (2, 2), NONE, (((0,), (1,)),), (E("0.7"),), records)
        (rate,) = event.rates
        size = {
            change: max(abs(change[0] + change[1]), abs(change[0] + change[2]))
            for change in product(range(-6, 7), repeat=3)
        }
        losses = [
            rate * (size[left] - size[right])
            for left in size
            for right in (
                (left[0] + a, left[1] + b, left[2] + c) for a, b, c in product(range(-records, records + 1), repeat=3)
            )
            if right in size
            and sum(max(0, y - x) for x, y in zip(left, right, strict=True)) <= records
            and sum(max(0, x - y) for x, y in zip(left, right, strict=True)) <= records
        ]
        assert max(losses) == certify(event).loss.epsilon.value == Fraction(7, 10)


def test_one_block_of_six_that_exclude_each_other_costs_its_epsilon() -> None:
    event = Blocks(60, (2,) * 6, AT_MOST_ONE_OF_SIX, (tuple((each,) for each in range(6)),), (E("2"),))
    assert certify(event).loss.epsilon == E("2")
    apart = Blocks(60, (2,) * 6, AT_MOST_ONE_OF_SIX, tuple(((each,),) for each in range(6)), (E("1"),) * 6)
    assert certify(apart).loss.epsilon == E("2")


def test_rho_is_that_of_the_noise_and_at_most_that_of_any_mechanism() -> None:
    two = certify(Blocks(9, (2, 2), NONE, (((0,), (1,)),), (E("1"),))).loss.rho
    assert two is not None
    assert float(two) == pytest.approx(0.397818550396, rel=1e-8)
    several = certify(Blocks(9, (2, 2), NONE, (((0,), (1,)),), (E("1"),), 2)).loss.rho
    assert several is not None
    assert float(several) == pytest.approx(4 * 0.110785794727, rel=1e-8)
    bounded = certify(Blocks(9, (2, 2), NONE, (((0,), (1,)),), (E("1"),), 50)).loss.rho
    assert bounded is not None
    assert float(bounded) <= math.tanh(0.5) + 1e-12


def test_only_labels_that_a_combination_reaches_have_noise() -> None:
    impossible = frozenset({(0, 1), (1, 1)})
    event = Blocks(10, (2, 3), impossible, (((0,), (1,)),), (E("1"),))
    assert event.dimensions(event.blocks[0]) == (1, 1)
    counts = np.array([1, 2, 3, 4], dtype=np.int64)  # cells (0, 0), (0, 2), (1, 0), (1, 2)
    drawn = [release(Private(counts), event, SeededEntropy(seed)).value for seed in range(20)]
    assert {int(each[1][1]) for each in drawn} == {0}
    assert {(int(each[0].sum()), int(each[1].sum())) for each in drawn} == {(10, 10)}
    assert len({tuple(each[1].tolist()) for each in drawn}) > 3


def test_a_margin_of_two_labels_and_a_set_of_labels_have_a_likelihood_by_themselves() -> None:
    event = Blocks(50, (2, 4), NONE, (((0,), (1,)),), (E("1"),))
    for one in (event.of_margin(0), event.of_margin(1, labels=2)):
        likelihood = likelihood_of_margin(one)
        assert isinstance(likelihood, NoiseOnCounts)
        assert likelihood.of_two is not None
        z = np.arange(-300, 301)
        logs = likelihood.of_two.log_noise(z)
        law = one.noise.law(one.dimension, one.labels or 1)
        np.testing.assert_allclose(
            np.exp(logs - np.logaddexp.reduce(logs))[300:310], np.append(law[0], law[1:10] / 2), rtol=1e-9
        )
        assert (np.diff(logs, 2) <= 1e-9).all()
    assert isinstance(likelihood_of_margin(event.of_margin(1)), NoLikelihood)


def test_a_draw_takes_the_same_work_for_all_tables() -> None:
    event = Blocks(40, (2, 2), NONE, (((0,), (1,)),), (E("0.3"),))
    assert not difference(lambda counts, entropy: release(counts, event, entropy), tables(40, 4))


def test_a_histogram_of_another_size_is_refused() -> None:
    event = Blocks(23, (2, 3), NONE, (((0,), (1,)),), (E("1"),))
    for counts in ([4, 0, 9, 1, 7, 3], [4, 0, 9, 1, 9]):
        with pytest.raises(HistogramError):
            release(Private(np.array(counts, dtype=np.int64)), event, SeededEntropy(1))


def test_events_beyond_their_limits_are_refused() -> None:
    levels, one, loss = (2, 3), (((0,),),), (E("1"),)
    for n, sizes, impossible, blocks, losses, records in (
        (0, levels, NONE, one, loss, 1),
        (2**53 + 1, levels, NONE, one, loss, 1),
        (9, (), NONE, one, loss, 1),
        (9, levels, frozenset({(0, 3)}), one, loss, 1),
        (9, levels, NONE, (), (), 1),
        (9, levels, NONE, ((),), loss, 1),
        (9, levels, NONE, one, (E("1"), E("1")), 1),
        (9, levels, NONE, (((0,), (0,)),), loss, 1),
        (9, levels, NONE, (((0,), (0, 1)),), loss, 1),  # parts that overlap
        (9, levels, NONE, (((0,),), ((0, 1),)), loss * 2, 1),
        (9, levels, NONE, (((1, 0),),), loss, 1),
        (9, levels, NONE, (((2,),),), loss, 1),
        (9, levels, NONE, (((),),), loss, 1),
        (9, (2, 1), NONE, (((1,),),), loss, 1),
        (9, levels, frozenset({(1, 0), (1, 1), (1, 2)}), (((0,),),), loss, 1),  # one reached label
        (9, (2, 1002), NONE, (((1,),),), loss, 1),
        (9, levels, NONE, one, (E("0.00009"),), 1),
        (9, levels, NONE, (((0,),), ((1,),)), (E("26"), E("26")), 1),
        (9, levels, NONE, one, loss, 0),
        (9, levels, NONE, one, loss, 1001),
    ):
        with pytest.raises(EventError):
            Blocks(n, sizes, impossible, blocks, losses, records)
