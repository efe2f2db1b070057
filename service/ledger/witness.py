"""The witness records the last head of every budget's ledger outside the database, to detect a database that went back
in time.

- Commits of this process are recorded at once, in memory. Commits of other processes are recorded by reading the
  database periodically. Only committed heads are recorded, so a database that kept its commits never contradicts them.
- Before a result is returned, the journal of the witness file gets a line with the result's id and the new heads. The
  line is on the disk first. So a restart, or another process of the machine, detects a failover that lost charges of
  returned results. The journal is compacted into the file from time to time.
- Before that line, the folder of receipts gets the receipts of the charges (`service.ledger.journal`). Before
  any other change is answered, the folder gets its entries.
- A failover can also lose a result and keep its charge. It always loses the latest commits. So the ids of the last
  returned results are recorded, and looked up in the database. A recorded release is never drawn again, even if its row
  is unsettled.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import threading
import time
from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, and_, or_, select

from service.database.rows import EntryRow, fetch_all
from service.database.tables import entries, installation
from service.identifiers.identifiers import failure, now
from service.ledger.chain import CHARGING, Entry, Head, read_entry
from service.ledger.clock import is_ahead, is_behind
from service.ledger.database_state import count_spending, is_restore_pending, read_heads, read_identity
from service.ledger.journal import Journal, ReceiptFolder
from service.settings.settings import SettingsError, WitnessSettings

_logger = logging.getLogger("posterior.witness")
_KIND: Final = "private-posterior witness 1"
_MAX_RETURNED: Final = 1000
"""Number of returned results recorded: many times the number in progress in one process."""
_FULL_DISK_ERRORS: Final = {errno.ENOSPC, errno.EDQUOT}
_JOURNAL_BYTES: Final = 4_000_000
_LOOKS_WRITTEN_EVERY_SECONDS: Final = 3600
_HEADS_AT_ONCE: Final = 200
"""Ledgers per query."""
Sign: TypeAlias = Callable[[Entry], str]
"""Returns the signed form of an entry."""
_QUARANTINE_SECONDS: Final = 3.0
"""How long releases stay stopped after the database changed its timeline, so that every other process can compare
first.
"""


@dataclass(frozen=True, slots=True)
class ResultStored:
    """Event of a commit: a release's result, or that it failed, is now stored, and about to be returned."""

    release_id: str


@dataclass(frozen=True, slots=True)
class ReceiptSigned:
    """Event of a commit: a release was charged, or drawn by this process. `receipt` is its signed text."""

    release_id: str
    receipt: str = field(repr=False)


