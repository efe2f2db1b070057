"""The state of a serving process: database, processes, caches, and the tasks to finish at shutdown. The application
creates it once and passes it to every use case.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from core.mechanisms.catalogue import Event
from service.background import Work
from service.channels.certified import Certified, Channel
from service.database.engine import check_ready, open_engine, reading
from service.database.rows import DatasetRow, ReleaseRow
from service.datasets.public_facts import DatasetFacts
from service.drawing.estimates import host_factor
from service.drawing.keys import DrawKeys
from service.drawing.processes import PROGRAM, DrawProcesses
from service.errors import ComputationsUnavailable, ComputationTooLarge, MaxChargeExceeded
from service.ledger.debit import Debit, Paid
from service.ledger.decision import Charge
from service.ledger.outcomes import SignedText
from service.ledger.restore.watch import watch
from service.limits.limits import (
    COMPOSING,
    COMPUTATIONS,
    JOB_WAITS,
    PRICING,
    PUBLIC_COMPUTATIONS,
    QUERY_PLANNING,
    QUERY_TIMEOUT,
    RateLimit,
    TTLCache,
)
from service.logs.metrics import Metrics
from service.principals.auth import Caller
from service.principals.quotas import Quotas
from service.runtime.computations import ComputationProcesses, UnfinishedError
from service.runtime.database import Database
from service.runtime.key_file import InstalledKeys, open_keys
from service.runtime.response_time import Ticks
from service.schemas.releases import OfQuotes
from service.settings.settings import Settings
from service.web.guard import ReportedCharges

GRACE_SECONDS: Final = 20
"""Seconds that the server waits for requests at shutdown, and then again for paid releases without a request."""
_SHARE_OF_ROUNDS: Final = 0.25
"""Largest sum of the estimates of a round of several draws, as a share of the response-time quantum."""
_COMPUTING: Final = (
    "service.posteriors.plans",
    "service.posteriors.computations",
    "service.estimates.estimates",
    "service.queries.quote",
    "service.queries.measuring",
    "service.channels.certified",
    "service.releases.expected_accuracy",
    "service.queries.answers",
    # The modules above import these lazily. They are preloaded here once for all processes.
    "scipy.interpolate",
    "scipy.linalg",
    "scipy.optimize",
)
"""Modules to preload for computation processes."""


class Processes:
    """Draw processes, processes of free computations, and the queues before them."""

    def __init__(
        self,
        keys: InstalledKeys,
        draw_program: Sequence[str],
        settings: Settings,
        start_modules: Sequence[str] = (),
    ) -> None:
        host_factor()  # measure it now, so that no request waits for it
        self.max_draw_seconds = settings.max_draw_seconds
        """Longest allowed estimate of a draw; 0 for no limit."""
        self.response_time_quantum_ms = settings.response_time_quantum_ms
        self.draws = DrawProcesses(
            lambda: DrawKeys(keys.current.ring, keys.current.public_keys),
            draw_program,
            self.response_time_quantum_ms * _SHARE_OF_ROUNDS / 1000,
        )
        self.waited_seconds: float = COMPUTATIONS.processor_seconds
        """Limit of CPU time, in seconds, of a free computation within a request."""
        self.computations = ComputationProcesses(*start_modules, *_COMPUTING, memory_mb=settings.computation_memory_mb)
        self.computation_slots = COMPUTATIONS.queue(settings.computation_processes)
        self.job_waits = JOB_WAITS.queue()
        self.public_slots = PUBLIC_COMPUTATIONS.queue()
        """Queue by release, so that many requests for one release delay only its readers. Its slot is separate
        from those of computations with a key.
        """
        self.composing_slots = COMPOSING.queue()
        self.query_planning_slots = QUERY_PLANNING.queue()
        self.pricing_slots = PRICING.queue()

    async def compute(
        self, principal_id: str, function: str, text: str, *, processor_seconds: float | None = None
    ) -> str:
        """Return the result of `function`, named `module:function`, for `text`. The computation is free and uses public
        facts only. `processor_seconds`: its limit of CPU time; None for `waited_seconds`.

        Raises the Problem that the function raised, RateLimited if the principal has too many requests waiting,
        ComputationTooLarge at its limit of CPU time or memory, and ComputationsUnavailable if it did not end in time.
        """
        limit = self.waited_seconds if processor_seconds is None else processor_seconds
        async with self.computation_slots.slot(principal_id):
            return await self.compute_in_slot(function, text, processor_seconds=limit)

    async def compute_in_slot(self, function: str, text: str, *, processor_seconds: float) -> str:
        """Return the result as `compute` does, for a caller that holds a slot."""
        try:
            return await self._run(function, text, processor_seconds)
        except TimeoutError:
            raise ComputationTooLarge from None

    async def try_in_slot(self, function: str, text: str) -> str:
        """Return the result as `compute_in_slot` does, but raise TimeoutError at `waited_seconds` of CPU time."""
        return await self._run(function, text, self.waited_seconds)

    async def _run(self, function: str, text: str, processor_seconds: float) -> str:
        seconds = COMPUTATIONS.seconds
        try:
            return await self.computations.run(function, text, seconds=seconds, processor_seconds=processor_seconds)
        except UnfinishedError:
            raise ComputationsUnavailable from None

    async def close(self) -> None:
        """End all processes with their draws and computations."""
        await self.draws.close()
        await self.computations.close()


class Shutdown:
    """The tasks that draw, store and compose paid releases, by release id. A task may outlive its request."""

    def __init__(self) -> None:
        self.in_progress: dict[str, asyncio.Task[SignedText]] = {}

    def start(self, release_id: str, work: Coroutine[Any, Any, SignedText]) -> asyncio.Task[SignedText]:
        """Start a task that finishes a release."""
        task = asyncio.create_task(work)
        self.in_progress[release_id] = task

        def forget(done: asyncio.Task[SignedText]) -> None:
            if self.in_progress.get(release_id) is done:
                del self.in_progress[release_id]
            if not done.cancelled():
                done.exception()  # read the exception, so that asyncio does not report it; the request may have ended

        task.add_done_callback(forget)
        return task

    async def finish(self) -> None:
        """Wait for the releases in progress, up to the grace period. A release that does not reach its tick stays paid,
        and the next process draws it.
        """
        tasks = list(self.in_progress.values())
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Caches:
    """Caches for one event loop. They are not thread-safe."""

    def __init__(self, rate_limit_per_minute: int) -> None:
        self.rate_limit = RateLimit(rate_limit_per_minute)
        self.callers: TTLCache[str, asyncio.Future[Caller]] = TTLCache(10_000, seconds=1.0)
        """Running and recent look-ups of callers, by the hash of their key. A key that another process revoked can read
        for one more second. It can't spend, since the debit checks key and principal under its lock.
        """
        self.known_keys: TTLCache[str, bool] = TTLCache(10_000)
        """Hashes of keys that were valid once. Other keys are looked up in the queue of unauthenticated requests."""
        self.key_uses: dict[str, int] = {}
        """Time at which the last use of a key was stored, by key id."""
        self.reported_charges = ReportedCharges()
        self.certificates: TTLCache[tuple[str, Channel, bool], Certified] = TTLCache(1024, seconds=86_400.0)
        """Certificates, for a day. The key has the principal, so that the time of a response does not disclose what
        others asked for. After a day a certificate is looked up again, which stores its last use.
        """
        self.dataset_facts: TTLCache[tuple[str, str], DatasetFacts] = TTLCache(1024, seconds=600.0)
        """By principal and data set. What changes is checked by the debit, under its lock."""
        self.accuracies: TTLCache[tuple[str, Event, bytes, float], str] = TTLCache(1024)
        """Expected accuracy by principal, event, hash of the prior, and level. It depends on public sizes only."""
        self.results: TTLCache[tuple[str, str], str] = TTLCache(16_000_000, weigh=sys.getsizeof)
        """Results of free computations, by principal and the key of their job. Each time, what they were computed from
        is read, and the right to it checked.
        """
        self.public_texts: TTLCache[tuple[str, ...], str] = TTLCache(32_000_000, weigh=sys.getsizeof)
        """Public texts whose signature was verified, by release, and results computed from them."""
        self.composing_failed: TTLCache[str, bool] = TTLCache(10_000, seconds=60.0)
        """Ids of drawn releases whose answers could not be composed in the last minute."""


class Priced(NamedTuple):
    """The price of a request before payment."""

    charge: Charge
    above_limit: MaxChargeExceeded | None
    """Set if the charge is above the request's `max_charge`."""
    quoted: Callable[[dict[str, Any], DatasetRow], OfQuotes]
    """Returns the quote. It is given the members that all quotes have, and the data set."""
    drawn: Mapping[str, Any]
    """The members of the spec that say what would be drawn."""


