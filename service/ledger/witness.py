"""The witness remembers the last head of every budget's ledger outside the database, so that a database that went back
in time is noticed.

It learns what this process commits at once, in memory, and what others commit by looking at the database now and then.
It only ever holds what was committed, so that a database which kept its commits can never contradict it. Before a
result is told, the witness's file knows of it: a journal takes one line for each batch of results, with the heads that
are news, and is on the disk first. That is what tells a restart, or another process of the machine, that a failover
lost charges whose releases were told. The journal is compacted into the file itself now and then.

A failover can also lose a result and keep its charge. What is lost is always the end of what was committed, so the last
results that were told are remembered, and looked for.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from bisect import bisect_right, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, select

from service import log
from service.database.history import HistoryOfServer
from service.database.tables import budgets, installation
from service.ledger.chain import Head
from service.ledger.journal import Journal
from service.settings import SettingsError, WitnessSettings

_logger = logging.getLogger("posterior.witness")
_KIND: Final = "private-posterior witness 1"
_TOLD: Final = 1000
"""How many results are remembered as told: many times what a process has under way."""
_JOURNAL_BYTES: Final = 4_000_000
_QUARANTINE_SECONDS: Final = 3.0
"""How long releases stay stopped after the database took up another timeline: time for every other process to look as
well.
"""


@dataclass(frozen=True, slots=True)
class ResultStored:
    """Noted of a release whose result is now stored, and about to be told."""

    release_id: str


@dataclass(slots=True)
class Witness:
    """What was last seen, in memory and, where there is a `path`, in a file. Threads may share it."""

    path: Path | None
    identity: str
    """Which installation the heads are of: another database in the same place is no restored one."""
    restores: int = 0
    """How often the database had been restored when the heads were seen: heads of before a restore are of another
    timeline than those after it.
    """
    heads: dict[str, Head] = field(default_factory=dict)
    told: dict[str, None] = field(default_factory=dict)
    """Ids of the last releases whose results were told, the newest last."""
    outlived: frozenset[str] | set[str] = frozenset()
    """Budgets whose heads were seen before a restore that others have noticed since."""
    sync: bool = True
    """Whether a result waits until the disk has its line of the journal."""
    timeline: str | None = None
    """The database server's own name for its past: another one after a failover or a restore. None where it has
    none.
    """
    usable: bool = True
    """Whether the file could be written when it last had to be."""
    cursor: str = ""
    """The last budget that was looked at."""
    _doubted_since: float | None = None
    _news: dict[str, Head] = field(default_factory=dict)
    _journal: Journal | None = None
    _ordered: list[str] | None = None
    """The ids of the budgets, in order, once somebody asked for a part of them."""
    _is_long: bool = False
    _own_file: tuple[int, int] | None = None
    """The file whose content is known."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.path is not None:
            self._journal = Journal(self.path.with_name(self.path.name + ".journal"))

    @classmethod
    def open(cls, path: Path | None, identity: str, *, sync: bool = True) -> Witness:
        """What the files remember; nothing where there are none yet. Raises SettingsError for a file of another
        installation.
        """
        witness = cls(path, identity, sync=sync)
        witness.read_again()
        return witness

    def read_again(self) -> None:
        """Learns what the files hold and this process does not know: what other processes of the machine told.
        Raises SettingsError.
        """
        if self.path is None or self._journal is None:
            return
        try:
            # In the order in which lines move.
            lines = self._journal.read()
            if self.path.exists() and self._own_file != (found := self._file()):
                lines.insert(0, json.loads(self.path.read_text()))
                self._own_file = found
            known = [_Line.parse(line) for line in lines]
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            raise SettingsError("POSTERIOR_WITNESS_FILE names a file that is no witness of this service") from None
        if any(line.identity != self.identity for line in known):
            raise SettingsError(
                "the witness file remembers the ledgers of another database; if this one is new and not a restored "
                "one, name another file in "
                "POSTERIOR_WITNESS_FILE or move the old one away"
            )
        with self._lock:
            if known and not self.heads:
                self.restores = known[0].restores
            for line in known:
                # What somebody saw before a restore reaches further than what was seen after it.
                taken = self._take(line.heads)
                self.outlived = self.outlived | taken if line.restores < self.restores else self.outlived - taken
                if line.restores >= self.restores:
                    self._hear(line.told)

    def is_contradicted_by(self, head: Head) -> bool:
        """Whether a budget whose ledger now ends with `head` once had entries that it has no more. Later entries
        need a look at the entry itself.
        """
        seen = self.heads.get(head.budget_id)
        if seen is None:
            return False
        return head.sequence < seen.sequence or (head.sequence == seen.sequence and head.hash != seen.hash)

    def heads_behind(self, after: str, limit: int) -> list[Head]:
        """What was seen of the next budgets behind the id `after`, in the order of their ids."""
        with self._lock:
            if self._ordered is None:
                self._ordered = sorted(self.heads)
            begin = bisect_right(self._ordered, after)
            return [self.heads[budget_id] for budget_id in self._ordered[begin : begin + limit]]

    def is_verified(self, timeline: str | None) -> bool:
        """Whether the database still has the past that the witness compared. Where not, nothing may be released
        until it did so again.
        """
        if self.timeline is None:
            self.timeline = timeline
        if timeline != self.timeline and self._doubted_since is None:
            self._doubted_since = time.monotonic()
            _logger.warning(
                "the database server has another past than before: releases stop until the ledgers were compared"
            )
        return self._doubted_since is None

    @property
    def is_in_doubt(self) -> bool:
        """Whether the database server has another past than before, and the ledgers were not compared yet."""
        return self._doubted_since is not None

    @property
    def may_compare(self) -> bool:
        """Whether everybody had the time to contradict a new past of the database."""
        return self._doubted_since is not None and time.monotonic() - self._doubted_since >= _QUARANTINE_SECONDS

    def mark_verified(self, timeline: str | None) -> None:
        """From now on this past is the one that was compared."""
        self.timeline, self._doubted_since = timeline, None

    def record_heads(self, heads: Iterable[Head]) -> None:
        """Learns heads that were committed."""
        with self._lock:
            self._take(heads)

    def on_commit(self, notes: Iterable[object]) -> None:
        """Learns what a transaction of this process committed. Returns once the journal has what is about to be
        told.
        """
        if not notes:
            return
        told = [each.release_id for each in notes if isinstance(each, ResultStored)]
        with self._lock:
            self._take(each for each in notes if isinstance(each, Head))
            self._hear(told)
        if told:
            self.write(told)

    def write(self, told: Iterable[str] = ()) -> None:
        """Adds what is news, and these results, to the journal. A file that can't be written is told in the log and
        by readiness, and stops nobody.
        """
        if self._journal is None:
            return
        with self._lock:
            news, self._news = self._news, {}
        if not news and not told:
            return
        try:
            size = self._journal.append(self._document(news, told), sync=self.sync)
        except OSError as error:
            self._fail(error, news)
        else:
            self.usable = True
            self._is_long = size > _JOURNAL_BYTES

    def compact_if_long(self) -> None:
        """Compacts a journal that has grown long."""
        if self._is_long:
            self.compact()

    def compact(self) -> None:
        """Writes one file of what is known, and drops the lines that it holds. Whoever tells results goes on."""
        if self.path is None or self._journal is None:
            return
        try:
            with self._journal.compacting() as may_compact:
                if not may_compact:  # another process does
                    return
                self.read_again()
                with self._lock:
                    heads, told = dict(self.heads), list(self.told)
                self._replace(self.path, self._document(heads, told))
            self._is_long = False
        except (OSError, SettingsError) as error:
            self._fail(error, {})

    def remember(self, connection: Connection) -> None:
        """Takes the committed heads for the truth, in the place of what was known. Raises SettingsError where the
        file can't be written.
        """
        heads, restores = read_heads(connection), connection.execute(select(installation.c.restores)).scalar_one()
        if restores != self.restores:
            with self._lock:
                self.restores = restores
                self.told.clear()  # what of it was lost is known by now
        if self.path is not None and self._journal is not None:
            if not self.path.parent.exists():
                raise SettingsError(
                    f"there is no folder {self.path.parent} for the witness: make it, or mend POSTERIOR_WITNESS_FILE"
                )
            try:
                with self._journal.emptied():
                    self._replace(self.path, self._document(heads, list(self.told)))
            except OSError as error:
                raise SettingsError(f"the witness file can't be written: {error.strerror}") from None
        with self._lock:
            self.heads, self.restores, self._news, self.outlived = heads, restores, {}, frozenset()
            self._ordered = None

    def _take(self, heads: Iterable[Head]) -> set[str]:
        """Learns heads that reach further than those known, and returns the ids of their budgets."""
        taken = set()
        for head in heads:
            seen = self.heads.get(head.budget_id)
            if seen is None and self._ordered is not None:
                insort(self._ordered, head.budget_id)
            if seen is None or seen.sequence < head.sequence:
                self.heads[head.budget_id] = self._news[head.budget_id] = head
                taken.add(head.budget_id)
        return taken

    def _hear(self, told: Iterable[str]) -> None:
        for release_id in told:
            self.told.pop(release_id, None)
            self.told[release_id] = None
        while len(self.told) > _TOLD:
            del self.told[next(iter(self.told))]

    def _document(self, heads: dict[str, Head], told: Iterable[str]) -> dict[str, Any]:
        return {
            "kind": _KIND,
            "installation": self.identity,
            "restores": self.restores,
            "heads": {head.budget_id: [head.sequence, head.hash] for head in heads.values()},
            "told": list(told),
        }

    def _fail(self, error: Exception, news: dict[str, Head]) -> None:
        if self.usable:
            _logger.error("the witness file can't be written", extra=log.failure(error))
        self.usable = False
        with self._lock:
            self._news = news | self._news

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
        """Which file stands in the place of the witness's."""
        assert self.path is not None
        status = self.path.stat()
        return status.st_ino, status.st_mtime_ns


