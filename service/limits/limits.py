"""Limits on callers: fair queues, rates, caches of bounded size, and the table of all limits of a serving process.

A row of the table has the limited quantity, the key that shares the limit, concurrency, queue length, times, and the
problems returned beyond them. Queues are created from these rows, and docs/reference/settings.md lists them.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from service import errors
from service.errors import Problem, RateLimited

_RETRY_SECONDS: Final = 5.0


class FairQueue:
    """Allocates slots fairly by key, usually the principal: waiting requests are served in turns by key, and a key with
    too many waiting is refused. Not thread-safe: use it in one event loop. A slot is taken before any charge, so a
    refusal costs nothing.

    `max_concurrent` slots. A key holds at most `max_per_key`, and waits for at most `max_queued_per_key` more.
    `max_queued` limits the waiting requests of all keys, and `wait_seconds` the wait of each.
    """

    def __init__(
        self,
        *,
        max_concurrent: int,
        max_per_key: int,
        max_queued_per_key: float,
        max_queued: float = math.inf,
        wait_seconds: float | None = None,
    ) -> None:
        self._free_places, self._wait_seconds = max_concurrent, wait_seconds
        self._max_per_key, self._max_queued_per_key, self._max_queued = max_per_key, max_queued_per_key, max_queued
        self._held_by_key: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """Waiting requests by key, in the order of the keys' turns."""

    @asynccontextmanager
    async def slot(self, key: str, *, retry_seconds: float = _RETRY_SECONDS) -> AsyncIterator[None]:
        """Hold a slot during the block. Raises RateLimited if too many requests wait or the wait ends."""
        await self.take(key, retry_seconds)
        try:
            yield
        finally:
            self.leave(key)

    @property
    def held(self) -> int:
        """Return the number of slots that are held."""
        return sum(self._held_by_key.values())

    def has_slot_for(self, key: str) -> bool:
        """Return whether the key would get a slot without waiting."""
        return self._next_key() is None and self._may_have_one(key) and self._free_places > 0

    async def take(self, key: str, retry_seconds: float = _RETRY_SECONDS) -> None:
        """Take a slot as `slot` does. `leave` frees it."""
        if self.has_slot_for(key):
            self._hand_to(key)
            return
        queued, queued_of_all = len(self._waiting.get(key, ())), sum(map(len, self._waiting.values()))
        if queued >= self._max_queued_per_key or queued_of_all >= self._max_queued:
            raise RateLimited.until(retry_seconds)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self._wait(key, turn)
        except TimeoutError:
            raise RateLimited.until(retry_seconds) from None

    async def _wait(self, key: str, turn: asyncio.Future[None]) -> None:
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(key)
            else:
                self._forget(key, turn)
                self._serve()
            raise

    def _may_have_one(self, key: str) -> bool:
        return self._held_by_key[key] < self._max_per_key

    def _next_key(self) -> str | None:
        """Return the key whose turn it is, or None."""
        return next((each for each in self._waiting if self._may_have_one(each)), None)

    def _hand_to(self, key: str) -> None:
        self._free_places -= 1
        self._held_by_key[key] += 1

    def leave(self, key: str) -> None:
        """Free a slot, and pass it to the next in turn."""
        self._free_places += 1
        self._held_by_key[key] -= 1
        if not self._held_by_key[key]:
            del self._held_by_key[key]
        if key in self._waiting:
            self._waiting.move_to_end(key)  # those who waited during its turn come first
        self._serve()

    def _serve(self) -> None:
        while self._free_places > 0 and (following := self._next_key()) is not None:
            turn = self._waiting[following][0]
            if turn.cancelled():
                return  # its coroutine has not run since; it serves the next one when it runs
            self._forget(following, turn)
            if following in self._waiting:
                self._waiting.move_to_end(following)
            self._hand_to(following)
            turn.set_result(None)

    def _forget(self, key: str, turn: asyncio.Future[None]) -> None:
        self._waiting[key].remove(turn)
        if not self._waiting[key]:
            del self._waiting[key]


_TRACKED_PRINCIPALS = 10_000


