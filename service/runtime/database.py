"""The database of a serving process: threads and queues of its reads and writes, its keys, its witness and its storage
quotas.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from service.background import Work
from service.database.engine import is_disconnect, reading, truncate_log
from service.database.probe import Probe
from service.database.writer import Checkpoints, Handler, Item, Outcome, Write, Writer, run_each
from service.datasets.counts import CountsOfRing
from service.errors import DatabaseUnavailable
from service.ledger.debit import Debit, DebitHandler, Paid, StorageLimits
from service.ledger.restore.watch import look
from service.ledger.witness import Witness
from service.limits.limits import READS, UNAUTHENTICATED, FairQueue
from service.logs.metrics import Metrics
from service.principals.auth import PUBLIC, current_principal
from service.principals.quotas import Quotas
from service.runtime.key_file import InstalledKeys

_logger = logging.getLogger("posterior.database")
_CLOSING_SECONDS: Final = 3.0
"""Limit for a writer to finish when the process ends."""
_TRUNCATING_TRIES: Final = 20
_TRUNCATING_EVERY_SECONDS: Final = 0.1
T = TypeVar("T")


class Database:
    """Access to the database from async code."""

    def __init__(self, engine: Engine, keys: InstalledKeys, witness: Witness, quotas: Quotas, metrics: Metrics) -> None:
        self.engine, self.keys, self.witness, self.quotas = engine, keys, witness, quotas
        self._checkpoints = Checkpoints(engine)

        def committed(count: int, events: list[object]) -> None:
            metrics.batches.observe(count)
            self._checkpoints.committed()
            witness.on_commit(events)

        new_writer = partial(Writer, engine, committed=committed)
        self._debits = self._results = self._changes = new_writer()
        self._changes_alone = engine.dialect.name != "sqlite"
        if self._changes_alone:
            # PostgreSQL commits concurrently: results are stored while debits commit, and no release waits for a
            # change. SQLite allows one writer at a time.
            self._results, self._changes = new_writer(), new_writer()
        self._writers = list(dict.fromkeys((self._debits, self._results, self._changes)))
        self.probe, self.probe_work, self.witness_work = Probe(self._writers), Work("database probe"), Work("witness")
        self._debit_handler = DebitHandler(
            keys.current.signer,
            witness,
            CountsOfRing(keys.ring_for),
            StorageLimits(quotas.budget_bytes, quotas.grant_bytes),
            keys.verified,
        )
        self._threads = ThreadPoolExecutor(max_workers=READS.max_concurrent, thread_name_prefix="read")
        self._lookup_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="lookup")
        self._read_slots = READS.queue()
        self._unauthenticated_queue = UNAUTHENTICATED.queue()

    @property
    def works(self) -> list[Work]:
        own = [self.probe_work, self.witness_work, self._checkpoints.work]
        return [*own, *(each.work for each in self._writers)]

    def close(self) -> None:
        for threads in (self._threads, self._lookup_threads):
            threads.shutdown(wait=True, cancel_futures=True)
        for writer in self._writers:
            writer.close(_CLOSING_SECONDS)
        self._checkpoints.close()
        if self.probe.is_good:
            with self.witness_work.turn():
                look(self.engine, self.witness)
        self.witness.compact()
        self.engine.dispose()

    async def record_heads(self) -> None:
        """Record the ledger heads in the witness, or freeze a database that went back in time."""
        await asyncio.wrap_future(self._threads.submit(look, self.engine, self.witness))

    async def truncate_log(self) -> None:
        """Truncate the write-ahead log after counts or a name were deleted. Log a warning if that was not possible."""
        for _ in range(_TRUNCATING_TRIES):
            if await asyncio.wrap_future(self._threads.submit(truncate_log, self.engine)):
                return
            await asyncio.sleep(_TRUNCATING_EVERY_SECONDS)
        _logger.warning(
            "deleted counts or names stay in the write-ahead log until its next checkpoint: a reader was in the way, "
            "or the disk has no room"
        )

    def unauthenticated_slot(self) -> AbstractAsyncContextManager[None]:
        """Return a slot for a request without a key, or with a key that was never valid here. Raises RateLimited."""
        return self._unauthenticated_queue.slot(PUBLIC, retry_seconds=1)

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run `query` in a read transaction, in turns by the current principal. Raises DatabaseUnavailable, and
        RateLimited if the principal has too many waiting.
        """
        return await self._run_query(self._threads, query, self._read_slots)

    async def look(self, query: Callable[[Connection], T]) -> T:
        """Run `query` as `read` does, for the short look-ups that begin every request and probe.

        Other reads do not delay them.
        """
        return await self._run_query(self._lookup_threads, query)

    async def _run_query(
        self, threads: ThreadPoolExecutor, query: Callable[[Connection], T], slots: FairQueue | None = None
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
            async with asyncio.timeout(READS.seconds):
                return await asyncio.wrap_future(await self._begin(threads, work, slots))
        except TimeoutError:
            raise DatabaseUnavailable from None

    async def _begin(self, threads: ThreadPoolExecutor, work: Callable[[], T], slots: FairQueue | None) -> Future[T]:
        """Start `work`. Its slot is freed when the thread ends, even if the request was cancelled."""
        if slots is None:
            return threads.submit(work)
        loop, principal_id = asyncio.get_running_loop(), current_principal.get()
        await slots.take(principal_id)

        def leave(_: object) -> None:
            with suppress(RuntimeError):  # the loop has ended, and nobody waits for a slot
                loop.call_soon_threadsafe(slots.leave, principal_id)

        future = threads.submit(work)
        future.add_done_callback(leave)
        return future

    async def write(self, change: Write[T]) -> T:
        """Commit `change`. If it raises a Problem, only this change is rolled back."""
        return await self._changes.perform(run_each, change, alone=self._changes_alone)

    def price(self, connection: Connection, debit: Debit) -> Debit:
        """Return the debit of a query with its current price."""
        return self._debit_handler.prepared(connection, debit)

    async def debit(self, debit: Debit) -> Paid:
        """Commit a charge, or return the release that its key already paid for. Raises the Problem that refuses it."""
        return await self._debits.perform(self._debit_handler, debit)

    async def store(self, handler: Handler[Item, Outcome], item: Item) -> Outcome:
        """Commit drawn values, or the answer composed from them."""
        return await self._results.perform(handler, item)
