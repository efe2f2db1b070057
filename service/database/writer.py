"""The writer thread, hooks that run after its commits, and the thread that checkpoints SQLite.

The writer runs waiting jobs, up to a batch, in one transaction, so that many callers share one durable
commit.

A job is an item for a handler. Each handler gets all its items of a batch at once, in the order of submission. Waiting
jobs are concurrent, so the handlers may run in any order.

If a batch fails, each item is tried again in a separate transaction, so that a bad item does not fail the others. A
single item is tried again too, since a constraint may have refused it because of a concurrent commit. This is safe,
since every handler finds what an earlier try of the same item committed.

Every wait is limited. The connection gives up a database that does not respond. The later jobs of the batch then fail
without a try. Jobs that waited too long for their turn fail too.

Switching threads costs more than the database, so an event loop and the writer exchange whole batches. Jobs are
gathered while each iteration of the loop adds more. The loop is woken once for all outcomes of a batch.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeAlias, TypeVar, assert_never

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from service.background import Work
from service.database.engine import (
    HeldConnection,
    await_standbys,
    check_in_transaction,
    is_conflict,
    is_disconnect,
    is_without_room,
    write_a_page,
    writing,
)
from service.database.lost_commits import Fate, Trace, fate_of, trace
from service.errors import DatabaseUnavailable, OutcomeUnknown, Problem
from service.limits.limits import WRITES

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
Handler = Callable[[Connection, Sequence[Item]], Sequence["Outcome | Problem"]]
T = TypeVar("T")
Write = Callable[[Connection], T]


def run_each(connection: Connection, writes: Sequence[Write[T]]) -> list[T | Problem]:
    """Run changes, each a function of the connection. A Problem rolls back only the change that raised it."""
    outcomes: list[T | Problem] = []
    for write in writes:
        before = len(events_of(connection))
        with connection.begin_nested() as savepoint:
            try:
                outcomes.append(write(connection))
            except Problem as problem:
                savepoint.rollback()
                del events_of(connection)[before:]
                outcomes.append(problem)
    return outcomes


@dataclass(frozen=True, slots=True)
class _Job(Generic[Item, Outcome]):
    """`loop` is the event loop of `future`, or None for a future that any thread may wait for."""

    handler: Handler[Item, Outcome]
    item: Item
    future: Future[Outcome] | asyncio.Future[Outcome]
    loop: asyncio.AbstractEventLoop | None
    alone: bool
    """Whether it gets a separate transaction, since it takes locks in another order than debits."""
    submitted: float = field(default_factory=time.monotonic)

    def settle(self, outcome: Outcome | Exception) -> None:
        if self.future.done():
            return  # the caller was cancelled, or the job was settled before its batch failed
        if isinstance(outcome, Exception):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


_AnyJob: TypeAlias = _Job[Any, Any]


class Writer:
    """Takes jobs from any thread and any event loop. An outcome is returned after its transaction has committed."""

    def __init__(
        self,
        engine: Engine,
        batch_size: int = WRITES.max_concurrent,
        committed: Callable[[int, list[object]], object] = lambda *_: None,
    ) -> None:
        """Take the hook `committed`, which is called after each committed transaction, before any outcome is returned.

        Its arguments are the number of jobs and the events of the transaction.
        """
        self._engine = engine
        self._batch_size = batch_size
        self._held_connection = HeldConnection(engine, writes=True)
        self._commit_signal = committed
        self._gathered_jobs: dict[asyncio.AbstractEventLoop, list[_AnyJob]] = {}
        self._jobs: queue.SimpleQueue[Sequence[_AnyJob] | None] = queue.SimpleQueue()
        self._unreported_outcomes: list[tuple[_AnyJob, Any]] = []
        self._is_open = True
        self._is_in_doubt = False
        self._disk_full = False
        """Whether a transaction found a full disk, and none has been committed since."""
        self.found_no_room_at: float | None = None
        """When a transaction last found a full disk, by the monotonic clock."""
        self.work = Work("writer")
        self._thread = self.work.start_thread(self._run)

    def submit(self, handler: Handler[Item, Outcome], item: Item, *, alone: bool = False) -> Future[Outcome]:
        """Return a future of the outcome of `handler` for `item`: its value, or the Problem that it returned. With
        `alone` the job gets a separate transaction.
        """
        future: Future[Outcome] = Future()
        # From now on the future can't be cancelled. A cancelled caller must neither cancel the charge nor break the
        # writer thread.
        future.set_running_or_notify_cancel()
        self._jobs.put([_Job(handler, item, future, None, alone)])
        return future

    async def perform(self, handler: Handler[Item, Outcome], item: Item, *, alone: bool = False) -> Outcome:
        """Perform a job as `submit` does, for coroutines: return the value or raise the Problem.

        Cancelling the caller does not cancel the job.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outcome] = loop.create_future()
        gathered = self._gathered_jobs.setdefault(loop, [])
        if not gathered:
            loop.call_soon(self._hand_over, loop, 0)
        gathered.append(_Job(handler, item, future, loop, alone))
        return await future

    def _hand_over(self, loop: asyncio.AbstractEventLoop, before: int) -> None:
        """Submit the jobs gathered in `loop`. If its last iteration added jobs to the `before` gathered earlier, and
        the batch is not full, wait for another iteration.
        """
        gathered = self._gathered_jobs.get(loop, [])
        if before < len(gathered) < self._batch_size:
            loop.call_soon(self._hand_over, loop, len(gathered))
        else:
            self._jobs.put(self._gathered_jobs.pop(loop, []))

    @property
    def in_doubt(self) -> bool:
        """Return whether a commit was sent and not answered, and none has succeeded since.

        Until then, committed data may be missing on the standbys.
        """
        return self._is_in_doubt

    def close(self, timeout: float | None = None) -> bool:
        """Commit the submitted jobs and end the thread. Return False if that takes longer than `timeout` seconds; the
        thread then ends with the process.
        """
        for loop in list(self._gathered_jobs):
            self._jobs.put(self._gathered_jobs.pop(loop))
        self._jobs.put(None)
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        shared, alone = deque[_AnyJob](), deque[_AnyJob]()
        while self._wait_for_jobs(shared, alone):
            # In turns, so that a batch and a separate job each wait for at most one transaction of the other kind.
            if shared:
                self._complete_jobs([shared.popleft() for _ in range(min(len(shared), self._batch_size))])
            if alone:
                self._complete_jobs([alone.popleft()])
        self._held_connection.close()

    def _complete_jobs(self, jobs: list[_AnyJob]) -> None:
        """Complete jobs, whatever fails."""
        with self.work.turn():
            try:
                self._perform(jobs)
            except Exception:
                # The outcomes that are known come first, and only the first of a job counts.
                self._unreported_outcomes += [(job, OutcomeUnknown()) for job in jobs]
                raise

    def _perform(self, jobs: list[_AnyJob]) -> None:
        """Complete jobs in one transaction. If it fails, complete them one by one."""
        oldest = time.monotonic() - WRITES.wait_seconds
        if jobs[0].submitted < oldest:  # the first is the oldest, up to small differences between loops
            self._unreported_outcomes += [(job, DatabaseUnavailable()) for job in jobs if job.submitted < oldest]
            jobs = [job for job in jobs if job.submitted >= oldest]
        failed = self._commit(jobs, self._held_connection.transaction) if jobs else None
        if failed is None:
            return
        if _is_out_of_reach(failed.error):
            self._engine.dispose()  # the pool's other connections lead to the same server
        if failed.trace is not None:
            self._follow(jobs, failed, failed.trace)
        else:
            self._try_singly(jobs, in_doubt=failed.commit_was_sent)

    def _follow(self, jobs: list[_AnyJob], failed: _FailedTransaction, trace: Trace) -> None:
        """Complete separate jobs according to the outcome of their transaction.

        Another try could repeat a committed change.
        """
        try:
            fate = fate_of(self._engine, trace)
        except DBAPIError:
            fate = Fate.UNKNOWN
        match fate:
            case Fate.COMMITTED:
                self._is_in_doubt = False
                self._announce(failed.runs, failed.outcomes, failed.events)
            case Fate.ABORTED:
                self._try_singly(jobs, in_doubt=False)
            case Fate.UNKNOWN:
                self._unreported_outcomes += [(job, OutcomeUnknown()) for job in jobs]
            case _:
                assert_never(fate)

    def _try_singly(self, jobs: list[_AnyJob], *, in_doubt: bool) -> None:
        """Complete each job in a separate transaction, while the database can be reached.

        `in_doubt`: an earlier transaction with these jobs may have been committed. A try that reaches the database
        finds out.
        """
        for number, job in enumerate(jobs):
            failed = self._commit([job], lambda: writing(self._engine))
            if failed is None:
                continue
            outcome = _translate(failed.error, in_doubt=in_doubt or failed.commit_was_sent)
            if _is_out_of_reach(failed.error):
                self._unreported_outcomes += [(each, outcome) for each in jobs[number:]]
                return
            self._unreported_outcomes += [(job, outcome)]

    def _wait_for_jobs(self, shared: deque[_AnyJob], alone: deque[_AnyJob]) -> bool:
        """Take the submitted jobs, and wait if there are none. Return False if the writer is closed and no job is
        left.
        """
        # Report right before this thread waits. A woken loop needs the GIL, and would have to wait for it otherwise.
        self._report()
        while self._is_open and (not (shared or alone) or not self._jobs.empty()):
            handed_over = self._jobs.get()
            self._is_open = handed_over is not None
            for job in handed_over or ():
                (alone if job.alone else shared).append(job)
        return bool(shared or alone)

    def _commit(
        self, jobs: list[_AnyJob], begin: Callable[[], AbstractContextManager[Connection]]
    ) -> _FailedTransaction | None:
        """Run `jobs` in one transaction and complete them. Return None, or the failure."""
        self._report()
        runs = _runs(jobs)
        outcomes: list[Sequence[Any]] = []
        events: list[object] = []
        trace_: Trace | None = None
        sent = False
        try:
            with begin() as connection:
                events = begin_events(connection)
                if self._is_in_doubt:
                    # A handler that finds its earlier commit writes nothing, and such a transaction would not wait for
                    # the standbys.
                    await_standbys(connection)
                if self._disk_full:
                    # A transaction that writes nothing would succeed on a full disk.
                    write_a_page(connection)
                outcomes = [run[0].handler(connection, [job.item for job in run]) for run in runs]
                trace_ = trace(connection) if jobs[0].alone else None
                check_in_transaction(connection)
                sent = True
        except Exception as error:  # noqa: BLE001  the thread must survive any failure, and the caller gets the error
            if is_without_room(error):
                self._disk_full, sent = True, False
                self.found_no_room_at = time.monotonic()
            self._is_in_doubt |= sent
            return _FailedTransaction(error, sent, runs, outcomes, events, trace_ if sent else None)
        self._is_in_doubt = self._disk_full = False
        self._announce(runs, outcomes, events)
        return None

    def _announce(self, runs: list[list[_AnyJob]], outcomes: list[Sequence[Any]], events: list[object]) -> None:
        """Run the commit hook, and queue the outcomes for their callers, also if the hook fails."""
        try:
            self._commit_signal(sum(map(len, runs)), events)
        finally:
            for run, of_run in zip(runs, outcomes, strict=True):
                self._unreported_outcomes += zip(run, of_run, strict=True)

    def _report(self) -> None:
        """Report outcomes to their callers, those of one event loop in one call."""
        by_loop: dict[asyncio.AbstractEventLoop | None, list[tuple[_AnyJob, Any]]] = {}
        for pair in self._unreported_outcomes:
            by_loop.setdefault(pair[0].loop, []).append(pair)
        self._unreported_outcomes = []
        for loop, pairs in by_loop.items():
            if loop is None:
                _settle(pairs)
            else:
                with contextlib.suppress(RuntimeError):  # the loop was closed
                    loop.call_soon_threadsafe(_settle, pairs)