@dataclass(slots=True)
class Witness:
    """The recorded heads and returned results, in memory and, if `path` is given, in a file. Thread-safe."""

    path: Path | None
    identity: str
    """Id of the installation. It distinguishes a different database from a restored one."""
    restores: int = 0
    """Number of restores of the database when the heads were recorded. Heads from before a restore belong to another
    history than later ones.
    """
    heads: dict[str, Head] = field(default_factory=dict)
    returned: dict[str, None] = field(default_factory=dict)
    """Ids of the last releases whose results were returned, newest last."""
    pre_restore: frozenset[str] | set[str] = frozenset()
    """Ids of budgets whose heads were recorded before a restore that other processes have noticed since."""
    lost: dict[str, Head] = field(default_factory=dict)
    """Recorded heads of budgets that the restored database lacks, while the restore is pending."""
    sign: Sign | None = None
    """If None, the folder gets only receipts."""
    sync: bool = True
    """Whether a result waits until its journal line is on the disk."""
    timeline: str | None = None
    """The database server's id of its history, which a failover or a restore changes. None if the server has none."""
    usable: bool = True
    """Whether the last write to the file succeeded."""
    is_full: bool = False
    """Whether that write failed because the disk of the file had no room."""
    counted: dict[str, tuple[int, int]] = field(default_factory=dict)
    """For each budget, the number of entries that spend, up to a sequence. See `count_spending`."""
    cursor: str = ""
    """Id of the last budget that `service.ledger.restore.watch.look` compared."""
    looked_at: int | None = None
    """Time of the last look at which the clock did not contradict the ledgers, or None before the first look."""
    clock_is_doubtful: bool = False
    """Whether the clock contradicted a ledger at the last look at all ledgers."""
    _newest_entry_time: int = 0
    """Time of the newest entry in the ledgers of the current round of looks."""
    _look_written_at: int = 0
    _doubted_since: float | None = None
    _unwritten: dict[str, Head] = field(default_factory=dict)
    """Heads that are not in the journal yet."""
    _unwritten_counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    _receipts: ReceiptFolder | None = None
    _journal: Journal | None = None
    _ordered_ids: list[str] | None = None
    """Sorted ids of the budgets, or None before they are first needed."""
    _is_long: bool = False
    _own_file: tuple[int, int] | None = None
    """Inode and time of the file whose content was last read or written."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.path is not None:
            self._journal = Journal(self.path.with_name(self.path.name + ".journal"))
            self._receipts = ReceiptFolder(receipts_beside(self.path))

    @classmethod
    def open(cls, path: Path | None, identity: str, *, sync: bool = True, sign: Sign | None = None) -> Witness:
        """Open the witness with the content of its files, if they exist.

        Raises SettingsError if a file belongs to another installation.
        """
        witness = cls(path, identity, sync=sync, sign=sign)
        witness.reload()
        return witness

    def reload(self) -> None:
        """Add the records that other processes of the machine wrote to the files. Raises SettingsError."""
        if self.path is None or self._journal is None:
            return
        try:
            # The journal before the file, since compaction moves lines from the journal to the file.
            lines = self._journal.read()
            if self.path.exists() and self._own_file != (found := self._file()):
                lines.insert(0, json.loads(self.path.read_text()))
                self._own_file = found
            known = [_Line.parse(line) for line in lines]
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            raise SettingsError("POSTERIOR_WITNESS_FILE names a file that is not a witness of this service") from None
        if any(line.identity != self.identity for line in known):
            raise SettingsError(
                "the witness file has the ledgers of another database; if this database is new and not restored, "
                "name another file in POSTERIOR_WITNESS_FILE, or move that file away"
            )
        with self._lock:
            if known and not self.heads:
                self.restores = known[0].restores
                self.looked_at = known[-1].looked_at
            for line in known:
                # A head from before a restore can have a larger sequence than every head after it.
                advanced = self._advance(line.heads)
                self.counted |= line.counted
                self.lost |= line.lost
                if line.restores < self.restores:
                    self.pre_restore = self.pre_restore | advanced
                else:
                    self.pre_restore = self.pre_restore - advanced
                    self._record_returned(line.returned)

    def is_contradicted_by(self, head: Head) -> bool:
        """Return whether the ledger that now ends with `head` lost or changed a recorded entry.

        If `head` is later than the recorded head, this returns False, and the caller has to compare the recorded entry
        itself.
        """
        seen = self.heads.get(head.budget_id)
        if seen is None:
            return False
        return head.sequence < seen.sequence or (head.sequence == seen.sequence and head.hash != seen.hash)

    def has_returned(self, release_id: str) -> bool:
        """Return whether a process of this machine returned the result of the release, as far as the last results are
        recorded. Raises SettingsError.
        """
        self.reload()
        return release_id in self.returned

    def heads_after(self, after: str, limit: int) -> list[Head]:
        """Return the recorded heads of the next `limit` budgets after the id `after`, in the order of their ids."""
        with self._lock:
            if self._ordered_ids is None:
                self._ordered_ids = sorted(self.heads)
            begin = bisect_right(self._ordered_ids, after)
            return [self.heads[budget_id] for budget_id in self._ordered_ids[begin : begin + limit]]

    def is_verified(self, timeline: str | None) -> bool:
        """Return whether the database is still on the timeline that the witness verified.

        If not, nothing may be released until `mark_verified`.
        """
        if self.timeline is None:
            self.timeline = timeline
        if timeline != self.timeline and self._doubted_since is None:
            self._doubted_since = time.monotonic()
            _logger.warning(
                "the database server has another timeline than before: releases stop until the ledgers are compared"
            )
        return self._doubted_since is None

    @property
    def is_in_doubt(self) -> bool:
        """Return whether the database server switched to another timeline and the ledgers have not been compared
        since.
        """
        return self._doubted_since is not None

    @property
    def may_compare(self) -> bool:
        """Return whether the other processes have had time to record heads that contradict the new timeline of the
        database.
        """
        return self._doubted_since is not None and time.monotonic() - self._doubted_since >= _QUARANTINE_SECONDS

    def mark_verified(self, timeline: str | None) -> None:
        """Record that the database's ledgers were compared with the recorded heads on this timeline. Releases may then
        continue.
        """
        self.timeline, self._doubted_since = timeline, None

    def record_look(self, newest: int, confirmed: int) -> None:
        """Compare the clock with the times of the newest entries that a look found: of all entries, and of the entries
        of kinds in `CONFIRMING`. The caller sets `cursor` before.
        """
        instant, self._newest_entry_time = now(), max(self._newest_entry_time, newest)
        if not is_ahead(instant, confirmed, self.looked_at):
            self.looked_at = instant
        if not self.cursor:
            self.clock_is_doubtful = is_behind(instant, self._newest_entry_time) or is_ahead(instant, 0, self.looked_at)
            self._newest_entry_time = 0
        if not self.usable or abs(instant - self._look_written_at) >= _LOOKS_WRITTEN_EVERY_SECONDS:
            self._look_written_at = instant
            self.write(looked=True)

    def count_spending(self, connection: Connection, heads: Mapping[str, Head]) -> None:
        """Count the entries that spend in ledgers with these heads, from where they were counted before.

        Nothing is counted while a restore is pending. The losses of an earlier history could then still be unknown.
        Afterwards, the budgets that it lost are forgotten.
        """
        if is_restore_pending(connection):
            self.counted.clear()
            return
        self.lost.clear()
        for head in heads.values():
            sequence, count = self.counted.get(head.budget_id, (0, 0))
            if sequence > head.sequence:  # of a history that a restore has replaced
                sequence = count = 0
            if sequence < head.sequence:
                count += count_spending(connection, head.budget_id, after=sequence, last=head.sequence)
                with self._lock:
                    self.counted[head.budget_id] = self._unwritten_counts[head.budget_id] = head.sequence, count

    def spending_before(self, head: Head) -> int | None:
        """Return the number of entries that spend up to a recorded head, or None if unknown. Entries since the last
        count are counted as spending.
        """
        sequence, count = self.counted.get(head.budget_id, (-1, 0))
        return count + head.sequence - sequence if 0 <= sequence <= head.sequence else None

    def record_heads(self, heads: Iterable[Head]) -> None:
        """Record committed heads."""
        with self._lock:
            self._advance(heads)

    def on_commit(self, events: Iterable[object]) -> None:
        """Record the committed entries of a transaction of this process.

        If it stored results, wait until the journal is written.
        """
        if not events:
            return
        returned = [each.release_id for each in events if isinstance(each, ResultStored)]
        receipts = [(each.release_id, each.receipt) for each in events if isinstance(each, ReceiptSigned)]
        acts = [each for each in events if isinstance(each, Entry)]
        with self._lock:
            self._advance(each for each in events if isinstance(each, Head))
            self._record_returned(returned)
        self._keep(receipts)
        self.keep_entries(acts)
        if returned:
            self.write(returned)

    def keep_entries(self, acts: Iterable[Entry]) -> None:
        """Write entries other than charges to the folder, and wait until they are on the disk."""
        if self.sign is not None and self._receipts is not None:
            self._keep([(entry.hash, self.sign(entry)) for entry in acts], sync=self.sync)

    def _keep(self, lines: list[tuple[str, str]], *, sync: bool = False) -> None:
        if not lines or self._receipts is None:
            return
        try:
            self._receipts.keep(lines)
            if sync:
                self._receipts.sync()
        except OSError as error:
            self._fail(error, {}, {})

    def unrecorded(self, connection: Connection, heads: Mapping[str, Head]) -> list[Entry]:
        """Return the entries other than charges between the recorded heads and these later ones, which other processes
        wrote. Returns none before the witness has recorded anything.
        """
        seen = dict(self.heads)
        if self.sign is None or self._receipts is None or not seen:
            return []
        after = {each: seen[each].sequence if each in seen else 0 for each in heads}
        moved = [each for each, head in heads.items() if head.sequence > after[each]]
        found = []
        for start in range(0, len(moved), _HEADS_AT_ONCE):
            between = [
                and_(entries.c.budget_id == each, entries.c.sequence.between(after[each] + 1, heads[each].sequence))
                for each in moved[start : start + _HEADS_AT_ONCE]
            ]
            query = select(entries).where(or_(*between), entries.c.kind.not_in([kind.value for kind in CHARGING]))
            found += fetch_all(connection, EntryRow, query)
        return [read_entry(row._asdict()) for row in found]

    def write(self, returned: Iterable[str] = (), *, looked: bool = False) -> None:
        """Append the unwritten heads and these results to the journal. With `looked`, append the time of the last look
        even if there are none.

        A failure is logged and reported by readiness, but does not refuse the release.
        """
        if self._journal is None:
            return
        with self._lock:
            unwritten, self._unwritten = self._unwritten, {}
            counts, self._unwritten_counts = self._unwritten_counts, {}
        if not unwritten and not counts and not returned and not looked:
            return
        try:
            if self._receipts is not None:
                self._receipts.keep(())
                if self.sync:
                    self._receipts.sync()
            size = self._journal.append(self._document(unwritten, returned, counts), sync=self.sync)
        except OSError as error:
            self._fail(error, unwritten, counts)
        else:
            self.usable, self.is_full = True, False
            self._is_long = size > _JOURNAL_BYTES

    def compact_if_long(self) -> None:
        if self._is_long:
            self.compact()

    def compact(self) -> None:
        """Write all records to the file, and drop the journal lines that the file includes.

        This does not delay results.
        """
        if self.path is None or self._journal is None:
            return
        try:
            with self._journal.compacting() as may_compact:
                if not may_compact:  # another process does
                    return
                self.reload()
                with self._lock:
                    heads, returned, counted = dict(self.heads), list(self.returned), dict(self.counted)
                self._replace(self.path, self._document(heads, returned, counted))
            self._is_long = False
        except (OSError, SettingsError) as error:
            self._fail(error, {}, {})

    def reset(self, connection: Connection) -> None:
        """Replace all recorded heads by those in the database. Raises SettingsError if the file can't be written."""
        heads, restores = read_heads(connection), connection.execute(select(installation.c.restores)).scalar_one()
        self.keep_entries(self.unrecorded(connection, heads))
        self.count_spending(connection, heads)
        self.lost = {each: head for each, head in self.lost.items() if each not in heads}
        if restores != self.restores:
            with self._lock:
                self.restores = restores
                self.returned.clear()  # the restore has reported which of these were lost
        if self.path is not None and self._journal is not None:
            if not self.path.parent.exists():
                raise SettingsError(
                    f"there is no folder {self.path.parent} for the witness: make it, or correct POSTERIOR_WITNESS_FILE"
                )
            try:
                with self._journal.emptied():
                    self._replace(self.path, self._document(heads, list(self.returned), self.counted))
            except OSError as error:
                raise SettingsError(f"the witness file can't be written: {error.strerror}") from None
        with self._lock:
            self.heads, self.restores, self._unwritten, self.pre_restore = heads, restores, {}, frozenset()
            self._ordered_ids = None

    def _advance(self, heads: Iterable[Head]) -> set[str]:
        """Record the heads whose sequence is larger than the recorded one. Return the ids of their budgets."""
        advanced = set()
        for head in heads:
            seen = self.heads.get(head.budget_id)
            if seen is None and self._ordered_ids is not None:
                insort(self._ordered_ids, head.budget_id)
            if seen is None or seen.sequence < head.sequence:
                self.heads[head.budget_id] = self._unwritten[head.budget_id] = head
                advanced.add(head.budget_id)
        return advanced

    def _record_returned(self, release_ids: Iterable[str]) -> None:
        for release_id in release_ids:
            self.returned.pop(release_id, None)
            self.returned[release_id] = None
        while len(self.returned) > _MAX_RETURNED:
            del self.returned[next(iter(self.returned))]

    def _document(
        self, heads: dict[str, Head], returned: Iterable[str], counted: dict[str, tuple[int, int]]
    ) -> dict[str, Any]:
        lost = {"lost": {each: [head.sequence, head.hash] for each, head in self.lost.items()}} if self.lost else {}
        return lost | {
            "kind": _KIND,
            "installation": self.identity,
            "restores": self.restores,
            "looked_at": self.looked_at,
            "heads": {head.budget_id: [head.sequence, head.hash] for head in heads.values()},
            "returned": list(returned),
            "counted": counted,
        }

    def _fail(self, error: Exception, unwritten: dict[str, Head], counts: dict[str, tuple[int, int]]) -> None:
        if self.usable:
            _logger.error("the witness file can't be written", extra=failure(error))
        self.usable, self.is_full = False, getattr(error, "errno", None) in _FULL_DISK_ERRORS
        with self._lock:
            self._unwritten = unwritten | self._unwritten
            self._unwritten_counts = counts | self._unwritten_counts

    def _replace(self, path: Path, content: dict[str, Any]) -> None:
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(json.dumps(content))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        self._own_file = self._file()

    def _file(self) -> tuple[int, int]:
        """Return inode and modification time of the current witness file."""
        assert self.path is not None
        status = self.path.stat()
        return status.st_ino, status.st_mtime_ns


