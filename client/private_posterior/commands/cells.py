"""Reads how people name sets of cells: by labels, `ill,dead`, or by levels of attributes, `arm=placebo,outcome=ill`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from private_posterior.commands.records import listed
from private_posterior.commands.show import fail
from private_posterior.commands.tabular import FileError

if TYPE_CHECKING:
    from private_posterior.models import Attribute, Dataset, Release


class Names(NamedTuple):
    """The labels, or the attributes and levels, of the cells of a data set or a release."""

    labels: Sequence[str]
    attributes: Sequence[Attribute]

    @classmethod
    def of(cls, thing: Dataset | Release) -> Names:
        return cls(thing["labels"], thing.get("attributes") or [])

    def cells(self, text: str) -> list[str] | dict[str, list[str]]:
        """Return the labels, or the levels by attribute, in a text. Ends the command if there are none."""
        if text in self.labels:
            return [text]
        try:
            items = listed(text)
        except FileError as error:
            fail(str(error))
        if all(item in self.labels for item in items):
            return list(items)
        known = {each["name"]: each["levels"] for each in self.attributes}
        where: dict[str, list[str]] = {}
        for item in items:
            name, _, level = (part.strip() for part in item.partition("="))
            if level not in known.get(name, ()):
                fail(f"these are not categories of this data set; there are {self._shown()}")
            where.setdefault(name, []).append(level)
        return where

    def set_of(self, where: str, given: str | None) -> dict[str, Any]:
        """Return the API's description of a share: that of some cells, among all records or among those in `given`."""
        cells = self.cells(where)
        share: dict[str, Any] = {"labels": cells} if isinstance(cells, list) else {"where": cells}
        return share if given is None else share | {"given": self.cells(given)}

    def _shown(self) -> str:
        if not self.attributes:
            return ", ".join(self.labels[:12]) + (", …" if len(self.labels) > 12 else "")
        return "; ".join(f"{each['name']}={','.join(each['levels'][:12])}" for each in self.attributes)
