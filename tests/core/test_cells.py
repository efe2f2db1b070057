from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cells import CellsError, CrossTable, atoms, indicator

TABLE = CrossTable((2, 3), frozenset({(1, 0)}))


def test_cells_are_the_possible_combinations_with_the_last_attribute_fastest() -> None:
    assert TABLE.combinations == ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2))
    assert TABLE.m == 5
    assert [TABLE.cell(each) for each in TABLE.combinations] == [0, 1, 2, 3, 4]
    assert TABLE.cell((1, 0)) is None


def test_a_set_of_levels_picks_the_cells_that_have_them() -> None:
    assert TABLE.where({}) == {0, 1, 2, 3, 4}
    assert TABLE.where({0: [1]}) == {3, 4}
    assert TABLE.where({0: [0, 1], 1: [0, 1]}) == {0, 1, 3}
    assert TABLE.where({0: [1], 1: [0]}) == set()
    assert TABLE.where({1: []}) == set()


@pytest.mark.parametrize("wanted", [{2: [0]}, {-1: [0]}, {0: [2]}, {1: [-1]}])
def test_levels_that_are_not_of_the_table_are_refused(wanted: dict[int, list[int]]) -> None:
    with pytest.raises(CellsError, match="attributes and levels"):
        TABLE.where(wanted)


@pytest.mark.parametrize("levels", [(), (2, 0), (1025, 1024)])
def test_a_table_without_cells_or_with_too_many_is_refused(levels: tuple[int, ...]) -> None:
    with pytest.raises(CellsError):
        CrossTable(levels)


@pytest.mark.parametrize("combination", [(0,), (0, 3), (0, 0, 0), (-1, 0)])
def test_a_combination_has_one_level_of_each_attribute(combination: tuple[int, ...]) -> None:
    with pytest.raises(CellsError, match="impossible"):
        CrossTable((2, 3), frozenset({combination}))
    with pytest.raises(CellsError, match="one level"):
        TABLE.cell(combination)


def test_overlapping_sets_fall_into_atoms() -> None:
    found = atoms([frozenset({0, 1, 2}), frozenset({1, 2, 3}), frozenset({2, 3})])
    assert [*map(set, found.pieces)] == [{0}, {1}, {2}, {3}]
    assert [*map(set, found.members)] == [{0, 1, 2}, {1, 2, 3}, {2, 3}]
    whole = atoms([frozenset({4, 7}), frozenset({7, 4}), frozenset()])
    assert [*map(set, whole.pieces)] == [{4, 7}]
    assert [*map(set, whole.members)] == [{0}, {0}, set()]


@given(st.lists(st.frozensets(st.integers(0, 9)), max_size=5))
def test_atoms_are_disjoint_make_up_each_set_and_are_as_few_as_can_be(sets: list[frozenset[int]]) -> None:
    found = atoms(sets)
    assert all(found.pieces)
    assert not any(a & b for a, b in combinations(found.pieces, 2))
    for cells, members in zip(sets, found.members, strict=True):
        assert frozenset().union(*(found.pieces[piece] for piece in members)) == cells
    for a, b in combinations(range(len(found.pieces)), 2):
        assert any((a in members) != (b in members) for members in found.members)


def test_a_set_of_cells_is_a_row_of_ones() -> None:
    np.testing.assert_array_equal(indicator(frozenset({1, 3}), 5), [0, 1, 0, 1, 0])


def test_a_table_of_many_attributes_agrees_with_a_filter_over_the_product() -> None:
    table = CrossTable((2, 3, 2, 2), frozenset({(0, 0, 0, 0), (1, 2, 1, 1)}))
    every = [each for each in product(range(2), range(3), range(2), range(2)) if each not in table.impossible]
    assert table.where({1: [0, 2], 3: [1]}) == {
        cell for cell, each in enumerate(every) if each[1] in (0, 2) and each[3] == 1
    }
