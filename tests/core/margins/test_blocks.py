from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from core.margins.allotment import OutOfReachError, Workload, allot
from core.margins.blocks import _best_blocks, allot_blocks, allot_blocks_for_widths, tables_of
from core.margins.combination import MarginsError
from core.mechanisms.blocks import rehearse
from core.mechanisms.margins import margins_of
from core.privacy import Epsilon, NeighbourRelation
from core.samplers.entropy import SeededEntropy

PUBLIC = NeighbourRelation.REPLACE_ONE
NONE: frozenset[tuple[int, ...]] = frozenset()
ONE = Epsilon.parse("1")


def one_way(levels: tuple[int, ...], weights: tuple[float, ...] | None = None) -> Workload:
    wanted = tuple((each,) for each in range(len(levels)))
    return Workload(levels, wanted, weights or (1.0,) * len(levels), PUBLIC)


@pytest.mark.parametrize(
    ("levels", "blocks", "widths"),
    [
        ((2,) * 10, [10], (12,) * 10),
        ((4,) * 10, [10], (28,) * 10),
        ((2, 2, 4, 6, 9), [3, 2], (15, 15, 12, 21, 16)),
        ((2, 2, 2, 50), [3, 1], (9, 9, 9, 14)),
        ((2, 20), [1, 1], (8, 9)),
        ((10, 8), [2], (9, 10)),
        ((2, 3, 5), [3], (9, 9, 7)),
    ],
)
def test_one_way_tables_have_the_half_widths_of_the_reference(
    levels: tuple[int, ...], blocks: list[int], widths: tuple[int, ...]
) -> None:
    found = allot_blocks(one_way(levels), 1_000, ONE)
    assert [len(each) for each in found.event.blocks] == blocks
    assert found.estimates.half_widths(found.workload.margins, 0.95) == widths
    assert found.price == ONE
    assert sum(each.units for each in found.event.epsilons) == ONE.units


def test_contiguous_blocks_are_the_best_of_all_partitions() -> None:
    def partitions(tables: list[tuple[int, ...]]) -> list[list[list[tuple[int, ...]]]]:
        if not tables:
            return [[]]
        found = []
        for size in range(len(tables)):
            for others in combinations(tables[1:], size):
                rest = [each for each in tables[1:] if each not in others]
                found += [[[tables[0], *others], *more] for more in partitions(rest)]
        return found

    generator = random.Random(3)
    for _ in range(40):
        tables: list[tuple[int, ...]] = [(each,) for each in range(generator.randint(2, 6))]
        values = {each: (generator.randint(1, 99), 10 ** generator.uniform(-2, 2)) for each in tables}

        def cost(block: list[tuple[int, ...]], values: dict[tuple[int, ...], tuple[int, float]] = values) -> float:
            size = sum(values[each][0] for each in block)
            return float(((size + 1) * (size + 2) * sum(values[each][1] for each in block)) ** (1 / 3))

        least = min(sum(cost(block) for block in each) for each in partitions(tables))
        assert sum(share for _, share in _best_blocks(tables, values)) == pytest.approx(least, rel=1e-12)


def test_a_sum_of_labels_is_the_estimate_of_a_lower_margin() -> None:
    wanted = Workload((2, 3, 2), ((0, 1), (1,), (2,)), (1.0, 1.0, 1.0), PUBLIC)
    assert sorted(tables_of(wanted) or ()) == [(0, 1), (2,)]
    found = allot_blocks(wanted, 78, ONE)
    counts = np.arange(1, 13, dtype=np.int64)
    noisy = rehearse(counts, found.event, SeededEntropy(4))
    both, lower, last = found.estimates.estimates(noisy, wanted.margins)
    np.testing.assert_array_equal(both.sum(axis=0), lower)
    assert (both.sum(), last.sum()) == (78, 78)
    variance = found.estimates.variance((0, 1))
    assert found.estimates.variance((1,)) == pytest.approx(variance * 2 * 4 / 5)
    assert found.estimates.error((1,)).deviation ** 2 == pytest.approx(variance * 2 * 4 / 5)


def test_a_lower_margin_states_its_widest_cell() -> None:
    # Cells of the second attribute have one, two and three reached labels of the pair.
    impossible = frozenset({(1, 0), (2, 0), (2, 1)})
    wanted = Workload((3, 3), ((0, 1), (1,)), (1.0, 1.0), PUBLIC, 1, impossible)
    found = allot_blocks(wanted, 60, ONE)
    of = found.event.of_margin(0)
    assert of.dimension == 5
    assert found.estimates.variance((1,)) == pytest.approx(of.noise.variance(5) * 3 * 3 / 5)


def test_weights_of_any_size_are_relative() -> None:
    found = [allot_blocks(one_way((2, 3), weights), 1_000, ONE).event for weights in ((1.0, 1.0), (5e-324, 5e-324))]
    assert found[0] == found[1]


def test_wanted_half_widths_are_met_at_less_than_independent_noise() -> None:
    wanted = one_way((2, 2, 4, 6, 9))
    found = allot_blocks_for_widths(wanted, 1_000, (10.0,) * 5, 0.95, Epsilon.parse("50"))
    widths = found.estimates.half_widths(wanted.margins, 0.95)
    assert max(widths) <= 10
    assert float(found.price) == pytest.approx(1.78, abs=0.02)
    with pytest.raises(OutOfReachError) as refused:
        allot_blocks_for_widths(wanted, 1_000, (10.0,) * 5, 0.95, Epsilon.parse("1"))
    assert max(refused.value.least) > 10


