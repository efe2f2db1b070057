"""Combine the margins of all releases of a data set that the caller may read into tables. Free: only released values
are read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from core.margins.combination import Combination, MarginsError, cells_reached, measured_margins
from core.mechanisms.catalogue import MARGINS as MARGINS_KIND
from core.mechanisms.margins import KIND as MARGINS
from core.mechanisms.margins import Margin, Margins
from core.mechanisms.noisy_counts import nearest_on_simplex
from service.channels.events import event_from_json
from service.database.rows import DatasetRow
from service.errors import InvalidRequest, ReleaseAltered
from service.margins.paid_margins import noisy_margins, table_fields
from service.margins.planning import names_of, wanted_margins
from service.principals.auth import Caller
from service.releases import access as release_access
from service.runtime.key_file import InstalledKeys
from service.schemas import estimates as schema
from service.schemas.margins import CONFIDENCES, ConstrainedTable, MarginTable
from service.schemas.queries import ExcludedRelease

_MAX_RELEASES: Final = 500
_MAX_CHARACTERS: Final = 64_000_000
"""Characters of stored releases that one request may read."""
_OTHER_KIND_REASON: Final = "tables are combined from releases of margins"
_BLOCKS: Final = "its tables share one draw of noise: read them in the release"
_SIZE_REASON: Final = "later releases fill what can be combined at once"
_ALTERATION_REASON: Final = "its stored answer was altered"


def content_of(
    connection: Connection, caller: Caller, dataset: DatasetRow, body: schema.EstimatesCreate, keys: InstalledKeys
) -> dict[str, Any]:
    """Return what `combined` reads. Raises InvalidRequest."""
    if body.constraints and dataset.record_count is None:
        raise InvalidRequest.at("constraints", "must be false: the number of records, to which counts sum, is private")
    names = names_of(dataset)
    wanted = wanted_margins(names.table.levels, names, body)
    known, excluded = _known_releases(connection, caller, dataset, keys)
    return {
        "dataset": dataset,
        "wanted": wanted,
        "confidence": body.confidence,
        "constraints": body.constraints,
        "known": known,
        "excluded": excluded,
    }


def _known_releases(
    connection: Connection, caller: Caller, dataset: DatasetRow, keys: InstalledKeys
) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Return id, event and noisy counts of the releases of margins that the caller may read, oldest first, and the
    releases that are left out.
    """
    known, excluded, characters = [], [], 0
    for release in release_access.measured_releases_on(connection, caller, dataset, limit=_MAX_RELEASES):
        reason = None
        if release.mechanism != MARGINS:
            reason = _OTHER_KIND_REASON
        elif characters > _MAX_CHARACTERS:
            reason = _SIZE_REASON
        else:
            try:
                stored = release_access.read_complete(connection, release.id, keys)
            except ReleaseAltered:
                reason = _ALTERATION_REASON
            else:
                characters += len(stored.spec) + len(stored.document)
                drawn, event = json.loads(stored.drawn or ""), json.loads(stored.spec)["event"]
                if event["event"] == MARGINS:
                    known.append({"id": release.id, "event": event, "noisy": drawn["noisy"]})
                else:
                    reason = _BLOCKS
        if reason is not None:
            excluded.append({"release_id": release.id, "reason": reason})
    return known[::-1], excluded[::-1]


def combined(content: dict[str, Any]) -> schema.Estimates:
    """Return the tables. Raises InvalidRequest."""
    dataset = DatasetRow(*content["dataset"])
    wanted: list[Margin] = [tuple(each) for each in content["wanted"]]
    events: list[Margins] = [event_from_json(each["event"], (MARGINS_KIND,)) for each in content["known"]]
    if not events:
        raise InvalidRequest.at("", "needs a release of margins of this data set that you may read")
    first = events[0]
    measured = [each for event in events for each in measured_margins(event)]
    noisy = [
        each
        for event, known in zip(events, content["known"], strict=True)
        for each in noisy_margins(event, known["noisy"])
    ]
    combination = Combination(first.levels, measured, n_is_public=first.n is not None)
    confidences = sorted({*CONFIDENCES, content["confidence"]})
    try:
        estimates = combination.estimates(noisy, first.n, wanted, first.impossible)
        plans = [
            {
                "margin": margin,
                "deviation": combination.variance(margin) ** 0.5,
                "intervals": [(c, combination.error(margin).half_width(c)) for c in confidences],
            }
            for margin in wanted
        ]
    except MarginsError as error:
        raise InvalidRequest.at("margins", f"must be determined by the releases: {error}") from None
    attributes = names_of(dataset).to_json() or []
    fields = table_fields(plans, first, attributes)
    return schema.Estimates(
        answers=None,
        covariance=None,
        tables=[
            MarginTable(**of, estimates=table.ravel().tolist()) for of, table in zip(fields, estimates, strict=True)
        ],
        constrained=_constrained_tables(first, wanted, estimates, fields) if content["constraints"] else None,
        used=[each["id"] for each in content["known"]],
        excluded_releases=[ExcludedRelease(**each) for each in content["excluded"]],
    )


def _constrained_tables(
    event: Margins, wanted: Sequence[Margin], estimates: Sequence[NDArray[np.float64]], fields: list[dict[str, Any]]
) -> list[ConstrainedTable]:
    """Return whole counts near each table that are not negative and sum to n, with 0 in cells that none reaches."""
    assert event.n is not None, "the number of records is public"
    found = []
    for of, table, reached in zip(
        fields, estimates, cells_reached(event.levels, event.impossible, wanted), strict=True
    ):
        counts = np.zeros(table.shape, dtype=np.int64)
        rounded = np.rint(table[reached]).astype(np.int64)
        counts[reached] = nearest_on_simplex(tuple(rounded.tolist()), event.n)
        found.append(ConstrainedTable(attributes=of["attributes"], counts=counts.ravel().tolist()))
    return found