class RateLimit:
    """A token bucket per principal in one process: `per_minute` requests per minute, with bursts of the same number. 0
    means no limit. It stops loops, not distributed attacks.
    """

    def __init__(self, per_minute: int) -> None:
        self._capacity = float(per_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def admit(self, principal_id: str, requests: float = 1) -> None:
        """Take `requests` tokens, at most the capacity, from the principal's bucket. Raises RateLimited with the time
        to wait.
        """
        if not self._capacity:
            return
        requests = min(requests, self._capacity)
        instant = time.monotonic()
        tokens, then = self._buckets.pop(principal_id, (self._capacity, instant))
        tokens = min(self._capacity, tokens + (instant - then) * self._capacity / 60)
        admitted = tokens >= requests
        self._buckets[principal_id] = (tokens - requests if admitted else tokens, instant)
        if len(self._buckets) > _TRACKED_PRINCIPALS:
            self._buckets.popitem(last=False)
        if not admitted:
            raise RateLimited.until((requests - tokens) * 60 / self._capacity)


K = TypeVar("K")
V = TypeVar("V")


@dataclass(slots=True)
class TTLCache(Generic[K, V]):
    """The last values, each for at most `seconds`. `size` limits their number or, if `weigh` returns another size of
    each, the sum of these. Not thread-safe: use it in one event loop.
    """

    size: int
    seconds: float = math.inf
    weigh: Callable[[V], int] = lambda _: 1
    _entry_by_key: OrderedDict[K, tuple[float, V]] = field(default_factory=OrderedDict)
    _weight: int = 0

    def get(self, key: K) -> V | None:
        """Return the value under `key`, or None if there is none or it has expired."""
        kept = self._entry_by_key.get(key)
        if kept is None:
            return None
        until, value = kept
        return value if until == math.inf or time.monotonic() < until else None

    def keep(self, key: K, value: V) -> None:
        """Store `value` under `key`. If the cache is full, drop the oldest values."""
        self.forget(key)
        self._entry_by_key[key] = (time.monotonic() + self.seconds, value)
        self._weight += self.weigh(value)
        while self._weight > self.size:
            self.forget(next(iter(self._entry_by_key)))

    def forget(self, key: K) -> None:
        if key in self._entry_by_key:
            self._weight -= self.weigh(self._entry_by_key.pop(key)[1])

    def clear(self) -> None:
        self._entry_by_key.clear()
        self._weight = 0


Key: TypeAlias = Literal["process", "principal", "budget", "grant", "release", "request"]


class Limit(NamedTuple):
    """A row of the table of limits. 0 means no limit of that kind, except that `max_queued_per_key` 0 means that
    nothing waits.
    """

    what: str
    key: Key
    max_per_key: int = 0
    max_concurrent: int = 0
    """Limit of all keys together in one process."""
    max_queued_per_key: float = 0
    max_queued: float = math.inf
    wait_seconds: float = 0
    """Longest wait for a slot."""
    seconds: float = 0
    """Longest wall time in a slot. At its end, the request can be sent again."""
    processor_seconds: float = 0
    """Longest CPU time. Work that reaches it is too large."""
    setting: str = ""
    """Field of the settings that gives the number, or a factor of it."""
    problems: tuple[type[Problem], ...] = ()

    def queue(self, max_concurrent: int = 0) -> FairQueue:
        """Return a queue with this limit. `max_concurrent` is the value of its setting."""
        return FairQueue(
            max_concurrent=max_concurrent or self.max_concurrent,
            max_per_key=self.max_per_key,
            max_queued_per_key=self.max_queued_per_key,
            max_queued=self.max_queued,
            wait_seconds=self.wait_seconds or None,
        )


_RATE_PROBLEMS = (errors.RateLimited,)
_BODY = (errors.BodyTooLarge, errors.BodyTooSlow)
_COMPUTING = (errors.RateLimited, errors.ComputationTooLarge, errors.ComputationsUnavailable)
_QUOTA = (errors.ObjectQuotaExceeded,)
_STORAGE = (errors.StorageQuotaExceeded,)

CONNECTIONS = Limit("Connections", "process", 0, 640)
"""Above the connections that deploy/nginx.conf keeps open, and below the usual limit of 1 024 open files. Idle
connections count. Beyond this number /readyz returns 503, too.
"""
REQUESTS = Limit("Requests a minute", "principal", setting="rate_limit_per_minute", problems=_RATE_PROBLEMS)
HELD_REQUESTS = Limit("A charged request", "request", seconds=30, problems=(errors.ReleaseInProgress,))
BODY_BYTES = Limit("Bytes of a body", "request", 2_000_000, seconds=20, problems=_BODY)
KEYLESS_BODY_BYTES = Limit(
    "Bytes of a body of an operation without a key", "request", 10_000, seconds=20, problems=_BODY
)
BODY_MEMORY_BYTES = Limit("Bytes of bodies in memory", "principal", 8_000_000, 64_000_000, problems=_RATE_PROBLEMS)
UNAUTHENTICATED = Limit("Look-ups of keys that were never valid here", "process", 2, 2, 30, problems=_RATE_PROBLEMS)
"""The principal is not known yet, so all requests share one key of the queue."""
READS = Limit(
    "Reads of the database",
    "principal",
    1,
    4,
    256,
    seconds=15,
    problems=(errors.RateLimited, errors.DatabaseUnavailable),
)
"""One read per principal, because formatting the result holds the GIL."""
WRITES = Limit(
    "Turns of the database's writer", "process", 0, 64, math.inf, wait_seconds=8, problems=(errors.DatabaseUnavailable,)
)
"""Together with the query timeout and the time to reconnect, every request is answered within 20 s."""
QUERY_TIMEOUT = Limit(
    "One response of the database", "process", seconds=6, problems=(errors.DatabaseUnavailable, errors.OutcomeUnknown)
)
"""Above the database's own limit of waits for locks."""
DRAW_SECONDS = Limit(
    "Seconds of a draw, by its public estimate", "release", setting="max_draw_seconds", problems=(errors.NotSupported,)
)
SHORT_DRAWS = Limit(
    "Paid releases with a draw of at most 30 ms", "principal", 64, 512, 64, wait_seconds=10, problems=_RATE_PROBLEMS
)
LONG_DRAWS = Limit("Paid releases with a longer draw", "principal", 1, 2, 1, wait_seconds=10, problems=_RATE_PROBLEMS)
COMPOSING = Limit(
    "Answers to queries that are composed",
    "principal",
    1,
    2,
    math.inf,
    seconds=600,
    problems=(errors.ReleaseInProgress,),
)
PRICING = Limit("Queries with many pairs of cells, from price to charge", "principal", 1, 1, 8, problems=_RATE_PROBLEMS)
"""One query per principal: the second of two concurrent ones would have to be priced twice."""
QUERY_PLANNING = Limit("Queries planned in a thread", "principal", 1, 2, 8, problems=_RATE_PROBLEMS)
PAGES = Limit("Pages of the console, computed in a thread", "principal", 1, 2, math.inf)
COMPUTATIONS = Limit(
    "Free computations",
    "principal",
    1,
    0,
    8,
    wait_seconds=40,
    seconds=20,
    processor_seconds=2,
    setting="computation_processes",
    problems=_COMPUTING,
)
"""Waiting and computing together take less time than deploy/nginx.conf waits for an answer."""
PUBLIC_COMPUTATIONS = Limit(
    "Free computations from public releases, without a key",
    "release",
    1,
    1,
    4,
    32,
    wait_seconds=40,
    seconds=20,
    processor_seconds=3,
    problems=_COMPUTING,
)
JOBS = Limit(
    "Jobs, waiting or kept",
    "principal",
    4,
    seconds=1800,
    processor_seconds=600,
    problems=(errors.JobQuotaExceeded, errors.ComputationTooLarge, errors.ComputationsUnavailable),
)
JOB_WAITS = Limit("Requests that wait for a job", "principal", 2, 64, seconds=25)
"""More requests are answered with their job at once. Their time is below the timeout of deploy/nginx.conf."""
JOB_BYTES = Limit("Bytes of a job's input", "request", 8_000_000, problems=(errors.ComputationTooLarge,))
CERTIFICATES = Limit(
    "Pending certificates",
    "principal",
    20,
    1,
    seconds=10_800,
    processor_seconds=3600,
    problems=(errors.CertificateQuotaExceeded, errors.NotSupported, errors.ComputationsUnavailable),
)
BUDGETS = Limit("Budgets", "principal", 1_000, setting="quota_factor", problems=_QUOTA)
DATASETS = Limit("Data sets", "principal", 1_000, setting="quota_factor", problems=_QUOTA)
GRANTS = Limit("Grants, closed ones too", "principal", 10_000, setting="quota_factor", problems=_QUOTA)
KEYS = Limit("Keys that are valid", "principal", 20, setting="quota_factor", problems=(errors.KeyQuotaExceeded,))
SESSIONS = Limit("Sessions of the console; another one ends the oldest", "principal", 10)
BUDGET_BYTES = Limit(
    "Bytes that releases of a budget reserve", "budget", 1_000_000_000, setting="quota_factor", problems=_STORAGE
)
GRANT_BYTES = Limit(
    "Bytes that releases of a grant reserve", "grant", 200_000_000, setting="quota_factor", problems=_STORAGE
)
FREE_ANSWERS = Limit(
    "Stored answers to queries that cost nothing",
    "principal",
    1_000,
    setting="quota_factor",
    problems=(errors.FreeAnswerQuotaExceeded,),
)
ACCESS_REQUESTS = Limit("Open access requests", "principal", 20, setting="quota_factor", problems=_QUOTA)
LIMITS: Final = tuple(each for each in tuple(globals().values()) if isinstance(each, Limit))
