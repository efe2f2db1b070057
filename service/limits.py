"""The limits of a serving process in one table: what is limited, which key shares it, how much at once, how much in the
queue, for how long, and the problems that are answered beyond it. Queues are made from these rows, and
docs/reference/limits.md lists them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from service import errors
from service.errors import Problem
from service.fair_queue import FairQueue


class Key(StrEnum):
    """What shares a limit."""

    PROCESS = "process"
    PRINCIPAL = "principal"
    BUDGET = "budget"
    GRANT = "grant"
    RELEASE = "release"
    REQUEST = "request"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """0 stands for no limit of that kind, but for `max_queued_per_key`: then nothing waits."""

    what: str
    key: Key
    max_concurrent: int = 0
    """In a process, with all keys."""
    max_per_key: int = 0
    max_queued_per_key: float = 0
    max_queued: float = math.inf
    wait_seconds: float = 0
    """The longest wait for a slot."""
    seconds: float = 0
    """The longest time in a slot."""
    setting: str = ""
    """The field of the settings that gives the number, or a factor of it."""
    problems: tuple[type[Problem], ...] = ()

    def queue(self, max_concurrent: int = 0) -> FairQueue:
        """A queue with this limit. `max_concurrent`: the value of its setting."""
        return FairQueue(
            max_concurrent=max_concurrent or self.max_concurrent,
            max_per_key=self.max_per_key,
            max_queued_per_key=self.max_queued_per_key,
            max_queued=self.max_queued,
        )


CONNECTIONS: Final = Limit(what="Connections", key=Key.PROCESS, max_concurrent=640)
"""Above what deploy/nginx.conf keeps open, and below the 1 024 files that many systems allow a process. Idle
connections count, and beyond this number /readyz is answered 503 as well.
"""
REQUESTS: Final = Limit(
    what="Requests a minute",
    key=Key.PRINCIPAL,
    setting="rate_limit_per_minute",
    problems=(errors.RateLimited,),
)
HELD_REQUESTS: Final = Limit(
    what="A request for something paid", key=Key.REQUEST, seconds=30, problems=(errors.ReleaseInProgress,)
)
BODY_BYTES: Final = Limit(
    what="Bytes of a body",
    key=Key.REQUEST,
    max_per_key=2_000_000,
    seconds=20,
    problems=(errors.BodyTooLarge, errors.BodyTooSlow),
)
KEYLESS_BODY_BYTES: Final = Limit(
    what="Bytes of a body that needs no key",
    key=Key.REQUEST,
    max_per_key=10_000,
    seconds=20,
    problems=(errors.BodyTooLarge, errors.BodyTooSlow),
)
BODY_MEMORY_BYTES: Final = Limit(
    what="Bytes of bodies in memory",
    key=Key.PRINCIPAL,
    max_concurrent=64_000_000,
    max_per_key=8_000_000,
    problems=(errors.RateLimited,),
)
UNAUTHENTICATED: Final = Limit(
    what="Keys that were never valid here, looked up",
    key=Key.PROCESS,
    max_concurrent=2,
    max_per_key=2,
    max_queued_per_key=30,
    problems=(errors.RateLimited,),
)
"""Nobody is known yet, so all requests share one key of the queue."""
READS: Final = Limit(
    what="Reads of the database",
    key=Key.PRINCIPAL,
    max_concurrent=4,
    # What was read is put into words under Python's lock.
    max_per_key=1,
    max_queued_per_key=256,
    seconds=15,
    problems=(errors.RateLimited, errors.DatabaseUnavailable),
)
WRITES: Final = Limit(
    what="Turns of the database's writer",
    key=Key.PROCESS,
    max_concurrent=64,
    max_queued_per_key=math.inf,
    wait_seconds=8,
    problems=(errors.DatabaseUnavailable,),
)
"""With the query timeout and the time to make another connection, every request is answered within 20 s."""
QUERY_TIMEOUT: Final = Limit(
    what="One answer of the database",
    key=Key.PROCESS,
    seconds=6,
    problems=(errors.DatabaseUnavailable, errors.OutcomeUnknown),
)
"""The database has given up waiting for a lock long before."""
DRAW_SECONDS: Final = Limit(
    what="Seconds of a draw, by its public estimate",
    key=Key.RELEASE,
    setting="draw_seconds",
    problems=(errors.NotSupported,),
)
SHORT_DRAWS: Final = Limit(
    what="Paid releases with a draw of at most 30 ms",
    key=Key.PRINCIPAL,
    max_concurrent=512,
    max_per_key=64,
    max_queued_per_key=64,
    wait_seconds=10,
    problems=(errors.RateLimited,),
)
LONG_DRAWS: Final = Limit(
    what="Paid releases with a longer draw",
    key=Key.PRINCIPAL,
    max_concurrent=2,
    max_per_key=1,
    max_queued_per_key=1,
    wait_seconds=10,
    problems=(errors.RateLimited,),
)
RESIDENT: Final = Limit(
    what="Draws of the resident process",
    key=Key.PRINCIPAL,
    max_concurrent=1,
    max_per_key=1,
    max_queued_per_key=math.inf,
)
"""Who waits here holds a slot of `SHORT_DRAWS`."""
COMPOSING: Final = Limit(
    what="Answers to queries that are composed",
    key=Key.PRINCIPAL,
    max_concurrent=2,
    max_per_key=1,
    max_queued_per_key=math.inf,
    seconds=600,
    problems=(errors.ReleaseInProgress,),
)
PRICING: Final = Limit(
    what="Queries with many pairs of cells, from price to charge",
    key=Key.PRINCIPAL,
    # Of two at once the second would be priced twice.
    max_concurrent=1,
    max_per_key=1,
    max_queued_per_key=8,
    problems=(errors.RateLimited,),
)
PLANNING: Final = Limit(
    what="Queries planned in a thread",
    key=Key.PRINCIPAL,
    max_concurrent=2,
    max_per_key=1,
    max_queued_per_key=8,
    problems=(errors.RateLimited,),
)
COMPUTATIONS: Final = Limit(
    what="Free computations",
    key=Key.PRINCIPAL,
    max_per_key=1,
    max_queued_per_key=8,
    seconds=20,
    setting="computation_processes",
    problems=(errors.RateLimited, errors.ComputationTooLarge),
)
PUBLIC_COMPUTATIONS: Final = Limit(
    what="Free computations from public releases, without a key",
    key=Key.RELEASE,
    max_concurrent=1,
    max_per_key=1,
    max_queued_per_key=4,
    max_queued=32,
    seconds=20,
    problems=(errors.RateLimited, errors.ComputationTooLarge),
)
JOBS: Final = Limit(
    what="Jobs, waiting or kept",
    key=Key.PRINCIPAL,
    max_per_key=4,
    seconds=600,
    problems=(errors.JobQuota, errors.ComputationTooLarge),
)
JOB_BYTES: Final = Limit(
    what="Bytes of a job's input", key=Key.REQUEST, max_per_key=8_000_000, problems=(errors.ComputationTooLarge,)
)
CERTIFICATES: Final = Limit(
    what="Pending certificates",
    key=Key.PRINCIPAL,
    max_concurrent=2,
    max_per_key=20,
    seconds=3600,
    problems=(errors.CertificateQuota, errors.NotSupported),
)
BUDGETS: Final = Limit(
    what="Budgets", key=Key.PRINCIPAL, max_per_key=1_000, setting="quota_factor", problems=(errors.QuotaReached,)
)
DATASETS: Final = Limit(
    what="Data sets", key=Key.PRINCIPAL, max_per_key=1_000, setting="quota_factor", problems=(errors.QuotaReached,)
)
GRANTS: Final = Limit(
    what="Grants, closed ones too",
    key=Key.PRINCIPAL,
    max_per_key=10_000,
    setting="quota_factor",
    problems=(errors.QuotaReached,),
)
KEYS: Final = Limit(
    what="Keys that are valid",
    key=Key.PRINCIPAL,
    max_per_key=20,
    setting="quota_factor",
    problems=(errors.TooManyKeys,),
)
BUDGET_BYTES: Final = Limit(
    what="Bytes that releases of a budget reserve",
    key=Key.BUDGET,
    max_per_key=1_000_000_000,
    setting="quota_factor",
    problems=(errors.StorageExhausted,),
)
GRANT_BYTES: Final = Limit(
    what="Bytes that releases of a grant reserve",
    key=Key.GRANT,
    max_per_key=200_000_000,
    setting="quota_factor",
    problems=(errors.StorageExhausted,),
)
FREE_ANSWERS: Final = Limit(
    what="Stored answers to queries that cost nothing",
    key=Key.PRINCIPAL,
    max_per_key=1_000,
    setting="quota_factor",
    problems=(errors.FreeAnswerQuota,),
)
LIMITS: Final = tuple(each for each in tuple(globals().values()) if isinstance(each, Limit))
