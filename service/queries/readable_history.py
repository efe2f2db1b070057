"""Read the releases that a caller may read into a history of noisy answers. Only released values are read, so this
costs no budget.

Releases can be long and numerous. So they are read one at a time, and only the parts that a history needs are kept.
Reading stops at a limit that depends on public sizes only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection

from core.accounting.pairwise_loss import Row
from core.mechanisms import catalogue
from core.mechanisms.margins import KIND as MARGINS
from core.mechanisms.margins import Margins
from core.privacy import Rate
from core.queries.history import MAX_COLUMNS, History, HistoryError
from core.queries.released_counts import add_margins, noisy_cells
from service.channels.events import MERGED, event_from_json
from service.database.rows import DatasetRow, MeasuredRelease
from service.errors import ReleaseAltered
from service.principals.auth import Caller
from service.releases import access as release_access
from service.runtime.key_file import InstalledKeys
from service.schemas import queries as schema

_MAX_WORK: Final = 4 * 10**9
"""Limit of work of one history, in rows times the square of columns: about a second."""
_MAX_RELEASES: Final = 500
_MAX_CHARACTERS: Final = 64_000_000
"""Characters of stored releases that one request may read."""
_SIZE_REASON: Final = "too large for one estimate, alone or together with later releases"
_MERGER_REASON: Final = "its categories were merged before the noise was drawn: ask the release"
_ALTERATION_REASON: Final = "its stored answer was altered"
_WIDTH_REASON: Final = f"queries use releases of data sets with at most {MAX_COLUMNS} categories"

KnownRelease: TypeAlias = dict[str, Any]
"""The parts of a release that a history needs, as plain JSON: its `id`, and one of

- `event` and `noisy_counts`, of a posterior
- `event` and `margins`, the noisy counts of each measured margin
- `measured`, the rows of query answers
- `unused`, the reason why it is left out
"""
_Evidence: TypeAlias = Callable[[History], None]


@dataclass(slots=True)
class ReadableHistory:
    """The history from which a caller's queries are estimated, and the releases that it leaves out."""

    history: History
    release_ids: list[str] = field(default_factory=list)
    """Ids in the order in which the releases were added."""
    excluded_releases: list[schema.ExcludedRelease] = field(default_factory=list)


def read_known(connection: Connection, caller: Caller, dataset: DatasetRow, keys: InstalledKeys) -> list[KnownRelease]:
    """Return the latest complete releases of a data set that the caller may read, or all if the history is shared with
    the caller.

    Using any other release would disclose the queries of others.
    """
    measured_releases = release_access.measured_releases_on(connection, caller, dataset, limit=_MAX_RELEASES)
    return list(_read_measured(connection, measured_releases, dataset.category_count, keys))


def read_few(
    connection: Connection, caller: Caller, dataset: DatasetRow, keys: InstalledKeys, *, most_rows: int
) -> list[KnownRelease] | None:
    """Return the releases as `read_known` does, or None if there is a posterior or more than `most_rows` rows were
    measured.
    """
    measured_releases = release_access.measured_releases_on(connection, caller, dataset, limit=_MAX_RELEASES)
    if len(measured_releases) > most_rows or any(release.kind == "posterior" for release in measured_releases):
        return None
    found = list(_read_measured(connection, measured_releases, dataset.category_count, keys))
    return found if sum(len(release.get("measured", ())) for release in found) <= most_rows else None


def read_again(connection: Connection, release_ids: Sequence[str], m: int, keys: InstalledKeys) -> list[KnownRelease]:
    """Return the releases with these ids, in this order. `read_known` returned them to the caller before.

    Raises ReleaseAltered if one of them was altered since the service stored it, and ReceiptKeyUnavailable.
    """
    found = list(_read_measured(connection, release_access.measured_releases(connection, release_ids), m, keys))
    if any(each.get("unused") == _ALTERATION_REASON for each in found):
        raise ReleaseAltered
    return found


