"""The runtime holds what a running process needs: settings, database, the writing thread, keys. The application
makes it once and hands it to every use case.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from core.mechanisms.catalogue import Event
from service import log
from service.auth import Caller
from service.cache import Memory
from service.channels.certified import Certified, Channel
from service.computations.processes import Processes
from service.database.checkpoints import Checkpoints
from service.database.engine import check_ready, is_disconnect, open_engine, reading, truncate_log
from service.database.notes import notes_of
from service.database.patience import Patience
from service.database.probe import Probe
from service.database.writer import Writer
from service.datasets.counts import CountsOfRing
from service.datasets.datasets import DatasetFacts
from service.drawing.estimates import host_factor
from service.drawing.keys import DrawKeys
from service.drawing.processes import PROGRAM, DrawProcesses
from service.errors import ComputationsUnavailable, ComputationTooLarge, DatabaseUnavailable, Problem, ShuttingDown
from service.fair_queue import FairQueue, FairThreads
from service.key_file import InstalledKeys, open_keys
from service.ledger.debit import DebitHandler, StorageLimits
from service.ledger.witness import Witness
from service.metrics import Metrics
from service.quotas import Quotas
from service.rate_limit import RateLimit, SmallQueue
from service.restore.watch import look, watch
from service.settings import Settings, SettingsError
from service.web.charges_told import ChargesTold

_logger = logging.getLogger("posterior.runtime")
_PATIENCE_SECONDS = 6.0
"""For one answer of the database. It has given up waiting for a lock long before."""
_CLOSING_SECONDS = 3.0
_TRUNCATING_TRIES: Final = 20
_TRUNCATING_EVERY_SECONDS: Final = 0.1
_READING_THREADS: Final = 4
GRACE_SECONDS: Final = 20
"""From SIGTERM, or the end of the drain, until what was paid and not stored is left to the next process."""
_READ_SECONDS = 15.0
"""For a read with its wait for a thread."""
COMPUTATION_SECONDS: Final = 20
"""Limit of a free computation that somebody waits for, by the clock."""
WAITED_SECONDS: Final = 2
"""Limit of a free computation that somebody waits for, in processor time."""
PUBLIC: Final = "public"
"""In whose name whoever needs no key reads and computes: all of them share one principal's places."""
asking: ContextVar[str] = ContextVar("asking", default=PUBLIC)
"""The principal whose request is being answered. Reads take their turns by it."""
_COMPUTING = (
    "service.plans",
    "service.posteriors.computations",
    "service.queries.history",
    "service.queries.quote",
    "service.queries.measuring",
    "service.channels.certified",
    "service.releases.worth",
    "service.queries.answers",
    # What they import when they first use it, once for all of them.
    "scipy.linalg",
    "scipy.optimize",
)
"""The modules that hold what runs in processes of its own."""
T = TypeVar("T")
Write = Callable[[Connection], T]


def run_each(connection: Connection, writes: Sequence[Write[T]]) -> list[T | Problem]:
    outcomes: list[T | Problem] = []
    for write in writes:
        before = len(notes_of(connection))
        with connection.begin_nested() as savepoint:
            try:
                outcomes.append(write(connection))
            except Problem as problem:
                savepoint.rollback()
                del notes_of(connection)[before:]
                outcomes.append(problem)
    return outcomes