def test_impossible_combinations_buy_less_noise() -> None:
    impossible = frozenset({(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1)})
    wanted = Workload((2, 2, 2), ((0,), (1,), (2,)), (1.0, 1.0, 100.0), PUBLIC, 1, impossible)
    found = allot_blocks(wanted, 60, ONE)
    assert 0.999999 < float(found.price) <= 1


def test_workloads_without_disjoint_tables_are_refused() -> None:
    for wanted in (
        Workload((2, 3, 2), ((0, 1), (1, 2)), (1.0, 1.0), PUBLIC),
        Workload((2, 3), ((0,), (1,)), (1.0, 1.0), NeighbourRelation.ADD_REMOVE),
        Workload((1002, 2), ((0,), (1,)), (1.0, 1.0), PUBLIC),
        Workload((2, 3), ((0,), (1,)), (1.0, 1.0), PUBLIC, 1, frozenset({(1, 0), (1, 1), (1, 2)})),
    ):
        with pytest.raises(MarginsError):
            allot_blocks(wanted, 60, ONE)


@pytest.mark.parametrize(("levels", "width"), [((2, 2), 5), ((2,) * 5, 9), ((2,) * 8, 13), ((5,) * 4, 23)])
def test_simultaneous_half_widths_are_those_of_the_reference(levels: tuple[int, ...], width: int) -> None:
    found = allot_blocks(one_way(levels), 100, ONE)
    assert [found.estimates.simultaneous_half_width((each,), 0.95) for each in range(len(levels))] == [width] * len(
        levels
    )


def test_all_sets_of_labels_of_a_block_lie_within_one_width_at_once() -> None:
    """Two blocks, one of them with a margin of two attributes and a wanted table of one of these."""
    wanted = Workload((2, 2, 2, 2, 6, 9), ((0, 1), (1,), (2,), (3,), (4,), (5,)), (1.0,) * 6, PUBLIC)
    found = allot_blocks(wanted, 2_000, ONE)
    assert sorted(map(len, found.event.blocks)) == [2, 3]
    counts = np.zeros(found.event.m, dtype=np.int64)
    counts[0] = 2_000
    exact = margins_of(counts, wanted.levels, NONE, found.event.margins)
    drawn = [rehearse(counts, found.event, SeededEntropy(seed)) for seed in range(1_500)]
    for block in range(2):
        margins = [number for number in range(len(found.event.margins)) if found.event.block_of(number) == block]
        tables = [each for each in wanted.margins if any(set(each) <= set(found.event.margins[of]) for of in margins)]
        # The largest sum of a set of labels is that of the labels with positive noise.
        errors = [max(int(np.maximum(each[of] - exact[of], 0).sum()) for of in margins) for each in drawn]
        for confidence in (0.5, 0.95):
            (width,) = {found.estimates.simultaneous_half_width(each, confidence) for each in tables}
            within, below = (float(np.mean(np.array(errors) <= each)) for each in (width, width - 1))
            assert within >= confidence - 4 * (confidence * (1 - confidence) / 1_500) ** 0.5
            assert below <= confidence + 4 * (confidence * (1 - confidence) / 1_500) ** 0.5


@pytest.mark.long
def test_no_one_way_workload_gets_worse() -> None:
    generator, ratios = random.Random(1), []
    for _ in range(100):
        number = generator.randint(1, 7)
        levels = tuple(generator.randint(2, 10 if number < 6 else 7) for _ in range(number))
        wanted = one_way(levels, tuple(10 ** generator.uniform(-1, 1) for _ in levels))
        amount = Epsilon.parse(f"{10 ** generator.uniform(-0.5, 0.5):.4f}")
        ratios.append(allot(wanted, amount).mean_variance / allot_blocks(wanted, 1_000, amount).mean_variance)
    assert min(ratios) >= 1.0
    assert np.median(ratios) > 1.5


@pytest.mark.long
def test_intervals_contain_the_truth_as_often_as_they_say() -> None:
    for wanted in (
        one_way((2,) * 10),
        Workload((2, 3, 2), ((0, 1), (1,), (2,)), (1.0, 1.0, 1.0), PUBLIC),
    ):
        found = allot_blocks(wanted, 2_000, ONE)
        counts = np.zeros(found.event.m, dtype=np.int64)
        counts[0] = 2_000
        exact = margins_of(counts, wanted.levels, NONE, wanted.margins)
        errors = [
            [each - truth for each, truth in zip(found.estimates.estimates(drawn, wanted.margins), exact, strict=True)]
            for drawn in (rehearse(counts, found.event, SeededEntropy(seed)) for seed in range(4_000))
        ]
        for place, margin in enumerate(wanted.margins):
            one = np.array([each[place].ravel()[0] for each in errors])
            for confidence in (0.5, 0.9, 0.95, 0.99):
                width = found.estimates.error(margin).half_width(confidence)
                law = np.cumsum(found.estimates.error(margin).distribution)
                share = float((np.abs(one) <= width).mean())
                assert share == pytest.approx(float(law[int(width)]), abs=4 * (0.25 / 4_000) ** 0.5)
        inside = [
            max(float(np.abs(each).max()) for each in drawn)
            <= found.estimates.simultaneous_half_width(wanted.margins[0], 0.95)
            for drawn in errors
        ]
        assert np.mean(inside) >= 0.95 - 0.014