class Kind(NamedTuple):
    """The operations in which kinds of paid things differ: it prices a request, pays for it, quotes it, and composes
    the answer from a drawn row. The answer sees released values only.
    """

    price: Callable[[Runtime, Any, DatasetFacts], Awaitable[tuple[Debit, Any]]]
    """Returns the debit of a `PaidRequest` on these facts, and its `Draw` or None. Raises the Problem that refuses it
    on public facts.
    """
    pay: Callable[[Runtime, Debit], Awaitable[Paid]]
    quote: Callable[[Runtime, Caller, DatasetRow, Any], Awaitable[Priced]]
    """Returns the price of a body on a data set. Raises what the request itself would raise for its parameters."""
    document: Callable[[ReleaseRow], str] | None = None
    """Returns the answer from the row alone."""
    compose: Callable[[Runtime, ReleaseRow], Awaitable[str]] | None = None
    """Returns the answer if it needs more than the row."""


async def pay(runtime: Runtime, debit: Debit) -> Paid:
    """Pay for a release whose price is the same for all callers."""
    return await runtime.database.debit(debit)


@dataclass(frozen=True, slots=True)
class Runtime:
    database: Database
    processes: Processes
    caches: Caches
    shutdown: Shutdown
    ticks: Ticks
    kinds: Mapping[str, Kind]
    """The kinds of paid things, by `ReleaseRow.paid_kind`."""
    loops: list[Work] = field(default_factory=list)
    """Background work that the application has started."""

    @property
    def works(self) -> list[Work]:
        """Return all background work of the process."""
        return [*self.loops, *self.database.works, *self.processes.draws.works, self.ticks.work]

    @classmethod
    def open(
        cls,
        settings: Settings,
        metrics: Metrics | None = None,
        draw_program: Sequence[str] = PROGRAM,
        start_modules: Sequence[str] = (),
        kinds: Mapping[str, Kind] = MappingProxyType({}),
    ) -> Runtime:
        """Open the database and the keys. Raises DatabaseNotReady or SettingsError."""
        engine = open_engine(settings.database_url, QUERY_TIMEOUT.seconds, pooled=settings.database_pooled)
        with reading(engine) as connection:
            check_ready(connection)
        keys = InstalledKeys(settings.keys, open_keys(engine, settings.keys))
        witness = watch(engine, settings.witness, keys.current.signer.entry)
        quotas = Quotas.times(settings.quota_factor)
        database = Database(engine, keys, witness, quotas, metrics or Metrics())
        processes = Processes(keys, draw_program, settings, start_modules)
        return cls(database, processes, Caches(settings.rate_limit_per_minute), Shutdown(), Ticks(), kinds)

    async def close(self) -> None:
        """Finish paid releases within the grace period, then close everything."""
        await self.shutdown.finish()
        await self.processes.close()
        await asyncio.to_thread(self.database.close)
