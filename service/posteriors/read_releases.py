"""Reads complete releases for inference: released values only."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from core.mechanisms.catalogue import Event
from core.mechanisms.noisy_counts import NoisyCounts
from service.database.rows import ReleaseRow
from service.datasets import datasets
from service.errors import NotFound
from service.pictures.dates import day
from service.pictures.scales import grouped
from service.principals.auth import Caller
from service.releases import access as release_access
from service.releases.spec import event_of_spec
from service.runtime.key_file import InstalledKeys
from service.schemas.cell_names import CellNames
from service.schemas.cells import of_json
from service.schemas.mechanisms import record_of


@dataclass(frozen=True, slots=True)
class ReadRelease:
    """A complete release for inference. All of it may be seen by every caller who may read the release."""

    id: str
    event: Event
    labels: list[str]
    prior: list[float]
    counts: NoisyCounts
    title: str
    subtitle: str
    mark: str = ""
    date: str = ""
    dataset_id: str = ""
    budget_id: str = ""
    attributes: list[dict[str, Any]] | None = None
    """Attributes of a cross table, as plain JSON."""

    @property
    def names(self) -> CellNames:
        """Return the names that callers use for the cells."""
        return CellNames(self.labels, of_json(self.attributes))


def get_release(connection: Connection, caller: Caller, release_id: str, keys: InstalledKeys) -> ReadRelease:
    """Return the release. Raises NotFound, ReleaseInProgress or ReleaseFailed."""
    return _of_row(release_access.readable_row(connection, caller, release_id, keys))


def read_with_name(connection: Connection, caller: Caller, release_id: str, keys: InstalledKeys) -> ReadRelease:
    """Return the release, titled by its data set's name if the caller may see the data set. Raises the errors of
    `read`.
    """
    row = release_access.readable_row(connection, caller, release_id, keys)
    try:
        name = datasets.visible(connection, caller, row.dataset_id).name
    except NotFound:
        return _of_row(row)
    return replace(_of_row(row), title=name)


def read_public(connection: Connection, release_id: str, keys: InstalledKeys) -> ReadRelease:
    """Return a public release. Raises NotFound."""
    return _of_row(release_access.public_row(connection, release_id, keys))


def _of_row(row: ReleaseRow) -> ReadRelease:
    result = json.loads(row.document)
    posterior = result["posterior"]
    counts = NoisyCounts(tuple(posterior["noisy_counts"]), tuple(posterior["released_counts"]))
    certified = result["certified"]
    return ReadRelease(
        id=row.id,
        dataset_id=row.dataset_id,
        budget_id=row.budget_id,
        event=event_of_spec(row.spec),
        labels=result["labels"],
        attributes=result["attributes"],
        prior=result["prior"],
        counts=counts,
        title=f"Private posterior of {grouped(result['record_count'])} records",
        date=day(datetime.fromtimestamp(row.created_at, UTC)),
        subtitle=(
            f"{grouped(result['record_count'])} records; {record_of(result['mechanism']['kind']).name} mechanism; "
            f"proven: ε = {certified['epsilon']}, δ = {certified['delta']}; release {row.id}"
        ),
    )
