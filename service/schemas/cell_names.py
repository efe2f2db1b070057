"""Names of the cells of a data set. Converts labels and levels of attributes to sets of cells of the core."""

from __future__ import annotations

import json
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from math import fsum, prod
from typing import Any, Final

from core.cells import CellsError, CellSet, CrossTable, Groups, atoms, groups_of
from core.limits import MAX_CELLS
from service.errors import InvalidRequest, error_location
from service.pictures.text import isolated
from service.schemas.cells import Attribute, Cells, of_json
from service.schemas.model import as_seen

SEPARATOR: Final = " · "
"""Separates the levels in a cell's label in a cross table."""
MAX_COMBINATIONS: Final = 50_000
"""Combinations of levels, possible or not."""
_MAX_NAMED_CELLS: Final = 8
"""Largest number of levels or labels in the words for a set of cells."""
_MAX_LABEL: Final = 200
_MAX_LABELS: Final = 1_000_000
"""Bytes of all labels together, which are stored with the data set and with each of its releases."""


@dataclass(frozen=True, slots=True)
class CellNames:
    """The labels of the cells in order, and the attributes of a cross table, or None if there are only labels."""

    labels: Sequence[str]
    attributes: Sequence[Attribute] | None = None

    @classmethod
    def of_texts(cls, labels: str, attributes: str | None) -> CellNames:
        """Parse the columns of a data set's row."""
        return cls(json.loads(labels), None if attributes is None else of_json(json.loads(attributes)))

    @classmethod
    def of_answer(cls, answer: Mapping[str, Any]) -> CellNames:
        """Return the names of the cells of a data set or a release, from an answer of `/v1`."""
        names = cls(answer["labels"], of_json(answer["attributes"]))
        return names.with_merged(answer["event"].get("merged") if "event" in answer else None)

    def labels_in(self, cell: int) -> list[str]:
        """Return the labels of the table that a cell has."""
        return [self.labels[cell]]

    def with_merged(self, merged: Sequence[Sequence[int]] | None) -> CellNames:
        """Return the names after these sets of cells were merged, or the names themselves without any."""
        if merged is None:
            return self
        groups = groups_of(self.m, merged)
        return MergedNames([_label_of([self.labels[cell] for cell in each]) for each in groups], None, self, groups)

    def merged(self, labels: Sequence[Sequence[str]]) -> list[list[int]]:
        """Return the cells with these labels that are to be merged, in one order. Raises InvalidRequest."""
        numbers = self.numbers()
        for index, each in enumerate(labels):
            with error_location(f"[{index}]"):
                self._cells_labelled(each)
        try:
            groups = groups_of(self.m, [[numbers[label] for label in each] for each in labels])
        except CellsError as error:
            raise InvalidRequest.at("", f"does not divide the categories: {error}") from None
        return [list(each) for each in groups if len(each) > 1]

    def told_apart(self, sets: Sequence[CellSet]) -> Groups:
        """Return the coarsest groups of cells such that each of the sets is a union of them."""
        return tuple(tuple(sorted(each)) for each in atoms([frozenset(range(self.m)), *sets]).pieces)

    def attributes_for(self, groups: Groups) -> list[str] | None:
        """Return attributes whose table tells these groups apart, as few as possible; None without attributes."""
        if self.attributes is None:
            return None
        group_of = {cell: number for number, each in enumerate(groups) for cell in each}
        kept = [each.name for each in self.attributes]
        for name in tuple(kept):
            fewer = [each for each in kept if each != name]
            if all(len({group_of[cell] for cell in each}) == 1 for each in self.groups(fewer).values()):
                kept = fewer
        return kept

    def sets_of(self, groups: Iterable[Collection[int]]) -> list[list[str]]:
        """Return the labels of the groups of several cells, as a request names merged sets."""
        return [[self.labels[cell] for cell in sorted(each)] for each in groups if len(each) > 1]

    @property
    def m(self) -> int:
        """Return the number of cells."""
        return len(self.labels)

    def to_json(self) -> list[dict[str, Any]] | None:
        """Return the attributes as plain JSON."""
        return None if self.attributes is None else [each.model_dump() for each in self.attributes]

    def added(self, numbers: Sequence[float]) -> list[float]:
        """Return numbers of the cells. Numbers of the table's cells add up in each merged set."""
        return list(numbers)

    @property
    def cells_of_table(self) -> int:
        """Return the number of cells before any were merged."""
        return self.m

    def levels(self) -> list[tuple[str, ...]]:
        """Return the level of each attribute for each cell in order, or the cell's label alone."""
        if self.attributes is None:
            return [(label,) for label in self.labels]
        levels = [each.levels for each in self.attributes]
        return [
            tuple(of[place] for of, place in zip(levels, combination, strict=True))
            for combination in self.table.combinations
        ]

    def matching(self, cells: Mapping[str, Any]) -> CellSet:
        """Return the cells with the labels, or with a level of each attribute, in an answer of `/v1`; maybe none."""
        if labels := cells.get("labels"):
            named = frozenset(labels)
            return frozenset(number for number, label in enumerate(self.labels) if label in named)
        wanted = {self.attribute(name): frozenset(levels) for name, levels in cells["where"].items()}
        return frozenset(
            cell
            for cell, levels in enumerate(self.levels())
            if all(levels[place] in chosen for place, chosen in wanted.items())
        )

    def impossible(self) -> list[str]:
        """Return the labels of the combinations of levels that no record can have."""
        if self.attributes is None:
            return []
        known, every = frozenset(self.labels), product(*(each.levels for each in self.attributes))
        return [label for label in map(SEPARATOR.join, every) if label not in known]

    def named(self, cells: Cells) -> CellSet:
        """Return the numbers of these cells.

        Raises InvalidRequest, with the location of the error, for an unknown name, or if no cell remains.
        """
        if cells.where is not None:
            with error_location("where"):
                return self.where(cells.where)
        assert cells.labels is not None, "a request has one of them"
        with error_location("labels"):
            return self._cells_labelled(cells.labels)

    def numbers(self) -> dict[str, int]:
        """Return the position of each label."""
        return {label: number for number, label in enumerate(self.labels)}

    def one(self, chosen: Sequence[str] | Mapping[str, Sequence[str]], numbers: Mapping[str, int]) -> int:
        """Return the cell with this label, or with these levels, one of each attribute. Raises InvalidRequest."""
        if isinstance(chosen, Mapping):
            for name in chosen:
                self.attribute(name)
            if len(chosen) != len(self.attributes or ()) or any(len(levels) != 1 for levels in chosen.values()):
                raise InvalidRequest.at("", "must name one level of each attribute")
            chosen = [SEPARATOR.join(chosen[each.name][0] for each in self.attributes or ())]
        elif len(chosen) != 1:
            raise InvalidRequest.at("", "must name one label")
        if chosen[0] not in numbers:
            raise InvalidRequest.at("", "must be a possible cell of the data set")
        return numbers[chosen[0]]

    def attribute(self, name: str) -> int:
        """Return the position of the attribute. Raises InvalidRequest."""
        for number, each in enumerate(self.attributes or ()):
            if each.name == name:
                return number
        known = "names an attribute that this data set does not have"
        rule = known if self.attributes else "needs a data set with attributes"
        raise InvalidRequest.at("", rule)

    def _cells_labelled(self, labels: Sequence[str]) -> CellSet:
        numbers = self.numbers()
        for position, label in enumerate(labels):
            if label not in numbers:
                raise InvalidRequest.at(f"[{position}]", "is not a label of this data set")
        return frozenset(numbers[label] for label in labels)

    def where(self, wanted: Mapping[str, Sequence[str]]) -> CellSet:
        """Return the cells in which each of these attributes has one of its levels. Raises InvalidRequest."""
        sought = {}
        for name, levels in wanted.items():
            number = self.attribute(name)
            assert self.attributes is not None, "one of them was found"
            known = {level: place for place, level in enumerate(self.attributes[number].levels)}
            with error_location(name):
                for position, level in enumerate(levels):
                    if level not in known:
                        raise InvalidRequest.at(f"[{position}]", "is not a level of this attribute")
            sought[number] = [known[level] for level in levels]
        cells = self.table.where(sought)
        if not cells:
            raise InvalidRequest.at("", "must contain a possible cell: no record can have these levels together")
        return cells

    def groups(self, attributes: Sequence[str]) -> dict[str, CellSet]:
        """Group the cells by their levels of these attributes, in row-major order. Each key names the levels of its
        group.

        Raises InvalidRequest.
        """
        numbers = []
        for index, name in enumerate(attributes):
            with error_location(f"[{index}]"):
                numbers.append(self.attribute(name))
        if len(set(numbers)) != len(numbers):
            raise InvalidRequest.at("", "must name each attribute once")
        assert self.attributes is not None, "some of them were found"
        held: dict[tuple[int, ...], set[int]] = {}
        for cell, combination in enumerate(self.table.combinations):
            held.setdefault(tuple(combination[number] for number in numbers), set()).add(cell)
        levels = [self.attributes[number].levels for number in numbers]
        return {
            SEPARATOR.join(of[place] for of, place in zip(levels, key, strict=True)): frozenset(held[key])
            for key in sorted(held)
        }

    def levels_of(self, cells: CellSet, attributes: Sequence[str]) -> dict[str, str]:
        """Return the levels of these attributes that some cells have in common, as a group of `groups` has."""
        assert self.attributes is not None, "the cells are those of a group"
        combination = self.table.combinations[min(cells)]
        numbers = {name: self.attribute(name) for name in attributes}
        return {name: self.attributes[number].levels[combination[number]] for name, number in numbers.items()}

    @property
    def table(self) -> CrossTable:
        """Return the cross table of the attributes."""
        assert self.attributes is not None, "labels alone make no cross table"
        return _table(tuple(self.labels), tuple(tuple(each.levels) for each in self.attributes))