def _read_measured(
    connection: Connection, measured_releases: Iterable[MeasuredRelease], m: int, keys: InstalledKeys
) -> Iterable[KnownRelease]:
    characters = work = 0
    for release in measured_releases:
        rows = m if release.kind == "posterior" and release.mechanism != MARGINS else 1
        if release.kind == "posterior" and m > MAX_COLUMNS:
            yield {"id": release.id, "unused": _WIDTH_REASON}
        elif characters > _MAX_CHARACTERS or work + rows * m * m > _MAX_WORK:
            yield {"id": release.id, "unused": _SIZE_REASON}
        else:
            try:
                stored = release_access.read_complete(connection, release.id, keys)
            except ReleaseAltered:
                yield {"id": release.id, "unused": _ALTERATION_REASON}
                continue
            characters += len(stored.spec) + len(stored.document)
            result = json.loads(stored.document)
            if release.kind == "query":
                rows = len(result["measured"])
                yield {"id": release.id, "measured": result["measured"]}
            elif (event := result["event"])["event"] == MARGINS:
                noisy = [each["noisy_counts"] for each in result["measured"]]
                rows = sum(map(len, noisy))
                if work + rows * m * m > _MAX_WORK:
                    yield {"id": release.id, "unused": _SIZE_REASON}
                    continue
                yield {"id": release.id, "event": event, "margins": noisy}
            elif MERGED in event:
                yield {"id": release.id, "unused": _MERGER_REASON}
                continue
            else:  # the record of the event says why releases without noisy counts are not used
                noisy = result.get("posterior", {}).get("noisy_counts", [])
                yield {"id": release.id, "event": event, "noisy_counts": noisy}
            work += rows * m * m


def history_of(n: int | None, m: int, releases: Iterable[KnownRelease]) -> ReadableHistory:
    """Return the history of these releases, in this order. `n` is None if the number of records is private.

    Releases that can't be added are excluded with a reason.
    """
    known = ReadableHistory(History(n, m))
    for release in releases:
        evidence = _evidence_of(release)
        reason = evidence if isinstance(evidence, str) else _add(known, release["id"], evidence)
        if reason is not None:
            known.excluded_releases.append(schema.ExcludedRelease(release_id=release["id"], reason=reason))
    return known


def _add(known: ReadableHistory, release_id: str, add_to: _Evidence) -> str | None:
    """Add a release to the history. Return the reason if it can't be added, otherwise None."""
    trial = known.history.copy()  # all rows of a release are added, or none
    try:
        add_to(trial)
    except HistoryError as error:
        return str(error)
    known.history = trial
    known.release_ids.append(release_id)
    return None


def _evidence_of(release: KnownRelease) -> _Evidence | str:
    """Return a function that adds the noisy rows of a release to a history, or the reason why there are none."""
    if "unused" in release:
        return str(release["unused"])
    if "margins" in release:
        event: Margins = event_from_json(release["event"], (catalogue.MARGINS,))
        return lambda history: add_margins(history, event, release["margins"], release["id"])
    return _evidence_of_answers(release) if "measured" in release else _evidence_of_counts(release)


def _evidence_of_answers(release: KnownRelease) -> _Evidence:
    def add_to(history: History) -> None:
        for number, each in enumerate(release["measured"]):
            noisy = Row(tuple(each["coefficients"]), each["denominator"], Rate.parse(each["rate"]))
            history.add_answer(noisy, Fraction(each["exact_answer"]), f"{release['id']}/{number}")

    return add_to


def _evidence_of_counts(release: KnownRelease) -> _Evidence | str:
    event, noisy = event_from_json(release["event"]), tuple(release["noisy_counts"])
    cells = noisy_cells(event, noisy)
    if isinstance(cells, str):
        return cells
    return lambda history: history.add_counts(cells.counts, cells.noise, release["id"])