@dataclass(slots=True)
class Runtime:
    """The process's resources. `read` and `write` are how use cases reach the database from async code."""

    settings: Settings
    engine: Engine
    metrics: Metrics
    writer: Writer
    results: Writer
    """Stores what was drawn. PostgreSQL does so while the next debits wait for their commit; SQLite has one writer
    at a time.
    """
    changes: Writer
    """For what gets a transaction of its own on PostgreSQL. No release waits for its commit there; on SQLite it shares
    one with them.
    """
    keys: InstalledKeys
    debit_handler: DebitHandler
    checkpoints: Checkpoints
    witness: Witness
    rate_limit: RateLimit
    patience: Patience
    probe: Probe
    logins: ThreadPoolExecutor
    """For who a caller is and whether the process is ready, which wait for nothing else."""
    threads: ThreadPoolExecutor
    reads: FairQueue
    """Places for reads in `threads`. A principal has one at once, since what was read is put into words under Python's
    lock.
    """
    draw_processes: DrawProcesses
    quick_plans: FairThreads
    """For what has to be measured for queries, where that is found in a moment. A principal has one at once."""
    dear_prices: FairQueue
    """One place, from the price of rows with many pairs of cells to its charge: of two at once the second would be
    priced twice."""
    computations: FairQueue
    """Places for free computations that somebody waits for."""
    processes: Processes
    composing: FairQueue = field(default_factory=lambda: FairQueue(at_once=2, each=1, each_waiting=math.inf))
    """Turns of answers to queries that are composed, each in a process of its own."""
    finishing: dict[str, asyncio.Task[str]] = field(default_factory=dict)
    """What is drawn, stored and composed of paid releases just now, by their ids."""
    composing_failed: Memory[str, bool] = field(default_factory=lambda: Memory(10_000, seconds=60.0))
    """Ids of drawn releases whose answers could not be composed in the last minute."""
    public: FairQueue = field(default_factory=lambda: FairQueue(at_once=1, each=1, each_waiting=4, all_waiting=32))
    """Turns of computations that nobody needs a key for, by release: whoever has one computed again and again is in
    the way of that release's readers alone.
    """
    public_answers: Memory[tuple[str, ...], str] = field(default_factory=lambda: Memory(32))
    """What was computed from public releases of late."""
    recent_callers: Memory[str, Caller] = field(default_factory=lambda: Memory(10_000, seconds=1.0))
    """Who a key belongs to, by its hash. A key that another process revokes can so read for a second more; it can't
    spend, as the debit looks at key and principal under its lock."""
    looking_up: dict[str, asyncio.Future[Caller]] = field(default_factory=dict)
    """Callers who are being looked up, by the hashes of their keys."""
    certificates: Memory[Channel, Certified] = field(default_factory=lambda: Memory(1024))
    dataset_facts: Memory[tuple[str, str], DatasetFacts] = field(default_factory=lambda: Memory(1024))
    """What a release needs to know of a data set before the debit, by principal and data set. The debit looks again,
    under its lock, at all that can change.
    """
    worths: Memory[tuple[Event, bytes, float], str] = field(default_factory=lambda: Memory(1024))
    """What releases are worth, by event, a hash of the prior, and level: of public sizes alone."""
    plans: Memory[str, str] = field(default_factory=lambda: Memory(64))
    """Plans by what was asked, where that names public sizes alone: no counts or labels that someone made up."""
    known_keys: Memory[str, bool] = field(default_factory=lambda: Memory(10_000))
    """Hashes of keys that counted once. Any other is looked up in the queue of strangers."""
    charges_told: ChargesTold = field(default_factory=ChargesTold)
    strangers: SmallQueue = field(default_factory=lambda: SmallQueue(at_once=2, waiting=30))
    uses_noted: dict[str, int] = field(default_factory=dict)
    stopping: bool = False
    """Whether the process was told to stop. It finishes what it was asked, and is not ready for more."""
    computing: set[asyncio.Timeout] = field(default_factory=set)
    """Ends free computations that somebody waits for."""
    computing_until: float | None = None
    """By the clock of the event loop; None until the process takes no more requests."""
    finishing_until: float | None = None
    """As `computing_until`, for what was paid."""

    @classmethod
    def start(
        cls, settings: Settings, metrics: Metrics | None = None, draw_program: Sequence[str] = PROGRAM
    ) -> Runtime:
        """Opens the database and the keys. Raises DatabaseNotReady or SettingsError."""
        patience = Patience(_PATIENCE_SECONDS)
        engine = open_engine(settings.database_url, patience, pooled=settings.database_pooled)
        with reading(engine) as connection:
            check_ready(connection)
        host_factor()  # measured now, and not while somebody waits
        keys = InstalledKeys(settings, open_keys(engine, settings))
        witness = watch(engine, settings)
        metrics, checkpoints = metrics or Metrics(), Checkpoints(engine)

        def committed(count: int, notes: list[object]) -> None:
            metrics.batches.observe(count)
            checkpoints.committed()
            witness.hear(notes)

        quotas = Quotas.of(settings)
        limits = StorageLimits(quotas.budget_bytes, quotas.grant_bytes)
        writer = Writer(engine, committed=committed)
        results, changes = (
            (writer, writer)
            if settings.is_sqlite
            else (Writer(engine, committed=committed), Writer(engine, committed=committed))
        )
        return cls(
            settings=settings,
            engine=engine,
            metrics=metrics,
            writer=writer,
            results=results,
            changes=changes,
            keys=keys,
            debit_handler=DebitHandler(keys.current.signer, witness, CountsOfRing(keys.ring_for), limits),
            checkpoints=checkpoints,
            witness=witness,
            rate_limit=RateLimit(settings.rate_limit_per_minute),
            patience=patience,
            probe=Probe(list(dict.fromkeys((writer, results, changes)))),
            logins=ThreadPoolExecutor(max_workers=2, thread_name_prefix="login"),
            threads=ThreadPoolExecutor(max_workers=_READING_THREADS, thread_name_prefix="worker"),
            reads=FairQueue(at_once=_READING_THREADS, each=1, each_waiting=256),
            draw_processes=DrawProcesses(lambda: DrawKeys(keys.current.ring, keys.current.public_keys), draw_program),
            quick_plans=FairThreads("plan", threads=2, at_once=2, each=1, each_waiting=8),
            dear_prices=FairQueue(at_once=1, each=1, each_waiting=8),
            computations=FairQueue(at_once=settings.computation_processes, each=1, each_waiting=8),
            processes=Processes(*_COMPUTING, memory_mb=settings.computation_memory_mb),
        )

    def close(self) -> None:
        self.quick_plans.close()
        for threads in (self.threads, self.logins):
            threads.shutdown(wait=True, cancel_futures=True)
        for writer in {self.writer, self.results, self.changes}:
            writer.close(_CLOSING_SECONDS)
        self.checkpoints.close()
        if self.probe.is_good:
            self.look_at_ledgers()
        self.witness.fold()
        self.engine.dispose()

    def forget_callers(self) -> None:
        """After a key or a principal ended: whoever asks from now on is looked up anew."""
        self.recent_callers.clear()
        self.looking_up.clear()

    def begin_to_stop(self) -> None:
        """What was asked is still finished, but nobody waits long any more for a database that does not answer."""
        self.stopping = True
        self.patience.seconds = _CLOSING_SECONDS

    async def end_draws(self) -> None:
        """Finishes what was paid and reaches its tick within the grace. The rest stays paid."""
        tasks = list(self.finishing.values())
        if tasks and self.finishing_until is not None:
            await asyncio.wait(tasks, timeout=max(0.0, self.finishing_until - asyncio.get_running_loop().time()))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.draw_processes.close()

    def take_no_more(self) -> None:
        """In the event loop, when the server stops: what waits for its turn at something long is refused, free
        computations have a moment to end, and what was paid has the grace.
        """
        if self.computing_until is not None:
            return
        for queue in (*self.draw_processes.places_of_all, self.computations, self.public):
            queue.close()
        now = asyncio.get_running_loop().time()
        self.computing_until, self.finishing_until = now + _CLOSING_SECONDS, now + GRACE_SECONDS
        for limit in self.computing:
            limit.reschedule(self.computing_until)

    def look_at_ledgers(self) -> None:
        """Has the witness look at the ledgers: takes what was committed for known, or stops a database that went
        back in time.
        """
        try:
            look(self.engine, self.witness)
        except (DBAPIError, SettingsError) as error:
            _logger.error("the witness could not look at the ledgers", extra=log.failure(error))

    async def forget_deleted(self) -> None:
        """Truncate the database's write-ahead log after counts or a name were deleted. Log a warning if that was not
        possible.
        """
        for _ in range(_TRUNCATING_TRIES):
            if await self.run(partial(truncate_log, self.engine)):
                return
            await asyncio.sleep(_TRUNCATING_EVERY_SECONDS)
        _logger.warning(
            "deleted counts or names stay in the write-ahead log until its next checkpoint: a reader was in the way, "
            "or the disk has no room"
        )

    async def run(self, work: Callable[[], T]) -> T:
        """`work` in a thread, so that the event loop stays free."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, work)

    async def compute(
        self, principal_id: str, function: str, text: str, *, processor_seconds: float | None = WAITED_SECONDS
    ) -> str:
        """What `function`, as `module:function`, makes of `text`: free, on public facts, and in nobody's way.

        Raises the Problem that the function raised, RateLimited where the principal waits for too many already,
        ComputationTooLarge, also where it takes more than `processor_seconds`, ComputationsUnavailable where no process
        is there now, or ShuttingDown.
        """
        async with self.place_to_compute(principal_id):
            return await self._compute(function, text, processor_seconds)

    async def compute_from(
        self,
        principal_id: str,
        function: str,
        read: Callable[[Connection], str],
        *,
        processor_seconds: float | None = None,
    ) -> str:
        """As `compute`, of the text that `read` makes in a read transaction once there is a place, for as long as that
        takes: what waits holds nothing.

        Raises what `compute`, `read` and `Runtime.read` raise.
        """
        async with self.place_to_compute(principal_id):
            text = await self.read(read)
            return await self._compute(function, text, processor_seconds)

    @asynccontextmanager
    async def place_to_compute(self, principal_id: str) -> AsyncIterator[None]:
        """A place for a free computation, for as long as the block lasts. Raises RateLimited, and ShuttingDown where
        the process ends before the block does.
        """
        limit = asyncio.timeout_at(self.computing_until)
        try:
            async with limit, self.computations.place(principal_id):
                self.computing.add(limit)
                yield
        except TimeoutError:
            if limit.expired():
                raise ShuttingDown from None
            raise
        finally:
            self.computing.discard(limit)

    async def compute_in_place(self, function: str, text: str, *, processor_seconds: float | None = None) -> str | None:
        """As `compute`, for whoever holds a place; None where the time that somebody waits does not suffice, or no
        process is there now.
        """
        try:
            return await self._run_apart(function, text, processor_seconds)
        except (TimeoutError, ComputationsUnavailable):
            return None

    async def _compute(self, function: str, text: str, processor_seconds: float | None) -> str:
        """As `compute`, for whoever holds a place."""
        try:
            return await self._run_apart(function, text, processor_seconds)
        except TimeoutError:
            raise ComputationTooLarge from None

    async def _run_apart(self, function: str, text: str, processor_seconds: float | None) -> str:
        return await self.processes.run(
            function, text, seconds=COMPUTATION_SECONDS, processor_seconds=processor_seconds
        )

    async def read(self, query: Callable[[Connection], T]) -> T:
        """`query` in a read transaction, in turns by who asks. Raises DatabaseUnavailable, and RateLimited for whoever
        has too many waiting.
        """
        return await self._read(self.threads, query, self.reads)

    async def look(self, query: Callable[[Connection], T]) -> T:
        """As `read`, for the short looks that every request and every probe begins with: no other read is in their
        way.
        """
        return await self._read(self.logins, query)

    async def _read(
        self, threads: ThreadPoolExecutor, query: Callable[[Connection], T], places: FairQueue | None = None
    ) -> T:
        def work() -> T:
            try:
                with reading(self.engine) as connection:
                    return query(connection)
            except DBAPIError as error:
                if is_disconnect(error):
                    raise DatabaseUnavailable from error
                raise

        try:
            async with asyncio.timeout(_READ_SECONDS):
                return await asyncio.wrap_future(await self._begin(threads, work, places))
        except TimeoutError:
            raise DatabaseUnavailable from None

    async def _begin(self, threads: ThreadPoolExecutor, work: Callable[[], T], places: FairQueue | None) -> Future[T]:
        """`work`, begun. Its place is given back when the thread is free, also where nobody waits for it any more."""
        if places is None:
            return threads.submit(work)
        loop, who = asyncio.get_running_loop(), asking.get()
        await places.take(who)

        def leave(_: object) -> None:
            with suppress(RuntimeError):  # the loop has ended, and nobody waits for a place
                loop.call_soon_threadsafe(places.leave, who)

        future = threads.submit(work)
        future.add_done_callback(leave)
        return future

    async def write(self, change: Write[T]) -> T:
        """`change` in a committed transaction of its own outcome: a Problem that it raises undoes it alone."""
        return await self.changes.perform(run_each, change, alone=not self.settings.is_sqlite)