@dataclass(frozen=True, slots=True)
class _FailedTransaction:
    """A transaction whose commit was not confirmed. If the commit was sent, the transaction may have been committed,
    with these outcomes.
    """

    error: Exception
    commit_was_sent: bool
    runs: list[list[_AnyJob]]
    outcomes: list[Sequence[Any]]
    events: list[object]
    trace: Trace | None


def _runs(jobs: Sequence[_AnyJob]) -> list[list[_AnyJob]]:
    """Group jobs by handler, in the order of submission."""
    runs: dict[Any, list[_AnyJob]] = {}
    for job in jobs:
        runs.setdefault(job.handler, []).append(job)
    return list(runs.values())


def _settle(pairs: Sequence[tuple[_AnyJob, Any]]) -> None:
    for job, outcome in pairs:
        job.settle(outcome)


def _is_out_of_reach(error: Exception) -> bool:
    """Return whether the database is unreachable, so that the next job would fail too. A conflict between two
    transactions is not such an error.
    """
    return isinstance(error, DBAPIError) and is_disconnect(error) and not is_conflict(error)


def _translate(error: Exception, *, in_doubt: bool) -> Exception:
    if not in_doubt and not (isinstance(error, DBAPIError) and is_disconnect(error)):
        return error
    problem = OutcomeUnknown() if in_doubt else DatabaseUnavailable()
    problem.__cause__ = error  # the log names its kind
    return problem