@dataclass(frozen=True, slots=True)
class _Line:
    """The content of the file, or of one line of the journal."""

    identity: str
    restores: int
    heads: list[Head]
    returned: list[str]
    looked_at: int | None
    """None in files of 0.1.0."""
    counted: dict[str, tuple[int, int]]
    lost: dict[str, Head]
    """Empty in files of 0.2.0."""

    @classmethod
    def parse(cls, content: dict[str, Any]) -> _Line:
        if content["kind"] != _KIND:
            raise ValueError("of another kind")
        heads = _parsed_heads(content["heads"])
        returned, looked_at = list(content.get("returned", [])), content.get("looked_at")
        counted = {
            budget_id: (int(sequence), int(count))
            for budget_id, (sequence, count) in content.get("counted", {}).items()
        }
        lost = {head.budget_id: head for head in _parsed_heads(content.get("lost", {}))}
        return cls(content["installation"], int(content["restores"]), heads, returned, looked_at, counted, lost)


def _parsed_heads(content: dict[str, Any]) -> list[Head]:
    return [Head(budget_id, int(sequence), str(hash_)) for budget_id, (sequence, hash_) in content.items()]


def receipts_beside(witness_file: Path) -> Path:
    """Return the folder of receipts of a witness."""
    return witness_file.with_name(f"{witness_file.name}.receipts")


def open_witness(connection: Connection, settings: WitnessSettings, sign: Sign | None = None) -> Witness:
    """Open the witness of the connected database. Raises SettingsError."""
    return Witness.open(settings.file, read_identity(connection), sync=settings.sync, sign=sign)
