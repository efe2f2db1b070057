"""The writer is one thread per process. It takes what waits, up to a batch, into one transaction, so that many callers
share one durable commit.

A job is an item for a handler. Each handler gets its items of a batch at once, in the order of submission; jobs that
wait at the same time are concurrent, so the handlers may run in any order. When a batch fails, its items are tried one
by one, each in a transaction of its own, so that one bad item spoils nothing for the others; an item that was alone is
tried again too, since another process may just have committed what a constraint then refused. That is safe because
every handler finds what an earlier try of the same item already committed.

Nobody waits for ever. The connection gives up a database that falls silent; the jobs behind the one that met it are
told the same without a try of their own, and so are jobs that waited too long for their turn.

Threads that take turns cost more than the database does, so an event loop and the writer hand each other whole batches.
The jobs of a loop are gathered for as long as each turn of it brings more, and it is woken once for all the outcomes of
a batch that it waits for.
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
from typing import Any, Generic, TypeAlias, TypeVar, assert_never

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from service.database.commit_hooks import begin_events, events_of
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
from service.database.trace import Fate, Trace, fate_of, trace
from service.errors import DatabaseUnavailable, OutcomeUnknown, Problem
from service.limits import WRITES

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
Handler = Callable[[Connection, Sequence[Item]], Sequence["Outcome | Problem"]]
T = TypeVar("T")
Write = Callable[[Connection], T]


def run_each(connection: Connection, writes: Sequence[Write[T]]) -> list[T | Problem]:
    """A handler of changes, each a function of the connection: a Problem that one raises undoes it alone."""
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
    """`loop` is the event loop that `future` belongs to; None for a future that any thread may wait for."""

    handler: Handler[Item, Outcome]
    item: Item
    future: Future[Outcome] | asyncio.Future[Outcome]
    loop: asyncio.AbstractEventLoop | None
    alone: bool
    """Whether it gets a transaction of its own: it takes locks in an order that goes together with no other's."""
    submitted: float = field(default_factory=time.monotonic)

    def settle(self, outcome: Outcome | Exception) -> None:
        if self.loop is not None and self.future.done():
            return  # the caller went away
        if isinstance(outcome, Exception):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


_AnyJob: TypeAlias = _Job[Any, Any]