@dataclass(frozen=True, slots=True)
class MergedNames(CellNames):
    """The names after cells were merged. Callers name cells of the table as it was, and their numbers are those of the
    groups; a set that contains a part of a group is refused.
    """

    whole: CellNames = field(default_factory=lambda: CellNames([]))
    parts: Groups = ()

    def labels_in(self, cell: int) -> list[str]:
        return [self.whole.labels[each] for each in self.parts[cell]]

    def added(self, numbers: Sequence[float]) -> list[float]:
        if len(numbers) != self.whole.m:
            return list(numbers)
        return [fsum(numbers[cell] for cell in each) for each in self.parts]

    @property
    def cells_of_table(self) -> int:
        return self.whole.m

    def matching(self, cells: Mapping[str, Any]) -> CellSet:
        return self._groups_of_cells(self.whole.matching(cells))

    def attribute(self, name: str) -> int:
        return self.whole.attribute(name)

    def _cells_labelled(self, labels: Sequence[str]) -> CellSet:
        return self._groups_of_cells(self.whole._cells_labelled(labels))  # noqa: SLF001  the names that it is made of

    def where(self, wanted: Mapping[str, Sequence[str]]) -> CellSet:
        return self._groups_of_cells(self.whole.where(wanted))

    def groups(self, attributes: Sequence[str]) -> dict[str, CellSet]:
        return {label: self._groups_of_cells(cells) for label, cells in self.whole.groups(attributes).items()}

    def levels_of(self, cells: CellSet, attributes: Sequence[str]) -> dict[str, str]:
        return self.whole.levels_of(frozenset(self.parts[min(cells)]), attributes)

    def _groups_of_cells(self, cells: CellSet) -> CellSet:
        """Return the groups that these cells make up. Raises InvalidRequest if they contain a part of a group."""
        found = frozenset(number for number, each in enumerate(self.parts) if not cells.isdisjoint(each))
        for number in sorted(found):
            if not cells.issuperset(self.parts[number]):
                rule = f"must not tell apart the categories {self.labels[number]}, which were merged before the noise"
                raise InvalidRequest.at("", rule)
        return found


