"""All limits of a serving process in one table: what is limited, the key that shares the limit, concurrency, queue
length, times, and the problems returned beyond them. Queues are created from these rows, and
docs/reference/settings.md lists them.
"""

from __future__ import annotations

import math
from typing import Final, Literal, NamedTuple, TypeAlias

from service import errors
from service.errors import Problem
from service.limits.fair_queue import FairQueue

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


_LIMITED = (errors.RateLimited,)
_BODY = (errors.BodyTooLarge, errors.BodyTooSlow)
_COMPUTING = (errors.RateLimited, errors.ComputationTooLarge, errors.ComputationsUnavailable)
_QUOTA = (errors.ObjectQuotaExceeded,)
_STORAGE = (errors.StorageQuotaExceeded,)

CONNECTIONS = Limit("Connections", "process", 0, 640)
"""Above the connections that deploy/nginx.conf keeps open, and below the usual limit of 1 024 open files. Idle
connections count. Beyond this number /readyz returns 503, too.
"""
REQUESTS = Limit("Requests a minute", "principal", setting="rate_limit_per_minute", problems=_LIMITED)
HELD_REQUESTS = Limit("A charged request", "request", seconds=30, problems=(errors.ReleaseInProgress,))
BODY_BYTES = Limit("Bytes of a body", "request", 2_000_000, seconds=20, problems=_BODY)
KEYLESS_BODY_BYTES = Limit(
    "Bytes of a body of an operation without a key", "request", 10_000, seconds=20, problems=_BODY
)
BODY_MEMORY_BYTES = Limit("Bytes of bodies in memory", "principal", 8_000_000, 64_000_000, problems=_LIMITED)
UNAUTHENTICATED = Limit("Look-ups of keys that were never valid here", "process", 2, 2, 30, problems=_LIMITED)
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
    "Paid releases with a draw of at most 30 ms", "principal", 64, 512, 64, wait_seconds=10, problems=_LIMITED
)
LONG_DRAWS = Limit("Paid releases with a longer draw", "principal", 1, 2, 1, wait_seconds=10, problems=_LIMITED)
COMPOSING = Limit(
    "Answers to queries that are composed",
    "principal",
    1,
    2,
    math.inf,
    seconds=600,
    problems=(errors.ReleaseInProgress,),
)
PRICING = Limit("Queries with many pairs of cells, from price to charge", "principal", 1, 1, 8, problems=_LIMITED)
"""One query per principal: the second of two concurrent ones would have to be priced twice."""
QUERY_PLANNING = Limit("Queries planned in a thread", "principal", 1, 2, 8, problems=_LIMITED)
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
"""Beyond these, a request is answered with its job at once. Their time is below that of deploy/nginx.conf, too."""
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