class Writer:
    """Takes jobs from any thread and any event loop; a job's outcome is known when its transaction has committed."""

    def __init__(
        self,
        engine: Engine,
        batch_size: int = WRITES.max_concurrent,
        committed: Callable[[int, list[object]], object] = lambda *_: None,
    ) -> None:
        """`committed` is told of each committed transaction how many jobs it held and what was noted in it, before
        anybody hears of its outcomes.
        """
        self._engine = engine
        self._batch_size = batch_size
        self._held = HeldConnection(engine, writes=True)
        self._committed = committed
        self._gathered: dict[asyncio.AbstractEventLoop, list[_AnyJob]] = {}
        self._jobs: queue.SimpleQueue[Sequence[_AnyJob] | None] = queue.SimpleQueue()
        self._untold: list[tuple[_AnyJob, Any]] = []
        self._open = True
        self._in_doubt = False
        self._lacks_room = False
        """Whether a transaction found a full disk, and none has been committed since."""
        self.found_no_room_at: float | None = None
        """When a transaction last found a full disk, by the monotonic clock."""
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def submit(self, handler: Handler[Item, Outcome], item: Item, *, alone: bool = False) -> Future[Outcome]:
        """The future outcome of `handler` for `item`: its value, or the Problem that it returned for it. `alone` gives
        the job a transaction of its own.
        """
        future: Future[Outcome] = Future()
        # From now on it can't be cancelled: a caller who goes away must not take the charge, or the thread that settles
        # it, along.
        future.set_running_or_notify_cancel()
        self._jobs.put([_Job(handler, item, future, None, alone)])
        return future

    async def perform(self, handler: Handler[Item, Outcome], item: Item, *, alone: bool = False) -> Outcome:
        """As `submit`, for coroutines: returns the value or raises the Problem. Whoever stops waiting for it does
        not stop the job.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outcome] = loop.create_future()
        gathered = self._gathered.setdefault(loop, [])
        if not gathered:
            loop.call_soon(self._hand_over, loop, 0)
        gathered.append(_Job(handler, item, future, loop, alone))
        return await future

    def _hand_over(self, loop: asyncio.AbstractEventLoop, before: int) -> None:
        """Hands over what was gathered in `loop`, unless its last turn brought more than the `before` of the turn
        before, and a batch is not full yet.
        """
        gathered = self._gathered.get(loop, [])
        if before < len(gathered) < self._batch_size:
            loop.call_soon(self._hand_over, loop, len(gathered))
        else:
            self._jobs.put(self._gathered.pop(loop, []))

    @property
    def in_doubt(self) -> bool:
        """Whether a commit was sent and not answered, and none has succeeded since. What is read meanwhile may not
        have reached the standbys.
        """
        return self._in_doubt

    def close(self, timeout: float | None = None) -> bool:
        """Commits what was submitted and ends the thread. False where that took longer than `timeout` seconds; the
        thread then ends with the process.
        """
        for loop in list(self._gathered):
            self._jobs.put(self._gathered.pop(loop))
        self._jobs.put(None)
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        shared, alone = deque[_AnyJob](), deque[_AnyJob]()
        while self._wait_for_jobs(shared, alone):
            # In turns: many that go alone hold up a batch by one transaction, and a batch holds up each of them by one.
            if shared:
                self._perform([shared.popleft() for _ in range(min(len(shared), self._batch_size))])
            if alone:
                self._perform([alone.popleft()])
        self._held.close()

    def _perform(self, jobs: list[_AnyJob]) -> None:
        """Settles jobs, together if that goes well, else one by one."""
        oldest = time.monotonic() - WRITES.wait_seconds
        if jobs[0].submitted < oldest:  # the jobs of several loops may lie in another order, by next to nothing
            self._untold += [(job, DatabaseUnavailable()) for job in jobs if job.submitted < oldest]
            jobs = [job for job in jobs if job.submitted >= oldest]
        failed = self._commit(jobs, self._held.transaction) if jobs else None
        if failed is None:
            return
        if _is_out_of_reach(failed.error):
            self._engine.dispose()  # the other connections lead where this one led
        if failed.trace is not None:
            self._follow(jobs, failed, failed.trace)
        else:
            self._try_singly(jobs, in_doubt=failed.commit_was_sent)

    def _follow(self, jobs: list[_AnyJob], failed: _Failed, trace: Trace) -> None:
        """Settles jobs that go alone by what became of their transaction: run anew, they might do again what they
        have done.
        """
        try:
            fate = fate_of(self._engine, trace)
        except DBAPIError:
            fate = Fate.UNKNOWN
        match fate:
            case Fate.COMMITTED:
                self._in_doubt = False
                self._announce(failed.runs, failed.outcomes, failed.events)
            case Fate.ABORTED:
                self._try_singly(jobs, in_doubt=False)
            case Fate.UNKNOWN:
                self._untold += [(job, OutcomeUnknown()) for job in jobs]
            case _:
                assert_never(fate)

    def _try_singly(self, jobs: list[_AnyJob], *, in_doubt: bool) -> None:
        """Settles each job by a transaction of its own, for as long as the database can be reached.

        `in_doubt`: an earlier transaction with these jobs may have been committed. A try that reaches the database
        would find that out.
        """
        for number, job in enumerate(jobs):
            failed = self._commit([job], lambda: writing(self._engine))
            if failed is None:
                continue
            told = _translate(failed.error, in_doubt=in_doubt or failed.commit_was_sent)
            if _is_out_of_reach(failed.error):
                self._untold += [(each, told) for each in jobs[number:]]
                return
            self._untold += [(job, told)]

    def _wait_for_jobs(self, shared: deque[_AnyJob], alone: deque[_AnyJob]) -> bool:
        """Takes in what was handed over, and waits where there is nothing yet. False where the writer was closed and
        nothing is left to do.
        """
        # Right before this thread waits itself: whoever is woken needs Python's lock, and would wait for that again.
        self._tell()
        while self._open and (not (shared or alone) or not self._jobs.empty()):
            handed_over = self._jobs.get()
            self._open = handed_over is not None
            for job in handed_over or ():
                (alone if job.alone else shared).append(job)
        return bool(shared or alone)

    def _commit(self, jobs: list[_AnyJob], begin: Callable[[], AbstractContextManager[Connection]]) -> _Failed | None:
        """Runs `jobs` in one transaction and settles them, or says how that failed."""
        self._tell()
        runs = _runs(jobs)
        outcomes: list[Sequence[Any]] = []
        events: list[object] = []
        trace_: Trace | None = None
        sent = False
        try:
            with begin() as connection:
                events = begin_events(connection)
                if self._in_doubt:
                    # What an earlier try may have committed is found again, but a transaction that writes nothing would
                    # wait for no standby.
                    await_standbys(connection)
                if self._lacks_room:
                    # One that writes nothing would look as if there were room again.
                    write_a_page(connection)
                outcomes = [run[0].handler(connection, [job.item for job in run]) for run in runs]
                trace_ = trace(connection) if jobs[0].alone else None
                check_in_transaction(connection)
                sent = True
        except Exception as error:  # noqa: BLE001  the thread must outlive any failure, and the caller is told
            if is_without_room(error):
                self._lacks_room, sent = True, False
                self.found_no_room_at = time.monotonic()
            self._in_doubt |= sent
            return _Failed(error, sent, runs, outcomes, events, trace_ if sent else None)
        self._in_doubt = self._lacks_room = False
        self._announce(runs, outcomes, events)
        return None

    def _announce(self, runs: list[list[_AnyJob]], outcomes: list[Sequence[Any]], events: list[object]) -> None:
        """Notes what was committed, for those who wait for it."""
        self._committed(sum(map(len, runs)), events)
        for run, of_run in zip(runs, outcomes, strict=True):
            self._untold += zip(run, of_run, strict=True)

    def _tell(self) -> None:
        """Tells every waiting caller its outcome, the callers of one event loop in one go."""
        by_loop: dict[asyncio.AbstractEventLoop | None, list[tuple[_AnyJob, Any]]] = {}
        for pair in self._untold:
            by_loop.setdefault(pair[0].loop, []).append(pair)
        self._untold = []
        for loop, pairs in by_loop.items():
            if loop is None:
                _settle(pairs)
            else:
                with contextlib.suppress(RuntimeError):  # the loop was closed, and nobody waits there any more
                    loop.call_soon_threadsafe(_settle, pairs)


@dataclass(frozen=True, slots=True)
class _Failed:
    """A transaction that did not report its commit; where the commit was sent, it may have happened all the same,
    with these outcomes.
    """

    error: Exception
    commit_was_sent: bool
    runs: list[list[_AnyJob]]
    outcomes: list[Sequence[Any]]
    events: list[object]
    trace: Trace | None


def _runs(jobs: Sequence[_AnyJob]) -> list[list[_AnyJob]]:
    """The jobs of each handler, in the order of submission."""
    runs: dict[Any, list[_AnyJob]] = {}
    for job in jobs:
        runs.setdefault(job.handler, []).append(job)
    return list(runs.values())


def _settle(pairs: Sequence[tuple[_AnyJob, Any]]) -> None:
    for job, outcome in pairs:
        job.settle(outcome)


def _is_out_of_reach(error: Exception) -> bool:
    """Whether the next job would fare no better. Where two transactions only stood in each other's way, it would."""
    return isinstance(error, DBAPIError) and is_disconnect(error) and not is_conflict(error)


def _translate(error: Exception, *, in_doubt: bool) -> Exception:
    if not in_doubt and not (isinstance(error, DBAPIError) and is_disconnect(error)):
        return error
    told = OutcomeUnknown() if in_doubt else DatabaseUnavailable()
    told.__cause__ = error  # for the log, which tells its kind
    return told