def _label_of(labels: Sequence[str]) -> str:
    """Return the label of a group: those of its cells, or the first one if they are long."""
    text = " + ".join(labels)
    return text if len(text) <= _MAX_LABEL else f"{labels[0]} + {len(labels) - 1} more"


@lru_cache(maxsize=8)
def _table(labels: tuple[str, ...], levels: tuple[tuple[str, ...], ...]) -> CrossTable:
    """Return the cross table. Combinations without a label are impossible."""
    known = frozenset(labels)
    numbered = product(*(enumerate(each) for each in levels))
    impossible = frozenset(
        tuple(number for number, _ in each)
        for each in numbered
        if SEPARATOR.join(name for _, name in each) not in known
    )
    return CrossTable(tuple(len(each) for each in levels), impossible)


def cross_table(
    attributes: Sequence[Attribute],
    impossible: Sequence[Mapping[str, Sequence[str]]],
    possible: Container[str] | None = None,
) -> CellNames:
    """Return the cells of a new cross table: all combinations of levels, except those that match an `impossible`
    predicate, and those that are not among the labels `possible`.

    The last attribute changes fastest. Raises InvalidRequest.
    """
    with error_location("attributes"):
        _check_names(attributes)
        if prod(len(each.levels) for each in attributes) > MAX_COMBINATIONS:
            raise InvalidRequest.at("", f"must have at most {MAX_COMBINATIONS} combinations of levels")
        every = [SEPARATOR.join(levels) for levels in product(*(each.levels for each in attributes))]
        if len({as_seen(label) for label in every}) != len(every):
            raise InvalidRequest.at(
                "", f"must have levels whose combinations differ when they are joined by '{SEPARATOR}'"
            )
        if max(map(len, every)) > _MAX_LABEL:
            raise InvalidRequest.at(
                "", f"must have levels that together have at most {_MAX_LABEL} characters in each cell"
            )
    whole = CellNames(every, attributes)
    left_out: set[int] = set()
    for index, predicate in enumerate(impossible):
        with error_location(f"impossible[{index}]"):
            left_out |= whole.where(predicate)
    labels = [
        label for cell, label in enumerate(every) if cell not in left_out and (possible is None or label in possible)
    ]
    if not 2 <= len(labels) <= MAX_CELLS:
        raise InvalidRequest.at("attributes", f"must leave from 2 to {MAX_CELLS} possible cells")
    if sum(len(label.encode()) for label in labels) > _MAX_LABELS:
        raise InvalidRequest.at("attributes", f"must make labels of at most {_MAX_LABELS} bytes in all")
    names = CellNames(labels, attributes)
    for index, attribute in enumerate(attributes):
        found = {combination[index] for combination in names.table.combinations}
        if len(found) != len(attribute.levels):
            raise InvalidRequest.at(f"attributes[{index}].levels", "must each be in a possible cell")
    return names


def _check_names(attributes: Sequence[Attribute]) -> None:
    if len({as_seen(each.name) for each in attributes}) != len(attributes):
        raise InvalidRequest.at("", "must have names that differ from each other")
    for index, each in enumerate(attributes):
        if len({as_seen(level) for level in each.levels}) != len(each.levels):
            raise InvalidRequest.at(f"[{index}].levels", "must differ from each other")


def cell_words(cells: Mapping[str, Sequence[str]] | Sequence[str] | None) -> str:
    """Return a set of cells in words, such as `age 20 to 29 or 30 to 39 and sex women`."""
    if isinstance(cells, Mapping):
        return " and ".join(f"{isolated(name)} {_names_text(levels)}" for name, levels in cells.items())
    return "all" if cells is None else _names_text(cells)


def _names_text(names: Sequence[str]) -> str:
    more = [f"{len(names) - _MAX_NAMED_CELLS} more"] if len(names) > _MAX_NAMED_CELLS else []
    return " or ".join([*map(isolated, names[:_MAX_NAMED_CELLS]), *more])
