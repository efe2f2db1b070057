"""Reads how people name sets of cells: by labels, `ill,dead`, or by levels of attributes, `arm=placebo,outcome=ill`.

`outcome=ill,dead` names two levels of one attribute.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from private_posterior.commands.show import fail
from private_posterior.commands.table_options import listed
from private_posterior.dataset import sets_apart_from
from private_posterior.errors import NotATable
from private_posterior.nearest import nearest
from private_posterior.wording import first_names

if TYPE_CHECKING:
    from private_posterior.models import Attribute, Cells, Dataset, ListedDataset, Release, Share

_SEPARATOR: Final = " · "
"""Separates the levels in a label of a cross table."""


class Names(NamedTuple):
    """The labels, or the attributes and levels, of the cells of a data set or a release."""

    labels: Sequence[str]
    attributes: Sequence[Attribute]

    @classmethod
    def of(cls, thing: Dataset | ListedDataset | Release) -> Names:
        """Return the names of the cells. Ends the command for a release of margins, which has several tables."""
        if thing.get("kind") == "queries":
            fail("it has answers to queries, and no cells: name a release of counts or margins")
        margins: Any = thing.get("measured")
        if margins is not None:
            measured = [",".join(each["attributes"]) for each in margins if each["attributes"]]
            fail(f"it is a release of margins, which measured {'; '.join(measured)}. Add --margin {measured[0]}")
        labels: Any = thing.get("labels")
        attributes: Any = thing.get("attributes")
        return cls(labels, attributes or [])

    def cells(self, text: str) -> Cells:
        """Return the labels, or the levels by attribute, in a text. Ends the command if there are none."""
        if text in self.labels:
            return {"labels": [text]}
        items = items_of(text)
        if all(item in self.labels for item in items):
            return {"labels": list(items)}
        known = {each["name"]: each["levels"] for each in self.attributes}
        where: dict[str, list[str]] = {}
        name = ""
        for item in items:  # “sex=women,men” has two levels of one attribute
            first, sign, rest = (part.strip() for part in item.partition("="))
            name, level = (first, rest) if sign else (name, first)
            if level not in known.get(name, ()):
                fail(
                    f"“{item}” is not a category of this data set.{self._nearest_hint(item)} "
                    f"There are {self._attributes_text()}"
                )
            where.setdefault(name, []).append(level)
        return {"where": where}

    def share(self, where: str, given: str | None) -> Share:
        """Return a share as the service takes it: of some cells among all records, or among those in `given`."""
        of = self.cells(where)
        return {"of": of} if given is None else {"of": of, "within": self.cells(given)}

    def known(self, totals: Sequence[str] | None) -> dict[str, Any]:
        """Return the public totals of groups, `arm=vaccine=18198`, as a field of a request; nothing if there are none.
        Ends the command for a text that is not a group and a count.
        """
        found = []
        for text in totals or ():
            cells, _, count = text.rpartition("=")
            if not (count := count.strip()).isdecimal() or not cells:
                fail(f"--known {text}: it takes a group and its public number of records: 'arm=vaccine=18198'")
            found.append({"of": self.cells(cells.strip()), "count": int(count)})
        return {"known": found} if found else {}

    def positions(self, text: str) -> frozenset[int]:
        """Return the positions of the categories that a text names. Ends the command if there are none."""
        cells, numbers = self.cells(text), {label: number for number, label in enumerate(self.labels)}
        where, wanted = cells.get("where"), cells.get("labels") or []
        if where is not None:
            levels = [where.get(each["name"], each["levels"]) for each in self.attributes]
            wanted = [_SEPARATOR.join(each) for each in product(*levels)]
        return frozenset(numbers[label] for label in wanted if label in numbers)

    def levels(self) -> list[tuple[str, ...]]:
        """Return the level of each attribute for each category, or the label alone."""
        named = {_SEPARATOR.join(each): each for each in product(*(each["levels"] for each in self.attributes))}
        return [named.get(label, (label,)) for label in self.labels]

    def merged(self, merge: Sequence[str] | None, only: str | None) -> dict[str, Any]:
        """Return the sets of labels that are merged, as a field of a request; nothing if there are none.

        `merge` names the sets, and `only` the attributes that are counted. Ends the command for unknown names.
        """
        if merge and only:
            fail("give --merge or --only")
        sets = [[self.labels[number] for number in sorted(self.positions(each))] for each in merge or ()]
        if only is not None:
            known, wanted = [each["name"] for each in self.attributes], items_of(only)
            if unknown := [each for each in wanted if each not in known]:
                fail(f"--only {unknown[0]}: it is not an attribute. There are {', '.join(known) or 'none'}")
            sets = sets_apart_from(self.attributes, self.labels, wanted)
            if not sets:
                fail("--only names all attributes that divide the table: leave it out")
        return {"merged": sets} if sets else {}

    def _nearest_hint(self, item: str) -> str:
        every = [f"{each['name']}={level}" for each in self.attributes for level in each["levels"]]
        found = nearest(item, [*every, *self.labels])
        return "" if found is None else f" Did you mean “{found}”?"

    def _attributes_text(self) -> str:
        if not self.attributes:
            return first_names(self.labels)
        return "; ".join(f"{each['name']}={first_names(each['levels'], separator=',')}" for each in self.attributes)


def items_of(text: str) -> Sequence[str]:
    """Return the items of a list. A fault ends the command with a message."""
    try:
        return listed(text)
    except NotATable as error:
        fail(str(error))