_KEY = "commit_events"


def on_commit(connection: Connection, *events: object) -> None:
    """Register events, which are passed to the hooks after this connection's transaction commits."""
    events_of(connection).extend(events)


def events_of(connection: Connection) -> list[object]:
    """Return the events of this connection's transaction so far. A rollback to a savepoint has to remove later ones."""
    events: list[object] = connection.info.setdefault(_KEY, [])
    return events


def begin_events(connection: Connection) -> list[object]:
    """Start a transaction with an empty list of events, and return the list."""
    fresh: list[object] = []
    connection.info[_KEY] = fresh
    return fresh


_EVERY_SECONDS: Final = 2.0
"""Seconds between checkpoints while there are new commits."""


class Checkpoints:
    """Checkpoints SQLite's write-ahead log in a thread of its own, since a checkpoint within a commit would delay every
    job of the writer. Does nothing on other databases.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.work = Work("checkpoints")
        self._commit_signal, self._close_signal = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        if engine.dialect.name == "sqlite":
            self._thread = self.work.start_thread(self._run)

    def committed(self) -> None:
        """Record that the log has new content."""
        self._commit_signal.set()

    def close(self) -> None:
        """End the thread. SQLite checkpoints the rest when its last connection closes."""
        self._close_signal.set()
        self._commit_signal.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._commit_signal.wait():
            self._commit_signal.clear()  # before the look at `_close_signal`, since `close` sets both
            if self._close_signal.wait(_EVERY_SECONDS):
                return
            with self.work.turn():
                self._move()
            if self.work.fails:
                self._commit_signal.set()  # retry: on a full disk no commit may follow to trigger it

    def _move(self) -> None:
        """Checkpoint the part of the log that no reader uses, without blocking writers."""
        connection = self._engine.raw_connection()  # not in a transaction, which would block its own checkpoint
        try:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        finally:
            connection.close()