@dataclass(frozen=True, slots=True)
class _Line:
    """What a file or a line of the journal holds."""

    identity: str
    restores: int
    heads: list[Head]
    told: list[str]

    @classmethod
    def parse(cls, content: dict[str, Any]) -> _Line:
        if content["kind"] != _KIND:
            raise ValueError("of another kind")
        heads = [
            Head(budget_id, int(sequence), str(hash_)) for budget_id, (sequence, hash_) in content["heads"].items()
        ]
        return cls(content["installation"], int(content["restores"]), heads, list(content.get("told", [])))


def open_witness(connection: Connection, settings: WitnessSettings) -> Witness:
    """The witness of the database behind `connection`. Raises SettingsError."""
    identity: str = connection.execute(select(installation.c.identity)).scalar_one()
    return Witness.open(settings.file, identity, sync=settings.sync)


def read_heads(connection: Connection, *, after: str = "", limit: int | None = None) -> dict[str, Head]:
    """The head of every budget, by its id; of the first `limit` behind the id `after`."""
    query = (
        select(budgets.c.id, budgets.c.sequence, budgets.c.head_hash)
        .where(budgets.c.id > after)
        .order_by(budgets.c.id)
        .limit(limit)
    )
    return {row.id: Head(row.id, row.sequence, row.head_hash) for row in connection.execute(query)}


def read_timeline(connection: Connection) -> str | None:
    """The database server's name for its past; None where it has none."""
    return connection.execute(select(HistoryOfServer())).scalar_one()
