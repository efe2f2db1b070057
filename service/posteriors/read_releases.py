"""Reads complete releases for inference: released values only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from sqlalchemy import Connection

from core.inference.likelihood import unavailable_reason
from core.limits import MAX_CATEGORIES
from core.margins.combination import cells_reached
from core.mechanisms.catalogue import TableEvent, TablesEvent
from core.mechanisms.noisy_counts import NoisyCounts, nearest_on_simplex
from service.channels.events import MERGED, event_from_json
from service.datasets import public_facts
from service.errors import InvalidRequest, NotFound, NotSupported
from service.pictures.dates import day, instant
from service.pictures.scales import grouped
from service.principals.auth import Caller
from service.releases import access as release_access
from service.runtime.key_file import InstalledKeys
from service.schemas.cell_names import SEPARATOR, CellNames
from service.schemas.cells import of_json
from service.schemas.mechanisms import name_of


@dataclass(frozen=True, slots=True)
class ReadRelease:
    """A complete release for inference. All of it may be seen by every caller who may read the release."""

    id: str
    event: TableEvent
    labels: list[str]
    prior: list[float]
    counts: NoisyCounts
    title: str
    subtitle: str
    date: str = ""
    dataset_id: str = ""
    budget_id: str = ""
    attributes: list[dict[str, Any]] | None = None
    """Attributes of a cross table, as plain JSON."""
    merged: list[list[int]] | None = None
    """The sets of cells that were merged before the noise was drawn."""

    @property
    def names(self) -> CellNames:
        """Return the names that callers use for the cells."""
        return CellNames(self.labels, of_json(self.attributes)).with_merged(self.merged)


def get_release(
    connection: Connection,
    caller: Caller,
    release_id: str,
    keys: InstalledKeys,
    margin: Sequence[str] | None = None,
    *,
    named: bool = False,
) -> ReadRelease:
    """Return the release, or one measured margin of a release of margins. `named`: it is titled by its data set's name
    if the caller may see the data set.

    Raises NotFound, ReleaseInProgress, ReleaseFailed, InvalidRequest at `margin`, and NotSupported for a release
    without noisy counts.
    """
    row = release_access.readable_row(connection, caller, release_id, keys)
    release = of_document(json.loads(row.document), margin)
    if named:
        with suppress(NotFound):
            return replace(release, title=public_facts.visible(connection, caller, row.dataset_id).name)
    return release


def of_document(result: dict[str, Any], margin: Sequence[str] | None) -> ReadRelease:
    """Return the release with this parsed response or public text, or one measured margin of it. Raises InvalidRequest
    at `margin`, and NotSupported for a release without noisy counts.
    """
    event = event_from_json(result["event"])
    if "measured" in result:
        return _release_of_margin(result, event, margin)
    if margin is not None:
        raise InvalidRequest.at("margin", "must be left out, because this release is not a release of margins")
    if (posterior := result.get("posterior")) is None:
        raise NotSupported(unavailable_reason(event))
    counts = NoisyCounts(tuple(posterior["noisy_counts"]), tuple(posterior["released_counts"]))
    return ReadRelease(
        id=result["id"],
        dataset_id=result["dataset_id"],
        budget_id=result["budget_id"],
        event=event,
        labels=result["labels"],
        attributes=result["attributes"],
        prior=result["prior"],
        merged=result["event"].get(MERGED),
        counts=counts,
        **_words(result),
    )


def _release_of_margin(result: dict[str, Any], event: TablesEvent, names: Sequence[str] | None) -> ReadRelease:
    """Return one measured margin as a noisy table by itself. Cells that no possible combination reaches are left
    out.
    """
    found = [index for index, each in enumerate(result["measured"]) if set(each["attributes"]) == set(names or ())]
    if names is None or not found:
        rule = "is required for a release of margins" if names is None else "is not a margin that the release measured"
        raise InvalidRequest.at("margin", rule)
    margin, measured = event.margins[found[0]], result["measured"][found[0]]
    reached = cells_reached(event.levels, event.impossible, [margin])[0].ravel().tolist()
    if sum(reached) > MAX_CATEGORIES:
        raise InvalidRequest.at("margin", f"has more than {MAX_CATEGORIES} cells, above the limit of a posterior")
    attributes = [result["attributes"][each] for each in margin]
    every = product(*(each["levels"] for each in attributes))
    noisy = tuple(count for count, each in zip(measured["noisy_counts"], reached, strict=True) if each)
    if len(noisy) == 1:
        raise InvalidRequest.at("margin", "has one cell, and no shares")
    on_simplex = tuple(max(0, each) for each in noisy) if event.n is None else nearest_on_simplex(noisy, event.n)
    return ReadRelease(
        id=result["id"],
        dataset_id=result["dataset_id"],
        budget_id=result["budget_id"],
        event=event.of_margin(found[0]),
        labels=[SEPARATOR.join(levels) for levels, each in zip(every, reached, strict=True) if each],
        attributes=attributes,
        prior=[1.0] * len(noisy),
        counts=NoisyCounts(noisy, on_simplex),
        **_words(result),
    )


def _words(result: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a release that are shown in pictures."""
    certified, size = result["certified"], result["record_count"]
    return {
        "title": "Private posterior" if size is None else f"Private posterior of {grouped(size)} records",
        "date": day(instant(result["created_at"])),
        "subtitle": (
            f"{'private number of' if size is None else grouped(size)} records; "
            f"{name_of(result['mechanism']['kind'])} mechanism; "
            f"proven: ε = {certified['epsilon']}, δ = {certified['delta']}; release {result['id']}"
        ),
    }
