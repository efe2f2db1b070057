"""The attribute tree against sums over all counts, and against reference values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from core.cells import CellSet
from core.inference.attribute_tree import Tree, TreeCounts, tree_counts
from core.inference.product_counts import UnknownTotal
from core.inference.published import Noise, Printed, PublishedCell, observe
from core.inference.strata import without_records
from core.samplers.reproducible import Reproducible

_GAUSSIAN = Noise("gaussian", math.sqrt(2.0))


def _cell(value: float, scale: float) -> PublishedCell:
    return PublishedCell(value, Noise("geometric", scale))


def _tree(shape: Any, numbers: Iterator[int] | None = None) -> Tree:
    """Return the tree of a shape of nested tuples, with one cell a leaf, numbered from left to right."""
    numbers = iter(range(100)) if numbers is None else numbers
    return tuple(_tree(each, numbers) if isinstance(each, tuple) else frozenset({next(numbers)}) for each in shape)


def _cells(scale: float, *values: float) -> list[PublishedCell]:
    return [_cell(value, scale) for value in values]


_CLAMPED_CELL = PublishedCell(0.0, Noise("geometric", 2.0), Printed(clamped_at_zero=True))
_CASES: dict[str, tuple[Any, list[PublishedCell], int | UnknownTotal]] = {
    "A": (((0, 0), (0, 0)), _cells(2, 1, 4, 3, 6), 14),
    "B": (((0, 0, 0), (0, 0, 0)), _cells(1, -1, 3, 2, 0, 5, 1), UnknownTotal(20)),
    "C": (((0, 0), (0, 0, 0), 0), [_CLAMPED_CELL, *_cells(2, 4, 2, -2, 3, 5)], 13),
    "D": ((((0, 0), 0), (0, (0, 0))), _cells(2, 1, 5, -1, 4, 0, 3), 12),
    "E": (
        ((0, 0), (0, 0)),
        [
            PublishedCell(0.0, _GAUSSIAN),
            PublishedCell(7.0, _GAUSSIAN),
            PublishedCell(5.0, Noise("none")),
            PublishedCell(None, Noise("none"), between=(0, 4)),
        ],
        17,
    ),
}
_COUNTS = {
    "A": [1.223731730793, 3.648262158263, 2.99788966617, 6.130116444774],
    "B": [0.2035438124715, 2.185491869862, 1.402755380709, 0.2216848506133, 4.194226728839, 0.7773930000472],
    "C": [0.6317209760046, 3.242243800377, 1.419408371718, 0.5028737615173, 2.02257776521, 5.181175325173],
    "D": [1.022222759143, 3.914861551555, 0.7476615378208, 3.794758178678, 0.5187483695575, 2.001747603246],
    "E": [0.9202011691405, 8.120531290169, 5.0, 2.95926754069],
}
_SHARES = {
    "A": [0.1047495508592, 0.2533833750779, 0.2217745723135, 0.4200925017494],
    "B": [0.05712595160737, 0.2171668511815, 0.1538645898312, 0.06226771087441, 0.4002385167265, 0.1093363797791],
    "C": [0.06903279792595, 0.2326199452728, 0.107969749578, 0.055413046304, 0.1431592660798, 0.3918051948395],
    "D": [0.09794725912329, 0.2899224497235, 0.08787997180853, 0.3074508520173, 0.0610213897388, 0.1557780775886],
    "E": [0.07505955088937, 0.4549811412945, 0.2881729674008, 0.1817863404153],
}
_SQUARES = {"A": 0.02393823053339, "B": 0.0099276615732, "C": 0.01375456924052, "D": 0.02266355579186}
_THRESHOLDS = {
    "A": (0.1, 0.384589676314),
    "B": (0.05, 0.346599910383),
    "C": (0.05, 0.394945550699),
    "D": (0.1, 0.352934565074),
    "E": (0.03, 0.623598002916),
}


def _counts_of_case(name: str) -> TreeCounts:
    shape, cells, total = _CASES[name]
    return tree_counts(_tree(shape), [observe(cells)], total)


@pytest.mark.parametrize("name", list(_CASES))
def test_reference_values(name: str) -> None:
    found = _counts_of_case(name)
    assert [each.mean for each in found.marginals()] == pytest.approx(_COUNTS[name], abs=1e-11)
    assert [each.mean for each in found.shares()] == pytest.approx(_SHARES[name], abs=1e-12)
    share = found.shares()[0]
    if name in _SQUARES:
        assert share.standard_deviation**2 + share.mean**2 == pytest.approx(_SQUARES[name], abs=1e-12)
    at, above = _THRESHOLDS[name]
    assert share.survival(at) == pytest.approx(above, abs=0.003)
    assert math.fsum(each.mean for each in found.shares()) == pytest.approx(1.0, abs=1e-11)
    assert found.error < 1e-9


def test_the_number_of_records_of_a_reference() -> None:
    assert _counts_of_case("B").totals().mean == pytest.approx(8.985095642544, abs=1e-11)


def _log_prior(tree: Tree, counts: Sequence[int]) -> float:
    """Return ln p(c | n) under the tree up to Σ ln 1/c!, straight from its definition."""
    if not isinstance(tree, tuple):
        return 0.0

    def held(part: Tree) -> int:
        return sum(held(each) for each in part) if isinstance(part, tuple) else sum(counts[cell] for cell in part)

    whole = len(tree) / 2.0
    logs = math.lgamma(whole) - math.lgamma(whole + held(tree))
    for part in tree:
        logs += math.lgamma(0.5 + held(part)) - math.lgamma(0.5) + _log_prior(part, counts)
    return logs


def _enumerate_mean(
    tree: Tree,
    likelihood: Callable[[tuple[int, ...]], float],
    m: int,
    totals: Sequence[int],
    value: Callable[[tuple[int, ...]], Sequence[float]] = tuple,
) -> list[float]:
    """Return the mean of a value of the counts, by default of the counts themselves."""
    weights, means = 0.0, np.zeros(len(value((0,) * m)))
    for counts in product(range(max(totals) + 1), repeat=m):
        if sum(counts) in totals:
            logs = math.lgamma(sum(counts) + 1.0) + _log_prior(tree, counts)
            logs -= sum(math.lgamma(each + 1.0) for each in counts)
            weights += (weight := likelihood(counts) * math.exp(logs))
            means += weight * np.array(value(counts))
    return [*(means / weights).tolist()]


@pytest.mark.parametrize("totals", [[8], list(range(10))])
def test_it_is_the_sum_over_all_counts(totals: list[int]) -> None:
    tree = _tree(((0, (0, 0)), 0, 0))
    values = [3.0, -2.0, 1.0, 4.0, 0.0]
    expected = _enumerate_mean(
        tree, lambda c: math.exp(-sum(abs(y - x) for y, x in zip(values, c, strict=True)) / 1.5), 5, totals
    )
    total = totals[0] if len(totals) == 1 else UnknownTotal(max(totals))
    found = tree_counts(tree, [observe(_cells(1.5, *values))], total)
    assert [each.mean for each in found.marginals()] == pytest.approx(expected, abs=1e-11)


def test_the_probability_of_empty_sets_is_the_sum_over_all_counts() -> None:
    values, sets = [0.0, 1.0, 0.0, 2.0], [frozenset({0, 2}), frozenset({1}), frozenset({0, 1, 3}), frozenset[int]()]
    tree = _tree(((0, 0), (0, 0)))
    expected = _enumerate_mean(
        tree,
        lambda c: math.exp(-sum(abs(y - x) for y, x in zip(values, c, strict=True))),
        4,
        [5],
        lambda c: [float(not any(c[cell] for cell in cells)) for cells in sets],
    )
    found = without_records(tree_counts(tree, [observe(_cells(1.0, *values))], 5), sets)
    for estimate, probability in zip(found, expected, strict=True):
        assert estimate.value == pytest.approx(probability, abs=5.0 * estimate.error + 1e-12)
    assert [each.method for each in found] == ["simulation", "simulation", "simulation", "exact"]
    assert 0.0 < min(expected) < 0.01


def test_draws_have_the_exact_means() -> None:
    found = _counts_of_case("D")
    counts, logs = found.draws(40_000, Reproducible(5))
    assert (counts.sum(axis=1) == 12).all()
    assert np.exp(logs).sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    errors = counts.std(axis=0) / 200.0
    assert (np.abs(counts.mean(axis=0) - _COUNTS["D"]) < 5.0 * errors).all()
    assert (np.abs(np.exp(logs).mean(axis=0) - _SHARES["D"]) < 5.0 * np.exp(logs).std(axis=0) / 200.0).all()


def test_draws_of_sets_are_joint_and_in_the_order_of_the_sets() -> None:
    found = _counts_of_case("D")
    sets: list[CellSet] = [frozenset({4, 5}), frozenset({0}), frozenset({3}), frozenset({1, 2})]
    drawn = list(found.draws_of(sets, 40_000, Reproducible(5)))
    counts, logs = (np.stack(each, axis=1) for each in zip(*drawn, strict=True))
    assert (counts.sum(axis=1) == 12).all()
    assert np.exp(logs).sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    for values, expected in ((counts, _COUNTS["D"]), (np.exp(logs), _SHARES["D"])):
        means = [sum(expected[cell] for cell in cells) for cells in sets]
        assert (np.abs(values.mean(axis=0) - means) < 5.0 * values.std(axis=0) / 200.0).all()
    alone = [each.mean() for each, _ in found.draws_of(sets[1:2], 40_000, Reproducible(6))]
    assert alone == pytest.approx([_COUNTS["D"][0]], abs=5.0 * counts[:, 1].std() / 200.0)


def test_sums_far_from_the_total() -> None:
    """If n is far from Σy, one tilt leaves groups far below their own peaks. Those nodes are convolved directly."""
    rng = np.random.default_rng(3)
    values = rng.laplace(0.0, 20.0, 80).round() + np.repeat([0.0, 25.0], 40)
    shape = tuple(tuple((0,) * 20 for _ in range(2)) for _ in range(2))
    for total in (300, 1000, 2500):
        found = tree_counts(_tree(shape), [observe(_cells(20.0, *values.tolist()))], total)
        assert found.error < 1e-6
        assert math.fsum(each.mean for each in found.marginals()) == pytest.approx(total, rel=1e-9)
        assert math.fsum(each.mean for each in found.shares()) == pytest.approx(1.0, abs=1e-11)


def test_a_leaf_may_be_a_set_of_cells() -> None:
    cells: CellSet = frozenset({0, 1})
    tree: Tree = (cells, frozenset({2}))
    assert tree_counts(tree, [observe(_cells(1.0, 3.0, 4.0))], 7).leaves == [cells, frozenset({2})]
