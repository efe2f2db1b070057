"""Sets of cells: categories of a histogram by their numbers, 0 to m − 1. The service stores the cells' names.

A plain histogram has one label per cell. A cross table has attributes with levels. Its cells are the possible
combinations of levels in lexicographic order, so the last attribute changes fastest. Questions are about sets of cells,
which may overlap; `atoms` splits them into disjoint pieces.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

CellSet: TypeAlias = frozenset[int]
"""A set of cells by their numbers."""

MAX_COMBINATIONS: Final = 2**20
"""Largest number of combinations of levels in a cross table, possible or not."""


class CellsError(ValueError):
    """An invalid cross table or set of cells. The message names the rule and repeats no input."""


@dataclass(frozen=True, slots=True)
class CrossTable:
    """The cells of a table with `levels[k]` levels of attribute k, without the `impossible` combinations of level
    numbers.

    Raises CellsError if an attribute has no level, if an impossible combination does not belong to the table, or if
    there are more than 2^20 combinations.
    """

    levels: tuple[int, ...]
    impossible: frozenset[tuple[int, ...]] = frozenset()
    combinations: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    """The level numbers of each cell, in the order of the cells."""
    _numbers: dict[tuple[int, ...], int] = field(init=False, repr=False, compare=False)
    _codes: NDArray[np.int64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.levels or min(self.levels) < 1:
            raise CellsError("a cross table must have at least one attribute, and each attribute at least one level")
        if math.prod(self.levels) > MAX_COMBINATIONS:
            raise CellsError(f"the attributes must have at most {MAX_COMBINATIONS} combinations of levels")
        if not all(self._is_combination(each) for each in self.impossible):
            raise CellsError("an impossible combination must name one level of each attribute")
        every = product(*(range(count) for count in self.levels))
        possible = tuple(each for each in every if each not in self.impossible)
        object.__setattr__(self, "combinations", possible)
        object.__setattr__(self, "_numbers", {combination: cell for cell, combination in enumerate(possible)})
        object.__setattr__(self, "_codes", np.array(possible, dtype=np.int64).reshape(-1, len(self.levels)))

    @property
    def m(self) -> int:
        return len(self.combinations)

    def cell(self, combination: tuple[int, ...]) -> int | None:
        """Return the number of the cell with these levels, one per attribute, or None if the combination is impossible.

        Raises CellsError if the levels do not belong to the table.
        """
        if not self._is_combination(combination):
            raise CellsError("a cell must have one level of each attribute")
        return self._numbers.get(combination)

    def where(self, wanted: Mapping[int, Collection[int]]) -> CellSet:
        """Return the cells whose level of attribute k is in `wanted[k]`, for every attribute k in `wanted`; all cells
        if it is empty.

        The set may be empty, because every wanted combination may be impossible. Raises CellsError if an attribute or
        level does not belong to the table.
        """
        for attribute, levels in wanted.items():
            if not 0 <= attribute < len(self.levels) or not all(
                0 <= level < self.levels[attribute] for level in levels
            ):
                raise CellsError("a set of cells must name attributes and levels of the table")
        among = np.ones(self.m, dtype=bool)
        for attribute, levels in wanted.items():
            among &= np.isin(self._codes[:, attribute], sorted(levels))
        return frozenset(np.flatnonzero(among).tolist())

    def _is_combination(self, levels: tuple[int, ...]) -> bool:
        return len(levels) == len(self.levels) and all(
            0 <= level < count for level, count in zip(levels, self.levels, strict=True)
        )


Groups: TypeAlias = tuple[tuple[int, ...], ...]
"""Disjoint sets of cells, each in order, and ordered by their least cells."""


def groups_of(m: int, together: Sequence[Sequence[int]]) -> Groups:
    """Return the partition of `m` cells in which each of these sets of cells is merged, and the others stay alone.

    Raises CellsError if the sets have less than two cells, overlap or leave the table, or if one group remains.
    """
    named = [cell for each in together for cell in each]
    if any(len(each) < 2 for each in together) or len(set(named)) != len(named):
        raise CellsError("merged cells must be disjoint sets of at least two")
    if not all(0 <= cell < m for cell in named):
        raise CellsError("merged cells must belong to the table")
    alone = frozenset(range(m)).difference(named)
    groups = tuple(sorted([*(tuple(sorted(each)) for each in together), *((cell,) for cell in alone)]))
    if len(groups) < 2:
        raise CellsError("at least two cells must remain")
    return groups


@dataclass(frozen=True, slots=True)
class Atoms:
    """The coarsest disjoint sets of cells such that each of some given sets is a union of them."""

    pieces: tuple[CellSet, ...]
    """Disjoint and not empty, ordered by their least cells. Cells in none of the given sets are in no piece."""
    members: tuple[frozenset[int], ...]
    """For each given set, the indices of the pieces whose union it is."""


def atoms(sets: Sequence[CellSet]) -> Atoms:
    """Return the atoms of `sets`: cells are in one piece if they are in exactly the same sets."""
    held_by: dict[int, list[int]] = {}
    for number, cells in enumerate(sets):
        for cell in cells:
            held_by.setdefault(cell, []).append(number)
    grouped: dict[tuple[int, ...], list[int]] = {}
    for cell in sorted(held_by):
        grouped.setdefault(tuple(held_by[cell]), []).append(cell)
    members = [
        frozenset(piece for piece, holders in enumerate(grouped) if number in holders) for number in range(len(sets))
    ]
    return Atoms(tuple(frozenset(cells) for cells in grouped.values()), tuple(members))


def indicator(cells: CellSet, m: int) -> NDArray[np.int64]:
    """Return 1 at each cell of the set and 0 elsewhere, shape (m,).

    This is the row of the query that counts the set's records.
    """
    row = np.zeros(m, dtype=np.int64)
    row[sorted(cells)] = 1
    return row
