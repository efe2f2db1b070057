"""In-memory caches of a serving process. All of them may be lost: no debit is decided by a cache."""

from __future__ import annotations

import asyncio

from core.mechanisms.catalogue import Event
from service.auth import Caller
from service.cache import TTLCache
from service.channels.certified import Certified, Channel
from service.datasets.datasets import DatasetFacts
from service.rate_limit import RateLimit
from service.web.reported_charges import ReportedCharges


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
        self.certificates: TTLCache[tuple[str, Channel], Certified] = TTLCache(1024)
        """By principal, as accuracies and plans are: the time of an answer must not disclose what others asked for."""
        self.dataset_facts: TTLCache[tuple[str, str], DatasetFacts] = TTLCache(1024)
        """Facts of data sets that a release needs before the debit, by principal and data set. The debit checks all
        that can change again, under its lock.
        """
        self.accuracies: TTLCache[tuple[str, Event, bytes, float], str] = TTLCache(1024)
        """Expected accuracy by principal, event, hash of the prior, and level. It depends on public sizes only."""
        self.plans: TTLCache[str, str] = TTLCache(64)
        """Plans by principal and request, only for requests of sizes: no counts or labels that a caller supplied."""
        self.public_answers: TTLCache[tuple[str, ...], str] = TTLCache(32)
        """Results computed from public releases."""
        self.composing_failed: TTLCache[str, bool] = TTLCache(10_000, seconds=60.0)
        """Ids of drawn releases whose answers could not be composed in the last minute."""
