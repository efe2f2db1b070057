"""Reads published counts, which the demonstration registers, with their sources. `published_tables.json`
contains them.
"""

from __future__ import annotations

import importlib.resources
import json
from dataclasses import dataclass

from private_posterior.models import Attribute


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """Histograms over the same categories, by name, and where they were published."""

    title: str
    unit: str
    sources: tuple[str, ...]
    labels: tuple[str, ...]
    """Empty for a cross table."""
    attributes: tuple[Attribute, ...]
    """Attributes of a cross table, whose counts are in row-major order."""
    counts: dict[str, tuple[int, ...]]


def published_table(name: str) -> PublishedTable:
    """Return the table with this name. Raises KeyError if there is none."""
    text = importlib.resources.files("service.cli.demo").joinpath("published_tables.json").read_text(encoding="utf-8")
    table = json.loads(text)[name]
    return PublishedTable(
        title=table["title"],
        unit=table["unit"],
        sources=tuple(table["sources"]),
        labels=tuple(table.get("labels", ())),
        attributes=tuple(table.get("attributes", ())),
        counts={name: tuple(counts) for name, counts in table["counts"].items()},
    )
